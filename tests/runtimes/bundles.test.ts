/**
 * A bundle has only the code that it uses: one export, with three bundlers, run in Chromium and in workerd.
 */
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import * as esbuild from "esbuild";
import type { Browser } from "playwright-core";
import { build as viteBuild } from "vite";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import webpack from "webpack";
import { BUNDLES } from "../../xtask/sizes.mjs";
import { startWorker, WORKER_BUNDLERS } from "./edge-hosts.js";
import { openChromium, run, serveFolder } from "./harness.js";
import { installFixture } from "./install.js";

/** An import, a call of it as `used`, its result, and the files of the engine that it loads. */
const ROWS = [
  ['import { contains } from "openevals-wasm/checks";', `used("a")({ outputs: "a" })`, { score: true }, []],
  ['import { noPII } from "openevals-wasm/checks";', `used()({ outputs: "a@b.org" })`, { score: false }, []],
  [
    'import { matches } from "openevals-wasm/checks";',
    `used(/^a+$/)({ outputs: "aa" })`,
    { score: true },
    [],
  ],
  [
    'import { exactMatch } from "openevals-wasm";',
    "used({ a: 1, b: 2 }, { b: 1, a: 2 })",
    { score: false },
    ["openevals"],
  ],
  [
    'import { levenshteinDistance } from "openevals-wasm";',
    `used("ab", "ac")`,
    { score: 0.5 },
    ["openevals"],
  ],
  [
    'import { createTrajectoryMatchEvaluator } from "openevals-wasm";',
    `used()({
      outputs: [{ role: "assistant", content: "", tool_calls: [{ name: "f", args: { a: 1, b: 2 } }] }],
      referenceOutputs: [{ role: "assistant", content: "", tool_calls: [{ name: "f", args: { b: 2, a: 1 } }] }],
    })`,
    { score: true },
    ["openevals"],
  ],
  [
    'import { createJsonMatchEvaluator } from "openevals-wasm";',
    `used({ aggregator: "all" })({ outputs: { a: 1 }, referenceOutputs: { a: 1 } })`,
    [{ score: 1 }],
    // Without a rubric, nothing of judges is loaded.
    ["openevals"],
  ],
  [
    'import { ndcg } from "openevals-wasm/retrieval";',
    `used(["a"], { a: 1 })`,
    { score: 1 },
    ["openevals-metrics"],
  ],
  [
    'import { bleu } from "openevals-wasm/text";',
    `used("a b c d", "a b c d")`,
    { score: 1 },
    ["openevals-metrics"],
  ],
  [
    'import { createLLMAsJudge } from "openevals-wasm";',
    `used({ prompt: "{outputs}", judge: () => ({ score: true, reasoning: "" }) })({ outputs: "a" })`,
    { score: true },
    ["openevals-judges"],
  ],
  [
    'import { CONCISENESS_PROMPT } from "openevals-wasm";',
    "Promise.resolve({ length: used.length > 100 })",
    { length: true },
    [],
  ],
  [
    'import { evaluate } from "openevals-wasm/evaluation";',
    `used(undefined, { data: [{ outputs: "a" }], evaluators: [() => ({ key: "k", score: 1 })], progress: false })
      .then(({ aggregates }) => ({ mean: aggregates.k.mean }))`,
    { mean: 1 },
    ["openevals-statistics"],
  ],
] as const;

const CASES = ROWS.map(([line, ...rest]) => {
  const [, name, entry] = /\{ (\w+) \} from "(.+)"/.exec(line) as unknown as [string, string, string];
  return [name, entry, ...rest] as const;
});

/** The budgets hold for esbuild. Of some bundles, webpack or Vite adds its loader: how much, gzipped. */
const LOADERS: Record<string, number> = { matches: 850, ndcg: 1_150 };

const bundleOf = (name: string) => BUNDLES.find((bundle) => bundle.name === name) as (typeof BUNDLES)[number];

const sizeOf = (text: string) => gzipSync(text, { level: 9 }).length;

let folder: string;
let browser: Browser;
beforeAll(async () => {
  folder = installFixture("bundled", "bundles");
  browser = await openChromium();
  for (const [name, entry] of CASES) {
    const code = `import { ${name} } from "${entry}";\nglobalThis.used = ${name};\n`;
    await writeFile(join(folder, `${name}.js`), code);
    await writeFile(join(folder, `${name}.html`), `<script type="module" src="./${name}.js"></script>`);
  }
});
afterAll(() => browser?.close());

/**
 * Only what a page loads at start-up counts, so webpack's minimizer, which takes most of the time, skips the rest.
 * `chromium.test.ts` runs such code minimized.
 */
const minimizedAtStart: webpack.WebpackPluginInstance = {
  apply({ hooks }) {
    const name = "minimized at start";
    const stage = webpack.Compilation.PROCESS_ASSETS_STAGE_OPTIMIZE_SIZE - 1;
    hooks.compilation.tap(name, (compilation) =>
      compilation.hooks.processAssets.tap({ name, stage }, () => {
        const later = [...compilation.chunks].filter((chunk) => !chunk.canBeInitial());
        for (const file of later.flatMap(({ files }) => [...files]))
          compilation.updateAsset(file, (source) => source, { minimized: true });
      }),
    );
  },
};

