/** Removes the rows with errors from the file of an experiment, so that a resumed run repeats them. */

import { builtin } from "../../../core/platform/builtin.js";
import { ExperimentFile } from "./experiment-file.js";
import type { Header } from "./format.js";

/**
 * Rewrites the file with a new header and without the rows that have errors. If the process is killed, the old file remains.
 *
 * @returns The length of the new file, in bytes.
 */
export async function dropFailed(path: string, header: Header): Promise<number> {
  const { chmod, rename, rm, stat } = builtin("node:fs/promises", "resume needs a file system");
  const unfinished = `${path}.tmp`;
  await rm(unfinished, { recursive: true, force: true });
  try {
    await copyWithoutFailed(path, unfinished, header);
    const { mode } = await stat(path);
    await chmod(unfinished, mode & 0o7777);
    await rename(unfinished, path);
    return (await stat(path)).size;
  } finally {
    await rm(unfinished, { recursive: true, force: true });
  }
}

/** Writes the header and the rows without errors. */
async function copyWithoutFailed(path: string, to: string, header: Header): Promise<void> {
  const { open } = builtin("node:fs/promises", "resume needs a file system");
  const file = new ExperimentFile(path);
  // The copy gets the mode of the original at the end; until then only the owner may read it.
  const copy = await open(to, "a", 0o600);
  let lines = `${JSON.stringify(header)}\n`;
  try {
    for await (const line of file.lines()) {
      if ("end" in line || line.errors.length) continue;
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
