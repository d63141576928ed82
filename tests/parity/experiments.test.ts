/**
 * Comparisons of experiments equal statsmodels, scipy and choix to 1e-9; the noncentral t of powers to 1e-8.
 */

import { readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import {
  aggregateOf,
  compareExperiments,
  type Experiment,
  type PlanExperimentOptions,
  planExperiment,
  rank,
  sliceExperiment,
} from "openevals-wasm/evaluation";
import { expect, it } from "vitest";

/** The output of `python/experiments.py`. */
const cases = JSON.parse(
  gunzipSync(readFileSync(new URL("python/cases/experiments.json.gz", import.meta.url))).toString("utf8"),
);

const counts = { errors: 0, notApplicable: 0 };

const experiment = (rows: { score: number; metadata?: object }[]) =>
  ({
    rows: rows.map(({ score, metadata }, row) => ({
      example: { id: `${row}`, metadata },
      run: {},
      evaluationResults: [{ key: "score", score }],
    })),
  }) as unknown as Experiment;

/** The cases in which a figure is off by more than the tolerance. */
async function off<Case>(
  name: string,
  within: number,
  pairs: (one: Case) => Promise<[ours: number | null, theirs: number][]>,
): Promise<unknown[]> {
  const found: unknown[] = [];
  expect(cases[name].length).toBeGreaterThanOrEqual(500);
  for (const one of cases[name] as Case[]) {
    for (const [ours, theirs] of await pairs(one)) {
      if (ours === null || !(Math.abs(ours - theirs) <= within)) found.push({ one, ours, theirs });
    }
  }
  return found;
}

it("planExperiment has the power of statsmodels", async () => {
  type Plan = [
    options: PlanExperimentOptions,
    rows: number,
    power: number,
    target: number | null,
    fewest: number,
  ];
  const found = await off<Plan>("plans", 1e-8, async ([options, rows, power, target, fewest]) => {
    // With few rows, the power is that of the permutation test, not that of the t test.
    const isMcNemar = options.baseline !== undefined && !options.repetitions;
    const isCompared = (count: number) => isMcNemar || count > 10;
    // Rates with repetitions have no more than the power of the t test, since the p-values of their test have steps.
    const isLess = options.baseline !== undefined && !isMcNemar;
    const pairs: [number | null, number][] = [];
    if (isCompared(rows)) {
      const { power: ours } = await planExperiment({ ...options, rows });
      pairs.push([isLess ? Math.max(ours!, power) : ours, power]);
    }
    if (target !== null && isCompared(fewest)) {
      const { rows: ours } = await planExperiment({ ...options, power: target });
      pairs.push([isLess ? Math.min(ours!, fewest) : ours, fewest]);
    }
    return pairs;
  });
  expect(found).toEqual([]);
});

it("clustered standard errors equal those of statsmodels", async () => {
  const found = await off<[number[], number[], number]>(
    "standard_errors",
    1e-9,
    async ([scores, groups, error]) => {
      const clusters = groups.map(String);
      return [[(await aggregateOf({ scores, clusters, ...counts })).standardError, error]];
    },
  );
  expect(found).toEqual([]);
});

it("margins of rates have the exact unconditional p-value", async () => {
  type Margin = [first: number[], second: number[], margin: number, notLower: number];
  // Both search a grid of gain probabilities for the maximum.
  const found = await off<Margin>("margins", 2e-3, async ([first, second, margin, notLower]) => {
    const [one, other] = [first, second].map((scores) => experiment(scores.map((score) => ({ score }))));
    const { score } = await compareExperiments(one!, other!, { margin });
    return [[score!.margin!.notLower.pValue, notLower]];
  });
  expect(found).toEqual([]);
});

it("slices have the p-value of all permutations", async () => {
  type Case = [inside: number[], outside: number[], pValue: number];
  // Five standard deviations for ten thousand permutations.
  const found = await off<Case>("slices", 0.025, async ([inside, outside, pValue]) => {
    const rows = [inside, outside].flatMap((scores, part) =>
      scores.map((score) => ({ score, metadata: { part } })),
    );
    const slices = await sliceExperiment(experiment(rows), { by: "part" });
    return slices.map((slice) => [slice.pValue, pValue] as [number | null, number]);
  });
  expect(found).toEqual([]);
});

it("repetitions have the variances of the analysis of variance of statsmodels", async () => {
  const found = await off<[number[][], number, number]>(
    "flicker",
    1e-9,
    async ([examples, within, between]) => {
      const exampleIds = examples.flatMap((scores, example) => scores.map(() => `${example}`));
      const { repetitions } = await aggregateOf({ scores: examples.flat(), exampleIds, ...counts });
      return [
        [repetitions!.withinVariance, within],
        [repetitions!.betweenVariance, between],
      ];
    },
  );
  expect(found).toEqual([]);
});

it("rank has the strengths of choix, and the standard errors of statsmodels", async () => {
  type Ranking = [comparisons: [number, number, number][], strengths: number[], errors: number[]];
  const found = await off<Ranking>("rankings", 1e-9, async ([comparisons, strengths, errors]) => {
    const pairs = comparisons.map(([first, second, score]) => ({
      first: `${first}`,
      second: `${second}`,
      score,
    }));
    const level = 0.95;
    const ranked = await rank(pairs, { level });
    // The same factor for all: Student's t with these degrees of freedom, and its correction.
    const factors = ranked.map(
      ({ name, interval }) => (interval!.high - interval!.low) / 2 / errors[Number(name)]!,
    );
    return [
      ...ranked.map(({ name, strength }) => [strength, strengths[Number(name)]!] as [number | null, number]),
      ...factors.map((factor) => [factor / factors[0]!, 1] as [number, number]),
    ];
  });
  expect(found).toEqual([]);
});

it("p-values of many keys are adjusted as in statsmodels' multipletests", async () => {
  type Case = [
    pairs: [gained: number, lost: number][],
    pValues: number[],
    holm: number[],
    hochberg: number[],
  ];
  const found = await off<Case>("corrections", 1e-9, async ([pairs, pValues, holm, hochberg]) => {
    const rows = Math.max(...pairs.map(([gained, lost]) => gained + lost));
    const keyed = (scoreOf: (row: number, pair: [number, number]) => number) =>
      ({
        rows: Array.from({ length: rows }, (_, row) => ({
          example: { id: `${row}` },
          run: {},
          evaluationResults: pairs.map((pair, key) => ({ key: `key${key}`, score: scoreOf(row, pair) })),
        })),
      }) as unknown as Experiment;
    const first = keyed((row, [gained, lost]) => Number(row >= gained && row < gained + lost));
    const second = keyed((row, [gained]) => Number(row < gained));
    const figures: [number | null, number][] = [];
    for (const [correction, expected] of [
      ["holm", holm],
      ["benjamini-hochberg", hochberg],
    ] as const) {
      const compared = await compareExperiments(first, second, { correction });
      for (const [key, value] of expected.entries()) {
        const { pValue, adjustedPValue } = compared[`key${key}`]!;
        figures.push([pValue, pValues[key]!], [adjustedPValue, value]);
      }
    }
    return figures;
  });
  expect(found).toEqual([]);
});