/** Bundles a case into its own folder, with a page. */
const BUNDLERS: Record<string, (name: string, out: string) => Promise<unknown>> = {
  esbuild: (name, out) =>
    esbuild.build({
      entryPoints: [join(folder, `${name}.js`)],
      outdir: out,
      bundle: true,
      splitting: true,
      minify: true,
      format: "esm",
    }),
  Vite: (name, out) =>
    viteBuild({
      root: folder,
      logLevel: "silent",
      build: { outDir: out, modulePreload: false, rollupOptions: { input: join(folder, `${name}.html`) } },
    }),
  webpack: (name, out) =>
    new Promise((done, fail) =>
      webpack({
        mode: "production",
        context: folder,
        entry: { [name]: `./${name}.js` },
        output: { path: out, assetModuleFilename: "[name][ext]" },
        plugins: [minimizedAtStart],
        performance: false,
      })?.run((error, stats) =>
        error || stats?.hasErrors() ? fail(error ?? stats?.toString()) : done(stats),
      ),
    ),
};

describe.each(Object.keys(BUNDLERS))("%s", (bundler) => {
  it.each(CASES)("%s%s", async (name, _entry, call, result, loaded) => {
    const out = join(folder, "out", bundler, name);
    await mkdir(out, { recursive: true });
    await BUNDLERS[bundler]?.(name, out);
    if (!(await readdir(out)).includes(`${name}.html`))
      await writeFile(join(out, `${name}.html`), `<script type="module" src="./${name}.js"></script>`);
    // esbuild leaves these behind.
    if (bundler === "esbuild")
      for (const binary of loaded)
        await writeFile(
          join(out, `${binary}.wasm`),
          await readFile(join(folder, `node_modules/openevals-wasm/dist/${binary}.wasm`)),
        );

    const server = await serveFolder(out);
    const page = await browser.newPage();
    try {
      const scripts: Promise<string>[] = [];
      const engines: string[] = [];
      page.on("response", (response) => {
        const { pathname } = new URL(response.url());
        if (pathname.endsWith(".js")) scripts.push(response.text());
        // Vite adds a hash to the name.
        const [, engine] = /([^/]+?)(?:-[\w-]{8})?\.wasm$/.exec(pathname) ?? [];
        if (engine) engines.push(`${engine} ${response.status()}`);
      });
      await page.goto(`${server.url}${name}.html`);
      const texts = await Promise.all(scripts);
      expect(texts.length).toBeGreaterThan(0);
      expect(engines).toEqual([]);
      expect(texts.reduce((sum, text) => sum + sizeOf(text), 0)).toBeLessThan(
        bundleOf(name).budget + (LOADERS[name] ?? 0),
      );
      expect(await page.evaluate(call)).toMatchObject(result);
      expect(engines).toEqual(loaded.map((engine) => `${engine} 200`));
      // The code loaded on use: a page that closes while a text is read rejects it.
      await Promise.all(scripts);
    } finally {
      await page.close();
      server.close();
    }
  });
});

/** The result of a worker, and the binaries that are deployed with it. */
async function deployed(name: string, code: string, bundler?: string) {
  const file = `${name}-worker.js`;
  await writeFile(join(folder, file), code);
  const { worker, binaries } = await startWorker(folder, file, {}, bundler);
  try {
    const response = await worker.dispatchFetch("http://localhost/");
    return { result: await response.json(), binaries };
  } finally {
    await worker.dispose();
  }
}

const answering = (call: string) => `export default { fetch: async () => Response.json(await ${call}) };\n`;

describe.each(Object.keys(WORKER_BUNDLERS))("workerd, %s", (bundler) => {
  it.each(CASES)("%s%s", async (name, _entry, call, result, loaded) => {
    const worker = await deployed(name, `import "./${name}.js";\n${answering(call)}`, bundler);
    expect(worker.result).toMatchObject(result);
    // All that the entry point can load is deployed.
    expect(worker.binaries).toEqual(expect.arrayContaining(loaded.map((binary) => `${binary}.wasm`)));
  });
});

const OF_SLIM = CASES.filter(([, entry, , , loaded]) => entry === "openevals-wasm" && loaded.length);

it.each(OF_SLIM)("workerd: %s of slim, only with its own binary", async (name, _entry, call, result, [
  binary,
]) => {
  const code = `import binary from "openevals-wasm/${binary}.wasm";
    import { init, ${name} as used } from "openevals-wasm/slim";
    init({ ${binary === "openevals" ? "scores" : "judges"}: binary });
    ${answering(call)}`;
  const worker = await deployed(`${name}-slim`, code);
  expect(worker.result).toMatchObject(result);
  expect(worker.binaries).toEqual([`${binary}.wasm`]);
});

it("a bundle with /vitest has the matchers that it adds to expect", async () => {
  await writeFile(join(folder, "matchers.js"), `import "openevals-wasm/vitest";\n`);
  const outfile = join(folder, "out/matchers.mjs");
  await esbuild.build({
    entryPoints: [join(folder, "matchers.js")],
    outfile,
    bundle: true,
    format: "esm",
    platform: "node",
    banner: {
      js: "globalThis.expect = { extend: (matchers) => console.log(Object.keys(matchers).join()) };",
    },
  });
  expect(await run(process.execPath, [outfile], folder)).toBe("toPassEvaluator\n");
});
