/** Builds the package into `pkg/`. Each step is skipped if its inputs have not changed. */

import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { addresses } from "./addresses.mjs";
import { writeBadges } from "./badges.mjs";
import { binaryNames } from "./binaries.mjs";
import { writeDocs } from "./docs.mjs";
import { bindings, compileEngine } from "./engine.mjs";
import { manifestOfEntries, manifestsOfFolders } from "./entries.mjs";
import { writeGuideTables } from "./guide-tables.mjs";
import { notices } from "./notices.mjs";
import { publishedReadme } from "./readme.mjs";
import { hashOf, main, once, path, say } from "./run.mjs";
import { setUpBuild } from "./setup.mjs";
import { writeSizeTable } from "./size-table.mjs";
import { checkSizes, printSizes } from "./sizes.mjs";

const sources = path("target/sources");
const dist = path("pkg/dist");

/** Brings `pkg/` up to date. Returns whether there was anything to do. */
export async function build() {
  await setUpBuild();
  await compileEngine();
  return compilePackage();
}

/** Compiles TypeScript, and writes everything else that is published. */
async function compilePackage() {
  const read = [
    "pkg-template",
    "xtask",
    "package.json",
    "README.md",
    "LICENSE",
    "Cargo.lock",
    "www/guide",
    "www/examples/README.md",
  ];
  read.push(...Object.values(TEMPLATES));
  const key = hashOf(bindings, ...read.map((file) => path(file)));
  return once("package", key, [path("pkg/package.json"), `${dist}/index.js`], async () => {
    say("Compiling the package");
    rmSync(path("pkg"), { recursive: true, force: true });
    gatherSources();
    mkdirSync(dist, { recursive: true });
    for (const name of binaryNames) {
      cpSync(`${bindings}/${name}.wasm`, `${dist}/${name}.wasm`);
      writeFileSync(`${dist}/${name}-wasm-base64.js`, embedded(name));
    }
    // Imported late, because setup installs its dependencies.
    const { buildJavaScript } = await import("./javascript/index.mjs");
    await buildJavaScript(sources);
    cpSync(path("pkg-template/src/wasm-module.d.ts"), `${dist}/wasm-module.d.ts`);
    cpSync(path("LICENSE"), path("pkg/LICENSE"));
    writeFileSync(path("pkg/README.md"), publishedReadme(manifest()));
    cpSync(path("pkg-template/CHANGELOG.md"), path("pkg/CHANGELOG.md"));
    writeDocs(path("pkg/docs"));
    cpSync(path("pkg-template/skills"), path("pkg/skills"), { recursive: true });
    writeFileSync(path("pkg/THIRD-PARTY-NOTICES.txt"), notices());
    writeManifest(path("pkg"), { ...manifest(), ...manifestOfEntries() });
    for (const [folder, manifest] of Object.entries(manifestsOfFolders()))
      writeManifest(path("pkg", folder), manifest);
    checkSizes(await printSizes());
  });
}

function writeManifest(folder, manifest) {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "package.json"), `${JSON.stringify(manifest, null, 2)}\n`);
}

const manifest = () => ({
  ...JSON.parse(readFileSync(path("pkg-template/package.json"), "utf8")),
  ...addresses(),
});

/** The version of the package, from its manifest. */
export const packageVersion = () => manifest().version;

/** The sources, including generated files. */
function gatherSources() {
  rmSync(sources, { recursive: true, force: true });
  cpSync(path("pkg-template/src"), sources, { recursive: true });
  for (const file of ["package.json", "tsconfig.json", "tsconfig.node.json"])
    cpSync(path("pkg-template", file), `${sources}/${file}`);
  for (const name of binaryNames)
    for (const kind of ["js", "d.ts", "types.d.ts"])
      cpSync(`${bindings}/${name}.${kind}`, `${sources}/${name}.${kind}`);
  const version = `/** The version of this package. */\nexport const __version__ = "${packageVersion()}";\n`;
  writeFileSync(`${sources}/version.ts`, version);
  const texts = Object.entries(TEMPLATES).map(([name, file]) => [name, readFileSync(path(file), "utf8")]);
  const address = `/** The address of the guide. */\nexport const HOMEPAGE = ${JSON.stringify(addresses().homepage)};\n`;
  const templates = `/** The files that \`init\` writes. */\nexport const TEMPLATES = ${JSON.stringify(Object.fromEntries(texts))};\n`;
  writeFileSync(`${sources}/integrations/cli/homepage.ts`, address);
  writeFileSync(`${sources}/integrations/cli/init/templates.ts`, templates);
}

/** `init` writes the files of an example. */
const TEMPLATES = {
  "first.eval.ts": "www/examples/first/evals/first.eval.ts",
  "first.jsonl": "www/examples/first/evals/first.jsonl",
  "first.test.ts": "www/examples/first/evals/first.test.ts",
  "evals.yml": "www/examples/first/.github/workflows/evals.yml",
};

/** The embedded copy of a binary, for when its file is not found. Compressed, since bundlers include it. */
function embedded(name) {
  const binary = gzipSync(readFileSync(`${bindings}/${name}.wasm`), { level: 9 });
  return `const base64 = ${JSON.stringify(binary.toString("base64"))};

export default async () => {
  const compressed = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
  const stream = new Blob([compressed]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
};
`;
}

await main(import.meta.url, async () => {
  if (!(await build())) checkSizes(await printSizes());
  await writeSizeTable();
  writeBadges();
  await writeGuideTables();
});
