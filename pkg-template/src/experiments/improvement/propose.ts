/** Asks the model for a better prompt. */

import { jsonOf, parsed } from "../../core/engine/crossing.js";
import { fromModel, OpenEvalsError } from "../../core/errors.js";
import type { Failure } from "../../core/records/types.js";
import { readSchema } from "../../evaluators/json-schema/output-schema.js";
import { engineFor, type OpenJudge, openJudge } from "../../evaluators/judge/model.js";
import type { CustomSchema, JudgeConfig } from "../../openevals.types.js";
import * as bindings from "../../openevals-judges.js";
import type { CalibrateOptions } from "../calibration/options.js";
import { evaluate } from "../evaluate/evaluate.js";
import { PROPOSAL_SCHEMA, PROPOSE_PROMPT } from "./prompt.js";
import type { ImproveOptions } from "./types.js";
import type { Spent } from "./usage.js";

interface Proposed {
  reasoning: string;
  prompt: string;
}

/** The model that proposes. */
export const proposerOf = ({ model, cacheKey }: ImproveOptions): OpenJudge =>
  typeof model === "string"
    ? openJudge({ judge: undefined, model, cacheKey }, "model")
    : openJudge({ judge: model, model: undefined, cacheKey }, "model");

const CONFIG = () =>
  jsonOf<JudgeConfig>({
    prompt: PROPOSE_PROMPT,
    system: undefined,
    continuous: false,
    choices: undefined,
    useReasoning: true,
    fewShotExamples: [],
    outputSchema: readSchema(PROPOSAL_SCHEMA) as CustomSchema,
    promptCaching: undefined,
    logprobs: false,
  });

/**
 * Returns the proposal of the model, or its failure. The model is asked as the judge of an experiment with one row, because the
 * cache and the signal then apply to it, too.
 */
export async function propose(
  judge: OpenJudge,
  question: Record<string, string>,
  { judges, signal }: CalibrateOptions,
  spent: Spent,
): Promise<Proposed | Failure> {
  const ask = async () => {
    const text = jsonOf(question);
    const engine = await engineFor(judge);
    try {
      const { verdict, metadata } = parsed(
        await engine.wait("improve", text.length, (own) =>
          engine.keep(bindings.Judge, CONFIG()).evaluate(own(judge.open()), text, undefined),
        ),
      );
      return { key: "proposal", value: "custom" in verdict ? JSON.parse(verdict.custom) : null, metadata };
    } catch (error) {
      throw fromModel(error);
    }
  };
  const { rows, usage, stopped } = await evaluate(undefined, {
    data: [{ outputs: "" }],
    evaluators: [ask],
    judges,
    signal,
    progress: false,
  });
  if (stopped) throw new OpenEvalsError("aborted", stopped.message);
  spent.add("proposals", usage);
  const [row] = rows;
  const failure = row?.errors[0]?.error;
  return failure ?? (row?.evaluationResults[0]?.value as Proposed);
}
