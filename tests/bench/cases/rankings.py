"""The Python side of a case of `rankings.mjs`: `rankings.py <reference> <metric>`. Reads queries, a line of JSON, and then
scores all of them for each line that it is sent, and answers with their mean."""

import json
import sys


def scorer(reference, metric):
    """What scores runs beside relevance, both dictionaries, and comes to the mean."""
    if reference == "pytrec_eval":
        import pytrec_eval

        names = {"ndcg": "ndcg", "averagePrecision": "map", "reciprocalRank": "recip_rank", "rPrecision": "Rprec"}
        name = names[metric]

        def score(relevance, runs):
            scores = pytrec_eval.RelevanceEvaluator(relevance, {name}).evaluate(runs)
            return sum(one[name] for one in scores.values()) / len(scores)

        return score
    import ranx

    return lambda relevance, runs: float(ranx.evaluate(ranx.Qrels(relevance), ranx.Run(runs), metric))


def main(reference, metric):
    score = scorer(reference, metric)
    queries = json.loads(sys.stdin.readline())
    runs = {str(number): dict(found) for number, (found, _) in enumerate(queries)}
    relevance = {str(number): judged for number, (_, judged) in enumerate(queries)}
    for _ in sys.stdin:
        print(score(relevance, runs), flush=True)


main(sys.argv[1], sys.argv[2])
