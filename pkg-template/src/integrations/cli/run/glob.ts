/** Expands patterns of file names, which shells leave to the program on Windows and in quotes. */

import { readdir } from "node:fs/promises";
import { join, parse } from "node:path";
import { usageError } from "../cli-error.js";
import { isFolder, realPath } from "../files.js";
import { SOURCE } from "./named-files.js";

/** Whether a path is a pattern. Brackets and braces are not, since names of files contain them. */
const isPattern = (path: string): boolean => /[*?]/.test(path);

/** The files without duplicates, in the order of the patterns; throws {@link usageError} if a pattern matches no file. */
export async function filesOf(patterns: readonly string[]): Promise<string[]> {
  const files = new Map<string, string>();
  for (const argument of patterns) {
    const pattern = argument.replaceAll("\\", "/");
    const found = isPattern(pattern) ? await matching(pattern) : [argument];
    if (!found.length) throw usageError(`No file matches ${argument}`);
    for (const file of found) {
      const real = await realPath(file);
      if (real === undefined) throw usageError(`There is no file ${file}${await hintFor(file)}`);
      if (await isFolder(file))
        throw usageError(
          `${file} is a folder; name the files in it, such as ${file.replace(/[\\/]$/, "")}/*.eval.ts`,
        );
      if (!files.has(real)) files.set(real, file);
    }
  }
  return [...files.values()];
}

/** The file with another ending, such as `.mjs`, which `init` writes where Node cannot read TypeScript. */
async function hintFor(file: string): Promise<string> {
  const { dir, name, base } = parse(file);
  const names = await readdir(dir || ".").catch(() => []);
  const found = names.find((other) => other !== base && parse(other).name === name && SOURCE.test(other));
  return found === undefined ? "" : `; did you mean ${join(dir, found)}?`;
}

async function matching(pattern: string): Promise<string[]> {
  const [root = "", rest = ""] = pattern.startsWith("/") ? ["/", pattern.slice(1)] : ["", pattern];
  return below(
    root,
    rest.split("/").filter((part) => part && part !== "."),
  );
}

/** Matches below a folder, whose path ends with a slash: `*` is any text in a name, `?` one character, `**` any folders. */
async function below(folder: string, [first = "", ...rest]: readonly string[]): Promise<string[]> {
  if (!isPattern(first)) {
    const path = folder + first;
    if (rest.length) return below(`${path}/`, rest);
    return (await realPath(path)) === undefined ? [] : [path];
  }
  const entries = await readdir(folder || ".", { withFileTypes: true }).catch(() => []);
  const shown = entries.filter(({ name }) => !name.startsWith(".") && name !== "node_modules");
  const found: string[] = [];
  if (first === "**") found.push(...(await below(folder, rest.length ? rest : ["*"])));
  for (const entry of shown.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    const path = folder + entry.name;
    if (first === "**") {
      if (entry.isDirectory()) found.push(...(await below(`${path}/`, [first, ...rest])));
    } else if (matches(entry.name, first)) {
      if (rest.length) found.push(...(await below(`${path}/`, rest)));
      else if (!entry.isDirectory()) found.push(path);
    }
  }
  return found;
}

function matches(name: string, pattern: string): boolean {
  const source = pattern
    .replaceAll(/[.+^${}()|[\]\\]/g, "\\$&")
    .replaceAll(/\*+/g, ".*")
    .replaceAll("?", ".");
  return new RegExp(`^${source}$`, "su").test(name);
}
