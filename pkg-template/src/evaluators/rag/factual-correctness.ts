import { check, checkOptions, type OptionChecks, oneOf } from "../../core/input/checks.js";
import { SHARE } from "../../core/scales.js";
import * as bindings from "../../openevals-judges.js";
import { countOf } from "../item-verdicts/comments.js";
import {
  RAG_OPTIONS,
  type RagEvaluator,
  type RagMetric,
  type RagOptions,
  ragEvaluator,
} from "./evaluator.js";
import type { RagRow } from "./row.js";
import type { Claim, JudgedClaim, Steps } from "./steps.js";

/** The score of {@link factualCorrectness}. */
export type CorrectnessMode = "precision" | "recall" | "f";

/** The options of {@link factualCorrectness}. */
export interface FactualCorrectnessOptions extends RagOptions {
  /**
   * The score: `precision` (the share of the answer's claims that the reference supports), `recall` (the share of the
   * reference's claims that the answer supports), or `f` (the default), their weighted harmonic mean.
   */
  mode?: CorrectnessMode | undefined;
  /** How many times as much recall counts as precision in `f`, above 0; 1 by default. */
  beta?: number | undefined;
}

/** The details of a result of {@link factualCorrectness}. */
export type FactualCorrectnessDetails = {
  /** The claims of the answer, judged by the reference. */
  claims: JudgedClaim[];
  /** The claims of the reference, judged by the answer. */
  referenceClaims: JudgedClaim[];
  /** The share of the answer's claims that the reference supports; `null` without claims. */
  precision: number | null;
  /** The share of the reference's claims that the answer supports; `null` without claims. */
  recall: number | null;
};

/** The settings of the metric. */
export interface CorrectnessSettings {
  mode: CorrectnessMode;
  beta: number;
}

/** Compares the claims of the answer and of the reference. */
export async function compareClaims(
  row: RagRow & { answer: string; reference: string },
  steps: Steps,
  { mode, beta }: CorrectnessSettings,
): Promise<{ score: number | undefined; details: FactualCorrectnessDetails }> {
  const { answer, reference, question } = row;
  const [ofAnswer, ofReference] = await Promise.all([
    steps.claims(answer, question, row.claims),
    steps.claims(reference, question, row.referenceClaims),
  ]);
  // The other side is not a retrieved context, so the claims name none.
  const judgedBy = async (text: string, claims: readonly Claim[]) =>
    (await steps.support(claims, [text])).map((claim) => ({ ...claim, contexts: [] }));
  const [claims, referenceClaims] = await Promise.all([
    mode === "recall" ? [] : judgedBy(reference, ofAnswer),
    mode === "precision" ? [] : judgedBy(answer, ofReference),
  ]);
  const shareOf = async (judged: readonly JudgedClaim[]) =>
    judged.length ? steps.mean(judged.map(({ verdict }) => verdict)) : null;
  const [precision, recall] = [await shareOf(claims), await shareOf(referenceClaims)];
  const details = { claims, referenceClaims, precision, recall };
  if (mode === "precision") return { score: precision ?? undefined, details };
  if (mode === "recall") return { score: recall ?? undefined, details };
  if (precision === null && recall === null) return { score: undefined, details };
  // A side without claims has nothing in common with one that makes some.
  const score = await steps.compute(() => bindings.fBeta(precision ?? 0, recall ?? 0, beta));
  return { score, details };
}

export const factualCorrectnessBy = (
  settings: CorrectnessSettings,
): RagMetric<FactualCorrectnessDetails> => ({
  key: "factual_correctness",
  scale: SHARE,
  needs: ["outputs", "referenceOutputs"],
  async score(row, steps) {
    const { score, details } = await compareClaims(row, steps, settings);
    if (score === undefined) {
      const side = { precision: "the answer makes", recall: "the reference makes", f: "neither side makes" };
      const none = settings.mode === "f" ? "any" : "no";
      return { comment: `Not applicable: ${side[settings.mode]} ${none} claims.`, details };
    }
    return { score, comment: correctnessComment(details, settings.mode), details };
  },
});

/** Both shares in words. */
function correctnessComment(
  { claims, referenceClaims }: FactualCorrectnessDetails,
  mode: CorrectnessMode,
): string {
  const share = (judged: readonly JudgedClaim[]) =>
    countOf(judged.filter(({ verdict }) => verdict).length, judged.length, "claim");
  const precision = `The reference supports ${share(claims)} of the answer.`;
  const recall = `The answer supports ${share(referenceClaims)} of the reference.`;
  return { precision, recall, f: `${precision} ${recall}` }[mode];
}

/**
 * Makes an evaluator for factual correctness: how the claims of the answer and of the reference agree. Precision counts
 * the answer's claims that the reference supports, and recall the reference's claims that the answer supports. It needs
 * `outputs` and `referenceOutputs`.
 *
 * A row without claims on both sides is not applicable; without claims on one side, `f` is 0. With `precision` or
 * `recall`, a row is not applicable if that side has no claims.
 *
 * @returns An evaluator whose result is `{ key: "factual_correctness", score, comment, metadata }`, with a score from 0
 * to 1 (best). `metadata` has `claims`, `referenceClaims`, `precision` and `recall`.
 * @throws {@link OpenEvalsError} As {@link faithfulness}.
 *
 * @example
 * ```ts
 * import { factualCorrectness } from "openevals-wasm/rag";
 *
 * const correct = factualCorrectness({ model: "openai:gpt-5.4", mode: "f", beta: 2 });
 * export const score = () =>
 *   correct({ outputs: "It opens at nine.", referenceOutputs: "It opens at nine and closes at six." });
 * ```
 */
export function factualCorrectness(
  options: FactualCorrectnessOptions,
): RagEvaluator<FactualCorrectnessDetails> {
  const { mode = "f", beta = 1, ...read } = checkOptions("factualCorrectness", options, OPTIONS);
  return ragEvaluator(factualCorrectnessBy({ mode, beta }), read);
}

export const aBeta = check("a number above 0", (beta) => Number.isFinite(beta) && beta > 0);

const OPTIONS: OptionChecks<FactualCorrectnessOptions> = {
  mode: oneOf(["precision", "recall", "f"] satisfies CorrectnessMode[]),
  beta: aBeta,
  ...RAG_OPTIONS,
};
