/** A row of an experiment, in full. */

import { decimal } from "../../core/number-text.js";
import { hasValue, scoreOf } from "../../core/records/score.js";
import type { EvaluationResult, ExperimentRow } from "../../core/records/types.js";
import { visible, wrapLine } from "../../core/terminal-text.js";
import { fails, failureText, ownErrors, resultPasses, rowName, type ScaleOf } from "../reading.js";
import { layoutOf, type TerminalOptions } from "./style.js";

/** Formats a row as text for the terminal: its values, and then each score with its comment. */
export function formatRow(row: ExperimentRow, scaleOf: ScaleOf, options: TerminalOptions): string {
  const { size, style } = layoutOf(options);
  const { example, run, evaluationResults } = row;
  const indented = (text: string) =>
    text
      .split(/\r\n?|\n/)
      .flatMap((line) => wrapLine(visible(line), size - 4).map((part) => `    ${part}`.trimEnd()));
  const field = (name: string, value: unknown) =>
    value === undefined ? [] : [style.dim(name), ...indented(textOf(value))];
  const result = (one: EvaluationResult) => {
    const [mark, paint] = fails(one, scaleOf)
      ? ["✗", style.red]
      : resultPasses(one, scaleOf)
        ? ["✓", style.green]
        : ["·", style.dim];
    return [
      `${paint(mark)} ${visible(one.key)} ${scoreText(one)}`,
      ...(hasValue(one) ? indented(textOf(one.value)) : []),
      ...(one.comment ? indented(one.comment) : []),
    ];
  };
  const lines = [
    ...wrapLine(visible(rowName(row)), size).map(style.bold),
    ...field("inputs", example.inputs),
    ...field("outputs", run.outputs),
    ...field("referenceOutputs", example.outputs),
    ...field("metadata", example.metadata),
    ...field("error", run.error && failureText(run.error)),
    ...evaluationResults.flatMap(result),
    ...ownErrors(row).flatMap(({ key, error }) => [
      `${style.yellow("!")} ${visible(key)}`,
      ...indented(failureText(error)),
    ]),
  ];
  return `${lines.join("\n")}\n`;
}

const textOf = (value: unknown): string =>
  typeof value === "string" ? value : (JSON.stringify(value, null, 2) ?? String(value));

function scoreText(result: EvaluationResult): string {
  const score = scoreOf(result);
  if (score === undefined) return hasValue(result) ? "value" : "n/a";
  return typeof score === "number" ? decimal(score) : String(score);
}
