import { invalidConfig, invalidInput, typedWork } from "../../core/errors.js";
import { checkOptions, readable } from "../../core/input/checks.js";
import { randomOf } from "../../core/input/random.js";
import { scoreBatch } from "../../core/input/rows.js";
import { toText } from "../../core/input/text.js";
import { msSince } from "../../core/platform/elapsed.js";
import { named, traced } from "../../core/tracing/hook.js";
import { allAsked } from "../../evaluators/calls/failed-parts.js";
import { type JudgeMetadata, type JudgeParams, makeJudge } from "../../evaluators/judge/judge.js";
import { moreThanHalf, opinionsOf, verdictOf } from "../../evaluators/judge/vote.js";
import type { JudgeModel } from "../../models/chat/judge-model.js";
import { withAccessOf } from "../../models/chat/providers/check-access.js";
import { PAIRWISE_PROMPT } from "../../models/prompts/pairwise.js";
import { OPTIONS, type PairwiseJudgeOptions } from "./options.js";
import { compareRuns } from "./runs.js";
import type { PairwiseJudge, PairwiseParams, PairwiseResult, PairwiseVote, Side } from "./types.js";
import { commentOf, judgeVerdict, pairwiseMetadata, SCORES, winnerOf } from "./votes.js";

/** The answer of a judge. */
interface PairwiseAnswer {
  verdict: "A" | "B" | "tie";
  reasoning?: string;
}

/** Asks one judge about the outputs in one order. */
type AskJudge = (params: JudgeParams) => Promise<{ answer: PairwiseAnswer; metadata: JudgeMetadata }>;

/**
 * Makes an evaluator that asks one or several judges which of two outputs is better.
 *
 * Each judge sees the outputs twice, as A and B and in reverse order, without their sources. Its verdict counts only if it is the
 * same in both orders; otherwise it is a tie. A judge that always prefers the first output therefore returns ties, and
 * `metadata.positionBias` shows it. With several `judges`, the output that more of them prefer wins.
 *
 * A failure is never a tie: a judge that fails in one order has no verdict. The call rejects if fewer than `quorum` judges have
 * one.
 *
 * @returns An evaluator that takes `{ inputs, outputs: [first, second], referenceOutputs }` and returns
 * `{ key, score, comment, metadata }`. The score is 1 if the first output is better, 0 if the second is, 0.5 for a tie. It also
 * works as an evaluator of `evaluateComparative`. {@link tournament} compares more than two outputs.
 * @throws {@link OpenEvalsError} `invalid_config` for invalid options. The evaluator throws `invalid_input` unless there are two
 * outputs, and the errors of {@link createLLMAsJudge}.
 *
 * @example
 * ```ts
 * import { createPairwiseJudge } from "openevals-wasm/judges";
 *
 * const better = createPairwiseJudge({
 *   prompt: "Which is shorter?\n<output_a>{output_a}</output_a>\n<output_b>{output_b}</output_b>",
 *   judge: ({ messages }) => {
 *     const [a = "", b = ""] = String(messages[0]?.content).match(/(?<=<output_.>).*(?=<)/g) ?? [];
 *     return { verdict: a.length < b.length ? "A" : b.length < a.length ? "B" : "tie", reasoning: "I have counted." };
 *   },
 * });
 * const { score, metadata } = await better({ outputs: ["Yes.", "Yes, of course it is."] });
 * console.log(score, metadata.winner, metadata.positionBias); // 1 first 0
 * ```
 *
 * @example With a model
 * ```ts
 * import { createPairwiseJudge } from "openevals-wasm/judges";
 *
 * const better = createPairwiseJudge({ model: "ollama:llama3.3" });
 * export const compare = (question: string, before: string, after: string) =>
 *   better({ inputs: question, outputs: [before, after] });
 * ```
 */
