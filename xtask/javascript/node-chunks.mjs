/**
 * Writes the JavaScript for Node: a few chunks instead of a module for each source, since each file costs time at start-up. Names
 * are kept and lines are short, so that stack traces are readable and Node shows a useful line for uncaught errors.
 */

import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, posix, relative } from "node:path";
import { nodeFiles, packages, program } from "../entries.mjs";
import { path, root } from "../run.mjs";
import { singleEntryModule } from "./entry-modules.mjs";
import { DIST } from "./places.mjs";
import { SHORTER, tidied } from "./syntax.mjs";

/** @returns The chunks, as esbuild's metafile lists them. */
export async function writeChunks(esbuild, sources, graph) {
  const entryPoints = {};
  for (const file of [...nodeFiles, ...packages, program])
    entryPoints[file.name] = await entryModule(sources, file, graph);
  const { metafile } = await esbuild.build({
    entryPoints,
    outdir: DIST,
    absWorkingDir: root,
    metafile: true,
    bundle: true,
    splitting: true,
    ...SHORTER,
    format: "esm",
    platform: "neutral",
    packages: "external",
    target: "es2022",
    plugins: [filesToKeep, dynamicModules(sources)],
    // These also stay separate files.
    external: ["*.wasm", "*-wasm-base64.js"],
  });
  for (const file of Object.keys(metafile.outputs))
    writeFileSync(path(file), tidied(readFileSync(path(file), "utf8")));
  return metafile.outputs;
}

/**
 * The input of esbuild for an entry point. All but the main one import the main entry point as a file, and
 * with it all of `api`, so that nearly everything is in one chunk.
 */
async function entryModule(sources, entry, graph) {
  if (!entry.runtime) return `${sources}/${entry.source}.ts`;
  const file = `${sources}/entries/${entry.name}.ts`;
  const toDist = posix.relative(posix.dirname(entry.name), ".") || ".";
  const lines = entry.imports.map((name) => `import "file:${toDist}/${name}.js";\n`);
  if (lines.length) lines.unshift(`import "${posix.join("..", toDist)}/api.js";\n`);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, lines.join("") + (await singleEntryModule(sources, entry, graph)));
  return file;
}

/** The `file:` prefix marks an import to keep. */
const filesToKeep = {
  name: "files to keep",
  setup: (build) =>
    build.onResolve({ filter: /^file:/ }, ({ path }) => ({
      path: path.slice("file:".length),
      external: true,
    })),
};

/**
 * Dynamic modules import all of `api`, too, which is loaded by then. Otherwise esbuild would make a chunk for each set of
 * modules that share code; this keeps shared code in the chunk of the main entry point.
 */
const dynamicModules = (sources) => ({
  name: "dynamic modules",
  setup(build) {
    const own = packages.map(({ source }) => join(sources, `${source}.ts`));
    build.onResolve({ filter: /^\..*\.js$/ }, ({ path: name, kind, resolveDir }) => {
      const file = join(resolveDir, name.replace(/js$/, "ts"));
      const isDynamic = kind === "dynamic-import" && existsSync(file) && !own.includes(file);
      // Relative: names of chunks are hashes of it, too, and must not depend on the folder of the repository.
      return isDynamic
        ? { path: relative(sources, file).replaceAll("\\", "/"), namespace: "dynamic" }
        : undefined;
    });
    build.onLoad({ filter: /./, namespace: "dynamic" }, ({ path: file }) => ({
      contents: `import "./api.ts";\nexport * from ${JSON.stringify(`./${file}`)};`,
      resolveDir: sources,
    }));
  },
});
