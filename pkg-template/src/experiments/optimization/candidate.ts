/** The scores of the application with one prompt. */

import { invalidConfig, invalidInput } from "../../core/errors.js";
import { show } from "../../core/input/checks.js";
import { hasError } from "../../core/records/row-error.js";
import { scoreOf } from "../../core/records/score.js";
import type { Experiment, ExperimentRow } from "../../core/records/types.js";
import { VERDICT } from "../../core/scales.js";
import type { ScoreScale } from "../../core/types.js";
import type { Target } from "../evaluate/target.js";
import type { Loss, Losses } from "../improvement/compare.js";

/** A row with its scores from 0 (worst) to 1 (best), by key. */
export interface ScoredRow {
  row: ExperimentRow;
  scores: ReadonlyMap<string, number>;
  /** The keys that have a score with the given prompt, but none with this one. */
  lost: readonly string[];
  /** Whether the application or an evaluator failed on it, or it has lost a score. */
  isFailed: boolean;
}

/** The application with a prompt. */
export interface PromptedTarget {
  prompt: string;
  target: Target;
}

/** A prompt that was tried. */
export interface Candidate extends PromptedTarget {
  /** The round of its proposal; 0 for the given prompt. */
  round: number;
  /** By the id of the example. */
  rows: ReadonlyMap<string, ScoredRow>;
}

/**
 * Reads the rows of an experiment.
 *
 * @param given The rows with the given prompt. A row that has lost one of their scores counts as failed: a prompt must not
 * improve by what can no longer be measured.
 */
export function scoredRows(
  { rows, scales = {} }: Experiment,
  given?: ReadonlyMap<string, ScoredRow>,
): Map<string, ScoredRow> {
  return new Map(
    rows.map((row) => {
      const scores = new Map<string, number>();
      for (const result of row.evaluationResults) {
        const score = scoreOf(result);
        if (score !== undefined)
          scores.set(result.key, shareOf(result.key, score, scales[result.key] ?? VERDICT));
      }
      const { id } = row.example;
      const lost = [...(given?.get(id)?.scores.keys() ?? [])].filter((key) => !scores.has(key));
      const isFailed = lost.length > 0 || hasError(row);
      return [id, { row, scores, lost, isFailed }];
    }),
  );
}

/** A score as a number from 0 to 1, where 1 is best. */
function shareOf(key: string, score: number | boolean, { min = 0, max = 1, direction }: ScoreScale): number {
  if (!direction) {
    throw invalidConfig(
      `${key} has no direction: neither high nor low scores are better. Leave its evaluator out, or add ${key} to lowerIsBetter if low scores are better`,
    );
  }
  const share = typeof score === "boolean" ? Number(score) : (score - min) / (max - min);
  if (!(share >= 0 && share <= 1)) {
    throw invalidInput(
      `${key} scored ${show(score)}, which is outside its range, ${min} to ${max}. Declare the range of its scores: scale = { min, max, direction }`,
    );
  }
  return direction === "lower" ? 1 - share : share;
}

/** The mean score of a row; `undefined` for a row that failed, and without scores. */
export function meanOf({ scores, isFailed }: ScoredRow): number | undefined {
  if (isFailed || !scores.size) return undefined;
  let sum = 0;
  for (const score of scores.values()) sum += score;
  return sum / scores.size;
}

export function lossesOf(rows: Iterable<ScoredRow>): Losses {
  const losses = new Map<string, Loss>();
  for (const scored of rows) {
    const { id: exampleId } = scored.row.example;
    const mean = meanOf(scored);
    if (mean !== undefined) losses.set(exampleId, { exampleId, loss: 1 - mean });
  }
  return losses;
}

/** The losses with two prompts, by the keys that a row has scores of with both: a key that only one has is neither gain nor loss. */
export function pairedLosses(from: Iterable<ScoredRow>, to: Iterable<ScoredRow>): [Losses, Losses] {
  const byId = (rows: Iterable<ScoredRow>) =>
    new Map(Array.from(rows, (scored) => [scored.row.example.id, scored]));
  const [first, second] = [byId(from), byId(to)];
  const inBoth = (scored: ScoredRow, others: ReadonlyMap<string, ScoredRow>): ScoredRow => {
    const other = others.get(scored.row.example.id);
    if (!other || other.isFailed) return scored;
    return { ...scored, scores: new Map([...scored.scores].filter(([key]) => other.scores.has(key))) };
  };
  return [
    lossesOf(Array.from(first.values(), (scored) => inBoth(scored, second))),
    lossesOf(Array.from(second.values(), (scored) => inBoth(scored, first))),
  ];
}

/** The mean score over all rows. Rows that failed count as 0; those without scores do not count. */
export function scoreOfAll({ rows }: Candidate): number {
  const counted = [...rows.values()].filter(({ scores, isFailed }) => isFailed || scores.size);
  return counted.reduce((sum, scored) => sum + (meanOf(scored) ?? 0), 0) / Math.max(counted.length, 1);
}

/** Whether something about the row can be improved. */
export const isImperfect = (scored: ScoredRow): boolean => scored.isFailed || (meanOf(scored) ?? 1) < 1;
