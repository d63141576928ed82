/** An experiment as text: a table with a line for each key, then the rows that failed, and why. */

import { typedReading } from "../../../core/errors.js";
import { type Checks, check, checkOptions } from "../../../core/input/checks.js";
import {
  costText,
  counted,
  decimal,
  factsOf,
  figure,
  intervalTitle,
  isRate,
  meanText,
  rangeText,
  whole,
} from "../../../core/records/numerals.js";
import type {
  Aggregate,
  Distribution,
  Experiment,
  Interval,
  SummaryResult,
} from "../../../core/records/types.js";
import { checkExperiment } from "../../stored/check.js";
import { decisionText } from "../decisions.js";
import { READING_OPTIONS, type ReadingOptions } from "../options.js";
import { passedLimits } from "../passed-limits.js";
import { scalesIn } from "../reading.js";
import { ErrorsMet, failingLines } from "./failing-rows.js";
import { type Look, lookOf, TERMINAL_OPTIONS, type TerminalOptions } from "./style.js";
import { table } from "./table.js";
import { firstLine, LEVELS, oneLine, truncate, visible, width, wrap } from "./text.js";

/** The options of {@link formatExperiment}. */
export interface FormatOptions extends TerminalOptions, ReadingOptions {
  /** How many failing rows to show; 10 by default. */
  maxFailing?: number | undefined;
}

/**
 * The experiment as text for a terminal: each key with its mean and interval, the summary results, the rows that failed
 * with their comments, and the errors. Nothing in the data can control the terminal: escape sequences become visible.
 *
 * A row fails with `false`, or a number that misses the pass mark of its key, which the experiment records: see `passAt` of
 * `evaluate()`. In experiments that do not record marks, the mark is one half.
 *
 * @throws {@link OpenEvalsError} `invalid_config` for options that cannot work, `invalid_input` for what is no experiment.
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
  const look = lookOf(read);
  return typedReading("formatExperiment", () => {
    checkExperiment(experiment, "experiment");
    const errors = new ErrorsMet();
    for (const row of experiment.rows) errors.add(row);
    const sections = [
      heading(experiment, look),
      aggregates(experiment.aggregates, look),
      summaries(experiment.summaryResults, look),
      failingLines(experiment, look, read.maxFailing ?? 10, scalesIn(experiment, read)),
      errors.lines(look),
    ];
    return sections
      .filter((lines) => lines.length > 0)
      .map((lines) => `${lines.join("\n")}\n`)
      .join("\n");
  });
}

const OPTIONS: Checks<FormatOptions> = {
  ...TERMINAL_OPTIONS,
  ...READING_OPTIONS,
  maxFailing: check("a number from 0", (count) => count >= 0),
};

function heading(experiment: Experiment, { size, style }: Look) {
  const { experimentName, ignoredFields = [], stopped, unreadableUsage, budget } = experiment;
  const facts = factsOf(experiment).join(" · ");
  const name = truncate(visible(experimentName), size);
  const lines =
    width(name) + 2 + width(facts) <= size
      ? [`${style.bold(name)}  ${style.dim(facts)}`]
      : [style.bold(name), style.dim(facts)];
  const notes = [
    ...(ignoredFields.length ? [`Fields of the rows that nothing reads: ${ignoredFields.join(", ")}`] : []),
    ...Object.entries(unreadableUsage ?? {}).map(
      ([key, count]) =>
        `${counted(count, "result")} of ${key} ${count === 1 ? "tells" : "tell"} tokens that are no counts`,
    ),
    ...(budget?.untold
      ? [
          `${counted(budget.untold, "result")} of judges did not tell tokens, and count for nothing in the budget`,
        ]
      : []),
    ...(budget?.dropped
      ? [
          `The budget has ${whole(budget.dropped.tokens)} tokens of rows that were run again, which are not among those above`,
        ]
      : []),
    ...passedLimits(experiment),
    ...(stopped ? [`Stopped before the end: ${stopped.message}`] : []),
  ];
  const decisions = wrap(visible(decisionText(experiment) ?? ""), size).filter(Boolean);
  return [...lines, ...decisions, ...notes.flatMap((note) => wrap(visible(note), size)).map(style.yellow)];
}

function aggregates(all: Record<string, Aggregate>, look: Look): string[] {
  const { style } = look;
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
        text: (row) => interval(row.interval, isRate(row)),
      },
      {
        title: "True rate",
        right: true,
        hidden: rows.every(({ corrected }) => !corrected),
        text: ({ corrected }) => trueRate(corrected),
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
        title: "N/A",
        right: true,
        hidden: rows.every(({ notApplicable }) => !notApplicable),
        text: ({ notApplicable = 0 }) => whole(notApplicable),
        paint: () => style.dim,
      },
    ],
    look,
  );
}

/** What people would have found, and between which it may well be. */
function trueRate(corrected: Aggregate["corrected"]): string {
  if (corrected?.value == null) return corrected ? "–" : "";
  const { value, interval: within } = corrected;
  return figure(value, true) + (within ? ` (${rangeText(within, true)})` : "");
}

const interval = (value: Interval | null | undefined, rate: boolean): string =>
  value ? rangeText(value, rate) : "";

const BAR = 10;

/** How the scores are distributed: the share of `true` as a bar, numbers as a histogram. */
function bar(distribution: Distribution | null): string {
  if (!distribution) return "";
  if (distribution.kind === "boolean") {
    const filled = Math.round((distribution.true / (distribution.true + distribution.false)) * BAR);
    return "█".repeat(filled) + "░".repeat(BAR - filled);
  }
  const { histogram } = distribution;
  const most = Math.max(...histogram.map(({ count }) => count));
  // Of several bins to a column, the highest is shown.
  const step = Math.ceil(histogram.length / BAR);
  const columns = Array.from({ length: Math.ceil(histogram.length / step) }, (_, i) =>
    Math.max(...histogram.slice(i * step, (i + 1) * step).map(({ count }) => count)),
  );
  return columns.map((count) => (count ? LEVELS[Math.ceil((count / most) * 8) - 1] : " ")).join("");
}

function summaries(results: readonly SummaryResult[], look: Look): string[] {
  const { style } = look;
  if (!results.length) return [];
  const said = ({ error, comment, value }: SummaryResult) =>
    error ? error.message : (comment ?? (value === undefined ? "" : oneLine(value)));
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
        hidden: results.every((result) => !said(result)),
        text: (result) => firstLine(said(result)),
        paint: () => style.dim,
      },
    ],
    look,
  );
}

function score(value: SummaryResult["score"]): string {
  return typeof value === "number" ? decimal(value) : String(value ?? "–");
}
