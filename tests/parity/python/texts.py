"""Texts that metrics are compared on: outputs, each with references, in several languages. Made by hand and at random."""

import random

WORDS = {
    "en": (
        "The old library opened at nine o'clock , and 1,250 visitors came in before noon . "
        "She can't remember whether the river-side café was closed ; they won't say . "
        "\"Let's go\" , he said : it's 3.5 km away ( about 2-3 hours on foot ) . "
        "Economists were arguing that relational databases had successfully replaced traditional bookkeeping . "
        "The skies darkened while dying embers glowed , and the innings proceeded . "
        "An apple a day keeps the doctor away ! Don't you think so ? I'd've gone , but we're late & tired . "
        "Happiness , goodness and hopefulness are radically different ; geology is not theology . "
        "He was controlling , motoring , hopping , falling , filing and agreeing , as flies died and ties tied . "
        "In 2024 , sales rose by 12% to $1.2bn : a record ( their third ) since the 1990s . "
        "the mat the cat a dog an owl sat on under over of in is was were to and or not"
    ),
    "de": (
        "Der Hund läuft über die Straße , während die Kinder im Garten spielen . "
        "Am 3. Oktober 1990 wurde Deutschland wiedervereinigt ; das weiß doch jeder ! "
        "„ Größe ist nicht alles “ , sagte die Ärztin – und lächelte . "
        "Die Geschwindigkeitsbegrenzung beträgt 120,5 km/h auf der Autobahn A7 . "
        "Übrigens : Öl kostet 1.234,56 € je Fass , ‚ viel zu viel ‘ , meinte er . "
        "der die das ein eine nicht und oder mit von zu ist war im am Haus Baum STRASSE"
    ),
    "zh": (
        "猫 坐 在 垫子 上 。 今天 天气 很 好 ， 我们 去 公园 散步 吧 ！ 他 在 2024 年 买 了 3.5 公斤 苹果 。 "
        "“ 你好 ” ， 她 说 ： 这 本 书 （ 共 500 页 ） 很 有意思 。 人工智能 正在 改变 世界 ； 真的 吗 ？ 北京 上海 、 广州 "
        "DNA 检测 结果 为 99% 。 《 红楼梦 》 是 一 部 小说 … 的 了 不 和 是"
    ),
    "ja": (
        "猫 が マット の 上 に 座って いる 。 今日 は とても いい 天気 です ね 、 公園 へ 行きましょう ！ "
        "「 ありがとう 」 と 彼女 は 言った 。 東京 タワー は 333 メートル です 。 ｶﾀｶﾅ ＡＢＣ １２３ ・ ー "
        "コンピューター を 使って 、 データ を 分析 する （ 約 10 分 ） 。 は が を に で も"
    ),
    "ar": (
        "القطة تجلس على السجادة . ذهب الطالب إلى المدرسة ، وقرأ كتابا جديدا ؟ "
        "السَّلامُ عَلَيْكُمْ ! في عام ٢٠٢٤ بلغ العدد ١٢٫٥ مليون ؛ هل تصدق ؟ "
        "قال : « نعم » ، ثم غادر ( مسرعا ) . من إلى على في هذا هذه ليس"
    ),
    "mixed": (
        "😀 👍🏽 👩‍👩‍👧 🇩🇪 ❤️ ✓ → ∑ ½ ² Ⅳ © € ™ naïve İstanbul ΟΔΟΣ Σ ς ǅ ﬁn e\u0301 K Å 한국어 हिन्दी ไทย עברית "
        "<skipped> &amp; &lt;b&gt; &quot;x&quot; &amp;lt; [laugh] <unk> [noise> a_b __x__ C++ C# .NET "
        "http://a.b/c?d=e&f=1,2 foo@bar.com 1,2,3 .5 5. -1 1-2 a-1 1-a ... ,, .. ,. -- 'tis rock'n'roll l'a the"
    ),
}

