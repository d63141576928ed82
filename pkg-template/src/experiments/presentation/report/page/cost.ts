/** What the judges used, and what it cost where prices were given. */

import { counted, money, whole } from "../../../../core/records/numerals.js";
import type { Bill } from "../../../stored/account.js";
import { Pricing } from "../../prices.js";
import type { ReportData } from "../data.js";
import { breakable, h, shown } from "./dom.js";

/** `$0.42`; with `+` where some of it has no price, and nothing where all of it has none. */
export function costText(bill: Bill | undefined): string | undefined {
  if (!bill || !Object.keys(bill.priced).length) return undefined;
  return Object.keys(bill.unpriced).length ? `${money(bill.cost)} + ?` : money(bill.cost);
}

/** `12,345 in, 67 out`. */
export const tokenText = ({ inputTokens, outputTokens }: Pick<Bill, "inputTokens" | "outputTokens">) =>
  `${whole(inputTokens)} in, ${whole(outputTokens)} out`;

/** The table of what each key used. */
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
    ["of these cached", (bill) => (hasCached ? whole(bill.cachedInputTokens) : undefined)],
    ["Tokens out", (bill) => whole(bill.outputTokens)],
    ["Cost", (bill) => costText(bill) ?? "no price"],
    ["per result", (bill) => perResult(bill)],
  ];
  const shownColumns = columns.filter(
    ([title]) =>
      (title !== "of these cached" || hasCached) &&
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
    h("h2", { id: "costs" }, "What the judges used"),
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
      ? [`${money(recordedCost)} of it is for answers out of the cache, paid when they were recorded.`]
      : []),
    "Evaluations that failed tell no tokens.",
  ];
}
