/** The budget of the judges of a command, and its estimate. */

import { counted } from "../../core/input/counted.js";
import { whole } from "../../core/input/counts.js";
import { money } from "../../core/number-text.js";
import type { BudgetLimit } from "../../core/records/types.js";
import { visible } from "../../core/terminal-text.js";
import type { BudgetOptions, ExperimentEstimate, Progress } from "../../evaluation.js";
import { optionName, type Values } from "./arguments/options.js";
import { pricesOf } from "./arguments/reading-options.js";
import type { BUDGET } from "./arguments/shared-options.js";
import { usageError } from "./cli-error.js";
import { isMcpChild, sendProgress } from "./mcp/mcp-child.js";
import { listInJson } from "./output/json-result.js";
import { print } from "./output/streams.js";
import { say } from "./output/terminal.js";

type BudgetFlags = Values<typeof BUDGET>;

/**
 * The budget as options of `evaluate()`. Limits of the command replace those of a definition. In a call of the MCP server, the
 * lower one counts.
 */
export async function budgetOf(
  { prices, maxCost, maxTokens, maxDuration }: BudgetFlags,
  own: BudgetOptions = {},
): Promise<BudgetOptions> {
  if (maxCost !== undefined && prices === undefined && !own.prices)
    throw usageError("--max-cost needs --prices, a file with the prices of tokens");
  const limit = (name: BudgetLimit, given: number | undefined) => {
    const both = [own[name], given].filter((value) => value !== undefined);
    return given === undefined ? {} : { [name]: isMcpChild() ? Math.min(...both) : given };
  };
  return {
    ...own,
    ...(prices !== undefined && { prices: await pricesOf(prices) }),
    ...limit("maxCost", maxCost),
    ...limit("maxTokens", maxTokens),
    ...limit("maxDurationMs", maxDuration),
  };
}

/** The kind of estimate that was asked for, if any. */
export const requestedEstimate = ({
  estimate,
  estimateRows,
}: BudgetFlags): true | { rows: number } | undefined =>
  estimateRows !== undefined ? { rows: estimateRows } : estimate || undefined;

/** Options that need results, which an estimate does not have. */
const NEED_RESULTS = [
  ...["output", "resume", "format", "junit", "github", "comment", "report", "history", "baseline"],
  ...["failUnder", "failOver", "maxErrors", "eachAtLeast", "maxUnpaired", "margin", "watch"],
];

/** Rejects options that cannot be combined with an estimate. */
export function checkEstimate(options: BudgetFlags & object): void {
  const { estimate, estimateRows } = options;
  if (!estimate && estimateRows === undefined) return;
  if (estimate && estimateRows !== undefined)
    throw usageError("--estimate calls no model and --estimate-rows runs rows; use one of the two");
  const isGiven = (value: unknown) =>
    value instanceof Map ? value.size > 0 : value !== undefined && value !== false;
  const other = NEED_RESULTS.find((name) => isGiven((options as Record<string, unknown>)[name]));
  if (other === undefined) return;
  const flag = estimate ? "estimate" : "estimateRows";
  throw usageError(
    `--${optionName(flag)} produces no results, so --${optionName(other)} has no effect; remove one of the two`,
  );
}

/**
 * Sends the progress to the MCP server, and reports once that the time is up while rows are still running. On a terminal, the
 * display of the progress shows that.
 */
export class ProgressReporter {
  #isReported = process.stderr.isTTY === true;
  #recorded: number | undefined;
  #done: number | undefined;

  readonly report = (progress: Progress): void => {
    sendProgress(progress);
    this.#recorded ??= progress.done;
    this.#done = progress.done;
    const { overtime } = progress;
    if (!overtime || this.#isReported) return;
    this.#isReported = true;
    say(
      `The time is up; waiting for ${counted(overtime, "row")} that ${overtime === 1 ? "is" : "are"} still running`,
    );
  };

  /** Whether no row was run, since a file has all of them. */
  get hasRunNothing(): boolean {
    return this.#done === this.#recorded;
  }
}

/** Prints an estimate, and adds it to the result of `--json`. */
export function showEstimate(name: string, estimate: ExperimentEstimate): void {
  listInJson("estimates", { name, ...estimate });
  print(estimateText(name, estimate));
}

/** An estimate as lines of text. */
function estimateText(name: string, estimate: ExperimentEstimate): string {
  const { rows, measured, questions, inputTokens, outputTokens, cost, unpriced, ...rest } = estimate;
  const { unknown, assumptions, spent } = rest;
  const between = ({ low, high }: { low: number; high: number }, text: (figure: number) => string) =>
    text(low) === text(high) ? text(low) : `${text(low)} to ${text(high)}`;
  const modelLabel = (model: string) => model || "an unnamed model";
  const lines = [
    `${name}  ${counted(rows, "row")}, ${whole(measured)} measured`,
    `Questions   ${between(questions, whole)}`,
    `Tokens in   ${between(inputTokens, whole)}`,
    `Tokens out  ${between(outputTokens, whole)}`,
    ...(cost ? [`Cost        ${unpriced && !cost.high ? "no price" : between(cost, money)}`] : []),
    ...(unpriced
      ? [`Not in the cost, since these have no price: ${unpriced.map(modelLabel).join(", ")}.`]
      : []),
    ...(unknown.length
      ? [`Not in the estimate: ${unknown.join(", ")}. Evaluators that ask no model use no tokens.`]
      : []),
    ...assumptions,
    ...(spent?.cost
      ? [`The estimate itself cost ${money(spent.cost.total - (spent.cost.recorded ?? 0))}.`]
      : []),
  ];
  return lines.map((line) => `${visible(line)}\n`).join("");
}
