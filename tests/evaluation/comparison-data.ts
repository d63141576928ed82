/** Data and experiments for tests of comparisons. */
import { type DataRow, type Experiment, evaluate } from "openevals-wasm/evaluation";

/** Reproducible numbers from 0 to 1. */
export function randomOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647;
  };
}

/** Two questions about each of twelve passages. */
export const DATA: DataRow[] = Array.from({ length: 24 }, (_, row) => ({
  id: `${row}`,
  inputs: { n: row },
  outputs: row * 2,
  metadata: { passage: `p${row >> 1}`, language: row < 12 ? "en" : "de", tags: row % 3 ? ["x"] : ["x", "y"] },
}));
export const isRight = ({ outputs, referenceOutputs }: { outputs: number; referenceOutputs: number }) =>
  outputs === referenceOutputs;
/** Right for known passages. */
const knows = (known: (passage: number) => boolean) => (inputs: { n: number }) =>
  known(inputs.n >> 1) ? inputs.n * 2 : -1;
export const run = (known: (passage: number) => boolean, options: object = {}) =>
  evaluate(knows(known), { data: DATA, evaluators: [isRight], progress: false, ...options });

/** An experiment with these scores. */
export const of = (scores: readonly (number | boolean)[], metadataOf: (row: number) => object = () => ({})) =>
  ({
    rows: scores.map((score, row) => ({
      example: { id: `${row}`, inputs: row, metadata: metadataOf(row) },
      run: { outputs: null, repetition: 0 },
      evaluationResults: [{ key: "score", score }],
      errors: [],
    })),
  }) as unknown as Experiment;
