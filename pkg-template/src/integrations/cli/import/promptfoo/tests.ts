/** The tests of a promptfoo config as rows. */

import { readReferenced } from "../files.js";
import { type Findings, isObject } from "../imported.js";
import { type Assertions, assertionOfCell, type ImportedAssertion } from "./assertions.js";
import { judgeOf } from "./models.js";
import { hasLogic, readsEnvironment, rendered } from "./template.js";

/** A test with its place in messages. */
interface PlacedTest {
  test: Record<string, unknown>;
  place: string;
}

export interface TestRow {
  id: string;
  inputs: Record<string, unknown>;
  metadata: { description?: string; assert: ImportedAssertion[]; threshold?: number };
}

/** Combinations of lists of values. */
const MOST_ROWS = 100_000;

const TAKEN = ["vars", "assert", "threshold", "description", "options", "metadata"];

export async function readTests(
  config: Record<string, unknown>,
  path: string,
  { assertions, findings }: { assertions: Assertions; findings: Findings },
): Promise<TestRow[]> {
  const standard = isObject(config.defaultTest) ? config.defaultTest : {};
  if (config.defaultTest !== undefined && !isObject(config.defaultTest))
    findings.leave("defaultTest", "it is in another file. Write it into the config");
  checkFields(standard, "defaultTest", findings);
  const tests = await testsOf(config.tests, path, findings);
  const all =
    config.tests === undefined && config.scenarios === undefined
      ? [{ test: {}, place: "defaultTest" }]
      : tests;
  const rows: TestRow[] = [];
  for (const { test, place } of all) {
    if (place !== "defaultTest") checkFields(test, place, findings);
    const vars = {
      ...(await varsOf(standard, "defaultTest", path, findings)),
      ...(await varsOf(test, place, path, findings)),
    };
    const options = { ...fieldsOf(standard.options), ...fieldsOf(test.options) };
    const isAlone = options.disableDefaultAsserts === true;
    const threshold = test.threshold ?? standard.threshold;
    for (const combination of options.disableVarExpansion === true
      ? [vars]
      : combinations(vars, place, findings)) {
      const inputs = resolved(combination);
      const assert = [
        ...(isAlone ? [] : assertions.read(standard.assert, inputs, "defaultTest.assert")),
        ...(place === "defaultTest" ? [] : assertions.read(test.assert, inputs, `${place}.assert`)),
      ];
      if (!assert.length)
        findings.differ(place, "without assertions a test passes in promptfoo; here it has no score");
      rows.push({
        id: String(rows.length + 1),
        inputs,
        metadata: {
          ...(typeof test.description === "string" && { description: test.description }),
          assert,
          ...(typeof threshold === "number" && { threshold }),
        },
      });
      if (rows.length > MOST_ROWS) {
        findings.leave(place, `there are more than ${MOST_ROWS} rows. Split the tests`);
        return rows;
      }
    }
  }
  return rows;
}

const fieldsOf = (value: unknown): Record<string, unknown> => (isObject(value) ? value : {});

