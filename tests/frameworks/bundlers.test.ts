/** Bundlers that the tests of the runtimes do not have. */
import { mkdtemp } from "node:fs/promises";
import { createRequire } from "node:module";
import { join } from "node:path";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import webpack from "webpack";
import { openChromium, serveFolder, visit } from "../runtimes/harness.js";
import { clean, here, program, runNode } from "./harness.js";

const { rspack } = createRequire(import.meta.url)("@rspack/core");
const result = { key: "exact_match", score: true };

let browser: Browser;
beforeAll(async () => {
  browser = await openChromium();
});
afterAll(() => browser?.close());

it.each([
  ["webpack", webpack],
  ["Rspack", rspack],
])("%s warns of nothing, whatever is imported", async (_, bundler) => {
  const entries = [
    "",
    "/slim",
    "/llm",
    "/utils",
    "/prompts",
    "/recipes",
    "/evaluation",
    "/text",
    "/code/typescript",
    "/code/e2b",
    "/code/python",
  ];
  const compiler = bundler({
    mode: "production",
    context: here,
    entry: entries.map((entry) => `openevals-wasm${entry}`),
    output: { path: await mkdtemp("/tmp/bundled-") },
    performance: false,
  });
  const stats: any = await new Promise((done, fail) =>
    compiler.run((error: unknown, stats: unknown) => (error ? fail(error) : done(stats))),
  );
  const { errors, warnings } = stats.toJson();
  expect([...errors, ...warnings]).toEqual([]);
});

it("Vite 7 builds a module worker in the format es", async () => {
  await clean("vite-worker", ".dist");
  await runNode([program("vite/bin/vite.js"), "build", "--outDir", ".dist"], "vite-worker");
  expect(await scoresOf("vite-worker/.dist")).toEqual(result);
});

async function scoresOf(folder: string): Promise<unknown> {
  const server = await serveFolder(join(here, folder));
  try {
    return (await visit(browser, server.url)).scores;
  } finally {
    server.close();
  }
}
