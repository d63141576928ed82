/** Ranking metrics equal trec_eval and ranx, to 1e-12. */

import { readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import * as retrieval from "openevals-wasm/retrieval";
import { describe, expect, it } from "vitest";

/** The output of `python/retrieval_cases.py`. */
interface Cases {
  variants: retrieval.NdcgOptions[];
  rows: [variant: number, score: number | null][];
}

const read = (name: string) =>
  JSON.parse(
    gunzipSync(readFileSync(new URL(`python/cases/${name}.json.gz`, import.meta.url))).toString("utf8"),
  );

const rankings: [documents: [id: string, score: number][], relevance: Record<string, number>][] =
  read("rankings");
const cases: Record<string, Cases> = read("retrieval");

const PRECISION = 1e-12;

const MAKERS: Record<
  string,
  (options: retrieval.NdcgOptions) => retrieval.Evaluator<retrieval.RetrievalResult>
> = {
  ndcg: retrieval.createNdcgEvaluator,
  ndcgOfRanx: retrieval.createNdcgEvaluator,
  averagePrecision: retrieval.createAveragePrecisionEvaluator,
  reciprocalRank: retrieval.createReciprocalRankEvaluator,
  reciprocalRankOfRanx: retrieval.createReciprocalRankEvaluator,
  precisionAtK: retrieval.createPrecisionAtKEvaluator,
  recallAtK: retrieval.createRecallAtKEvaluator,
  hitRateAtK: retrieval.createHitRateAtKEvaluator,
  rPrecision: retrieval.createRPrecisionEvaluator,
  bpref: retrieval.createBprefEvaluator,
};

/** A row in one of its possible forms. */
function row(index: number) {
  const [documents, relevance] = rankings[index]!;
  const outputs = documents.map(([id, score]) => ({ id, score }));
  const judged = Object.entries(relevance).map(([id, relevance]) => ({ id, relevance }));
  return { outputs, referenceOutputs: index % 2 ? judged : relevance };
}

it("every metric has cases", () => {
  expect(Object.keys(cases)).toEqual(Object.keys(MAKERS));
});

describe.each(Object.entries(MAKERS))("%s", (name, make) => {
  const { variants, rows } = cases[name]!;

  it("has the scores of the reference", async () => {
    expect(rows.length).toBeGreaterThanOrEqual(3000);
    const wrong: unknown[] = [];
    for (const [variant, options] of variants.entries()) {
      const own = rows.flatMap(([number, score], index) => (number === variant ? [{ score, index }] : []));
      const results = await make(options).batch(own.map(({ index }) => row(index)));
      for (const [place, { score, index }] of own.entries()) {
        const ours = results[place]!.score;
        const isSame = score === null || ours === null ? score === ours : Math.abs(score - ours) <= PRECISION;
        if (!isSame) wrong.push({ options, row: row(index), ours, score });
      }
    }
    expect(wrong).toEqual([]);
  });
});

/** The ranking in order, counted by hand. */
it("the parts of scores equal counts by hand", async () => {
  for (const [index, [documents, relevance]] of rankings.entries()) {
    if (index % 10) continue;
    const bytes = new Map(documents.map(([id]) => [id, Buffer.from(id)] as const));
    const order = [...documents].sort(
      ([one, a], [other, b]) => b - a || Buffer.compare(bytes.get(other)!, bytes.get(one)!),
    );
    const first = order.slice(0, 5).map(([id]) => relevance[id]);
    const { metadata } = await retrieval.createNdcgEvaluator({ k: 5 })(row(index));
    const discounted = (grades: (number | undefined)[]) =>
      grades.reduce<number>((sum, grade, place) => sum + Math.max(grade ?? 0, 0) / Math.log2(place + 2), 0);
    const best = Object.values(relevance).sort((a, b) => b - a);
    expect(metadata).toMatchObject({
      retrieved: documents.length,
      relevant: best.filter((grade) => grade > 0).length,
      hits: first.filter((grade) => grade! > 0).length,
      judged: first.filter((grade) => grade! >= 0).length,
      dcg: expect.closeTo(discounted(first), 12),
      idcg: expect.closeTo(discounted(best.slice(0, 5)), 12),
    });
  }
});
