/**
 * Converts schemas of zod 3, and of versions of zod 4 that have no conversion, to JSON schemas. It reads their
 * definitions, so zod is never imported.
 */

import { isObject } from "../../core/input/objects.js";

/** The part of a definition that is used. Its names differ between the versions. */
interface ZodDefinition {
  /** The kind in zod 3, such as `ZodNumber`. */
  typeName?: string;
  /** The kind in zod 4, such as `number`; the elements of an array in zod 3. */
  type?: unknown;
  checks?: readonly object[];
  shape?: Record<string, object> | (() => Record<string, object>);
  element?: object;
  innerType?: object;
  schema?: object;
  in?: object;
  out?: object;
  items?: object[];
  left?: object;
  right?: object;
  catchall?: object;
  getter?: () => object;
  effect?: { type?: string };
  valueType?: object;
  options?: object[] | Map<unknown, object>;
  values?: unknown;
  value?: unknown;
  entries?: Record<string, unknown>;
  defaultValue?: unknown;
  catchValue?: unknown;
}

/** A check of a number. */
interface ZodCheck {
  kind?: string;
  check?: string;
  format?: string;
  inclusive?: boolean;
  value: number;
}

interface ZodSchema {
  _def?: ZodDefinition;
  _zod?: { def: ZodDefinition; optin?: string };
  description?: string;
  isOptional?: () => boolean;
}

/**
 * The JSON schema of a zod schema.
 *
 * @throws `TypeError` for a type without one, such as `z.lazy()`.
 */
export function zodToJsonSchema(schema: object): object {
  const converted = convert(schema);
  const { description } = schema as ZodSchema;
  return description ? { ...converted, description } : converted;
}

/**
 * How zod changes the `score` of answers without a trace in their JSON schema: `catch` replaces what is refused, and
 * `overwrite` computes another value of the same type. `undefined` if it does neither.
 */
export function changeOfScore(schema: object): "catch" | "overwrite" | undefined {
  const seen = new Set<object>();
  const find = (
    part: unknown,
    isScore: boolean,
    isTransformed: boolean,
  ): "catch" | "overwrite" | undefined => {
    if (!isObject(part) || seen.has(part)) return undefined;
    seen.add(part);
    const definition = definitionOf(part);
    if (kindOf(definition) === "catch") return "catch";
    if (
      isScore &&
      definition.checks?.some((check) => (definitionOf(check) as ZodCheck).check === "overwrite")
    )
      return "overwrite";
    const { out, effect, shape, options, items, getter } = definition;
    const { score, ...others } = (typeof shape === "function" ? shape() : shape) ?? {};
    // A transform may make the score of any field.
    const makesScore =
      isTransformed ||
      effect?.type === "transform" ||
      (isObject(out) && kindOf(definitionOf(out)) === "transform");
    const { innerType, schema, in: first, element, type, left, right, catchall, valueType } = definition;
    const any = score ?? catchall ?? valueType;
    const parts = [innerType, schema, first, out, element, type, left, right, getter?.(), any];
    return (
      [...parts, ...(options?.values() ?? []), ...(items ?? [])]
        .map((inner) => find(inner, isScore, makesScore))
        .find(Boolean) ??
      (makesScore ? Object.values(others) : []).map((field) => find(field, false, true)).find(Boolean)
    );
  };
  return find(schema, true, false);
}

