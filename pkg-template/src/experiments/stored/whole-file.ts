import { OpenEvalsError, reasonOf } from "../../core/errors.js";
import { builtin } from "../../core/platform/builtin.js";
import { uuid } from "../../core/platform/uuid.js";

/**
 * Writes a file as a whole, in its folder, which is made if need be: whoever reads it, or comes after a process that was
 * killed or found no room, finds the new text or the file as it was. Throws `tool_failed`.
 *
 * @param otherwise What a runtime without files says.
 */
export async function writeWhole(path: string, text: string, otherwise: string): Promise<void> {
  const { chmod, mkdir, realpath, rename, rm, stat, writeFile } = builtin("node:fs/promises", otherwise);
  const { dirname, join } = builtin("node:path", otherwise);
  try {
    await mkdir(dirname(path), { recursive: true });
    const earlier = await stat(path).catch(() => undefined);
    // A device or a pipe cannot be replaced.
    if (earlier && !earlier.isFile()) return await writeFile(path, text);
    const target = earlier ? await realpath(path) : path;
    // Not the name with an addition: it may be as long as names may be.
    const unfinished = join(dirname(target), `.openevals-${uuid()}.tmp`);
    try {
      await writeFile(unfinished, text);
      if (earlier) await chmod(unfinished, earlier.mode & 0o777);
      await rename(unfinished, target);
    } catch (error) {
      await rm(unfinished, { recursive: true, force: true });
      throw error;
    }
  } catch (error) {
    throw new OpenEvalsError("tool_failed", `${path} could not be written: ${reasonOf(error)}`, {
      cause: error,
    });
  }
}
