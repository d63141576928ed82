"""Has trec_eval and ranx score rankings, and writes what they say to `cases/`. Run by hand, with the packages of
`retrieval-requirements.txt`:

    python retrieval_cases.py

`rankings.json.gz` has the rows, and `retrieval.json.gz` for each metric its `variants`, a list of options as our evaluators
take them, who said so, and for each row the number of its variant and the score.
"""

import gzip
import itertools
import json
import pathlib
import random

import pytrec_eval
import ranx

import rankings

CASES = pathlib.Path(__file__).parent / "cases"
ROWS = rankings.rows()
CUTOFFS = [1, 2, 3, 5, 10, 20, 100]


def trec_eval(measure, name, relevance_level, run, relevance):
    """The score of trec_eval 9, which compares scores as numbers of 32 bits."""
    evaluator = pytrec_eval.RelevanceEvaluator({"q": relevance}, {measure}, relevance_level=relevance_level)
    return evaluator.evaluate({"q": dict(run)})["q"][name]


def of_trec_eval(measure, cutoffs, levels):
    """All variants of a measure of trec_eval."""
    variants = [
        {key: value for key, value in [("k", k), ("relevanceLevel", level)] if value is not None} | {"singlePrecision": True}
        for k, level in itertools.product(cutoffs, levels)
    ]

    def score(options, run, relevance):
        k = options.get("k")
        name = {"ndcg": "ndcg_cut", "map": "map_cut"}.get(measure, measure)
        own = measure if k is None else f"{name}.{k}"
        return trec_eval(own, own.replace(".", "_"), options.get("relevanceLevel", 1), run, relevance)

    return {"reference": "trec_eval", "variants": variants, "score": score}


def of_ranx(measure, cutoffs, levels, **options):
    """All variants of a measure of ranx, which has no rule for ties, and compares scores as they are."""
    variants = [
        {key: value for key, value in [("k", k), ("relevanceLevel", level)] if value is not None} | options
        for k, level in itertools.product(cutoffs, levels)
    ]

    def score(options, run, relevance):
        level = options.get("relevanceLevel", 1)
        # In its order, so that ties are those of trec_eval; and without what nobody judged.
        order = sorted(run, key=lambda each: each[0].encode(), reverse=True)
        order.sort(key=lambda each: -each[1])
        ranked = {document: float(len(order) - place) for place, (document, _) in enumerate(order)}
        judged = {document: grade for document, grade in relevance.items() if grade >= 0}
        k = options.get("k")
        name = measure if k is None else f"{measure}@{k}"
        if level != 1:
            name += f"-l{level}"
        # An empty ranking is more than it takes.
        run = ranx.Run({"q": ranked or {"nothing that is judged": 1.0}})
        return float(ranx.evaluate(ranx.Qrels({"q": judged}), run, name))

    return {"reference": "ranx", "variants": variants, "score": score}


LEVELS = [None, 1, 2]
METRICS = {
    "ndcg": [of_trec_eval("ndcg", [None, *CUTOFFS], [None])],
    "ndcgOfRanx": [
        of_ranx("ndcg", [None, 1, 5, 10], LEVELS),
        of_ranx("ndcg_burges", [None, *CUTOFFS], LEVELS, gain="exponential"),
    ],
    "averagePrecision": [of_trec_eval("map", [None, *CUTOFFS], LEVELS)],
    "reciprocalRank": [of_trec_eval("recip_rank", [None], LEVELS)],
    "reciprocalRankOfRanx": [of_ranx("mrr", [None, *CUTOFFS], LEVELS)],
    "precisionAtK": [of_trec_eval("P", CUTOFFS, LEVELS)],
    "recallAtK": [of_trec_eval("recall", CUTOFFS, LEVELS)],
    "hitRateAtK": [of_trec_eval("success", CUTOFFS, LEVELS)],
    "rPrecision": [of_trec_eval("Rprec", [None], LEVELS)],
    "bpref": [of_trec_eval("bpref", [None], LEVELS)],
}


def write(name, value):
    data = json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode()
    path = CASES / f"{name}.json.gz"
    path.write_bytes(gzip.compress(data, 9, mtime=0))
    print(f"{path.name}: {path.stat().st_size:,} bytes")


def main():
    write("rankings", ROWS)
    found = {}
    for name, references in METRICS.items():
        variants = [(reference, options) for reference in references for options in reference["variants"]]
        order = [index % len(variants) for index in range(len(ROWS))]
        random.Random(name).shuffle(order)
        scores = []
        for which, (run, relevance) in zip(order, ROWS):
            reference, options = variants[which]
            level = options.get("relevanceLevel", 1)
            # Without a relevant document they say 0, and we say that there is nothing to score.
            has_relevant = any(grade >= level for grade in relevance.values())
            scores.append([which, reference["score"](options, run, relevance) if has_relevant else None])
        found[name] = {"variants": [options for _, options in variants], "rows": scores}
        print(name, len(scores))
    write("retrieval", found)


main()
