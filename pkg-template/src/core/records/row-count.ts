import type { Experiment } from "./types.js";

/** The number of rows of an experiment, including rows that it did not keep. */
export const rowCountOf = ({ rowCount, rows }: Pick<Experiment, "rowCount" | "rows">): number =>
  rowCount ?? rows.length;
