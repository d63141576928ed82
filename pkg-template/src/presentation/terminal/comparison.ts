/** A comparison of two experiments, as text for the terminal. */

import { typedReading } from "../../core/errors.js";
import { checkOptions } from "../../core/input/checks.js";
import { whole } from "../../core/input/counts.js";
import { difference, pValue } from "../../core/number-text.js";
import { checkExperiment } from "../../core/records/check.js";
import { differentInputs } from "../../core/records/different-inputs.js";
import type { Comparison, Experiment } from "../../core/records/types.js";
import { truncate, visible, width, wrap } from "../../core/terminal-text.js";
import { columnTitles, comparedRange, isMeanOfBooleans, meanText, trueDifferenceText } from "../figures.js";
import { READING_OPTIONS, type ReadingOptions } from "../options.js";
import { change, hasUnpaired, isLowerBetter, meansNote, type ScaleOf, scalesIn } from "../reading.js";
import { flipName, flipsByRow, isUp } from "../story/flips.js";
import { headline } from "../story/headline.js";
import { sliceName, sliceTable } from "../story/slices.js";
import { marginText } from "../verdict.js";
import { layoutOf, TERMINAL_OPTIONS, type TerminalOptions, type TextLayout } from "./style.js";
import { flow, type TerminalColumn, table } from "./table.js";

/**
 * Formats a comparison as text for the terminal: the verdict in a sentence, the mean of both experiments, the paired difference
 * with its interval and p-value, what each margin shows, the slices with the worst first, the scores of summary evaluators, and the rows whose score changed. A
 * note says how many paired rows have different inputs. With colours, a significant difference (by its adjusted p) is green if it
 * is better and red if it is worse.
 *
 * @param comparisons The result of `compareExperiments(before, after)`.
 * @throws {@link OpenEvalsError} `invalid_config` for invalid options, `invalid_input` for invalid experiments or comparisons.
 *
 * @example
 * ```ts
 * import { compareExperiments, type Experiment, formatComparison } from "openevals-wasm/evaluation";
 *
 * export async function print(before: Experiment, after: Experiment) {
 *   console.log(formatComparison(before, after, await compareExperiments(before, after)));
 * }
 * ```
 */
export function formatComparison(
  before: Experiment,
  after: Experiment,
  comparisons: Record<string, Comparison>,
  options: TerminalOptions & ReadingOptions = {},
): string {
  const read = checkOptions("formatComparison", options, { ...TERMINAL_OPTIONS, ...READING_OPTIONS });
  return typedReading("formatComparison", () => {
    checkExperiment(before, "first experiment");
    checkExperiment(after, "second experiment");
    return sideBySide(before, after, comparisons, read);
  });
}

/** A compared key. */
type ComparedKey = Comparison & { key: string };

function sideBySide(
  before: Experiment,
  after: Experiment,
  comparisons: Record<string, Comparison>,
  options: TerminalOptions & ReadingOptions,
): string {
  const layout = layoutOf(options);
  const { size, style } = layout;
  const all = Object.entries(comparisons).map(([key, comparison]) => ({ key, ...comparison }));
  const [rows, summaries] = [
    all.filter(({ isSummary }) => !isSummary),
    all.filter(({ isSummary }) => isSummary),
  ];
  const title = (label: string, { experimentName }: Experiment) =>
    `${style.dim(label)}${style.bold(truncate(visible(experimentName), size - label.length))}`;
  const verdict = `${headline({ experiment: after, comparisons, lowerIsBetter: options.lowerIsBetter ?? [] })}.`;
  const caveat = differentInputs(before, after)?.note ?? "";
  const heading = [
    title("before  ", before),
    title("after   ", after),
    "",
    ...wrap(visible(verdict), size).map(style.bold),
    ...wrap(visible(caveat), size).filter(Boolean).map(style.yellow),
    "",
  ];
  const scaleOf = scalesIn(after, options);
  const parts = [
    ...(rows.length || !summaries.length ? testedLines(before, after, rows, scaleOf, layout) : []),
    ...wrap(meansNote(rows, "Before and After"), size).filter(Boolean).map(style.dim),
    ...marginLines(rows, after, scaleOf, layout),
    ...sliceLines(comparisons, before, after, scaleOf, layout),
    ...(rows.length && summaries.length ? [""] : []),
    ...(summaries.length ? summaryLines(summaries, layout) : []),
  ];
  return `${[...heading, ...parts, ...rows.flatMap((row) => flipLines(row, scaleOf, layout))].join("\n")}\n`;
}

/** The means, differences and tests. */
function testedLines(
  before: Experiment,
  after: Experiment,
  rows: readonly ComparedKey[],
  scaleOf: ScaleOf,
  layout: TextLayout,
): string[] {
  const { style } = layout;
  return table(
    rows,
    [
      { title: "Key", text: ({ key }) => visible(key) },
      ...comparedColumns(rows, before, after, scaleOf, style),
      {
        title: "True difference",
        right: true,
        hidden: rows.every(({ corrected }) => !corrected),
        text: ({ corrected }) => trueDifferenceText(corrected),
      },
      { title: "Pairs", right: true, optional: 2, text: ({ count }) => whole(count), paint: () => style.dim },
      {
        title: "Clusters",
        right: true,
        hidden: rows.every(({ clusters }) => clusters === undefined),
        text: ({ clusters = 0 }) => whole(clusters),
        paint: () => style.dim,
      },
      {
        title: "Unpaired",
        right: true,
        hidden: !hasUnpaired(rows),
        text: ({ unpaired }) => `${whole(unpaired.first)} + ${whole(unpaired.second)}`,
        paint: () => style.yellow,
      },
      {
        title: "Errors",
        right: true,
        // An error in only one of the experiments makes the row unpaired.
        hidden: !rows.some(({ errors }) => errors.first && errors.second),
        text: ({ errors }) => `${whole(errors.first)} + ${whole(errors.second)}`,
        paint: () => style.yellow,
      },
      { title: "Up", right: true, optional: 3, text: ({ flipped }) => whole(flipped.filter(isUp).length) },
      {
        title: "Down",
        right: true,
        optional: 3,
        text: ({ flipped }) => whole(flipped.length - flipped.filter(isUp).length),
      },
    ],
    layout,
  );
}

