"""Corpora of 1,000 sentences in three languages, each with references, as translations go: made of templates, and changed at
random. All of it is made up for these tests, under the licence of the package."""

import random

PARTS = {
    "en": {
        "who": "the old gardener|a young engineer from Lyon|my neighbour's daughter|Dr. Osei|the committee|no one in the "
        "village|the night train's driver|both of the twins|an unknown caller|the museum",
        "did": "repaired|was asked to describe|could not find|has carefully measured|sold|will present|forgot about|"
        "would never have opened|wrote three letters about|insisted on buying",
        "what": "the broken clock|a map of the northern coast|1,200 pages of notes|the so-called \"silent\" engine|two "
        "bottles of olive oil|the results of the 2019 survey|an answer that nobody understood|the red bicycle|a "
        "well-known recipe|the key to the attic",
        "when": "before breakfast|in the winter of 1987|while it was raining|at 7:45 p.m.|as soon as the guests had left|"
        "for the third time|without saying a word|during the second week of June|, however, later|, much to our surprise",
        "end": ".|.|.|!|?|, and then went home.|; that was all.|, didn't they?",
        "other": "the a of to in that it was his quickly new ( ) - 12 % not",
    },
    "de": {
        "who": "der alte Gärtner|eine junge Ingenieurin aus Köln|die Tochter meines Nachbarn|Dr. Groß|der Ausschuss|niemand "
        "im Dorf|die Fahrerin des Nachtzugs|ein unbekannter Anrufer|das Museum|die Großmutter",
        "did": "reparierte|beschrieb|fand nicht einmal|vermaß sorgfältig|verkaufte|zeigte uns|vergaß|öffnete nie|kaufte "
        "schließlich|erwähnte",
        "what": "die kaputte Uhr|eine Karte der Nordküste|1.200 Seiten Notizen|den sogenannten „stillen“ Motor|zwei Flaschen "
        "Olivenöl|die Ergebnisse der Umfrage von 2019|eine Antwort, die niemand verstand|das rote Fahrrad|den "
        "Dachbodenschlüssel|das Geschwindigkeitsmessgerät",
        "when": "vor dem Frühstück|im Winter 1987|während es regnete|um 19:45 Uhr|zum dritten Mal|ohne ein Wort zu sagen|in "
        "der zweiten Juniwoche|, zu unserer Überraschung|später|sobald die Gäste gegangen waren",
        "end": ".|.|.|!|?|, und ging nach Hause.|; das war alles.|, oder?",
        "other": "der die und nicht mit von ein zu im schnell neue ( ) - 12 %",
    },
    "zh": {
        "who": "老园丁|来自上海的年轻工程师|邻居的女儿|王医生|委员会|村里没有人|夜班列车的司机|那对双胞胎|一位陌生人|博物馆",
        "did": "修好了|描述了|找不到|仔细测量了|卖掉了|将展示|忘记了|从未打开过|写信谈到|坚持要买",
        "what": "那座坏掉的钟|一张北海岸的地图|1200页笔记|所谓的“无声”发动机|两瓶橄榄油|2019年的调查结果|没人听懂的回答|红色自行车|有名的食谱|阁楼"
        "的钥匙",
        "when": "在早饭之前|在1987年的冬天|下雨的时候|晚上7点45分|第三次|一句话也没说就|六月的第二个星期|出乎我们的意料，|后来|客人一走就",
        "end": "。|。|。|！|？|，然后回家了。|；仅此而已。|，对吧？",
        "other": "的 了 在 是 不 和 很 新 （ ） 12 % 也",
    },
}


def sentence(language, rng):
    parts = {name: rng.choice(choices.split("|")) for name, choices in PARTS[language].items() if name != "other"}
    if language == "zh":
        return [*(parts["who"] + parts["when"] + parts["did"] + parts["what"] + parts["end"])]
    words = f"{parts['who']} {parts['did']} {parts['what']} {parts['when']}{parts['end']}".replace(" ,", ",").split(" ")
    words[0] = words[0][0].upper() + words[0][1:]
    return words


def changed(words, language, rng):
    """The sentence as somebody else would have written it."""
    words, others = list(words), PARTS[language]["other"].split(" ")
    for _ in range(rng.choice([0, 1, 1, 2, 3, 5])):
        at, kind = rng.randrange(len(words)), rng.random()
        if kind < 0.3:
            words[at] = rng.choice(others)
        elif kind < 0.5:
            words.insert(at, rng.choice(others))
        elif kind < 0.75 and len(words) > 2:
            words.pop(at)
        else:
            length = rng.randrange(1, 4)
            phrase = words[at : at + length]
            del words[at : at + length]
            to = rng.randrange(len(words) + 1)
            words[to:to] = phrase
    return words


def corpora():
    """By their languages, rows of an output and its references: two for English, one for the others."""
    found = {}
    for language in PARTS:
        rng = random.Random(f"corpus {language}")
        space = "" if language == "zh" else " "
        rows = []
        for _ in range(1000):
            meant = sentence(language, rng)
            texts = [space.join(changed(meant, language, rng)) for _ in range(3 if language == "en" else 2)]
            rows.append((texts[0], texts[1:]))
        found[language] = rows
    return found
