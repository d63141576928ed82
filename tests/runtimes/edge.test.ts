/** Cloudflare Workers (workerd) and the Edge runtime: both forbid compiling, so they get a module compiled before. */
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { basename, join, resolve } from "node:path";
import { EdgeVM } from "@edge-runtime/vm";
import * as esbuild from "esbuild";
import { Miniflare } from "miniflare";
import { describe, expect, it } from "vitest";
import { expected, expectedOfSubpaths } from "./expected.js";
import { installFixture } from "./harness.js";

describe("workerd", () => {
  it.each([
    ["worker.js", expected, ["openevals.wasm"]],
    ["subpaths-worker.js", expectedOfSubpaths, ["openevals-metrics.wasm", "openevals.wasm"]],
  ])("%s scores when bundled as wrangler does it", async (file, wanted, binaries) => {
    const folder = await installFixture("bundled", `workerd-${file}`);
    const out = join(folder, "out");
    await mkdir(out);
    // wrangler copies each imported .wasm beside the bundle and declares it as a compiled module.
    const compiled: { type: "CompiledWasm"; path: string }[] = [];
    const wasmModules: esbuild.Plugin = {
      name: "wasm-modules",
      setup(build) {
        build.onResolve({ filter: /\.wasm(\?module)?$/ }, async ({ path, resolveDir }) => {
          const source = resolve(resolveDir, path.replace(/\?module$/, ""));
          const copy = join(out, basename(source));
          await writeFile(copy, await readFile(source));
          compiled.push({ type: "CompiledWasm", path: copy });
          return { path: `./${basename(source)}`, external: true };
        });
      },
    };
    await esbuild.build({
      entryPoints: [join(folder, file)],
      outfile: join(out, "worker.js"),
      bundle: true,
      format: "esm",
      conditions: ["workerd", "worker", "browser"],
      plugins: [wasmModules],
    });
    // Who does not use the metrics does not deploy them.
    expect(compiled.map(({ path }) => basename(path)).sort()).toEqual(binaries);

    const worker = new Miniflare({
      modulesRoot: out,
      modules: [{ type: "ESModule", path: join(out, "worker.js") }, ...compiled],
      compatibilityDate: "2025-01-01",
    });
    try {
      const response = await worker.dispatchFetch("http://localhost/");
      expect(await response.json()).toEqual(wanted);
    } finally {
      await worker.dispose();
    }
  });

  it("runs the package's own files, unbundled", async () => {
    const folder = await installFixture("bundled", "workerd-unbundled");
    const { exports } = JSON.parse(
      await readFile(join(folder, "node_modules/openevals-wasm/package.json"), "utf8"),
    );
    const entry = `./node_modules/openevals-wasm/${fileOf(exports["."].workerd)}`;
    // workerd knows no bare specifiers: the one import of the package becomes a path.
    const importing = join(folder, "named-imports.mjs");
    const source = await readFile(importing, "utf8");
    await writeFile(importing, source.replace('"openevals-wasm"', JSON.stringify(entry)));

    const worker = new Miniflare({
      modulesRoot: folder,
      scriptPath: join(folder, "worker.js"),
      modules: true,
      modulesRules: [
        { type: "ESModule", include: ["**/*.js", "**/*.mjs"] },
        { type: "CompiledWasm", include: ["**/*.wasm"] },
      ],
      compatibilityDate: "2025-01-01",
    });
    try {
      const response = await worker.dispatchFetch("http://localhost/");
      expect(await response.json()).toEqual(expected);
    } finally {
      await worker.dispose();
    }
  });
});

describe("Edge runtime", () => {
  it.each([
    ["main.js", expected, ["openevals.wasm"]],
    ["subpaths.js", expectedOfSubpaths, ["openevals-metrics.wasm", "openevals.wasm"]],
  ])("%s scores with the modules that the host compiled, where compiling is forbidden", async (file, wanted, binaries) => {
    const folder = await installFixture("bundled", `edge-${file}`);
    // As Vercel does it: `?module` imports become a global that the host has put in place.
    const modules: Record<string, WebAssembly.Module> = {};
    const found: string[] = [];
    const wasmGlobals: esbuild.Plugin = {
      name: "wasm-globals",
      setup(build) {
        build.onResolve({ filter: /\.wasm\?module$/ }, ({ path, resolveDir }) => ({
          path: resolve(resolveDir, path.replace(/\?module$/, "")),
          namespace: "wasm-global",
        }));
        build.onLoad({ filter: /.*/, namespace: "wasm-global" }, async ({ path }) => {
          found.push(basename(path));
          const name = `wasm_${found.length}`;
          modules[name] = await WebAssembly.compile(await readFile(path));
          return { contents: `export default globalThis.${name};` };
        });
      },
    };
    const { outputFiles } = await esbuild.build({
      entryPoints: [join(folder, file)],
      bundle: true,
      format: "iife",
      write: false,
      conditions: ["edge-light", "worker", "browser"],
      plugins: [wasmGlobals],
    });
    expect(found.sort()).toEqual(binaries);

    const vm = new EdgeVM({
      codeGeneration: { strings: false, wasm: false },
      extend: (context) => Object.assign(context, modules),
    });
    vm.evaluate(outputFiles[0].text);
    expect(JSON.parse(await vm.evaluate("score().then(JSON.stringify)"))).toEqual(wanted);

    const emptyModule = "new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0])";
    await expect(vm.evaluate(`WebAssembly.compile(${emptyModule})`)).rejects.toThrow("disallowed");
  });
});

/** The file behind a condition of `exports`, which is a path or one more level of conditions. */
function fileOf(condition: string | { default: string }): string {
  return (typeof condition === "string" ? condition : condition.default).replace("./", "");
}
