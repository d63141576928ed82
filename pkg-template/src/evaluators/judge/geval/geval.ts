import { invalidConfig, typedWork } from "../../../core/errors.js";
import {
  aFlag,
  anything,
  aString,
  check,
  checkOptions,
  isListOf,
  type OptionChecks,
  readable,
  wholeFrom,
} from "../../../core/input/checks.js";
import { hexHash } from "../../../core/input/hash.js";
import { scoreBatch } from "../../../core/input/rows.js";
import { PASS_OPTIONS, type PassOptions, withPassMark } from "../../../core/passing.js";
import { msSince } from "../../../core/platform/elapsed.js";
import { sumOfUsage } from "../../../core/records/usage.js";
import { G_EVAL } from "../../../core/scales.js";
import { named, traced } from "../../../core/tracing/hook.js";
import { type ChatModel, initChatModel } from "../../../models/chat/chat.js";
import type { JudgeModel, StructuredOutputMethod } from "../../../models/chat/judge-model.js";
import { openerOf } from "../../../models/chat/opener.js";
import { withAccessOf } from "../../../models/chat/providers/check-access.js";
import { withUsageOf } from "../../calls/failed-parts.js";
import type { JudgeMetadata, JudgeParams, LLMAsJudge } from "../judge.js";
import { openJudge } from "../model.js";
import { aModelName, aStructuredOutputMethod } from "../option-checks.js";
import { readPrompt } from "../prompt.js";
import { attemptsOf, type Opinion, opinionsOf, usageOfAll } from "../vote.js";
import { ask, configOf } from "./ask.js";
import { type FormRange, formPrompt, scoreSchema } from "./prompts.js";
import {
  type FilledForm,
  type FormSample,
  type FormScores,
  type GEvalVote,
  scoresFromLogprobs,
  scoresFromSamples,
} from "./scores.js";
import { type GEvalSteps, writeStepsOnce } from "./steps.js";

/** The options of {@link createGEval}. */
export interface GEvalOptions extends PassOptions {
  /** What to rate, in your own words. Braces need no escaping. Required without `steps`. */
  criteria?: string | undefined;
  /** The steps of the evaluation form. By default, the model writes them once from the `criteria`. */
  steps?: readonly string[] | undefined;
  /** The model that judges, named as for {@link initChatModel}. It is asked at temperature 1, as in the paper. */
  model?: string | undefined;
  /** The judge, instead of `model`, as for {@link createLLMAsJudge}. It keeps its own temperature. */
  judge?: JudgeModel | undefined;
  /** Identifies the judge in the cache of an experiment, as for {@link createLLMAsJudge}. */
  cacheKey?: string | undefined;
  /** The structured output method of a LangChain chat model, as for {@link createLLMAsJudge}. */
  structuredOutputMethod?: StructuredOutputMethod | undefined;
  /** The `key` of the result; `score` by default. */
  feedbackKey?: string | undefined;
  /**
   * The lowest and the highest score of the form, whole numbers from 0 to 100; `[1, 5]` by default, as in the paper.
   */
  range?: FormRange | undefined;
  /**
   * Whether to request the log probabilities of tokens, so that a single answer gives the expected score; `true` by
   * default. Models that do not return them are sampled.
   */
  logprobs?: boolean | undefined;
  /**
   * The number of samples from a model that does not return log probabilities; 5 by default (20 in the paper), at most
   * 100. More than half of them must return a score.
   */
  samples?: number | undefined;
  /** Whether the judge explains its score, which becomes the `comment`; `true` by default. */
  useReasoning?: boolean | undefined;
}

export type { GEvalVote };

/** The details of a score of {@link createGEval}. */
export type GEvalMetadata = JudgeMetadata & {
  /** Whether the score is computed from token probabilities or from samples. */
  method: "logprobs" | "samples";
  /** The expected score within `range`: the sum of all scores weighted by their probabilities. */
  value: number;
  /** The lowest and the highest score of the form. */
  range: [lowest: number, highest: number];
  /** The standard deviation of the distribution, in units of `score`: how uncertain the judge is. */
  standardDeviation: number;
  /** The probability of each score of the form, or the share of samples with it; they sum to 1. */
  probabilities: Record<string, number>;
  /** For `logprobs`: the total probability of tokens that are scores, before normalisation. */
  mass?: number;
  /** For `samples`: the vote of each sample, as a score of the form. */
  votes?: GEvalVote[];
  /** The steps of the form. To reuse them, pass them as `steps`. */
  steps: string[];
};

