"""Has the reference implementations measure how raters agree, and what a judge's rate is worth, and writes what they say to
`cases/agreement.json.gz` and `cases/correction.json.gz`. Run by hand, with `statistics.requirements.txt`.

Each case of agreement has `ratings`, a list for each rater with `null` where there is none, and what the references say by
the names of our figures; what is not defined there is left out. Each case of correction has the counts, and the estimate
and interval of both methods.
"""

import gzip
import json
import math
import pathlib
import random
import warnings

import krippendorff
import numpy as np
import pandas as pd
from irrCAC.raw import CAC
from ppi_py import ppi_mean_ci, ppi_mean_pointestimate
from scipy import stats
from sklearn.calibration import calibration_curve
from sklearn.metrics import brier_score_loss, cohen_kappa_score, confusion_matrix
from statsmodels.stats.proportion import proportion_confint

warnings.filterwarnings("ignore")
CASES = pathlib.Path(__file__).parent / "cases"
SCALES = [[0, 1], [0, 0.5, 1], [0, 0.25, 0.5, 0.75, 1], [round(step / 10, 1) for step in range(0, 11, 2)]]


def ratings(rng, raters, count, values, noise, missing):
    """What raters said, who mostly say the same."""
    columns = [[] for _ in range(raters)]
    for _ in range(count):
        truth = rng.choice(values)
        for column in columns:
            said = rng.choice(values) if rng.random() < noise else truth
            column.append(None if rng.random() < missing else said)
    return columns


def of_two(judge, people, values):
    # Classes as texts that sort like their numbers.
    named = [[f"{value:.2f}" for value in column] for column in (judge, people)]
    found = {
        "kappa": cohen_kappa_score(*named),
        "spearman": stats.spearmanr(judge, people).statistic,
        "kendall": stats.kendalltau(judge, people).statistic,
        "meanAbsoluteError": float(np.mean(np.abs(np.subtract(judge, people)))),
    }
    # The steps of a scale are of one size, so that with all of them, places are distances.
    labels = [f"{value:.2f}" for value in values]
    for weights in ("linear", "quadratic"):
        found[f"weightedKappa.{weights}"] = cohen_kappa_score(*named, labels=labels, weights=weights)
    return found


def of_many(columns):
    matrix = np.array([[np.nan if value is None else value for value in column] for column in columns], dtype=float)
    values = sorted({value for column in columns for value in column if value is not None})
    found = {}
    for level in ("nominal", "ordinal", "interval"):
        try:
            found[f"alpha.{level}"] = krippendorff.alpha(
                reliability_data=matrix, value_domain=values, level_of_measurement=level
            )
        except ValueError:
            pass
    # irrCAC rounds to five digits unless it is told not to.
    if len(values) > 1:
        cac = CAC(pd.DataFrame(matrix.T), digits=15)
        found["ac1"] = cac.gwet()["est"]["coefficient_value"]
    return found


def finite(found):
    return {name: float(value) for name, value in found.items() if value is not None and math.isfinite(value)}


def agreement(rng):
    cases = []
    for index in range(700):
        values = SCALES[index % len(SCALES)]
        raters = 2 if index % 3 else rng.choice([3, 4])
        missing = 0.15 if raters > 2 else 0
        columns = ratings(rng, raters, rng.randint(6, 40), values, rng.choice([0, 0.1, 0.3, 0.6, 1]), missing)
        found = of_many(columns)
        if raters == 2:
            found.update(of_two(*columns, values))
        cases.append({"ratings": columns, "figures": finite(found)})
    return cases


def probabilities(rng):
    cases = []
    for _ in range(500):
        count = rng.randint(5, 60)
        said = [round(rng.random(), rng.choice([1, 3])) for _ in range(count)]
        came = [int(rng.random() < 0.3 + 0.5 * value) for value in said]
        curve, mean = calibration_curve(came, said, n_bins=10, strategy="uniform")
        weights, _ = np.histogram(np.searchsorted(np.linspace(0, 1, 11)[1:-1], said), bins=range(11))
        error = float(np.sum(np.abs(curve - mean) * weights[weights > 0]) / count)
        cases.append({"said": said, "came": came, "brier": float(brier_score_loss(came, said)), "error": error})
    return cases


def lang_reiczigel(positives, count, of_true, right_of_true, of_false, right_of_false, z):
    """The formulas of the paper: with e for what is estimated, and a for what is adjusted."""
    se, sp = (right_of_true + 1) / (of_true + 2), (right_of_false + 1) / (of_false + 2)
    ap = (positives + z**2 / 2) / (count + z**2)
    youden = se + sp - 1
    prevalence = (ap + sp - 1) / youden
    terms = se * (1 - se) / (of_true + 2), sp * (1 - sp) / (of_false + 2)
    shift = 2 * z**2 * (prevalence * terms[0] - (1 - prevalence) * terms[1])
    variance = ap * (1 - ap) / (count + z**2) + prevalence**2 * terms[0] + (1 - prevalence) ** 2 * terms[1]
    half = z * math.sqrt(variance / youden**2)
    return [max(0, prevalence + shift - half), min(1, prevalence + shift + half)]


def correction(rng):
    cases = []
    z = stats.norm.ppf(0.975)
    while len(cases) < 600:
        rate, se, sp = rng.uniform(0.05, 0.95), rng.uniform(0.6, 1), rng.uniform(0.6, 1)
        labelled, count = rng.choice([20, 60, 200, 1000]), rng.choice([100, 500, 5000])

        def judged(number):
            truths = [rng.random() < rate for _ in range(number)]
            return truths, [truth == (rng.random() < (se if truth else sp)) for truth in truths]

        truths, verdicts = judged(labelled)
        _, found = judged(count)
        (tn, fp), (fn, tp) = confusion_matrix(truths, verdicts, labels=[False, True])
        if not tp + fn or not tn + fp or tp / (tp + fn) + tn / (tn + fp) <= 1:
            continue
        positives = sum(found)
        youden = tp / (tp + fn) + tn / (tn + fp) - 1
        arrays = [np.array(column, dtype=float) for column in (truths, verdicts, found)]
        low, high = ppi_mean_ci(*arrays, alpha=0.05)
        cases.append(
            {
                "positives": positives,
                "count": count,
                "verdicts": [int(tp), int(fn), int(fp), int(tn)],
                "sensitivity": [tp / (tp + fn), *proportion_confint(tp, tp + fn, method="wilson")],
                "roganGladen": min(1, max(0, (positives / count + tn / (tn + fp) - 1) / youden)),
                "langReiczigel": lang_reiczigel(positives, count, tp + fn, tp, tn + fp, tn, z),
                "ppi": float(np.squeeze(ppi_mean_pointestimate(*arrays))),
                "ppiInterval": [float(np.squeeze(low)), float(np.squeeze(high))],
            }
        )
    return cases


def write(name, value):
    data = json.dumps(value, separators=(",", ":"), default=float).encode()
    path = CASES / f"{name}.json.gz"
    path.write_bytes(gzip.compress(data, 9, mtime=0))
    print(f"{path.name}: {path.stat().st_size:,} bytes")


write("agreement", {"agreement": agreement(random.Random(17)), "probabilities": probabilities(random.Random(18))})
write("correction", correction(random.Random(19)))
