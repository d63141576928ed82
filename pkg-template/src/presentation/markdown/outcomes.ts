/** Outcomes of experiments as Markdown, for job summaries and pull request comments. */

import { counted } from "../../core/input/counted.js";
import { whole } from "../../core/input/counts.js";
import { difference, pValue } from "../../core/number-text.js";
import type { Comparison, Experiment } from "../../core/records/types.js";
import {
  columnTitles,
  comparedRange,
  costText,
  factsOf,
  intervalTitle,
  isMeanOfBooleans,
  meanText,
  rangeText,
  trueDifferenceText,
  trueRateText,
} from "../figures.js";
import { unmeasuredShard } from "../limits/nothing-measured.js";
import type { ComparedMatrix } from "../matrix/outcomes.js";
import { missingIntervals } from "../missing-intervals.js";
import type { Outcome } from "../outcome.js";
import {
  failedPart,
  failureText,
  hasUnpaired,
  meansNote,
  ownErrors,
  rowName,
  type ScaleOf,
  scalesIn,
  splitAnswer,
} from "../reading.js";
import { headline } from "../story/headline.js";
import { type ComparedSlice, sliceName, sliceTable } from "../story/slices.js";
import { isWithin, marginText, verdictOf } from "../verdict.js";
import { matrixLines } from "./matrix.js";
import { failing, flips } from "./rows.js";
import { table, text } from "./text.js";

/** The limit for comments on GitHub is 65,536 characters. */
const LONGEST = 65_000;
/** The number of rows shown of each experiment. */
const MAX_ROWS = 10;
/** The number of errors shown of each experiment. */
const MAX_ERRORS = 5;
/** The number of rows named for each error. */
const MAX_NAMES = 5;

/** All outcomes under one heading, each matrix as one table; without rows if it would exceed the limit. */
export function markdownOf(outcomes: readonly Outcome[], matrices: readonly ComparedMatrix[] = []): string {
  const long = document(outcomes, matrices, MAX_ROWS);
  if (long.length <= LONGEST) return long;
  const short = document(outcomes, matrices, 0).slice(0, LONGEST);
  return `${short}\nThe rows are left out because the comment would be too long.\n`;
}

function document(outcomes: readonly Outcome[], matrices: readonly ComparedMatrix[], rows: number): string {
  const bad = outcomes.filter(isBad).length;
  const title = bad
    ? `✗ Evaluations: ${whole(bad)} of ${whole(outcomes.length)} failed`
    : outcomes.some(isUnmeasured)
      ? `⚠ Evaluations finished, but ${outcomes.every(isUnmeasured) ? "nothing was measured" : "some measured nothing"}`
      : outcomes.some(hasErrors)
        ? "⚠ Evaluations passed, but some rows have errors"
        : outcomes.some(hasLimits)
          ? "✓ Evaluations passed"
          : "✓ Evaluations finished, without limits";
  const isCombination = ({ matrix }: Outcome) => matrices.some(({ name }) => name === matrix);
  // The table has everything about combinations without problems.
  const shown = outcomes.filter((one) => !isCombination(one) || isBad(one) || one.comparisons);
  const sections = [
    ...matrices.map((matrix) => matrixLines(matrix).join("\n")),
    ...shown.map((outcome) => section(outcome, rows).join("\n")),
  ];
  return `${[`## ${title}`, ...sections].join("\n\n")}\n`;
}

const hasErrors = ({ experiment }: Outcome): boolean =>
  Object.values(experiment?.aggregates ?? {}).some(({ errors }) => errors > 0);

/** Whether it is a shard without scores, which has not passed. */
const isUnmeasured = ({ experiment }: Outcome): boolean =>
  experiment !== undefined && unmeasuredShard(experiment) !== undefined;

/** Whether scores can fail it. Without limits, only errors can. */
const hasLimits = ({ comparisons, limits }: Outcome): boolean =>
  comparisons !== undefined ||
  (limits !== undefined &&
    (limits.failUnder.size > 0 || limits.failOver.size > 0 || limits.eachAtLeast !== undefined));

const isBad = ({ problems, mistake }: Outcome): boolean => mistake !== undefined || problems.length > 0;

