/** Whatever the published packages export, values and types, is exported here under the same name. */

import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

// The compiler that can be asked by programs.
const ts = createRequire(import.meta.url)("typescript5") as typeof import("typescript5");

const packages = fileURLToPath(new URL("../parity/node_modules/", import.meta.url));
const ours = fileURLToPath(new URL("../node_modules/openevals-wasm/dist/", import.meta.url));

/** Theirs, and ours in its place. */
const PAIRS: [theirs: string, ours: string][] = [
  ["openevals/index.d.ts", "api.d.ts"],
  ["openevals/llm.d.ts", "llm.d.ts"],
  ["openevals/prompts.d.ts", "prompts/index.d.ts"],
  ["openevals/types.d.ts", "type-exports.d.ts"],
  ["openevals/utils.d.ts", "utils.d.ts"],
  ["openevals/code/typescript.d.ts", "code/typescript.d.ts"],
  ["openevals/code/e2b.d.ts", "code/e2b.d.ts"],
  ["agentevals/index.d.ts", "api.d.ts"],
];

const files = PAIRS.map((pair) => [packages + pair[0], ours + pair[1]] as const);
const program = ts.createProgram(files.flat(), {
  module: ts.ModuleKind.ESNext,
  moduleResolution: ts.ModuleResolutionKind.Bundler,
  noEmit: true,
});
const checker = program.getTypeChecker();

/** The names of what a module exports: values, and types marked as such. */
function exportsOf(file: string): string[] {
  const source = program.getSourceFile(file);
  const module = source && checker.getSymbolAtLocation(source);
  if (!module) throw new Error(`${file} exports nothing`);
  return checker.getExportsOfModule(module).map((symbol) => {
    const meant = symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
    return meant.flags & ts.SymbolFlags.Value ? symbol.name : `type ${symbol.name}`;
  });
}

test.each(PAIRS)("%s", (theirs, file) => {
  const here = new Set(exportsOf(ours + file));
  const there = exportsOf(packages + theirs);
  expect(there.length).toBeGreaterThan(0);
  expect(there.filter((name) => !here.has(name))).toEqual([]);
});
