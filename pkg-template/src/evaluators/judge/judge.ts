import { jsonOf, parsed } from "../../core/engine/crossing.js";
import { judgesEngine } from "../../core/engine/judges.js";
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
  oneOf,
  readable,
  wholeFrom,
} from "../../core/input/checks.js";
import { toText } from "../../core/input/json.js";
import { allRows } from "../../core/input/rows.js";
import { onUse } from "../../core/platform/on-use.js";
import { PASS_OPTIONS, type PassOptions, type ScoreScale, withPassMark } from "../../core/scale.js";
import { SHARE, VERDICT } from "../../core/scales.js";
import { named, traced } from "../../core/tracing/hook.js";
import type { About } from "../../core/tracing/types.js";
import type { FewShotExample, LangSmithParams } from "../../core/types.js";
import { withAccessOf } from "../../models/chat/check-access.js";
import type { JudgeModel, StructuredOutputMethod } from "../../models/chat/judge-model.js";
import { currentIntermediary } from "../../models/chat/model-middleware.js";
import type { EngineModel } from "../../models/chat/opener.js";
import type { Attachment } from "../../models/conversation/content-parts.js";
import type { Evaluation, Example, JsonOf, JudgeConfig } from "../../openevals.types.js";
import * as bindings from "../../openevals-judges.js";
import type { FitsTextRule } from "../../openevals-judges.types.js";
import { type OutputOf, readSchema, type StandardSchema, validated } from "../json-schema/output-schema.js";
import { engineFor, msSince, openJudge } from "./model.js";
import { aStructuredOutputMethod } from "./options.js";
import { type Prompt, type PromptFunction, readPrompt, type StructuredPromptTemplate } from "./prompt.js";
import type { JudgeMetadata, JudgeResult } from "./result.js";

/** The options of {@link createLLMAsJudge}. */
export interface LLMAsJudgeOptions extends PassOptions {
  /**
   * What the judge reads.
   *
   * - A string: `{inputs}`, `{outputs}`, `{reference_outputs}` and any other variable are replaced by what the evaluator
   *   is called with, `{{` and `}}` stand for braces. Attachments stand where it says `{attachments}`, or else at its
   *   end. A block `<name optional>…</name>` vanishes when a variable in it is not passed, and no text that is put into
   *   a block can close it.
   * - A function that is called with what the evaluator is called with (and `reference_outputs`), and returns messages.
   * - A prompt template with `invoke()`, such as those of LangChain. One with a `schema` (a structured prompt) also says
   *   what the answer is, as `outputSchema` does.
   */
  prompt: Prompt;
  /** The `key` of the result; `score` by default. */
  feedbackKey?: string | undefined;
  /** The model that judges, as for {@link initChatModel}: `openai:gpt-5.4`, `ollama:llama3.3`. */
  model?: string | undefined;
  /** A system message, in front of a prompt that is a string. */
  system?: string | undefined;
  /**
   * What judges, in the place of `model`: a function; the result of {@link initChatModel}; a chat model of LangChain; a
   * language model of the Vercel AI SDK; with the name of its model in `model`, a client of the package `openai`, or the
   * binding `env.AI` of a Cloudflare Worker.
   */
  judge?: JudgeModel | undefined;
  /**
   * What the cache of an experiment knows a judge by that cannot tell itself who it is: a function, or a model of another
   * package that does not say its name and address. Change it when such a judge changes: what was kept under the same
   * key, for the same question, is its answer. With other judges it is added to what they are known by.
   */
  cacheKey?: string | undefined;
  /**
   * How random answers are, for a `model`, and a `judge` of {@link initChatModel}, instead of what that was made with. The
   * provider decides by default.
   */
  temperature?: number | undefined;
  /**
   * How many times the question is asked, all at once; 1 by default, at most 1,000. The score is what most answers say, an
   * even split being the lower one (`false`); with `continuous`, it is their mean. `metadata` has each of the `votes`, their
   * `standardDeviation`, and as `confidence` how far they agree. More than half of them have to come to a score.
   */
  samples?: number | undefined;
  /**
   * How a `judge` that is a chat model of LangChain is held to the form of its answer, where what the model does by itself
   * fails: `method` of its `withStructuredOutput()`. With `jsonMode`, the schema stands in the prompt. Other judges do this
   * themselves, and are refused with it.
   */
  structuredOutputMethod?: StructuredOutputMethod | undefined;
  /** Whether the score is a number from 0 to 1 instead of `true` or `false`. */
  continuous?: boolean | undefined;
  /** The only scores there are, such as `[0, 0.5, 1]`, instead of `true` or `false`. */
  choices?: number[] | undefined;
  /** Whether the judge explains its score, which becomes the `comment`; `true` by default. */
  useReasoning?: boolean | undefined;
  /** Examples of scores, put behind the prompt. */
  fewShotExamples?: FewShotExample[] | undefined;
  /**
   * Marks what the prompt has before its first variable, and the `system` message, so that Anthropic keeps it for five
   * minutes or an hour, and reads it at a tenth of the price; writing it costs a quarter more, or twice as much. It pays
   * where that beginning is long: what is shorter than a model's least (1,024 to 4,096 tokens) is not kept, and costs
   * what it always does. What comes from a cache is in `usage.cachedInputTokens`. Others find out themselves what prompts
   * have in common, and are asked as without it. In messages of your own, mark a part with `cache_control`.
   */
  promptCaching?: "5m" | "1h" | undefined;
}

