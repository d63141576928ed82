import { builtin } from "../runtime/builtin.js";
import { uuid } from "./uuid.js";

/**
 * Writes a file as a whole, in its folder, which is made if need be: whoever reads it, or comes after a process that was
 * killed or found no room, finds the new text or the file as it was.
 *
 * @param otherwise What a runtime without files says.
 */
export async function writeWhole(path: string, text: string, otherwise: string): Promise<void> {
  const { mkdir, rename, rm, writeFile } = builtin("node:fs/promises", otherwise);
  await mkdir(builtin("node:path", otherwise).dirname(path), { recursive: true });
  const unfinished = `${path}.${uuid()}.tmp`;
  try {
    await writeFile(unfinished, text);
    await rename(unfinished, path);
  } catch (error) {
    await rm(unfinished, { recursive: true, force: true });
    throw error;
  }
}
