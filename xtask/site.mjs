/** Builds the site in `www/`: static files for any host and any path. */

import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { binaryNames } from "./binaries.mjs";
import { path, root, TaskError } from "./run.mjs";
import { installPackages } from "./setup.mjs";
import { buildGuide } from "./site/guide.mjs";
import { proofs, writeHomeReport } from "./site/home.mjs";
import { packageIn } from "./site/package-imports.mjs";
import { writePreviews } from "./site/previews.mjs";

const www = (...parts) => path("www", ...parts);

/** The pages besides the guide. Their sources are `www/NAME/index.html`. */
const PAGES = [
  {
    name: "home",
    file: "index.html",
    title: "openevals-wasm: evaluators for LLM applications",
    heading: "Evaluators for LLM applications",
    description:
      "One npm package scores text, JSON, agents and judges in Node, browsers and edge functions, and says whether a change is more than chance.",
    first: [],
  },
  {
    name: "playground",
    file: "playground.html",
    title: "Playground · openevals-wasm",
    heading: "Playground",
    description:
      "Compare trajectories of agents, check claims, try judges and score datasets. Everything runs in your browser.",
    first: ["www/playground/benches/trajectories/bench.ts"],
  },
];

/**
 * Writes the site to the folder `out`, with the package in the folder `pkg`.
 *
 * @param url Where the site will be, with a slash at its end. Only previews of links need it, which have to be absolute.
 */
export async function buildSite({ pkg = path("pkg"), out = path("target/site"), url = "" } = {}) {
  await installPackages("www/site", "the site generator");
  rmSync(out, { recursive: true, force: true });
  mkdirSync(join(out, "assets"), { recursive: true });
  const outputs = await bundle(pkg, join(out, "assets"));
  for (const name of binaryNames) cpSync(join(pkg, `dist/${name}.wasm`), join(out, `assets/${name}.wasm`));
  cpSync(www("shared/icon.svg"), join(out, "assets/icon.svg"));
  const policy = await policyOfPages(pkg);
  const parts = { report: await writeHomeReport(pkg, out), proofs: proofs(), ...repositoryLinks(pkg) };
  for (const page of PAGES) {
    const head = headOf(page, { outputs, policy, url });
    const html = readFileSync(www(page.name, "index.html"), "utf8");
    const filled = html.replaceAll(/<!--([\w-]+)-->/g, (_, part) => ({ head, ...parts })[part] ?? "");
    writeFileSync(join(out, page.file), filled);
  }
  const files = await buildGuide({ pkg, out: join(out, "guide"), url });
  for (const [name, text] of Object.entries(files)) writeFileSync(join(out, name), text);
  const previews = path("target/previews");
  await writePreviews(
    PAGES.map(({ name, heading: title, description }) => ({ name, title, description })),
    previews,
  );
  for (const { name } of PAGES) cpSync(`${previews}/${name}.png`, join(out, `previews/${name}.png`));
}

/** Links to the repository, where the manifest of the package names one. */
function repositoryLinks(pkg) {
  const { repository } = JSON.parse(readFileSync(join(pkg, "package.json"), "utf8"));
  const href = (repository?.url ?? repository)?.replace(/^git\+|\.git$/g, "");
  if (!href) return {};
  return {
    repository: `<a class="wide" href="${href}">Repository</a>`,
    "repository-button": `<a class="button" href="${href}">Repository</a>`,
  };
}