/** What an evaluator made by {@link createLLMAsJudge} is called with. Values that are not strings are put in as JSON. */
export interface JudgeParams {
  /** What the application was asked: `{inputs}`. */
  inputs?: unknown;
  /** What it answered: `{outputs}`. */
  outputs?: unknown;
  /** What it should have answered: `{reference_outputs}`. */
  referenceOutputs?: unknown;
  /** Accepted in the place of `referenceOutputs`, as the Python packages spell it. */
  reference_outputs?: unknown;
  /**
   * What the judge is to see or hear: an image's URL, `{ mime_type, data }` with an image, a PDF or a recording as a
   * `data:` URI or base64, a content part, or a list of these.
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
   * Judges many rows, all at the same time; the results are in their order. One row that cannot be judged rejects the
   * batch; the error names it.
   */
  batch(rows: readonly JudgeParams[]): Promise<Result[]>;
  /** What its scores mean. */
  readonly scale?: ScoreScale;
}

/**
 * Makes an evaluator that asks a language model for a score.
 *
 * The answer is checked: where its meaning is plain, slips of form (prose around the JSON, a number as text) are read
 * over; otherwise the judge is asked once more, with what was wrong. A failure is never a score.
 *
 * @returns An evaluator whose result is `{ key, score, comment, metadata }`; with an `outputSchema`, the object that the
 * judge answered.
 * @throws {@link OpenEvalsError} `invalid_config` for options that cannot work. The evaluator throws `invalid_config` when
 * the prompt has a brace without a partner, `invalid_input` when a parameter is nearly the name of an optional variable
 * that was not passed, `missing_variable` when it names a variable that was not passed, `invalid_judge_output` with the `raw` answer when it cannot be used
 * after the judge was asked again, `refused` when the model declines, `callback_failed` with the `cause` when the
 * function throws, and what requests fail with: `provider_error`, `rate_limited`, `timeout`, `aborted`.
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
/** Makes an evaluator whose result is the object that a structured prompt asks for. */
export function createLLMAsJudge<Output = Record<string, unknown>>(
  options: LLMAsJudgeOptions & { prompt: StructuredPromptTemplate; outputSchema?: undefined },
): LLMAsJudge<Output>;
/** The same with any prompt. */
export function createLLMAsJudge(options: LLMAsJudgeOptions & { outputSchema?: undefined }): LLMAsJudge;
/**
 * Makes an evaluator that asks a language model for an object of your own form.
 *
 * @param options With `outputSchema`: a schema of zod (3 or 4), of ArkType, of Valibot through `toStandardJsonSchema`, or
 * of any other library that follows Standard JSON Schema; a JSON schema; or OpenAI's `{ name, schema, strict }`. JSON
 * schemas are those of draft 2020-12, all of whose keywords are checked, formats too; what cannot be (schemas at other
 * addresses or that lead back to themselves, patterns with lookbehind or backreferences, `dependencies`, `idn-hostname`)
 * is `invalid_config` at the first call. What a provider's strict mode does not know is told to the model in a description.
 * @returns An evaluator whose result is the object, checked against the schema; with a schema of a library, what that
 * makes of it with its transforms. A model is asked for whole objects, so fields with a default may not be missing. Rules
 * that no JSON schema has, such as refinements, come last; an answer that breaks one is an error at once.
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
/** The same with a JSON schema. */
export function createLLMAsJudge<Output = Record<string, unknown>>(
  options: LLMAsJudgeOptions & { outputSchema: object },
): LLMAsJudge<Output>;
/**
 * The same as part of another evaluator.
 *
 * @param runName What LangSmith knows the judge by; without a name, it has no run of its own.
 * @param resultOf What becomes of an answer of its own form, with what it took.
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
  let fits: FitsTextRule | undefined | null;

  const ask = async (question: string, judgeText: JsonOf<JudgeConfig>): Promise<unknown> => {
    const engine = await engineFor(opened);
    const started = performance.now();
    let evaluation: Evaluation;
    let model: EngineModel | undefined;
    try {
      if (outputSchema && fits === undefined) fits = await textRulesOf(judgeText);
      evaluation = parsed(
        await engine.wait("a judge", question.length, (own) => {
          model = own(opened.open());
          return engine.keep(bindings.Judge, judgeText).evaluate(model, question, fits ?? undefined);
        }),
      );
    } catch (error) {
      throw fromModel(error);
    }
    const { verdict } = evaluation;
    const metadata = { ...label, ...evaluation.metadata, latencyMs: msSince(started) };
    if ("custom" in verdict) {
      try {
        return resultOf(await validated(outputSchema, JSON.parse(verdict.custom)), metadata);
      } catch (error) {
        if (model) currentIntermediary()?.discard(model);
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

  // The names that OpenEvals gives.
  const name = runName ?? (feedbackKey === "score" ? "llm_as_score_judge" : "llm_as_judge");
  const evaluate = traced(
    name,
    async (params: JudgeParams): Promise<unknown> => {
      const made = read(params);
      const question = typeof made === "string" ? made : await made;
      if (configText === undefined) {
        const { outputSchema, ...rest } = config;
        configText = jsonOf({
          ...rest,
          outputSchema: typeof outputSchema === "function" ? await outputSchema() : outputSchema,
        });
      }
      const judgeText = configText;
      if (samples === 1) return ask(question, judgeText);
      const { sampled } = await onUse("The voting of samples", () => import("./samples.js"));
      return sampled(samples, config.continuous, () => ask(question, judgeText) as Promise<JudgeResult>);
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

/** What knows the patterns and formats in the schema of a judge, if there are any. */
async function textRulesOf(config: JsonOf<JudgeConfig>): Promise<FitsTextRule | null> {
  const engine = await judgesEngine.load();
  const rules = parsed(engine.run("a judge", 0, () => engine.keep(bindings.Judge, config).textRules()));
  if (rules.length === 0) return null;
  const { readTextRules } = await onUse(
    "The rules of texts in schemas",
    () => import("../json-schema/text-rules.js"),
  );
  return readTextRules(rules, "outputSchema");
}

