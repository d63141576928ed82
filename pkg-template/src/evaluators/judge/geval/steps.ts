/** The evaluation steps, which the model writes once. */

import { jsonOf } from "../../../core/engine/crossing.js";
import { isOurs, OpenEvalsError, reworded } from "../../../core/errors.js";
import { currentMiddleware } from "../../../models/chat/model-middleware.js";
import type { OpenJudge } from "../model.js";
import { type AnswerMetadata, ask, configOf } from "./ask.js";
import { type FormRange, STEPS_SCHEMA, stepsPrompt } from "./prompts.js";

/** The steps, with the metadata of the answer for the call that requested them. */
export interface GEvalSteps {
  steps: readonly string[];
  metadata?: AnswerMetadata;
}

/**
 * Has the steps written on first use; concurrent calls wait for the same answer.
 *
 * @internal
 */
export function writeStepsOnce(
  judge: OpenJudge,
  criteria: string,
  range: FormRange,
): () => Promise<GEvalSteps> {
  let writing: Promise<GEvalSteps> | undefined;
  let steps: readonly string[] | undefined;
  return async () => {
    if (steps) return { steps };
    // A batch is sent once all calls wait for answers, so waiting for another call's answer has to be announced.
    if (writing) {
      const pending = writing.catch((thrown) => {
        // The other call has paid for it.
        throw isOurs(thrown) ? reworded(thrown, thrown.message, { metadata: {} }) : thrown;
      });
      return { steps: (await (currentMiddleware()?.wait(pending) ?? pending)).steps };
    }
    writing = writeSteps(judge, criteria, range);
    try {
      const written = await writing;
      steps = written.steps;
      return written;
    } finally {
      writing = undefined;
    }
  };
}

async function writeSteps(judge: OpenJudge, criteria: string, range: FormRange): Promise<GEvalSteps> {
  const config = configOf(stepsPrompt(range), STEPS_SCHEMA, { name: "steps" });
  const question = jsonOf({ evaluation_criteria: criteria });
  const { answer, metadata } = await ask<{ steps: string[] }>(judge, config, question);
  const steps = answer.steps.map((step) => step.trim()).filter(Boolean);
  if (steps.length) return { steps, metadata };
  throw new OpenEvalsError("invalid_judge_output", "The model wrote no evaluation steps.", {
    raw: JSON.stringify(answer),
  });
}
