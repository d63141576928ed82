/** Converts schemas of libraries to JSON schemas. */

import { invalidConfig, OpenEvalsError, reasonOf } from "../../core/errors.js";
import { show } from "../../core/input/checks.js";
import { MAPS, SCHEMAS } from "./keywords.js";
import type { ConvertibleSchema } from "./standard-schema.js";
import { changeOfScore, isZod, zodToJsonSchema } from "./zod-schema.js";

/**
 * The JSON schema that a model answers to, of zod or a library that provides it. It describes the value before the library's
 * transforms. Fields with a default are required, too: otherwise an answer without a score would get the default.
 *
 * @throws {@link OpenEvalsError} `invalid_config` for a schema without one, or that changes scores without saying so.
 */
export function answerSchemaOf(schema: ConvertibleSchema): object {
  const change = changeOfScore(schema);
  if (change === "catch")
    throw invalidConfig(
      "outputSchema has catch(), which would make a score of an answer that fails; leave it out",
    );
  if (change === "overwrite")
    throw invalidConfig(
      "outputSchema has overwrite(), so its range of scores is unknown; use transform() instead",
    );
  return jsonSchemaOf(schema, "outputSchema");
}

function jsonSchemaOf(schema: ConvertibleSchema, owner: string): object {
  const jsonSchema = schema["~standard"]?.jsonSchema;
  if (!jsonSchema) {
    try {
      return withDefaults(zodToJsonSchema(schema), true);
    } catch (problem) {
      throw withoutJsonSchema(owner, problem);
    }
  }
  let problem: unknown;
  const [output, input] = (["output", "input"] as const).map((side) => {
    try {
      const written: unknown = jsonSchema[side]({ target: "draft-2020-12" });
      if (typeof written === "object" && written !== null) return written;
      problem = new TypeError(`it returned ${show(written)}`);
    } catch (error) {
      problem = error;
    }
    return undefined;
  });
  if (output && (!input || shapeOf(output) === shapeOf(input))) return output;
  if (input) return withDefaults(input, true);
  throw withoutJsonSchema(owner, problem);
}

/** A schema that requires the fields with defaults, or one that does not. */
const withDefaults = (schema: object, areRequired: boolean): object =>
  rewritten(schema, areRequired) as object;

function rewritten(schema: unknown, areRequired: boolean): unknown {
  if (Array.isArray(schema)) return schema.map((one) => rewritten(one, areRequired));
  if (typeof schema !== "object" || schema === null) return schema;
  const members = Object.entries(schema).map(([key, value]) => {
    if (SCHEMAS.includes(key)) return [key, rewritten(value, areRequired)] as const;
    if (!MAPS.includes(key)) return [key, value] as const;
    const named = Object.entries(value).map(([name, one]) => [name, rewritten(one, areRequired)] as const);
    return [key, Object.fromEntries(named)] as const;
  });
  const copied = Object.fromEntries(members) as Record<string, any>;
  const { properties, required = [] } = copied;
  if (!properties) return copied;
  const isRequired = (name: string): boolean =>
    Object(properties[name]).default === undefined ? required.includes(name) : areRequired;
  return { ...copied, required: Object.keys(properties).filter(isRequired) };
}

/**
 * The JSON schema of a tool's arguments; `undefined` if the library provides none. The tool fills in defaults, so calls may leave
 * them out.
 *
 * @param owner The owner of the schema, in messages.
 */
export const argumentSchemaOf = (schema: ConvertibleSchema, owner: string): object | undefined =>
  isZod(schema) || schema["~standard"]?.jsonSchema
    ? withDefaults(jsonSchemaOf(schema, owner), false)
    : undefined;

/** A schema without the keywords that differ if the library fills in missing values. */
const shapeOf = (schema: object): string =>
  JSON.stringify(schema, (key, value) =>
    /^(?:required|default|additionalProperties)$/.test(key) ? undefined : value,
  );

const withoutJsonSchema = (owner: string, problem: unknown): OpenEvalsError =>
  new OpenEvalsError(
    "invalid_config",
    `${owner} has no JSON schema: ${reasonOf(problem)}. Use types that JSON has, such as an ISO string for a date, or pass a ` +
      "JSON schema.",
    { cause: problem },
  );
