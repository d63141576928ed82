/** Reads the files of other tools, which are not trusted. */

import { readFile, stat } from "node:fs/promises";
import { dirname, isAbsolute, relative, resolve } from "node:path";
import { invalidInput, OpenEvalsError, reasonOf } from "../../../core/errors.js";
import { filledLines } from "../../../core/input/filled-lines.js";
import { usageError } from "../cli-error.js";
import { readText, realPath } from "../files.js";
import { optionalPackage } from "../packages.js";
import type { Findings } from "./imported.js";

const MAX_BYTES = 100 * 1024 * 1024;
const MAX_DEPTH = 200;
const MAX_VALUES = 5_000_000;

type Parse = (text: string, path: string) => unknown;

/** Reads and parses a file by its extension; other files, such as `.txt`, are text. */
export async function readContent(path: string, parse: Parse = parsedContent): Promise<unknown> {
  await checkFile(path);
  return parse(await readText(path), path);
}

/** Rejects anything but a regular file of a moderate size. */
async function checkFile(path: string): Promise<void> {
  const status = await stat(path).catch(() => undefined);
  if (!status) throw invalidInput(`There is no file ${path}`);
  if (!status.isFile()) throw invalidInput(`${path} is not a regular file`);
  if (status.size > MAX_BYTES)
    throw invalidInput(
      `${path} has ${Math.ceil(status.size / 1024 / 1024)} MB; the limit is ${MAX_BYTES / 1024 / 1024} MB. Split the file`,
    );
}

async function parsedContent(text: string, path: string): Promise<unknown> {
  const [extension = ""] = /\.\w+$/.exec(path.toLowerCase()) ?? [];
  if (extension === ".json") return bounded(parsedJson(text, path), path);
  if (extension === ".yaml" || extension === ".yml") return bounded(await parsedYaml(text, path), path);
  if (extension === ".jsonl" || extension === ".ndjson") return bounded(parsedLines(text, path), path);
  if (extension === ".csv") return parsedCsv(text, path);
  return text;
}

/** Reads a file that another file names, from its folder or below; `undefined` if it is skipped. */
export async function readReferenced(
  path: string,
  from: string,
  place: string,
  findings: Findings,
  parse?: Parse,
): Promise<unknown> {
  try {
    return await readContent(await insideFolder(path, from), parse);
  } catch (error) {
    findings.skip(place, reasonOf(error));
  }
}

/** The same for the bytes of a file, in base64. */
export async function readBase64(
  path: string,
  from: string,
  place: string,
  findings: Findings,
): Promise<string | undefined> {
  try {
    const file = await insideFolder(path, from);
    await checkFile(file);
    return (await readFile(file)).toString("base64");
  } catch (error) {
    findings.skip(place, reasonOf(error));
    return undefined;
  }
}

/** The value of YAML; `undefined` if it is not valid. */
export const yamlIn = (text: string, path: string): Promise<unknown> =>
  parsedYaml(text, path).catch(() => undefined);

async function insideFolder(path: string, from: string): Promise<string> {
  const folder = dirname(resolve(from));
  const target = resolve(folder, path);
  const [realFolder = folder, real = target] = await Promise.all([realPath(folder), realPath(target)]);
  const relativePath = relative(realFolder, real);
  if (relativePath.startsWith("..") || isAbsolute(relativePath))
    throw invalidInput(`${from} names ${path}, which is outside of its folder. Copy the file into it`);
  return target;
}

function parsedJson(text: string, location: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new OpenEvalsError("invalid_input", `${location} is not valid JSON: ${(error as Error).message}`, {
      cause: error,
    });
  }
}

const parsedLines = (text: string, path: string): unknown[] =>
  Array.from(filledLines(text), ({ line, number }) => parsedJson(line, `${path}:${number}`));

interface Yaml {
  parseDocument(
    text: string,
    options: object,
  ): { errors: { message: string }[]; warnings: { message: string }[]; toJS(options: object): unknown };
}

