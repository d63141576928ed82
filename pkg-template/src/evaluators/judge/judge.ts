import { jsonOf, parsed } from "../../core/engine/crossing.js";
import { fromModel, invalidConfig, OpenEvalsError, typedWork } from "../../core/errors.js";
import {
  aFlag,
  anything,
  aString,
  type Checks,
  check,
  checkOptions,
  fromZero,
  isListOf,
  noSuchOption,
  oneOf,
  readable,
  wholeFrom,
} from "../../core/input/checks.js";
import { nearest } from "../../core/input/near.js";
import { allRows } from "../../core/input/rows.js";
import { toText } from "../../core/input/text.js";
import { PASS_OPTIONS, type PassOptions, type ScoreScale, withPassMark } from "../../core/passing.js";
import { onUse } from "../../core/platform/on-use.js";
import { SHARE, VERDICT } from "../../core/scales.js";
import { named, traced } from "../../core/tracing/hook.js";
import type { About } from "../../core/tracing/types.js";
import type { FewShotExample, LangSmithParams } from "../../core/types.js";
import { withAccessOf } from "../../models/chat/check-access.js";
import type { JudgeModel, StructuredOutputMethod } from "../../models/chat/judge-model.js";
import { currentMiddleware } from "../../models/chat/model-middleware.js";
import type { EngineModel } from "../../models/chat/opener.js";
import type { Attachment } from "../../models/conversation/content-parts.js";
import type { Evaluation, Example, JsonOf, JudgeConfig } from "../../openevals.types.js";
import * as bindings from "../../openevals-judges.js";
import { readSchema } from "../json-schema/output-schema.js";
import { type OutputOf, type StandardSchema, standardOf } from "../json-schema/standard-schema.js";
import { scaleOfAnswers, scaleOfChoices } from "./answer-scale.js";
import type { CustomAnswers } from "./custom-answers.js";
import { engineFor, msSince, openJudge } from "./model.js";
import { aModelName, aStructuredOutputMethod } from "./options.js";
import { type Prompt, type PromptFunction, readPrompt, type StructuredPromptTemplate } from "./prompt.js";
import type { JudgeMetadata, JudgeResult } from "./result.js";

/** The options of {@link createLLMAsJudge}. */
export interface LLMAsJudgeOptions extends PassOptions {
  /**
   * The prompt of the judge.
   *
   * - A string: `{inputs}`, `{outputs}`, `{reference_outputs}` and all other variables are replaced by the parameters
   *   of the evaluator; write `{{` and `}}` for braces. Attachments replace `{attachments}`, or follow the prompt. A
   *   block `<name optional>…</name>` is removed if a variable in it is not passed. Inserted text cannot close a block.
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
   * `usage.cachedInputTokens` counts the tokens read from the cache. Other providers cache automatically and ignore
   * this option. In your own messages, mark a part with `cache_control`.
   */
  promptCaching?: "5m" | "1h" | undefined;
}

/**
 * The parameters of an evaluator made by {@link createLLMAsJudge}. Values that are not strings are inserted as JSON.
 */
export interface JudgeParams {
  /** The input of the application: `{inputs}`. */
  inputs?: unknown;
  /** Its answer: `{outputs}`. */
  outputs?: unknown;
  /** The expected answer: `{reference_outputs}`. */
  referenceOutputs?: unknown;
  /** An alias of `referenceOutputs`, as in the Python packages. */
  reference_outputs?: unknown;
  /**
   * Images, PDFs or recordings for the judge: an image's URL, `{ mime_type, data }` with a `data:` URI or base64, a
   * content part, or a list of these.
   */
  attachments?: Attachment | readonly Attachment[];
  /** Any other variable of the prompt. */
  [variable: string]: unknown;
}

export type { JudgeMetadata, JudgeResult } from "./result.js";

/** An evaluator that asks a model. */
export interface LLMAsJudge<Result = JudgeResult> {
  (params: LangSmithParams): Promise<Result>;
  (params: JudgeParams): Promise<Result>;
  /**
   * Judges many rows in parallel and returns the results in their order. If one row fails, the batch is rejected with
   * an error that names the row.
   */
  batch(rows: readonly JudgeParams[]): Promise<Result[]>;
  /** The range, direction and pass mark of its scores. */
  readonly scale?: ScoreScale;
}

