import { OpenEvalsError, reasonOf } from "../errors.js";
import { builtin } from "./builtin.js";
import { makeFolder } from "./folder.js";
import { endOfLinks } from "./links.js";
import { uuid } from "./uuid.js";

/**
 * Replaces a file atomically: if the process is killed or the disk is full, the file is unchanged. Creates missing folders.
 *
 * @param otherwise The message for runtimes without a file system.
 * @throws {@link OpenEvalsError} `tool_failed` if the file cannot be written.
 */
export async function writeAtomically(path: string, text: string, otherwise: string): Promise<void> {
  const { realpath, stat, writeFile } = builtin("node:fs/promises", otherwise);
  const { dirname } = builtin("node:path", otherwise);
  try {
    const earlier = await stat(path).catch(() => undefined);
    // A device or a pipe cannot be replaced.
    if (earlier && !earlier.isFile()) return await writeFile(path, text);
    // A link may lead to a file that does not exist yet.
    const target = earlier ? await realpath(path) : ((await endOfLinks(path, otherwise)) ?? path);
    await makeFolder(dirname(target), otherwise);
    await replaceAtomically(target, (unfinished) => writeFile(unfinished, text, { flag: "wx" }), otherwise);
  } catch (error) {
    throw new OpenEvalsError("tool_failed", `${path} could not be written: ${reasonOf(error)}`, {
      cause: error,
    });
  }
}

/**
 * Writes a new file beside the target, which then replaces the target and keeps its mode.
 *
 * @param write Creates the new file.
 * @param otherwise The message for runtimes without a file system.
 */
export async function replaceAtomically(
  target: string,
  write: (unfinished: string) => Promise<void>,
  otherwise: string,
): Promise<void> {
  const { chmod, rename, rm, stat } = builtin("node:fs/promises", otherwise);
  const { dirname, join } = builtin("node:path", otherwise);
  // A suffix could exceed the length limit of file names, or be the name of a file of the user.
  const unfinished = join(dirname(target), `.openevals-${uuid()}.tmp`);
  try {
    await write(unfinished);
    const earlier = await stat(target).catch(() => undefined);
    if (earlier) await chmod(unfinished, earlier.mode & 0o7777);
    await rename(unfinished, target);
  } catch (error) {
    await rm(unfinished, { recursive: true, force: true }).catch(() => {});
    throw error;
  }
}