/** The result of an evaluator made by {@link createGEval}. */
export type GEvalResult = {
  /** The `feedbackKey`. */
  key: string;
  /** The expected score, scaled to 0 (the lowest of the range) to 1 (the highest). */
  score: number;
  /** The reasoning of the answer, or of the sample nearest to the expected score. */
  comment?: string;
  /** The distribution of scores, and the model, usage and duration of the call. */
  metadata: GEvalMetadata;
  /** The id of the traced run that produced the score. */
  sourceRunId?: string;
};

const OPTIONS: OptionChecks<GEvalOptions> = {
  criteria: check("a text", isText),
  steps: check("a list of at least one text", (steps) => isListOf(steps, isText) && steps.length > 0),
  model: aModelName,
  judge: anything,
  cacheKey: aString,
  structuredOutputMethod: aStructuredOutputMethod,
  feedbackKey: aString,
  range: check("two whole numbers from 0 to 100, the lower one first", (range) => {
    const isScore = (score: unknown) =>
      Number.isInteger(score) && 0 <= (score as number) && (score as number) <= 100;
    return isListOf(range, isScore) && range.length === 2 && range[0] < range[1];
  }),
  logprobs: aFlag,
  samples: wholeFrom(1, 100),
  useReasoning: aFlag,
  ...PASS_OPTIONS,
};

/**
 * Makes an evaluator that rates by criteria, after *G-Eval* (Liu et al. 2023, arXiv 2303.16634). The model writes
 * evaluation steps once, then follows them to fill in a form for each answer. The score is the expected score: the sum
 * of all scores of the form, weighted by their probabilities. It is finer than the form, and varies less than a single
 * answer.
 *
 * The probabilities come from the tokens at the place of the score, if the provider returns log probabilities: of
 * its 20 likeliest tokens, those that are scores in the range, normalised to sum to 1. Otherwise, or if scores have
 * less than half of the probability, they are the shares of several samples. `metadata.method` says which. The judge
 * sees `outputs`, and `inputs`, `referenceOutputs`, `context` and `attachments` if passed.
 *
 * @returns An evaluator whose result is `{ key, score, comment, metadata }`. The score is from 0 to 1: `(value -
 * lowest) / (highest - lowest)`, where `value` is `metadata.value`.
 * @throws {@link OpenEvalsError} `invalid_config` for options that cannot work. The evaluator throws the errors of
 * {@link createLLMAsJudge}. If writing the steps fails, the next call tries again.
 *
 * @example
 * ```ts
 * import { createGEval } from "openevals-wasm/judges";
 *
 * const coherence = createGEval({
 *   criteria: "Coherence: the sentences build on each other, in an order that makes sense.",
 *   model: "openai:gpt-5.4",
 *   feedbackKey: "coherence",
 * });
 * export const score = () => coherence({ inputs: "Sum it up.", outputs: "First it rained. Then the river rose." });
 * ```
 *
 * @example With your own steps, and a function instead of a model
 * ```ts
 * import { createGEval } from "openevals-wasm/judges";
 *
 * const brief = createGEval({
 *   steps: ["Count the sentences in outputs.", "One sentence is a 5, and each further one takes one off."],
 *   judge: ({ messages }) => ({ score: messages[0]?.content.includes("First") ? 4 : 5, reasoning: "I counted." }),
 *   samples: 3,
 * });
 * const { score, metadata } = await brief({ outputs: "First this. Then that." });
 * console.log(score, metadata.value, metadata.method); // 0.75 4 samples
 * ```
 */
