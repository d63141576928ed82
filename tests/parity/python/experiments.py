"""Has statsmodels, choix and scipy compare experiments, and writes what they say to `cases/experiments.json.gz`. Run by hand.

Each list has the cases of one figure: what goes in, and what the reference says.
"""

import gzip
import json
import math
import pathlib

import choix
import numpy
import pandas
import statsmodels.api
from scipy import stats
from statsmodels.formula.api import ols
from statsmodels.stats import multitest, power, proportion, weightstats

COUNT = 500
random = numpy.random.default_rng(20261122)


def numbers(count, decimals=3):
    return [round(float(value), decimals) for value in random.uniform(0, 1, count)]


def rates(count, rate=None):
    chance = random.uniform(0.1, 0.9) if rate is None else rate
    return [int(value) for value in random.uniform(0, 1, count) < chance]


def variances(options):
    """The standard deviation of a row's difference, and what it is if there is none on average."""
    difference = options["minimumDifference"]
    repetitions, common = options.get("repetitions", 1), options["correlation"]
    if "baseline" in options:
        rate, other = options["baseline"], options["baseline"] + difference
        first, second = rate * (1 - rate), other * (1 - other)
        both = common * math.sqrt(first * second)
        both = min(max(both, max(0, rate + other - 1) - rate * other), min(rate, other) - rate * other)
    else:
        first = second = options["standardDeviation"] ** 2
        both = common * first
    of_mean = (1 + (repetitions - 1) * options.get("repetitionCorrelation", 1)) / repetitions
    variance = (first + second) * of_mean - 2 * both
    return math.sqrt(max(variance, 0)), math.sqrt(max(variance, 0) + difference**2)


def counted(rows, differ, difference, error):
    """The power of the exact test of McNemar, over all numbers of pairs that differ."""
    pairs = numpy.arange(rows + 1)
    # The most that may lose, by twice the binomial probability of as few.
    most = stats.binom.ppf(error / 2, pairs, 0.5)
    most = numpy.where(2 * stats.binom.cdf(most, pairs, 0.5) < error, most, most - 1)
    losing = min(max((differ - difference) / differ / 2, 0), 1)
    found = stats.binom.cdf(most, pairs, losing)
    return float((stats.binom.pmf(pairs, rows, differ) * found).sum())


def planned(options, rows):
    deviation, without = variances(options)
    difference, error = abs(options["minimumDifference"]), 1 - options["level"]
    if "baseline" in options and options.get("repetitions", 1) == 1:
        differ = min(without**2, 1)
        if rows * differ <= 400:
            return counted(rows, differ, difference, error)
        found = power.normal_power_het(difference - 1 / rows, rows, error / 2, without, deviation, "larger")
    else:
        found = power.TTestPower().power(difference / deviation, rows, error)
    # Where it is almost sure, statsmodels has none.
    return 1 if math.isnan(found) else float(found)


def plans():
    cases = []
    while len(cases) < COUNT:
        options = {
            "minimumDifference": round(float(random.uniform(0.03, 0.3)), 3),
            "level": float(random.choice([0.9, 0.95, 0.99])),
            "correlation": round(float(random.uniform(0, 0.8)), 2),
        }
        if random.uniform() < 0.5:
            options["baseline"] = round(float(random.uniform(0.1, 0.65)), 2)
        else:
            options["standardDeviation"] = round(float(random.uniform(0.1, 0.5)), 2)
        if random.uniform() < 0.4:
            options["repetitions"] = int(random.integers(2, 10))
            least = options["correlation"]
            options["repetitionCorrelation"] = round(float(random.uniform(least, 1)), 2)
        if variances(options)[0] < 0.05:
            continue
        rows = int(random.integers(5, 500))
        if planned(options, rows) > 0.9999:
            continue
        target = round(float(random.uniform(0.5, 0.95)), 2)
        # A search takes its time.
        if len(cases) % 5:
            cases.append([options, rows, planned(options, rows), None, None])
            continue
        fewest = 2
        while planned(options, fewest) < target:
            fewest *= 2
        low = fewest // 2
        while fewest - low > 1:
            middle = (low + fewest) // 2
            low, fewest = (middle, fewest) if planned(options, middle) < target else (low, middle)
        cases.append([options, rows, planned(options, rows), target, fewest])
    return cases


