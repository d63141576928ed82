/**
 * Runs bundles of the tests as Cloudflare Workers and the Edge runtime do, which cannot compile WebAssembly.
 */
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { basename, join, resolve } from "node:path";
import { EdgeVM } from "@edge-runtime/vm";
import * as esbuild from "esbuild";
import { Miniflare } from "miniflare";

const packages = resolve(import.meta.dirname, "../node_modules");

/**
 * A worker, bundled as wrangler does it, with the bindings of `options`; and the binaries that are deployed
 * with it. Its other imports are those of the tests.
 */
export async function startWorker(folder: string, file: string, options: object = {}) {
  const out = join(folder, `out-${file}`);
  await mkdir(out);
  // wrangler copies each imported .wasm beside the bundle and declares it as a compiled module.
  const compiled: { type: "CompiledWasm"; path: string }[] = [];
  const wasmModules: esbuild.Plugin = {
    name: "wasm-modules",
    setup(build) {
      build.onResolve({ filter: /\.wasm(\?module)?$/ }, async ({ path, resolveDir }) => {
        const source = path.startsWith(".")
          ? resolve(resolveDir, path.replace(/\?module$/, ""))
          : createRequire(join(resolveDir, "worker.js")).resolve(path);
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
    nodePaths: [packages],
  });
  const worker = new Miniflare({
    modulesRoot: out,
    modules: [{ type: "ESModule", path: join(out, "worker.js") }, ...compiled],
    compatibilityDate: "2025-01-01",
    ...options,
  });
  return { worker, binaries: compiled.map(({ path }) => basename(path)).sort() };
}

/** The answer of such a worker, and those binaries. */
export async function answerOfWorker(folder: string, file: string, options: object = {}) {
  const { worker, binaries } = await startWorker(folder, file, options);
  try {
    const response = await worker.dispatchFetch("http://localhost/");
    return { answer: await response.json(), binaries };
  } finally {
    await worker.dispose();
  }
}

/** An Edge VM that has run a bundle, as Vercel does it; and the binaries that its host has compiled. */
export async function edgeWith(folder: string, file: string) {
  // `?module` imports become a global that the host has put in place.
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
  const vm = new EdgeVM({
    codeGeneration: { strings: false, wasm: false },
    extend: (context) => Object.assign(context, modules),
  });
  vm.evaluate(outputFiles[0]?.text ?? "");
  return { vm, modules: found.sort() };
}
