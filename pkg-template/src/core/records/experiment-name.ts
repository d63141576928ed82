import type { Experiment } from "./types.js";

/** The name of an experiment without its eight random characters. */
export const prefixOf = ({ experimentName }: Pick<Experiment, "experimentName">): string =>
  experimentName.replace(/-[\da-f]{8}$/, "");
