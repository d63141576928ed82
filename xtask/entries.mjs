/** The entry points of the package. */

import { binaryNames } from "./binaries.mjs";

/**
 * The folders of `pkg-template/src/core/runtime/`, which locate the binaries, with the condition of `exports`
 * for each. The default has no condition.
 */
const RUNTIMES = { universal: undefined, workerd: "workerd", "edge-light": "edge-light" };

/** The same for entry points with an embedded binary. CommonJS reads the file instead. */
const IN_ONE_FILE = { ...RUNTIMES, universal: "require", embedded: undefined };

/** The runtimes that only support ES modules. */
const CONDITIONS_OF_MODULES = ["workerd", "edge-light"];

/**
 * Each entry point with the module of `pkg-template/src/` that it exports and its runtimes, each of which
 * gets a file. Without `runtimes` it locates no binary. Which binaries it needs follows from its imports
 * (`javascript/module-graph.mjs`). `hasDefault` marks a default export, `isEager` an entry point without `import()`
 * (`javascript/eager-copies.mjs`), and `hasSideEffects` one whose import does something.
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
  "./optimization": { source: "experiments/optimization/index", runtimes: RUNTIMES },
  "./checks": { source: "evaluators/checks/index", runtimes: RUNTIMES },
  "./judges": { source: "judges", runtimes: RUNTIMES },
  "./otel": { source: "integrations/otel/index", runtimes: RUNTIMES },
  "./bullmq": { source: "integrations/bullmq/index", runtimes: RUNTIMES },
  "./text": { source: "evaluators/text/index", runtimes: RUNTIMES },
  "./retrieval": { source: "evaluators/retrieval/index", runtimes: RUNTIMES },
  "./rag": { source: "evaluators/rag/index", runtimes: RUNTIMES },
  "./agents": { source: "evaluators/agents/index", runtimes: RUNTIMES },
  "./harness": { source: "integrations/harness/index", runtimes: RUNTIMES },
  "./code/typescript": { source: "evaluators/code/typescript", runtimes: RUNTIMES },
  "./vitest": { source: "integrations/vitest/index", runtimes: RUNTIMES, hasSideEffects: true },
  "./vitest/reporter": {
    source: "integrations/vitest/reporter/index",
    runtimes: RUNTIMES,
    hasDefault: true,
  },
  "./interop": { source: "integrations/interop/index", runtimes: RUNTIMES },
  "./interop/autoevals": { source: "integrations/interop/autoevals/index", runtimes: RUNTIMES },
  "./code/e2b": { source: "evaluators/code/e2b", runtimes: RUNTIMES },
  "./code/python": { source: "evaluators/code/python/index", runtimes: RUNTIMES },
};

/**
 * Every entry file: its name in `dist/`, the module that it exports, and its runtime and condition if it has one.
 */
export const entryFiles = Object.entries(ENTRIES).flatMap(
  ([entry, { source, runtimes = {}, hasDefault = false, isEager = false, hasSideEffects = false }]) => {
    const places = Object.entries(runtimes);
    return (places.length ? places : [[]]).map(([runtime, condition]) => {
      const base = entry === "." ? "index" : entry.slice("./".length);
      const name = CONDITIONS_OF_MODULES.includes(condition) ? `${base}.${condition}` : base;
      return { entry, name, source, runtime, condition, hasDefault, isEager, hasSideEffects };
    });
  },
);

const fileFor = (entry, condition) =>
  entryFiles.find((file) => file.entry === entry && file.condition === condition);

/** The entry files of Node, written as ES modules and as CommonJS. */
export const nodeFiles = Object.keys(ENTRIES).map(
  (entry) => fileFor(entry, "require") ?? fileFor(entry, undefined),
);

/**
 * The module that imports other packages by name, and its replacement in pages. They are separate files, so
 * that `browser` in the manifest can map one to the other: Metro rejects an import without a fixed name, and
 * browsers do not need it.
 */
export const packages = ["load-package", "no-packages"].map((name) => {
  const source = `core/runtime/universal/${name}`;
  return { name, source, published: [`${name}.cjs`, `modules/${source}.js`] };
});

/**
 * The program behind `npx openevals-wasm`. It is built like an entry point, but not exported. Its commands
 * import the binaries that they need.
 */
export const program = { name: "cli", source: "integrations/cli/main" };

/** The fields of the published manifest about entry points and side effects. */
export function manifestOfEntries() {
  const exports = Object.fromEntries(Object.keys(ENTRIES).map((entry) => [entry, exportsOf(entry)]));
  const main = exports["."];
  return {
    main: main.require.default,
    module: main.default.default,
    types: main.default.types,
    browser: Object.fromEntries(
      packages[0].published.map((file, i) => [`./dist/${file}`, `./dist/${packages[1].published[i]}`]),
    ),
    bin: { "openevals-wasm": `./dist/${program.name}.cjs` },
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
    sideEffects: filesWithSideEffects(),
    files: [
      "dist",
      ...Object.keys(manifestsOfFolders()),
      "docs",
      "skills",
      "CHANGELOG.md",
      "THIRD-PARTY-NOTICES.txt",
    ],
  };
}

function filesWithSideEffects() {
  const isActive = ({ hasSideEffects }) => hasSideEffects;
  const ofNode = nodeFiles
    .filter(isActive)
    .flatMap(({ name }) => ["js", "mjs", "cjs"].map((kind) => `${name}.${kind}`));
  const modules = entryFiles
    .filter(isActive)
    .flatMap((file) => [`modules/${file.source}.js`, `${moduleOf(file)}.js`]);
  return Array.from(new Set([...ofNode, ...modules]), (file) => `./dist/${file}`);
}

/**
 * A folder with a manifest for each entry point but the main one, by path. Tools that do not read `exports`
 * use it (Parcel, and TypeScript with `moduleResolution: "node10"`).
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

/**
 * The conditions of an entry point. Metro gets CommonJS, since `import.meta` is a syntax error in Hermes.
 */
function exportsOf(entry) {
  const target = ({ name, source }, kind) => ({
    types: `./dist/${source}.d.${kind.replace("js", "ts")}`,
    default: `./dist/${name}.${kind}`,
  });
  const module = (file) => target({ ...file, name: moduleOf(file) }, "js");
  const files = entryFiles.filter((file) => file.entry === entry);
  const universal = fileFor(entry, undefined);
  const ofNode = nodeFiles.find((file) => file.entry === entry);
  const others = files.filter(({ condition }) => CONDITIONS_OF_MODULES.includes(condition));
  return {
    ...Object.fromEntries(others.map((file) => [file.condition, module(file)])),
    "react-native": target(ofNode, "cjs"),
    require: target(ofNode, "cjs"),
    // Bundlers of servers have the condition `module`, too.
    node: {
      module: module(universal),
      default: { ...target(ofNode, "js"), default: `./dist/${ofNode.name}.mjs` },
    },
    default: module(universal),
  };
}

/** The module of an entry point that pages can load, in `dist/`. */
export const moduleForPages = (entry) => `${moduleOf(fileFor(entry, undefined))}.js`;

/** The path of an entry file's module in `dist/`. */
const moduleOf = ({ name, source, runtime, isEager }) =>
  runtime ? `modules/entries/${name}` : `modules/${source}${isEager ? ".eager" : ""}`;
