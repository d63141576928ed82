/** The tokens that judges used, and their cost if there are prices. */

import { counted } from "../../../core/input/counted.js";
import { whole } from "../../../core/input/counts.js";
import { money } from "../../../core/number-text.js";
import { type Bill, chargesOf } from "../../../experiments/stored/account.js";
import { costOfBill, Pricing } from "../../prices.js";
import { shown } from "../../value-text.js";
import type { ReportData } from "../data.js";
import { breakable, h } from "./dom.js";
import { scrollable, table } from "./tables.js";

/** `12,345 in, 67 out`. */
export const tokenText = ({ inputTokens, outputTokens }: Pick<Bill, "inputTokens" | "outputTokens">) =>
  `${whole(inputTokens)} in, ${whole(outputTokens)} out`;

/** The heading of a column, and its cell for a bill. */
type Column = [heading: string, cell: (bill: Bill) => string | undefined];

const CACHED: Column = ["of which cached", ({ cachedInputTokens }) => whole(cachedInputTokens)];

const COST: readonly Column[] = [
  ["Cost", (bill) => costOfBill(bill) ?? "no price"],
  ["per evaluation", ({ cost, pricedResults }) => (pricedResults ? money(cost / pricedResults) : undefined)],
];

/** The table of tokens and cost by key. */
export function costs({ experiment, prices }: ReportData): HTMLElement | undefined {
  const pricing = new Pricing(prices);
  const total = pricing.billOfRows(experiment.rows);
  if (!total) return undefined;
  const charges = experiment.rows.flatMap(chargesOf);
  const keys = [...new Set(charges.map(({ key }) => key))];
  const bills = keys.flatMap((key): [string, Bill][] => {
    const bill = pricing.billOf(charges.filter((one) => one.key === key));
    return bill ? [[key, bill]] : [];
  });
  const columns: Column[] = [
    ["Evaluations", ({ results }) => whole(results)],
    ["Tokens in", ({ inputTokens }) => whole(inputTokens)],
    ...(total.cachedInputTokens ? [CACHED] : []),
    ["Tokens out", ({ outputTokens }) => whole(outputTokens)],
    ...(pricing.hasPrices ? COST : []),
  ];
  const line = (kind: string, name: (string | Node)[], bill: Bill) =>
    h(
      "tr",
      { class: kind },
      h("th", { scope: "row" }, ...name),
      h("td", { class: "models" }, modelsOf(bill)),
      ...columns.map(([, cell]) => h("td", { class: "figure" }, cell(bill))),
    );
  const heads = [
    h("th", { scope: "col" }, "Key"),
    h("th", { scope: "col" }, "Models"),
    ...columns.map(([heading]) => h("th", { scope: "col", class: "figure" }, heading)),
  ];
  const lines = [
    ...bills.map(([key, bill]) => line("", breakable(key), bill)),
    bills.length > 1 && line("total", ["Total"], total),
  ];
  return h(
    "section",
    { "aria-labelledby": "costs" },
    h("h2", { id: "costs" }, "Usage of judges"),
    scrollable({ "aria-labelledby": "costs" }, table(undefined, heads, lines)),
    ...remarks(total, pricing).map((text) => h("p", { class: "quiet remark" }, text)),
  );
}

const modelsOf = ({ priced, unpriced }: Bill): string =>
  [...Object.keys(priced), ...Object.keys(unpriced)].map(modelName).sort().join(", ");

const modelName = (name: string): string => (name ? shown(name) : "a model without a name");

function remarks({ unpriced, recordedCost }: Bill, { hasPrices }: Pricing): string[] {
  const without = Object.entries(unpriced).map(
    ([model, count]) => `${modelName(model)} (${counted(count, "result")})`,
  );
  return [
    ...(hasPrices && without.length ? [`Without a price, and not in the cost: ${without.join(", ")}.`] : []),
    ...(recordedCost
      ? [`${money(recordedCost)} of the cost is for cached answers, paid when they were recorded.`]
      : []),
    "Answers that a judge could not use count as well.",
  ];
}
