"""The Python side of a case of `texts.mjs`: `texts.py <metric>`. Reads rows, a line of JSON, and then scores all of them for
each line that it is sent, and answers with their mean."""

import gzip
import json
import sys


def scorer(metric):
    """What scores an output and its reference, as the reference implementations are meant to be called."""
    if metric in ["bleu", "chrf", "ter"]:
        import sacrebleu.metrics

        one = getattr(sacrebleu.metrics, metric.upper())(**({"effective_order": True} if metric == "bleu" else {}))
        return lambda output, reference: one.sentence_score(output, [reference]).score / 100
    if metric in ["rouge1", "rougeL"]:
        from rouge_score import rouge_scorer

        one = rouge_scorer.RougeScorer([metric])
        return lambda output, reference: one.score(reference, output)[metric].fmeasure
    if metric in ["wordErrorRate", "characterErrorRate"]:
        import jiwer

        one = jiwer.wer if metric == "wordErrorRate" else jiwer.cer
        return lambda output, reference: one(reference, output)
    if metric == "compressionRatio":
        return lambda output, reference: len(output.encode()) / len(gzip.compress(output.encode()))
    from rapidfuzz import distance

    names = {
        "jaro": "Jaro",
        "jaroWinkler": "JaroWinkler",
        "damerauLevenshtein": "DamerauLevenshtein",
        "longestCommonSubsequence": "LCSseq",
    }
    one = getattr(distance, names[metric]).normalized_similarity
    return lambda output, reference: one(reference, output)


def main(metric):
    score = scorer(metric)
    rows = json.loads(sys.stdin.readline())
    for _ in sys.stdin:
        scores = [score(output, reference) for output, reference in rows]
        print(sum(scores) / len(scores), flush=True)


main(sys.argv[1])
