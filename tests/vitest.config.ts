import { rmSync } from "node:fs";
import { defineConfig } from "vitest/config";
import { path } from "../xtask/run.mjs";

/**
 * Deno's cache of compiled code, empty at the start: it takes a file that was built again for the one before
 * if both have the same length, as modules do in which only the hashes of their imports differ.
 */
const denoCache = path("target/deno");
rmSync(denoCache, { recursive: true, force: true });

/** One project for each folder, so that `npx vitest run --project api` runs one of them. */
const project = (name: string, options = {}) => ({
  test: {
    name,
    root: import.meta.dirname,
    include: [`${name}/**/*.test.ts`],
    testTimeout: 20_000,
    env: { DENO_DIR: denoCache },
    ...options,
  },
});

/** Files run in one process for each core: starting one and loading packages takes longer than most of them. */
const shared = { isolate: false };

export default defineConfig({
  test: {
    // All cores: by default one is left alone, which would be half of a machine with two.
    maxWorkers: "100%",
    projects: [
      project("api"),
      project("engine", { testTimeout: 400_000 }),
      project("recipes", shared),
      project("rag", shared),
      project("agents", { testTimeout: 60_000 }),
      project("harness"),
      project("parity", { ...shared, testTimeout: 120_000 }),
      // A thousand requests at once take their time on a busy machine.
      project("providers", { ...shared, testTimeout: 60_000, expect: { poll: { timeout: 30_000 } } }),
      project("clients"),
      project("langgraph"),
      project("readmes"),
      project("guide"),
      project("evaluation", shared),
      project("otel", shared),
      project("interop", { testTimeout: 120_000 }),
      // Servers and workers are processes, and locks run out.
      project("bullmq", { testTimeout: 60_000, expect: { poll: { timeout: 30_000 } } }),
      // Sandboxes install packages from the registry.
      project("code", { testTimeout: 300_000, hookTimeout: 300_000 }),
      project("langsmith", { testTimeout: 60_000 }),
      project("vitest-matcher", { testTimeout: 60_000 }),
      project("types", { testTimeout: 120_000 }),
      project("browser", {
        globalSetup: "browser/build.ts",
        // Loading what drives Chromium takes longer than most tests.
        isolate: false,
        expect: { poll: { timeout: 10_000 } },
      }),
      project("report"),
      project("cli"),
      project("runtimes", {
        globalSetup: "runtimes/install.ts",
        // Bundling and starting browsers take seconds.
        testTimeout: 60_000,
        hookTimeout: 60_000,
      }),
      project("frameworks", { globalSetup: "frameworks/install.ts" }),
      project("examples", { expect: { poll: { timeout: 10_000 } } }),
    ],
  },
});
