/** Reads assertions of promptfoo as data for the experiment. */

import { isRecord } from "../../../../core/input/objects.js";
import { readReferenced } from "../files.js";
import type { Findings } from "../imported.js";
import type { Functions } from "./functions.js";
import type { Judge } from "./judge.js";
import { REFUSED } from "./refused.js";
import { commaSeparated, RULES } from "./rules.js";
import {
  hasLogic,
  MAX_CHARACTERS,
  readsEnvironment,
  rendered,
  renderedLength,
  type Vars,
} from "./template.js";

/** An assertion in the metadata of a row. */
export interface ImportedAssertion {
  type: string;
  value?: unknown;
  threshold?: number;
  weight?: number;
  metric?: string;
  not?: true;
  /** The name of the function that transforms the answer. */
  transform?: string;
  assert?: ImportedAssertion[];
}

const SUPPORTED = [
  ...["type", "value", "threshold", "weight", "metric", "assert", "provider", "transform"],
  ...["description", "reason"],
];

export class Assertions {
  readonly #path: string;
  readonly #findings: Findings;
  readonly #functions: Functions;
  readonly #judge: Judge;
  readonly #templates: Readonly<Record<string, unknown>>;
  /** The types that the experiment needs. */
  readonly types = new Set<string>();

  constructor(path: string, findings: Findings, functions: Functions, judge: Judge, templates: unknown) {
    this.#path = path;
    this.#findings = findings;
    this.#functions = functions;
    this.#judge = judge;
    this.#templates = isRecord(templates) ? templates : {};
  }

  /** The assertions of a list that can be checked. */
  read(list: unknown, vars: Vars, place: string): Promise<ImportedAssertion[]> {
    return this.#list(list, vars, place, { assertions: 0, characters: 0, depth: 0 });
  }

  async #list(list: unknown, vars: Vars, place: string, size: Size): Promise<ImportedAssertion[]> {
    if (list === undefined || list === null) return [];
    if (!Array.isArray(list)) {
      this.#findings.skip(place, "it has to be a list of assertions");
      return [];
    }
    const read: ImportedAssertion[] = [];
    for (const [index, assertion] of list.entries())
      read.push(...(await this.#assertion(assertion, vars, `${place}[${index}]`, size)));
    return read;
  }

  async #assertion(given: unknown, vars: Vars, place: string, size: Size): Promise<ImportedAssertion[]> {
    const assertion = this.#resolved(given);
    const skip = (reason: string): [] => {
      this.#findings.skip(place, reason);
      return [];
    };
    if (!isRecord(assertion) || typeof assertion.type !== "string")
      return skip("it has to be an object with a type");
    if (size.depth > MAX_DEPTH) return skip(`assert-set is in itself, or in more than ${MAX_DEPTH} others`);
    if (++size.assertions > MAX_ASSERTIONS)
      return skip(`with its templates, the list has more than ${MAX_ASSERTIONS} assertions`);
    const other = Object.keys(assertion).find((name) => !SUPPORTED.includes(name));
    if (other)
      return skip(
        `${assertion.type} has ${other}, which is not supported. Write it as a function in evaluators`,
      );
    const { threshold, weight, metric } = assertion;
    for (const [name, value] of Object.entries({ threshold, weight }))
      if (value !== undefined && !(typeof value === "number" && Number.isFinite(value) && value >= 0))
        return skip(`its ${name} has to be a number from 0`);
    if (assertion.provider !== undefined) this.#judge.check(assertion.provider, place, this.#findings);
    const transform =
      assertion.transform === undefined
        ? undefined
        : this.#functions.add(assertion.transform, `${place}.transform`);
    if (assertion.transform !== undefined && transform === undefined) return [];
    size.characters += typeof metric === "string" ? renderedLength([metric], vars) : 0;
    if (size.characters > MAX_CHARACTERS) return skip(TOO_LONG);
    const common: ImportedAssertion = {
      type: assertion.type,
      ...(transform !== undefined && { transform }),
      ...(threshold !== undefined && { threshold: threshold as number }),
      ...(weight !== undefined && { weight: weight as number }),
      ...(typeof metric === "string" && { metric: rendered(metric, vars) }),
    };
    if (assertion.type === "assert-set") {
      size.depth++;
      const assert = await this.#list(assertion.assert, vars, `${place}.assert`, size);
      size.depth--;
      return assert.length ? [{ ...common, assert }] : [];
    }
    const value = await this.#valueOf(assertion.value, place);
    const read = value === SKIPPED ? undefined : this.#checked(common, value, vars, place, size);
    return read ? [read] : [];
  }

