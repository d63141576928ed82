/** What each evaluation found, as one sees it. */

import type {
  CheckCriteriaResult,
  EvaluationName,
  EvaluationOutput,
  GuidanceResult,
  PreferenceAdherenceResult,
  ToolUsageResult,
  VerifiedClaim,
} from "openevals-wasm/recipes";
import { h } from "../../../shared/dom.js";
import type { ShownScore } from "../../../shared/scores.js";
import { finding, markedText, type Standing } from "../../findings.js";

export const NAMES: Record<EvaluationName, string> = {
  claim_verification: "Claim verification",
  check_criteria: "Criteria",
  preference_adherence: "Preferences",
  tool_usage: "Tool usage",
  guidance: "Guidance",
};

/** The card of an evaluation; without an output, it is under way. */
export function cardOf(name: EvaluationName, output: EvaluationOutput | undefined): HTMLElement {
  const card = h(
    "section",
    { class: "panel recipe", "data-recipe": name, "aria-label": NAMES[name] },
    h("div", { class: "bar" }, h("h2", {}, NAMES[name]), scoreOf(output)),
  );
  if (!output) return card;
  // The feedback is written for a model, and says what the findings say.
  const { error, metadata } = output;
  if (error) card.append(h("p", { class: "problem" }, error.message));
  const details = error ? [] : DETAILS[name](metadata);
  if (details.length) card.append(h("ul", { class: "findings" }, ...details));
  return card;
}

function scoreOf(output: EvaluationOutput | undefined): HTMLElement {
  if (!output) return h("span", { class: "quiet" }, "asking…");
  if (output.error) return h("span", { class: "verdict no" }, "failed");
  if (!output.applicable) return h("span", { class: "quiet" }, "not applicable");
  const kind = output.score >= 80 ? "full" : output.score < 40 ? "none" : "";
  return h(
    "span",
    { class: `measure ${kind}` },
    h("span", { class: "number" }, String(Math.round(output.score))),
  );
}

/** The score for the line of scores. */
export const lineEntry = (name: EvaluationName, output: EvaluationOutput | undefined): ShownScore[] =>
  output && !output.error && output.applicable
    ? [{ key: NAMES[name], score: output.score / 100, text: String(Math.round(output.score)) }]
    : [];

const percent = (value: number): string => `${Math.round(value)}%`;

const DETAILS: Record<EvaluationName, (metadata: Record<string, unknown>) => HTMLElement[]> = {
  check_criteria: (metadata) =>
    ((metadata as Partial<CheckCriteriaResult>).criteriaEvaluations ?? []).map(
      ({ criterion, reasoning, probability }) =>
        finding(probability >= 0.5, criterion, percent(100 * probability), reasoning),
    ),
  preference_adherence: (metadata) =>
    ((metadata as Partial<PreferenceAdherenceResult>).adherenceToPreferences ?? []).map(
      ({ preference, reasoning, determination, adherenceProbability }) =>
        finding(
          determination === "not_applicable" ? undefined : determination === "adhered",
          preference,
          determination === "not_applicable" ? "does not apply" : percent(adherenceProbability),
          reasoning,
        ),
    ),
  tool_usage: (metadata) =>
    ((metadata as Partial<ToolUsageResult>).toolEvaluations ?? []).map(
      ({ toolName, reasoning, probability }) =>
        finding(undefined, toolName, `${percent(probability)} called for`, reasoning),
    ),
  guidance(metadata) {
    const { isInScopeReasoning: scope, reasoning = "" } = metadata as Partial<GuidanceResult>;
    if (!scope) return [];
    const found = [
      finding(undefined, "In scope", percent(scope.isInScopeProbability), scope.inScopeReasoning),
    ];
    return reasoning ? [...found, finding(undefined, "How it was dealt with", "", reasoning)] : found;
  },
  claim_verification: (metadata) => claimsIn(metadata).map(claimOf),
};

export const claimsIn = (metadata: Record<string, unknown>): VerifiedClaim[] =>
  (metadata as { claims?: VerifiedClaim[] }).claims ?? [];

/** As the metrics of claim verification have it, with its usual thresholds. */
const standingOf = ({ verifiedProbability, openDomainProbability }: VerifiedClaim): Standing =>
  verifiedProbability >= 70 ? "supported" : openDomainProbability >= 50 ? "open" : "unsupported";

const STANDINGS: Record<Standing, string> = {
  supported: "✓ supported",
  open: "needs no source",
  unsupported: "✗ not supported",
};

function claimOf(claim: VerifiedClaim): HTMLElement {
  const standing = standingOf(claim);
  const found = finding(
    standing === "open" ? undefined : standing === "supported",
    claim.claim,
    STANDINGS[standing],
    claim.proof || claim.openDomainJustification,
  );
  for (const { sourceId, citedText } of claim.citations)
    found.append(h("blockquote", { dir: "auto" }, h("small", {}, `source ${sourceId}`), citedText));
  return found;
}

/** The answer, with each sentence marked as its claims stand. */
export const highlighted = (answer: string, claims: readonly VerifiedClaim[]): (HTMLElement | string)[] =>
  markedText(
    answer,
    claims.map((claim) => ({
      claim: claim.claim,
      start: claim.startIndex,
      end: claim.endIndex,
      standing: standingOf(claim),
    })),
  );
