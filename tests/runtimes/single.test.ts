/** Where a bundle has to be one script: classic workers, service workers, extensions. */
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import * as esbuild from "esbuild";
import { build as viteBuild } from "vite";
import { beforeAll, describe, expect, it } from "vitest";
import { answerOfWorker } from "./edge-hosts.js";
import { expected } from "./expected.js";
import { openChromium, run, serveFolder, visit } from "./harness.js";
import { installFixture } from "./install.js";

describe.each(["openevals-wasm/single", "openevals-wasm/slim"])("%s", (entry) => {
  let folder: string;
  beforeAll(() => {
    folder = installFixture("bundled", `no-import-${basename(entry)}`);
  });

  it.each([
    ["a browser", ["browser"]],
    ["workerd", ["workerd", "worker", "browser"]],
    ["Vercel Edge", ["edge-light", "worker", "browser"]],
  ])("has no import(), for %s", async (_, conditions) => {
    const { metafile } = await esbuild.build({
      stdin: { contents: `export * from "${entry}";`, resolveDir: folder },
      write: false,
      outdir: join(folder, "out"),
      bundle: true,
      format: "esm",
      conditions,
      external: ["*.wasm", "*.wasm?module"],
      metafile: true,
    });
    const imports = Object.values(metafile.inputs).flatMap((input) => input.imports);
    expect(imports.length).toBeGreaterThan(0);
    expect(imports.filter(({ kind }) => kind === "dynamic-import")).toEqual([]);
  });
});

describe("openevals-wasm/single", () => {
  it("scores in a Worker in Vite's default format, which cannot have chunks", async () => {
    const root = installFixture("bundled", "script-worker");
    const input = join(root, "script-worker.html");
    await viteBuild({ root, logLevel: "silent", build: { rollupOptions: { input } } });
    const browser = await openChromium();
    const server = await serveFolder(join(root, "dist"));
    try {
      const { scores, after } = await visit(browser, `${server.url}script-worker.html`);
      expect(scores).toEqual(expected);
      expect(after.filter((request) => /wasm|base64/.test(request))).toEqual([]);
    } finally {
      server.close();
      await browser.close();
    }
  });

  it("scores in a service worker", async () => {
    const folder = installFixture("bundled", "service-worker");
    const out = join(folder, "out");
    await mkdir(out);
    await esbuild.build({
      entryPoints: [join(folder, "service-worker.js")],
      outfile: join(out, "service-worker.js"),
      bundle: true,
      format: "iife",
    });
    expect(await readdir(out)).toEqual(["service-worker.js"]);
    await writeFile(join(out, "index.html"), await readFile(join(folder, "service-worker.html")));
    const browser = await openChromium();
    const server = await serveFolder(out);
    try {
      expect((await visit(browser, server.url)).scores).toEqual(expected);
    } finally {
      server.close();
      await browser.close();
    }
  });

  it("scores in workerd with the module that is deployed", async () => {
    const folder = installFixture("bundled", "single-workerd");
    expect(await answerOfWorker(folder, "single-worker.js")).toEqual({
      answer: expected,
      binaries: ["openevals-judges.wasm", "openevals.wasm"],
    });
  });

  it.each(["import", "require"])("scores in Node, by %s", async (how) => {
    const folder = installFixture("bundled", `single-node-${how}`);
    const load = how === "import" ? 'import("openevals-wasm/single")' : 'require("openevals-wasm/single")';
    const script = `Promise.all([${load}, import("./probe.mjs")]).then(async ([openevals, { probe }]) =>
      console.log(JSON.stringify(await probe(openevals))))`;
    const args = [how === "import" ? "--input-type=module" : "--input-type=commonjs", "-e", script];
    expect(JSON.parse(await run(process.execPath, args, folder))).toEqual(expected);
  });
});

it("a runtime without WebAssembly gets an explanation", async () => {
  const folder = installFixture("bundled", "without-wasm");
  const script = `
    import { exactMatch, levenshteinDistance } from "openevals-wasm";
    const error = await levenshteinDistance({ outputs: "ab", referenceOutputs: "ac" }).catch((error) => error);
    console.log(JSON.stringify({ code: error.code, message: error.message }));`;
  const printed = await run(process.execPath, ["--jitless", "--input-type=module", "-e", script], folder);
  expect(JSON.parse(printed)).toEqual({
    code: "load_failed",
    message: expect.stringContaining(
      "like React Native's Hermes, lacks WebAssembly, which openevals.wasm needs",
    ),
  });
});
