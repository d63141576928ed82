/** The files that a source file depends on. */

import { readFile } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { isFolder, realPath } from "../files.js";

/** Only sources are searched for names of other files. */
const SOURCE = /\.[cm]?[jt]sx?$/;
/** Endings that imports leave out. */
const ENDINGS = ["", ".ts", ".tsx", ".mts", ".cts", ".js", ".mjs", ".cjs", ".json", "/index.ts", "/index.js"];

/**
 * The file itself and, recursively, the existing files that it names in quotes: imports, and data. A name is looked up beside
 * the file and, as for data, in the working directory. Files of packages are left out.
 */
export async function filesNamedBy(file: string): Promise<Set<string>> {
  const first = (await realPath(file)) ?? resolve(file);
  const found = new Set([first]);
  for (const path of found) {
    if (!SOURCE.test(path)) continue;
    const source = await readFile(path, "utf8").catch(() => "");
    for (const name of namesIn(source)) {
      const isRelative = /^\.\.?\//.test(name);
      for (const place of isRelative ? spellings(resolve(dirname(path), name)) : [resolve(name)]) {
        const real = await realPath(place);
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

/** Quoted texts that may be paths. */
const namesIn = (source: string): Set<string> =>
  new Set(Array.from(source.matchAll(/(["'`])([\w./@ -]{1,200})\1/g), ([, , name = ""]) => name));

const spellings = (path: string): string[] => [
  ...ENDINGS.map((ending) => path + ending),
  path.replace(/js(x?)$/, "ts$1"),
];
