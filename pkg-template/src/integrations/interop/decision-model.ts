/** Decision models of the AI SDK as judges. */

import { invalidConfig } from "../../core/errors.js";
import { readable, show } from "../../core/input/checks.js";
import { fieldsOf } from "./decisions.js";

/** A decision model of the AI SDK: `Experimental_DecisionModelV4` of `@ai-sdk/provider`. */
export interface DecisionModel {
  readonly specificationVersion: string;
  readonly provider: string;
  readonly modelId: string;
  /** The types of the questions that it answers: `boolean`, `choice`, `score`. */
  readonly supportedQuestionTypes: readonly string[];
  doDecide(options: any): PromiseLike<any>;
}

/** A judge in the form of a language model of the AI SDK. It answers only questions with a schema. */
export interface DecisionJudge {
  readonly specificationVersion: "v4";
  readonly provider: string;
  readonly modelId: string;
  doGenerate(options: any): Promise<any>;
}

/**
 * Makes a judge from a decision model of the AI SDK, for the `judge` of {@link createLLMAsJudge} and of everything else whose
 * answers are verdicts, numbers or choices. Written for `Experimental_DecisionModelV4` of `@ai-sdk/provider` 4.0.38, formerly
 * `Experimental_EvaluationModelV4`; the AI SDK may change it in patch releases.
 *
 * The model gets the prompt and attachments as its state, and a typed question for each field of the answer:
 *
 * | the field | question | the answer |
 * | --- | --- | --- |
 * | `true` or `false` | `boolean` | `true` if P(true) is at least 0.5 |
 * | `choices`, or an `enum` | `choice` | the option that the model chose |
 * | `continuous`, or a number with `minimum` and `maximum` | `score` with five levels | the position between the levels |
 *
 * `metadata.confidence`, from 0 to 1, is the probability of the answer: P(true) or P(false), or the probability of the chosen
 * option. For a number it is 1 minus the mean distance of the levels from the answer, weighted by their probabilities, as a share
 * of the range. It is missing if the model reports no probabilities, and for answers with several fields. `calibrate()` compares
 * it with the labels. With `samples`, `confidence` is the agreement of the samples.
 *
 * Decision models write no text, so results have no `comment`. Set `useReasoning: false` for G-Eval and pairwise
 * judges, which otherwise require a reasoning.
 *
 * @returns A judge. `usage`, retries and caches work as for the AI SDK's models.
 * @throws {@link OpenEvalsError} `invalid_config` if it is not a decision model. Evaluators throw `invalid_config` for a question
 * that the model cannot answer, such as one for a text, before they ask; `refused` if it declines; and `invalid_judge_output` for an
 * answer that does not fit the question.
 *
 * @example
 * ```ts
 * import { createLLMAsJudge } from "openevals-wasm";
 * import { fromDecisionModel } from "openevals-wasm/interop";
 *
 * // In your code: openai.decisionModel("gpt-6-luna") of @ai-sdk/openai
 * const model = {
 *   specificationVersion: "v4",
 *   provider: "example",
 *   modelId: "decider",
 *   supportedQuestionTypes: ["boolean"],
 *   doDecide: async () => ({ answers: { score: { type: "boolean", probability: 0.9 } }, warnings: [] }),
 * };
 * const polite = createLLMAsJudge({ prompt: "Is this polite? {outputs}", judge: fromDecisionModel(model) });
 * const { score, metadata } = await polite({ outputs: "Gladly." });
 * console.log(score, metadata.confidence); // true 0.9
 * ```
 */
export const fromDecisionModel = (model: DecisionModel): DecisionJudge =>
  readable("fromDecisionModel", () => judgeOf(model));

function judgeOf(model: DecisionModel): DecisionJudge {
  const { specificationVersion: version, provider, modelId, doDecide, config, settings } = Object(model);
  if (typeof doDecide !== "function") {
    throw invalidConfig(
      `fromDecisionModel needs a decision model of the AI SDK, such as openai.decisionModel("gpt-6-luna"); it got ${show(model)}`,
    );
  }
  if (version !== "v4")
    throw invalidConfig(`This decision model has specification ${version}; only v4 is supported`);
  const judge = {
    specificationVersion: "v4" as const,
    provider,
    modelId,
    // Read from here: API keys to redact, and the identity of the model for caches.
    config,
    settings,
    async doGenerate({ prompt, responseFormat }: GenerateOptions) {
      const fields = fieldsOf(responseFormat?.schema, model.supportedQuestionTypes);
      const questions = Object.fromEntries(fields.map(([name, { question }]) => [name, question]));
      const state = prompt.flatMap(({ content }) =>
        typeof content === "string" ? [{ type: "text", text: content }] : content,
      );
      const { answers, usage, response } = await model.doDecide({ state, questions });
      const decisions = fields.map(([name, { question, read }]) => {
        const { type, ...decision } = Object(Object(answers)[name]);
        return [name, type === question.type ? read(decision) : undefined] as const;
      });
      const isRefused = fields.some(([name]) => Object(answers)[name]?.type === "refusal");
      const isUsable = decisions.every(([, decision]) => decision);
      const answer = isUsable
        ? Object.fromEntries(decisions.map(([name, decision]) => [name, decision?.value]))
        : answers;
      const confidence = isUsable && decisions.length === 1 ? decisions[0]?.[1]?.confidence : undefined;
      return {
        // If a decision does not fit its question, the check of answers rejects this text and shows it in the error.
        content: [{ type: "text", text: JSON.stringify(answer) ?? "" }],
        finishReason: { unified: isRefused ? "content-filter" : "stop" },
        usage,
        response,
        providerMetadata: { "openevals-wasm": { confidence } },
      };
    },
  };
  return judge;
}

/** The call options of a language model of the AI SDK. */
interface GenerateOptions {
  prompt: { content: string | { type: string }[] }[];
  responseFormat?: { schema?: object };
}
