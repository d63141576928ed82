/**
 * The parts of the package that tests depend on: exports of entry points, whole entry points, the program or its parts,
 * binaries, declarations, documents, or the whole package.
 */

import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import * as esbuild from "esbuild";
import { entryFiles, program } from "./entries.mjs";
import { programParts, programPartsIn, withoutParts } from "./program-parts.mjs";
import { filesBelow, hashOf, path, root } from "./run.mjs";

const sources = path("target/sources");

const entries = new Map(
  entryFiles.map(({ entry, source }) => [entry.replace(".", "openevals-wasm"), `${sources}/${source}.ts`]),
);

/**
 * These put the whole package where others import it from. What is imported, these others name. A file that is not listed
 * here counts as a reader of all files.
 */
const INSTALLERS = [
  "tests/browser/build.ts",
  "tests/cli/installed.ts",
  "tests/cli/program.ts",
  "tests/cli/registry.ts",
  "tests/examples/harness.ts",
  "tests/frameworks/install.ts",
  "tests/package.ts",
  "tests/runtimes/edge.test.ts",
  "tests/runtimes/install.ts",
].map((file) => path(file));

/** These read the declarations and documents of the package, and its code only where they name it. */
const READERS = ["tests/browser/built.ts", "tests/guide/compile.test.ts", "tests/guide/pages.test.ts"].map(
  (file) => path(file),
);

/** These only compile against the package, or check how it is packed. */
const COMPILED = [
  "tests/runtimes/packed-types.test.ts",
  "tests/types/assignable.ts",
  "tests/types/clients.ts",
  "tests/types/consumer.ts",
  "tests/types/examples.ts",
  "tests/types/exports.test.ts",
  "tests/types/langsmith.ts",
  "tests/types/refused.ts",
  "tests/types/types.test.ts",
  "tests/vitest-matcher/types.test.ts",
].map((file) => path(file));

