/** The tokens that judges used, and their cost if there are prices. */

import { counted, money, whole } from "../../../core/records/numerals.js";
import type { Bill } from "../../../experiments/stored/account.js";
import { costOfBill, Pricing } from "../../prices.js";
import type { ReportData } from "../data.js";
import { breakable, h, shown } from "./dom.js";

/** `12,345 in, 67 out`. */
export const tokenText = ({ inputTokens, outputTokens }: Pick<Bill, "inputTokens" | "outputTokens">) =>
  `${whole(inputTokens)} in, ${whole(outputTokens)} out`;

/** The table of tokens and cost by key. */
export function costs({ experiment, prices }: ReportData): HTMLElement | undefined {
  const pricing = new Pricing(prices);
  const total = pricing.billOfRows(experiment.rows);
  if (!total) return undefined;
  const results = experiment.rows.flatMap(({ evaluationResults }) => evaluationResults);
  const keys = [...new Set(results.map(({ key }) => key))];
  const bills = keys.flatMap((key): [string, Bill][] => {
    const bill = pricing.billOf(results.filter((one) => one.key === key));
    return bill ? [[key, bill]] : [];
  });
  const hasCached = total.cachedInputTokens > 0;
  const columns: [string, (bill: Bill) => string | undefined][] = [
    ["Results", (bill) => whole(bill.results)],
    ["Tokens in", (bill) => whole(bill.inputTokens)],
    ["of which cached", (bill) => (hasCached ? whole(bill.cachedInputTokens) : undefined)],
    ["Tokens out", (bill) => whole(bill.outputTokens)],
    ["Cost", (bill) => costOfBill(bill) ?? "no price"],
    ["per result", (bill) => perResult(bill)],
  ];
  const shownColumns = columns.filter(
    ([title]) =>
      (title !== "of which cached" || hasCached) &&
      (pricing.hasPrices || !/^(?:Cost|per result)$/.test(title)),
  );
  const line = (kind: string, name: (string | Node)[], bill: Bill) =>
    h(
      "tr",
      { class: kind },
      h("th", { scope: "row" }, ...name),
      h("td", { class: "models" }, modelsOf(bill)),
      ...shownColumns.map(([, text]) => h("td", { class: "figure" }, text(bill))),
    );
  return h(
    "section",
    { "aria-labelledby": "costs" },
    h("h2", { id: "costs" }, "Usage of judges"),
    h(
      "div",
      { class: "scroll", tabindex: 0, role: "group", "aria-labelledby": "costs" },
      h(
        "table",
        {},
        h(
          "thead",
          {},
          h(
            "tr",
            {},
            h("th", { scope: "col" }, "Key"),
            h("th", { scope: "col" }, "Models"),
            ...shownColumns.map(([title]) => h("th", { scope: "col", class: "figure" }, title)),
          ),
        ),
        h(
          "tbody",
          {},
          ...bills.map(([key, bill]) => line("", breakable(key), bill)),
          bills.length > 1 && line("total", ["Total"], total),
        ),
      ),
    ),
    ...remarks(total, pricing).map((text) => h("p", { class: "quiet remark" }, text)),
  );
}

const perResult = ({ cost, pricedResults }: Bill): string | undefined =>
  pricedResults ? money(cost / pricedResults) : undefined;

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
    "Failed evaluations report no token usage.",
  ];
}
