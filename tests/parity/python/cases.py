"""Has the reference implementations score texts, and writes what they say to `cases/`. Run by hand:

    python cases.py            # all metrics
    python cases.py bleu ter   # some of them

Each file has `variants`, a list of options as our evaluators take them; `rows`, for each row of `texts.json.gz` the number
of its variant and what the reference says, in the order of `fields`; and `corpora`, the same for rows from one to another.
"""

import collections
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

import jiwer
import sacrebleu.metrics
from rapidfuzz import distance
from rouge_score import rouge_scorer, tokenizers

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
        order = metric.max_ngram_order
        score = metric._compute_score_from_stats(list(stats))
        counts = [stats[2 : 2 + order], stats[2 + order :], stats[0], stats[1]]
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
        return 2 * total(a & b) / (total(a) + total(b)) if a or b else 1.0

    def jaccard(a, b):
        return total(a & b) / total(a | b) if a or b else 1.0

    def cosine(a, b):
        if not a or not b:
            return float(not a and not b)
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
                scores.append(n_grams[measure](grams(a, options.get("n", 2)), grams(b, options.get("n", 2))))
            else:
                more = {"prefix_weight": options["prefixWeight"]} if "prefixWeight" in options else {}
                scores.append(measures[measure](a, b, **more))
        return [max(scores)]

    return {"fields": ["score"], "variants": variants, "score": parts}


def write(name, value):
    CASES.mkdir(exist_ok=True)
    data = json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode()
    path = CASES / f"{name}.json.gz"
    path.write_bytes(gzip.compress(data, 9, mtime=0))
    print(f"{path.name}: {path.stat().st_size:,} bytes")


METRICS = {
    function.__name__: function for function in [bleu, chrf, ter, rouge, token_f1, error_rates, similarity]
}


def main(names):
    write("texts", ROWS)
    for name in names or METRICS:
        metric = METRICS[name]()
        variants = metric["variants"]
        rng = random.Random(name)
        # Each variant as often, in an order of its own.
        order = [index % len(variants) for index in range(len(ROWS))]
        rng.shuffle(order)
        rows = [[which, *metric["score"](variants[which], *row)] for which, row in zip(order, ROWS)]
        corpora = []
        # Some of them, and the last one, which is that of the defaults.
        for which in range(len(variants) - 1, -1, -(len(variants) // 8)) if "corpus" in metric else []:
            start, end = CORPORA[len(corpora) % len(CORPORA)]
            outputs, references = zip(*ROWS[start:end])
            corpora.append([which, start, end, *metric["corpus"](variants[which], list(outputs), list(references))])
        write(name, {"fields": metric["fields"], "variants": variants, "rows": rows, "corpora": corpora})


main(sys.argv[1:])
