/** TypeScript of a project as one module, by the project's own esbuild. */

import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, extname } from "node:path";
import { pathToFileURL } from "node:url";
import { Mistake } from "../mistake.js";

/** What is used of esbuild. */
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

/** Those that bring esbuild along. */
const BRINGERS = ["tsx", "vite"];

/** What makes the code of a file that will stand at `to`; nothing if the project has no esbuild. */
export function bundler(path: string): ((to: string) => Promise<string>) | undefined {
  const esbuild = find(path);
  return esbuild && ((to) => bundle(esbuild, path, to));
}

function find(path: string): Esbuild | undefined {
  const require = createRequire(path);
  const from = (folder: () => string): Esbuild | undefined => {
    try {
      return createRequire(folder())("esbuild");
    } catch {
      return undefined;
    }
  };
  const places = [() => path, ...BRINGERS.map((name) => () => require.resolve(`${name}/package.json`))];
  for (const place of places) {
    const found = from(place);
    if (found) return found;
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
      // CommonJS among the sources finds its packages.
      banner: {
        js: 'import { createRequire as __createRequire } from "node:module"; const require = __createRequire(import.meta.url);',
      },
      define: { "import.meta.url": "__url", __filename: "__path", __dirname: "__folder" },
      plugins: [{ name: "places", setup: keepPlaces }],
    });
    return outputFiles[0]?.text ?? "";
  } catch (error) {
    const [first] = (error as BuildFailure).errors ?? [];
    if (!first) throw error;
    const { text, location } = first;
    const place = location ? `${location.file}:${location.line}:${location.column + 1}: ` : "";
    throw new Mistake(`${place}${text}`);
  }
}

/** Each source that asks where it stands goes on knowing it: data is found by that. */
function keepPlaces(build: Plugin): void {
  build.onLoad({ filter: /\.[mc]?[jt]sx?$/, namespace: "file" }, async ({ path }) => {
    const source = (await readFile(path, "utf8")).replace(/^#![^\n]*/, "");
    const [url, file, folder] = [pathToFileURL(path).href, path, dirname(path)].map((text) =>
      JSON.stringify(text),
    );
    const places = `const __url = ${url}, __path = ${file}, __folder = ${folder};`;
    const asks = /\bimport\.meta\.url\b|\b__(?:file|dir)name\b/.test(source);
    return { contents: asks ? places + source : source, loader: extname(path).replace(/^\.[mc]?/, "") };
  });
}
