/** What stands at the path of a sink. */

import { invalidConfig } from "../../errors.js";
import { builtin } from "../../runtime/builtin.js";

/** How many links may follow each other. */
const MOST_LINKS = 40;

/**
 * The file that a path leads to, over links; it may not be there yet.
 *
 * @throws {@link OpenEvalsError} `invalid_config` for anything that is no regular file.
 */
export async function placeOf(path: string): Promise<string> {
  const { readlink, realpath, stat } = builtin("node:fs/promises", "sinks are written where there are files");
  const { dirname, resolve } = builtin("node:path", "sinks are written where there are files");
  const found = await stat(path).catch(() => undefined);
  if (found?.isFile()) return realpath(path);
  if (found) {
    const what = found.isDirectory() ? "a folder" : "no regular file, but a device, a pipe or a socket";
    throw invalidConfig(`The sink ${path} is ${what}. Name a file`);
  }
  // The last of the links may lead to a file that is to be made.
  let place = resolve(path);
  for (let links = 0; links <= MOST_LINKS; links++) {
    const next = await readlink(place).catch(() => undefined);
    if (next === undefined) return place;
    place = resolve(await realpath(dirname(place)), next);
  }
  throw invalidConfig(`The sink ${path} is one of links that lead in a circle. Name a file`);
}
