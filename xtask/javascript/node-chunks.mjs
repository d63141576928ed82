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

/**
 * What entry points share, each a module that imports it. Those that import one get all of it, so it is in one chunk. Otherwise
 * each source that some of them do not need would be a separate file.
 */
const SHARED = {
  main: [
    "api",
    "core/runtime/attached",
    ...["judges", "packages", "scores", "statistics", "tracing"].map(
      (name) => `core/runtime/universal/${name}`,
    ),
    // Small, and used by most other entry points.
    ...["checked-params", "difference", "field", "hash"].map((name) => `core/input/${name}`),
    ...["records/prices", "records/score", "records/usage"].map((name) => `core/${name}`),
    ...["answers", "plain", "results"].map((name) => `evaluators/results/${name}`),
    ...["metric", "settings"].map((name) => `evaluators/summary/${name}`),
  ],
  experiments: ["node-main", "evaluation"],
};

/** What a module shares that is loaded on use: what is loaded by then, where the program does not only explain or fail. */
const sharedBy = (file) =>
  /^(?:evaluation|experiments|integrations)\b(?!\/cli\/[^/]+$)/.test(file) ? "experiments" : "main";

/** @returns The chunks, as esbuild's metafile lists them. */
export async function writeChunks(esbuild, sources, graph) {
  for (const [name, shared] of Object.entries(SHARED))
    writeFileSync(`${sources}/node-${name}.ts`, shared.map((next) => `import "./${next}.js";\n`).join(""));
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

/** The input of esbuild for an entry point. It imports what it shares, and the main entry point as a file. */
async function entryModule(sources, entry, graph) {
  if (!entry.runtime && !entry.isEager) return `${sources}/${entry.source}.ts`;
  const file = `${sources}/entries/${entry.name}.ts`;
  const toDist = posix.relative(posix.dirname(entry.name), ".") || ".";
  const imported = entry.imports.map((name) => `file:${toDist}/${name}`);
  const shared = entry.hasExperiments ? "experiments" : "main";
  if (!entry.isAlone || entry.isEager) imported.unshift(`${posix.join("..", toDist)}/node-${shared}`);
  mkdirSync(dirname(file), { recursive: true });
  const lines = imported.map((name) => `import "${name}.js";\n`);
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
 * Dynamic modules import what they share. Otherwise esbuild would make a chunk for each set of modules that have code in common.
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
      contents: `import "./node-${sharedBy(file)}.ts";\nexport * from ${JSON.stringify(`./${file}`)};`,
      resolveDir: sources,
    }));
  },
});
