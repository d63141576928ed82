/**
 * An esbuild plugin that imports the package from a folder, and of its main entry point only what a file uses.
 * esbuild assigns whole files to chunks: with the entry point itself, every bench would load what any bench uses.
 */

import { readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { path } from "../run.mjs";

const NAME = "openevals-wasm";
const IMPORT = new RegExp(String.raw`^import \{([^}]*)\} from "${NAME}";$`, "gm");

export const packageIn = (pkg) => ({
  name: "package",
  setup(build) {
    const { exports } = JSON.parse(readFileSync(join(pkg, "package.json"), "utf8"));
    const entry = (name) => join(pkg, exports[name.replace(NAME, ".")].default.default);
    build.onResolve({ filter: /^openevals-wasm(\/|$)/ }, ({ path: name }) => ({ path: entry(name) }));

    // import { a, type B } from "openevals-wasm" is one from "openevals-wasm?a".
    build.onLoad({ filter: /\.ts$/ }, ({ path: file }) => {
      if (!file.startsWith(path("www"))) return undefined;
      const contents = readFileSync(file, "utf8").replaceAll(IMPORT, (statement, list) => {
        const names = list.split(",").flatMap((name) => name.trim() || []);
        const values = names.filter((name) => !name.startsWith("type ")).sort();
        return values.length ? statement.replace(`"${NAME}"`, `"${NAME}?${values.join("+")}"`) : "";
      });
      return { contents, loader: "ts" };
    });
    build.onResolve({ filter: /^openevals-wasm\?/ }, ({ path: name }) => ({ path: name, namespace: "used" }));
    build.onLoad({ filter: /./, namespace: "used" }, async ({ path: name }) => ({
      contents: await partOf(build.esbuild, entry(NAME), name.slice(NAME.length + 1).split("+")),
      resolveDir: dirname(entry(NAME)),
    }));
  },
});

/** The part of an entry point that exports these names, with imports of the modules that define them. */
async function partOf(esbuild, file, names) {
  const modules = {
    name: "modules",
    setup(build) {
      build.onResolve({ filter: /^\./ }, ({ path: name, resolveDir, importer }) => {
        const found = { path: resolve(resolveDir, name), sideEffects: false };
        return importer === file ? { ...found, external: true } : found;
      });
    },
  };
  const { outputFiles } = await esbuild.build({
    stdin: {
      contents: `export { ${names.join(", ")} } from ${JSON.stringify(`./${file.split("/").at(-1)}`)};`,
      resolveDir: dirname(file),
    },
    bundle: true,
    write: false,
    format: "esm",
    plugins: [modules],
  });
  return outputFiles[0].text;
}
