/** Metro, which bundles React Native and Expo's web applications. */
import { mkdtemp, readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { join } from "node:path";
import { createContext, runInContext } from "node:vm";
import { expect, it } from "vitest";
import { here } from "./harness.js";

const { loadConfig, runBuild } = createRequire(import.meta.url)("metro");

/** Bundles `metro/index.js` for a platform, and runs it with only the given `globals`. */
async function bundled(platform: string, conditions: string[], globals: object) {
  const config = await loadConfig(
    { "max-workers": 1, "reset-cache": true },
    {
      projectRoot: join(here, "metro"),
      watchFolders: [here],
      reporter: { update() {} },
      resolver: {
        platforms: ["ios", "web"],
        nodeModulesPaths: [join(here, "node_modules")],
        unstable_conditionNames: conditions,
        useWatchman: false,
      },
      cacheStores: [],
      transformer: { getTransformOptions: async () => ({ transform: { experimentalImportSupport: true } }) },
    },
  );
  const out = join(await mkdtemp("/tmp/metro-"), "bundle.js");
  await runBuild(config, { entry: "index.js", out, platform, dev: false, minify: false });
  const context = createContext({ ...globals, console });
  // Expo has this replaced where an application asks for it; Metro leaves it.
  const code = (await readFile(out, "utf8")).replaceAll("import.meta.url", '"http://localhost:1/bundle.js"');
  // A context has WebAssembly even if `globals` does not.
  if (!("WebAssembly" in globals)) runInContext("delete globalThis.WebAssembly", context);
  runInContext(code, context);
  return { code, score: () => runInContext("score()", context) };
}

const web = { URL, fetch, Blob, Response, DecompressionStream, TextEncoder, TextDecoder, atob, performance };

it("bundles for the web, where the embedded copy scores", async () => {
  const { code, score } = await bundled("web", ["browser"], { ...web, WebAssembly });
  expect(code).not.toMatch(/\bimport\(/);
  expect(await score()).toEqual({ contains: true, levenshtein: 0.5 });
});

it("bundles for React Native, where the message says that Hermes has no WebAssembly", async () => {
  const { code, score } = await bundled("ios", ["react-native"], web);
  expect(code).not.toMatch(/\bimport\.meta\b|\bimport\(/);
  await expect(score()).rejects.toMatchObject({
    code: "load_failed",
    message: expect.stringContaining("React Native's Hermes"),
  });
});
