/**
 * Which tests a change can affect. The key of a test file has the files of the repository that it reads, and the parts of
 * the package that these files name.
 */

import { readdirSync, readFileSync, statSync } from "node:fs";
import { basename, dirname, join, relative, sep } from "node:path";
import { reachedFrom } from "./javascript/reach.mjs";
import { isCode, keysOfParts, partsNamedIn } from "./parts.mjs";
import { filesBelow, hashOf, path, root } from "./run.mjs";

/** A test reads those of its folders that it names, or all if it names none or lists them. */
const EXAMPLES = path("www/examples");

/** A test has a copy of `shared/` and of another folder in one. It reads the files that it names itself. */
const FIXTURES = path("tests/runtimes/fixtures");

/** Folders of data that only those tests of a suite read that name them. */
const DATA = ["tests/cli/expected", "tests/cli/imports"].map((folder) => path(folder));

/** The key of each test file of some suites, which are entries of `SUITES`. */
export async function keysOfTests(suites) {
  const found = [];
  for (const [suite, { code = [], texts = [] }] of suites) {
    const files = filesBelow(path("tests", suite));
    const isTest = (file) => file.endsWith(".test.ts");
    const others = files.filter((file) => !isTest(file));
    const tests = files.filter(isTest).map((file) => ({ file, imported: filesFrom([file]) }));
    const known = new Set(tests.flatMap(({ imported }) => imported));
    // Any test of the suite may read these.
    const shared = [
      ...others.filter((file) => !known.has(file)),
      ...filesBelow(...code.map((place) => path(place))),
    ];
    const ofTexts = hashOf(...texts.map((place) => path(place)));
    for (const { file, imported } of tests) {
      const text = imported.map(textOf).join("\n");
      const named = others.filter((other) =>
        (isBelow(FIXTURES, other) ? textOf(file) : text).includes(basename(other)),
      );
      const ownShared = shared.filter(isReadBy(textOf(file)));
      const read = filesFrom([...imported, ...named, ...ownShared]).sort();
      found.push({ file, own: `${hashOf(...read)} ${ofTexts}`, parts: partsNamedIn(read) });
    }
  }
  const keyOf = await keysOfParts(found.flatMap(({ parts }) => parts));
  const keyOfTest = ({ own, parts }) => [own, ...parts.map((part) => keyOf.get(part))].join(" ");
  return new Map(found.map((test) => [test.file, keyOfTest(test)]));
}

const isBelow = (folder, file) => file.startsWith(`${folder}${sep}`);

/** Whether a test reads a file that its suite shares. */
function isReadBy(test) {
  const text = test.replaceAll(/from "[^"]+"/g, "");
  const isAll = /\bexampleNames\b|\b(?:filesBelow|readdir\w*)\(examples\b/.test(text);
  const isNamed = (folder) => new RegExp(`["'\`]${folder}["'\`/]`).test(text);
  const named = readdirSync(EXAMPLES).filter(isNamed);
  return (file) => {
    const data = DATA.find((folder) => isBelow(folder, file));
    if (data) return isNamed(basename(data));
    if (isBelow(FIXTURES, file)) return basename(file) === "package.json";
    if (!isBelow(EXAMPLES, file) || isAll || !named.length) return true;
    return named.includes(relative(EXAMPLES, file).split(sep)[0]);
  };
}

/** The files themselves, and those that they name with relative paths: imports, and programs that they start. */
export const filesFrom = (files) => [...reachedFrom(files, namedBy)];

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
      names.flatMap((name) => [name, name.replace(/js$/, "ts"), besideFixture(name)].find(isOwnFile) ?? []),
    );
  }
  return namedBefore.get(file);
}

/** Where the file is that a fixture has beside itself when it runs. */
const besideFixture = (file) => join(FIXTURES, "shared", basename(file));

/** Made by the build or by npm, or outside of the repository. */
const BUILT = /^(?:target|pkg)\b|\bnode_modules\b|^\.\./;

const isOwnFile = (file) =>
  !BUILT.test(relative(root, file)) && statSync(file, { throwIfNoEntry: false })?.isFile();

const textOf = (file) => readFileSync(file, "utf8");
