/** Schemas of answers: JSON schemas, OpenAI's form, zod, and libraries that provide a JSON schema. */

import { OpenEvalsError, reasonOf } from "../../core/errors.js";
import { show } from "../../core/input/checks.js";
import { toText } from "../../core/input/text.js";
import { onUse } from "../../core/platform/on-use.js";
import type { CustomSchema } from "../../openevals.types.js";

/** A schema of zod, ArkType, Valibot and others, after https://standardschema.dev. */
export interface StandardSchema<Output = unknown> {
  readonly "~standard": {
    readonly vendor: string;
    readonly validate: (value: unknown) => ValidationResult | Promise<ValidationResult>;
    readonly types?: { readonly output: Output } | undefined;
  };
}

/** The type that a schema returns for a valid answer. */
export type OutputOf<Schema extends StandardSchema> = NonNullable<Schema["~standard"]["types"]>["output"];

interface ValidationResult {
  readonly value?: unknown;
  readonly issues?:
    | readonly {
        readonly message: string;
        readonly path?: readonly unknown[] | undefined;
      }[]
    | undefined;
}

/** The extension of Standard Schema for JSON schemas, which some libraries lack. */
interface ToJsonSchema {
  jsonSchema?: Record<"input" | "output", (options: { target: string }) => object>;
}

/**
 * Reads a schema in any form. It is passed to the engine as text, since the order of properties matters. For a zod
 * schema, it returns a function that loads the conversion on its first call.
 */
export function readSchema(outputSchema: object): CustomSchema | (() => Promise<CustomSchema>) {
  const standard = standardOf(outputSchema);
  if (standard?.jsonSchema) return fromLibrary(standard.jsonSchema);
  if ("_def" in outputSchema || "_zod" in outputSchema) return () => readZod(outputSchema);
  if (standard || "parse" in outputSchema) throw cannotTell(standard?.vendor);
  const shaped = Object.entries(outputSchema).find(([, value]) => "~standard" in Object(value));
  if (shaped) {
    throw new OpenEvalsError(
      "invalid_config",
      `outputSchema.${shaped[0]} is a schema, but outputSchema is not; wrap its fields, for example with z.object().`,
    );
  }
  const { name, schema, strict } = outputSchema as { name?: unknown; schema?: unknown; strict?: unknown };
  if (typeof name !== "string" || typeof schema !== "object" || schema === null) return named(outputSchema);
  return {
    name,
    schema: toText(schema, "outputSchema.schema"),
    strict: typeof strict === "boolean" ? strict : undefined,
  };
}

const named = (schema: object): CustomSchema => {
  const { title } = schema as { title?: unknown };
  return {
    name: typeof title === "string" ? title : undefined,
    strict: undefined,
    schema: toText(schema, "outputSchema"),
  };
};

export const standardOf = (schema: object): (StandardSchema["~standard"] & ToJsonSchema) | undefined =>
  (schema as Partial<StandardSchema>)["~standard"];

function fromLibrary({ output, input }: NonNullable<ToJsonSchema["jsonSchema"]>): CustomSchema {
  let problem: unknown;
  const [complete, given] = [output, input].map((write) => {
    try {
      const schema: unknown = write({ target: "draft-2020-12" });
      if (typeof schema === "object" && schema !== null) return schema;
      problem = new TypeError(`it returned ${show(schema)}`);
    } catch (error) {
      problem = error;
    }
    return undefined;
  });
  // Models have to answer complete objects: with defaults, an answer without a score would have one. What the library converts
  // is still to be converted.
  const schema = complete && (!given || shapeOf(complete) === shapeOf(given)) ? complete : given;
  if (!schema) throw withoutJsonSchema(problem);
  return named(schema);
}

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

async function readZod(schema: object): Promise<CustomSchema> {
  const { zodToJsonSchema } = await onUse("The conversion of zod schemas", () => import("./zod-schema.js"));
  const converted = zodToJsonSchema(schema);
  if (!converted) throw cannotTell("zod");
  return named(converted);
}

const cannotTell = (vendor: string | undefined): OpenEvalsError =>
  new OpenEvalsError(
    "invalid_config",
    `outputSchema is a schema${vendor ? ` of ${vendor}` : ""} that provides no JSON schema; convert it ` +
      "first, for Valibot with toStandardJsonSchema() of @valibot/to-json-schema.",
  );
