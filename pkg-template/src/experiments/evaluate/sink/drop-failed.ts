/** Removes the rows with errors from the file of an experiment, so that a resumed run repeats them. */

import { replaceAtomically } from "../../../core/platform/atomic-file.js";
import { builtin } from "../../../core/platform/builtin.js";
import { hasError } from "../../../core/records/row-error.js";
import { ExperimentFile } from "./experiment-file.js";
import type { Header } from "./format.js";

const NO_FILES = "resume needs a file system";

/**
 * Rewrites the file with a new header and without the rows that have errors. If the process is killed, the old file remains.
 *
 * @returns The length of the new file, in bytes.
 */
export async function dropFailed(path: string, header: Header): Promise<number> {
  const { stat } = builtin("node:fs/promises", NO_FILES);
  await replaceAtomically(path, (unfinished) => copyWithoutFailed(path, unfinished, header), NO_FILES);
  return (await stat(path)).size;
}

/** Writes the header and the rows without errors. */
async function copyWithoutFailed(path: string, to: string, header: Header): Promise<void> {
  const { open } = builtin("node:fs/promises", NO_FILES);
  const file = new ExperimentFile(path);
  // The copy gets the mode of the original at the end; until then only the owner may read it.
  const copy = await open(to, "ax", 0o600);
  let lines = `${JSON.stringify(header)}\n`;
  try {
    for await (const line of file.lines()) {
      if ("end" in line || hasError(line)) continue;
      lines += `${JSON.stringify(line)}\n`;
      if (lines.length < 1_000_000) continue;
      await copy.appendFile(lines);
      lines = "";
    }
    await copy.appendFile(lines);
  } finally {
    await copy.close();
  }
}