async function parsedYaml(text: string, path: string): Promise<unknown> {
  const yaml = await yamlPackage(path);
  try {
    const document = yaml.parseDocument(text, { merge: true, logLevel: "error" });
    // A warning means an unknown tag, whose value would be wrong.
    const [problem] = [...document.errors, ...document.warnings];
    if (problem) throw problem;
    // Without a limit, aliases could expand to more than memory holds.
    return document.toJS({ maxAliasCount: 1000 });
  } catch (error) {
    throw new OpenEvalsError("invalid_input", `${path} is not valid YAML: ${reasonOf(error)}`, {
      cause: error,
    });
  }
}

async function yamlPackage(path: string): Promise<Yaml> {
  const found = await optionalPackage("yaml");
  if (found) return found.parseDocument ? found : found.default;
  throw usageError(`${path} is YAML, which needs the package yaml. Install it: npm install --save-dev yaml`);
}

/** Rejects values that contain themselves, that JSON cannot represent, or that are too deep or too many. */
function bounded(value: unknown, path: string): unknown {
  const open = new Set<unknown>();
  let count = 0;
  const visit = (one: unknown): void => {
    if (++count > MAX_VALUES) throw invalid(path, `has more than ${MAX_VALUES} values`);
    if (typeof one === "number" && !isExact(one))
      throw invalid(
        path,
        `has the number ${one}, which JavaScript or JSON cannot represent; write it as a text`,
      );
    if (typeof one !== "object" || one === null) return;
    // YAML has more kinds of values than JSON.
    if (one instanceof Set || one instanceof Map || ArrayBuffer.isView(one))
      throw invalid(
        path,
        "has a set, a map or bytes, which JSON does not have; write a list, an object or a text",
      );
    if (open.has(one)) throw invalid(path, "has a value that contains itself");
    if (open.size >= MAX_DEPTH) throw invalid(path, `is nested more than ${MAX_DEPTH} levels deep`);
    open.add(one);
    for (const inner of Object.values(one)) visit(inner);
    open.delete(one);
  };
  visit(value);
  return value;
}

/** Whether JSON parsing kept the number exact: large integers are rounded. */
const isExact = (number: number): boolean =>
  Number.isFinite(number) && (number % 1 !== 0 || Number.isSafeInteger(number) || Math.abs(number) > 1e21);

const invalid = (path: string, problem: string): OpenEvalsError => invalidInput(`${path} ${problem}`);

/** Rows of CSV by the names of the first line (RFC 4180). */
function parsedCsv(text: string, path: string): Record<string, string>[] {
  const records = csvRecords(text, path);
  const [head, ...rest] = records;
  if (!head) throw invalid(path, "is empty");
  const names = head.map((name) => name.trim());
  return rest.map((cells, index) => {
    if (cells.length !== names.length)
      throw invalid(
        path,
        `has ${cells.length} cells in row ${index + 1}, and the header has ${names.length}`,
      );
    return Object.fromEntries(names.map((name, column) => [name, cells[column] as string]));
  });
}

const CELL = /(?:"([^"]*(?:""[^"]*)*)"|([^",\r\n]*))(,|\r\n|\n|\r|$)/y;

function csvRecords(text: string, path: string): string[][] {
  const records: string[][] = [];
  let cells: string[] = [];
  CELL.lastIndex = 0;
  while (CELL.lastIndex < text.length || cells.length) {
    const at = CELL.lastIndex;
    const match = CELL.exec(text);
    if (!match)
      throw invalid(
        path,
        `has a quote that is not closed, or text beside a quoted cell, in line ${lineAt(text, at)}`,
      );
    const [, quoted, bare = "", end] = match;
    cells.push(quoted?.replaceAll('""', '"') ?? bare);
    if (end === ",") continue;
    if (cells.length > 1 || cells[0] !== "") records.push(cells);
    cells = [];
    if (end === "") break;
  }
  return records;
}

const lineAt = (text: string, place: number): number => text.slice(0, place).split("\n").length;
