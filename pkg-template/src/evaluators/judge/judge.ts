import { jsonOf, parsed } from "../../core/engine/crossing.js";
import { fromModel, typedWork } from "../../core/errors.js";
import { readable } from "../../core/input/checks.js";
import { scoreBatch } from "../../core/input/rows.js";
import { msSince } from "../../core/platform/elapsed.js";
import { onUse } from "../../core/platform/on-use.js";
import { named, traced } from "../../core/tracing/hook.js";
import type { About } from "../../core/tracing/types.js";
import type { LangSmithParams, ScoreScale } from "../../core/types.js";
import { currentMiddleware } from "../../models/chat/model-middleware.js";
import type { EngineModel } from "../../models/chat/opener.js";
import { withAccessOf } from "../../models/chat/providers/check-access.js";
import type { Attachment } from "../../models/conversation/content-parts.js";
import type { Evaluation, JsonOf, JudgeConfig } from "../../openevals.types.js";
import * as bindings from "../../openevals-judges.js";
import { type OutputOf, type StandardSchema, standardOf } from "../json-schema/standard-schema.js";
import type { CustomAnswers } from "./custom-answers.js";
import { type LLMAsJudgeOptions, readJudgeOptions } from "./judge-options.js";
import { engineFor } from "./model.js";
import type { PromptFunction, StructuredPromptTemplate } from "./prompt.js";
import type { JudgeMetadata, JudgeResult } from "./result.js";

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

export type { LLMAsJudgeOptions } from "./judge-options.js";
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
 * The engine checks the answer. It accepts small errors of form whose meaning is clear, such as a code fence around the JSON
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
/** Makes an evaluator from any kind of prompt. This is the last form, which `ReturnType<typeof createLLMAsJudge>` takes. */
export function createLLMAsJudge(options: LLMAsJudgeOptions & { outputSchema?: undefined }): LLMAsJudge;
export function createLLMAsJudge(
  options: LLMAsJudgeOptions & { outputSchema?: object | undefined },
): LLMAsJudge<unknown> {
  return makeJudge(options);
}

/** A judge as part of another evaluator. */
interface JudgePart<Output> {
  /** The name of its run in LangSmith; an empty name gives it no run. */
  runName: string;
  about?: About;
  /** Makes the result from an answer that fits `outputSchema`, and its metadata. */
  resultOf?: (answer: any, metadata: JudgeMetadata) => Output;
}

/**
 * Makes a judge, alone or as part of another evaluator.
 *
 * @internal
 */
export function makeJudge<Output>(
  options: LLMAsJudgeOptions & { outputSchema?: object | undefined },
  part?: JudgePart<Output>,
): LLMAsJudge<Output> {
  const settings = readable("createLLMAsJudge", () => readJudgeOptions(options));
  const { config, feedbackKey, samples, scale, read, opened } = settings;
  const ask = askerOf(settings, part?.resultOf);
  let configText: JsonOf<JudgeConfig> | undefined;
  // The names of OpenEvals.
  const name = part?.runName ?? (feedbackKey === "score" ? "llm_as_score_judge" : "llm_as_judge");
  const evaluate = traced(
    name,
    async (params: JudgeParams): Promise<unknown> => {
      const reading = read(params);
      const question = typeof reading === "string" ? reading : await reading;
      configText ??= await configTextOf(config);
      const judge = configText;
      if (samples === 1) return ask(question, judge);
      const { judgeSamples } = await onUse("The sampling", () => import("./samples.js"));
      return judgeSamples(
        samples,
        config.continuous,
        scale,
        () => ask(question, judge) as Promise<JudgeResult>,
      );
    },
    part?.about,
  );
  const evaluator = Object.assign(named(feedbackKey, evaluate as (params: any) => Promise<any>), {
    feedbackKey,
    model: opened.model,
    scale,
    batch: (rows: readonly JudgeParams[]): Promise<any[]> =>
      typedWork(`${name}.batch`, () => scoreBatch(name, rows, evaluate)),
  });
  return withAccessOf(evaluator, [opened]);
}

type JudgeSettings = ReturnType<typeof readJudgeOptions>;

/** The configuration for the engine. A library may return its schema with a promise. */
async function configTextOf({
  outputSchema,
  ...rest
}: JudgeSettings["config"]): Promise<JsonOf<JudgeConfig>> {
  return jsonOf({
    ...rest,
    outputSchema: typeof outputSchema === "function" ? await outputSchema() : outputSchema,
  });
}

/** Returns the function that asks the model once. */
function askerOf(
  { outputSchema, feedbackKey, opened }: JudgeSettings,
  resultOf: JudgePart<unknown>["resultOf"] = (answer) => answer,
) {
  let custom: CustomAnswers | undefined;
  return async (question: string, judge: JsonOf<JudgeConfig>): Promise<unknown> => {
    if (outputSchema && !custom) {
      const { customAnswers } = await onUse("The answer reader", () => import("./custom-answers.js"));
      custom = await customAnswers(feedbackKey, standardOf(outputSchema), await engineFor(opened), judge);
    }
    const engine = await engineFor(opened);
    const started = performance.now();
    let evaluation: Evaluation;
    let model: EngineModel | undefined;
    try {
      evaluation = parsed(
        await engine.wait("a judge", question.length, (own) => {
          model = own(opened.open());
          return engine.keep(bindings.Judge, judge).evaluate(model, question, custom?.fits);
        }),
      );
    } catch (error) {
      throw fromModel(error);
    }
    const { verdict } = evaluation;
    const metadata = { ...opened.label, ...evaluation.metadata, latencyMs: msSince(started) };
    if ("scored" in verdict) {
      const { score, reasoning: comment } = verdict.scored;
      return {
        key: feedbackKey,
        score: JSON.parse(score),
        ...(comment === undefined ? undefined : { comment }),
        metadata,
      } satisfies JudgeResult;
    }
    try {
      return resultOf(await custom?.validated(JSON.parse(verdict.custom), metadata), metadata);
    } catch (error) {
      if (model) currentMiddleware()?.discard(model);
      throw error;
    }
  };
}
