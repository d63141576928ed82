/** What the judges of a command may use, and what they would use. */

import { counted, money, whole } from "../../core/records/numerals.js";
import type { ExperimentEstimate } from "../../experiments/evaluate/budget/estimate-types.js";
import type { BudgetOptions } from "../../experiments/evaluate/budget/options.js";
import type { Progress } from "../../experiments/evaluate/options.js";
import { visible } from "../../experiments/presentation/terminal/text.js";
import { wrong } from "./mistake.js";
import { type Values, written } from "./options.js";
import { pricesOf } from "./reading.js";
import type { BUDGET } from "./shared-options.js";
import { process } from "./streams.js";
import { say } from "./terminal.js";

type Given = Values<typeof BUDGET>;

/** The options of `evaluate()` that were given. */
export async function budgetOf({ prices, maxCost, maxTokens, maxDuration }: Given): Promise<BudgetOptions> {
  return {
    ...(prices !== undefined && { prices: await pricesOf(prices) }),
    ...(maxCost !== undefined && { maxCost }),
    ...(maxTokens !== undefined && { maxTokens }),
    ...(maxDuration !== undefined && { maxDurationMs: maxDuration }),
  };
}

/** What kind of estimate is wanted, if one is. */
export const estimateOf = ({ estimate, estimateRows }: Given): true | { rows: number } | undefined =>
  estimateRows !== undefined ? { rows: estimateRows } : estimate || undefined;

/** What is made of results, or continues them: an estimate has none. */
const OF_RESULTS = [
  ...["output", "resume", "format", "junit", "github", "comment", "report", "history", "baseline"],
  ...["failUnder", "failOver", "maxErrors", "eachAtLeast", "maxUnpaired", "margin", "watch"],
];

/** Refuses what does not go with an estimate. */
export function checkEstimate(options: Given & object): void {
  const { estimate, estimateRows } = options;
  if (!estimate && estimateRows === undefined) return;
  if (estimate && estimateRows !== undefined)
    throw wrong("--estimate asks nobody, and --estimate-rows runs rows; give one of them");
  const isGiven = (value: unknown) =>
    value instanceof Map ? value.size > 0 : value !== undefined && value !== false;
  const other = OF_RESULTS.find((name) => isGiven((options as Record<string, unknown>)[name]));
  if (other === undefined) return;
  const own = estimate ? "estimate" : "estimateRows";
  throw wrong(`--${written(own)} has no results, so that --${written(other)} has nothing to do`);
}

/** Says on standard error, where no terminal shows it, that the time is over and rows are still under way. */
export function tellingOvertime(): (progress: Progress) => void {
  let isTold = process.stderr.isTTY === true;
  return ({ overtime }) => {
    if (!overtime || isTold) return;
    isTold = true;
    say(`The time is over, and ${counted(overtime, "row")} still under way; waiting for what was begun`);
  };
}

/** An estimate as lines of text. */
export function estimateText(name: string, estimate: ExperimentEstimate): string {
  const { rows, measured, questions, inputTokens, outputTokens, cost, unpriced, ...rest } = estimate;
  const { unknown, assumptions, spent } = rest;
  const between = ({ low, high }: { low: number; high: number }, text: (figure: number) => string) =>
    text(low) === text(high) ? text(low) : `${text(low)} to ${text(high)}`;
  const nameless = (model: string) => model || "a model without a name";
  const lines = [
    `${name}  ${counted(rows, "row")}, ${whole(measured)} measured`,
    `Questions   ${between(questions, whole)}`,
    `Tokens in   ${between(inputTokens, whole)}`,
    `Tokens out  ${between(outputTokens, whole)}`,
    ...(cost ? [`Cost        ${unpriced && !cost.high ? "no price" : between(cost, money)}`] : []),
    ...(unpriced ? [`Without a price, and not in the cost: ${unpriced.map(nameless).join(", ")}.`] : []),
    ...(unknown.length
      ? [`Nothing is known of what these use, who may ask nobody: ${unknown.join(", ")}.`]
      : []),
    ...assumptions,
    ...(spent?.cost
      ? [`The estimate has cost ${money(spent.cost.total - (spent.cost.recorded ?? 0))}.`]
      : []),
  ];
  return lines.map((line) => `${visible(line)}\n`).join("");
}
