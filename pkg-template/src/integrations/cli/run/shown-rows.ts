/** Writes the rows of an experiment to a file, which `run --watch --view` shows in another process. */

import { resolve } from "node:path";
import type { ExperimentOutputOptions } from "../../../evaluation.js";
import { fileNameOf } from "../files.js";
import { say } from "../output/terminal.js";

/** The environment variable with the folder for the rows of experiments without a sink. */
export const SHOWN_FOLDER = "OPENEVALS_WASM_SHOWN";

/** The message to the process that shows the rows. */
export interface ShownMessage {
  /** The file that is written. */
  shown: string;
}

/** The `output` of an experiment whose rows are shown: with its own sink, or a file in the folder. */
export function shownOutput(
  name: string,
  output: ExperimentOutputOptions | undefined,
): ExperimentOutputOptions | undefined {
  const folder = process.env[SHOWN_FOLDER];
  if (folder === undefined) return output;
  const { sink = `${folder}/${fileNameOf(name)}l` } = output ?? {};
  if (typeof sink !== "string") {
    say(`${name}: its rows are not shown while it runs, since its output.sink is not a file.`);
    return output;
  }
  const message: ShownMessage = { shown: resolve(sink) };
  process.send?.(message);
  return output?.sink === undefined ? { keepRows: true, ...output, sink, overwrite: true } : output;
}
