/** From the crate to its binaries, each with its bindings: cargo, wasm-bindgen and the optimiser. */

import { mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { join, relative, resolve } from "node:path";
import { BINARIES } from "./binaries.mjs";
import { hashOf, once, path, run, runBeside, say } from "./run.mjs";

/** Where the binaries and their bindings are written. */
export const bindings = path("target/bindings");

/** What makes bindings and optimised binaries out of a compiled module. */
const MADE_BY = [
  "xtask/src",
  "xtask/Cargo.toml",
  "xtask/binaries.mjs",
  "xtask/engine.mjs",
  "node_modules/binaryen/package.json",
];

/** Where cargo keeps the sources of crates. Relative paths are resolved from the repository, where cargo runs. */
const cargoHome = resolve(path(), process.env.CARGO_HOME || `${homedir()}/.cargo`);

/** All binaries, one after the other: the optimisation of one takes more than a gigabyte. */
export async function compileEngine() {
  for (const feature of Object.keys(BINARIES)) await compileBinary(feature);
}

/** Rust to WebAssembly, its bindings, and the optimiser. */
async function compileBinary(feature) {
  const { name, profile, flags } = BINARIES[feature];
  const target = "wasm32-unknown-unknown";
  const folder = cargoTarget();
  const features = ["--no-default-features", "--features", feature];
  // cargo knows best what is up to date, and is quick about it.
  await runBeside(
    "cargo",
    ["build", "--profile", profile, "--locked", "--target", target, "--lib", ...features],
    {
      // Panic messages name source files: without the paths of this machine they are shorter, and the same everywhere.
      env: {
        CARGO_ENCODED_RUSTFLAGS: [
          `--remap-path-prefix=${cargoHome}=cargo`,
          `--remap-path-prefix=${path()}=.`,
          ...(relative(path(), folder).startsWith("..") ? [`--remap-path-prefix=${folder}=./target`] : []),
          ...flags,
        ].join("\x1f"),
      },
    },
  );
  const module = join(folder, target, profile, "openevals_wasm.wasm");
  const binary = `${bindings}/${name}.wasm`;
  const key = hashOf(module, ...MADE_BY.map((file) => path(file)));
  await once(`bindings-${name}`, key, [binary], async () => {
    say(`Generating the bindings of ${name}.wasm`);
    mkdirSync(bindings, { recursive: true });
    await runBeside("cargo", [
      "run",
      "--quiet",
      "--locked",
      "--package",
      "xtask",
      "--",
      module,
      bindings,
      name,
    ]);
    say(`Optimising ${name}.wasm`);
    const optimised = `${bindings}/${name}-optimised.wasm`;
    // unwasm, which Nitro and Nuxt deploy binaries with, cannot read the instructions that the first of these replaces.
    const lowered = "--llvm-nontrapping-fptoint-lowering";
    const passes = [lowered, "-O3", "--minify-imports-and-exports-and-modules"];
    const optimiser = path("node_modules/binaryen/bin/wasm-opt");
    const names = await runBeside("node", [optimiser, binary, ...passes, "--output", optimised]);
    renameSync(optimised, binary);
    shorten(name, JSON.parse(names));
  });
}

/** Where cargo puts what it builds: the environment and its configuration have a say in it. */
function cargoTarget() {
  const metadata = run("cargo", ["metadata", "--no-deps", "--locked", "--format-version", "1"], {
    quiet: true,
  });
  return JSON.parse(metadata).target_directory;
}

/** Says the short names that the optimiser gave to imports and exports in the bindings, too; the long ones end in hashes. */
function shorten(name, names) {
  const file = `${bindings}/${name}.js`;
  const imports = new Map(names.imports.map(([, long, short]) => [long, short]));
  const exports = new Map(names.exports);
  const short = readFileSync(file, "utf8")
    .replaceAll(/(?<=\bwasm\.)\w+/g, (name) => exports.get(name) ?? name)
    .replaceAll(/(?<=^ {8})\w+(?=: function)/gm, (name) => imports.get(name) ?? name)
    // There is one module of imports, which the optimiser calls so.
    .replace(`"./${name}_bg.js":`, "a:");
  writeFileSync(file, short);
}
