/** Reads answers to the user's own schema. Judges load it with the first question that has one. */

import { parsed } from "../../core/engine/crossing.js";
import type { Engine } from "../../core/engine/engine.js";
import { OpenEvalsError } from "../../core/errors.js";
import { onUse } from "../../core/platform/on-use.js";
import type { JsonOf, JudgeConfig } from "../../openevals.types.js";
import * as bindings from "../../openevals-judges.js";
import type { FitsTextRule } from "../../openevals-judges.types.js";
import { noteOrigin } from "../calls/answers.js";
import { checkKeywords } from "../json-schema/keywords.js";
import type { StandardSchema } from "../json-schema/standard-schema.js";
import { validation } from "../json-schema/validation.js";
import type { JudgeMetadata } from "./result.js";

/** The checks that the engine leaves to JavaScript. */
export interface CustomAnswers {
  /** Checks the patterns and formats in the schema, if it has any. */
  fits: FitsTextRule | undefined;
  /**
   * Validates an answer with a library's schema and returns its output, with transforms applied. Notes the metadata of
   * the output.
   */
  validated(answer: unknown, metadata: JudgeMetadata): Promise<unknown>;
}

/**
 * Prepares the reading of answers to a schema.
 *
 * @param key The key of the judge's results.
 * @param standard The schema, if it is one of a library.
 */
export async function customAnswers(
  key: string,
  standard: StandardSchema["~standard"] | undefined,
  engine: Engine,
  config: JsonOf<JudgeConfig>,
): Promise<CustomAnswers> {
  const { outputSchema } = parsed(config);
  if (!standard && outputSchema) checkKeywords(JSON.parse(outputSchema.schema), "the option outputSchema");
  const rules = parsed(engine.run("a judge", 0, () => engine.keep(bindings.Judge, config).textRules()));
  const { readTextRules } = rules.length
    ? await onUse("The text rules of schemas", () => import("../json-schema/text-rules.js"))
    : {};
  return {
    fits: readTextRules?.(rules, "outputSchema"),
    validated: async (answer, metadata) => {
      const output = standard ? await validated(standard, answer, metadata) : answer;
      noteOrigin(output, { key, metadata });
      return output;
    },
  };
}

async function validated(
  standard: StandardSchema["~standard"],
  answer: unknown,
  { model, usage }: JudgeMetadata,
): Promise<unknown> {
  const { problems, value } = await validation(standard, answer, "The validation of outputSchema");
  if (!problems) return value;
  throw new OpenEvalsError(
    "invalid_judge_output",
    `The judge's answer does not pass outputSchema: ${problems.join("; ")}.`,
    {
      raw: JSON.stringify(answer),
      ...(usage && { metadata: { ...(model !== undefined && { model }), usage } }),
    },
  );
}
