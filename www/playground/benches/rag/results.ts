/** What the metrics found: scores, claims in the answer, and what each context bore. */

import type { JudgedClaim, RagResult, Verdict } from "openevals-wasm/rag";
import { h } from "../../../shared/dom.js";
import type { ShownScore } from "../../../shared/scores.js";
import { finding, type PlacedClaim } from "../../findings.js";

const NAMES: Record<string, string> = {
  faithfulness: "Faithfulness",
  context_precision: "Context precision",
  context_recall: "Context recall",
  context_entity_recall: "Context entity recall",
  context_relevance: "Context relevance",
  factual_correctness: "Factual correctness",
};

/** The metrics before they are scored. */
export const PENDING: ShownScore[] = Object.entries(NAMES).map(([key, name]) => ({ key, name }));

export const scoresOf = (results: readonly RagResult[]): ShownScore[] =>
  results.map(({ key, score, comment }) => ({
    key,
    name: NAMES[key] ?? key,
    // The claims and contexts are shown below.
    ...(score === null ? { comment } : { score }),
  }));

const listIn = <T>(results: readonly RagResult[], key: string, field: string): T[] =>
  (results.find((result) => result.key === key)?.metadata[field] ?? []) as T[];

/** The claims of the answer, judged by the contexts. */
export const answerClaims = (results: readonly RagResult[]): JudgedClaim[] =>
  listIn(results, "faithfulness", "claims");

/** The places of claims in the answer. */
export const placesOf = (claims: readonly JudgedClaim[]): PlacedClaim[] =>
  claims.flatMap(({ claim, verdict, start, end }) =>
    start === undefined || end === undefined
      ? []
      : { claim, start, end, standing: verdict ? "supported" : "unsupported" },
  );

/** The list of claims, each with its number. */
export const claimList = (claims: readonly JudgedClaim[]): HTMLElement[] =>
  claims.map(({ claim, verdict, reason, contexts }, index) => {
    const by = contexts.map((context) => context + 1).join(", ");
    const figure = verdict ? `✓ context ${by}` : "✗ not supported";
    return finding(verdict === 1, `${index + 1}. ${claim}`, figure, reason);
  });

/** The contexts in their order, each with the numbers of the claims that it supports. Without results, they are pending. */
export function contextList(contexts: readonly string[], results: readonly RagResult[]): HTMLElement[] {
  const useful = listIn<Verdict>(results, "context_precision", "contexts");
  const relevant = listIn<Verdict>(results, "context_relevance", "contexts");
  const claims = answerClaims(results);
  return contexts.map((text, index) => {
    const bears = claims.flatMap((claim, number) => (claim.contexts.includes(index) ? number + 1 : []));
    const facts = [
      useful[index] && (useful[index].verdict ? "useful" : "not useful"),
      relevant[index] && (relevant[index].verdict ? "serves the question" : "does not serve the question"),
    ];
    const support = bears.length
      ? `supports claim${bears[1] ? "s" : ""} ${bears.join(", ")}`
      : "supports no claim";
    return h(
      "li",
      { class: bears.length ? "bears" : "" },
      h(
        "div",
        { class: "head" },
        h("span", { class: "quiet" }, `Context ${index + 1}`),
        h("span", { class: bears.length ? "verdict yes" : "quiet" }, results.length ? support : "…"),
      ),
      h("blockquote", { dir: "auto" }, text),
      h("p", {}, facts.filter(Boolean).join(" · ") || "…"),
    );
  });
}
