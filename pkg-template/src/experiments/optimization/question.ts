/** The rows that the proposing model sees: training rows, never held-out rows. */

import { shuffled } from "../../core/input/random.js";
import { shortJson, type Tried, triedBefore } from "../improvement/question.js";
import { longestFor } from "../improvement/refusal.js";
import { type Candidate, isImperfect, meanOf, type ScoredRow } from "./candidate.js";

/** The number of rows of each kind. */
const WEAK = 8;
const GOOD = 4;

/** Draws rows of a candidate to show: weak ones, and some that are good. */
export function drawRows({ rows }: Candidate, random: () => number): ScoredRow[] {
  const all = shuffled([...rows.values()], random);
  const good = all.filter((scored) => !isImperfect(scored) && meanOf(scored) !== undefined);
  return [...all.filter(isImperfect).slice(0, WEAK), ...good.slice(0, GOOD)];
}

export function questionOf(
  { prompt }: Candidate,
  shown: readonly ScoredRow[],
  tried: readonly Tried[],
): Record<string, string> {
  const listed = (rows: readonly ScoredRow[]) => `[\n${rows.map(shownAs).join(",\n")}\n]`;
  const variables = applicationVariables(prompt);
  return {
    variables: variables.map((name) => `{${name}}`).join(", ") || "none",
    most: String(longestFor(prompt)),
    prompt,
    weak: listed(shown.filter(isImperfect)),
    good: listed(shown.filter((scored) => !isImperfect(scored))),
    ...triedBefore(tried),
  };
}

function shownAs({ row, scores, lost }: ScoredRow): string {
  const { example, run, evaluationResults, errors } = row;
  const comments = evaluationResults.flatMap(({ key, comment }) => (comment ? [[key, comment]] : []));
  const messages = [...new Set([run.error?.message, ...errors.map(({ error }) => error.message)])];
  const failures = messages.filter((message) => message !== undefined);
  return shortJson({
    inputs: example.inputs,
    ...(run.outputs !== undefined && { outputs: run.outputs }),
    ...(example.outputs !== undefined && { expected: example.outputs }),
    scores: Object.fromEntries([...scores, ...lost.map((key) => [key, null])]),
    ...(comments.length && { comments: Object.fromEntries(comments) }),
    ...(failures.length && { errors: failures }),
  });
}

/** The variables of an application's prompt: names in single or double braces, whatever fills them in. */
export const applicationVariables = (prompt: string): string[] => [
  ...new Set(
    Array.from(
      prompt.matchAll(/\{([A-Za-z_][\w.]*)\}|\{\{\s*([A-Za-z_][\w.]*)\s*\}\}/g),
      ([, one, two]) => (one ?? two) as string,
    ),
  ),
];