/**
 * Makes an evaluator that asks a language model for a score.
 *
 * The engine checks the answer. It accepts small errors of form whose meaning is clear, such as prose around the JSON
 * or a number as text; otherwise it asks the judge once more and says what was wrong. A failure is never a score.
 *
 * @returns An evaluator whose result is `{ key, score, comment, metadata }`; with an `outputSchema`, the object that
 * the judge answered. The score is `true` or `false`, a number from 0 to 1 with `continuous`, or one of the `choices`.
 * @throws {@link OpenEvalsError} `invalid_config` for options that cannot work. The evaluator throws:
 * - `invalid_config` if the prompt has an unbalanced brace;
 * - `missing_variable` if a variable of the prompt was not passed, and `invalid_input` if a parameter looks like a
 *   misspelt optional variable;
 * - `invalid_judge_output`, with the `raw` answer, if the second answer is unusable too;
 * - `refused` if the model declines, and `callback_failed`, with the `cause`, if the function throws;
 * - `provider_error`, `rate_limited`, `timeout` or `aborted` if a request fails.
 *
 * @example
 * ```ts
 * import { createLLMAsJudge } from "openevals-wasm";
 *
 * const polite = createLLMAsJudge({
 *   prompt: "Is this answer polite?\n<answer>{outputs}</answer>",
 *   feedbackKey: "politeness",
 *   judge: async ({ messages }) => ({ score: !messages[0]?.content.includes("!"), reasoning: "I looked for shouting." }),
 * });
 * const { score, comment } = await polite({ outputs: "Gladly. Here it is." });
 * console.log(score, comment); // true I looked for shouting.
 * ```
 *
 * @example With a model
 * ```ts
 * import { createLLMAsJudge } from "openevals-wasm";
 *
 * const correct = createLLMAsJudge({
 *   prompt: "How right is {outputs} as an answer to {inputs}? The right answer is {reference_outputs}.",
 *   model: "ollama:llama3.3",
 *   continuous: true,
 * });
 * export const score = () => correct({ inputs: "1 + 1", outputs: "two", referenceOutputs: "2" });
 * ```
 */
export function createLLMAsJudge(
  options: LLMAsJudgeOptions & { prompt: string | PromptFunction; outputSchema?: undefined },
): LLMAsJudge;
/** Makes an evaluator that returns an object in the form that a structured prompt defines. */
export function createLLMAsJudge<Output = Record<string, unknown>>(
  options: LLMAsJudgeOptions & { prompt: StructuredPromptTemplate; outputSchema?: undefined },
): LLMAsJudge<Output>;
/** Makes an evaluator from any kind of prompt. */
export function createLLMAsJudge(options: LLMAsJudgeOptions & { outputSchema?: undefined }): LLMAsJudge;
/**
 * Makes an evaluator that asks a language model for an object that fits your schema.
 *
 * @param options With `outputSchema`: a zod schema (3 or 4), an ArkType schema, a Valibot schema through
 * `toStandardJsonSchema`, a schema of another library that follows Standard JSON Schema, a JSON schema (draft 2020-12),
 * or OpenAI's `{ name, schema, strict }`. All keywords and formats are checked. Schemas with remote or circular
 * references, patterns with lookbehind or backreferences, `dependencies` or `idn-hostname` cannot be checked: the first
 * call throws `invalid_config`. Keywords that a provider's strict mode does not support go into a description for the
 * model.
 * @returns An evaluator whose result is the object, checked against the schema. An experiment keeps it as `value`, reads
 * its `score`, `reasoning` and `comment`, and counts the tokens. A library's schema also applies its transforms. The
 * model has to return complete objects, so a field with a default cannot be missing. Rules that JSON Schema cannot
 * express, such as refinements, run last; an answer that breaks one is an error, without a second request. So a
 * `score` with zod's `catch()`, or with `overwrite()`, which hides its range, is `invalid_config`.
 *
 * @example
 * ```ts
 * import { createLLMAsJudge } from "openevals-wasm";
 *
 * const review = createLLMAsJudge<{ tone: string }>({
 *   prompt: "What is the tone of {outputs}?",
 *   judge: () => ({ tone: "kind" }),
 *   outputSchema: { type: "object", properties: { tone: { type: "string" } }, required: ["tone"] },
 * });
 * const { tone } = await review({ outputs: "Gladly." });
 * console.log(tone); // kind
 * ```
 */
export function createLLMAsJudge<Schema extends StandardSchema>(
  options: LLMAsJudgeOptions & { outputSchema: Schema },
): LLMAsJudge<OutputOf<Schema>>;
/** Makes an evaluator that asks for an object that fits a JSON schema. */
export function createLLMAsJudge<Output = Record<string, unknown>>(
  options: LLMAsJudgeOptions & { outputSchema: object },
): LLMAsJudge<Output>;
/**
 * Makes a judge as part of another evaluator.
 *
 * @param runName The name of the judge's run in LangSmith; an empty name gives it no run.
 * @param resultOf Makes the result from an answer that fits `outputSchema`, and its metadata.
 * @internal
 */
