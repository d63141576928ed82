/** The details of a row, shown when it is opened. */

import { decimal, duration } from "../../../core/number-text.js";
import { hasValue, scoreOf } from "../../../core/records/score.js";
import type { EvaluationResult, ExperimentRow } from "../../../core/records/types.js";
import type { Bill } from "../../../experiments/stored/account.js";
import { labelOf } from "../../matrix/axes.js";
import { costOfBill, Pricing } from "../../prices.js";
import { ownErrors } from "../../reading.js";
import { shown, textOf } from "../../value-text.js";
import type { ReportData } from "../data.js";
import { claimLists, contextList } from "./claims.js";
import { tokenText } from "./cost.js";
import { breakable, h, minus, readable } from "./dom.js";
import { copied, testCase } from "./download.js";
import { failure } from "./failure.js";
import type { Item } from "./items.js";
import { addressOf } from "./links.js";
import { outputsOf, panes } from "./panes.js";
import { pill } from "./pill.js";
import { scrollable, table } from "./tables.js";
import { longText, MAX_TEXT_LENGTH } from "./text-parts.js";

/** @param more A button among those below the row. */
export function details(item: Item, data: ReportData, more?: HTMLElement): HTMLElement {
  const { row, between } = item;
  const others = data.between.map(({ experiment }, index) => ({
    name: labelOf(experiment),
    row: between[index],
  }));
  return h(
    "div",
    { class: "details" },
    ...panes(item),
    others.some((one) => one.row) &&
      inBetween(data.matrix ? "Outputs of the other combinations" : "Outputs in between", others),
    row.evaluationResults.length > 0 &&
      scrollable({ "aria-label": `Results of ${item.name}` }, resultTable(item, new Pricing(data.prices))),
    ...ownErrors(row).map(({ key, error }) =>
      h("section", {}, h("h3", {}, ...breakable(key)), failure(error)),
    ),
    metadataOf(row),
    h("p", { class: "quiet" }, facts(row)),
    tools(row, more),
  );
}

function resultTable(item: Item, pricing: Pricing): HTMLTableElement {
  const { row, baseline, flipped, bill } = item;
  const scores = baseline ? ["Before", "After"] : ["Score"];
  const heads = [
    h("th", { scope: "col" }, "Key"),
    ...scores.map((head) => h("th", { scope: "col", class: "figure" }, head)),
    bill && h("th", { scope: "col", class: "figure used" }, "Used"),
    h("th", { scope: "col" }, "Comment"),
  ];
  const lines = row.evaluationResults.map((result) => {
    const before = baseline?.evaluationResults.find(({ key }) => key === result.key);
    return h(
      "tr",
      { class: flipped.has(result.key) && "flipped" },
      h("th", { scope: "row" }, ...breakable(result.key)),
      baseline && h("td", { class: "figure" }, before ? scoreText(before) : "–"),
      h("td", { class: "figure" }, scorePill(result, item)),
      bill && h("td", { class: "figure used" }, ...used(pricing.billOf([result]))),
      h("td", {}, comment(result, row), before && flipped.has(result.key) && earlier(before, baseline)),
    );
  });
  return table("results", heads, lines);
}

/** The comment on the score of the baseline, with its claims and contexts. */
function earlier(result: EvaluationResult, row: ExperimentRow | undefined): HTMLElement | undefined {
  const { comment: text, metadata } = result;
  if (!row || !(text || metadata)) return undefined;
  return h("details", {}, h("summary", {}, `Why it was ${scoreText(result)} before`), comment(result, row));
}

const scorePill = (result: EvaluationResult, { kindOf }: Item): string | HTMLElement =>
  scoreOf(result) === undefined ? scoreText(result) : pill(kindOf(result), scoreText(result));

/** The outputs of other experiments. */
function inBetween(
  title: string,
  others: readonly { name: string; row: ExperimentRow | undefined }[],
): HTMLElement {
  const shownOthers = others.flatMap(({ name, row }) => (row ? [{ name, row }] : []));
  return h(
    "details",
    { class: "between" },
    h("summary", {}, `${title} (${shownOthers.length})`),
    h(
      "div",
      { class: "panes" },
      ...shownOthers.map(({ name, row }) =>
        h(
          "section",
          {},
          h("h3", {}, ...breakable(name)),
          outputsOf(row),
          h(
            "p",
            { class: "quiet" },
            row.evaluationResults.map((one) => `${shown(one.key)} ${scoreText(one)}`).join(" · "),
          ),
        ),
      ),
    ),
  );
}

function used(bill: Bill | undefined): (string | HTMLElement | undefined)[] {
  if (!bill) return ["–"];
  const cost = costOfBill(bill);
  return [cost && `${cost} `, h("span", { class: "quiet" }, tokenText(bill))];
}

function tools(row: ExperimentRow, more: HTMLElement | undefined): HTMLElement {
  const status = h("span", { role: "status", class: "quiet" });
  const onclick = async () => {
    const isCopied = await copied(testCase(row));
    status.textContent = isCopied
      ? "Copied as a line of JSON for a data file."
      : "This browser does not allow copying.";
  };
  return h(
    "p",
    { class: "toolbar" },
    more,
    h("button", { type: "button", onclick }, "Copy as a test case"),
    h("a", { href: addressOf(row) }, "Link to this row"),
    status,
  );
}

function facts({ run }: Item["row"]): string {
  const time = new Date(run.startTime);
  const started = Number.isNaN(time.getTime()) ? "–" : time.toISOString().slice(0, 19).replace("T", " ");
  return [`Started ${started} UTC`, `took ${duration(run.durationMs)}`, `run ${shown(run.id)}`].join(" · ");
}

/** The metadata as pairs. The contexts have a pane. */
function metadataOf({ example }: Item["row"]): HTMLElement | undefined {
  const { context: _, ...metadata } = example.metadata ?? {};
  const pairs = Object.entries(metadata);
  if (!pairs.length) return undefined;
  return h(
    "ul",
    { class: "metadata quiet", "aria-label": "Metadata" },
    ...pairs.map(([name, value]) =>
      h("li", { dir: "auto" }, `${shown(name)}: ${readable(value).slice(0, MAX_TEXT_LENGTH)}`),
    ),
  );
}

function comment(result: EvaluationResult, row: ExperimentRow): HTMLElement {
  const { comment, value, metadata } = result;
  return h(
    "div",
    {},
    comment && prose(shown(comment)),
    value != null && longText(textOf(value, 2)),
    ...claimLists(result, row.run.outputs),
    contextList(result, row),
    metadata &&
      Object.keys(metadata).length > 0 &&
      h("details", {}, h("summary", {}, "Metadata"), longText(textOf(metadata, 2))),
  );
}

const prose = (text: string): HTMLElement =>
  text.length > MAX_TEXT_LENGTH ? longText(text) : h("p", { dir: "auto", class: "prose" }, text);

/** A score as text. */
export function scoreText(result: EvaluationResult): string {
  const score = scoreOf(result);
  if (score === undefined) return hasValue(result) ? "value" : "n/a";
  return typeof score === "number" ? minus(decimal(score)) : String(score);
}