/**
 * Beside what the engine checks.
 *
 * @internal
 */
export const JUDGE_OPTIONS: Checks<LLMAsJudgeOptions & { outputSchema?: object }> = {
  prompt: anything,
  feedbackKey: aString,
  model: aString,
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
  if (continuous && choices)
    throw invalidConfig("continuous and choices exclude each other: scores are one or the other");
  if (outputSchema && (continuous || choices)) {
    throw invalidConfig(
      "outputSchema says what the answer is, so continuous and choices would be without effect",
    );
  }
  if (outputSchema && samples > 1)
    throw invalidConfig("samples vote on a score, and outputSchema says that the answer is something else");
  if (ownSchema && promptSchema)
    throw invalidConfig("The prompt brings a schema along, so outputSchema cannot be given");
  if (system !== undefined && template === undefined)
    throw invalidConfig(
      "system stands in front of a prompt that is a string; put it into the messages of this one",
    );
  const config = {
    prompt: template,
    system,
    continuous,
    choices: choices?.map(String),
    useReasoning,
    fewShotExamples: fewShotExamples.map(readExample),
    outputSchema: outputSchema && readSchema(outputSchema),
    promptCaching,
    logprobs: false,
  };
  const opened = openJudge({ judge, model, cacheKey, temperature, structuredOutputMethod });
  const scale = withPassMark(continuous ? SHARE : choices ? scaleOfChoices(choices) : VERDICT, marks);
  return { config, outputSchema, feedbackKey, samples, scale, read, opened };
}

/** The highest of the choices is the best. */
const scaleOfChoices = (choices: readonly number[]): ScoreScale => {
  const [min, max] = [Math.min(...choices), Math.max(...choices)];
  return { ...VERDICT, min, max, passAt: max };
};

function readExample({ inputs, outputs, score, reasoning }: FewShotExample, index: number): Example {
  const json = (value: unknown, name: string) =>
    typeof value === "string" ? JSON.stringify(value) : toText(value, `fewShotExamples[${index}].${name}`);
  return {
    inputs: json(inputs, "inputs"),
    outputs: json(outputs, "outputs"),
    reasoning: reasoning ? String(reasoning) : undefined,
    score: score === undefined ? undefined : String(score),
  };
}
