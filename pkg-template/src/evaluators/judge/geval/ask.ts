/** Asks the judge of an evaluation and reads its answer. */

import { jsonOf, parsed } from "../../../core/engine/crossing.js";
import { fromModel, OpenEvalsError } from "../../../core/errors.js";
import type { JsonOf, JudgeConfig, Metadata } from "../../../openevals.types.js";
import * as bindings from "../../../openevals-judges.js";
import { engineFor, type OpenJudge } from "../model.js";

/** The metadata of an answer. A mapped type, because an interface is not assignable to a record. */
export type AnswerMetadata = Pick<Metadata, keyof Metadata>;

/** An answer with its metadata. */
export interface GEvalAnswer<Answer> {
  answer: Answer;
  metadata: AnswerMetadata;
}

/** The configuration of a question; `logprobs` requests the log probabilities of the answer's tokens. */
export const configOf = (
  prompt: string,
  schema: object,
  { name = "score", logprobs = false } = {},
): JsonOf<JudgeConfig> =>
  jsonOf<JudgeConfig>({
    prompt,
    outputSchema: { name, schema: JSON.stringify(schema), strict: true },
    logprobs,
    system: undefined,
    continuous: false,
    choices: undefined,
    useReasoning: false,
    fewShotExamples: [],
    promptCaching: undefined,
  });

/**
 * Asks the judge; the engine checks the answer against the schema.
 *
 * @internal
 */
export async function ask<Answer>(
  judge: OpenJudge,
  config: JsonOf<JudgeConfig>,
  question: string,
): Promise<GEvalAnswer<Answer>> {
  const engine = await engineFor(judge);
  try {
    const { verdict, metadata } = parsed(
      await engine.wait("a judge", question.length, (own) =>
        engine.keep(bindings.Judge, config).evaluate(own(judge.open()), question, undefined),
      ),
    );
    if ("custom" in verdict) return { answer: JSON.parse(verdict.custom), metadata };
  } catch (error) {
    throw fromModel(error);
  }
  throw new OpenEvalsError("engine_failed", "The engine returned a score instead of an object.");
}
