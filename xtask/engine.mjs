/** Compiles the crate into its binaries, with cargo, wasm-bindgen and wasm-opt. */

import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { join, relative, resolve } from "node:path";
import { BINARIES } from "./binaries.mjs";
import { compilerVersion, hashOf, once, path, run, runBeside, say, TaskError } from "./run.mjs";

/** The folder of the binaries and their bindings. */
export const bindings = path("target/bindings");

/** The sources and tools of a binary. */
const MADE_BY = [
  "Cargo.toml",
  "Cargo.lock",
  "src",
  "xtask/src",
  "xtask/Cargo.toml",
  "xtask/binaries.mjs",
  "xtask/engine.mjs",
  "node_modules/binaryen/package.json",
];

/**
 * Cargo's home, which has the sources of crates. Relative paths are resolved from the repository, where cargo
 * runs.
 */
const cargoHome = resolve(path(), process.env.CARGO_HOME || `${homedir()}/.cargo`);

/** Compiles all binaries: one is optimized, which takes more than a gigabyte of memory, while the next one is compiled. */
export async function compileEngine() {
  const compiling = inTurn();
  const optimizing = inTurn();
  const key = [compilerVersion(), hashOf(...MADE_BY.map((file) => path(file)))].join(" ");
  await Promise.all(
    Object.keys(BINARIES).map((feature) => {
      const { name } = BINARIES[feature];
      const files = [`${bindings}/${name}.wasm`, `${bindings}/${name}.js`];
      return once(`bindings-${name}`, key, files, async () => {
        await compiling(() => compileBinary(feature));
        await optimizing(() => optimize(name));
      });
    }),
  );
}

/** Does one piece of work at a time, and nothing after one that failed. */
function inTurn() {
  let last = Promise.resolve();
  return (work) => {
    last = last.then(work);
    return last;
  };
}

/** Compiles a binary, and generates its bindings. */
async function compileBinary(feature) {
  const { name, flags } = BINARIES[feature];
  say(`Compiling ${name}.wasm`);
  const folder = cargoTarget();
  const target = "wasm32-unknown-unknown";
  // cargo gives this file the same name for all features, and would take another's for this one.
  rmSync(join(folder, target, "release/deps/openevals_wasm.wasm"), { force: true });
  const features = ["--no-default-features", "--features", feature];
  const options = ["--release", "--locked", "--target", target, "--lib", "--crate-type", "cdylib"];
  await runBeside("cargo", ["rustc", ...options, ...features, "--", "--deny", "warnings", ...flags], {
    // Panic messages contain source paths. Without those of this machine they are shorter, and the same
    // everywhere.
    env: {
      CARGO_ENCODED_RUSTFLAGS: [
        `--remap-path-prefix=${cargoHome}=cargo`,
        `--remap-path-prefix=${path()}=.`,
        ...(relative(path(), folder).startsWith("..") ? [`--remap-path-prefix=${folder}=./target`] : []),
      ].join("\x1f"),
    },
  });
  const module = join(folder, target, "release/openevals_wasm.wasm");
  say(`Generating the bindings of ${name}.wasm`);
  mkdirSync(bindings, { recursive: true });
  await runBeside(await compileGenerator(), [module, bindings, name]);
}

/** Optimizes a binary, with shorter names of its imports and exports. */
async function optimize(name) {
  say(`Optimizing ${name}.wasm`);
  const binary = `${bindings}/${name}.wasm`;
  const optimized = `${bindings}/${name}-optimized.wasm`;
  // unwasm, with which Nitro and Nuxt deploy binaries, cannot read the instructions that this replaces.
  const lowered = "--llvm-nontrapping-fptoint-lowering";
  // Additions become offsets of loads and stores. They may not reach the first kilobyte of memory by overflow: the end
  // of the stack is there, which no valid access reaches this way.
  const offsets = "--low-memory-unused";
  const passes = [lowered, offsets, "-O3", "--minify-imports-and-exports-and-modules"];
  const optimizer = path("node_modules/binaryen/bin/wasm-opt");
  const names = await runBeside("node", [optimizer, binary, ...passes, "--output", optimized]);
  renameSync(optimized, binary);
  shorten(name, JSON.parse(names));
}

/** Denies warnings. Commands with the same flags share the crates that they compile. */
export const strict = { RUSTFLAGS: [process.env.RUSTFLAGS, "--deny=warnings"].filter(Boolean).join(" ") };

let generator;

/**
 * Compiles the program that generates bindings, and returns its path. It is run without cargo, which would wait until the
 * tests of the crate have ended.
 */
export function compileGenerator() {
  generator ??= runBeside("cargo", ["build", "--locked", "--package", "xtask"], { env: strict }).then(() =>
    join(cargoTarget(), `debug/xtask${process.platform === "win32" ? ".exe" : ""}`),
  );
  return generator;
}

let targetFolder;

/** cargo's target folder, which the environment and cargo's configuration determine. */
function cargoTarget() {
  if (targetFolder) return targetFolder;
  const metadata = run("cargo", ["metadata", "--no-deps", "--locked", "--format-version", "1"], {
    quiet: true,
  });
  targetFolder = JSON.parse(metadata).target_directory;
  return targetFolder;
}

/**
 * Applies the short names that the optimizer gave to imports and exports to the bindings. The original names
 * end in hashes.
 */
function shorten(name, names) {
  const file = `${bindings}/${name}.js`;
  const imports = new Map(names.imports.map(([, long, short]) => [long, short]));
  const exports = new Map(names.exports);
  let text = readFileSync(file, "utf8");
  const replace = (pattern, by) => {
    if (text.split(pattern).length === 1)
      throw new TaskError(
        `The bindings of ${name} have another form than before: nothing matches ${pattern}.`,
      );
    text = text.replaceAll(pattern, by);
  };
  // Functions that the optimizer has removed from the binary are not needed.
  replace(/^ {8}(__wb\w+): function[\s\S]*?^ {8}\}(?:, arguments\); \})?,\n/gm, (text, name) =>
    imports.has(name) ? text : "",
  );
  replace(/(?<=\bwasm\.)\w+/g, (name) => exports.get(name) ?? name);
  replace(/(?<=^ {8})\w+(?=: function)/gm, (name) => imports.get(name) ?? name);
  // The optimizer names the only import module "a".
  replace(`"./${name}_bg.js":`, "a:");
  writeFileSync(file, text);
}
