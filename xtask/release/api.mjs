/**
 * Compares the public types of two copies of the package with the compiler: removed and new ones, and changes
 * with which code for the first copy may not compile with the second.
 */

import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { path } from "../run.mjs";
import { rangeOf } from "./version.mjs";

// The compiler with an API for programs.
const ts = createRequire(path("tests/package.json"))("typescript5");

/** The changes between the copies in two folders, as sentences. */
export function apiChanges(before, after) {
  const copies = [before, after].map(entriesOf);
  const program = ts.createProgram(
    copies.flatMap((entries) => Object.values(entries)),
    {
      module: ts.ModuleKind.ESNext,
      moduleResolution: ts.ModuleResolutionKind.Bundler,
      target: ts.ScriptTarget.ES2022,
      lib: ["lib.es2022.d.ts", "lib.esnext.disposable.d.ts"],
      strict: true,
      noEmit: true,
      skipLibCheck: true,
      types: [],
    },
  );
  const checker = program.getTypeChecker();
  const [old, now] = copies.map((entries) => exportsOf(entries, program, checker));
  const [text, newText] = [before, after].map((folder) => printer(checker, folder));
  const changes = { removed: [], changed: [], added: [], extended: [] };
  for (const name of now.keys()) if (!old.has(name)) changes.added.push(name);
  for (const [name, symbol] of old) {
    const next = now.get(name);
    if (!now.has(name)) changes.removed.push(name);
    else if (next && text(symbol) !== newText(next)) {
      const problem = breakOf(checker, symbol, next);
      if (problem) changes.changed.push(`${name}: ${problem}`);
      else changes.extended.push(name);
    }
  }
  return changes;
}

/** The reasons against releasing these changes as this version. */
export function apiProblems({ removed, changed, added }, last, version) {
  const kind = rangeOf(last, version);
  const breaking = [...removed.map((name) => `${name} is gone`), ...changed];
  if (kind !== "breaking" && breaking.length)
    return breaking.map(
      (change) => `A breaking change needs a new major version, and ${version} follows ${last}: ${change}.`,
    );
  if (kind === "patch" && added.length)
    return [
      `${version} only fixes ${last}, but ${added.length} exports are new, such as ${added[0]}: raise the minor version.`,
    ];
  return [];
}

/** The declaration file of each entry point. */
function entriesOf(folder) {
  const { exports } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  return Object.fromEntries(
    Object.entries(exports).flatMap(([entry, conditions]) => {
      const types = conditions.default?.types;
      return types ? [[entry, join(folder, types)]] : [];
    }),
  );
}

/** The entry points, and their exports: `openevals-wasm/text bleu`. */
function exportsOf(entries, program, checker) {
  const found = new Map();
  for (const [entry, file] of Object.entries(entries)) {
    const module = checker.getSymbolAtLocation(program.getSourceFile(file));
    found.set(`openevals-wasm${entry.slice(1)}`, undefined);
    for (const symbol of module ? checker.getExportsOfModule(module) : [])
      found.set(`openevals-wasm${entry.slice(1)} ${symbol.name}`, targetOf(checker, symbol));
  }
  return found;
}

const targetOf = (checker, symbol) =>
  symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;

/** Prints the declarations of a symbol and of everything of the package that they mention, without comments. */
function printer(checker, folder) {
  const print = ts.createPrinter({ removeComments: true });
  const isOwn = (node) => node.getSourceFile().fileName.startsWith(folder);
  return (symbol) => {
    const seen = new Set();
    const texts = [];
    const visit = (next) => {
      if (!next || seen.has(next)) return;
      seen.add(next);
      for (const node of (next.declarations ?? []).filter(isOwn)) {
        if (ts.isSourceFile(node)) continue;
        texts.push(print.printNode(ts.EmitHint.Unspecified, node, node.getSourceFile()));
        visitMentioned(node);
      }
    };
    const visitMentioned = (node) => {
      if (ts.isIdentifier(node)) {
        const found = checker.getSymbolAtLocation(node);
        if (found) visit(targetOf(checker, found));
      }
      ts.forEachChild(node, visitMentioned);
    };
    visit(symbol);
    return texts.sort().join("\n");
  };
}

/**
 * The change of the second symbol that breaks code for the first; `undefined` if there is none. Types need no
 * check of their values: the parameters and results of functions show whether they still fit.
 */
function breakOf(checker, old, now) {
  if (old.flags & ts.SymbolFlags.Type) {
    if (!(now.flags & ts.SymbolFlags.Type)) return "it is no longer a type";
    const [from, to] = [old, now].map((symbol) => checker.getDeclaredTypeOfSymbol(symbol));
    const lost = namesIn(from).find((name) => !checker.getPropertyOfType(to, name));
    if (lost) return `it has lost ${lost}`;
  }
  if (old.flags & ts.SymbolFlags.Class) return breakOfClass(checker, old, now);
  if (!(old.flags & ts.SymbolFlags.Value)) return undefined;
  const [from, to] = [old, now].map((symbol) => checker.getTypeOfSymbol(symbol));
  return misfitOf(checker, from, to);
}

/** The public members of a type. Names that begin with two underscores belong to the compiler. */
const namesIn = (type) =>
  type
    .getProperties()
    .filter(
      ({ declarations = [] }) =>
        !declarations.some((node) => ts.getCombinedModifierFlags(node) & ts.ModifierFlags.Private),
    )
    .map(({ name }) => name)
    .filter((name) => !/^(__|#)/.test(name));

function misfitOf(checker, from, to) {
  if (checker.isTypeAssignableTo(to, from)) return undefined;
  return `${checker.typeToString(to)} does not fit where ${checker.typeToString(from)} did`;
}

/** Classes with private fields never fit others, so their members and constructors are compared. */
function breakOfClass(checker, old, now) {
  const [from, to] = [old, now].map((symbol) => checker.getDeclaredTypeOfSymbol(symbol));
  for (const name of namesIn(from)) {
    const types = [from, to].map((type) => checker.getTypeOfSymbol(checker.getPropertyOfType(type, name)));
    const problem = misfitOf(checker, ...types);
    if (problem) return `${name}: ${problem}`;
  }
  const [before, after] = [old, now].map(
    (symbol) => checker.getTypeOfSymbol(symbol).getConstructSignatures()[0],
  );
  const [passed, accepted] = [before, after].map(
    (signature) => signature?.parameters.map((parameter) => checker.getTypeOfSymbol(parameter)) ?? [],
  );
  if ((after?.minArgumentCount ?? 0) > (before?.minArgumentCount ?? 0))
    return "its constructor needs more arguments";
  const place = passed.findIndex(
    (type, index) => !accepted[index] || !checker.isTypeAssignableTo(type, accepted[index]),
  );
  return place < 0 ? undefined : `its constructor takes another argument ${place + 1}`;
}
