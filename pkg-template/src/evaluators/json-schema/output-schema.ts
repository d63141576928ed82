/** Schemas of answers: JSON schemas, OpenAI's form, zod, and libraries that provide a JSON schema. */

import { invalidConfig, type OpenEvalsError } from "../../core/errors.js";
import { toText } from "../../core/input/text.js";
import { onUse } from "../../core/platform/on-use.js";
import type { CustomSchema } from "../../openevals.types.js";
import { standardOf } from "./standard-schema.js";

/** A member of an object of zod, in versions 3 and 4. */
interface ZodMember {
  _def?: {
    typeName?: string;
    type?: string;
    innerType?: ZodMember;
    checks?: readonly { inclusive?: boolean }[];
  };
  minValue?: number | null;
  maxValue?: number | null;
}

/** A schema of answers. */
interface AnswerSchema {
  /**
   * What the model is asked for, with the schema as text, since the order of properties matters. For the schema of a
   * library, a function that loads the conversion on its first call.
   */
  asked: CustomSchema | (() => Promise<CustomSchema>);
  /** The JSON schema of the validated answers, as far as it is known without the conversion. */
  answers: object | undefined;
}

/** Reads a schema in any form. */
export function readOutputSchema(outputSchema: object): AnswerSchema {
  const standard = standardOf(outputSchema);
  const isZod = "_def" in outputSchema || "_zod" in outputSchema;
  if (isZod || standard?.jsonSchema) {
    return { asked: () => convert(outputSchema), answers: answersOfLibrary(outputSchema) };
  }
  if (standard || "parse" in outputSchema) throw cannotTell(standard?.vendor);
  const shaped = Object.entries(outputSchema).find(([, value]) => "~standard" in Object(value));
  if (shaped) {
    throw invalidConfig(
      `outputSchema.${shaped[0]} is a schema, but outputSchema is not; wrap its fields, as with z.object()`,
    );
  }
  const { name, schema, strict } = outputSchema as { name?: unknown; schema?: unknown; strict?: unknown };
  if (typeof name !== "string" || typeof schema !== "object" || schema === null) {
    return { asked: named(outputSchema), answers: outputSchema };
  }
  const asked = {
    name,
    schema: toText(schema, "outputSchema.schema"),
    strict: typeof strict === "boolean" ? strict : undefined,
  };
  return { asked, answers: schema };
}

const named = (schema: object): CustomSchema => {
  const { title } = schema as { title?: unknown };
  return {
    name: typeof title === "string" ? title : undefined,
    strict: undefined,
    schema: toText(schema, "outputSchema"),
  };
};

async function convert(schema: object): Promise<CustomSchema> {
  const { answerSchemaOf } = await onUse("The schema converter", () => import("./library-schema.js"));
  return named(answerSchemaOf(schema));
}

/** The JSON schema of a library's answers; of zod without a conversion only `score`. `undefined` if unknown. */
function answersOfLibrary(schema: object): object | undefined {
  try {
    const answers = standardOf(schema)?.jsonSchema?.output({ target: "draft-2020-12" });
    if (answers) return answers;
  } catch {
    // A transform, for example, has no JSON schema.
  }
  return answersOfZod(schema);
}

/** zod without a conversion has properties with the limits of numbers. */
function answersOfZod(outputSchema: object): object | undefined {
  let { score } = Object((outputSchema as { shape?: object }).shape) as { score?: ZodMember };
  while (score?._def?.innerType) score = score._def.innerType;
  const { _def, minValue, maxValue: maximum } = score ?? {};
  if (/boolean/i.test(`${_def?.typeName ?? _def?.type}`))
    return { properties: { score: { type: "boolean" } } };
  const isExclusive = _def?.checks?.some(({ inclusive }) => inclusive === false);
  if (typeof maximum !== "number" || isExclusive) return undefined;
  return { properties: { score: { type: "number", minimum: minValue ?? undefined, maximum } } };
}

const cannotTell = (vendor: string | undefined): OpenEvalsError =>
  invalidConfig(
    `outputSchema is a schema${vendor ? ` of ${vendor}` : ""} that provides no JSON schema; convert it ` +
      "first, for Valibot with toStandardJsonSchema() of @valibot/to-json-schema",
  );