export function createLLMAsJudge<Output>(
  options: LLMAsJudgeOptions & { outputSchema?: object | undefined },
  runName: string,
  about?: About,
  resultOf?: (answer: any, metadata: JudgeMetadata) => Output,
): LLMAsJudge<Output>;
export function createLLMAsJudge(
  options: LLMAsJudgeOptions & { outputSchema?: object | undefined },
  runName?: string,
  about?: About,
  resultOf: (answer: unknown, metadata: JudgeMetadata) => unknown = (answer) => answer,
): LLMAsJudge<unknown> {
  const { config, outputSchema, feedbackKey, samples, scale, read, opened } = readable(
    "createLLMAsJudge",
    () => readOptions(options),
  );
  const { label, model } = opened;
  let configText: JsonOf<JudgeConfig> | undefined;
  let custom: CustomAnswers | undefined;

  const ask = async (question: string, judgeText: JsonOf<JudgeConfig>): Promise<unknown> => {
    if (outputSchema && !custom) {
      const { customAnswers } = await onUse("The reading of answers", () => import("./custom-answers.js"));
      custom = await customAnswers(feedbackKey, standardOf(outputSchema), await engineFor(opened), judgeText);
    }
    const engine = await engineFor(opened);
    const started = performance.now();
    let evaluation: Evaluation;
    let model: EngineModel | undefined;
    try {
      evaluation = parsed(
        await engine.wait("a judge", question.length, (own) => {
          model = own(opened.open());
          return engine.keep(bindings.Judge, judgeText).evaluate(model, question, custom?.fits);
        }),
      );
    } catch (error) {
      throw fromModel(error);
    }
    const { verdict } = evaluation;
    const metadata = { ...label, ...evaluation.metadata, latencyMs: msSince(started) };
    if ("custom" in verdict) {
      try {
        return resultOf(await custom?.validated(JSON.parse(verdict.custom), metadata), metadata);
      } catch (error) {
        if (model) currentMiddleware()?.discard(model);
        throw error;
      }
    }
    const { score, reasoning } = verdict.scored;
    const result: JudgeResult = {
      key: feedbackKey,
      score: JSON.parse(score),
      ...(reasoning === undefined ? undefined : { comment: reasoning }),
      metadata,
    };
    return result;
  };

  // The names of OpenEvals.
  const name = runName ?? (feedbackKey === "score" ? "llm_as_score_judge" : "llm_as_judge");
  const evaluate = traced(
    name,
    async (params: JudgeParams): Promise<unknown> => {
      const reading = read(params);
      const question = typeof reading === "string" ? reading : await reading;
      if (configText === undefined) {
        const { outputSchema, ...rest } = config;
        configText = jsonOf({
          ...rest,
          outputSchema: typeof outputSchema === "function" ? await outputSchema() : outputSchema,
        });
      }
      const judgeText = configText;
      if (samples === 1) return ask(question, judgeText);
      const { judgeSamples } = await onUse("The voting of samples", () => import("./samples.js"));
      return judgeSamples(samples, config.continuous, () => ask(question, judgeText) as Promise<JudgeResult>);
    },
    about,
  );

  const evaluator = Object.assign(named(feedbackKey, evaluate as (params: any) => Promise<unknown>), {
    feedbackKey,
    model,
    scale,
    batch: (rows: readonly JudgeParams[]): Promise<unknown[]> =>
      typedWork(`${name}.batch`, async () => {
        if (Array.isArray(rows)) return allRows(rows, evaluate);
        throw new OpenEvalsError("invalid_input", "A judge's batch needs a list of rows.");
      }),
  });
  return withAccessOf(evaluator, [opened]);
}

/**
 * Checks in addition to those of the engine.
 *
 * @internal
 */
export const JUDGE_OPTIONS: Checks<LLMAsJudgeOptions & { outputSchema?: object }> = {
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
  outputSchema: check("a schema", (schema) => {
    return (typeof schema === "object" || typeof schema === "function") && schema && !Array.isArray(schema);
  }),
};

function readOptions(options: LLMAsJudgeOptions & { outputSchema?: object | undefined }) {
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
  const { template, schema: promptSchema, read } = readPrompt(prompt);
  const outputSchema = ownSchema ?? promptSchema;
  if (continuous && choices) throw invalidConfig("continuous and choices exclude each other; choose one");
  if (outputSchema && (continuous || choices || samples > 1))
    throw invalidConfig("outputSchema defines the whole answer; leave out continuous, choices and samples");
  if (ownSchema && promptSchema) throw invalidConfig("The prompt has a schema, so leave out outputSchema");
  if (system !== undefined && template === undefined)
    throw invalidConfig("system needs a prompt that is a string; put it into the messages instead");
  const schema = outputSchema && readSchema(outputSchema);
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
  const { inputs, outputs, score, reasoning } = example;
  const names = ["inputs", "outputs", "score", "reasoning"];
  for (const name in example) {
    if (!names.includes(name) && nearest(name, names))
      throw noSuchOption(`fewShotExamples[${index}]`, name, names);
  }
  const json = (value: unknown, name: string) =>
    typeof value === "string" ? JSON.stringify(value) : toText(value, `fewShotExamples[${index}].${name}`);
  return {
    inputs: json(inputs, "inputs"),
    outputs: json(outputs, "outputs"),
    reasoning: reasoning ? String(reasoning) : undefined,
    score: score === undefined ? undefined : String(score),
  };
}
