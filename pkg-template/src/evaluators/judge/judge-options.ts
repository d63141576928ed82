/** The options of a judge. */

import { invalidConfig } from "../../core/errors.js";
import {
  aFlag,
  anything,
  aString,
  check,
  checkOptions,
  fromZero,
  isListOf,
  noSuchOption,
  type OptionChecks,
  oneOf,
  wholeFrom,
} from "../../core/input/checks.js";
import { nearest } from "../../core/input/near.js";
import { toText } from "../../core/input/text.js";
import { PASS_OPTIONS, type PassOptions, withPassMark } from "../../core/passing.js";
import { SHARE, VERDICT } from "../../core/scales.js";
import type { FewShotExample } from "../../core/types.js";
import type { JudgeModel, StructuredOutputMethod } from "../../models/chat/judge-model.js";
import { isBadIfTrue } from "../../models/prompts/bad-if-true.js";
import type { Example } from "../../openevals.types.js";
import { readOutputSchema } from "../json-schema/output-schema.js";
import { scaleOfAnswers, scaleOfChoices } from "./answer-scale.js";
import { openJudge } from "./model.js";
import { aModelName, aStructuredOutputMethod } from "./option-checks.js";
import { type Prompt, readPrompt } from "./prompt.js";

/** The options of {@link createLLMAsJudge}. */
export interface LLMAsJudgeOptions extends PassOptions {
  /**
   * The prompt of the judge.
   *
   * - A string: `{inputs}`, `{outputs}`, `{reference_outputs}` and all other variables are replaced by the parameters
   *   of the evaluator; write `{{` and `}}` for braces. Attachments replace `{attachments}`, or follow the prompt. A
   *   block `<name optional>…</name>` is removed if a variable in it is not passed. Inserted text cannot close a block.
   *   Prebuilt prompts whose `true` is bad, such as `TOXICITY_PROMPT`, set the default of `lowerIsBetter` to `true`.
   * - A function that gets the evaluator's parameters (with `reference_outputs` added) and returns messages.
   * - A prompt template with `invoke()`, such as LangChain's. The `schema` of a structured prompt has the same effect
   *   as `outputSchema`.
   */
  prompt: Prompt;
  /** The `key` of the result; `score` by default. */
  feedbackKey?: string | undefined;
  /**
   * The model that judges, named as for {@link initChatModel}: `openai:gpt-5.4`, `ollama:llama3.3`. With a `judge`:
   * - The name that the client of `openai` and the binding `env.AI` of a Worker send.
   * - A label for a function, `metadata.model`.
   * - Ignored beside a judge that has its own model, as in the reference package: the result of `initChatModel`, a chat
   *   model of LangChain, a language model of the AI SDK. `metadata.model` names the model that answered.
   */
  model?: string | undefined;
  /** A system message before a prompt that is a string. */
  system?: string | undefined;
  /**
   * The judge, instead of `model`: a function, the result of {@link initChatModel}, a LangChain chat model, or a
   * language model of the Vercel AI SDK. A client of the package `openai`, or the binding `env.AI` of a Cloudflare
   * Worker, also needs the name of its model in `model`. With a function, `model` is the name in the `metadata` of results.
   */
  judge?: JudgeModel | undefined;
  /**
   * Identifies the judge in the cache of an experiment. Set it for a judge whose identity the cache cannot see, such as
   * a function, or another package's model without a name and address. Change it when such a judge changes: the cache
   * returns its stored answer to the same question under the same key. For other judges, it is added to their identity.
   */
  cacheKey?: string | undefined;
  /**
   * The sampling temperature, from 0, for a `model` or a `judge` made with {@link initChatModel}, whose own temperature
   * it replaces. By default, the provider decides.
   */
  temperature?: number | undefined;
  /**
   * How many times the question is asked, in parallel; 1 by default, at most 1,000. The score is the most frequent one
   * (the lower one in a tie, so `false`); with `continuous`, it is the mean. `metadata` has the `votes`, their
   * `standardDeviation`, and their agreement as `confidence`. More than half of the samples must return a score.
   */
  samples?: number | undefined;
  /**
   * The `method` for `withStructuredOutput()` of a LangChain chat model, for models that fail with their default
   * method. `jsonMode` adds the schema to the prompt. Any other judge with this option is `invalid_config`.
   */
  structuredOutputMethod?: StructuredOutputMethod | undefined;
  /** Whether the score is a number from 0 to 1 instead of `true` or `false`. */
  continuous?: boolean | undefined;
  /** The only valid scores, such as `[0, 0.5, 1]`, instead of `true` or `false`. */
  choices?: number[] | undefined;
  /** Whether the judge explains its score, which becomes the `comment`; `true` by default. */
  useReasoning?: boolean | undefined;
  /** Examples of scored answers, appended to the prompt. */
  fewShotExamples?: FewShotExample[] | undefined;
  /**
   * Marks the prompt up to its first variable, and the `system` message, for Anthropic's prompt cache, for five minutes
   * or an hour. Cached tokens cost a tenth of the price; writing them costs 25% more, or twice as much for an hour.
   * Anthropic does not cache a beginning shorter than the model's minimum, which is 1,024 to 4,096 tokens.
   * `usage.cachedInputTokens` counts the tokens read from the cache, and `usage.cacheWriteTokens` those written to it. Other
   * providers cache automatically and ignore this option. In your own messages, mark a part with `cache_control`.
   */
  promptCaching?: "5m" | "1h" | undefined;
}

