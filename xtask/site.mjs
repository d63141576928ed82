/** Builds the site in `www/`: static files that any host can serve, from any path. */

import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { binaryNames } from "./binaries.mjs";
import { chapterFiles, guidePages } from "./guide.mjs";
import { referencePages } from "./reference.mjs";
import { path, root } from "./run.mjs";

const www = (...parts) => path("www", ...parts);

/** Writes the site to the folder `out`, with the package that is built in `pkg`, and the chapters in `guide`. */
export async function buildSite({ pkg = path("pkg"), out = path("target/site"), guide = www("guide") } = {}) {
  rmSync(out, { recursive: true, force: true });
  mkdirSync(join(out, "assets"), { recursive: true });
  const outputs = await bundle(pkg, join(out, "assets"));
  for (const name of binaryNames) cpSync(join(pkg, `dist/${name}.wasm`), join(out, `assets/${name}.wasm`));
  cpSync(www("shared/icon.svg"), join(out, "assets/icon.svg"));
  const hasGuide = chapterFiles(guide).length > 0;
  const page = readFileSync(www("playground/index.html"), "utf8")
    .replace("<!--policy-->", policyTag(await policyOfPlayground(pkg)))
    .replace("<!--preload-->", preloads(outputs))
    .replace("<!--guide-->", hasGuide ? '<a href="guide/index.html">Guide</a>' : "");
  write(join(out, "index.html"), page);
  if (!hasGuide) return;
  for (const [name, text] of Object.entries(await guidePages(guide, referencePages(pkg))))
    write(join(out, "guide", name), text);
}

/** The scripts and styles, minified; what benches share becomes chunks. Everything lies in one folder, as in the package. */
async function bundle(pkg, outdir) {
  const { build } = await import("esbuild");
  const { metafile } = await build({
    entryPoints: [
      { in: www("playground/main.ts"), out: "playground" },
      { in: www("playground/playground.css"), out: "playground" },
      { in: www("playground/benches/dataset/worker.ts"), out: "dataset-worker" },
      { in: www("reader/main.ts"), out: "reader" },
      { in: www("reader/reader.css"), out: "reader" },
    ],
    absWorkingDir: root,
    outdir,
    bundle: true,
    splitting: true,
    minify: true,
    format: "esm",
    platform: "browser",
    target: ["es2022", "chrome120", "firefox120", "safari17"],
    chunkNames: "[name]-[hash]",
    // The package is imported as from node_modules, where this is what one wants.
    logOverride: { "ignored-bare-import": "silent" },
    metafile: true,
    plugins: [packageIn(pkg)],
  });
  return metafile.outputs;
}

/** Imports of the package are those of the one in `pkg`, by its entry points. */
const packageIn = (pkg) => ({
  name: "package",
  setup(build) {
    const { exports } = JSON.parse(readFileSync(join(pkg, "package.json"), "utf8"));
    build.onResolve({ filter: /^openevals-wasm(\/|$)/ }, ({ path: name }) => ({
      path: join(pkg, exports[name.replace("openevals-wasm", ".")].default.default),
    }));
  },
});

/** What the first bench needs is asked for at once, and not only when the script that imports it has come. */
function preloads(outputs) {
  const ofEntry = (source) => Object.keys(outputs).find((file) => outputs[file].entryPoint === source);
  const files = new Set([
    ofEntry("www/playground/main.ts"),
    ofEntry("www/playground/benches/texts/bench.ts"),
  ]);
  for (const file of files)
    for (const { path: next, kind } of outputs[file].imports)
      if (kind === "import-statement") files.add(next);
  const [main, ...others] = [...files].map((file) => `assets/${file.split("/").at(-1)}`);
  if (!main) throw new Error("The playground has no script.");
  return others.map((file) => `<link rel="modulepreload" href="${file}" />`).join("\n    ");
}

const policyTag = (policy) => `<meta http-equiv="Content-Security-Policy" content="${policy}" />`;

/**
 * Scripts and styles come from here alone; `wasm-unsafe-eval` is what WebAssembly needs. Models are asked at whatever
 * address the visitor names: any with TLS, and those of this machine. Reports are shown in a frame, which inherits this
 * policy, so that it lets in their one script and their one style, too.
 */
async function policyOfPlayground(pkg) {
  const { script, style } = await hashesOfReport(pkg);
  return [
    "default-src 'none'",
    `script-src 'self' 'wasm-unsafe-eval' ${script}`,
    `style-src 'self' ${style}`,
    "img-src 'self' data: blob:",
    "connect-src 'self' https: http://localhost:* http://127.0.0.1:*",
    "worker-src 'self'",
    "frame-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
  ].join("; ");
}

/** What the policy of a report lets in. */
async function hashesOfReport(pkg) {
  const { evaluate, renderReport } = await import(join(pkg, "dist/evaluation.js"));
  const html = await renderReport(await evaluate(undefined, { data: [] }));
  const hash = (kind) => new RegExp(`${kind}-src ('sha256-[^']+')`).exec(html)?.[1];
  const found = { script: hash("script"), style: hash("style") };
  if (!found.script || !found.style)
    throw new Error("The policy of reports does not name their script and style.");
  return found;
}

function write(file, text) {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}