function section(outcome: Outcome, rows: number): string[] {
  const { name, file, experiment, baseline, comparisons, problems, mistake, notes = [] } = outcome;
  const about = experiment ? ` (${factsOf(experiment).join(", ")})` : "";
  const failures = [...problems, ...(mistake === undefined ? [] : [`${file}: ${mistake}`])];
  const parts = [
    [
      `### ${isBad(outcome) ? "✗" : hasErrors(outcome) || isUnmeasured(outcome) ? "⚠" : "✓"} ${text(name)}${about}`,
    ],
    experiment && [`${text(headline({ experiment, comparisons, lowerIsBetter: outcome.lowerIsBetter }))}.`],
    [...failures.map((one) => `- ${text(one)}`), ...notes.map((note) => `- ⚠ ${text(note)}`)],
    experiment && (baseline && comparisons ? compared(outcome, experiment, comparisons) : means(experiment)),
    comparisons && slices(outcome, experiment, comparisons),
    comparisons && summaries(comparisons),
    experiment && rows
      ? comparisons
        ? flips(outcome, experiment, comparisons, rows)
        : failing(outcome, experiment, rows)
      : [],
    experiment && rows ? errors(experiment) : [],
  ];
  return parts.flatMap((lines) => (lines?.length ? [lines.join("\n"), ""] : [])).slice(0, -1);
}

function means({ aggregates }: Experiment): string[] {
  const rows = Object.entries(aggregates).map(([key, aggregate]) => ({ key, ...aggregate }));
  const notes = missingIntervals(aggregates).flatMap((note) => ["", `${text(note)}.`]);
  const lines = table(rows, [
    { title: "Key", cell: ({ key }) => text(key) },
    { title: "Mean", right: true, cell: (row) => meanText(row.mean, row) },
    {
      title: intervalTitle(rows.map(({ interval }) => interval)),
      right: true,
      cell: (row) => (row.interval ? rangeText(row.interval, isMeanOfBooleans(row)) : ""),
    },
    {
      title: "True rate",
      right: true,
      hidden: rows.every(({ corrected }) => !corrected),
      cell: ({ corrected }) => trueRateText(corrected),
    },
    {
      title: "Tokens",
      right: true,
      hidden: rows.every(({ usage }) => !usage),
      cell: ({ usage }) => (usage ? whole(usage.inputTokens + usage.outputTokens) : ""),
    },
    {
      title: "Cost",
      right: true,
      hidden: rows.every(({ cost }) => !cost),
      cell: ({ cost }) => (cost ? costText(cost) : ""),
    },
    { title: "n", right: true, cell: ({ count }) => whole(count) },
    {
      title: "Errors",
      right: true,
      hidden: rows.every(({ errors }) => !errors),
      cell: ({ errors }) => whole(errors),
    },
    {
      title: "Values",
      right: true,
      hidden: rows.every(({ values }) => !values),
      cell: ({ values = 0 }) => whole(values),
    },
    {
      title: "N/A",
      right: true,
      hidden: rows.every(({ notApplicable }) => !notApplicable),
      cell: ({ notApplicable }) => whole(notApplicable),
    },
  ]);
  return [...lines, ...notes];
}

const ICONS: Partial<Record<ReturnType<typeof verdictOf>, string>> = {
  worse: "🔴 **worse**",
  "may be worse by the margin": "🔴 **may be worse by the margin**",
  better: "🟢 better",
  "may differ by the margin": "🔴 **may differ by the margin**",
  "no worse, within the margin": "🟢 no worse, within the margin",
  "worse, but within the margin": "🟡 worse, but within the margin",
};

function verdictText(key: string, comparison: Comparison, scaleOf: ScaleOf): string {
  const verdict = verdictOf(key, comparison, scaleOf);
  return ICONS[verdict] ?? verdict;
}

/** The difference of each key, with its test. */
function compared(
  { baseline, lowerIsBetter }: Outcome,
  experiment: Experiment,
  comparisons: Record<string, Comparison>,
): string[] {
  const { aggregates } = experiment;
  const scaleOf = scalesIn(experiment, { lowerIsBetter });
  const rows = Object.entries(comparisons).flatMap(([key, comparison]) =>
    comparison.isSummary ? [] : [{ key, ...comparison }],
  );
  if (!rows.length) return [];
  const rate = ({ key }: { key: string }) => isMeanOfBooleans(aggregates[key]);
  const titles = columnTitles(rows);
  // Margins that are not kept are among the problems.
  const margins = rows.flatMap((row) =>
    row.margin && isWithin(row.key, row.margin, scaleOf)
      ? (marginText(row.key, row, scaleOf, rate(row)) ?? [])
      : [],
  );
  const notes = [meansNote(rows, "Before and Now"), ...margins].filter(Boolean);
  const lines = table(rows, [
    { title: "Key", cell: ({ key }) => text(key) },
    {
      title: "Before",
      right: true,
      cell: ({ key, means }) => meanText(means.first, baseline?.aggregates[key]),
    },
    { title: "Now", right: true, cell: ({ key, means }) => meanText(means.second, aggregates[key]) },
    {
      title: "Difference",
      right: true,
      cell: (row) => (row.difference === null ? "–" : difference(row.difference, rate(row))),
    },
    {
      title: titles.interval,
      right: true,
      cell: (row) => comparedRange(row, rate(row), titles.isMixed),
    },
    {
      title: titles.p,
      right: true,
      cell: ({ adjustedPValue }) => pValue(adjustedPValue).replace("<", "&lt;"),
    },
    {
      title: "True difference",
      right: true,
      hidden: rows.every(({ corrected }) => !corrected),
      cell: ({ corrected }) => trueDifferenceText(corrected),
    },
    { title: "Pairs", right: true, cell: ({ count }) => whole(count) },
    {
      title: "Clusters",
      right: true,
      hidden: rows.every(({ clusters }) => clusters === undefined),
      cell: ({ clusters = 0 }) => whole(clusters),
    },
    {
      title: "Unpaired",
      right: true,
      hidden: !hasUnpaired(rows),
      cell: ({ unpaired }) => `${whole(unpaired.first)} + ${whole(unpaired.second)}`,
    },
    { title: "Verdict", cell: (row) => verdictText(row.key, row, scaleOf) },
  ]);
  return [...lines, ...notes.flatMap((note) => ["", text(note)])];
}

