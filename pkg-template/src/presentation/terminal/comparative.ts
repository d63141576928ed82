/** A comparative experiment, as text for the terminal. */

import { typedReading } from "../../core/errors.js";
import { checkOptions } from "../../core/input/checks.js";
import { counted } from "../../core/input/counted.js";
import { whole } from "../../core/input/counts.js";
import { decimal, duration, percent, pValue } from "../../core/number-text.js";
import type {
  ComparativeAggregate,
  ComparativeExperiment,
  ComparedPair,
  Ranked,
} from "../../core/records/comparative.js";
import { isSignificant } from "../../core/records/significance.js";
import { truncate, visible, wrap } from "../../core/terminal-text.js";
import { checkComparative } from "../../experiments/stored/comparative-check.js";
import { columnTitles, rangeText } from "../figures.js";
import { layoutOf, TERMINAL_OPTIONS, type TerminalOptions, type TextLayout } from "./style.js";
import { table } from "./table.js";

/**
 * Formats the result of `evaluateComparative()` as text for the terminal: for each key, the ranking with a plot of the strengths,
 * and the win rate of each pair. With colours, a significant win rate (by its adjusted p) is green or red.
 *
 * @throws {@link OpenEvalsError} `invalid_config` for invalid options, `invalid_input` for an invalid comparative experiment.
 *
 * @example
 * ```ts
 * import { type ComparativeExperiment, formatComparative } from "openevals-wasm/evaluation";
 *
 * export const print = (comparative: ComparativeExperiment) =>
 *   console.log(formatComparative(comparative, { columns: 100, color: true }));
 * ```
 */
export function formatComparative(comparative: ComparativeExperiment, options: TerminalOptions = {}): string {
  const layout = layoutOf(checkOptions("formatComparative", options, TERMINAL_OPTIONS));
  return typedReading("formatComparative", () => {
    checkComparative(comparative);
    return `${linesOf(comparative, layout).join("\n")}\n`;
  });
}

function linesOf(comparative: ComparativeExperiment, layout: TextLayout): string[] {
  const { experimentName, rows, unpaired, aggregates, durationMs, stopped } = comparative;
  const { size, style } = layout;
  const facts = [counted(rows.length, "row"), duration(durationMs)];
  return [
    style.bold(truncate(visible(experimentName), size)),
    style.dim(facts.join(" · ")),
    ...(stopped ? [style.yellow(truncate(`Stopped: ${visible(stopped.message)}`, size))] : []),
    ...(unpaired.length
      ? [style.yellow(`${counted(unpaired.length, "row")} could not be compared between all experiments`)]
      : []),
    ...Object.entries(aggregates).flatMap(([key, aggregate]) => [
      "",
      style.bold(truncate(visible(key), size)),
      ...rankingLines(aggregate, layout),
      "",
      ...pairLines(aggregate, layout),
      ...remarks(aggregate, layout),
    ]),
  ];
}

/** The width of the plot in columns. */
const PLOT = 21;

function rankingLines({ ranking }: ComparativeAggregate, layout: TextLayout): string[] {
  const plotted = plotOf(ranking);
  const rows = ranking.map((one, index) => ({ ...one, place: index + 1 }));
  return table(
    rows,
    [
      { title: "Best first", text: ({ place, name }) => `${place}. ${visible(name)}` },
      {
        title: `${"−".padEnd(PLOT >> 1)}${"0".padEnd(PLOT >> 1)}+`,
        hidden: !plotted,
        text: (one) => plotted?.(one) ?? "",
        optional: 2,
      },
      {
        title: "Strength",
        right: true,
        text: ({ strength }) => (strength === null ? "–" : decimal(strength)),
        paint: () => layout.style.bold,
      },
      {
        title: "Interval",
        right: true,
        optional: 1,
        text: ({ interval }) => (interval ? rangeText(interval, false) : "–"),
      },
      { title: "Win rate", right: true, text: ({ winRate }) => percent(winRate) },
      {
        title: "Compared",
        right: true,
        optional: 3,
        text: ({ count }) => whole(count),
        paint: () => layout.style.dim,
      },
    ],
    layout,
  );
}

/** Strengths as points on their intervals: `  ├──●──┤ `; `undefined` without strengths. */
function plotOf(ranking: readonly Ranked[]): ((one: Ranked) => string) | undefined {
  const ends = ranking.flatMap(({ strength, interval }) =>
    strength === null ? [] : [strength, interval?.low ?? strength, interval?.high ?? strength],
  );
  if (!ends.length) return undefined;
  const most = Math.max(...ends.map(Math.abs), 0.1);
  const at = (value: number) => Math.round(((value + most) / (2 * most)) * (PLOT - 1));
  return ({ strength, interval }) => {
    const cells: string[] = Array.from({ length: PLOT }, (_, cell) => (cell === PLOT >> 1 ? "┊" : " "));
    if (strength === null) return cells.join("");
    if (interval) {
      for (let cell = at(interval.low); cell <= at(interval.high); cell++) cells[cell] = "─";
      cells[at(interval.low)] = "├";
      cells[at(interval.high)] = "┤";
    }
    cells[at(strength)] = "●";
    return cells.join("");
  };
}

function pairLines({ pairs }: ComparativeAggregate, layout: TextLayout): string[] {
  const { style } = layout;
  const titles = columnTitles(pairs);
  const paintOf = (pair: ComparedPair) => {
    const { winRate } = pair;
    if (winRate === null || !isSignificant(pair)) return (text: string) => text;
    return winRate > 0.5 ? style.green : style.red;
  };
  return table(
    pairs,
    [
      { title: "First", text: ({ first }) => visible(first), shrinks: true },
      { title: "Second", text: ({ second }) => visible(second) },
      { title: "Wins", right: true, text: ({ wins }) => whole(wins) },
      { title: "Ties", right: true, text: ({ ties }) => whole(ties) },
      { title: "Losses", right: true, text: ({ losses }) => whole(losses) },
      {
        title: "Clusters",
        right: true,
        hidden: pairs.every(({ clusters }) => clusters === undefined),
        optional: 2,
        text: ({ clusters = 0 }) => whole(clusters),
        paint: () => style.dim,
      },
      {
        title: "Win rate",
        right: true,
        text: ({ winRate }) => (winRate === null ? "–" : percent(winRate)),
        paint: paintOf,
      },
      {
        title: titles.interval,
        right: true,
        optional: 1,
        text: ({ interval }) => (interval ? rangeText(interval, true) : "–"),
      },
      {
        title: titles.p,
        right: true,
        text: ({ adjustedPValue }) => pValue(adjustedPValue),
      },
      {
        title: "Errors",
        right: true,
        hidden: pairs.every(({ errors }) => !errors),
        text: ({ errors }) => whole(errors),
        paint: () => style.yellow,
      },
      {
        title: "Unscored",
        right: true,
        hidden: pairs.every(({ unscored }) => !unscored),
        text: ({ unscored = 0 }) => whole(unscored),
        paint: () => style.yellow,
      },
    ],
    layout,
  );
}

function remarks({ positionBias, ranking }: ComparativeAggregate, { size, style }: TextLayout): string[] {
  const why = ranking.find(({ strength }) => strength === null)?.comment;
  const { value, interval } = positionBias ?? { value: 0, interval: null };
  const within = interval ? ` (${rangeText(interval, false)})` : "";
  return [
    ...(positionBias ? [style.dim(`Position bias ${decimal(value)}${within}`)] : []),
    ...wrap(visible(why ?? ""), size).map(style.dim),
  ];
}