def standard_errors():
    cases = []
    while len(cases) < COUNT:
        count = int(random.integers(4, 30))
        scores = numbers(count) if random.uniform() < 0.5 else rates(count)
        groups = [int(group) for group in random.integers(0, max(2, count // 2), count)]
        if len(set(scores)) == 1 or len(set(groups)) == 1:
            continue
        model = statsmodels.api.OLS(numpy.array(scores, float), numpy.ones(count))
        # CR2: what is left of each cluster times the inverse root of its part of the annihilator.
        left, part = model.fit().resid, numpy.eye(count) - 1 / count
        variance = 0
        for group in set(groups):
            own = numpy.flatnonzero(numpy.array(groups) == group)
            values, vectors = numpy.linalg.eigh(part[numpy.ix_(own, own)])
            root = vectors @ numpy.diag(values**-0.5) @ vectors.T
            variance += (root @ left[own]).sum() ** 2 / count**2
        cases.append([scores, groups, math.sqrt(variance)])
    return cases


def tango(lost, gained, count, margin):
    b = (2 * count - lost + gained) * margin - lost - gained
    c = -gained * margin * (1 - margin)
    nuisance = (math.sqrt(max(b * b - 8 * count * c, 0)) - b) / (4 * count)
    return (lost - gained - count * margin) / math.sqrt(count * (2 * nuisance + margin * (1 - margin)))


def margins():
    """The exact unconditional test: all outcomes that are as extreme, for every probability of a gain."""
    cases = []
    for _ in range(COUNT):
        count = int(random.integers(3, 16))
        first, second = rates(count), rates(count)
        margin = round(float(random.uniform(0.05, 0.4)), 3)
        lost = sum(a > b for a, b in zip(first, second))
        gained = sum(a < b for a, b in zip(first, second))
        observed = tango(lost, gained, count, margin) + 1e-9
        extreme = numpy.array(
            [
                [l, g, count - l - g]
                for l in range(count + 1)
                for g in range(count + 1 - l)
                if tango(l, g, count, margin) <= observed
            ]
        )
        p_value = 0.0
        for gain in (1 - margin) / 2 * numpy.linspace(0, 1, 60) ** 3:
            shares = [gain + margin, gain, max(1 - 2 * gain - margin, 0)]
            p_value = max(p_value, float(stats.multinomial.pmf(extreme, count, shares).sum()))
        cases.append([first, second, margin, min(p_value, 1.0)])
    return cases


def slices():
    """The exact permutation test of the difference in Welch's standard errors, over all ways to choose the slice."""
    cases = []
    for index in range(COUNT):
        sizes = [int(size) for size in random.integers(5, 8, 2)]
        draw = rates if index % 2 else numbers
        inside, outside = (draw(size) for size in sizes)
        least = numpy.var(inside + outside, ddof=1) / 4

        def distance(a, b, axis):
            parts = [numpy.maximum(numpy.var(part, axis=axis, ddof=1), least) / part.shape[axis] for part in (a, b)]
            error = numpy.sqrt(parts[0] + parts[1])
            # Of numbers that are equal in exact arithmetic, some are rounded differently.
            far = abs(numpy.mean(a, axis=axis) - numpy.mean(b, axis=axis)) / numpy.where(error > 0, error, 1)
            return numpy.round(far, 9)

        found = stats.permutation_test(
            (inside, outside),
            distance,
            vectorized=True,
            alternative="greater",
            n_resamples=numpy.inf,
        )
        cases.append([inside, outside, float(found.pvalue)])
    return cases


def flicker():
    cases = []
    for _ in range(COUNT):
        examples, repetitions = int(random.integers(2, 12)), int(random.integers(2, 6))
        base = random.uniform(0, 1, examples)
        scores = [
            [round(float(value), 3) for value in base[example] * 0.5 + random.uniform(0, 0.5, repetitions)]
            for example in range(examples)
        ]
        frame = pandas.DataFrame(
            [(str(example), score) for example, own in enumerate(scores) for score in own], columns=["example", "score"]
        )
        table = statsmodels.stats.anova.anova_lm(ols("score ~ C(example)", frame).fit())
        between, within = (float(value) for value in table["mean_sq"])
        cases.append([scores, within, max((between - within) / repetitions, 0)])
    return cases


def rankings():
    cases = []
    while len(cases) < COUNT:
        names, count = int(random.integers(2, 7)), int(random.integers(15, 60))
        truth = random.normal(0, 1, names)
        comparisons, wins = [], []
        for _ in range(count):
            one, other = (int(name) for name in random.choice(names, 2, replace=False))
            chance = 1 / (1 + math.exp(truth[other] - truth[one]))
            score = 0.5 if random.uniform() < 0.2 else float(random.uniform() < chance)
            comparisons.append([one, other, score])
            # A win counts twice, so that a tie is one of each.
            wins += [(one, other)] * int(2 * score) + [(other, one)] * int(2 - 2 * score)
        try:
            strengths = choix.ilsr_pairwise(names, wins, max_iter=1000, tol=1e-11)
        except (RuntimeError, ValueError):
            continue
        if max(abs(strengths)) > 6 or len({name for pair in comparisons for name in pair[:2]}) < names:
            continue
        # The last strength is minus the sum of the others.
        design = numpy.zeros((count, names))
        for row, (one, other, _) in enumerate(comparisons):
            design[row, one], design[row, other] = 1, -1
        contrast = numpy.vstack([numpy.eye(names - 1), -numpy.ones(names - 1)])
        scores = numpy.array([score for *_, score in comparisons])
        model = statsmodels.api.GLM(scores, design @ contrast, family=statsmodels.api.families.Binomial())
        fit = model.fit(cov_type="HC0", tol=1e-14)
        if max(abs(contrast @ fit.params - strengths)) > 1e-6:
            continue
        errors = numpy.sqrt(numpy.diag(contrast @ fit.cov_params() @ contrast.T))
        cases.append([comparisons, [float(value) for value in strengths], [float(value) for value in errors]])
    return cases


def corrections():
    """Of each key, how many rows gain and how many lose; the p-values of McNemar's test, and both corrections for all keys."""
    cases = []
    for _ in range(COUNT):
        keys = int(random.integers(2, 8))
        pairs = [[int(count) for count in random.integers(0, random.choice([4, 12]), 2)] for _ in range(keys)]
        pairs = [pair if sum(pair) else [1, 0] for pair in pairs]
        p_values = [float(stats.binomtest(gained, gained + lost).pvalue) for gained, lost in pairs]
        holm, hochberg = (
            [float(value) for value in multitest.multipletests(p_values, method=method)[1]]
            for method in ("holm", "fdr_bh")
        )
        cases.append([pairs, p_values, holm, hochberg])
    return cases


makers = [plans, standard_errors, margins, slices, flicker, rankings, corrections]
found = {maker.__name__: maker() for maker in makers}
path = pathlib.Path(__file__).parent / "cases/experiments.json.gz"
path.write_bytes(gzip.compress(json.dumps(found, separators=(",", ":")).encode(), mtime=0))
print({name: len(cases) for name, cases in found.items()}, path.stat().st_size)
