/**
 * Chunks that cannot be loaded on use: offline, after a new deployment, in a service worker. Only the
 * explanation of a chunk is missing then, and never a score: if only mismatches failed, the mean of the rest
 * would be too good. If a result needs a chunk, the error names the missing file, and does not blame the
 * data.
 */
import { existsSync } from "node:fs";
import { readdir, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { run } from "./harness.js";
import { installFixture } from "./install.js";

const AT_ONCE = /(?:\bfrom|\bimport)\s*["'](\.[^"']+\.js)["']/g;
const ALSO_ON_USE = /(?:\bfrom|\bimport)[\s(]*["'](\.[^"']+\.js)["']/g;

/** The code of these files and of all that they import, by path. Texts in the code may look like imports of files that do not exist. */
async function loadedWith(entries: readonly string[], imports: RegExp): Promise<Map<string, string>> {
  const loaded = new Map<string, string>();
  const reached = new Set(entries);
  for (const file of reached) {
    const code = await readFile(file, "utf8");
    loaded.set(file, code);
    for (const [, next] of code.matchAll(imports)) {
      const imported = join(file, "..", next as string);
      if (existsSync(imported)) reached.add(imported);
    }
  }
  return loaded;
}

it("costs no score, whatever it is", async () => {
  const folder = installFixture("scripts", "without-chunks");
  const dist = join(folder, "node_modules/openevals-wasm/dist");
  const entries = ["index.js", "checks.js", "evaluation.js"].map((name) => join(dist, name));
  const kept = await loadedWith(entries, AT_ONCE);
  const modules = await readdir(join(dist, "modules"), { recursive: true });
  const chunks = modules.filter((file) => file.endsWith(".js") && !kept.has(join(dist, "modules", file)));
  expect(chunks.length).toBeGreaterThan(10);
  for (const chunk of chunks) await rm(join(dist, "modules", chunk));

  const { failures, ...printed } = JSON.parse(await run(process.execPath, ["without-chunks.mjs"], folder));
  expect(printed).toMatchObject({
    // A comment, which names the difference, may be in a chunk.
    batch: [{ key: "exact_match", score: false }],
    means: { exact_match: [0.5, 2], score: [0, 2], json_schema: [0.5, 2] },
  });
  const says = expect.stringMatching(
    /^([\w.[\]]+: )?[A-Z][^.]+ could not be loaded: .*Serve all files of the build/,
  );
  for (const [name, failure] of Object.entries(failures))
    expect({ [name]: failure }).toEqual({ [name]: ["load_failed", says] });
});

it("no file that a page can load imports a module of Node", async () => {
  const folder = installFixture("scripts", "of-node");
  const dist = join(folder, "node_modules/openevals-wasm/dist");
  const { exports } = JSON.parse(await readFile(join(dist, "../package.json"), "utf8"));
  const files = Object.values<any>(exports).flatMap(({ default: target }) => target?.default ?? []);
  const entries = files.map((file: string) => join(dist, "..", file));
  const loaded = await loadedWith(entries, ALSO_ON_USE);
  expect(loaded.size).toBeGreaterThan(entries.length);
  // Texts in the code have spaces.
  const ofNode = [...loaded].flatMap(([file, code]) => (/\b(?:from|import)"node:/.test(code) ? [file] : []));
  expect(ofNode).toEqual([]);
});
