/** Confidence sequences equal those of confseq, which uses a grid of thousandths, too. */

import { readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import { confidenceSequence } from "openevals-wasm/evaluation";
import { expect, it } from "vitest";

/** The output of `python/sequences.py`. */
const cases: [scores: number[], level: number, looks: [count: number, low: number, high: number][]][] =
  JSON.parse(
    gunzipSync(readFileSync(new URL("python/cases/sequences.json.gz", import.meta.url))).toString("utf8"),
  );

it("confidenceSequence has the intervals of confseq", async () => {
  expect(cases.length).toBeGreaterThanOrEqual(500);
  const found: unknown[] = [];
  for (const [scores, level, looks] of cases) {
    const sequence = confidenceSequence({ level });
    let done = 0;
    for (const [count, low, high] of looks) {
      const { interval } = await sequence.add(scores.slice(done, count));
      done = count;
      const isSame = interval && Math.abs(interval.low - low) < 1e-9 && Math.abs(interval.high - high) < 1e-9;
      if (!isSame) found.push({ scores, level, count, interval, low, high });
    }
  }
  expect(found).toEqual([]);
});
