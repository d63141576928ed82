/** Converts schemas of libraries to JSON schemas. */

import { OpenEvalsError, reasonOf } from "../../core/errors.js";
import { show } from "../../core/input/checks.js";
import type { ConvertibleSchema } from "./standard-schema.js";
import { zodToJsonSchema } from "./zod-schema.js";

/**
 * The JSON schema that a model answers to; `undefined` if the library provides none. It has to answer complete objects: with
 * defaults, an answer without a score would have one. What the library converts is still to be converted.
 */
export function answerSchemaOf(schema: ConvertibleSchema): object | undefined {
  const jsonSchema = schema["~standard"]?.jsonSchema;
  if (!jsonSchema) return withDefaults(zodToJsonSchema(schema), true);
  let problem: unknown;
  const [complete, given] = (["output", "input"] as const).map((side) => {
    try {
      const written: unknown = jsonSchema[side]({ target: "draft-2020-12" });
      if (typeof written === "object" && written !== null) return written;
      problem = new TypeError(`it returned ${show(written)}`);
    } catch (error) {
      problem = error;
    }
    return undefined;
  });
  const isSame = complete && (!given || shapeOf(complete) === shapeOf(given));
  if (isSame) return complete;
  if (given) return withDefaults(given, true);
  throw withoutJsonSchema(problem);
}

/** A schema that requires the fields with defaults, or one that does not. */
const withDefaults = (schema: object | undefined, areRequired: boolean): object | undefined =>
  schema &&
  JSON.parse(JSON.stringify(schema), (_, value) => {
    if (typeof value?.properties !== "object") return value;
    const { properties, required = [] } = value;
    const isRequired = (name: string): boolean =>
      Object(properties[name]).default === undefined ? required.includes(name) : areRequired;
    return { ...value, required: Object.keys(properties).filter(isRequired) };
  });

/** The same for the arguments of a tool. The tool fills in defaults, so calls may leave them out. */
export const argumentSchemaOf = (schema: object): object | undefined =>
  withDefaults(answerSchemaOf(schema), false);

/** A schema without the keywords that differ if the library fills in what is missing. */
const shapeOf = (schema: object): string =>
  JSON.stringify(schema, (key, value) =>
    /^(?:required|default|additionalProperties)$/.test(key) ? undefined : value,
  );

const withoutJsonSchema = (problem: unknown): OpenEvalsError =>
  new OpenEvalsError(
    "invalid_config",
    `outputSchema has no JSON schema: ${reasonOf(problem)}. Use types that JSON has, such as an ISO string for a date.`,
    { cause: problem },
  );
