/**
 * Which tests a change can affect. A test file is keyed by what it imports of the repository, by what its suite reads, and by
 * the sources of the entry points that it names. A file that names the packed tarball, or no entry point at all, is keyed by
 * the whole package.
 */

import { existsSync, readFileSync } from "node:fs";
import { relative } from "node:path";
import * as esbuild from "esbuild";
import { entryFiles } from "./entries.mjs";
import { filesBelow, hashOf, path, root } from "./run.mjs";

const sources = path("target/sources");

/** A test that says one of these reads files of the package, or runs its program. */
const WHOLE_PACKAGE =
  /openevals-wasm\/(dist|package\.json|[\w-]+\.wasm)|\btarball\b|node_modules(\/|", ")openevals-wasm|\binstalled\b|\bbuildSite\b/;

/** The key of each test file of the suites; `reads` has, by suite, the other places that its tests read. */
export async function keysOfTests(reads) {
  const keyOfEntry = await keysOfEntries();
  const whole = hashOf(path("pkg"));
  const keys = new Map();
  for (const [suite, places] of Object.entries(reads)) {
    const files = filesBelow(path("tests", suite));
    const tests = files.filter((file) => file.endsWith(".test.ts"));
    const imported = await importsOf(tests);
    // Programs that tests start, and data.
    const known = new Set(tests.flatMap((test) => imported.get(test)));
    const rest = [...files.filter((file) => !known.has(file)), ...filesBelow(...places)];
    const ofRest = { hash: hashOf(...rest), names: namesIn(rest) };
    for (const test of tests) {
      const own = imported.get(test);
      const names = new Set([...ofRest.names, ...namesIn(own)]);
      const named = [...(names.size ? names : ["whole"])]
        .sort()
        .map((name) => (name === "whole" ? whole : (keyOfEntry.get(name) ?? whole)));
      keys.set(test, [hashOf(...own), ofRest.hash, ...named].join(" "));
    }
  }
  return keys;
}

/** What each file imports of the repository, itself included. */
async function importsOf(files) {
  const { metafile } = await build(files, root);
  return new Map(
    Object.values(metafile.outputs).map(({ entryPoint, inputs }) => [
      path(entryPoint),
      Object.keys(inputs).map((input) => path(input)),
    ]),
  );
}

/**
 * The key of each entry point: the sources that it reaches, the binaries whose bindings are among them, and what every
 * entry point gets from the build: the manifest, and the modules that locate binaries.
 */
async function keysOfEntries() {
  const keys = new Map();
  const ofAll = [path("pkg/package.json"), `${sources}/core/runtime`];
  for (const { entry, source } of entryFiles) {
    if (keys.has(entry)) continue;
    const { metafile } = await build([`${sources}/${source}.ts`], sources);
    const inputs = Object.keys(metafile.inputs).map((input) => `${sources}/${input}`);
    const binaries = inputs.map((input) =>
      path("pkg/dist", `${relative(sources, input).replace(/\.js$/, "")}.wasm`),
    );
    keys.set(
      `openevals-wasm${entry.slice(1)}`,
      hashOf(...ofAll, ...inputs, ...binaries.filter((file) => existsSync(file))),
    );
  }
  return keys;
}

const build = (entryPoints, absWorkingDir) =>
  esbuild.build({
    entryPoints,
    absWorkingDir,
    bundle: true,
    packages: "external",
    platform: "node",
    format: "esm",
    outdir: "nowhere",
    write: false,
    metafile: true,
    logLevel: "error",
  });

/** The entry points that files name, and `whole` if one needs more than these. */
function namesIn(files) {
  const names = new Set();
  for (const file of files.filter((file) => /\.(?:[cm]?[jt]sx?|html|json)$/.test(file))) {
    const text = readFileSync(file, "utf8");
    if (WHOLE_PACKAGE.test(text)) names.add("whole");
    for (const [name] of text.matchAll(/openevals-wasm(?:\/[a-z][\w-]*)*(?=["'`])/g)) names.add(name);
  }
  return names;
}
