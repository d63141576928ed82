/**
 * Runs bundles of the tests as Cloudflare Workers and the Edge runtime do, which cannot compile WebAssembly.
 */
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { basename, dirname, join, resolve } from "node:path";
import { EdgeVM } from "@edge-runtime/vm";
import * as esbuild from "esbuild";
import { Miniflare } from "miniflare";
import { build as viteBuild } from "vite";
import webpack from "webpack";

const packages = resolve(import.meta.dirname, "../node_modules");

/** The conditions of wrangler. */
const CONDITIONS = ["workerd", "worker", "browser"];

/** Where an import of a binary leads: a copy of it in the folder `out`, as wrangler makes it. */
async function copiedBinary(path: string, resolveDir: string, out: string): Promise<string> {
  const source = path.startsWith(".")
    ? resolve(resolveDir, path.replace(/\?module$/, ""))
    : createRequire(join(resolveDir, "worker.js")).resolve(path);
  await writeFile(join(out, basename(source)), await readFile(source));
  return `./${basename(source)}`;
}

const BINARY = /\.wasm(\?module)?$/;

/** Bundles a worker as `worker.js` into the folder `out`, and copies the binaries that it can load. */
export const WORKER_BUNDLERS: Record<string, (file: string, out: string) => Promise<unknown>> = {
  esbuild: (file, out) =>
    esbuild.build({
      entryPoints: [file],
      outfile: join(out, "worker.js"),
      bundle: true,
      format: "esm",
      conditions: CONDITIONS,
      nodePaths: [packages],
      plugins: [
        {
          name: "binaries",
          setup: (build) =>
            build.onResolve({ filter: BINARY }, async ({ path, resolveDir }) => ({
              path: await copiedBinary(path, resolveDir, out),
              external: true,
            })),
        },
      ],
    }),
  Vite: (file, out) =>
    viteBuild({
      root: dirname(file),
      configFile: false,
      logLevel: "silent",
      ssr: { target: "webworker", noExternal: true, resolve: { conditions: [...CONDITIONS, "module"] } },
      build: {
        ssr: true,
        outDir: out,
        emptyOutDir: false,
        rollupOptions: { input: file, output: { format: "es", entryFileNames: "worker.js" } },
      },
      plugins: [
        {
          name: "binaries",
          enforce: "pre",
          async resolveId(path, importer) {
            if (!BINARY.test(path)) return undefined;
            return { id: await copiedBinary(path, dirname(importer ?? file), out), external: true };
          },
        },
      ],
    }),
  webpack: (file, out) =>
    new Promise((done, fail) =>
      webpack({
        mode: "production",
        target: "webworker",
        context: dirname(file),
        entry: file,
        experiments: { outputModule: true },
        output: { path: out, filename: "worker.js", library: { type: "module" }, chunkFormat: "module" },
        resolve: { conditionNames: [...CONDITIONS, "module", "import"] },
        // Minimizing takes most of the time.
        optimization: { minimize: false },
        externalsType: "module",
        externals: async ({ context, request }) =>
          BINARY.test(request ?? "") ? copiedBinary(request as string, context as string, out) : undefined,
        performance: false,
      })?.run((error, stats) =>
        error || stats?.hasErrors() ? fail(error ?? stats?.toString()) : done(stats),
      ),
    ),
};

/** A worker, bundled as wrangler does it, with the bindings of `options`; and the binaries that are deployed with it. */
export async function startWorker(folder: string, file: string, options: object = {}, bundler = "esbuild") {
  const out = join(folder, `out-${bundler}-${file}`);
  await mkdir(out);
  await WORKER_BUNDLERS[bundler]?.(join(folder, file), out);
  const files = (await readdir(out)).sort();
  // The first module is the worker.
  const ordered = ["worker.js", ...files.filter((name) => name !== "worker.js")];
  const worker = new Miniflare({
    modulesRoot: out,
    modules: ordered.map((name) => ({
      type: name.endsWith(".wasm") ? ("CompiledWasm" as const) : ("ESModule" as const),
      path: join(out, name),
    })),
    compatibilityDate: "2025-01-01",
    ...options,
  });
  return { worker, binaries: files.filter((name) => name.endsWith(".wasm")) };
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
