/**
 * Converts schemas of zod 3, and of versions of zod 4 that have no conversion, to JSON schemas. It reads their
 * definitions, so zod is never imported.
 */

/** The part of a definition that is used. Its names differ between the versions. */
interface Definition {
  typeName?: string;
  type?: unknown;
  shape?: Record<string, object> | (() => Record<string, object>);
  element?: object;
  innerType?: object;
  schema?: object;
  in?: object;
  items?: object[];
  valueType?: object;
  options?: object[] | Map<unknown, object>;
  values?: unknown;
  value?: unknown;
  entries?: Record<string, unknown>;
}

interface Schema {
  _def?: Definition;
  _zod?: { def: Definition };
  description?: string;
  isOptional?: () => boolean;
  minValue?: number | null;
  maxValue?: number | null;
  isInt?: boolean;
  format?: string | null;
}

/** The JSON schema of a zod schema; `undefined` if it has none. */
export function zodToJsonSchema(schema: object): object | undefined {
  const converted = convert(schema);
  const { description } = schema as Schema;
  return converted && description ? { ...converted, description } : converted;
}

function convert(schema: object): object | undefined {
  const definition = definitionOf(schema);
  switch (kindOf(definition)) {
    case "string":
    case "boolean":
    case "null":
      return { type: kindOf(definition) };
    case "number":
      return number(schema);
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
    case "discriminatedunion": {
      const options = [...(definition.options?.values() ?? [])].map(zodToJsonSchema);
      return options.every((option) => option !== undefined) ? { anyOf: options } : undefined;
    }
    case "optional":
    case "default":
    case "prefault":
    case "catch":
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
      return undefined;
  }
}

const definitionOf = (schema: object): Definition => {
  const { _zod, _def } = schema as Schema;
  return _zod?.def ?? _def ?? {};
};

/** `ZodObject` in zod 3, `object` in zod 4. */
const kindOf = ({ typeName, type }: Definition): string =>
  (typeName?.replace(/^Zod/, "") ?? (typeof type === "string" ? type : "")).toLowerCase();

const same = (schema: object): object => schema;

const wrap = (inner: object | undefined, around: (schema: object) => object): object | undefined => {
  const converted = inner && zodToJsonSchema(inner);
  return converted && around(converted);
};

function number(schema: object): object {
  const { minValue, maxValue, isInt, format } = schema as Schema;
  const bound = (value: unknown): boolean => Number.isSafeInteger(value) || !Number.isInteger(value);
  return {
    type: isInt || format?.includes("int") ? "integer" : "number",
    ...(Number.isFinite(minValue) && bound(minValue) ? { minimum: minValue } : {}),
    ...(Number.isFinite(maxValue) && bound(maxValue) ? { maximum: maxValue } : {}),
  };
}

function object({ shape }: Definition): object | undefined {
  const members = Object.entries((typeof shape === "function" ? shape() : shape) ?? {});
  const properties = members.map(([name, member]) => [name, zodToJsonSchema(member)] as const);
  if (properties.some(([, property]) => property === undefined)) return undefined;
  const required = members.filter(([, member]) => !(member as Schema).isOptional?.()).map(([name]) => name);
  return {
    type: "object",
    properties: Object.fromEntries(properties),
    required,
    additionalProperties: false,
  };
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
