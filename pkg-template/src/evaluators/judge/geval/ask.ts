/** A question of an evaluation, and its answer. */

import { jsonOf, parsed } from "../../../core/engine/crossing.js";
import { fromModel, OpenEvalsError } from "../../../core/errors.js";
import type { JsonOf, JudgeConfig, Metadata } from "../../../openevals.types.js";
import * as bindings from "../../../openevals-judges.js";
import { engineFor, type OpenJudge } from "../model.js";

/** What an answer took. A type, since what is an interface is no record. */
export type Took = Pick<Metadata, keyof Metadata>;

/** An answer, and what it took. */
export interface GEvalAnswer<Answer> {
  answer: Answer;
  metadata: Took;
}

/** What a judge is asked with; `logprobs` says whether to tell how likely the tokens of the answer were. */
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
 * Asks; the engine checks the answer against the schema.
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
  throw new OpenEvalsError("engine_failed", "The engine gave a score where an object was asked for.");
}