export function createGEval(options: GEvalOptions): LLMAsJudge<GEvalResult> {
  const { judge, steps, formOf, promptHash, feedbackKey, range, samples, scale, requestsLogprobs, read } =
    readable("createGEval", () => readOptions(options));

  const names = Array.from({ length: samples }, (_, index) => `sample ${index + 1}`);
  const samplesOf = (names: readonly string[], question: string, logprobs: boolean) =>
    opinionsOf(names, async (): Promise<FormSample> => {
      const { answer, metadata } = await ask<FilledForm>(judge, formOf(logprobs), question);
      const { score, reasoning: comment } = answer;
      return { key: feedbackKey, score, ...(comment !== undefined && { comment }), metadata };
    });

  /** Requests log probabilities first. An answer without them counts as the first sample. */
  const fillIn = async (question: string): Promise<[FormScores, readonly Opinion<FormSample>[]]> => {
    const first = requestsLogprobs ? await samplesOf(names.slice(0, 1), question, true) : [];
    const fromLogprobs = first[0]?.result && (await scoresFromLogprobs(first[0].result, range));
    if (fromLogprobs) return [fromLogprobs, first];
    const all = [...first, ...(await samplesOf(names.slice(first.length), question, false))];
    return [await scoresFromSamples(all), all];
  };

  const evaluate = traced("g_eval", async (params: JudgeParams): Promise<GEvalResult> => {
    const started = performance.now();
    // The reader of prompts rejects non-objects with the same error for all judges.
    if (typeof params !== "object" || params === null) await read(params);
    const written = await steps();
    const question = await read({ ...params, evaluation_steps: numbered(written.steps) });
    const [{ method, distribution, comment, votes }, asked] = await fillIn(question).catch((thrown) => {
      throw withUsageOf(thrown, [written, thrown]);
    });
    const [lowest, highest] = range;
    const { expected, deviation, probabilities, mass } = distribution;
    const answers = asked.flatMap(({ result }) => result?.metadata ?? []);
    const { model, omitted } = answers.at(-1) ?? {};
    const usage = sumOfUsage([written.metadata, { usage: usageOfAll(asked) }]);
    return {
      key: feedbackKey,
      score: (expected - lowest) / (highest - lowest),
      ...(comment !== undefined && { comment }),
      metadata: {
        ...judge.label,
        ...(model !== undefined && { model }),
        promptHash,
        ...(usage && { usage }),
        attempts: (written.metadata?.attempts ?? 0) + attemptsOf(asked),
        ...(omitted && { omitted }),
        latencyMs: msSince(started),
        method,
        value: expected,
        range: [lowest, highest],
        standardDeviation: deviation / (highest - lowest),
        probabilities: Object.fromEntries(
          probabilities.map(({ score, probability }) => [score, probability]),
        ),
        ...(votes ? { votes } : { mass }),
        steps: [...written.steps],
      },
    };
  });

  const evaluator = Object.assign(named(feedbackKey, evaluate as (params: any) => Promise<GEvalResult>), {
    feedbackKey,
    scale,
    batch: (rows: readonly JudgeParams[]): Promise<GEvalResult[]> =>
      typedWork("g_eval.batch", () => scoreBatch("g_eval", rows, evaluate)),
  });
  return withAccessOf(evaluator, [judge]);
}

function readOptions(options: GEvalOptions) {
  const {
    criteria,
    steps,
    model,
    judge: ownJudge,
    cacheKey,
    structuredOutputMethod,
    feedbackKey = "score",
    range = [1, 5],
    logprobs = true,
    samples = 5,
    useReasoning = true,
    ...marks
  } = checkOptions("createGEval", options, OPTIONS);
  if (criteria === undefined && steps === undefined) {
    throw invalidConfig("createGEval needs criteria or steps");
  }
  const judgeModel = ownJudge ?? (model === undefined ? undefined : initChatModel(model, { temperature: 1 }));
  const source = { judge: judgeModel, model, cacheKey, structuredOutputMethod };
  const judge = openJudge(source);
  const hasCriteria = criteria !== undefined;
  const prompt = formPrompt(range, hasCriteria, useReasoning);
  const { read } = readPrompt(prompt);
  const ownSteps = steps && [...steps];
  const writing = ownSteps
    ? async (): Promise<GEvalSteps> => ({ steps: ownSteps })
    : writeStepsOnce(openJudge({ ...source, isShared: true }), criteria as string, range);
  const schema = scoreSchema(range, useReasoning);
  return {
    judge,
    steps: writing,
    promptHash: hashOf([prompt, schema, criteria, ownSteps]),
    formOf: (logprobs: boolean) => configOf(prompt, schema, { logprobs }),
    feedbackKey,
    range: [range[0], range[1]] as FormRange,
    samples,
    scale: withPassMark(G_EVAL, marks),
    requestsLogprobs: logprobs && mayReturnLogprobs(judgeModel),
    read: (params: JudgeParams) => read(hasCriteria ? { ...params, evaluation_criteria: criteria } : params),
  };
}

function isText(value: unknown): boolean {
  return typeof value === "string" && value.trim() !== "";
}

/** A hash of what the user has set. Steps that the model writes differ between runs. */
const hashOf = (form: readonly unknown[]): string => hexHash(JSON.stringify(form));

const numbered = (steps: readonly string[]): string =>
  steps.map((step, index) => `${index + 1}. ${step}`).join("\n");

/** Whether to request log probabilities: functions have none, and of the clients, only OpenAI's returns them. */
function mayReturnLogprobs(judge: JudgeModel | undefined): boolean {
  if (openerOf(judge)) return (judge as ChatModel).mayReturnLogprobs;
  return typeof judge === "object" && "chat" in judge;
}
