import { invalidConfig, OpenEvalsError, typedWork } from "../../../core/errors.js";
import {
  aFlag,
  anything,
  aString,
  type Checks,
  check,
  checkOptions,
  isListOf,
  readable,
  wholeFrom,
} from "../../../core/input/checks.js";
import { allRows } from "../../../core/input/rows.js";
import { sumOfUsage } from "../../../core/records/usage.js";
import { PASS_OPTIONS, type PassOptions, withPassMark } from "../../../core/scale.js";
import { G_EVAL } from "../../../core/scales.js";
import { named, traced } from "../../../core/tracing/hook.js";
import { type ChatModel, initChatModel } from "../../../models/chat/chat.js";
import { withAccessOf } from "../../../models/chat/check-access.js";
import type { JudgeModel, StructuredOutputMethod } from "../../../models/chat/judge-model.js";
import { openerOf } from "../../../models/chat/opener.js";
import type { JudgeMetadata, JudgeParams, LLMAsJudge } from "../judge.js";
import { msSince, openJudge } from "../model.js";
import { aStructuredOutputMethod } from "../options.js";
import { readPrompt } from "../prompt.js";
import { attemptsOf, type Opinion, opinionsOf } from "../vote.js";
import { ask, configOf } from "./ask.js";
import { type FormRange, formPrompt, scoreSchema } from "./prompts.js";
import {
  type Filled,
  type FormSample,
  type FormScores,
  type GEvalVote,
  ofTokens,
  ofVotes,
} from "./scores.js";
import { type GEvalSteps, writtenOnce } from "./steps.js";

/** The options of {@link createGEval}. */
export interface GEvalOptions extends PassOptions {
  /** What is rated, in your own words; braces are just braces. Needed without `steps`. */
  criteria?: string | undefined;
  /** The steps of the evaluation form. Without them, the model writes them once, from the `criteria`. */
  steps?: readonly string[] | undefined;
  /** The model that judges, as for {@link initChatModel}. It is asked at temperature 1, as in the paper. */
  model?: string | undefined;
  /** What judges, in the place of `model`, as for {@link createLLMAsJudge}; with the temperature that it has. */
  judge?: JudgeModel | undefined;
  /** What the cache of an experiment knows a judge by that cannot tell itself who it is, as for {@link createLLMAsJudge}. */
  cacheKey?: string | undefined;
  /** How a chat model of LangChain is held to the form of its answers, as for `createLLMAsJudge`. */
  structuredOutputMethod?: StructuredOutputMethod | undefined;
  /** The `key` of the result; `score` by default. */
  feedbackKey?: string | undefined;
  /** The lowest and the highest score of the form, whole numbers from 0 to 100; `[1, 5]` by default, as in the paper. */
  range?: FormRange | undefined;
  /**
   * Whether the model is asked how likely the tokens of its answer were, so that one answer tells the expected score; `true`
   * by default. Models that do not tell are asked for samples.
   */
  logprobs?: boolean | undefined;
  /**
   * How many times a model is asked that does not tell; 5 by default (20 in the paper), 100 at most. More than half of the
   * answers have to be scores.
   */
  samples?: number | undefined;
  /** Whether the judge explains its score, which becomes the `comment`; `true` by default. */
  useReasoning?: boolean | undefined;
}

export type { GEvalVote };

/** What a score of {@link createGEval} took, and what it is made of. */
export type GEvalMetadata = JudgeMetadata & {
  /** Whether it was by the probabilities of tokens, or by samples. */
  method: "logprobs" | "samples";
  /** The expected score within `range`: the sum of all scores, each times its probability. */
  value: number;
  /** The lowest and the highest score of the form. */
  range: [lowest: number, highest: number];
  /** The standard deviation of scores around `score`, in its units: how far the judge is from being sure. */
  standardDeviation: number;
  /** The probability of each score, by its number, or the share of samples that gave it; 1 in all. */
  probabilities: Record<string, number>;
  /** By `logprobs`: how much of all probability was on scores, before it was made to be 1 in all. */
  mass?: number;
  /** By `samples`: what each of them said, as a score of the form. */
  votes?: GEvalVote[];
  /** The steps by which it was rated: pass them as `steps` to keep them. */
  steps: string[];
};

/** The result of an evaluator made by {@link createGEval}. */
export type GEvalResult = {
  /** The `feedbackKey`. */
  key: string;
  /** The expected score, from 0 (the lowest of the range) to 1 (the highest). */
  score: number;
  /** Why: of the answer that gave the score, or of the sample that is nearest to the expected score. */
  comment?: string;
  /** What it took, and what it is made of. */
  metadata: GEvalMetadata;
  /** The id of the traced run that gave the score. */
  sourceRunId?: string;
};

