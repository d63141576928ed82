/** Builds the package into `pkg/`; each step is skipped when nothing that it reads has changed. */

import { cpSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { hashOf, main, once, path, run, say } from "./run.mjs";
import { packageVersion, setUpBuild } from "./setup.mjs";
import { checkSizes, printSizes } from "./sizes.mjs";

const module = path("target/wasm32-unknown-unknown/release/openevals_wasm.wasm");
const bindings = path("target/bindings");
const dist = path("pkg/dist");

/** Makes `pkg/` up to date. Answers whether there was anything to do. */
export async function build() {
  await setUpBuild();
  await compileEngine();
  return compilePackage();
}

/** Rust to WebAssembly, its bindings, and the optimiser. */
async function compileEngine() {
  // cargo knows best what is up to date, and is quick about it.
  run("cargo", ["build", "--release", "--locked", "--target", "wasm32-unknown-unknown", "--lib"]);
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

/** TypeScript to ES modules and to CommonJS, and everything else that is published. */
async function compilePackage() {
  const key = hashOf(bindings, path("pkg-template"), path("xtask"), path("README.md"), path("LICENSE"));
  return once("package", key, [path("pkg/package.json"), `${dist}/index.js`], async () => {
    say("Compiling the package");
    rmSync(path("pkg"), { recursive: true, force: true });
    mkdirSync(dist, { recursive: true });
    compile("esm", dist, []);
    compile("cjs", `${dist}/cjs`, [path("pkg-template/cjs")]);
    cpSync(path("pkg-template/cjs/package.json"), `${dist}/cjs/package.json`);
    cpSync(`${bindings}/openevals.wasm`, `${dist}/openevals.wasm`);
    writeFileSync(`${dist}/openevals-wasm-base64.js`, embedded());
    writeFileSync(`${dist}/openevals-wasm-base64.d.ts`, "declare const base64: string;\nexport default base64;\n");
    for (const file of ["README.md", "LICENSE"]) cpSync(path(file), path("pkg", file));
    cpSync(path("pkg-template/package.json"), path("pkg/package.json"));
    checkSizes(await printSizes());
  });
}

/** Compiles the sources, with what is generated and the `overlays` laid over them, into one module format. */
function compile(format, out, overlays) {
  const sources = path("target/sources", format);
  rmSync(sources, { recursive: true, force: true });
  for (const folder of [path("pkg-template/src"), ...overlays]) cpSync(folder, sources, { recursive: true });
  // Workers are ES modules.
  if (format === "cjs") for (const entry of ["workerd", "edge-light"]) rmSync(`${sources}/${entry}.ts`);
  cpSync(path("pkg-template/tsconfig.json"), `${sources}/tsconfig.json`);
  if (format === "esm") cpSync(path("pkg-template/package.json"), `${sources}/package.json`);
  cpSync(`${bindings}/openevals.js`, `${sources}/bindings.js`);
  cpSync(`${bindings}/openevals.d.ts`, `${sources}/bindings.d.ts`);
  writeFileSync(`${sources}/version.ts`, `/** The version of this package. */\nexport const __version__ = "${packageVersion()}";\n`);
  const tsc = path("node_modules/typescript/bin/tsc");
  run("node", [tsc, "--project", sources, "--outDir", out, "--rootDir", sources]);
  // The bindings are JavaScript already, with declarations of their own.
  run("node", [tsc, "--ignoreConfig", ...BINDINGS_OPTIONS, "--outDir", out, `${sources}/bindings.js`]);
  cpSync(`${sources}/bindings.d.ts`, `${out}/bindings.d.ts`);
}

const BINDINGS_OPTIONS = [
  ...["--allowJs", "--target", "es2022", "--module", "nodenext", "--moduleResolution", "nodenext"],
  ...["--sourceMap", "--inlineSources", "--noCheck", "--removeComments"],
];

const embedded = () =>
  `export default ${JSON.stringify(readFileSync(`${bindings}/openevals.wasm`).toString("base64"))};\n`;

await main(import.meta.url, async () => {
  if (!(await build())) checkSizes(await printSizes());
});