/**
 * Checks in addition to those of the engine.
 *
 * @internal
 */
export const JUDGE_OPTIONS: OptionChecks<LLMAsJudgeOptions & { outputSchema?: object }> = {
  prompt: anything,
  feedbackKey: aString,
  model: aModelName,
  system: aString,
  judge: anything,
  cacheKey: aString,
  continuous: aFlag,
  choices: check("a list of at least one number", (list) => {
    return isListOf(list, Number.isFinite) && list.length > 0;
  }),
  temperature: fromZero,
  structuredOutputMethod: aStructuredOutputMethod,
  samples: wholeFrom(1, 1_000),
  useReasoning: aFlag,
  fewShotExamples: check("a list of { inputs, outputs, score, reasoning }", (list) => {
    return isListOf(list, (example) => typeof example === "object" && example !== null);
  }),
  promptCaching: oneOf(["5m", "1h"]),
  ...PASS_OPTIONS,
  // The schemas of some libraries are functions.
  outputSchema: check("a schema", (schema) => Object(schema) === schema && !Array.isArray(schema)),
};

/**
 * Reads the options, with the judge that they describe.
 *
 * @internal
 */
export function readJudgeOptions(options: LLMAsJudgeOptions & { outputSchema?: object | undefined }) {
  const {
    prompt,
    feedbackKey = "score",
    model,
    system,
    judge,
    cacheKey,
    continuous = false,
    choices,
    temperature,
    structuredOutputMethod,
    samples = 1,
    useReasoning = true,
    fewShotExamples = [],
    promptCaching,
    outputSchema: ownSchema,
    ...marks
  } = checkOptions("createLLMAsJudge", options, JUDGE_OPTIONS);
  marks.lowerIsBetter ??= isBadIfTrue(prompt);
  const { template, schema: promptSchema, read } = readPrompt(prompt);
  const outputSchema = ownSchema ?? promptSchema;
  if (continuous && choices) throw invalidConfig("continuous and choices exclude each other");
  if (outputSchema && (continuous || choices || samples > 1))
    throw invalidConfig("outputSchema defines the whole answer; leave out continuous, choices and samples");
  if (ownSchema && promptSchema) throw invalidConfig("The prompt has a schema; leave out outputSchema");
  if (system !== undefined && template === undefined)
    throw invalidConfig("system needs a prompt that is a string; put it into the messages");
  const schema = outputSchema && readOutputSchema(outputSchema);
  const config = {
    prompt: template,
    system,
    continuous,
    choices: choices?.map(String),
    useReasoning,
    fewShotExamples: fewShotExamples.map(readExample),
    outputSchema: schema?.asked,
    promptCaching,
    logprobs: false,
  };
  const opened = openJudge({ judge, model, cacheKey, temperature, structuredOutputMethod });
  const scale = withPassMark(
    continuous
      ? SHARE
      : choices
        ? scaleOfChoices(choices)
        : schema
          ? scaleOfAnswers(schema.answers)
          : VERDICT,
    marks,
  );
  return { config, outputSchema, feedbackKey, samples, scale, read, opened };
}

function readExample(example: FewShotExample, index: number): Example {
  const place = `fewShotExamples[${index}]`;
  const { inputs, outputs, score, reasoning } = example;
  const names = ["inputs", "outputs", "score", "reasoning"];
  for (const name in example) {
    if (!names.includes(name) && nearest(name, names)) throw noSuchOption(place, name, names);
  }
  const json = (value: unknown, name: string) =>
    typeof value === "string" ? JSON.stringify(value) : toText(value, `${place}.${name}`);
  return {
    inputs: json(inputs, "inputs"),
    outputs: json(outputs, "outputs"),
    reasoning: reasoning ? String(reasoning) : undefined,
    score: score === undefined ? undefined : String(score),
  };
}
