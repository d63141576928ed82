/** Builds the package into `pkg/`; each step is skipped when nothing that it reads has changed. */

import { cpSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { join, relative, resolve } from "node:path";
import { gzipSync } from "node:zlib";
import { BINARIES, binaryNames } from "./binaries.mjs";
import { bundle, declare } from "./bundle.mjs";
import { manifestOfEntries, manifestsOfFolders } from "./entries.mjs";
import { writeGuideTables } from "./guide-tables.mjs";
import { notices } from "./notices.mjs";
import { publishedReadme } from "./readme.mjs";
import { bundleReportPages } from "./report-page.mjs";
import { hashOf, main, once, path, run, say } from "./run.mjs";
import { setUpBuild } from "./setup.mjs";
import { writeSizeTable } from "./size-table.mjs";
import { checkSizes, printSizes } from "./sizes.mjs";

const bindings = path("target/bindings");
const sources = path("target/sources");
const dist = path("pkg/dist");

/** Where cargo keeps the sources of crates. Relative ones are seen from the repository, where it runs. */
const cargoHome = resolve(path(), process.env.CARGO_HOME || `${homedir()}/.cargo`);

/** Makes `pkg/` up to date. Answers whether there was anything to do. */
export async function build() {
  await setUpBuild();
  for (const feature of Object.keys(BINARIES)) await compileEngine(feature);
  return compilePackage();
}

/** Rust to WebAssembly, its bindings, and the optimiser. */
async function compileEngine(feature) {
  const { name, profile, flags } = BINARIES[feature];
  const target = "wasm32-unknown-unknown";
  const folder = cargoTarget();
  const features = ["--no-default-features", "--features", feature];
  // cargo knows best what is up to date, and is quick about it.
  run("cargo", ["build", "--profile", profile, "--locked", "--target", target, "--lib", ...features], {
    // Panic messages name source files: without the paths of this machine they are shorter, and the same everywhere.
    env: {
      CARGO_ENCODED_RUSTFLAGS: [
        `--remap-path-prefix=${cargoHome}=cargo`,
        `--remap-path-prefix=${path()}=.`,
        ...(relative(path(), folder).startsWith("..") ? [`--remap-path-prefix=${folder}=./target`] : []),
        ...flags,
      ].join("\x1f"),
    },
  });
  const module = join(folder, target, profile, "openevals_wasm.wasm");
  const binary = `${bindings}/${name}.wasm`;
  const key = hashOf(module, path("xtask"), path("package-lock.json"));
  await once(`bindings-${name}`, key, [binary], () => {
    say(`Generating the bindings of ${name}.wasm`);
    mkdirSync(bindings, { recursive: true });
    run("cargo", ["run", "--quiet", "--locked", "--package", "xtask", "--", module, bindings, name]);
    say("Optimising the binary");
    const optimised = `${bindings}/optimised.wasm`;
    const passes = ["-O3", "--minify-imports-and-exports-and-modules"];
    const names = run(
      "node",
      [path("node_modules/binaryen/bin/wasm-opt"), binary, ...passes, "--output", optimised],
      { quiet: true },
    );
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

/** TypeScript to the modules of both formats, and everything else that is published. */
async function compilePackage() {
  const read = ["pkg-template", "xtask", "README.md", "LICENSE", "Cargo.lock"];
  const key = hashOf(bindings, ...read.map((file) => path(file)));
  return once("package", key, [path("pkg/package.json"), `${dist}/index.js`], async () => {
    say("Compiling the package");
    rmSync(path("pkg"), { recursive: true, force: true });
    gatherSources();
    await bundleReportPages(sources);
    declare(sources);
    await bundle(sources);
    for (const name of binaryNames) {
      cpSync(`${bindings}/${name}.wasm`, `${dist}/${name}.wasm`);
      writeFileSync(`${dist}/${name}-wasm-base64.js`, embedded(name));
    }
    cpSync(path("pkg-template/src/wasm-module.d.ts"), `${dist}/wasm-module.d.ts`);
    cpSync(path("LICENSE"), path("pkg/LICENSE"));
    writeFileSync(path("pkg/README.md"), publishedReadme(manifest()));
    cpSync(path("pkg-template/CHANGELOG.md"), path("pkg/CHANGELOG.md"));
    writeFileSync(path("pkg/THIRD-PARTY-NOTICES.txt"), notices());
    const whole = { ...manifest(), ...manifestOfEntries() };
    writeManifest(path("pkg"), whole);
    for (const [folder, manifest] of Object.entries(manifestsOfFolders()))
      writeManifest(path("pkg", folder), manifest);
    checkSizes(await printSizes());
  });
}

function writeManifest(folder, manifest) {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "package.json"), `${JSON.stringify(manifest, null, 2)}\n`);
}

const manifest = () => JSON.parse(readFileSync(path("pkg-template/package.json"), "utf8"));

/** The version of the package, from its manifest. */
export const packageVersion = () => manifest().version;

/** The sources, with what is generated beside them. */
function gatherSources() {
  rmSync(sources, { recursive: true, force: true });
  cpSync(path("pkg-template/src"), sources, { recursive: true });
  for (const file of ["package.json", "tsconfig.json"])
    cpSync(path("pkg-template", file), `${sources}/${file}`);
  for (const name of binaryNames)
    for (const kind of ["js", "d.ts", "types.d.ts"])
      cpSync(`${bindings}/${name}.${kind}`, `${sources}/${name}.${kind}`);
  const version = `/** The version of this package. */\nexport const __version__ = "${packageVersion()}";\n`;
  writeFileSync(`${sources}/version.ts`, version);
}

/** A binary for when its file is not found: compressed, since bundlers put it into what they make. */
function embedded(name) {
  const binary = gzipSync(readFileSync(`${bindings}/${name}.wasm`), { level: 9 });
  return `export default ${JSON.stringify(binary.toString("base64"))};\n`;
}

await main(import.meta.url, async () => {
  if (!(await build())) checkSizes(await printSizes());
  writeSizeTable();
  await writeGuideTables();
});