  /** A value, which may be in a file of data. */
  async #valueOf(value: unknown, place: string): Promise<unknown> {
    const [, file] = /^file:\/\/(.+\.(?:txt|md|json|ya?ml))$/.exec(String(value)) ?? [];
    if (typeof value !== "string" || file === undefined) return value;
    const content = await readReferenced(file, this.#path, place, this.#findings);
    return content === undefined ? SKIPPED : typeof content === "string" ? content.trim() : content;
  }

  #checked(
    common: ImportedAssertion,
    given: unknown,
    vars: Vars,
    place: string,
    size: Size,
  ): ImportedAssertion | undefined {
    const skip = (reason: string): undefined => void this.#findings.skip(place, reason);
    const { type: fullType, ...rest } = common;
    const not = fullType.startsWith("not-");
    const type = not ? fullType.slice(4) : fullType;
    const rule = Object.hasOwn(RULES, type) ? RULES[type] : undefined;
    if (!rule)
      return skip(
        `${type} ${(Object.hasOwn(REFUSED, type) && REFUSED[type]) || "is not supported. Write it as a function in evaluators"}`,
      );
    if (type === "latency" && rest.threshold === undefined) return skip("latency has no threshold");
    const strings = [given].flat().filter((text) => typeof text === "string");
    if (strings.some((text) => /^(?:file|package):/.test(text)))
      return skip(`${type} reads its value from a program or a list of files. Write it into the config`);
    if (strings.some((text) => hasLogic(text) || readsEnvironment(text)))
      return skip(`${type} has a template with more than variables. Write the value out`);
    size.characters += renderedLength(strings, vars);
    if (size.characters > MAX_CHARACTERS) return skip(TOO_LONG);
    const render = (part: unknown) => (typeof part === "string" ? rendered(part, vars) : part);
    const value = Array.isArray(given) ? given.map(render) : render(given);
    const readable = type === "javascript" ? this.#functions.add(value, place) : value;
    if (type === "javascript" && readable === undefined) return undefined;
    const isMissing = rule.isOptional && value === undefined;
    const read = rule.read && !isMissing ? rule.read(readable) : {};
    if (read === "invalid") return skip(`the value of ${type} has to be ${rule.wanted}`);
    if (rule.differs) this.#findings.differ(place, `${type} ${rule.differs}`);
    this.types.add(type);
    const limit = rest.threshold ?? rule.threshold;
    return {
      type,
      ...(not && { not }),
      ...read,
      ...rest,
      ...(limit !== undefined && { threshold: limit }),
    };
  }

  /** An assertion, or the template that it refers to. */
  #resolved(given: unknown): unknown {
    const reference = isRecord(given) ? given.$ref : undefined;
    const [, name = ""] = /^#\/assertionTemplates\/(.+)$/.exec(String(reference)) ?? [];
    return Object.hasOwn(this.#templates, name) ? this.#templates[name] : given;
  }
}

/** The size of a list, with its templates expanded. */
interface Size {
  assertions: number;
  characters: number;
  /** The number of sets around the current assertion. */
  depth: number;
}

const TOO_LONG = "its variables are too long, or are in too many values of the list";
const MAX_ASSERTIONS = 10_000;
const MAX_DEPTH = 20;

const SKIPPED = Symbol("skipped");

const LISTS = /^i?contains-(?:any|all)$/;

/** An assertion in a cell of CSV, such as `contains: Paris` or `similar(0.8): Paris`. Other text is an exact match. */
export function assertionOfCell(cell: string): Record<string, unknown> {
  const code = /^(?:javascript|fn|eval):([\s\S]*)$/.exec(cell);
  if (code) return { type: "javascript", value: code[1]?.trim() };
  if (cell.startsWith("python:")) return { type: "python", value: cell.slice(7).trim() };
  if (cell.startsWith("file://")) return { type: "javascript", value: cell };
  const graded = /^grade:([\s\S]*)$/.exec(cell);
  if (graded) return { type: "llm-rubric", value: graded[1]?.trim() };
  const [, type = "", threshold, , value] =
    /^((?:not-)?[a-z]+(?:-[a-z]+)*)(?:\((\d+(?:\.\d+)?)\))?(:([\s\S]*))?$/.exec(cell.trim()) ?? [];
  const base = type.replace(/^not-/, "");
  if (!Object.hasOwn(RULES, base) && !Object.hasOwn(REFUSED, base)) return { type: "equals", value: cell };
  const text = value?.trim();
  return {
    type,
    ...(text !== undefined && text !== "" && { value: LISTS.test(base) ? commaSeparated(text) : text }),
    ...(threshold !== undefined && { threshold: Number(threshold) }),
  };
}
