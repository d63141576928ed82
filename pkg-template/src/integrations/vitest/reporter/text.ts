/** The printed form of an experiment: its totals, its rows, and the changes since the last run. */

import { counted } from "../../../core/input/counted.js";
import { difference, pValue, shortDecimal } from "../../../core/number-text.js";
import { identity, identityOf } from "../../../core/records/row-identity.js";
import { hasValue, scoreOf } from "../../../core/records/score.js";
import type { Comparison, Experiment, ExperimentRow } from "../../../core/records/types.js";
import { firstVisibleLine, visible } from "../../../core/terminal-text.js";
import type { TerminalOptions } from "../../../evaluation.js";
import { formatExperiment } from "../../../evaluation.js";
import { columnTitles, isMeanOfBooleans } from "../../../presentation/figures.js";
import {
  fails,
  failureText,
  ownErrors,
  rowName,
  type ScaleOf,
  scalesIn,
} from "../../../presentation/reading.js";
import { layoutOf, type Paint, type TextLayout } from "../../../presentation/terminal/style.js";
import { table } from "../../../presentation/terminal/table.js";
import { verdictOf } from "../../../presentation/verdict.js";
import type { Evaluated } from "./modules.js";

/** An experiment with the last run and the comparison with it. */
export interface ChangedExperiment extends Evaluated {
  last: Experiment | undefined;
  comparisons: Record<string, Comparison> | undefined;
  /** Why there are none, although there is a last run. */
  mismatch?: string | undefined;
  lowerIsBetter: readonly string[];
}

export function textOf(
  compared: ChangedExperiment,
  terminal: TerminalOptions,
  { maxRows, isCut }: { maxRows: number; isCut: boolean },
): string {
  const { experiment, lowerIsBetter, name } = compared;
  const layout = layoutOf(terminal);
  // Failed rows are in the table below, with details in the failures of their tests.
  const totals = formatExperiment(
    { ...experiment, experimentName: name },
    { ...terminal, lowerIsBetter, maxFailing: 0 },
  );
  const hasTotals = Object.keys(experiment.aggregates).length > 0;
  const sectionCount = 1 + Number(hasTotals) + Number(experiment.summaryResults.length > 0);
  const sections = totals.trimEnd().split("\n\n").slice(0, sectionCount);
  const rowLayout = isCut ? layout : { ...layout, size: Number.POSITIVE_INFINITY };
  const tables = [rowLines(compared, rowLayout, maxRows), changeLines(compared, layout)];
  return `${[...sections, ...tables.filter((lines) => lines.length).map((lines) => lines.join("\n"))].join("\n\n")}\n`;
}

