/** The steps of an evaluation, which are written once. */

import { jsonOf } from "../../../core/engine/crossing.js";
import { OpenEvalsError } from "../../../core/errors.js";
import { currentIntermediary } from "../../../models/chat/model-middleware.js";
import type { OpenJudge } from "../model.js";
import { ask, configOf, type Took } from "./ask.js";
import { type FormRange, STEPS_SCHEMA, stepsPrompt } from "./prompts.js";

/** Steps, and what they took: nothing, for all but the first who wanted them. */
export interface GEvalSteps {
  steps: readonly string[];
  metadata?: Took;
}

/**
 * Has steps written when they are first wanted; all who want them meanwhile wait for the same.
 *
 * @internal
 */
export function writtenOnce(judge: OpenJudge, criteria: string, range: FormRange): () => Promise<GEvalSteps> {
  let writing: Promise<GEvalSteps> | undefined;
  let steps: readonly string[] | undefined;
  return async () => {
    if (steps) return { steps };
    // In a batch, whoever waits for somebody else has to say so, or nothing would be sent.
    if (writing) {
      const coming = writing;
      return { steps: (await (currentIntermediary()?.wait(coming) ?? coming)).steps };
    }
    writing = write(judge, criteria, range);
    try {
      const written = await writing;
      steps = written.steps;
      return written;
    } finally {
      writing = undefined;
    }
  };
}

async function write(judge: OpenJudge, criteria: string, range: FormRange): Promise<GEvalSteps> {
  const config = configOf(stepsPrompt(range), STEPS_SCHEMA, { name: "steps" });
  const question = jsonOf({ evaluation_criteria: criteria });
  const { answer, metadata } = await ask<{ steps: string[] }>(judge, config, question);
  const steps = answer.steps.map((step) => step.trim()).filter(Boolean);
  if (steps.length) return { steps, metadata };
  throw new OpenEvalsError("invalid_judge_output", "The steps that the model wrote are empty.", {
    raw: JSON.stringify(answer),
  });
}
