import { findBuiltin } from "./builtin.js";

/**
 * Whether a path is a device, a pipe or a socket. Opening a pipe without a writer never ends, and it can be read only once.
 */
export async function isPipe(path: string | URL): Promise<boolean> {
  const status = await findBuiltin("node:fs/promises")
    ?.stat(path)
    .catch(() => undefined);
  return status !== undefined && !status.isFile() && !status.isDirectory();
}
