/** Resolves the symbolic links of a path. */

import { invalidConfig } from "../../core/errors.js";
import { builtin } from "../../core/platform/builtin.js";
import { endOfLinks } from "../../core/platform/links.js";

/**
 * Resolves the links of a path. The file need not exist yet.
 *
 * @param option The option with the path.
 * @throws {@link OpenEvalsError} `invalid_config` for anything but a regular file, and for a file with several names.
 */
export async function realPathOf(path: string, option: string): Promise<string> {
  const needsFiles = `${option} needs a file system`;
  const { realpath, stat } = builtin("node:fs/promises", needsFiles);
  const found = await stat(path).catch(() => undefined);
  if (found?.isFile()) {
    if (found.nlink <= 1) return realpath(path);
    // Their locks would have different names.
    throw invalidConfig(
      `${option} ${path} is a file with ${found.nlink} names (hard links), which two experiments could write to at once. Copy it, and name the copy`,
    );
  }
  if (found) {
    const what = found.isDirectory() ? "a folder" : "not a regular file, but a device, a pipe or a socket";
    throw invalidConfig(`${option} ${path} is ${what}. Name a file`);
  }
  const end = await endOfLinks(path, needsFiles);
  if (end !== undefined) return end;
  throw invalidConfig(`${option} ${path} is part of a loop of symbolic links. Name a file`);
}