/** The table of rows. If there are too many, failed ones come first. */
function rowLines(
  { experiment, failed, unjudged, comparisons = {}, lowerIsBetter }: ChangedExperiment,
  layout: TextLayout,
  maxRows: number,
): string[] {
  const { style } = layout;
  const scaleOf = scalesIn(experiment, { lowerIsBetter });
  const { rows, aggregates } = experiment;
  const hasFailed = (row: ExperimentRow) => failed.has(identityOf(row));
  const isJudged = (row: ExperimentRow) => !unjudged.has(row.example.id);
  // A limit of a mean, `eachAtLeast` and `not` allow scores that fail.
  const isAllowed = (row: ExperimentRow) =>
    !hasFailed(row) && isJudged(row) && row.evaluationResults.some((result) => fails(result, scaleOf));
  const markOf = (row: ExperimentRow) =>
    hasFailed(row) ? "✗" : isAllowed(row) ? "·" : isJudged(row) ? "✓" : "–";
  const paints: Record<string, Paint> = { "✗": style.red, "✓": style.green };
  const ordered =
    rows.length > maxRows ? [...rows.filter(hasFailed), ...rows.filter((row) => !hasFailed(row))] : rows;
  const drawn = ordered.slice(0, maxRows);
  if (!drawn.length) return [];
  const flippedFrom = new Map(
    Object.entries(comparisons).map(([key, { flipped }]) => [
      key,
      new Map(flipped.map((flip) => [identity(flip.exampleId, flip.repetition), flip.from])),
    ]),
  );
  const score = (row: ExperimentRow, key: string): string => {
    const result = row.evaluationResults.find((candidate) => candidate.key === key);
    if (!result) return row.errors.some((error) => error.key === key) ? "error" : "–";
    const value = scoreOf(result);
    const placeholder = hasValue(result) ? "value" : "n/a";
    const from = flippedFrom.get(key)?.get(identityOf(row));
    return `${from === undefined ? "" : `${brief(from)} → `}${value === undefined ? placeholder : brief(value)}`;
  };
  const hasKeys = Object.keys(aggregates).length > 1;
  const lines = table(
    drawn,
    [
      {
        title: "",
        text: markOf,
        paint: (row) => paints[markOf(row)] ?? style.dim,
        notes: drawn.some(isAllowed) ? ["· A score fails, but the limits allow that."] : [],
      },
      { title: "Row", text: (row) => visible(rowName(row)) },
      ...Object.keys(aggregates).map((key) => ({
        title: visible(key),
        right: true,
        text: (row: ExperimentRow) => score(row, key),
      })),
      {
        title: "Comment",
        shrinks: true,
        hidden: drawn.every((row) => !commentOf(row, scaleOf, hasKeys)),
        text: (row) => commentOf(row, scaleOf, hasKeys),
        paint: () => style.dim,
      },
    ],
    layout,
  );
  const more = rows.length - drawn.length;
  return [...lines, ...(more ? [style.dim(`… and ${counted(more, "more row")}`)] : [])];
}

const brief = (score: number | boolean): string =>
  typeof score === "boolean" ? String(score) : shortDecimal(score);

/** The error of a row, or else the comments of its failing scores, or of its first one. */
function commentOf(row: ExperimentRow, scaleOf: ScaleOf, hasKeys: boolean): string {
  const failure = row.run.error ?? ownErrors(row)[0]?.error;
  if (failure) return firstVisibleLine(failureText(failure));
  const commented = row.evaluationResults.filter(({ comment }) => comment);
  const failing = commented.filter((result) => fails(result, scaleOf));
  return (failing.length ? failing : commented.slice(0, 1))
    .map(({ key, comment = "" }) => `${hasKeys ? `${visible(key)}: ` : ""}${firstVisibleLine(comment)}`)
    .join("; ");
}

/** The changes since the last run, with their p-values. */
function changeLines(
  { comparisons, mismatch, experiment, lowerIsBetter }: ChangedExperiment,
  layout: TextLayout,
): string[] {
  if (mismatch !== undefined) return [visible(`Not compared with the last run: ${mismatch}.`)];
  if (!comparisons) return [];
  const { style } = layout;
  const scaleOf = scalesIn(experiment, { lowerIsBetter });
  // With -t, the keys of other tests have no scores.
  const rows = Object.entries(comparisons)
    .filter(([key]) => Object.hasOwn(experiment.aggregates, key))
    .map(([key, comparison]) => ({ key, comparison, verdict: verdictOf(key, comparison, scaleOf) }));
  if (!rows.length) return [];
  const paints = { better: style.green, worse: style.red };
  return table(
    rows,
    [
      { title: "Since the last run", text: ({ key }) => visible(key) },
      {
        title: "Difference",
        right: true,
        text: ({ key, comparison }) =>
          comparison.difference === null
            ? "–"
            : difference(comparison.difference, isMeanOfBooleans(experiment.aggregates[key])),
      },
      {
        title: columnTitles(rows.map(({ comparison }) => comparison)).p,
        right: true,
        text: ({ comparison: { adjustedPValue } }) => pValue(adjustedPValue),
      },
      { title: "Pairs", right: true, text: ({ comparison }) => String(comparison.count) },
      {
        title: "",
        text: ({ verdict }) => verdict,
        paint: ({ verdict }) => paints[verdict as keyof typeof paints] ?? style.dim,
      },
    ],
    layout,
  );
}
