/** Nitro, which Nuxt and others deploy with, for the runtimes at the edge: with `experimental: { wasm: true }`. */
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { Miniflare } from "miniflare";
import { expect, it } from "vitest";
import { run, tool } from "../runtimes/harness.js";
import { clean, here, program, runNode } from "./harness.js";

/** Every binary has scored. */
const result = { exact: { key: "exact_match", score: true }, text: 1, retrieval: 1, evaluation: 0.5 };
const output = join(here, "nitro/.output");

const build = async (preset: string) => {
  await clean("nitro", ".output", ".netlify", ".nitro", ".public");
  return runNode([program("nitropack/dist/cli/index.mjs"), "build", "--preset", preset], "nitro");
};

it("scores on Cloudflare", async () => {
  await build("cloudflare_module");
  const root = join(output, "server");
  const files = (await readdir(root, { recursive: true })).map((file) => join(root, file));
  const worker = new Miniflare({
    modulesRoot: root,
    modules: [
      { type: "ESModule" as const, path: join(root, "index.mjs") },
      ...files
        .filter((file) => /\.m?js$/.test(file) && !file.endsWith("server/index.mjs"))
        .map((path) => ({ type: "ESModule" as const, path })),
      ...files
        .filter((file) => file.endsWith(".wasm"))
        .map((path) => ({ type: "CompiledWasm" as const, path })),
    ],
    compatibilityDate: "2025-01-01",
    compatibilityFlags: ["nodejs_compat"],
  });
  try {
    const response = await worker.dispatchFetch("http://localhost/score");
    expect(await response.json()).toEqual(result);
  } finally {
    await worker.dispose();
  }
});

it("scores on Netlify's edge, which is Deno", async () => {
  await build("netlify-edge");
  const server = join(here, "nitro/.netlify/edge-functions/server/server.js");
  const script = `
    const { default: handler } = await import(${JSON.stringify(server)});
    const response = await handler(new Request("http://localhost/score"), {});
    console.log(await response.text());`;
  const printed = await run(tool(".bin/deno"), ["eval", script], here);
  expect(JSON.parse(printed)).toEqual(result);
});
