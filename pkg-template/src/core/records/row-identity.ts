import type { ExperimentRow } from "./types.js";

/** What a row has in common with its counterpart in another experiment: the id of the example, and the repetition. */
export const identity = (exampleId: string, repetition = 0): string =>
  JSON.stringify([exampleId, repetition]);

export const identityOf = ({ example, run }: Pick<ExperimentRow, "example" | "run">): string =>
  identity(example.id, run.repetition);
