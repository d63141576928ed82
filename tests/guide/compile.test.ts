/** The examples compile, and every public option is in one of them. */
import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Declaration, Node, Symbol as TsSymbol, Type } from "typescript5";
import { beforeAll, expect, test } from "vitest";
import { blocks, examples, pages } from "./blocks.ts";
import { ts } from "./instrument.ts";

const work = join(import.meta.dirname, ".work/compile"); // beside the tests, so that packages are found
const installed = join(import.meta.dirname, "../node_modules/openevals-wasm");

/**
 * Types that users do not write: arguments of their functions, types that makers declare again, and those
 * that the compiler reads as the first of two arguments.
 */
const NOT_WRITTEN = [
  "CheckParams",
  "CodeEvaluatorOptions",
  "CommandOptions",
  "ComparativeCallParams",
  "EvaluatorCallParams",
  "LangSmithParams",
  "PairwiseRunParams",
  "SimulationEvaluatorParams",
  "SummaryEvaluatorParams",
  "TargetConfig",
];

/** Options as the Python packages spell them, which are in a table. */
const PYTHON_SPELLINGS = ["reference_outputs", "list_aggregator", "exclude_keys"];

/** Options that mean the same for all makers of judges, so that one example is enough. */
const OF_MANY_MAKERS = ["structuredOutputMethod"];

let program: import("typescript5").Program;
let files: string[];

beforeAll(() => {
  rmSync(work, { recursive: true, force: true });
  mkdirSync(work, { recursive: true });
  writeFileSync(join(work, "package.json"), '{ "type": "module" }');
  files = examples.map(({ code }, i) => {
    const file = join(work, `example-${i}.ts`);
    writeFileSync(file, `${code}\nexport {};\n`);
    return file;
  });
  const { exports } = JSON.parse(readFileSync(join(installed, "package.json"), "utf8"));
  const entries = Object.values<any>(exports).flatMap(({ default: found }) =>
    found?.types ? [join(installed, found.types)] : [],
  );
  program = ts.createProgram([...files, ...entries], {
    strict: true,
    noUncheckedIndexedAccess: true,
    skipLibCheck: true,
    noEmit: true,
    target: ts.ScriptTarget.ES2022,
    lib: ["lib.es2022.d.ts", "lib.dom.d.ts", "lib.dom.iterable.d.ts"],
    types: ["node"],
    module: ts.ModuleKind.ESNext,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
  });
}, 120_000);

test("every example compiles", () => {
  const complaints = files.flatMap((file, i) => {
    const source = program.getSourceFile(file);
    const found = [...program.getSyntacticDiagnostics(source), ...program.getSemanticDiagnostics(source)];
    return found.map(({ messageText, start = 0 }) => {
      const line = source?.getLineAndCharacterOfPosition(start).line ?? 0;
      const text = ts.flattenDiagnosticMessageText(messageText, "\n");
      return `${examples[i]?.place}, its line ${line + 1}: ${text}`;
    });
  });
  expect(complaints.join("\n")).toBe("");
}, 120_000);

test("every public option is in an example", () => {
  const checker = program.getTypeChecker();
  const shown = new Set<Declaration>();
  const shownNames = new Set<string>();
  /** Marks the properties of an object as the type that is wanted there declares them. */
  const visit = (node: Node): void => {
    ts.forEachChild(node, visit);
    if (!ts.isObjectLiteralExpression(node)) return;
    const wanted = checker.getContextualType(node);
    for (const property of node.properties) {
      const name = property.name && ts.isIdentifier(property.name) ? property.name.text : undefined;
      if (!wanted || !name) continue;
      for (const type of alternatives(wanted))
        for (const declaration of checker.getPropertyOfType(type, name)?.declarations ?? [])
          shown.add(declaration);
      shownNames.add(name);
    }
  };
  for (const file of files) visit(program.getSourceFile(file)!);

  const missing = new Set<string>();
  for (const type of optionTypes(checker)) {
    for (const property of alternatives(checker.getDeclaredTypeOfSymbol(type)).flatMap((one) =>
      checker.getPropertiesOfType(one),
    )) {
      if (PYTHON_SPELLINGS.includes(property.name)) continue;
      if (OF_MANY_MAKERS.includes(property.name) && shownNames.has(property.name)) continue;
      const ours =
        property.declarations?.filter((found) => found.getSourceFile().fileName.startsWith(installed)) ?? [];
      if (ours.length && !ours.some((found) => shown.has(found)))
        missing.add(`${type.name}.${property.name}`);
    }
  }
  expect([...missing].join("\n")).toBe("");
}, 120_000);

test("All options of evaluate() lists each of them", () => {
  const evaluation = program.getSourceFile(join(installed, "dist/evaluation.d.ts"))!;
  const checker = program.getTypeChecker();
  const exported = checker.getExportsOfModule(checker.getSymbolAtLocation(evaluation)!);
  const type = checker.getAliasedSymbol(exported.find(({ name }) => name === "EstimateOptions")!);
  const options = checker.getPropertiesOfType(checker.getDeclaredTypeOfSymbol(type)).map(({ name }) => name);
  expect(options).toContain("estimate");
  expect(options.length).toBeGreaterThan(20);
  const { text } = pages.find(({ name }) => name === "experiments")!;
  const [section = ""] = /^## All options\n[\s\S]*?(?=^## )/m.exec(text) ?? [];
  const shown = section.match(/(?<=^ {2}|`)\w+(?=[:`])/gm);
  expect(options.filter((name) => !shown?.includes(name))).toEqual([]);
}, 120_000);

test("every option of the program is in a command", () => {
  const commands = blocks
    .filter(({ language }) => language === "sh")
    .map(({ code }) => code)
    .join("\n");
  const { bin } = JSON.parse(readFileSync(join(installed, "package.json"), "utf8"));
  const help = (...args: string[]) =>
    execFileSync(process.execPath, [join(installed, bin["openevals-wasm"]), ...args, "--help"], {
      encoding: "utf8",
    });
  const names = help().match(/(?<=^ {2})[a-z]+(?= )/gm) ?? [];
  const options = new Set(names.flatMap((name) => help(name).match(/(?<=^ {2})--[\w-]+/gm) ?? []));
  expect(options.size).toBeGreaterThan(10);
  expect([...options].filter((option) => !commands.includes(option))).toEqual([]);
});

const alternatives = (type: Type): Type[] => (type.isUnion() ? type.types : [type]);

/** The types of options that entry points export. */
function optionTypes(checker: import("typescript5").TypeChecker): Set<TsSymbol> {
  const { exports } = JSON.parse(readFileSync(join(installed, "package.json"), "utf8"));
  const found = new Set<TsSymbol>();
  for (const { default: entry } of Object.values<any>(exports)) {
    const source = entry?.types && program.getSourceFile(join(installed, entry.types));
    const module = source && checker.getSymbolAtLocation(source);
    for (const symbol of module ? checker.getExportsOfModule(module) : []) {
      const meant = symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
      const isOptions = /(?:Options|Configs?|Params|Input|Sources)$/.test(meant.name);
      if (isOptions && meant.flags & ts.SymbolFlags.Type && !NOT_WRITTEN.includes(meant.name))
        found.add(meant);
    }
  }
  return found;
}