function convert(schema: object): object {
  const definition = definitionOf(schema);
  switch (kindOf(definition)) {
    case "string":
    case "boolean":
    case "null":
      return { type: kindOf(definition) };
    case "number":
      return number(definition);
    case "any":
    case "unknown":
      return {};
    case "literal":
      return oneOf(Array.isArray(definition.values) ? definition.values : [definition.value]);
    case "enum":
    case "nativeenum":
      return oneOf(valuesOf(definition.entries ?? (definition.values as object)));
    case "object":
      return object(definition);
    case "array":
      return wrap(definition.element ?? (definition.type as object), (items) => ({ type: "array", items }));
    case "record":
      return wrap(definition.valueType, (values) => ({ type: "object", additionalProperties: values }));
    case "nullable":
      return wrap(definition.innerType, (inner) => ({ anyOf: [inner, { type: "null" }] }));
    case "union":
    case "discriminatedunion":
      return { anyOf: [...(definition.options?.values() ?? [])].map(zodToJsonSchema) };
    case "default":
    case "prefault":
    case "catch":
      return wrap(definition.innerType, (inner) => ({ ...inner, default: defaultOf(definition) }));
    case "optional":
    case "readonly":
    case "nonoptional":
    case "branded":
    case "effects":
    case "pipe":
    case "pipeline":
      return wrap(
        definition.innerType ?? definition.schema ?? definition.in ?? (definition.type as object),
        same,
      );
    default:
      throw new TypeError(`z.${kindOf(definition)}() cannot be converted`);
  }
}

/** Whether it is a schema of zod. */
export const isZod = (schema: object): boolean => kindOf(definitionOf(schema)) !== "";

const definitionOf = (schema: object): ZodDefinition => {
  const { _zod, _def } = schema as ZodSchema;
  return _zod?.def ?? _def ?? {};
};

/** The kind of a schema in lower case, such as `number`. */
const kindOf = ({ typeName, type }: ZodDefinition): string =>
  (typeName?.replace(/^Zod/, "") ?? (typeof type === "string" ? type : "")).toLowerCase();

const same = (schema: object): object => schema;

const wrap = (inner: object | undefined, around: (schema: object) => object): object =>
  around(zodToJsonSchema(inner ?? {}));

/** The JSON schema of a number. */
function number(definition: ZodDefinition): object {
  const checks = (definition.checks ?? []).map((check) => ("_zod" in check ? definitionOf(check) : check));
  let type = "number";
  const limits: Record<string, number> = {};
  const limit = (keyword: string, value: number, strictest: (a: number, b: number) => number) => {
    // zod limits integers to those that JavaScript represents exactly.
    if (Math.abs(value) < Number.MAX_SAFE_INTEGER)
      limits[keyword] = strictest(limits[keyword] ?? value, value);
  };
  for (const { check, kind = check, format, inclusive, value } of [definition, ...checks] as ZodCheck[]) {
    if (kind === "int" || format?.includes("int")) type = "integer";
    if (kind === "max" || kind === "less_than")
      limit(inclusive ? "maximum" : "exclusiveMaximum", value, Math.min);
    if (kind === "min" || kind === "greater_than")
      limit(inclusive ? "minimum" : "exclusiveMinimum", value, Math.max);
  }
  return { type, ...limits };
}

function object({ shape }: ZodDefinition): object {
  const members = Object.entries((typeof shape === "function" ? shape() : shape) ?? {});
  const properties = members.map(([name, member]) => [name, zodToJsonSchema(member)] as const);
  const required = members.filter(([, member]) => !isOptional(member)).map(([name]) => name);
  return {
    type: "object",
    properties: Object.fromEntries(properties),
    required,
    additionalProperties: false,
  };
}

function isOptional(member: object): boolean {
  const { _zod, isOptional } = member as ZodSchema;
  return _zod ? _zod.optin === "optional" : isOptional?.call(member) === true;
}

/** The value that zod fills in. One that depends on the input is `null`. */
function defaultOf({ defaultValue, catchValue }: ZodDefinition): unknown {
  const value = defaultValue === undefined ? catchValue : defaultValue;
  try {
    return (typeof value === "function" ? value() : value) ?? null;
  } catch {
    return null;
  }
}

const oneOf = (values: readonly unknown[]): object => {
  const [type, ...others] = new Set(values.map((value) => (value === null ? "null" : typeof value)));
  return others.length ? { enum: values } : { type, enum: values };
};

/** The values of an enum. A numeric TypeScript enum also maps its numbers to names, which are left out. */
function valuesOf(entries: object): unknown[] {
  const named = entries as Record<string, unknown>;
  return Object.values(named).filter((value) => typeof named[value as string] !== "number");
}
