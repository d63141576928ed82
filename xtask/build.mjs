/** Builds the package into `pkg/`; each step is skipped when nothing that it reads has changed. */

import { cpSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import { gzipSync } from "node:zlib";
import { hashOf, main, once, path, run, say } from "./run.mjs";
import { setUpBuild } from "./setup.mjs";
import { checkSizes, printSizes } from "./sizes.mjs";

const module = path("target/wasm32-unknown-unknown/release/openevals_wasm.wasm");
const bindings = path("target/bindings");
const sources = path("target/sources");
const dist = path("pkg/dist");

const cargoHome = process.env.CARGO_HOME ?? `${homedir()}/.cargo`;

/** Makes `pkg/` up to date. Answers whether there was anything to do. */
export async function build() {
  await setUpBuild();
  await compileEngine();
  return compilePackage();
}

/** Rust to WebAssembly, its bindings, and the optimiser. */
async function compileEngine() {
  // cargo knows best what is up to date, and is quick about it.
  run("cargo", ["build", "--release", "--locked", "--target", "wasm32-unknown-unknown", "--lib"], {
    // Panic messages name source files: without the paths of this machine they are shorter, and the same everywhere.
    env: {
      CARGO_ENCODED_RUSTFLAGS: [
        `--remap-path-prefix=${cargoHome}=cargo`,
        `--remap-path-prefix=${path()}=.`,
      ].join("\x1f"),
    },
  });
  const key = hashOf(module, path("xtask"), path("package-lock.json"));
  await once("bindings", key, [`${bindings}/openevals.wasm`], () => {
    say("Generating the bindings");
    rmSync(bindings, { recursive: true, force: true });
    mkdirSync(bindings, { recursive: true });
    run("cargo", ["run", "--quiet", "--locked", "--package", "xtask", "--", module, bindings]);
    say("Optimising the binary");
    const optimised = `${bindings}/optimised.wasm`;
    run("node", [
      path("node_modules/binaryen/bin/wasm-opt"),
      `${bindings}/openevals.wasm`,
      ...["-O3", "--output", optimised],
    ]);
    renameSync(optimised, `${bindings}/openevals.wasm`);
  });
}

/** TypeScript to one bundle for each module format, and everything else that is published. */
async function compilePackage() {
  const key = hashOf(bindings, path("pkg-template"), path("xtask"), path("README.md"), path("LICENSE"));
  return once("package", key, [path("pkg/package.json"), `${dist}/index.js`], async () => {
    say("Compiling the package");
    rmSync(path("pkg"), { recursive: true, force: true });
    mkdirSync(`${dist}/cjs`, { recursive: true });
    gatherSources();
    declare();
    await bundle();
    writeFileSync(`${dist}/cjs/package.json`, '{ "type": "commonjs" }\n');
    cpSync(`${bindings}/openevals.wasm`, `${dist}/openevals.wasm`);
    writeFileSync(`${dist}/openevals-wasm-base64.js`, embedded());
    for (const file of ["README.md", "LICENSE"]) cpSync(path(file), path("pkg", file));
    cpSync(path("pkg-template/package.json"), path("pkg/package.json"));
    checkSizes(await printSizes());
  });
}

/** The version of the package, from its manifest. */
export const packageVersion = () =>
  JSON.parse(readFileSync(path("pkg-template/package.json"), "utf8")).version;

/** The sources, with what is generated beside them. */
function gatherSources() {
  rmSync(sources, { recursive: true, force: true });
  cpSync(path("pkg-template/src"), sources, { recursive: true });
  for (const file of ["package.json", "tsconfig.json"])
    cpSync(path("pkg-template", file), `${sources}/${file}`);
  for (const kind of ["js", "d.ts"]) cpSync(`${bindings}/openevals.${kind}`, `${sources}/bindings.${kind}`);
  const version = `/** The version of this package. */\nexport const __version__ = "${packageVersion()}";\n`;
  writeFileSync(`${sources}/version.ts`, version);
}

/** Checks all types, and writes the declarations that can be reached from an entry point, for both formats. */
function declare() {
  const all = path("target/declarations");
  rmSync(all, { recursive: true, force: true });
  run("node", [path("node_modules/typescript/bin/tsc"), "--project", sources, "--outDir", all]);
  const reached = new Set();
  const reach = (name) => {
    if (reached.has(name)) return;
    reached.add(name);
    const text = readFileSync(`${all}/${name}.d.ts`, "utf8");
    for (const [, next] of text.matchAll(/from "(\.[\w/.-]+)\.js"/g)) reach(join(dirname(name), next));
  };
  for (const entry of ENTRIES) reach(entry);
  for (const name of reached) {
    cpSync(`${all}/${name}.d.ts`, `${dist}/${name}.d.ts`);
    if (!EDGE_ENTRIES.includes(name)) cpSync(`${all}/${name}.d.ts`, `${dist}/cjs/${name}.d.ts`);
  }
}

/** Edge runtimes are ES modules only. */
const EDGE_ENTRIES = ["workerd", "edge-light"];
const ENTRIES = ["index", "slim", "code-typescript", "code-e2b", ...EDGE_ENTRIES];

/** Few files, since each costs a runtime a look-up: the entry points, and a chunk of what they share. */
async function bundle() {
  const esbuild = await import("esbuild");
  const options = {
    bundle: true,
    platform: "neutral",
    target: "es2022",
    sourcemap: true,
    sourcesContent: false,
    // These stay files of their own.
    external: ["*.wasm", "*.wasm?module", "*/openevals-wasm-base64.js"],
  };
  const inputs = (entries) => entries.map((entry) => `${sources}/${entry}.ts`);
  await esbuild.build({
    ...options,
    entryPoints: inputs(ENTRIES),
    outdir: dist,
    format: "esm",
    splitting: true,
  });
  const inCommonJs = {
    name: "location",
    setup: (build) =>
      build.onResolve({ filter: /\/location\.js$/ }, () => ({ path: `${sources}/location-cjs.ts` })),
  };
  await esbuild.build({
    ...options,
    entryPoints: inputs(["index", "slim"]),
    outdir: `${dist}/cjs`,
    format: "cjs",
    supported: { "dynamic-import": true },
    plugins: [inCommonJs],
  });
}

/** The binary for when its file is not found: compressed, since bundlers put it into what they make. */
function embedded() {
  const binary = gzipSync(readFileSync(`${bindings}/openevals.wasm`), { level: 9 });
  return `export default ${JSON.stringify(binary.toString("base64"))};\n`;
}

await main(import.meta.url, async () => {
  if (!(await build())) checkSizes(await printSizes());
});
