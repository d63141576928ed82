/**
 * Functions get their names back where the minifier took them. That costs nothing where a bundle has one of many: bundlers drop
 * the call, and with it all functions that nobody imports.
 */
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { build } from "esbuild";
import { rollup } from "rollup";
import { afterAll, describe, expect, it } from "vitest";
import webpack from "webpack";
import "./harness.js";

/** Beside the packages of the tests, so that the installed tarball is found. */
const folder = await mkdtemp(join(import.meta.dirname, "../node_modules/.one-check-"));
afterAll(() => rm(folder, { recursive: true, force: true }));

const dist = join(import.meta.dirname, "../node_modules/openevals-wasm/dist");

/** Copies of the binaries, which would only take time. */
const BINARIES = /-wasm-base64\.js$/;

const bundlers: Record<string, (entry: string, outfile: string) => Promise<unknown>> = {
  esbuild: (entry, outfile) =>
    build({
      entryPoints: [entry],
      outfile,
      bundle: true,
      minify: true,
      format: "esm",
      external: ["*-wasm-base64.js"],
      logLevel: "error",
    }),
  rollup: async (entry, file) => {
    const plugins = [
      {
        name: "checks",
        resolveId: (id: string) => (id === "openevals-wasm/checks" ? join(dist, "checks.js") : undefined),
      },
    ];
    const bundle = await rollup({ input: entry, plugins, external: BINARIES, onwarn: () => {} });
    await bundle.write({ file, inlineDynamicImports: true });
    await bundle.close();
  },
  webpack: (entry, outfile) =>
    new Promise((resolve, reject) => {
      const output = { path: folder, filename: outfile.slice(folder.length + 1) };
      webpack(
        {
          mode: "production",
          target: "web",
          entry,
          output,
          plugins: [new webpack.IgnorePlugin({ resourceRegExp: BINARIES })],
        },
        (error, stats) => {
          if (error || stats?.hasErrors())
            reject(error ?? new Error(stats?.toString({ all: false, errors: true })));
          else resolve(stats);
        },
      );
    }),
};

describe.each(Object.keys(bundlers))("%s", (bundler) => {
  async function bundled(name: string, code: string): Promise<string> {
    const [entry, outfile] = [join(folder, `${bundler}-${name}.mjs`), join(folder, `${bundler}-${name}.js`)];
    await writeFile(entry, code);
    await bundlers[bundler]?.(entry, outfile);
    return readFile(outfile, "utf8");
  }

  it("drops the checks that are not imported, with their names", async () => {
    const one = await bundled(
      "one",
      'import { equalsNumber } from "openevals-wasm/checks"; console.log(equalsNumber({ value: 1 }));',
    );
    const all = await bundled(
      "all",
      'import * as checks from "openevals-wasm/checks"; console.log({ ...checks });',
    );
    for (const key of ["no_refusal", "valid_sql", "starts_with", "all_of"]) {
      // Not toContain(), which would print the whole bundle.
      expect({ key, isThere: all.includes(key) }).toEqual({ key, isThere: true });
      expect({ key, isThere: one.includes(key) }).toEqual({ key, isThere: false });
    }
    expect(one.includes("equals_number")).toBe(true);
  }, 180_000);
});
