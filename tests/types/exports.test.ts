/** Whatever the published packages export, values and types, is exported here under the same name. */

import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

// The compiler that can be asked by programs.
const ts = createRequire(import.meta.url)("typescript5") as typeof import("typescript5");

const packages = fileURLToPath(new URL("../parity/node_modules/", import.meta.url));
const ours = fileURLToPath(new URL("../node_modules/openevals-wasm/", import.meta.url));
const { exports } = JSON.parse(readFileSync(`${ours}package.json`, "utf8"));

/** Theirs, and our entry point in its place. */
const PAIRS: [theirs: string, ours: string][] = [
  ["openevals/index.d.ts", "."],
  ["openevals/llm.d.ts", "./llm"],
  ["openevals/prompts.d.ts", "./prompts"],
  ["openevals/types.d.ts", "./types"],
  ["openevals/utils.d.ts", "./utils"],
  ["openevals/code/typescript.d.ts", "./code/typescript"],
  ["openevals/code/e2b.d.ts", "./code/e2b"],
  ["agentevals/index.d.ts", "."],
];

const typesOf = (entry: string): string => ours + exports[entry].default.types;

const files = PAIRS.map(([theirs, entry]) => [packages + theirs, typesOf(entry)] as const);
const program = ts.createProgram(files.flat(), {
  module: ts.ModuleKind.ESNext,
  moduleResolution: ts.ModuleResolutionKind.Bundler,
  noEmit: true,
});
const checker = program.getTypeChecker();

/** The names of a module's exports: values, and types marked as such. */
function exportsOf(file: string): string[] {
  const source = program.getSourceFile(file);
  const module = source && checker.getSymbolAtLocation(source);
  if (!module) throw new Error(`${file} exports nothing`);
  return checker.getExportsOfModule(module).map((symbol) => {
    const meant = symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
    return meant.flags & ts.SymbolFlags.Value ? symbol.name : `type ${symbol.name}`;
  });
}

test.each(PAIRS)("%s", (theirs, entry) => {
  const here = new Set(exportsOf(typesOf(entry)));
  const there = exportsOf(packages + theirs);
  expect(there.length).toBeGreaterThan(0);
  expect(there.filter((name) => !here.has(name))).toEqual([]);
});
