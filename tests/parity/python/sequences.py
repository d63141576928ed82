"""Has confseq bet on scores, and writes its intervals to `cases/sequences.json.gz`. Run by hand, with the folder of confseq's
Python files (see `sequences.requirements.txt`).

A case is `[scores, level, looks]`; each look is after how many scores, and the interval then.
"""

import gzip
import json
import pathlib
import sys
import types

import numpy

# What confseq imports for plots, and for many processes at once.
for name in ["matplotlib", "matplotlib.pyplot", "multiprocess"]:
    sys.modules[name] = types.ModuleType(name)
numpy.float_ = numpy.float64
package = types.ModuleType("confseq")
package.__path__ = [sys.argv[1]]
sys.modules["confseq"] = package

from confseq.betting import hedged_cs  # noqa: E402

COUNT = 500
random = numpy.random.default_rng(20261122)


def coins(count):
    return random.uniform(0, 1, count) < random.choice([0.05, 0.5, 0.8, 0.95, random.uniform(0, 1)])


def betas(count):
    a, b = random.choice([0.3, 1, 4, 30], 2)
    return random.beta(a, b, count)


def levels(count):
    """Scores of a rubric with some levels."""
    of = int(random.integers(3, 6))
    chances = random.dirichlet(numpy.ones(of))
    return random.choice(numpy.arange(of) / (of - 1), count, p=chances)


def constants(count):
    return numpy.repeat(random.choice([0, 1, 0.25, 0.7]), count)


def case():
    count = int(random.integers(1, 150)) if random.uniform() < 0.85 else int(random.integers(150, 500))
    kind = random.choice([coins, betas, levels, constants], p=[0.4, 0.3, 0.25, 0.05])
    scores = numpy.array([round(float(score), 3) for score in kind(count)])
    level = float(random.choice([0.8, 0.9, 0.95, 0.99]))
    lows, highs = hedged_cs(scores, alpha=1 - level)
    looks = sorted({1, *(int(look) for look in random.integers(1, count + 1, 3)), count})
    intervals = [[look, round(float(lows[look - 1]), 9), round(float(highs[look - 1]), 9)] for look in looks]
    return [[float(score) for score in scores], level, intervals]


cases = [case() for _ in range(COUNT)]
target = pathlib.Path(__file__).parent / "cases" / "sequences.json.gz"
text = json.dumps(cases, separators=(",", ":")).encode()
target.write_bytes(gzip.compress(text, 9, mtime=0))
print(f"{len(cases)} cases, {target.stat().st_size} bytes")