async function testsOf(given: unknown, path: string, findings: Findings): Promise<PlacedTest[]> {
  const list = given === undefined ? [] : Array.isArray(given) ? given : [given];
  const tests: PlacedTest[] = [];
  for (const [index, one] of list.entries()) {
    const place = `tests[${index}]`;
    if (typeof one !== "string") {
      if (isObject(one) && !("path" in one)) tests.push({ test: one, place });
      else findings.leave(place, "tests from programs are not supported. Write them to a file");
      continue;
    }
    const file = one.replace(/^file:\/\//, "");
    if (!/\.(?:csv|json|jsonl|ya?ml)$/.test(file) || /^\w+:\/\/|[*?[{]/.test(file)) {
      findings.leave(place, "tests can be in a file that ends in .csv, .json, .jsonl or .yaml");
      continue;
    }
    const content = await readReferenced(file, path);
    const rows = Array.isArray(content) ? content : [content];
    for (const [number, row] of rows.entries()) {
      const test = file.endsWith(".csv") ? testOfCells(row as Record<string, string>) : row;
      const where = `${file}[${number}]`;
      if (isObject(test)) tests.push({ test, place: where });
      else findings.leave(where, "a test has to be an object");
    }
  }
  return tests;
}

/** A row of CSV: columns are variables, and those that begin with two underscores are settings. */
function testOfCells(cells: Readonly<Record<string, string>>): Record<string, unknown> {
  const test: Record<string, unknown> = {};
  const vars: Record<string, string> = {};
  const assert: Record<string, unknown>[] = [];
  for (const [name, cell] of Object.entries(cells)) {
    if (/^__expected\d*$/.test(name)) {
      if (cell.trim()) assert.push(assertionOfCell(cell));
    } else if (!name.startsWith("__")) vars[name] = cell;
    else if (!cell.trim()) continue;
    else if (name === "__description") test.description = cell;
    else if (name === "__threshold") test.threshold = Number(cell);
    else if (name === "__metric") test.metric = cell;
    else test[name] = cell;
  }
  const { metric, ...rest } = test;
  return { ...rest, vars, assert: metric === undefined ? assert : assert.map((one) => ({ ...one, metric })) };
}

function checkFields(test: Record<string, unknown>, place: string, findings: Findings): void {
  for (const [name, value] of Object.entries(test)) {
    if (TAKEN.includes(name) || value === undefined) continue;
    findings.leave(`${place}.${name}`, "it is not supported. Change the target or the evaluators instead");
  }
  for (const [name, value] of Object.entries(fieldsOf(test.options))) {
    if (["disableDefaultAsserts", "disableVarExpansion"].includes(name)) continue;
    if (name === "provider") findings.differ(`${place}.options.provider`, judgeOf(value));
    else if (/transform/i.test(name))
      findings.leave(`${place}.options.${name}`, "it runs code. Do the same in the target");
    else findings.leave(`${place}.options.${name}`, "it is not supported. Change the target instead");
  }
}

async function varsOf(
  { vars }: Record<string, unknown>,
  place: string,
  path: string,
  findings: Findings,
): Promise<Record<string, unknown>> {
  if (vars === undefined) return {};
  if (!isObject(vars)) {
    findings.leave(`${place}.vars`, "variables from files are not supported. Write them into the config");
    return {};
  }
  const read: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(vars)) {
    const [, file] = typeof value === "string" ? (/^file:\/\/(.+)$/.exec(value) ?? []) : [];
    if (file === undefined) {
      const isTaken = typeof value !== "string" || (!hasLogic(value) && !readsEnvironment(value));
      if (isTaken) read[name] = value;
      else findings.leave(`${place}.vars.${name}`, "its template has more than variables. Write its value");
    } else if (/\.(?:txt|md|json|ya?ml)$/.test(file) && !/[*?[{]/.test(file))
      read[name] = await readReferenced(file, path);
    else
      findings.leave(`${place}.vars.${name}`, "values come from files that end in .txt, .md, .json or .yaml");
  }
  return read;
}

/** Values can name other variables. */
function resolved(vars: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const read = (value: unknown) => (typeof value === "string" ? rendered(value, vars, true) : value);
  return Object.fromEntries(Object.entries(vars).map(([name, value]) => [name, read(value)]));
}

/** A row for each combination of values where variables have lists. */
function combinations(
  vars: Record<string, unknown>,
  place: string,
  findings: Findings,
): Record<string, unknown>[] {
  let rows: Record<string, unknown>[] = [{}];
  for (const [name, value] of Object.entries(vars)) {
    const values = Array.isArray(value) ? value : [value];
    if (rows.length * values.length > MOST_ROWS) {
      findings.leave(`${place}.vars`, `its lists have more than ${MOST_ROWS} combinations`);
      return [];
    }
    rows = rows.flatMap((row) => values.map((one) => ({ ...row, [name]: one })));
  }
  return rows;
}
