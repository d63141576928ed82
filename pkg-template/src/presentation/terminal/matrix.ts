/** A matrix of experiments, as text for the terminal. */

import { invalidInput, typedReading } from "../../core/errors.js";
import { checkOptions, type OptionChecks } from "../../core/input/checks.js";
import { whole } from "../../core/input/counts.js";
import { duration, figure } from "../../core/number-text.js";
import { checkExperiment } from "../../core/records/check.js";
import type { ModelPrices } from "../../core/records/prices.js";
import { aTableOfPrices } from "../../core/records/table-of-prices.js";
import type { Experiment, MatrixPair } from "../../core/records/types.js";
import { visible, wrap } from "../../core/terminal-text.js";
import { intervalTitle, rangeText } from "../figures.js";
import { legendOf, MARKS } from "../matrix/marks.js";
import { type MatrixCell, type MatrixLine, matrixTable } from "../matrix/table.js";
import { READING_OPTIONS, type ReadingOptions } from "../options.js";
import { billText } from "../prices.js";
import { DistinctErrors } from "./failing-rows.js";
import { layoutOf, TERMINAL_OPTIONS, type TerminalOptions, type TextLayout } from "./style.js";
import { type TerminalColumn, table } from "./table.js";

/** The options of {@link formatMatrix}. */
export interface FormatMatrixOptions extends TerminalOptions, ReadingOptions {
  /** The prices of the judges' tokens by model. Default: those that the experiments record. */
  prices?: ModelPrices | undefined;
}

const OPTIONS: OptionChecks<FormatMatrixOptions> = {
  ...TERMINAL_OPTIONS,
  ...READING_OPTIONS,
  prices: aTableOfPrices,
};

/**
 * Formats the experiments of a matrix as one table for the terminal, the best mean of the first key first: the mean of each key
 * with its interval, failing rows, and the median time and the judges' cost. `★` marks a combination that is better than all
 * others by more than chance, `▼` a combination that is worse than another by more than chance.
 *
 * @param pairs The result of `compareMatrix(experiments)`.
 * @throws {@link OpenEvalsError} `invalid_config` for invalid options, `invalid_input` for invalid experiments or pairs.
 *
 * @example
 * ```ts
 * import { compareMatrix, type Experiment, formatMatrix } from "openevals-wasm/evaluation";
 *
 * export async function print(experiments: Experiment[]) {
 *   console.log(formatMatrix(experiments, await compareMatrix(experiments), { columns: 100 }));
 * }
 * ```
 */
export function formatMatrix(
  experiments: readonly Experiment[],
  pairs: readonly MatrixPair[],
  options: FormatMatrixOptions = {},
): string {
  const read = checkOptions("formatMatrix", options, OPTIONS);
  return typedReading("formatMatrix", () => {
    for (const [index, one] of experiments.entries()) checkExperiment(one, `experiment ${index + 1}`);
    for (const { first, second } of pairs)
      if (!experiments[first] || !experiments[second])
        throw invalidInput("pairs has to be the result of compareMatrix() of the same experiments");
    const layout = layoutOf(read);
    const { axes, keys, lines, tested, headline } = matrixTable(experiments, pairs, read);
    const errors = new DistinctErrors();
    for (const { rows } of experiments) for (const row of rows) errors.add(row);
    const columns: TerminalColumn<MatrixLine>[] = [
      ...axes.map((title, axis) => ({
        title: visible(title),
        text: ({ labels }: MatrixLine) => visible(labels[axis] ?? ""),
      })),
      ...keys.flatMap(({ key, isRate }, at) => {
        const title = intervalTitle(lines.map(({ cells }) => cells[at]?.interval));
        return keyColumns(key, isRate, { at, title, layout });
      }),
      ...factColumns(lines, layout),
    ];
    const sections = [
      [...wrap(visible(headline), layout.size).map(layout.style.bold), "", ...table(lines, columns, layout)],
      wrap(legendOf(tested), layout.size).map(layout.style.dim),
      errors.lines(layout),
    ];
    return sections
      .filter((part) => part.length > 0)
      .map((part) => `${part.join("\n")}\n`)
      .join("\n");
  });
}

function keyColumns(
  key: string,
  isRate: boolean,
  { at, title, layout: { style } }: { at: number; title: string; layout: TextLayout },
): TerminalColumn<MatrixLine>[] {
  const cellOf = ({ cells }: MatrixLine) => cells[at] as MatrixCell;
  const paints = { best: style.green, worse: style.dim, none: style.bold };
  return [
    {
      title: `${visible(key)}  `,
      right: true,
      text(line) {
        const { mean, standing } = cellOf(line);
        return mean === null ? "–  " : `${figure(mean, isRate)} ${standing ? MARKS[standing] : " "}`;
      },
      paint: (line) => paints[cellOf(line).standing ?? "none"],
    },
    {
      title,
      right: true,
      optional: 3,
      text(line) {
        const { interval } = cellOf(line);
        return interval ? rangeText(interval, isRate) : "";
      },
      paint: () => style.dim,
    },
  ];
}

function factColumns(lines: readonly MatrixLine[], { style }: TextLayout): TerminalColumn<MatrixLine>[] {
  return [
    {
      title: "Failing",
      right: true,
      text: ({ failing, rows }) => `${whole(failing)} of ${whole(rows)}`,
    },
    {
      title: "Errors",
      right: true,
      hidden: lines.every(({ errors }) => !errors),
      text: ({ errors }) => whole(errors),
      paint: () => style.yellow,
    },
    {
      title: "Time",
      right: true,
      optional: 2,
      hidden: lines.every(({ time }) => time < 1),
      text: ({ time }) => duration(time),
      paint: () => style.dim,
    },
    {
      title: "Cost",
      right: true,
      optional: 1,
      hidden: lines.every(({ bill }) => !bill),
      text: ({ bill }) => billText(bill),
      paint: () => style.dim,
    },
  ];
}
