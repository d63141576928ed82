/** What a file is made of. */

import { readFile } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { isFolder, realPath } from "../files.js";

/** Sources name other files; data names none. */
const SOURCE = /\.[cm]?[jt]sx?$/;
/** What imports leave out, or write as what the compiler would make of it. */
const ENDINGS = ["", ".ts", ".tsx", ".mts", ".cts", ".js", ".mjs", ".cjs", ".json", "/index.ts", "/index.js"];

/**
 * The file itself and the files that it names in quotes, and so on: what it imports, and its data. Only those that there are,
 * beside the file that names them or, as data is found, in the folder of the process; none of packages.
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
      // Data that is named relatively is looked for in the folder of the process.
      const data = isRelative && !SOURCE.test(name) ? await realPath(resolve(name)) : undefined;
      if (data !== undefined && !(await isFolder(data))) found.add(data);
    }
  }
  return found;
}

/** Texts in quotes that may be paths. */
const namesIn = (source: string): Set<string> =>
  new Set(Array.from(source.matchAll(/(["'`])([\w./@ -]{1,200})\1/g), ([, , name = ""]) => name));

const spellings = (path: string): string[] => [
  ...ENDINGS.map((ending) => path + ending),
  path.replace(/js(x?)$/, "ts$1"),
];
