import { levenshteinDistance } from "openevals-wasm";

export interface Row {
  outputs: string;
  referenceOutputs: string;
}

export interface Summary {
  mean: number;
  perfect: number;
  worst: { row: Row; score: number }[];
  milliseconds: number;
}

self.onmessage = async ({ data: rows }: MessageEvent<Row[]>) => {
  const start = performance.now();
  // All rows cross to the engine at once.
  const results = await levenshteinDistance.batch(rows);
  const scored = rows.map((row, index) => ({ row, score: Number(results[index]?.score) }));
  const summary: Summary = {
    mean: scored.reduce((sum, { score }) => sum + score, 0) / rows.length,
    perfect: scored.filter(({ score }) => score === 1).length,
    worst: scored.toSorted((a, b) => a.score - b.score).slice(0, 5),
    milliseconds: performance.now() - start,
  };
  self.postMessage(summary);
};
