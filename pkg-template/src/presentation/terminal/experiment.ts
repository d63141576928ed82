/** An experiment as text for the terminal. */

import { typedReading } from "../../core/errors.js";
import { check, checkOptions, type OptionChecks } from "../../core/input/checks.js";
import { counted } from "../../core/input/counted.js";
import { whole } from "../../core/input/counts.js";
import { decimal } from "../../core/number-text.js";
import { checkExperiment } from "../../core/records/check.js";
import type {
  Aggregate,
  Distribution,
  Experiment,
  Interval,
  SummaryResult,
} from "../../core/records/types.js";
import {
  firstVisibleLine,
  LEVELS,
  oneLine,
  truncate,
  visible,
  width,
  wrap,
} from "../../core/terminal-text.js";
import { classMatrix } from "../class-matrix.js";
import { decisionNotes, decisionText } from "../decisions.js";
import {
  costText,
  factsOf,
  intervalTitle,
  isMeanOfBooleans,
  meanText,
  rangeText,
  trueRateText,
} from "../figures.js";
import { exceededBudgets } from "../limits/exceeded-budgets.js";
import { withoutResultsNotes } from "../limits/without-results.js";
import { missingIntervals } from "../missing-intervals.js";
import { READING_OPTIONS, type ReadingOptions } from "../options.js";
import { scalesIn } from "../reading.js";
import { DistinctErrors, failingLines } from "./failing-rows.js";
import { layoutOf, TERMINAL_OPTIONS, type TerminalOptions, type TextLayout } from "./style.js";
import { table } from "./table.js";

/** The options of {@link formatExperiment}. */
export interface FormatOptions extends TerminalOptions, ReadingOptions {
  /** The number of failing rows to show, from 0. Default: 10. */
  maxFailing?: number | undefined;
}

/**
 * Formats an experiment as text for the terminal: the mean and interval of each key, the summary results, the failing rows with
 * their comments, and the errors. Escape sequences in the data become visible, so data cannot control the terminal.
 *
 * A row fails if a score is `false`, or a number that misses the pass mark of its key (`passAt` of `evaluate()`). Experiments of
 * versions that did not record pass marks have the mark 0.5.
 *
 * @throws {@link OpenEvalsError} `invalid_config` for invalid options, `invalid_input` for an invalid experiment.
 *
 * @example
 * ```ts
 * import { type Experiment, formatExperiment } from "openevals-wasm/evaluation";
 *
 * export function print(experiment: Experiment) {
 *   console.log(formatExperiment(experiment, { columns: process.stdout.columns, lowerIsBetter: ["toxicity"] }));
 * }
 * ```
 */
export function formatExperiment(experiment: Experiment, options: FormatOptions = {}): string {
  const read = checkOptions("formatExperiment", options, OPTIONS);
  const layout = layoutOf(read);
  return typedReading("formatExperiment", () => {
    checkExperiment(experiment, "experiment");
    const errors = new DistinctErrors();
    for (const row of experiment.rows) errors.add(row);
    const sections = [
      heading(experiment, layout),
      aggregates(experiment.aggregates, layout),
      summaries(experiment.summaryResults, layout),
      ...experiment.summaryResults.map((result) => matrixLines(result, layout)),
      failingLines(experiment, layout, read.maxFailing ?? 10, scalesIn(experiment, read)),
      errors.lines(layout),
    ];
    return sections
      .filter((lines) => lines.length > 0)
      .map((lines) => `${lines.join("\n")}\n`)
      .join("\n");
  });
}

const OPTIONS: OptionChecks<FormatOptions> = {
  ...TERMINAL_OPTIONS,
  ...READING_OPTIONS,
  maxFailing: check("a number from 0", (count) => count >= 0),
};

function heading(experiment: Experiment, { size, style }: TextLayout) {
  const { experimentName, ignoredFields = [], stopped, unreadableUsage, budget } = experiment;
  const facts = factsOf(experiment).join(" · ");
  const name = truncate(visible(experimentName), size);
  const lines =
    width(name) + 2 + width(facts) <= size
      ? [`${style.bold(name)}  ${style.dim(facts)}`]
      : [style.bold(name), style.dim(facts)];
  const notes = [
    ...(ignoredFields.length ? [`Ignored fields of the rows: ${ignoredFields.join(", ")}`] : []),
    ...Object.entries(unreadableUsage ?? {}).map(
      ([key, count]) => `Invalid token counts in ${counted(count, "result")} of ${key}`,
    ),
    ...(budget?.withoutUsage
      ? [
          `Without token counts, and not counted in the budget: ${counted(budget.withoutUsage, "result")} of judges`,
        ]
      : []),
    ...(budget?.dropped
      ? [
          `The budget includes ${whole(budget.dropped.tokens)} tokens of rows that were run again, which are not in the total above`,
        ]
      : []),
    ...exceededBudgets(experiment),
    ...withoutResultsNotes(experiment),
    ...decisionNotes(experiment),
    ...(stopped ? [`Stopped before the end: ${stopped.message}`] : []),
  ];
  const decisions = wrap(visible(decisionText(experiment) ?? ""), size).filter(Boolean);
  return [...lines, ...decisions, ...notes.flatMap((note) => wrap(visible(note), size)).map(style.yellow)];
}