/** The columns with the means, the difference, its interval and its p-value, of keys or of slices. */
function comparedColumns<Row extends ComparedKey>(
  rows: readonly Row[],
  before: Experiment,
  after: Experiment,
  scaleOf: ScaleOf,
  style: TextLayout["style"],
): TerminalColumn<Row>[] {
  const titles = columnTitles(rows);
  const paints = { better: style.green, worse: style.red, none: (text: string) => text };
  const isOfBooleans = ({ key }: Row) => isMeanOfBooleans(after.aggregates[key]);
  return [
    { title: "Before", right: true, text: ({ key, means }) => meanText(means.first, before.aggregates[key]) },
    {
      title: "After",
      right: true,
      text: ({ key, means }) => meanText(means.second, after.aggregates[key]),
      paint: () => style.bold,
    },
    {
      title: "Difference",
      right: true,
      text: (row) => (row.difference === null ? "–" : difference(row.difference, isOfBooleans(row))),
      paint: (row) => paints[change(row.key, row, scaleOf) ?? "none"],
    },
    {
      title: titles.interval,
      right: true,
      optional: 1,
      text: (row) => comparedRange(row, isOfBooleans(row), titles.isMixed),
    },
    { title: titles.p, right: true, text: ({ adjustedPValue }) => pValue(adjustedPValue) },
  ];
}

/** What the margins show, a line for each. */
function marginLines(
  rows: readonly ComparedKey[],
  after: Experiment,
  scaleOf: ScaleOf,
  { size }: TextLayout,
): string[] {
  const texts = rows.flatMap(
    (row) => marginText(row.key, row, scaleOf, isMeanOfBooleans(after.aggregates[row.key])) ?? [],
  );
  return texts.length ? ["", ...texts.flatMap((text) => wrap(visible(text), size))] : [];
}

/** The slices, the worst first. */
function sliceLines(
  comparisons: Record<string, Comparison>,
  before: Experiment,
  after: Experiment,
  scaleOf: ScaleOf,
  layout: TextLayout,
): string[] {
  const found = sliceTable(comparisons, scaleOf);
  if (!found) return [];
  const { size, style } = layout;
  const { lines, by, notes } = found;
  const shown = table(
    lines,
    [
      { title: visible(by || "Slice"), text: (slice) => visible(sliceName(slice, by)) },
      {
        title: "Key",
        hidden: new Set(lines.map(({ key }) => key)).size < 2,
        text: ({ key }) => visible(key),
      },
      ...comparedColumns(lines, before, after, scaleOf, style),
      { title: "Pairs", right: true, optional: 2, text: ({ count }) => whole(count), paint: () => style.dim },
      {
        title: "Clusters",
        right: true,
        optional: 2,
        hidden: lines.every(({ clusters }) => clusters === undefined),
        text: ({ clusters = 0 }) => whole(clusters),
        paint: () => style.dim,
      },
    ],
    layout,
  );
  const remarks = notes.flatMap((note) => wrap(visible(note), size)).map(style.dim);
  return ["", ...(lines.length ? shown : []), ...remarks];
}

/** The rows whose score changed. */
function flipLines({ key, flipped }: ComparedKey, scaleOf: ScaleOf, { size, style }: TextLayout): string[] {
  if (!flipped.length) return [];
  const all = flipsByRow(flipped);
  const marks = all.slice(0, MAX_FLIPS).map((flips) => {
    const text = truncate(`${isUp(flips[0]) ? "↑" : "↓"} ${visible(flipName(flips))}`, size - 2);
    return { text, size: width(text) };
  });
  const more = all.length - marks.length;
  const note = isLowerBetter(key, scaleOf) ? ": lower is better" : "";
  return [
    "",
    style.bold(truncate(visible(key), size - note.length)) + style.dim(note),
    ...flow(marks, size - 2).map((line) => `  ${line}`),
    ...(more ? [style.dim(`  … and ${whole(more)} more`)] : []),
  ];
}

/** The scores of summary evaluators, which have no test. */
const summaryLines = (summaries: readonly ComparedKey[], layout: TextLayout): string[] =>
  table(
    summaries,
    [
      { title: "Summary", text: ({ key }) => visible(key) },
      { title: "Before", right: true, text: ({ means }) => meanText(means.first, undefined) },
      {
        title: "After",
        right: true,
        text: ({ means }) => meanText(means.second, undefined),
        paint: () => layout.style.bold,
      },
      {
        title: "Difference",
        right: true,
        text: ({ difference: by }) => (by === null ? "–" : difference(by, false)),
      },
    ],
    layout,
  );

const MAX_FLIPS = 30;
