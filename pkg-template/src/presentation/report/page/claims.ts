/** The claims and contexts behind a score, as lists: those of RAG metrics, and of claim verification. */

import type { EvaluationResult, ExperimentRow } from "../../../core/records/types.js";
import { shown } from "../../value-text.js";
import { claimsIn, type StoredClaim } from "./claim-marks.js";
import { contextsOf } from "./contexts.js";
import { h } from "./dom.js";
import { gist } from "./values.js";

/** The lists of claims in metadata, with their titles. */
const LISTS = [
  ["claims", "Claims"],
  ["referenceClaims", "Claims of the reference"],
] as const;

/** Lists the claims with their verdicts; those without support are marked. */
export function claimLists({ metadata }: EvaluationResult, outputs: unknown): HTMLElement[] {
  return LISTS.flatMap(([field, title]) => {
    const claims = claimsIn(metadata, field);
    if (!claims.length) return [];
    // Places are those in the outputs.
    const text = field === "claims" && typeof outputs === "string" ? outputs : undefined;
    return h(
      "details",
      { open: true },
      h("summary", {}, title),
      h("ul", {}, ...claims.map((claim) => item(claim, text))),
    );
  });
}

/** A context that a RAG metric has judged. */
interface ShownContext {
  id?: string;
  verdict: 0 | 1;
  reason: string;
  sentences?: { text: string }[];
}

/** Lists the contexts with their verdicts, by rank; those that are not useful are marked. */
export function contextList({ metadata }: EvaluationResult, row: ExperimentRow): HTMLElement | undefined {
  const found: unknown = metadata?.contexts;
  if (!Array.isArray(found) || !found.length || !found.every(isJudged)) return undefined;
  const retrieved = contextsOf(row, found.length);
  const items = found.map(({ id, verdict, reason, sentences }, index) => {
    // Numbers from 1, as in citations.
    const name = shown([`Context ${index + 1}`, ...(typeof id === "string" ? [id] : [])].join(": "));
    return h(
      "li",
      { dir: "auto" },
      verdict ? name : h("mark", {}, name),
      h("p", { class: "quiet" }, verdict ? "Useful" : "Not useful"),
      reason.trim() !== "" && h("p", { dir: "auto", class: "quiet" }, shown(reason)),
      retrieved && h("p", { dir: "auto" }, gist(retrieved[index]?.text) || "The context has no text."),
      ...(Array.isArray(sentences) ? sentences : []).map((sentence) =>
        h("blockquote", { dir: "auto", class: "quiet" }, shown(String(Object(sentence).text ?? ""))),
      ),
    );
  });
  return h("details", { open: true }, h("summary", {}, "Contexts"), h("ul", {}, ...items));
}

function isJudged(one: unknown): one is ShownContext {
  const { verdict, reason } = Object(one) as Partial<ShownContext>;
  return (verdict === 0 || verdict === 1) && typeof reason === "string";
}

function item(stored: StoredClaim, text: string | undefined): HTMLElement {
  const { claim, verdict, verifiedProbability, reason = stored.proof, contexts, start, end } = stored;
  const place = typeof start === "number" && typeof end === "number" ? text?.slice(start, end) : undefined;
  const sentence = place ?? stored.sentence;
  const judged =
    verdict === undefined ? `${verifiedProbability} % supported` : verdict ? "Supported" : "Not supported";
  // Numbers from 1, as in citations.
  const numbers = Array.isArray(contexts)
    ? contexts.map((one) => (typeof one === "number" ? one + 1 : one))
    : [];
  const by = numbers.length ? `by context ${numbers.map(String).join(", ")}` : "";
  return h(
    "li",
    { dir: "auto" },
    verdict === 0 ? h("mark", {}, shown(claim)) : shown(claim),
    h("p", { class: "quiet" }, shown([judged, by].filter(Boolean).join(" "))),
    typeof reason === "string" && h("p", { dir: "auto", class: "quiet" }, shown(reason)),
    typeof sentence === "string" && h("blockquote", { dir: "auto", class: "quiet" }, shown(sentence)),
  );
}
