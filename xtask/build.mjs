/** Builds the package into `pkg/`; each step is skipped when nothing that it reads has changed. */

import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { binaryNames } from "./binaries.mjs";
import { bindings, compileEngine } from "./engine.mjs";
import { manifestOfEntries, manifestsOfFolders } from "./entries.mjs";
import { writeGuideTables } from "./guide-tables.mjs";
import { notices } from "./notices.mjs";
import { publishedReadme } from "./readme.mjs";
import { bundleReportPages } from "./report-page.mjs";
import { hashOf, main, once, path, say } from "./run.mjs";
import { setUpBuild } from "./setup.mjs";
import { writeSizeTable } from "./size-table.mjs";
import { checkSizes, printSizes } from "./sizes.mjs";

const sources = path("target/sources");
const dist = path("pkg/dist");

/** Makes `pkg/` up to date. Answers whether there was anything to do. */
export async function build() {
  await setUpBuild();
  await compileEngine();
  return compilePackage();
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
    // What it imports, the set-up has installed.
    const { bundle, declare } = await import("./bundle.mjs");
    declare(sources);
    const sideEffects = await bundle(sources);
    for (const name of binaryNames) {
      cpSync(`${bindings}/${name}.wasm`, `${dist}/${name}.wasm`);
      writeFileSync(`${dist}/${name}-wasm-base64.js`, embedded(name));
    }
    cpSync(path("pkg-template/src/wasm-module.d.ts"), `${dist}/wasm-module.d.ts`);
    cpSync(path("LICENSE"), path("pkg/LICENSE"));
    writeFileSync(path("pkg/README.md"), publishedReadme(manifest()));
    cpSync(path("pkg-template/CHANGELOG.md"), path("pkg/CHANGELOG.md"));
    writeFileSync(path("pkg/THIRD-PARTY-NOTICES.txt"), notices());
    const whole = { ...manifest(), ...manifestOfEntries(sideEffects) };
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
  await writeSizeTable();
  await writeGuideTables();
});
