/** Calibration figures equal scikit-learn, krippendorff, irrCAC, scipy and ppi-python, to 1e-9. */

import { readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import { type CalibrationReport, calibrate, correctRate } from "openevals-wasm/judges";
import { expect, it } from "vitest";

const read = (name: string) =>
  JSON.parse(
    gunzipSync(readFileSync(new URL(`python/cases/${name}.json.gz`, import.meta.url))).toString("utf8"),
  );

const PRECISION = 1e-9;

interface AgreementCase {
  ratings: (number | null)[][];
  figures: Record<string, number>;
}

/** A judge that returns the verdict in the row. */
const reader = ({ outputs }: { outputs: number }) => ({ key: "judge", score: outputs });

/** The figures of a report, by the names in the cases. */
const figuresOf = (report: CalibrationReport, weights: string): Record<string, number | null> => ({
  kappa: report.kappa.value,
  [`weightedKappa.${weights}`]: report.weightedKappa.value,
  "alpha.nominal": report.alpha.nominal.value,
  "alpha.ordinal": report.alpha.ordinal.value,
  "alpha.interval": report.alpha.interval.value,
  ac1: report.ac1.value,
  spearman: report.spearman.value,
  kendall: report.kendall.value,
  meanAbsoluteError: report.meanAbsoluteError.value,
});

it("coefficients of agreement equal the references", async () => {
  const { agreement }: { agreement: AgreementCase[] } = read("agreement");
  expect(agreement.length).toBeGreaterThanOrEqual(500);
  const wrong: unknown[] = [];
  const compared: Record<string, number> = {};
  const note = (figures: AgreementCase["figures"], found: Record<string, number | null>, index: number) => {
    for (const [name, value] of Object.entries(found)) {
      const expected = figures[name];
      if (expected === undefined) continue;
      compared[name] = (compared[name] ?? 0) + 1;
      if (value === null || Math.abs(value - expected) > PRECISION)
        wrong.push(`${index}: ${name} is ${value} and not ${expected}`);
    }
  };
  for (const [index, { ratings, figures }] of agreement.entries()) {
    const rows = ratings[0]!.map((_, row) =>
      Object.fromEntries(ratings.map((column, rater) => [`person${rater}`, column[row]])),
    );
    if (ratings.length > 2) {
      const label = ratings.map((_, rater) => `person${rater}`);
      const data = rows.map((row) => ({ ...row, outputs: 1 }));
      const { people } = await calibrate(reader, { data, label });
      const { alpha, ac1 } = people!;
      note(
        figures,
        {
          "alpha.nominal": alpha.nominal.value,
          "alpha.ordinal": alpha.ordinal.value,
          "alpha.interval": alpha.interval.value,
          ac1: ac1.value,
        },
        index,
      );
      continue;
    }
    const weights = index % 2 ? "linear" : "quadratic";
    const data = rows.map(({ person0, person1 }) => ({ outputs: person0, label: person1 }));
    note(figures, figuresOf(await calibrate(reader, { data, label: "label", weights }), weights), index);
  }
  expect(wrong).toEqual([]);
  expect(Math.min(...Object.values(compared))).toBeGreaterThan(200);
  expect(compared["alpha.ordinal"]).toBeGreaterThan(500);
});

it("calibration errors equal the references", async () => {
  const {
    probabilities,
  }: { probabilities: { said: number[]; came: number[]; brier: number; error: number }[] } =
    read("agreement");
  expect(probabilities.length).toBeGreaterThanOrEqual(500);
  for (const { said, came, brier, error } of probabilities) {
    const data = said.map((outputs, row) => ({ outputs, label: came[row] === 1 }));
    const report = await calibrate(reader, { data, label: "label", threshold: 0.5 });
    expect(report.brier.value).toBeCloseTo(brier, 9);
    expect(report.expectedCalibrationError.value).toBeCloseTo(error, 9);
  }
});

interface CorrectionCase {
  positives: number;
  count: number;
  verdicts: [number, number, number, number];
  sensitivity: [number, number, number];
  roganGladen: number;
  langReiczigel: [number, number];
  ppi: number;
  ppiInterval: [number, number];
}

/** Of a level of 95%. */
const Z_SQUARED = 1.959963984540054 ** 2;

it("the true rate equals the references", async () => {
  const cases: CorrectionCase[] = read("correction");
  expect(cases.length).toBeGreaterThanOrEqual(500);
  let possible = 0;
  for (const { positives, count, verdicts: counts, ...expected } of cases) {
    const [truePositives, falseNegatives, falsePositives, trueNegatives] = counts;
    const verdicts = { truePositives, falseNegatives, falsePositives, trueNegatives };
    const options = { positives, count, calibration: { verdicts } };
    const { value, interval } = await correctRate(options);
    expect(value).toBeCloseTo(expected.roganGladen, 9);
    // With the counts that the method adds. Theirs is beyond 0 or 1 for a rate that the judge's errors do not allow, ours is not.
    const apparent = (positives + Z_SQUARED / 2) / (count + Z_SQUARED);
    const sensitivity = (truePositives + 1) / (truePositives + falseNegatives + 2);
    const falseAlarms = (falsePositives + 1) / (falsePositives + trueNegatives + 2);
    if (apparent >= falseAlarms && apparent <= sensitivity) {
      possible++;
      expect(interval!.low).toBeCloseTo(expected.langReiczigel[0], 9);
      expect(interval!.high).toBeCloseTo(expected.langReiczigel[1], 9);
    } else {
      // It ends at the nearest bound, and has a width, which theirs may lose.
      expect(apparent > sensitivity ? interval!.high : interval!.low).toBe(apparent > sensitivity ? 1 : 0);
      expect(interval!.high - interval!.low).toBeGreaterThan(0.01);
    }
    const ppi = await correctRate({ ...options, method: "ppi" });
    expect(ppi.value).toBeCloseTo(Math.min(1, Math.max(0, expected.ppi)), 9);
    // Ours adds half a row of each kind to the counts, which matters for small samples.
    const labelled = counts.reduce((sum, number) => sum + number, 0);
    for (const [end, theirs] of [
      [ppi.interval!.low, expected.ppiInterval[0]],
      [ppi.interval!.high, expected.ppiInterval[1]],
    ] as const) {
      const within = Math.min(1, Math.max(0, theirs));
      expect(Math.abs(end - within)).toBeLessThan(4 / labelled + 4 / count);
    }
  }
  expect(possible).toBeGreaterThan(300);
});

it("sensitivity has Wilson's interval", async () => {
  for (const { verdicts, sensitivity } of (read("correction") as CorrectionCase[]).slice(0, 60)) {
    const [both, onlyPeople, onlyJudge, neither] = verdicts;
    if (both + onlyPeople + onlyJudge + neither > 300) continue;
    const rows = (count: number, outputs: number, label: boolean) => Array(count).fill({ outputs, label });
    const data = [
      ...rows(both, 1, true),
      ...rows(onlyPeople, 0, true),
      ...rows(onlyJudge, 1, false),
      ...rows(neither, 0, false),
    ];
    const report = await calibrate(reader, { data, label: "label" });
    const [value, low, high] = sensitivity;
    expect(report.sensitivity.value).toBeCloseTo(value, 9);
    expect(report.sensitivity.interval!.low).toBeCloseTo(low, 9);
    expect(report.sensitivity.interval!.high).toBeCloseTo(high, 9);
  }
});
