/** Schemas for whole answers: JSON schema, OpenAI's form of it, zod, and others that can tell their JSON schema. */

import { callbackFailed, OpenEvalsError, reasonOf } from "../../core/errors.js";
import { show } from "../../core/input/checks.js";
import { toText } from "../../core/input/json.js";
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

/** What a schema makes of an answer. */
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

/** The extension for JSON schema, which not every library has. */
interface ToJsonSchema {
  jsonSchema?: Record<"input" | "output", (options: { target: string }) => object>;
}

/**
 * Reads a schema in any form; it crosses as text, since the order of its properties counts. What reads those of zod 3 is
 * only loaded where there is one: they are read when the function that is returned is called.
 */
export function readSchema(outputSchema: object): CustomSchema | (() => Promise<CustomSchema>) {
  const standard = standardOf(outputSchema);
  if (standard?.jsonSchema) return named(jsonSchemaOf(standard.jsonSchema));
  if ("_def" in outputSchema || "_zod" in outputSchema) return () => readZod(outputSchema);
  if (standard || "parse" in outputSchema) throw cannotTell(standard?.vendor);
  const shaped = Object.entries(outputSchema).find(([, value]) => "~standard" in Object(value));
  if (shaped) {
    throw new OpenEvalsError(
      "invalid_config",
      `outputSchema.${shaped[0]} is a schema, and outputSchema is none; put its fields together, such as with z.object().`,
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

function jsonSchemaOf({ output, input }: NonNullable<ToJsonSchema["jsonSchema"]>): object {
  const options = { target: "draft-2020-12" };
  let schema: unknown;
  try {
    // Complete objects, with what has a default: that is what a model should answer.
    schema = output(options);
  } catch {
    try {
      // What a transform makes has no JSON schema; what it takes has.
      schema = input(options);
    } catch (error) {
      throw withoutJsonSchema(reasonOf(error), error);
    }
  }
  if (typeof schema !== "object" || schema === null) throw withoutJsonSchema(`it gave ${show(schema)}`);
  return schema;
}

const withoutJsonSchema = (reason: string, cause?: unknown): OpenEvalsError =>
  new OpenEvalsError(
    "invalid_config",
    `outputSchema cannot tell its JSON schema: ${reason}. Use types that JSON has, such as an ISO string for a date.`,
    { cause },
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
    `outputSchema is a schema${vendor ? ` of ${vendor}` : ""} that cannot tell its JSON schema; convert it ` +
      "first, for Valibot with toStandardJsonSchema() of @valibot/to-json-schema.",
  );

/** What a schema of a library makes of an answer: checked by its own rules, with its transforms. */
export async function validated(schema: object | undefined, answer: unknown): Promise<unknown> {
  const standard = schema && standardOf(schema);
  if (!standard) return answer;
  const { problems, value } = await validation(standard, answer, "The validation of outputSchema");
  if (!problems) return value;
  throw new OpenEvalsError(
    "invalid_judge_output",
    `The judge's answer does not pass outputSchema: ${problems.join("; ")}.`,
    { raw: JSON.stringify(answer) },
  );
}

/**
 * What a schema of a library finds wrong with a value, or makes of it.
 *
 * @param name What messages call the validation.
 */
export async function validation(
  standard: StandardSchema["~standard"],
  answer: unknown,
  name: string,
): Promise<{ problems?: string[]; value?: unknown }> {
  try {
    const result = await standard.validate(answer);
    const issues = result?.issues;
    const isResult = issues ? Array.isArray(issues) && issues.every(Boolean) : "value" in Object(result);
    if (!isResult) throw new Error(`it gave ${show(result)}`);
    if (!issues) return { value: result.value };
    const problems = issues.map(({ message, path }) => {
      const place = path?.map((key) => String((key as { key?: unknown })?.key ?? key)).join(".");
      return place ? `${place}: ${message}` : `${message}`;
    });
    return { problems };
  } catch (error) {
    throw callbackFailed(name, error);
  }
}
