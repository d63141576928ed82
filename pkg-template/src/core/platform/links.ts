import { builtin } from "./builtin.js";

/** The longest chain of links. */
const MAX_LINKS = 40;

/**
 * The path at the end of a chain of symbolic links, where the file need not exist yet; `undefined` for a loop.
 *
 * @param otherwise The message for runtimes without a file system.
 */
export async function endOfLinks(path: string, otherwise: string): Promise<string | undefined> {
  const { readlink, realpath } = builtin("node:fs/promises", otherwise);
  const { dirname, resolve } = builtin("node:path", otherwise);
  let current = resolve(path);
  for (let links = 0; links <= MAX_LINKS; links++) {
    const next = await readlink(current).catch(() => undefined);
    if (next === undefined) return current;
    current = resolve(await realpath(dirname(current)), next);
  }
  return undefined;
}
