/** The entry points of the package: the one place that says what they are. */

import { binaryNames } from "./binaries.mjs";

/**
 * The folders of `pkg-template/src/core/runtime/`, which find the binaries, with the condition of `exports` that each is for;
 * the default has none.
 */
const RUNTIMES = { universal: undefined, workerd: "workerd", "edge-light": "edge-light" };

/** The same with the binary in a string, which CommonJS cannot import, nor has to: it reads the file. */
const IN_ONE_FILE = { ...RUNTIMES, universal: "require", embedded: undefined };

/** The runtimes that know ES modules only. */
const CONDITIONS_OF_MODULES = ["workerd", "edge-light"];

/**
 * Each entry point, with the module of `pkg-template/src/` that it exports, and the runtimes that it finds the binaries
 * for: it has a file for each of them. Without `runtimes` it finds none, since it needs none or leaves it to others.
 * `binaries` says which it needs, if that is not the first alone, `hasDefault` that it has a default export, and `isEager`
 * that there is no `import()` in it (`modules.mjs`).
 */
const ENTRIES = {
  ".": { source: "api", runtimes: RUNTIMES },
  "./slim": { source: "slim", isEager: true },
  "./single": { source: "slim", runtimes: IN_ONE_FILE, isEager: true },
  "./llm": { source: "llm", runtimes: RUNTIMES },
  "./types": { source: "type-exports" },
  "./utils": { source: "utils", runtimes: RUNTIMES },
  "./prompts": { source: "models/prompts/index" },
  "./recipes": { source: "evaluators/recipes/index", runtimes: RUNTIMES },
  "./evaluation": { source: "evaluation", runtimes: RUNTIMES },
  "./checks": { source: "evaluators/checks/index", runtimes: RUNTIMES, isAlone: true },
  "./judges": { source: "judges", runtimes: RUNTIMES },
  "./otel": { source: "integrations/otel/index", runtimes: RUNTIMES },
  "./bullmq": { source: "integrations/bullmq/index", runtimes: RUNTIMES },
  "./text": { source: "evaluators/text/index", runtimes: RUNTIMES },
  "./retrieval": { source: "evaluators/retrieval/index", runtimes: RUNTIMES },
  "./code/typescript": { source: "evaluators/code/typescript", runtimes: RUNTIMES },
  "./vitest": { source: "integrations/vitest/index", runtimes: RUNTIMES },
  "./vitest/reporter": {
    source: "integrations/vitest/reporter/index",
    runtimes: RUNTIMES,
    hasDefault: true,
  },
  "./code/e2b": { source: "evaluators/code/e2b", runtimes: RUNTIMES },
  "./code/python": { source: "evaluators/code/python/index", runtimes: RUNTIMES },
};

/**
 * Every entry file: its name in `dist/`, the module that it exports, its runtime and condition if it has one, and the
 * entry files that it imports: the main one of its runtime, unless it is that.
 */
export const entryFiles = Object.entries(ENTRIES).flatMap(
  ([entry, { source, runtimes = {}, hasDefault = false, isEager = false, isAlone = isEager }]) => {
    const places = Object.entries(runtimes);
    return (places.length ? places : [[]]).map(([runtime, condition]) => {
      const named = (base) => (CONDITIONS_OF_MODULES.includes(condition) ? `${base}.${condition}` : base);
      const main = named("index");
      const name = entry === "." ? main : named(entry.slice("./".length));
      const imports = name === main || isAlone ? [] : [main];
      return { entry, name, source, runtime, condition, hasDefault, isEager, imports };
    });
  },
);

const fileFor = (entry, condition) =>
  entryFiles.find((file) => file.entry === entry && file.condition === condition);

/** The entry files that are also written as CommonJS. */
export const requiredFiles = Object.keys(ENTRIES).map(
  (entry) => fileFor(entry, "require") ?? fileFor(entry, undefined),
);

/** The entry files that Node imports. */
export const nodeFiles = requiredFiles;

/**
 * What imports a package of others by its name, and what takes its place in a page. Files of their own, so that `browser` in
 * the manifest can say so: Metro refuses an import without a fixed name, and a bundle for browsers has no use for it.
 */
export const packages = ["load-package", "no-packages"].map((name) => ({
  name,
  source: `core/runtime/universal/${name}`,
}));

/**
 * The program behind `npx openevals-wasm`: built like an entry point, but nobody imports it. What its commands need, with
 * what finds the binaries, they import themselves.
 */
export const program = { name: "cli", source: "integrations/cli/main" };

/** What the published manifest says of the entry points, and of the files that do something when they are loaded. */
export function manifestOfEntries(sideEffects) {
  const exports = Object.fromEntries(Object.keys(ENTRIES).map((entry) => [entry, exportsOf(entry)]));
  const main = exports["."];
  return {
    main: main.require.default,
    module: main.default.default,
    types: main.default.types,
    browser: Object.fromEntries(
      ["load-package.js", "load-package.cjs", "modules/core/runtime/universal/load-package.js"].map(
        (file) => [`./dist/${file}`, `./dist/no-packages.${file.split(".").at(-1)}`],
      ),
    ),
    bin: { "openevals-wasm": `./dist/${program.name}.js` },
    exports: {
      ...exports,
      ...Object.fromEntries(
        binaryNames.map((name) => [
          `./${name}.wasm`,
          { types: "./dist/wasm-module.d.ts", default: `./dist/${name}.wasm` },
        ]),
      ),
      "./package.json": "./package.json",
    },
    sideEffects: sideEffects.map((file) => file.replace("pkg/", "./")),
    files: ["dist", ...Object.keys(manifestsOfFolders()), "CHANGELOG.md", "THIRD-PARTY-NOTICES.txt"],
  };
}

/**
 * A folder with a manifest for each entry point but the main one, by its path: what does not read `exports` (Parcel, and
 * TypeScript with `moduleResolution: "node10"`) looks for it there.
 */
export function manifestsOfFolders() {
  const folders = entryFiles
    .filter(({ entry, condition }) => entry !== "." && !condition)
    .map(({ entry }) => {
      const path = entry.slice("./".length);
      const up = "../".repeat(path.split("/").length);
      const { require, default: module } = exportsOf(entry);
      const [main, esm, types] = [require.default, module.default, module.types].map(
        (file) => `${up}${file.slice(2)}`,
      );
      return [path, { main, module: esm, types }];
    });
  return Object.fromEntries(folders);
}

/** The conditions of one entry point. Metro gets CommonJS: `import.meta` is a syntax error to Hermes. */
function exportsOf(entry) {
  const target = ({ name, source }, kind) => ({
    types: `./dist/${source}.d.${kind.replace("js", "ts")}`,
    default: `./dist/${name}.${kind}`,
  });
  const module = (file) => target({ ...file, name: moduleOf(file) }, "js");
  const files = entryFiles.filter((file) => file.entry === entry);
  const universal = fileFor(entry, undefined);
  const required = requiredFiles.find((file) => file.entry === entry);
  const others = files.filter(({ condition }) => CONDITIONS_OF_MODULES.includes(condition));
  return {
    ...Object.fromEntries(others.map((file) => [file.condition, module(file)])),
    "react-native": target(required, "cjs"),
    require: target(required, "cjs"),
    node: target(required, "js"),
    default: module(universal),
  };
}

/** Where the module of an entry file stands in `dist/`. */
const moduleOf = ({ name, source, runtime, isEager }) =>
  runtime ? `modules/entries/${name}` : `modules/${source}${isEager ? ".eager" : ""}`;
