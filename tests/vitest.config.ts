import { rmSync } from "node:fs";
import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";
import { path } from "../xtask/run.mjs";

/**
 * Deno's cache of compiled code, empty at the start: it takes a file that was built again for the one before
 * if both have the same length, as modules do in which only the hashes of their imports differ.
 */
const denoCache = path("target/deno");
rmSync(denoCache, { recursive: true, force: true });

/**
 * Node reads additional certificates whenever it starts, which takes longer than most programs of the tests. Only tests that
 * install packages from the registry need them.
 */
const WITHOUT_CERTIFICATES = { NODE_EXTRA_CA_CERTS: "" };

/** One project for each folder, so that `npx vitest run --project api` runs one of them. */
const project = (name: string, options = {}) => ({
  test: {
    name,
    root: import.meta.dirname,
    include: [`${name}/**/*.test.ts`],
    // Much longer than anything takes on a quiet machine.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 30_000 } },
    // Builds of other tools, browsers and servers fail now and then. `npm test` lists the tests that needed a
    // second try.
    retry: 1,
    env: { DENO_DIR: denoCache, ...WITHOUT_CERTIFICATES },
    ...options,
  },
});

/** Files run in one process for each core: starting one and loading packages takes longer than most of them. */
const shared = { isolate: false };

export default defineConfig({
  test: {
    // More than there are cores, since many tests wait for a process, a server or a page.
    maxWorkers: Math.ceil(1.5 * availableParallelism()),
    projects: [
      project("api", shared),
      project("engine", { testTimeout: 400_000 }),
      project("recipes", shared),
      project("rag", shared),
      project("agents", shared),
      project("harness", shared),
      project("parity", { ...shared, testTimeout: 120_000 }),
      project("providers", shared),
      project("clients", shared),
      project("langgraph"),
      project("readmes", shared),
      project("guide"),
      project("evaluation", shared),
      project("otel", shared),
      project("interop", { ...shared, testTimeout: 120_000 }),
      project("bullmq"),
      // Sandboxes install packages from the registry.
      project("code", { testTimeout: 300_000, hookTimeout: 300_000, env: { DENO_DIR: denoCache } }),
      project("langsmith"),
      project("vitest-matcher"),
      project("types", { testTimeout: 120_000 }),
      project("browser", { ...shared, globalSetup: ["browser/build.ts", "chromium.ts"] }),
      project("report", { ...shared, globalSetup: "chromium.ts" }),
      project("cli", shared),
      project("runtimes", { globalSetup: ["runtimes/install.ts", "chromium.ts"] }),
      project("frameworks", { globalSetup: "frameworks/install.ts" }),
      project("examples", { ...shared, globalSetup: "chromium.ts" }),
    ],
  },
});
