/**
 * Analyses the modules of the package: what they export, where that is defined, and which binaries and other parts of a
 * runtime it needs. "Dynamic" means: reached only through `import()`.
 */

import { join } from "node:path";
import { definitionsIn } from "./definitions.mjs";
import { withoutEnding } from "./places.mjs";
import { reachedFrom } from "./reach.mjs";

/**
 * The modules that a runtime completes, each with the name of the file that does so in a folder of
 * `pkg-template/src/core/runtime/`.
 */
const PLACES = {
  "core/engine/scores.ts": "scores",
  "core/engine/judges.ts": "judges",
  "core/engine/agents.ts": "agents",
  "core/engine/metrics.ts": "metrics",
  "core/engine/statistics.ts": "statistics",
  "core/tracing/hook.ts": "tracing",
  "core/platform/packages.ts": "packages",
};

/**
 * Reads the module graph below entry points. `exportsOf(source)` maps the names of its exports to their definition (module
 * and name) and their needs, which are names of {@link PLACES}. `isDynamic` marks a definition, or a need, in code that
 * something loads with `import()`.
 */
export async function readModuleGraph(esbuild, sources, entries) {
  const metafile = { inputs: await graphOf(entries) };
  const needs = new Map();

  async function graphOf(names) {
    const { metafile } = await esbuild.build({
      entryPoints: names.map((name) => join(sources, `${name}.ts`)),
      absWorkingDir: sources,
      outdir: "unused",
      write: false,
      metafile: true,
      bundle: true,
      splitting: true,
      format: "esm",
      packages: "external",
      external: ["*.wasm", "*.wasm?module", "*-wasm-base64.js", "file:*"],
    });
    return metafile.inputs;
  }

  const reach = (files, isFollowed = (_kind) => true) =>
    reachedFrom(files, (next) =>
      metafile.inputs[next].imports
        .filter(({ kind, external }) => !external && isFollowed(kind))
        .map(({ path }) => path),
    );

  /** The needs of a module and all its imports, and whether only its dynamic imports have them. */
  function needsOf(file) {
    const known = needs.get(file);
    if (known) return known;
    const reached = reach([file]);
    const atOnce = reach([file], (kind) => kind !== "dynamic-import");
    const found = Object.keys(PLACES).filter((place) => reached.has(place));
    const names = found.map((place) => ({ name: PLACES[place], isDynamic: !atOnce.has(place) }));
    needs.set(file, names);
    return names;
  }

  /** All modules that something loads with `import()`. */
  function dynamicModules() {
    const targets = Object.values(metafile.inputs)
      .flatMap(({ imports }) => imports)
      .filter(({ kind, external }) => kind === "dynamic-import" && !external);
    return reach(targets.map(({ path }) => path));
  }

  const definitionsOf = definitionsIn(esbuild, sources, (file) => file in metafile.inputs);

  /** The modules below `/slim` that need an eager copy: those with an `import()`, and those that import one of them. */
  function eagerCopies() {
    const found = new Set();
    const below = reach(["slim.ts"]);
    for (let before = -1; found.size > before; ) {
      before = found.size;
      for (const file of below) {
        const { imports } = metafile.inputs[file];
        const needsCopy = ({ kind, path }) => kind === "dynamic-import" || found.has(withoutEnding(path));
        if (imports.some(needsCopy)) found.add(withoutEnding(file));
      }
    }
    return found;
  }

  return {
    /** The modules that `/slim` and `/single` get an eager copy of, as paths without extension. */
    withEagerCopy: eagerCopies(),
    /** All modules below the given ones, as paths without extension. */
    reached: async (names) => {
      const missing = names.filter((name) => !(`${name}.ts` in metafile.inputs));
      const more = missing.length ? await graphOf(missing) : {};
      Object.assign(metafile.inputs, more);
      return Array.from(reach(names.map((name) => `${name}.ts`)), withoutEnding);
    },
    async exportsOf(source) {
      const found = await definitionsOf(`${source}.ts`);
      const dynamic = dynamicModules();
      return new Map(
        Array.from(found, ([name, { file, local }]) => [
          name,
          { needs: needsOf(file), file: withoutEnding(file), local, isDynamic: dynamic.has(file) },
        ]),
      );
    },
  };
}
