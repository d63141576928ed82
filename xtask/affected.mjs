/**
 * Which tests a change can affect. The key of a test file has the files of the repository that it reads, and the parts of
 * the package that these files name.
 */

import { readdirSync, readFileSync, statSync } from "node:fs";
import { basename, dirname, join, relative, sep } from "node:path";
import { isCode, keysOfParts, partsNamedIn } from "./parts.mjs";
import { filesBelow, hashOf, path, root } from "./run.mjs";

/** Folders of which a test reads only some folders. */
const SHELVES = ["www/examples", "tests/runtimes/fixtures"].map((shelf) => path(shelf));

/** Folders of data that only those tests of a suite read that name them. */
const DATA = ["tests/cli/expected", "tests/cli/imports"].map((folder) => path(folder));

/** The key of each test file of some suites, which are entries of `SUITES`. */
export async function keysOfTests(suites) {
  const found = [];
  for (const [suite, { code = [], texts = [] }] of suites) {
    const files = filesBelow(path("tests", suite));
    const isTest = (file) => file.endsWith(".test.ts");
    const others = files.filter((file) => !isTest(file));
    const tests = files.filter(isTest).map((file) => ({ file, imported: reachedFrom([file]) }));
    const known = new Set(tests.flatMap(({ imported }) => imported));
    // Any test of the suite may read these.
    const shared = [
      ...others.filter((file) => !known.has(file)),
      ...filesBelow(...code.map((place) => path(place))),
    ];
    const ofTexts = hashOf(...texts.map((place) => path(place)));
    for (const { file, imported } of tests) {
      const text = imported.map(textOf).join("\n");
      const named = others.filter((other) => text.includes(basename(other)));
      const ownShared = shared.filter(isReadBy(textOf(file)));
      const read = reachedFrom([...imported, ...named, ...ownShared]).sort();
      found.push({ file, own: `${hashOf(...read)} ${ofTexts}`, parts: partsNamedIn(read) });
    }
  }
  const keyOf = await keysOfParts(found.flatMap(({ parts }) => parts));
  const keyOfTest = ({ own, parts }) => [own, ...parts.map((part) => keyOf.get(part))].join(" ");
  return new Map(found.map((test) => [test.file, keyOfTest(test)]));
}

/**
 * Of a shelf, a test reads the folders that it names, or all of them if it names none or lists them. Of data, it reads the
 * folders that it names.
 */
function isReadBy(test) {
  const text = test.replaceAll(/from "[^"]+"/g, "");
  const isAll = /\bexampleNames\b|\b(?:filesBelow|readdir\w*)\((?:examples|fixtures)\b/.test(text);
  const isNamed = (folder) => new RegExp(`["'\`]${folder}["'\`/]`).test(text);
  const foldersOf = new Map(
    SHELVES.map((shelf) => {
      const folders = readdirSync(shelf);
      const named = folders.filter(isNamed);
      return [shelf, isAll || !named.length ? folders : named];
    }),
  );
  return (file) => {
    const data = DATA.find((folder) => file.startsWith(`${folder}${sep}`));
    if (data) return isNamed(basename(data));
    const shelf = SHELVES.find((shelf) => file.startsWith(`${shelf}${sep}`));
    return !shelf || foldersOf.get(shelf).includes(relative(shelf, file).split(sep)[0]);
  };
}

/** The files themselves, and those that they name with relative paths: imports, and programs that they start. */
function reachedFrom(files) {
  const reached = new Set(files);
  for (const file of reached) for (const next of namedBy(file)) reached.add(next);
  return [...reached];
}

/** By file, since many tests import the same helpers. */
const namedBefore = new Map();

function namedBy(file) {
  if (!isCode(file)) return [];
  if (!namedBefore.has(file)) {
    const names = Array.from(textOf(file).matchAll(/["'`](\.\.?\/[^"'`\s]+)["'`]/g), ([, name]) =>
      join(dirname(file), name),
    );
    namedBefore.set(
      file,
      names.flatMap((name) => [name, name.replace(/js$/, "ts")].find(isOwnFile) ?? []),
    );
  }
  return namedBefore.get(file);
}

/** Made by the build or by npm, or outside of the repository. */
const BUILT = /^(?:target|pkg)\b|\bnode_modules\b|^\.\./;

const isOwnFile = (file) =>
  !BUILT.test(relative(root, file)) && statSync(file, { throwIfNoEntry: false })?.isFile();

const textOf = (file) => readFileSync(file, "utf8");
