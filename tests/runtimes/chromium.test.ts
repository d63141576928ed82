import { copyFile, mkdir, readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import * as esbuild from "esbuild";
import type { Browser } from "playwright-core";
import { createServer, build as viteBuild } from "vite";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import webpack from "webpack";
import { expected, expectedOfSubpaths } from "./expected.js";
import { openChromium, serveFolder, visit } from "./harness.js";
import { installFixture } from "./install.js";

let browser: Browser;
beforeAll(async () => {
  browser = await openChromium();
});
afterAll(() => browser?.close());

/** Serves a folder for one visit. */
async function visitFolder(folder: string, page = "") {
  const server = await serveFolder(folder);
  try {
    return await visit(browser, server.url + page);
  } finally {
    server.close();
  }
}

/** A piece of the embedded copy of a binary. */
async function embeddedIn(folder: string, binary: string) {
  const file = join(folder, `node_modules/openevals-wasm/dist/${binary}-wasm-base64.js`);
  return (await readFile(file, "utf8")).slice(1000, 1100);
}

const mentionsBinary = (request: string) => /\.wasm|base64/.test(request);

describe("Chromium", () => {
  it("a plain module script scores, and asks for the binary only on first use", async () => {
    const folder = installFixture("bundled", "plain");
    const { scores, before, after } = await visitFolder(folder, "plain.html");
    expect(scores).toEqual(expected);
    expect(before.filter(mentionsBinary)).toEqual([]);
    expect(after.filter(mentionsBinary)).toEqual(
      ["openevals", "openevals-judges"].map((name) => `200 /node_modules/openevals-wasm/dist/${name}.wasm`),
    );
    // Code for rare uses, such as models of other packages, is loaded then.
    const scripts = after.filter((request) => !mentionsBinary(request));
    expect(scripts.length).toBeGreaterThan(0);
    for (const script of scripts) expect(script).toMatch(/^200 .+\.js$/);
  });

  it("a link with rel=preload or preload() brings the binary, and it is asked for once", async () => {
    const folder = installFixture("bundled", "preloaded");
    const { before, after, scores } = await visitFolder(folder, "preloaded.html");
    expect(scores).toEqual({ key: "levenshtein_distance", score: 0.5 });
    const binaries = ["openevals", "openevals-judges"].map(
      (name) => `200 /node_modules/openevals-wasm/dist/${name}.wasm`,
    );
    expect(before.filter(mentionsBinary).sort()).toEqual(binaries.sort());
    expect(after.filter(mentionsBinary)).toEqual([]);
  });

  it("Vite's development server scores", async () => {
    const root = installFixture("bundled", "vite-dev");
    const server = await createServer({ root, logLevel: "silent", server: { host: "127.0.0.1", port: 0 } });
    try {
      await server.listen();
      const { scores, before } = await visit(browser, server.resolvedUrls?.local[0] ?? "");
      expect(scores).toEqual(expected);
      expect(before.join()).toContain("/node_modules/.vite/deps/openevals-wasm.js"); // the optimiser is on
      expect(before.filter(mentionsBinary)).toEqual([]);

      const subpaths = await visit(browser, `${server.resolvedUrls?.local[0]}subpaths.html`);
      expect(subpaths.scores).toEqual(expectedOfSubpaths);
    } finally {
      await server.close();
    }
  });

  it("Vite's build scores", async () => {
    const root = installFixture("bundled", "vite-build");
    const input = ["index.html", "subpaths.html"].map((page) => join(root, page));
    await viteBuild({ root, logLevel: "silent", build: { rollupOptions: { input } } });
    const { scores, before, after } = await visitFolder(join(root, "dist"));
    expect(scores).toEqual(expected);
    expect(before.filter(mentionsBinary)).toEqual([]);
    const binary = after.filter(mentionsBinary);
    expect(binary).toEqual([
      expect.stringMatching(/^200 \/assets\/openevals-.+\.wasm$/),
      expect.stringMatching(/^200 \/assets\/openevals-judges-.+\.wasm$/),
    ]);

    const subpaths = await visitFolder(join(root, "dist"), "subpaths.html");
    expect(subpaths.scores).toEqual(expectedOfSubpaths);
    const all = subpaths.after.filter(mentionsBinary);
    // Nothing of theirs compares values or texts.
    const others = ["judges", "statistics", "metrics"].map((name) =>
      expect.stringMatching(new RegExp(`^200 /assets/openevals-${name}-.+\\.wasm$`)),
    );
    expect(all).toEqual(others);
  });

  it("webpack's production build scores", async () => {
    const context = installFixture("bundled", "webpack");
    const path = join(context, "dist");
    const entry = { main: "./main.js", subpaths: "./subpaths.js" };
    const compiler = webpack({ mode: "production", context, entry, output: { path } });
    const stats = await new Promise<webpack.Stats | undefined>((done, fail) =>
      compiler?.run((error, result) => (error ? fail(error) : done(result))),
    );
    expect(stats?.toJson({ errors: true }).errors).toEqual([]);
    for (const page of ["index.html", "subpaths.html"]) await copyFile(join(context, page), join(path, page));

    const { scores, before, after } = await visitFolder(path);
    expect(scores).toEqual(expected);
    expect(before).toEqual(["200 /", "200 /main.js"]);
    const binary = after.filter(mentionsBinary);
    const found = expect.stringMatching(/^200 \/[0-9a-f]+\.wasm$/);
    expect(binary).toEqual([found, found]);

    const subpaths = await visitFolder(path, "subpaths.html");
    expect(subpaths.scores).toEqual(expectedOfSubpaths);
    const all = subpaths.after.filter(mentionsBinary);
    expect(all).toEqual([found, found, found]);
    // Minimizing takes most of a minute on a busy machine. With less time, it would be done twice.
  }, 240_000);

  it("esbuild's single file scores with nothing beside it", async () => {
    const folder = installFixture("bundled", "esbuild");
    const out = join(folder, "dist");
    const { warnings } = await esbuild.build({
      entryPoints: ["main.js", "subpaths.js"].map((file) => join(folder, file)),
      outdir: out,
      bundle: true,
      format: "esm",
    });
    expect(warnings).toEqual([]);
    expect(await readdir(out)).toEqual(["main.js", "subpaths.js"]);
    for (const page of ["index.html", "subpaths.html"]) await copyFile(join(folder, page), join(out, page));

    const { scores, after } = await visitFolder(out);
    expect(scores).toEqual(expected);
    // Looked for beside the bundle; then the embedded copies are taken.
    expect(after).toEqual(["404 /openevals.wasm", "404 /openevals-judges.wasm"]);
    const holdsMetrics = async (file: string) =>
      (await readFile(join(out, file), "utf8")).includes(await embeddedIn(folder, "openevals-metrics"));
    expect(await Promise.all(["main.js", "subpaths.js"].map(holdsMetrics))).toEqual([false, true]);
    expect((await visitFolder(out, "subpaths.html")).scores).toEqual(expectedOfSubpaths);
  });

  it("esbuild's classic script scores, where import.meta does not exist", async () => {
    const folder = installFixture("bundled", "esbuild-classic");
    const out = join(folder, "dist");
    await esbuild.build({
      entryPoints: [join(folder, "main.js")],
      outfile: join(out, "main.js"),
      bundle: true,
      format: "iife",
      logLevel: "silent", // esbuild warns of import.meta, which the package copes with
    });
    await copyFile(join(folder, "index.html"), join(out, "index.html"));
    expect((await visitFolder(out)).scores).toEqual(expected);
  });

  it("esbuild with the slim entry point scores from the caller's module and embeds nothing", async () => {
    const folder = installFixture("bundled", "esbuild-slim");
    const out = join(folder, "dist");
    await esbuild.build({
      entryPoints: [join(folder, "slim.js")],
      outfile: join(out, "main.js"),
      bundle: true,
      format: "esm",
    });
    const bundled = await readFile(join(out, "main.js"), "utf8");
    for (const binary of ["openevals", "openevals-judges", "openevals-metrics", "openevals-statistics"])
      expect(bundled).not.toContain(await embeddedIn(folder, binary));
    await copyFile(join(folder, "index.html"), join(out, "index.html"));
    await mkdir(join(out, "some-folder"));
    await copyFile(
      join(folder, "node_modules/openevals-wasm/dist/openevals.wasm"),
      join(out, "some-folder/scores.wasm"),
    );
    await copyFile(
      join(folder, "node_modules/openevals-wasm/dist/openevals-judges.wasm"),
      join(out, "some-folder/judges.wasm"),
    );

    const { scores, after } = await visitFolder(out);
    expect(scores).toEqual(expected);
    expect(after).toEqual(["200 /some-folder/scores.wasm", "200 /some-folder/judges.wasm"]);
  });
});

describe("Chromium, when the binary does not arrive", () => {
  const use = 'openevals.levenshteinDistance({ outputs: "ab", referenceOutputs: "ac" })';
  const tell =
    "(error) => ({ known: error instanceof openevals.OpenEvalsError, code: error.code, message: error.message })";
  let server: { url: string; close: () => void };
  beforeAll(async () => {
    server = await serveFolder(installFixture("bundled", "failing"));
  });
  afterAll(() => server?.close());

  it("an HTML page with status 200 in its place makes it use the embedded copy", async () => {
    const page = await browser.newPage();
    await page.route("**/*.wasm", (route) =>
      route.fulfill({ status: 200, contentType: "text/html", body: "<!doctype html>" }),
    );
    await page.goto(`${server.url}plain.html`);
    expect(await page.evaluate(use)).toEqual({ key: "levenshtein_distance", score: 0.5 });
    await page.close();
  });

  it("the error names the file and the answer, and the next call tries again", async () => {
    const page = await browser.newPage();
    await page.goto(`${server.url}plain.html`);
    await page.route("**/*.wasm", (route) => route.fulfill({ status: 500, body: "out of order" }));
    await page.route("**/*base64*", (route) => route.abort());

    const error = await page.evaluate(`${use}.catch(${tell})`);
    expect(error).toEqual({ known: true, code: "load_failed", message: expect.any(String) });
    const { message } = error as { message: string };
    expect(message).toContain("/node_modules/openevals-wasm/dist/openevals.wasm");
    expect(message).toContain("500");

    await page.unroute("**/*.wasm");
    await page.unroute("**/*base64*");
    expect(await page.evaluate(use)).toEqual({ key: "levenshtein_distance", score: 0.5 });
    await page.close();
  });

  it("a policy that forbids it is named, with what to add to it", async () => {
    const page = await browser.newPage();
    await page.route("**/plain.html", async (route) => {
      const response = await route.fetch();
      const policy = "script-src 'self' 'unsafe-inline'";
      await route.fulfill({
        response,
        headers: { ...response.headers(), "content-security-policy": policy },
      });
    });
    await page.goto(`${server.url}plain.html`);
    const error = await page.evaluate(`${use}.catch(${tell})`);
    expect(error).toEqual({
      known: true,
      code: "load_failed",
      message: expect.stringContaining("add 'wasm-unsafe-eval' to its script-src"),
    });
    await page.close();
  });

  it("the same in the words of Firefox, which do not name the directive", async () => {
    const page = await browser.newPage();
    await page.addInitScript(() => {
      WebAssembly.instantiate = () =>
        Promise.reject(new WebAssembly.CompileError("call to WebAssembly.instantiate() blocked by CSP"));
    });
    await page.goto(`${server.url}plain.html`);
    expect(await page.evaluate(`${use}.catch(${tell})`)).toEqual({
      known: true,
      code: "load_failed",
      message: expect.stringContaining("add 'wasm-unsafe-eval' to its script-src"),
    });
    await page.close();
  });

  it("20 first uses at once ask for it once", async () => {
    const page = await browser.newPage();
    const asked: string[] = [];
    page.on("request", (request) => {
      if (mentionsBinary(request.url())) asked.push(new URL(request.url()).pathname);
    });
    await page.goto(`${server.url}plain.html`);
    const results = await page.evaluate(`Promise.all(Array.from({ length: 20 }, () => ${use}))`);
    expect(results).toEqual(Array.from({ length: 20 }, () => ({ key: "levenshtein_distance", score: 0.5 })));
    expect(asked).toEqual(["/node_modules/openevals-wasm/dist/openevals.wasm"]);
    await page.close();
  });
});
