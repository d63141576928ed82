/** Bundlers that the tests of the runtimes do not have. */
import { mkdtemp } from "node:fs/promises";
import { createRequire } from "node:module";
import { expect, it } from "vitest";
import webpack from "webpack";
import { here } from "./harness.js";

const { rspack } = createRequire(import.meta.url)("@rspack/core");

it.each([
  ["webpack", webpack],
  ["Rspack", rspack],
])("%s warns of nothing, whatever is imported", async (_, bundler) => {
  const entries = [
    "openevals-wasm",
    "openevals-wasm/slim",
    "openevals-wasm/llm",
    "openevals-wasm/utils",
    "openevals-wasm/prompts",
    "openevals-wasm/recipes",
    "openevals-wasm/evaluation",
    "openevals-wasm/text",
    "openevals-wasm/code/typescript",
    "openevals-wasm/code/e2b",
    "openevals-wasm/code/python",
  ];
  const compiler = bundler({
    mode: "production",
    context: here,
    entry: entries,
    output: { path: await mkdtemp("/tmp/bundled-") },
    performance: false,
  });
  const stats: any = await new Promise((done, fail) =>
    compiler.run((error: unknown, stats: unknown) => (error ? fail(error) : done(stats))),
  );
  const { errors, warnings } = stats.toJson();
  expect([...errors, ...warnings]).toEqual([]);
});