export function createPairwiseJudge(options: PairwiseJudgeOptions): PairwiseJudge {
  if (readable("createPairwiseJudge", () => Object.hasOwn(Object(options), "samples")))
    throw invalidConfig(
      "samples is not an option of a pairwise judge. To ask a judge several times, list it several times in judges",
    );
  const read = checkOptions("createPairwiseJudge", options, OPTIONS);
  const { feedbackKey = "preference", orders = "both", seed = 0 } = read;
  const asks = judgesOf(read);
  const names = asks.map((_, judge) => `judges[${judge}]`);
  const { quorum = moreThanHalf(asks.length) } = read;
  if (quorum > asks.length)
    throw invalidConfig(
      `quorum is ${quorum}, but there ${asks.length === 1 ? "is 1 judge" : `are ${asks.length}`}`,
    );

  const ordersOf = (params: PairwiseParams): Side[] => {
    if (orders === "both") return ["first", "second"];
    if (orders === "given") return ["first"];
    const { inputs = null, outputs } = params;
    const texts = [
      toText(inputs, "inputs"),
      ...outputs.map((output, index) => toText(output, `outputs[${index}]`)),
    ];
    return [randomOf(seed, ...texts)() < 0.5 ? "first" : "second"];
  };

  const compare = async (params: PairwiseParams): Promise<PairwiseResult> => {
    const { outputs, ...variables } = checkPair(params);
    const started = performance.now();
    const sides = ordersOf(params);
    const [first, second] = outputs;
    const opinions = await opinionsOf(names, async (judge) => {
      const votes = sides.map(async (shownFirst): Promise<PairwiseVote> => {
        const [output_a, output_b] = shownFirst === "first" ? [first, second] : [second, first];
        const { answer, metadata } = await (asks[judge] as AskJudge)({ ...variables, output_a, output_b });
        const { verdict, reasoning: comment } = answer;
        const winner =
          verdict === "tie" ? "tie" : (verdict === "A") === (shownFirst === "first") ? "first" : "second";
        return { judge, shownFirst, winner, ...(comment && { comment }), metadata };
      });
      return judgeVerdict(feedbackKey, await allAsked(votes));
    });
    const failure = asks.length === 1 && opinions[0]?.error;
    if (failure) throw failure;
    const { tally } = await verdictOf(opinions, { rule: "mean", quorum, voters: "judges" });
    const winner = winnerOf(tally.score);
    const metadata = pairwiseMetadata(winner, opinions, msSince(started));
    const comment = commentOf(metadata.votes);
    return { key: feedbackKey, score: SCORES[winner], ...(comment && { comment }), metadata };
  };

  const comparePair = traced("pairwise_judge", compare);
  // LangSmith chooses the calling convention by the number of parameters: this function must have one.
  const evaluate = (params: any): Promise<any> =>
    typedWork("pairwise_judge", async () =>
      Array.isArray(params?.runs) ? compareRuns(comparePair, feedbackKey, params) : comparePair(params),
    );
  const evaluator = Object.assign(named(feedbackKey, evaluate), {
    feedbackKey,
    comparesPairs: true as const,
    batch: (rows: readonly PairwiseParams[]): Promise<PairwiseResult[]> =>
      typedWork("pairwise_judge.batch", () => scoreBatch("pairwise_judge", rows, comparePair)),
  });
  return withAccessOf(evaluator, asks);
}

/** A function for each judge that asks it. */
function judgesOf(options: PairwiseJudgeOptions): AskJudge[] {
  const { prompt = PAIRWISE_PROMPT, model, judge, judges, system, cacheKey, promptCaching } = options;
  const { temperature, structuredOutputMethod, tie = true, useReasoning = true } = options;
  if (judges && (model !== undefined || judge !== undefined))
    throw invalidConfig("judges replaces model and judge; set only one of them");
  const outputSchema = schemaOf(tie, useReasoning);
  const asked: {
    model?: string | undefined;
    judge?: JudgeModel | undefined;
    cacheKey?: string | undefined;
  }[] = judges?.map((one, index) => ({
    ...(typeof one === "string" ? { model: one } : { judge: one }),
    // A function is identified by its cacheKey alone, so judges must not share one.
    cacheKey: cacheKey === undefined ? undefined : `${cacheKey} ${index + 1}`,
  })) ?? [{ model, judge, cacheKey }];
  return asked.map((source) =>
    makeJudge<Awaited<ReturnType<AskJudge>>>(
      { ...source, prompt, system, temperature, structuredOutputMethod, promptCaching, outputSchema },
      { runName: "", resultOf: (answer: PairwiseAnswer, metadata) => ({ answer, metadata }) },
    ),
  );
}

/** The reasoning comes first, so that a model reasons before it decides. */
function schemaOf(tie: boolean, useReasoning: boolean): object {
  const reasoning = {
    type: "string",
    description:
      "The differences between A and B that count by the prompt, weighed against each other, and what follows from them.",
  };
  const verdict = {
    type: "string",
    enum: tie ? ["A", "B", "tie"] : ["A", "B"],
    description: tie
      ? "A if A is better, B if B is better, tie only if neither is better in anything that counts."
      : "A if A is better, B if B is better. There is no tie: if they are close, the one that you would rather hand over.",
  };
  return {
    title: "comparison",
    type: "object",
    properties: useReasoning ? { reasoning, verdict } : { verdict },
    required: useReasoning ? ["reasoning", "verdict"] : ["verdict"],
    additionalProperties: false,
  };
}

function checkPair(params: PairwiseParams): PairwiseParams & { outputs: readonly [unknown, unknown] } {
  const { outputs } = Object(params) as Partial<PairwiseParams>;
  if (!Array.isArray(outputs) || outputs.length !== 2) {
    const got = Array.isArray(outputs) ? `a list of ${outputs.length}` : typeof outputs;
    throw invalidInput(
      `A pairwise judge needs outputs: [first, second], not ${got}; tournament() compares more than two`,
    );
  }
  const missing = Array.from(outputs).findIndex((one) => one == null);
  if (missing >= 0) {
    throw invalidInput(`outputs[${missing}] is ${outputs[missing]}; a pairwise judge needs two outputs`);
  }
  return params as PairwiseParams & { outputs: readonly [unknown, unknown] };
}
