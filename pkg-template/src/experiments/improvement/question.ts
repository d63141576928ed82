/** The rows that the proposing model sees: training rows, never held-out rows. */

import { identityOf } from "../../core/records/row-identity.js";
import type { CalibrationColumns } from "../calibration/columns.js";
import type { Trial } from "./trial.js";

/** The number of rows of each kind. */
const DISAGREEMENTS = 16;
const AGREEMENTS = 8;
/** The largest number of characters of a text and of a row; the rest is cut. */
const MAX_TEXT_LENGTH = 2_000;
const MAX_ROW_LENGTH = 8_000;

/** A proposal that was tried before. `reason` must reveal nothing about the held-out rows, except that the prompt was not better there. */
export interface Tried {
  prompt: string | null;
  reason: string;
}

export function questionOf(
  best: Trial,
  {
    round,
    variables,
    most,
    tried,
  }: { round: number; variables: string[]; most: number; tried: readonly Tried[] },
): Record<string, string> {
  const differs = best.observed.list.filter((one) => lossOf(best, one) > 0);
  const agrees = best.observed.list.filter((one) => lossOf(best, one) === 0);
  const listOf = (list: readonly Observed[]) => `[\n${list.map((one) => caseOf(best, one)).join(",\n")}\n]`;
  return {
    variables: variables.map((name) => `{${name}}`).join(", "),
    most: String(most),
    prompt: best.prompt,
    disagreements: listOf(rotated(differs, DISAGREEMENTS, round)),
    agreements: listOf(rotated(interleaved(agrees), AGREEMENTS, round)),
    ...triedBefore(tried),
  };
}

/** The last proposals; `{}` without any. */
export function triedBefore(tried: readonly Tried[]): { tried?: string } {
  if (!tried.length) return {};
  const last = tried.slice(-3).map(({ prompt, reason }) => ({ ...(prompt !== null && { prompt }), reason }));
  return { tried: JSON.stringify(last, cut, 1).slice(0, 4 * MAX_ROW_LENGTH) };
}

type Observed = CalibrationColumns["observations"][number];

const lossOf = ({ losses }: Trial, { row }: Observed): number => losses.get(identityOf(row))?.loss ?? 0;

/** The first `most` elements, starting elsewhere each round, so that the model sees other rows. */
function rotated<T>(list: readonly T[], most: number, round: number): T[] {
  const begin = list.length > most ? ((round - 1) * most) % list.length : 0;
  return [...list.slice(begin), ...list.slice(0, begin)].slice(0, most);
}

/** Interleaves the rows of each label. */
function interleaved(list: readonly Observed[]): Observed[] {
  const byLabel = new Map<string, Observed[]>();
  for (const one of list) {
    const label = JSON.stringify(one.label);
    byLabel.set(label, [...(byLabel.get(label) ?? []), one]);
  }
  const lists = [...byLabel.values()];
  return list.flatMap((_, index) => lists.flatMap((ofLabel) => ofLabel[index] ?? []));
}

function caseOf({ shown }: Trial, { row, result, verdict, label }: Observed): string {
  const { comment } = result;
  const answers = { verdict, label, ...(comment && { comment }) };
  return `{"row": ${shortJson(shown.get(row.example.id))},\n ${JSON.stringify(answers, cut).slice(1)}`;
}

/** A value as JSON, with long texts cut. If it is still too long, the beginning of that as a JSON string. */
export function shortJson(value: unknown): string {
  const text = JSON.stringify(value, cut, 1) ?? "null";
  return text.length > MAX_ROW_LENGTH ? JSON.stringify(cutText(text, MAX_ROW_LENGTH)) : text;
}

const cut = (_: string, value: unknown): unknown =>
  typeof value === "string" && value.length > MAX_TEXT_LENGTH ? cutText(value, MAX_TEXT_LENGTH) : value;

const cutText = (text: string, most: number): string =>
  `${text.slice(0, most)}… (${text.length - most} more characters)`;
