/** Bundles TypeScript into one module with the project's own esbuild. */

import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, extname } from "node:path";
import { pathToFileURL } from "node:url";
import { CliError } from "../cli-error.js";

/** The part of esbuild's API that this module uses. */
interface Esbuild {
  build(options: object): Promise<{ outputFiles: { text: string }[] }>;
}

interface Plugin {
  onLoad(
    filter: { filter: RegExp; namespace: "file" },
    load: (file: { path: string }) => Promise<{ contents: string; loader: string }>,
  ): void;
}

interface BuildFailure {
  errors?: { text: string; location?: { file: string; line: number; column: number } | null }[];
}

/** Whether Node runs TypeScript. The types of Node 20 do not know this feature. */
export const NODE_RUNS_TYPESCRIPT = Boolean((process.features as { typescript?: string | false }).typescript);

/** Packages that depend on esbuild. */
const DEPENDENTS = ["tsx", "vite"];

/** A function that bundles a file for the location `to`; `undefined` if the project has no esbuild. */
export function bundler(path: string): ((to: string) => Promise<string>) | undefined {
  const esbuild = findEsbuild(path);
  return esbuild && ((to) => bundle(esbuild, path, to));
}

/** The esbuild that the file can import, or that one of these packages can. */
function findEsbuild(path: string): Esbuild | undefined {
  const require = createRequire(path);
  const importers = [() => path, ...DEPENDENTS.map((name) => () => require.resolve(`${name}/package.json`))];
  for (const importer of importers) {
    try {
      return createRequire(importer())("esbuild");
    } catch {
      // Try the next importer.
    }
  }
  return undefined;
}

async function bundle(esbuild: Esbuild, path: string, to: string): Promise<string> {
  try {
    const { outputFiles } = await esbuild.build({
      entryPoints: [path],
      outfile: to,
      bundle: true,
      write: false,
      packages: "external",
      format: "esm",
      platform: "node",
      target: "node20",
      sourcemap: "inline",
      logLevel: "silent",
      // CommonJS sources need a `require` that finds their packages.
      banner: {
        js: 'import { createRequire as __createRequire } from "node:module"; const require = __createRequire(import.meta.url);',
      },
      define: { "import.meta.url": "__url", __filename: "__path", __dirname: "__folder" },
      plugins: [{ name: "locations", setup: keepLocations }],
    });
    return outputFiles[0]?.text ?? "";
  } catch (error) {
    const [first] = (error as BuildFailure).errors ?? [];
    if (!first) throw error;
    const { text, location } = first;
    const position = location ? `${location.file}:${location.line}:${location.column + 1}: ` : "";
    throw new CliError(`${position}${text}`);
  }
}

/** Gives sources that read their own location, for example to find data, the original one instead of that of the bundle. */
function keepLocations(build: Plugin): void {
  build.onLoad({ filter: /\.[mc]?[jt]sx?$/, namespace: "file" }, async ({ path }) => {
    const source = (await readFile(path, "utf8")).replace(/^#![^\n]*/, "");
    const [url, file, folder] = [pathToFileURL(path).href, path, dirname(path)].map((text) =>
      JSON.stringify(text),
    );
    const locations = `const __url = ${url}, __path = ${file}, __folder = ${folder};`;
    const readsLocation = /\bimport\.meta\.url\b|\b__(?:file|dir)name\b/.test(source);
    return {
      contents: readsLocation ? locations + source : source,
      loader: extname(path).replace(/^\.[mc]?/, ""),
    };
  });
}
