/** The tests of a promptfoo config as rows. */

import { isRecord } from "../../../../core/input/objects.js";
import { readReferenced } from "../files.js";
import { type Assertions, assertionOfCell, type ImportedAssertion } from "./assertions.js";
import type { Functions } from "./functions.js";
import type { Judge } from "./judge.js";
import { combinations, MAX_ROWS, type VarsSource, valuesOf, varsOf } from "./vars.js";

/** A test with its place in messages. */
interface PlacedTest {
  test: Record<string, unknown>;
  place: string;
}

export interface TestRow {
  id: string;
  inputs: Record<string, unknown>;
  metadata: { description?: string; assert: ImportedAssertion[]; threshold?: number; transform?: string };
}

/** The most characters of all rows together. */
const MAX_TOTAL_CHARACTERS = 200_000_000;

const SUPPORTED = ["vars", "assert", "threshold", "description", "options", "metadata"];

interface Reading extends VarsSource {
  assertions: Assertions;
  functions: Functions;
  judge: Judge;
}

export async function readTests(config: Record<string, unknown>, reading: Reading): Promise<TestRow[]> {
  const { findings, functions, assertions, judge } = reading;
  const defaults = await defaultTestOf(config.defaultTest, reading);
  judge.setDefault(fieldsOf(defaults.options).provider);
  checkFields(defaults, "defaultTest", reading);
  const hasTests = ["tests", "scenarios", "redteam"].some((name) => config[name] !== undefined);
  const all = hasTests ? await testsOf(config.tests, reading) : [{ test: {}, place: "defaultTest" }];
  const rows: TestRow[] = [];
  const defaultVars = await varsOf(defaults, "defaultTest", reading);
  let characters = 0;
  for (const { test, place } of all) {
    if (place !== "defaultTest") checkFields(test, place, reading);
    const vars = await varsOf(test, place, reading);
    if (!vars || !defaultVars) continue;
    const options = { ...fieldsOf(defaults.options), ...fieldsOf(test.options) };
    const skipsDefaults = options.disableDefaultAsserts === true;
    const threshold = test.threshold ?? defaults.threshold;
    const owner = fieldsOf(test.options).transform === undefined ? "defaultTest" : place;
    const transform =
      options.transform === undefined
        ? undefined
        : functions.add(options.transform, `${owner}.options.transform`);
    const allVars = { ...defaultVars, ...vars };
    const expanded =
      options.disableVarExpansion === true ? [allVars] : combinations(allVars, place, findings);
    for (const combination of expanded) {
      const inputs = await valuesOf(combination, place, reading);
      if (!inputs) continue;
      const assert = [
        ...(skipsDefaults ? [] : await assertions.read(defaults.assert, inputs, "defaultTest.assert")),
        ...(place === "defaultTest" ? [] : await assertions.read(test.assert, inputs, `${place}.assert`)),
      ];
      if (!assert.length)
        findings.differ(place, "without assertions a test passes in promptfoo; here it has no score");
      const row = {
        id: String(rows.length + 1),
        inputs,
        metadata: {
          ...fieldsOf(defaults.metadata),
          ...fieldsOf(test.metadata),
          ...(typeof test.description === "string" && { description: test.description }),
          assert,
          ...(typeof threshold === "number" && { threshold }),
          ...(transform !== undefined && { transform }),
        },
      };
      characters += JSON.stringify(row).length;
      const isTooMuch = rows.length >= MAX_ROWS || characters > MAX_TOTAL_CHARACTERS;
      if (isTooMuch) {
        const most = `${MAX_ROWS} rows, or ${MAX_TOTAL_CHARACTERS / 1e6} million characters in them`;
        findings.skip(place, `there are more than ${most}. Split the tests`);
        return rows;
      }
      rows.push(row);
    }
  }
  return rows;
}

/** The defaults of all tests, which may be in a file. */
async function defaultTestOf(given: unknown, { path, findings }: Reading): Promise<Record<string, unknown>> {
  if (given === undefined || isRecord(given)) return given ?? {};
  const [, file] = /^file:\/\/(.+\.(?:json|ya?ml))$/.exec(String(given)) ?? [];
  const content = file && (await readReferenced(file, path, "defaultTest", findings));
  if (!file) findings.skip("defaultTest", "it can be in a file of JSON or YAML. Write it into the config");
  return fieldsOf(content);
}

const fieldsOf = (value: unknown): Record<string, unknown> => (isRecord(value) ? value : {});

async function testsOf(given: unknown, { path, findings }: Reading): Promise<PlacedTest[]> {
  const list = given === undefined ? [] : Array.isArray(given) ? given : [given];
  const tests: PlacedTest[] = [];
  for (const [index, entry] of list.entries()) {
    const place = `tests[${index}]`;
    if (typeof entry !== "string") {
      if (isRecord(entry) && !("path" in entry)) tests.push({ test: entry, place });
      else findings.skip(place, "tests from programs are not supported. Write them to a file");
      continue;
    }
    const file = entry.replace(/^file:\/\//, "");
    if (!/\.(?:csv|json|jsonl|ya?ml)$/.test(file) || /^\w+:\/\/|[*?[{]/.test(file)) {
      findings.skip(place, "tests can be in a file that ends in .csv, .json, .jsonl or .yaml");
      continue;
    }
    const content = await readReferenced(file, path, place, findings);
    if (content === undefined) continue;
    const rows = Array.isArray(content) ? content : [content];
    for (const [number, row] of rows.entries()) {
      const test = file.endsWith(".csv") ? testOfCells(row as Record<string, string>) : row;
      const where = `${file}[${number}]`;
      if (isRecord(test)) tests.push({ test, place: where });
      else findings.skip(where, "a test has to be an object");
    }
  }
  return tests;
}

/** A row of CSV: columns are variables, and those that begin with two underscores are settings. */
function testOfCells(cells: Readonly<Record<string, string>>): Record<string, unknown> {
  const test: Record<string, unknown> = {};
  const vars: Record<string, string> = {};
  const metadata: Record<string, string> = {};
  const assert: Record<string, unknown>[] = [];
  for (const [name, cell] of Object.entries(cells)) {
    if (/^__expected\d*$/.test(name)) {
      if (cell.trim()) assert.push(assertionOfCell(cell));
    } else if (!name.startsWith("__")) vars[name] = cell;
    else if (!cell.trim()) continue;
    else if (name === "__description") test.description = cell;
    else if (name === "__threshold") test.threshold = Number(cell);
    else if (name === "__metric") test.metric = cell;
    else if (name.startsWith("__metadata:")) metadata[name.slice(11).replace(/\[\]$/, "")] = cell;
    else test[name] = cell;
  }
  const { metric, ...rest } = test;
  return {
    ...rest,
    vars,
    metadata,
    assert: metric === undefined ? assert : assert.map((assertion) => ({ ...assertion, metric })),
  };
}

function checkFields(test: Record<string, unknown>, place: string, { findings, judge }: Reading): void {
  for (const [name, value] of Object.entries(test)) {
    if (SUPPORTED.includes(name) || value === undefined) continue;
    findings.skip(`${place}.${name}`, "it is not supported. Change the target or the evaluators instead");
  }
  for (const [name, value] of Object.entries(fieldsOf(test.options))) {
    if (["disableDefaultAsserts", "disableVarExpansion", "transform"].includes(name)) continue;
    if (name === "provider") judge.check(value, `${place}.options.provider`, findings);
    else if (/transform/i.test(name))
      findings.skip(`${place}.options.${name}`, "it runs code. Do the same in the target");
    else findings.skip(`${place}.options.${name}`, "it is not supported. Change the target instead");
  }
}