/** Everything in the head that is not the same on all pages. */
function headOf({ name, file, title, heading, description, first }, { outputs, policy, url }) {
  const preview = {
    "og:type": "website",
    "og:title": heading,
    "og:description": description,
    "og:url": url + (file === "index.html" ? "" : file),
    "og:image": `${url}previews/${name}.png`,
    "og:image:width": "1200",
    "og:image:height": "630",
  };
  return [
    `<meta http-equiv="Content-Security-Policy" content="${policy}" />`,
    `<title>${title}</title>`,
    `<meta name="description" content="${description}" />`,
    ...Object.entries(preview).map(
      ([property, content]) => `<meta property="${property}" content="${content}" />`,
    ),
    '<meta name="twitter:card" content="summary_large_image" />',
    '<link rel="icon" href="assets/icon.svg" type="image/svg+xml" />',
    ...preloads(outputs, [`www/${name}/${name === "home" ? "home" : "main"}.ts`, ...first]),
  ].join("\n    ");
}

/**
 * Bundles scripts and styles, minified, with shared chunks. All files are in one folder, as in the package.
 */
async function bundle(pkg, outdir) {
  const { build } = await import("esbuild");
  const { metafile } = await build({
    entryPoints: [
      { in: www("home/home.ts"), out: "home" },
      { in: www("home/home.css"), out: "home" },
      { in: www("playground/main.ts"), out: "playground" },
      { in: www("playground/playground.css"), out: "playground" },
      { in: www("shared/fonts.css"), out: "fonts" }, // the guide's
      { in: www("playground/benches/dataset/worker.ts"), out: "dataset-worker" },
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
    assetNames: "[name]-[hash]",
    loader: { ".woff2": "file" },
    // Fonts and Shiki are installed beside what builds the guide.
    nodePaths: [www("site/node_modules")],
    tsconfigRaw: {}, // the paths in www/tsconfig.json lead to declarations
    // The package is imported as from node_modules, where ignored bare imports are intended.
    logOverride: { "ignored-bare-import": "silent" },
    metafile: true,
    plugins: [packageIn(pkg)],
  });
  return metafile.outputs;
}

/** Links that load the font of the page, and what its scripts import, before they ask for it. */
function preloads(outputs, sources) {
  const [main, ...first] = sources.map((source) => {
    const found = Object.keys(outputs).find((file) => outputs[file].entryPoint === source);
    if (!found) throw new TaskError(`${source} is not bundled.`);
    return found;
  });
  const files = new Set([main, ...first]);
  for (const file of files)
    for (const { path: next, kind } of outputs[file].imports)
      if (kind === "import-statement") files.add(next);
  files.delete(main); // which the page loads
  const font = Object.keys(outputs).find((file) => /geist-latin-wght-normal-\w+\.woff2$/.test(file));
  const address = (file) => `assets/${file.split("/").at(-1)}`;
  return [
    `<link rel="preload" href="${address(font)}" as="font" type="font/woff2" crossorigin />`,
    ...Array.from(files, (file) => `<link rel="modulepreload" href="${address(file)}" />`),
  ];
}

/**
 * Scripts and styles only come from this site; WebAssembly needs `wasm-unsafe-eval`. Models can be at any
 * address that the visitor enters, with TLS or on this machine. Reports are shown in a frame that inherits
 * this policy, so it also allows their script and style.
 */
async function policyOfPages(pkg) {
  const { script, style } = await hashesOfReport(pkg);
  return [
    "default-src 'none'",
    `script-src 'self' 'wasm-unsafe-eval' ${script}`,
    `style-src 'self' ${style}`,
    "img-src 'self' data: blob:",
    "font-src 'self'",
    "connect-src 'self' https: http://localhost:* http://127.0.0.1:*",
    "worker-src 'self'",
    "frame-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
  ].join("; ");
}

/** The hashes that the policy of a report allows. */
async function hashesOfReport(pkg) {
  const { evaluate, renderReport } = await import(join(pkg, "dist/evaluation.js"));
  const html = await renderReport(await evaluate(undefined, { data: [{ outputs: "" }] }));
  const hash = (kind) => new RegExp(`${kind}-src ('sha256-[^']+')`).exec(html)?.[1];
  const found = { script: hash("script"), style: hash("style") };
  if (!found.script || !found.style)
    throw new Error("The policy of reports does not name their script and style.");
  return found;
}
