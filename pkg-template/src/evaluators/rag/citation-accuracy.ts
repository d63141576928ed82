import { aFunction, checkOptions, type OptionChecks } from "../../core/input/checks.js";
import { SHARE } from "../../core/scales.js";
import { type CitationReader, type CitedClaim, citedClaims } from "./citations.js";
import { supportComment, textsOf } from "./comments.js";
import {
  RAG_OPTIONS,
  type RagEvaluator,
  type RagMetric,
  type RagOptions,
  ragEvaluator,
} from "./evaluator.js";
import type { JudgedClaim, Steps } from "./steps.js";

/** The options of {@link citationAccuracy}. */
export interface CitationAccuracyOptions extends RagOptions {
  /**
   * Returns the citations in a sentence: ids of contexts, or their numbers from 1. By default, they are in brackets:
   * `[1]`, `[2, 3]`, `[doc-7]`, `【4†source】`.
   */
  citations?: CitationReader | undefined;
}

/** A claim with citations. */
export interface JudgedCitation extends JudgedClaim {
  /** The indices of the contexts that its sentence cites. */
  cited: number[];
  /** Citations of contexts that do not exist; such a claim is not supported. */
  unknown: string[];
}

/** The details of a result of {@link citationAccuracy}. */
export type CitationAccuracyDetails = {
  /** The claims with citations. `contexts` are the cited contexts that support the claim. */
  claims: JudgedCitation[];
  /** The claims without citations. */
  uncited: string[];
  /** The share of claims with citations. */
  citedShare: number;
};

const citationAccuracyBy = (reader: CitationReader | undefined): RagMetric<CitationAccuracyDetails> => ({
  key: "citation_accuracy",
  scale: SHARE,
  needs: ["outputs", "context"],
  async score({ answer, question, contexts, claims: givenClaims }, steps) {
    const all = await steps.claims(answer, question, givenClaims);
    if (!all.length) return { comment: "Not applicable: the answer makes no claims." };
    const read = citedClaims(answer, all, contexts, reader);
    const cites = ({ contexts, unknown }: CitedClaim) => contexts.length > 0 || unknown.length > 0;
    const cited = read.filter(cites);
    const uncited = read.filter((claim) => !cites(claim)).map(({ claim }) => claim.claim);
    if (!cited.length) return { comment: "Not applicable: no claim has a citation." };
    const claims = await judgeCitations(cited, textsOf(contexts), steps);
    const details = { claims, uncited, citedShare: cited.length / all.length };
    const score = await steps.mean(claims.map(({ verdict }) => verdict));
    const comment = supportComment(claims, "the cited contexts");
    const others = uncited.length ? ` ${uncited.length} without a citation.` : "";
    return { score, comment: `${comment}${others}`, details };
  },
});

/** Judges claims by the contexts that they cite. Claims that cite the same contexts share questions. */
async function judgeCitations(
  cited: readonly CitedClaim[],
  contexts: readonly string[],
  steps: Steps,
): Promise<JudgedCitation[]> {
  const results: JudgedCitation[] = [];
  const groups = new Map<string, number[]>();
  cited.forEach(({ claim, contexts, unknown }, index) => {
    if (unknown.length) {
      const reason = `The answer cites ${unknown.join(", ")}, which is not in the context.`;
      results[index] = { ...claim, verdict: 0, reason, contexts: [], cited: contexts, unknown };
      return;
    }
    const key = contexts.join();
    groups.set(key, [...(groups.get(key) ?? []), index]);
  });
  const judgeGroup = async (indices: readonly number[]) => {
    const group = indices.map((index) => cited[index] as CitedClaim);
    const sources = group[0]?.contexts ?? [];
    const verdicts = await steps.support(
      group.map(({ claim }) => claim),
      sources.map((source) => contexts[source] as string),
    );
    verdicts.forEach((verdict, position) => {
      const supporting = verdict.contexts.map((local) => sources[local] as number);
      results[indices[position] as number] = {
        ...verdict,
        contexts: supporting,
        cited: sources,
        unknown: [],
      };
    });
  };
  await Promise.all([...groups.values()].map(judgeGroup));
  return results;
}

/**
 * Makes an evaluator for the accuracy of citations: the share of the answer's cited claims that the cited contexts
 * support. It needs `outputs` and `context`. A citation is the `id` of a context, or its number in the list from 1.
 *
 * A claim has the citations of its sentence. One that cites a context that does not exist is not supported. An answer
 * without citations is not applicable; `metadata.citedShare` has the share of claims with citations.
 *
 * @returns An evaluator whose result is `{ key: "citation_accuracy", score, comment, metadata }`, with a score from 0
 * to 1 (best). `metadata.claims` has each cited claim with its verdict, reason and sources.
 * @throws {@link OpenEvalsError} As {@link faithfulness}.
 *
 * @example
 * ```ts
 * import { citationAccuracy } from "openevals-wasm/rag";
 *
 * const accurate = citationAccuracy({
 *   model: "openai:gpt-5.4",
 *   citations: (sentence) => sentence.match(/(?<=\(source )\w+(?=\))/g) ?? [],
 * });
 * export const score = () =>
 *   accurate({
 *     outputs: "The shop opens at nine (source faq).",
 *     context: [{ id: "faq", content: "The shop opens at 9 a.m." }],
 *   });
 * ```
 */
export function citationAccuracy(options: CitationAccuracyOptions): RagEvaluator<CitationAccuracyDetails> {
  const { citations, ...read } = checkOptions("citationAccuracy", options, OPTIONS);
  return ragEvaluator(citationAccuracyBy(citations), read);
}

const OPTIONS: OptionChecks<CitationAccuracyOptions> = { citations: aFunction, ...RAG_OPTIONS };