const OPTIONS: Checks<GEvalOptions> = {
  criteria: check("a text", isText),
  steps: check("a list of at least one text", (steps) => isListOf(steps, isText) && steps.length > 0),
  model: aString,
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
 * Makes an evaluator that rates by criteria, after the paper *G-Eval* (Liu et al. 2023, arXiv 2303.16634): the model writes
 * the steps of an evaluation once, and fills in a form by them for each answer. The score is the one to be expected: the sum
 * of all scores of the form, each times its probability, so that it is finer than the form, and is not a matter of luck.
 *
 * Where the provider tells how likely tokens were, these are the probabilities: of the 20 likeliest tokens in the place of
 * the score, those that write a score of the range, made to be 1 in all. Where it does not, or less than half of all
 * probability is on scores, they are the shares of several samples. `metadata.method` says which. The evaluator sees `inputs`,
 * `outputs`, `referenceOutputs`, `context` and `attachments`, of which only `outputs` is needed.
 *
 * @returns An evaluator whose result is `{ key, score, comment, metadata }`. The score is `metadata.value`, the expected one
 * in the range, as a number from 0 to 1: `(value - lowest) / (highest - lowest)`.
 * @throws {@link OpenEvalsError} `invalid_config` for options that cannot work. The evaluator throws what
 * {@link createLLMAsJudge} throws; steps that could not be written are asked for again by the next call.
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
 * @example With steps of one's own, and a function in the place of a model
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
  const { judge, steps, formOf, feedbackKey, range, samples, scale, mayTell, read } = readable(
    "createGEval",
    () => readOptions(options),
  );

  const names = Array.from({ length: samples }, (_, index) => `sample ${index + 1}`);
  const samplesOf = (names: readonly string[], question: string, logprobs: boolean) =>
    opinionsOf(names, async (): Promise<FormSample> => {
      const { answer, metadata } = await ask<Filled>(judge, formOf(logprobs), question);
      const { score, reasoning: comment } = answer;
      return { key: feedbackKey, score, ...(comment !== undefined && { comment }), metadata };
    });

  /** Asks for probabilities first: an answer that does not tell is the first of the samples. */
  const fillIn = async (question: string): Promise<[FormScores, readonly Opinion<FormSample>[]]> => {
    const first = mayTell ? await samplesOf(names.slice(0, 1), question, true) : [];
    const told = first[0]?.result && (await ofTokens(first[0].result, range));
    if (told) return [told, first];
    const all = [...first, ...(await samplesOf(names.slice(first.length), question, false))];
    return [await ofVotes(all), all];
  };

  const evaluate = traced("g_eval", async (params: JudgeParams): Promise<GEvalResult> => {
    const started = performance.now();
    // What is no object is refused where all judges refuse it.
    if (typeof params !== "object" || params === null) await read(params);
    const written = await steps();
    const question = await read({ ...params, evaluation_steps: numbered(written.steps) });
    const [{ method, distribution, comment, votes }, asked] = await fillIn(question);
    const [lowest, highest] = range;
    const { expected, deviation, probabilities, mass } = distribution;
    const answers = asked.flatMap(({ result }) => result?.metadata ?? []);
    const { model, omitted } = answers.at(-1) ?? {};
    const usage = sumOfUsage([written.metadata, ...answers]);
    return {
      key: feedbackKey,
      score: (expected - lowest) / (highest - lowest),
      ...(comment !== undefined && { comment }),
      metadata: {
        ...judge.label,
        ...(model !== undefined && { model }),
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
      typedWork("g_eval.batch", async () => {
        if (Array.isArray(rows)) return allRows(rows, evaluate);
        throw new OpenEvalsError("invalid_input", "A judge's batch needs a list of rows.");
      }),
  });
  return withAccessOf(evaluator, [judge]);
}

function readOptions(options: GEvalOptions) {
  const {
    criteria,
    steps,
    model,
    judge: given,
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
    throw invalidConfig("createGEval needs criteria, or the steps of the evaluation");
  }
  const asked = given ?? (model === undefined ? undefined : initChatModel(model, { temperature: 1 }));
  const who = { judge: asked, model, cacheKey, structuredOutputMethod };
  const judge = openJudge(who);
  const hasCriteria = criteria !== undefined;
  const prompt = formPrompt(range, hasCriteria, useReasoning);
  const { read } = readPrompt(prompt);
  const ownSteps = steps && [...steps];
  const writing = ownSteps
    ? async (): Promise<GEvalSteps> => ({ steps: ownSteps })
    : writtenOnce(openJudge({ ...who, isShared: true }), criteria as string, range);
  const schema = scoreSchema(range, useReasoning);
  return {
    judge,
    steps: writing,
    formOf: (logprobs: boolean) => configOf(prompt, schema, { logprobs }),
    feedbackKey,
    range: [range[0], range[1]] as FormRange,
    samples,
    scale: withPassMark(G_EVAL, marks),
    mayTell: logprobs && mayTellLogprobs(asked),
    read: (params: JudgeParams) => read(hasCriteria ? { ...params, evaluation_criteria: criteria } : params),
  };
}

function isText(value: unknown): boolean {
  return typeof value === "string" && value.trim() !== "";
}

const numbered = (steps: readonly string[]): string =>
  steps.map((step, index) => `${index + 1}. ${step}`).join("\n");

/** Whether it is worth asking: a function has no tokens, and of the clients, those of OpenAI's package pass them on. */
function mayTellLogprobs(judge: JudgeModel | undefined): boolean {
  if (openerOf(judge)) return (judge as ChatModel).mayTellLogprobs;
  return typeof judge === "object" && "chat" in judge;
}