function aggregates(all: Record<string, Aggregate>, layout: TextLayout): string[] {
  const { style } = layout;
  const rows = Object.entries(all).map(([key, aggregate]) => ({ key, ...aggregate }));
  if (!rows.length) return [];
  const count = (value: number) => (value ? style.yellow : style.dim);
  return table(
    rows,
    [
      { title: "Key", text: ({ key }) => visible(key) },
      { title: "Mean", right: true, text: (row) => meanText(row.mean, row), paint: () => style.bold },
      {
        title: intervalTitle(rows.map(({ interval }) => interval)),
        right: true,
        optional: 2,
        text: (row) => interval(row.interval, isMeanOfBooleans(row)),
        notes: missingIntervals(all).map(visible),
      },
      {
        title: "True rate",
        right: true,
        hidden: rows.every(({ corrected }) => !corrected),
        text: ({ corrected }) => trueRateText(corrected),
      },
      { title: "", optional: 1, text: (row) => bar(row.distribution), paint: () => style.green },
      {
        title: "Tokens",
        right: true,
        optional: 4,
        hidden: rows.every(({ usage }) => !usage),
        text: ({ usage }) => (usage ? whole(usage.inputTokens + usage.outputTokens) : ""),
        paint: () => style.dim,
      },
      {
        title: "Cost",
        right: true,
        optional: 3,
        hidden: rows.every(({ cost }) => !cost),
        text: ({ cost }) => (cost ? costText(cost) : ""),
        paint: () => style.dim,
      },
      { title: "n", right: true, text: ({ count = 0 }) => whole(count), paint: () => style.dim },
      {
        title: "Errors",
        right: true,
        hidden: rows.every(({ errors }) => !errors),
        text: ({ errors = 0 }) => whole(errors),
        paint: ({ errors }) => count(errors),
      },
      {
        title: "Values",
        right: true,
        hidden: rows.every(({ values }) => !values),
        text: ({ values = 0 }) => whole(values),
        paint: () => style.dim,
      },
      {
        title: "N/A",
        right: true,
        hidden: rows.every(({ notApplicable }) => !notApplicable),
        text: ({ notApplicable = 0 }) => whole(notApplicable),
        paint: () => style.dim,
      },
    ],
    layout,
  );
}

const interval = (value: Interval | null | undefined, rate: boolean): string =>
  value ? rangeText(value, rate) : "";

const BAR = 10;

/** The distribution of the scores: the share of `true` as a bar, numbers as a histogram. */
function bar(distribution: Distribution | null): string {
  if (!distribution) return "";
  if (distribution.kind === "boolean") {
    const filled = Math.round((distribution.true / (distribution.true + distribution.false)) * BAR);
    return "█".repeat(filled) + "░".repeat(BAR - filled);
  }
  const { histogram } = distribution;
  const most = Math.max(...histogram.map(({ count }) => count));
  // A column that stands for several bins shows the highest.
  const step = Math.ceil(histogram.length / BAR);
  const columns = Array.from({ length: Math.ceil(histogram.length / step) }, (_, i) =>
    Math.max(...histogram.slice(i * step, (i + 1) * step).map(({ count }) => count)),
  );
  return columns.map((count) => (count ? LEVELS[Math.ceil((count / most) * 8) - 1] : " ")).join("");
}

function summaries(results: readonly SummaryResult[], layout: TextLayout): string[] {
  const { style } = layout;
  if (!results.length) return [];
  const detail = ({ error, comment, value }: SummaryResult) => {
    const matrix = classMatrix(value);
    const shown = matrix ? `${whole(matrix.labels.length)} classes` : oneLine(value);
    return error ? error.message : (comment ?? (value === undefined ? "" : shown));
  };
  return table(
    results,
    [
      { title: "Summary", text: ({ key }) => visible(key) },
      {
        title: "Score",
        right: true,
        text: (result) => (result.error ? "error" : score(result.score)),
        paint: ({ error }) => (error ? style.yellow : style.bold),
      },
      {
        title: intervalTitle(results.map(({ interval }) => interval)),
        right: true,
        hidden: results.every(({ interval }) => !interval),
        text: (result) => interval(result.interval, false),
      },
      {
        title: "",
        shrinks: true,
        hidden: results.every((result) => !detail(result)),
        text: (result) => firstVisibleLine(detail(result)),
        paint: () => style.dim,
      },
    ],
    layout,
  );
}

/** The width of a count. */
const COUNT = 5;

/** A confusion matrix, if it fits. */
function matrixLines({ key, value }: SummaryResult, layout: TextLayout): string[] {
  const found = classMatrix(value);
  if (!found) return [];
  const names = found.labels.map((label) => visible(oneLine(label)));
  const { size, style } = layout;
  const widest = Math.max(...[visible(key), ...names].map(width));
  if (names.reduce((sum, name) => sum + 2 + Math.max(width(name), COUNT), widest) > size) return [];
  return table(
    found.matrix.map((counts, row) => ({ counts, row })),
    [
      { title: visible(key), text: ({ row }) => names[row] ?? "" },
      ...names.map((title, column) => ({
        title,
        right: true,
        text: ({ counts }: { counts: number[] }) => whole(counts[column] ?? 0),
        paint: ({ row }: { row: number }) => (row === column ? style.bold : style.dim),
      })),
    ],
    layout,
  ).concat(style.dim("Rows: reference. Columns: outputs."));
}

function score(value: SummaryResult["score"]): string {
  return typeof value === "number" ? decimal(value) : String(value ?? "–");
}
