/** The margin of a comparison: in the headline, in text and in the report. */
import {
  type ComparisonOptions,
  compareExperiments,
  type Experiment,
  formatComparison,
  renderReport,
} from "openevals-wasm/evaluation";
import { expect, it } from "vitest";
import { errorOf } from "../api/error-of.js";
import { experimentOf } from "./experiments.js";
import { card, open, page, usePages } from "./page.js";

usePages();

/** A hundred rows, of which so many are wrong. */
const wrong = (count: number, more: Partial<Experiment> = {}) =>
  experimentOf(
    Array.from({ length: 100 }, (_, i) => ({ id: `${i}`, scores: { ok: i >= count } })),
    more,
  );
const [best, worse] = [wrong(0), wrong(20)];

async function textOf(
  before: Experiment,
  after: Experiment,
  margin: ComparisonOptions["margin"],
): Promise<string> {
  const text = formatComparison(before, after, await compareExperiments(before, after, { margin }));
  return text.replaceAll(/\s+/g, " ");
}

it("is added to the headline", async () => {
  // 20 of 20 rows that changed are worse.
  const kept = await textOf(best, worse, 0.4);
  expect(kept).toContain("Worse on ok, by more than chance, but within the margin; 20 of 100 rows fail.");
  expect(kept).toMatch(/ ok is at most 40 pp worse \(p < 0\.001\)\. /);
  const missed = await textOf(best, worse, 0.1);
  expect(missed).toContain("Worse on ok, by more than chance, and not shown to be within the margin;");
  expect(missed).toMatch(/ Could not show that ok is at most 10 pp worse \(p = .*\)\. It became worse\. /);
  expect(await textOf(best, wrong(1), 0.2)).toContain(
    "No difference by more than chance on ok, and within the margin; 1 of 100 rows fails.",
  );
  expect(await textOf(best, best, 0.02)).toMatch(
    /Nothing changed, but not shown to be within the margin; .* 100 rows are too few, at least \d+ are needed\./,
  );
});

it("counts several keys", async () => {
  const double = ({ rows, aggregates, ...rest }: Experiment): Experiment => ({
    ...rest,
    aggregates: { ...aggregates, other: aggregates.ok! },
    rows: rows.map((row) => ({
      ...row,
      evaluationResults: row.evaluationResults.flatMap((one) => [one, { ...one, key: "other" }]),
    })),
  });
  const [before, after] = [double(best), double(worse)];
  expect(await textOf(before, after, { ok: 0.4 })).toContain(
    "Worse on 2 of 2 keys, by more than chance, but within the margin on ok;",
  );
  expect(await textOf(before, after, 0.4)).toContain(", but within the margin on 2 keys;");
  expect(await textOf(before, after, { ok: 0.4, other: 0.1 })).toContain(
    ", and not shown to be within the margin on other;",
  );
});

it("is of both directions for a key without a better one, and says what it assumes", async () => {
  const scales = { ok: { min: 0, unit: "words" } };
  const text = await textOf(wrong(20, { scales }), wrong(0, { scales }), 0.1);
  expect(text).toContain("Different on ok, by more than chance, and not shown to be within the margin;");
  expect(text).toMatch(
    / Could not show that ok differs by at most 10 pp \(p = .*\)\. The test assumes that all possible scores are from 0 to 1\. /,
  );
});

it("is in the report", async () => {
  await open(worse, { compareWith: best, margin: 0.4 });
  expect(await page.getByRole("heading", { level: 1 }).textContent()).toBe(
    "Worse on ok, by more than chance, but within the margin; 20 of 100 rows fail",
  );
  const text = (await card("ok").innerText()).replaceAll(/\s+/g, " ");
  expect(text).toContain("Margin ok is at most 40 pp worse (p < 0.001). Flipped 0 up, 20 down");
});

it("needs a baseline", async () => {
  expect(await errorOf(renderReport(best, { margin: 0.1 }))).toMatchObject({
    code: "invalid_config",
    message: "margin applies to a comparison with a baseline; add compareWith, or leave it out.",
  });
});
