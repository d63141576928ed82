import { OpenEvalsError, reasonOf } from "../errors.js";
import { builtin } from "./builtin.js";
import { makeFolder } from "./folder.js";

const LINE_FEED = 10;

/**
 * Appends a line to a file in a single write, which systems do not mix with those of other processes. If it fails, as on a full
 * disk, the file is unchanged. If another process has left an incomplete line, an empty one follows it. Creates missing folders.
 *
 * @param otherwise The message for runtimes without a file system.
 * @throws {@link OpenEvalsError} `tool_failed` if the file cannot be written.
 */
export async function appendLine(path: string, line: string, otherwise: string): Promise<void> {
  const { open, stat, truncate } = builtin("node:fs/promises", otherwise);
  try {
    await makeFolder(builtin("node:path", otherwise).dirname(path), otherwise);
    const file = await open(path, "a+");
    try {
      const { size } = await stat(path);
      const last = new Uint8Array([LINE_FEED]);
      if (size) await file.read(last, 0, 1, size - 1);
      const bytes = new TextEncoder().encode(`${last[0] === LINE_FEED ? "" : "\n\n"}${line}\n`);
      const { bytesWritten } = await file.write(bytes);
      if (bytesWritten === bytes.length) return;
      // If another process has appended since then, its empty line ends this incomplete one.
      if ((await stat(path)).size === size + bytesWritten) await truncate(path, size);
      throw new Error(`only ${bytesWritten} of ${bytes.length} bytes fit; is the disk full?`);
    } finally {
      await file.close();
    }
  } catch (cause) {
    throw new OpenEvalsError("tool_failed", `${path} cannot be written: ${reasonOf(cause)}`, { cause });
  }
}
