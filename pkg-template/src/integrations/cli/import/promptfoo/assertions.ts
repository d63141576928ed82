/** Reads assertions of promptfoo as data for the experiment. */

import { type Findings, isObject } from "../imported.js";
import { judgeOf } from "./models.js";
import { REFUSED } from "./refused.js";
import { commaSeparated, RULES } from "./rules.js";
import { hasLogic, readsEnvironment, rendered } from "./template.js";

/** An assertion in the metadata of a row. */
export interface ImportedAssertion {
  type: string;
  value?: unknown;
  threshold?: number;
  weight?: number;
  metric?: string;
  not?: true;
  assert?: ImportedAssertion[];
}

const TAKEN = ["type", "value", "threshold", "weight", "metric", "assert", "provider", "description"];

export class Assertions {
  readonly #findings: Findings;
  readonly #templates: Readonly<Record<string, unknown>>;
  /** The types that the experiment needs. */
  readonly types = new Set<string>();

  constructor(findings: Findings, templates: unknown) {
    this.#findings = findings;
    this.#templates = isObject(templates) ? templates : {};
  }

  /** The assertions of a list that can be checked. */
  read(list: unknown, vars: Readonly<Record<string, unknown>>, place: string): ImportedAssertion[] {
    if (list === undefined || list === null) return [];
    if (!Array.isArray(list)) {
      this.#findings.leave(place, "it has to be a list of assertions");
      return [];
    }
    return list.flatMap((one, index) => this.#one(one, vars, `${place}[${index}]`) ?? []);
  }

  #one(
    given: unknown,
    vars: Readonly<Record<string, unknown>>,
    place: string,
  ): ImportedAssertion | undefined {
    const assertion = this.#resolved(given);
    const leave = (reason: string): undefined => void this.#findings.leave(place, reason);
    if (!isObject(assertion) || typeof assertion.type !== "string")
      return leave("it has to be an object with a type");
    const other = Object.keys(assertion).find((name) => !TAKEN.includes(name));
    if (other)
      return leave(
        `${assertion.type} has ${other}, which is not supported. Write it as a function in evaluators`,
      );
    const { threshold, weight, metric } = assertion;
    for (const [name, value] of Object.entries({ threshold, weight }))
      if (value !== undefined && !(typeof value === "number" && Number.isFinite(value) && value >= 0))
        return leave(`its ${name} has to be a number from 0`);
    if (assertion.provider !== undefined) this.#findings.differ(place, judgeOf(assertion.provider));
    const common: ImportedAssertion = {
      type: assertion.type,
      ...(threshold !== undefined && { threshold: threshold as number }),
      ...(weight !== undefined && { weight: weight as number }),
      ...(typeof metric === "string" && { metric: rendered(metric, vars) }),
    };
    if (assertion.type === "assert-set") {
      const assert = this.read(assertion.assert, vars, `${place}.assert`);
      return assert.length ? { ...common, assert } : undefined;
    }
    return this.#checked(common, assertion.value, vars, place);
  }

  #checked(
    common: ImportedAssertion,
    given: unknown,
    vars: Readonly<Record<string, unknown>>,
    place: string,
  ): ImportedAssertion | undefined {
    const leave = (reason: string): undefined => void this.#findings.leave(place, reason);
    const { type: written, ...rest } = common;
    const not = written.startsWith("not-");
    const type = not ? written.slice(4) : written;
    const rule = Object.hasOwn(RULES, type) ? RULES[type] : undefined;
    if (!rule)
      return leave(`${type} ${(Object.hasOwn(REFUSED, type) && REFUSED[type]) || "is not supported"}`);
    if (type === "latency" && rest.threshold === undefined) return leave("latency has no threshold");
    const strings = [given].flat().filter((one) => typeof one === "string");
    if (strings.some((one) => /^(?:file|package):/.test(one)))
      return leave(`${type} reads its value from a file. Write the value into the config`);
    if (strings.some((one) => hasLogic(one) || readsEnvironment(one)))
      return leave(`${type} has a template with more than variables. Write the value out`);
    const render = (one: unknown) => (typeof one === "string" ? rendered(one, vars) : one);
    const value = Array.isArray(given) ? given.map(render) : render(given);
    const read = rule.value ? rule.value(parsedSchema(type, value)) : null;
    const isOptional = type.endsWith("-json") && value === undefined;
    if (read === undefined && !isOptional) return leave(`the value of ${type} has to be ${rule.wanted}`);
    if (rule.differs) this.#findings.differ(place, `${type} ${rule.differs}`);
    this.types.add(type);
    const limit = rest.threshold ?? rule.threshold;
    return {
      type,
      ...(not && { not }),
      ...(read != null && { value: read }),
      ...rest,
      ...(limit !== undefined && { threshold: limit }),
    };
  }

  /** An assertion, or the template that it refers to. */
  #resolved(given: unknown): unknown {
    const reference = isObject(given) ? given.$ref : undefined;
    const [, name = ""] = /^#\/assertionTemplates\/(.+)$/.exec(String(reference)) ?? [];
    return Object.hasOwn(this.#templates, name) ? this.#templates[name] : given;
  }
}

/** A schema may be written as a text of JSON. */
function parsedSchema(type: string, value: unknown): unknown {
  if (!type.endsWith("-json") || typeof value !== "string") return value;
  try {
    return JSON.parse(value);
  } catch {
    return value;
  }
}

const LISTS = /^i?contains-(?:any|all)$/;

/** An assertion in a cell of CSV, such as `contains: Paris` or `similar(0.8): Paris`; other texts are equal to the answer. */
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
