/** The files that a source file depends on. */

import { readFile } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { isFolder, realPath } from "../files.js";

/** Files that are searched for names of other files. */
export const SOURCE = /\.[cm]?[jt]sx?$/;
/** Extensions that imports may leave out. */
const EXTENSIONS = [
  "",
  ".ts",
  ".tsx",
  ".mts",
  ".cts",
  ".js",
  ".mjs",
  ".cjs",
  ".json",
  "/index.ts",
  "/index.js",
];

/** Quoted text that may be a path. */
const QUOTED = /(["'`])(?<name>[\w./@ -]{1,200})\1/g;
/** A quoted path in an import or `require()`. */
export const IMPORTED = new RegExp(`\\b(?:from|import|require)\\s*\\(?\\s*${QUOTED.source}`, "g");

/**
 * The file itself and, recursively, the existing files that it names in quotes: imports, and data. A name is looked up beside
 * the file and, because data is found there, in the working directory. Files of packages are left out.
 *
 * @param pattern Matches the names to follow.
 */
export async function filesNamedBy(file: string, pattern = QUOTED): Promise<Set<string>> {
  const first = (await realPath(file)) ?? resolve(file);
  const found = new Set([first]);
  for (const path of found) {
    if (!SOURCE.test(path)) continue;
    const source = await readFile(path, "utf8").catch(() => "");
    const names = new Set(Array.from(source.matchAll(pattern), ({ groups }) => groups?.name ?? ""));
    for (const name of names) {
      const isRelative = /^\.\.?\//.test(name);
      for (const candidate of isRelative ? candidatesOf(resolve(dirname(path), name)) : [resolve(name)]) {
        const real = await realPath(candidate);
        if (real === undefined || (await isFolder(real)) || /[\\/]node_modules[\\/]/.test(real)) continue;
        found.add(real);
        break;
      }
      // Relative paths of data are relative to the working directory.
      const data = isRelative && !SOURCE.test(name) ? await realPath(resolve(name)) : undefined;
      if (data !== undefined && !(await isFolder(data))) found.add(data);
    }
  }
  return found;
}

/** The files that an import of a path can mean. */
const candidatesOf = (path: string): string[] => [
  ...EXTENSIONS.map((extension) => path + extension),
  path.replace(/js(x?)$/, "ts$1"),
];
