/** Marks the sentences of claims as supported or unsupported. */

import type { EvaluationResult, ExperimentRow } from "../../../core/records/types.js";
import { readSteps } from "../../steps.js";
import { shown } from "../../value-text.js";
import type { MarkedPart } from "./text-parts.js";

/** A claim of a RAG metric or of claim verification. In files of other tools, its other fields may be anything. */
export interface StoredClaim {
  claim: string;
  verdict?: unknown;
  verifiedProbability?: unknown;
  openDomainProbability?: unknown;
  reason?: unknown;
  proof?: unknown;
  contexts?: unknown;
  start?: unknown;
  end?: unknown;
  startIndex?: unknown;
  endIndex?: unknown;
  sentence?: unknown;
}

/** The judged claims in a field of metadata. */
export function claimsIn(metadata: unknown, field: "claims" | "referenceClaims"): StoredClaim[] {
  const found = (metadata as Record<string, unknown> | undefined)?.[field];
  return (Array.isArray(found) ? found : []).filter(isClaim);
}

function isClaim(value: unknown): value is StoredClaim {
  const { claim, verdict, verifiedProbability } = Object(value) as Partial<StoredClaim>;
  const isJudged = verdict === 0 || verdict === 1 || typeof verifiedProbability === "number";
  return typeof claim === "string" && isJudged;
}

/** A row's results whose claims have places in the outputs or in the reference. */
export const keysWithMarks = ({ evaluationResults, run, example }: ExperimentRow): string[] => [
  ...new Set(
    evaluationResults
      .filter(
        (one) =>
          markedText(one, run.outputs, "claims") || markedText(one, example.outputs, "referenceClaims"),
      )
      .map(({ key }) => key),
  ),
];

/** The text of a side with its claims marked; `undefined` if the text or the places are unknown. */
export function markedText(
  { metadata }: EvaluationResult,
  value: unknown,
  field: "claims" | "referenceClaims",
): MarkedPart[] | undefined {
  const turns = field === "claims" ? metadata?.turns : undefined;
  const texts = Array.isArray(turns) ? answersOf(value) : [textIn(value)];
  const lists = Array.isArray(turns)
    ? turns.map((turn) => claimsIn(Object(turn).metadata, field))
    : [claimsIn(metadata, field)];
  if (texts.length !== lists.length) return undefined;
  const sides = texts.map((text, index) => partsOf(text ?? "", lists[index] ?? []));
  if (!sides.some((parts) => parts.some(([, mark]) => mark))) return undefined;
  return sides.flatMap((parts, index) => [...(index ? [["\n\n", false] as MarkedPart] : []), ...parts]);
}

/** The text that makes the claims: a text, the last answer of messages, or the only text among the fields. */
function textIn(value: unknown): string | undefined {
  if (typeof value === "string") return value;
  if (readSteps(value)) return answersOf(value).at(-1);
  const texts = Object.values(Object(value)).filter((field) => typeof field === "string");
  return texts.length === 1 ? texts[0] : undefined;
}

/** The last answer of each turn that has one. A turn begins with a text of the user. */
function answersOf(value: unknown): string[] {
  const turns: string[] = [];
  let isOpen = false;
  for (const { title, raw } of readSteps(value) ?? []) {
    if (title === "user" && raw) isOpen = false;
    if (title !== "assistant" || !raw.trim()) continue;
    if (isOpen) turns.pop();
    turns.push(raw);
    isOpen = true;
  }
  return turns;
}

/** The meanings of marks, the worst first. */
const KINDS = [
  ["unsupported", "not supported"],
  ["open", "needs no source"],
  ["supported", "supported"],
] as const;

type Kind = (typeof KINDS)[number][0];

/** Claim verification counts a claim as supported from 70 %, and as common knowledge from 50 %. */
function kindOf({ verdict, verifiedProbability, openDomainProbability }: StoredClaim): Kind {
  if (verdict !== undefined) return verdict ? "supported" : "unsupported";
  if (Number(verifiedProbability) >= 70) return "supported";
  return Number(openDomainProbability) >= 50 ? "open" : "unsupported";
}

function partsOf(text: string, claims: readonly StoredClaim[]): MarkedPart[] {
  const placed = claims.flatMap((claim) => {
    const { start = claim.startIndex, end = claim.endIndex } = claim;
    const isPlace = Number.isInteger(start) && Number.isInteger(end);
    const [from, to] = [start as number, end as number];
    return isPlace && from >= 0 && from < to && to <= text.length ? [{ claim, from, to }] : [];
  });
  const parts: MarkedPart[] = [];
  let at = 0;
  for (const start of [...new Set(placed.map(({ from }) => from))].sort((one, other) => one - other)) {
    if (start < at) continue;
    const here = placed.filter(({ from }) => from === start);
    const end = Math.max(...here.map(({ to }) => to));
    const kinds = here.map(({ claim }) => kindOf(claim));
    const [kind, words] = KINDS.find(([one]) => kinds.includes(one)) ?? KINDS[0];
    const title = here.map(({ claim }) => shown(claim.claim)).join("\n");
    parts.push(
      [shown(text.slice(at, start)), false],
      [shown(text.slice(start, end)), { kind, words, title }],
    );
    at = end;
  }
  return [...parts, [shown(text.slice(at)), false]];
}
