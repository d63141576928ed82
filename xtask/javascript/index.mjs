/**
 * Builds the JavaScript in `dist/` from the TypeScript sources: modules for bundlers, chunks for Node as ES modules and as
 * CommonJS, and declarations. Each form has a single engine and a single error class, whatever is imported.
 */

import * as esbuild from "esbuild";
import { entryFiles, packages } from "../entries.mjs";
import { writeDeclarations } from "./declarations.mjs";
import { importDirectly } from "./direct-imports.mjs";
import { readModuleGraph } from "./module-graph.mjs";
import { writeChunks } from "./node-chunks.mjs";
import { describedExports, writeNodeEntries } from "./node-entries.mjs";
import { bundleReportPages } from "./report-page.mjs";
import { writeModules } from "./source-modules.mjs";

export async function buildJavaScript(sources) {
  await bundleReportPages(sources);
  writeDeclarations(sources);
  importDirectly(sources);
  const graph = await readModuleGraph(esbuild, sources, [
    ...new Set([...entryFiles, ...packages].map(({ source }) => source)),
  ]);
  await writeModules(esbuild, sources, graph);
  const described = describedExports();
  writeNodeEntries(described, await writeChunks(esbuild, sources, graph, described));
}