/** Where a text names the package: after which folder, and which path or command follows. */
const NAMED =
  /(node_modules(?:\/|", ")|resolve\(["'`]|skills\/|bin(?:\/|\["))?\bopenevals-wasm(?![\w-])(\/[\w./${}%-]*|[$%]|["'`] \+| [a-z]+)?(["'`\\])?/g;

/** Imports exports of an entry point by name. Each is a part: `openevals-wasm/text bleu`. */
const IMPORTED =
  /(?:\b(?:import|export)\s*(?:type\s*)?\{([^{}]*)\}\s*from\s*|\{([^{}]*)\}\s*=\s*(?:await import|require)\()["'`](openevals-wasm(?:\/[\w/-]+)?)["'`]/g;

/** Reads the tarball, or a file beside the code. */
const WHOLE = /\{[^}]*\btarball\b[^}]*\} from|THIRD-PARTY/;

/** Runs commands of the program with the arguments that it names. */
const RUNNING = /\/program\.js"|execFile\(process\.execPath, \[file, /;

/** Calls commands of the program that read the documentation of the package. */
const DOCUMENTED = /["']mcp["']|["']evaluators["']/;

/** The parts that files name. If they name other files of the package, or only run tasks, it is the whole package. */
export function partsNamedIn(files) {
  const parts = new Set();
  const texts = [];
  // Tasks that a test reads name parts of the package in their own texts.
  const isTask = (file) => file.startsWith(path("xtask"));
  for (const file of files.filter((file) => isCode(file) && !isTask(file))) {
    if (COMPILED.includes(file)) {
      parts.add("declarations");
      continue;
    }
    const text = readFileSync(file, "utf8");
    const found = partsIn(text);
    texts.push(text);
    const runs = RUNNING.test(text);
    if (WHOLE.test(text) || ((runs || found.has("program")) && DOCUMENTED.test(text))) found.add("whole");
    // What it names of the program are commands, and their messages.
    if (runs) found.delete("program");
    if (runs) found.add("commands");
    if (READERS.includes(file)) found.add("declarations").add("documents");
    if (INSTALLERS.includes(file) || READERS.includes(file)) found.delete("whole");
    for (const part of found) parts.add(part);
  }
  if (!parts.size && files.some(isTask)) return ["whole"];
  if (parts.has("commands")) for (const part of programPartsIn(texts.join("\n"))) parts.add(part);
  return parts.has("whole") ? ["whole"] : [...parts].sort();
}

function partsIn(text) {
  const parts = new Set();
  const rest = text.replace(IMPORTED, (found, imported, required, entry) => {
    const names = (imported ?? required).split(",").map(nameOf).filter(Boolean);
    // A test may write the import of a name that it computes.
    if (!entries.has(entry) || !names.every((name) => /^[\w$]+$/.test(name))) return found;
    for (const name of names) parts.add(`${entry} ${name}`);
    return "";
  });
  for (const named of rest.matchAll(NAMED)) parts.add(partOf(named));
  parts.delete(undefined);
  return parts;
}

/** The exported name of `name`, `name as own`, `name: own` or `type name`. */
const nameOf = (imported) =>
  imported
    .trim()
    .replace(/^type\s+/, "")
    .split(/\s+as\s+|\s*[:=]/)[0];

function partOf([, folder, rest = "", quote]) {
  // In other texts, the name is a word.
  if (rest.startsWith(" ")) return programParts().has(`command${rest}`) ? "commands" : undefined;
  if (folder?.startsWith("bin")) return "program";
  if (/\.wasm$|-wasm-base64/.test(rest)) return "binaries";
  if (rest === "/package.json" && !folder) return "declarations";
  const [, module] = /^\/dist\/(?:modules\/entries\/)?([\w/-]+)\.c?js$/.exec(rest) ?? [];
  if (module === program.name) return "program";
  if (!rest && !folder) return quote && "openevals-wasm";
  const name = module === "index" ? "openevals-wasm" : `openevals-wasm${module ? `/${module}` : rest}`;
  if (!entries.has(name) || (folder && !rest)) return "whole";
  // Without a quote it is a word, too.
  return quote || folder ? name : undefined;
}

/** Files that can name the package. */
export const isCode = (file) => /\.(?:[cm]?[jt]sx?|svelte|html|json|toml|ya?ml)$/.test(file);

/**
 * The keys of parts: their code and declarations without comments, binaries, and what every part gets from the build: the
 * manifest, and the modules that locate binaries. The program imports the exports and entry points that it names.
 */
export async function keysOfParts(named) {
  const places = filesBelow(`${sources}/core/runtime`);
  const main = `${sources}/${program.source}.ts`;
  const code = await codeOf([...new Set([...entries.values(), main, ...places])]);
  const ofAll = [hashOf(path("pkg/package.json")), ...places.map((place) => code.get(place))];
  const imported = [...partsIn(code.get(main))];
  const codeOfExports = await codeOf([...new Set([...named, ...imported])].filter(isExport), [exportsAlone]);
  const keys = new Map();
  const declarationsOf = new Map(
    Array.from(entries, ([entry, file]) => [entry, hashOf(...declarationsBelow(file))]),
  );
  for (const [entry, file] of entries)
    keys.set(entry, digest([...ofAll, code.get(file), declarationsOf.get(entry)]));
  for (const [part, own] of codeOfExports)
    keys.set(part, digest([...ofAll, own, declarationsOf.get(entryOf(part))]));
  const ofProgram = imported.flatMap((part) => keys.get(part) ?? []);
  keys.set("program", digest([...ofAll, code.get(main), ...ofProgram]));
  const parts = programParts();
  const codeOfParts = await codeOf([...parts.values()], [withoutParts]);
  for (const [part, file] of parts) keys.set(part, digest([...ofAll, codeOfParts.get(file)]));
  const files = filesBelow(path("pkg"));
  keys.set("binaries", hashOf(...files.filter((file) => file.endsWith(".wasm"))));
  keys.set("declarations", hashOf(...files.filter((file) => /\.d\.c?ts$|\bpackage\.json$/.test(file))));
  keys.set("documents", hashOf(...files.filter((file) => file.endsWith(".md"))));
  return keys.set("whole", hashOf(...files));
}

const entryOf = (part) => part.split(" ")[0];
const isExport = (part) => part.includes(" ") && entries.has(entryOf(part));

/** Makes a module of each part that is an export: it exports nothing else. */
const exportsAlone = {
  name: "exports alone",
  setup: (build) => {
    build.onResolve({ filter: / / }, ({ path }) => ({ path, namespace: "export" }));
    build.onLoad({ filter: /.*/, namespace: "export" }, ({ path: part }) => ({
      contents: `export { ${part.split(" ")[1]} } from "${entries.get(entryOf(part))}";`,
      loader: "ts",
      resolveDir: root,
    }));
  },
};

/** The code that each module reaches, without comments, and a hash of the binaries whose bindings are in it. */
async function codeOf(files, plugins = []) {
  const { metafile, outputFiles } = await esbuild.build({
    entryPoints: files.map((file, i) => ({ in: file, out: `${i}` })),
    absWorkingDir: root,
    bundle: true,
    packages: "external",
    external: ["*.wasm", "*.wasm?module", "*-wasm-base64.js"],
    platform: "node",
    format: "esm",
    minifyWhitespace: true,
    legalComments: "none",
    plugins,
    outdir: "nowhere",
    write: false,
    metafile: true,
    logLevel: "error",
  });
  const texts = new Map(outputFiles.map(({ path, text }) => [path, text]));
  return new Map(
    files.map((file, i) => {
      const output = `nowhere/${i}.js`;
      const inputs = Object.keys(metafile.outputs[output].inputs);
      const bindings = inputs.map((input) => path("pkg/dist", `${basename(input, ".js")}.wasm`));
      return [file, `${texts.get(path(output))}${hashOf(...bindings)}`];
    }),
  );
}

/** The declarations that a module reaches, as CommonJS has them: without documentation. */
function declarationsBelow(source) {
  const reached = new Set([source.replace(sources, path("pkg/dist")).replace(/ts$/, "d.cts")]);
  for (const file of reached) {
    if (!existsSync(file)) continue;
    for (const [, next] of readFileSync(file, "utf8").matchAll(/(?:from |import\()"(\.[^"]+)\.cjs"/g))
      reached.add(join(dirname(file), `${next}.d.cts`));
  }
  return [...reached].sort();
}

const digest = (texts) => createHash("sha256").update(texts.join("\0")).digest("hex");