# Endings that the stemmer knows, behind stems of several measures.
STEMS = "rel at hop fall gener vi sensit form adjust activ y by sk troub conflat fil cr oper pl happ geol ski dr".split()
ENDINGS = (
    "ational tional enci anci izer bli alli entli eli ousli ization ation ator alism iveness fulness ousness aliti "
    "iviti biliti fulli logi icate ative alize iciti ical ful ness al ance ence er ic able ible ant ement ment ent "
    "sion tion ou ism ate iti ous ive ize ies ied eed ed ing ly y s sses ss lling tting zzed yed ying e ee ll"
).split()

NO_SPACES = {"zh", "ja"}
SPACES = [" "] * 40 + ["  ", "\t", "\n", "-\n", "\n-", "\u00a0", "\u3000", " \n", "\u2009", "\u001c"]
CLOSING = set(".,;:!?)。，、！？；：）」”»…")


def words_of(language: str, rng: random.Random) -> list[str]:
    """A passage out of the words of a language, at times with others in it."""
    words = WORDS[language].split(" ")
    start = rng.randrange(len(words))
    length = rng.choice([0, 1, 1, 2, 3, 4, 5, 8, 12, 16, 20, 30, 45])
    passage = [words[(start + offset) % len(words)] for offset in range(length)]
    if language == "en" and rng.random() < 0.6:
        for _ in range(rng.randrange(1, 8)):
            passage.insert(rng.randrange(len(passage) + 1), rng.choice(STEMS) + rng.choice(ENDINGS))
    if rng.random() < 0.1:
        rng.shuffle(passage)
    return passage


def edited(words: list[str], language: str, rng: random.Random) -> list[str]:
    """The passage as somebody else would have written it."""
    words = list(words)
    pool = WORDS[language].split(" ")
    for _ in range(rng.choice([0, 1, 1, 2, 2, 3, 4, 6, 10])):
        kind = rng.random()
        at = rng.randrange(len(words) + 1)
        if kind < 0.25:
            words.insert(at, rng.choice(pool))
        elif not words:
            continue
        elif kind < 0.45:
            words.pop(rng.randrange(len(words)))
        elif kind < 0.65:
            words[rng.randrange(len(words))] = rng.choice(pool)
        elif kind < 0.85:
            # A phrase moves.
            start = rng.randrange(len(words))
            phrase = words[start : start + rng.randrange(1, 5)]
            del words[start : start + len(phrase)]
            to = rng.randrange(len(words) + 1)
            words[to:to] = phrase
        elif kind < 0.95:
            # A letter is wrong.
            place = rng.randrange(len(words))
            letters = list(words[place])
            if len(letters) > 1:
                one = rng.randrange(len(letters) - 1)
                letters[one], letters[one + 1] = letters[one + 1], letters[one]
            words[place] = "".join(letters)
        else:
            words[rng.randrange(len(words))] = rng.choice(words).swapcase()
    return words


def written(words: list[str], language: str, rng: random.Random) -> str:
    """The words as a text."""
    text = ""
    is_tokenized = rng.random() < 0.2
    has_breaks = rng.random() < 0.3
    for word in words:
        glued = language in NO_SPACES or (word in CLOSING and not is_tokenized)
        space = rng.choice(SPACES) if has_breaks else " "
        text += word if not text or glued else space + word
    if rng.random() < 0.05:
        text = f" {text}\n"
    return text


def rows() -> list[tuple[str, list[str]]]:
    """Outputs with their references, 600 in each language."""
    rng = random.Random(16)
    found = []
    for language in WORDS:
        for index in range(600):
            wanted = words_of(language, rng)
            references = [written(edited(wanted, language, rng), language, rng)]
            for _ in range(rng.choice([0, 0, 0, 1, 2])):
                references.append(written(edited(wanted, language, rng), language, rng))
            output = written(edited(wanted, language, rng), language, rng)
            if rng.random() < 0.05:
                output = rng.choice(references)
            found.append((output, references))
    for index, row in enumerate([("", [""]), ("", ["a"]), ("a", [""]), ("a", ["a"]), (" ", ["\n"]), ("", ["", "b"])]):
        found[index * 600 + 7] = row
    return found
