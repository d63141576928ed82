/** Comparisons of two systems over a corpus equal sacrebleu's, apart from the random numbers. */

import { readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import { type CorpusTest, corpusBleu, corpusChrf, corpusTer } from "openevals-wasm/text";
import { expect, it } from "vitest";

/** The output of `python/corpus_comparisons.py`. */
interface Compared {
  metric: "bleu" | "chrf" | "ter";
  from: number;
  to: number;
  second: string[];
  first: number;
  score: number;
  tests: Record<CorpusTest, [pValue: number, draws: number]>;
}

const read = (name: string) =>
  JSON.parse(
    gunzipSync(readFileSync(new URL(`python/cases/${name}.json.gz`, import.meta.url))).toString("utf8"),
  );

const texts: [outputs: string, references: string[]][] = read("texts");
const comparisons: Compared[] = read("comparisons");
const MAKERS = { bleu: corpusBleu, chrf: corpusChrf, ter: corpusTer };

it.each(
  comparisons.map((one) => [one.metric, one.from, one] as const),
)("%s from row %i", async (metric, from, one) => {
  const rows = texts.slice(from, one.to);
  for (const test of ["paired_permutation", "paired_bootstrap"] as const) {
    const found = await MAKERS[metric]().compare({
      first: rows.map(([outputs]) => outputs),
      second: one.second,
      referenceOutputs: rows.map(([, [first]]) => first),
      test,
    });
    expect(found).toMatchObject({ test, count: rows.length, interval: { level: 0.95 } });
    expect(found.first).toBeCloseTo(one.first, 12);
    expect(found.second).toBeCloseTo(one.score, 12);
    expect(found.difference).toBeCloseTo(one.score - one.first, 12);
    const [pValue, draws] = one.tests[test];
    // Four standard errors of both samples; ours has ten thousand draws.
    const error = 4 * Math.sqrt(Math.max(pValue * (1 - pValue), 1e-3) * (1 / draws + 1 / 10_000));
    expect(Math.abs(found.pValue! - pValue), `${found.pValue} for ${pValue}`).toBeLessThan(error);
  }
});
