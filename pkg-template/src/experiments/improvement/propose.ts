/** Asks the model for a better prompt. */

import { jsonOf, parsed } from "../../core/engine/crossing.js";
import { fromModel } from "../../core/errors.js";
import { anything, check, required } from "../../core/input/checks.js";
import { counted } from "../../core/input/counted.js";
import { msSince } from "../../core/platform/elapsed.js";
import type { Experiment, Failure } from "../../core/records/types.js";
import { checkAccessOf } from "../../evaluators/calls/row-evaluators.js";
import { readOutputSchema } from "../../evaluators/json-schema/output-schema.js";
import { engineFor, type OpenJudge, openJudge } from "../../evaluators/judge/model.js";
import type { CustomSchema, JudgeConfig } from "../../openevals.types.js";
import * as bindings from "../../openevals-judges.js";
import type { CacheOptions } from "../evaluate/cache/options.js";
import { evaluate } from "../evaluate/evaluate.js";
import type { EvaluateOptions } from "../evaluate/options/evaluate-options.js";
import { PROPOSAL_SCHEMA } from "./prompt.js";
import type { ImproveOptions } from "./types.js";

export interface Proposed {
  reasoning: string;
  prompt: string;
}

/** The option `model`. {@link proposerOf} reads it. */
export const MODEL_OPTION = required(
  check('a model that proposes prompts, such as "openai:gpt-5.4"', anything.test),
);

/** The model that proposes. A missing key is an error before anything is paid for. Answers from a cache need none. */
export async function proposerOf(
  { model, cacheKey }: Pick<ImproveOptions, "model" | "cacheKey">,
  { cache, cacheMode }: CacheOptions = {},
): Promise<OpenJudge> {
  const proposer =
    typeof model === "string"
      ? openJudge({ judge: undefined, model, cacheKey }, "model")
      : openJudge({ judge: model, model: undefined, cacheKey }, "model");
  if (!cache || cacheMode === "record") await checkAccessOf(proposer, "model");
  return proposer;
}

/** The comment on a search in which no proposal could be scored; `undefined` if one was, or if there is none. */
export function nothingScored(tries: readonly { outcome: string; comment: string }[]): string | undefined {
  const last = tries.at(-1);
  if (!last || tries.some(({ outcome }) => outcome !== "failed" && outcome !== "refused")) return undefined;
  return `${counted(tries.length, "proposal")} failed or could not be used, and none was scored. The last one: ${last.comment}`;
}

const configOf = (prompt: string) =>
  jsonOf<JudgeConfig>({
    prompt,
    system: undefined,
    continuous: false,
    choices: undefined,
    useReasoning: true,
    fewShotExamples: [],
    outputSchema: readOutputSchema(PROPOSAL_SCHEMA).asked as CustomSchema,
    promptCaching: undefined,
    logprobs: false,
  });

/**
 * Asks the model for a proposal, as the judge of an experiment with one row: the options of experiments then apply to it, too.
 *
 * @param task The public function, for errors of the engine.
 * @param template The prompt for the model, whose variables `question` has.
 * @returns The experiment, with the result in {@link proposalIn}.
 */
export function askForPrompt(
  task: string,
  judge: OpenJudge,
  template: string,
  question: Record<string, string>,
  options: Pick<EvaluateOptions, "judges" | "signal" | "budget" | "output">,
): Promise<Experiment> {
  const ask = async () => {
    const text = jsonOf(question);
    const engine = await engineFor(judge);
    const started = performance.now();
    try {
      const { verdict, ...answer } = parsed(
        await engine.wait(task, text.length, (own) =>
          engine.keep(bindings.Judge, configOf(template)).evaluate(own(judge.open()), text, undefined),
        ),
      );
      // Budgets count answers without usage by their latency, which all judges report.
      const metadata = { ...answer.metadata, latencyMs: msSince(started) };
      return { key: "proposal", value: "custom" in verdict ? JSON.parse(verdict.custom) : null, metadata };
    } catch (error) {
      throw fromModel(error);
    }
  };
  return evaluate(undefined, { ...options, data: [{ outputs: "" }], evaluators: [ask], progress: false });
}

/** The proposal of the model, or its failure. */
export function proposalIn({ rows: [row] }: Experiment): Proposed | Failure {
  const failure = row?.errors[0]?.error;
  return failure ?? (row?.evaluationResults[0]?.value as Proposed);
}
