import { OpenEvalsError } from "../errors.js";
import { builtin } from "./builtin.js";

/**
 * Creates a folder and those above it. Node's `recursive` never ends where a file system answers ENOENT, as `/proc` does.
 *
 * @param otherwise The message for runtimes without a file system.
 */
export async function makeFolder(path: string, otherwise: string): Promise<void> {
  const { mkdir, stat } = builtin("node:fs/promises", otherwise);
  const isFolder = async () => (await stat(path).catch(() => undefined))?.isDirectory();
  if (await isFolder()) return;
  const parent = builtin("node:path", otherwise).dirname(path);
  if (parent !== path) await makeFolder(parent, otherwise);
  try {
    await mkdir(path);
  } catch (cause) {
    // Another process may have created it.
    if (await isFolder()) return;
    if ((cause as { code?: string }).code !== "EEXIST") throw cause;
    throw new OpenEvalsError("tool_failed", `${path} is not a folder`, { cause });
  }
}