/** The slices, the worst first. */
function slices(
  { lowerIsBetter }: Outcome,
  experiment: Experiment | undefined,
  comparisons: Record<string, Comparison>,
): string[] {
  const scaleOf = scalesIn(experiment ?? {}, { lowerIsBetter });
  const found = sliceTable(comparisons, scaleOf);
  if (!found) return [];
  const { lines, by, notes } = found;
  const titles = columnTitles(lines);
  const aggregate = ({ key }: ComparedSlice) => experiment?.aggregates[key];
  const shown = table(lines, [
    { title: text(by || "Slice"), cell: (slice) => text(sliceName(slice, by)) },
    {
      title: "Key",
      hidden: new Set(lines.map(({ key }) => key)).size < 2,
      cell: ({ key }) => text(key),
    },
    { title: "Before", right: true, cell: (slice) => meanText(slice.means.first, aggregate(slice)) },
    { title: "Now", right: true, cell: (slice) => meanText(slice.means.second, aggregate(slice)) },
    {
      title: "Difference",
      right: true,
      cell: (slice) =>
        slice.difference === null ? "–" : difference(slice.difference, isMeanOfBooleans(aggregate(slice))),
    },
    {
      title: titles.interval,
      right: true,
      cell: (slice) => comparedRange(slice, isMeanOfBooleans(aggregate(slice)), titles.isMixed),
    },
    {
      title: titles.p,
      right: true,
      cell: ({ adjustedPValue }) => pValue(adjustedPValue).replace("<", "&lt;"),
    },
    { title: "Pairs", right: true, cell: ({ count }) => whole(count) },
    { title: "Verdict", cell: (slice) => verdictText(slice.key, slice, scaleOf) },
  ]);
  return [...(lines.length ? shown : []), ...notes.flatMap((note) => ["", text(note)])];
}

/** The difference of each summary score, which has no test. */
function summaries(comparisons: Record<string, Comparison>): string[] {
  const rows = Object.entries(comparisons).flatMap(([key, comparison]) =>
    comparison.isSummary ? [{ key, ...comparison }] : [],
  );
  if (!rows.length) return [];
  return table(rows, [
    { title: "Summary", cell: ({ key }) => text(key) },
    { title: "Before", right: true, cell: ({ means }) => meanText(means.first, undefined) },
    { title: "Now", right: true, cell: ({ means }) => meanText(means.second, undefined) },
    {
      title: "Difference",
      right: true,
      cell: ({ difference: by }) => (by === null ? "–" : difference(by, false)),
    },
  ]);
}

/** `row a`, `rows a, b`, with the first names. */
function rowsNamed(names: readonly string[]): string {
  const first = names.slice(0, MAX_NAMES).map(text).join(", ");
  return `row${names.length === 1 ? "" : "s"} ${first}${names.length > MAX_NAMES ? ", …" : ""}`;
}

/** The errors, each distinct one once, with the first answer of a judge that it quotes and the names of its first rows. */
function errors({ rows }: Experiment): string[] {
  const groups = new Map<string, { message: string; names: string[] }>();
  for (const row of rows) {
    const own = row.run.error ? [{ key: failedPart(row.run.error), error: row.run.error }] : ownErrors(row);
    for (const { key, error } of own) {
      const message = `${key}: ${failureText(error)}`;
      const { problem } = splitAnswer(message);
      const group = groups.get(problem);
      if (group) group.names.push(rowName(row));
      else groups.set(problem, { message, names: [rowName(row)] });
    }
  }
  const lines = Array.from(
    groups.values(),
    ({ message, names }) => `- ${counted(names.length, "error")} in ${rowsNamed(names)}: ${text(message)}`,
  );
  const more = lines.length - MAX_ERRORS;
  return more > 0 ? [...lines.slice(0, MAX_ERRORS), `- … and ${whole(more)} more`] : lines;
}
