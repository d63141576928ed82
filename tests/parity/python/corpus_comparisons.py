"""Has sacrebleu compare systems over corpora, and writes what it says to `cases/comparisons.json.gz`. Run by hand, after
`cases.py`, with the packages of `requirements.txt`:

    python corpus_comparisons.py

The random numbers are not ours, so its p-values are means over seeds; and those of its approximate randomization count ties. Each of `comparisons` has the metric, the first and the
last row of `texts.json.gz`, what the `second` system answers where the first has the outputs of these rows, the scores of both,
and for both tests the mean p-value and how many draws it is from.
"""

import gzip
import json
import pathlib
import random
import statistics

import sacrebleu.metrics
from sacrebleu import significance

import texts

CASES = pathlib.Path(__file__).parent / "cases"
ROWS = texts.rows()
METRICS = {
    "bleu": sacrebleu.metrics.BLEU,
    "chrf": sacrebleu.metrics.CHRF,
    "ter": sacrebleu.metrics.TER,
}
SEEDS = range(10)
DRAWS = {"paired_bootstrap": 2000, "paired_permutation": 2000}
TESTS = {"paired_bootstrap": significance._paired_bs_test, "paired_permutation": significance._paired_ar_test}
COMPUTE_P_VALUE = significance._compute_p_value


def with_ties(stats, real_difference):
    """Counts exchanges after which the systems are as far apart, which sacrebleu leaves out: where one answer differs, it
    says that any of its exchanges is less likely than chance."""
    return ((stats >= real_difference - 1e-9).sum().item() + 1) / (len(stats) + 1)


def main():
    rng = random.Random(7)
    comparisons = []
    for name, make in METRICS.items():
        for start, size, share in [(0, 100, 0.5), (600, 150, 0.4), (1800, 150, 0.3), (2450, 120, 0.45)]:
            if (name, start) == ("bleu", 1800):
                # It is 0 for both, since it finds no words in Japanese.
                continue
            rows = ROWS[start : start + size]
            outputs = [output for output, _ in rows]
            references = [[every[0] for _, every in rows]]
            # Some answers are as good as the reference but for a word, some are cut.
            second = []
            for output, (reference, *_) in rows:
                words = reference.split(" ")
                if rng.random() < 0.85:
                    second.append(output)
                elif rng.random() < share:
                    second.append(" ".join(words[:-1]))
                else:
                    second.append(" ".join(output.split(" ")[:-2]))
            metric = make()
            stats = metric._extract_corpus_statistics(outputs, references)
            score = metric._aggregate_and_compute(stats)
            found = {"metric": name, "from": start, "to": start + size, "second": second, "first": score.score / 100, "tests": {}}
            for test, run in TESTS.items():
                significance._compute_p_value = with_ties if test == "paired_permutation" else COMPUTE_P_VALUE
                results = [
                    run({"m": (stats, score)}, "second", second, references, {"m": metric}, DRAWS[test], seed=seed)[1]["m"]
                    for seed in SEEDS
                ]
                found["score"] = results[0].score / 100
                draws = DRAWS[test] * len(SEEDS)
                found["tests"][test] = [statistics.mean(result.p_value for result in results), draws]
            print(name, start, found["first"], found["score"], found["tests"], flush=True)
            comparisons.append(found)
    data = json.dumps(comparisons, ensure_ascii=False, separators=(",", ":")).encode()
    (CASES / "comparisons.json.gz").write_bytes(gzip.compress(data, 9, mtime=0))


main()
