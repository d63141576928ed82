/** The first request of a worker in workerd: `worker.mjs <case>`. Prints how many milliseconds its answer takes. */
import { copyFileSync, mkdirSync, rmSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import * as esbuild from "esbuild";
import { Miniflare } from "miniflare";

const ANSWERS = {
  empty: `const answer = () => ({ score: 0.57 });`,
  levenshteinDistance: `import { levenshteinDistance } from "openevals-wasm";
    const answer = () => levenshteinDistance({ outputs: "kitten", referenceOutputs: "sitting" });`,
  judge: `import { createLLMAsJudge } from "openevals-wasm";
    const judge = createLLMAsJudge({ prompt: "{outputs}", judge: () => ({ score: true, reasoning: "Same." }) });
    const answer = () => judge({ outputs: "a" });`,
};

const [, , name] = process.argv;
const folder = fileURLToPath(new URL(`../../target/bench/worker-${name}`, import.meta.url));
rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });
const compiled = [];
// As wrangler does it: each imported .wasm lies beside the bundle, as a compiled module.
const wasmModules = {
  name: "wasm-modules",
  setup({ onResolve }) {
    onResolve({ filter: /\.wasm$/ }, ({ path, resolveDir }) => {
      const copy = join(folder, basename(path));
      copyFileSync(resolve(resolveDir, path), copy);
      compiled.push({ type: "CompiledWasm", path: copy });
      return { path: `./${basename(path)}`, external: true };
    });
  },
};
await esbuild.build({
  stdin: {
    contents: `${ANSWERS[name]}
      export default { fetch: async () => Response.json(await answer()) };`,
    resolveDir: fileURLToPath(new URL(".", import.meta.url)),
  },
  outfile: join(folder, "worker.js"),
  bundle: true,
  minify: true,
  format: "esm",
  conditions: ["workerd", "worker", "browser"],
  plugins: [wasmModules],
  logLevel: "error",
});
const worker = new Miniflare({
  modulesRoot: folder,
  modules: [{ type: "ESModule", path: join(folder, "worker.js") }, ...compiled],
  compatibilityDate: "2025-01-01",
});
try {
  await worker.ready;
  const start = performance.now();
  const { score } = await (await worker.dispatchFetch("http://localhost/")).json();
  console.log(JSON.stringify({ value: performance.now() - start, answer: Number(score).toFixed(2) }));
} finally {
  await worker.dispose();
}
