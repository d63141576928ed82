import type { Experiment } from "./types.js";

/** How many rows an experiment has, those included that it has not kept. */
export const rowCountOf = ({ rowCount, rows }: Pick<Experiment, "rowCount" | "rows">): number =>
  rowCount ?? rows.length;
