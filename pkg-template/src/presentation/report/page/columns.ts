/** The columns of the table of rows. */

import { whole } from "../../../core/input/counts.js";
import { duration } from "../../../core/number-text.js";
import { scoreOf } from "../../../core/records/score.js";
import { costOfBill } from "../../prices.js";
import { textOf } from "../../value-text.js";
import type { ReportData } from "../data.js";
import { scoreText } from "./details.js";
import { h, minus } from "./dom.js";
import type { Item } from "./items.js";
import { pill } from "./pill.js";
import { labelName, type Value } from "./selection.js";
import { gist } from "./values.js";

export interface ReportColumn {
  title: string;
  value: Value;
  cell: (item: Item) => HTMLElement;
  /** The CSS class. */
  kind: string;
}

const preview = (value: unknown): HTMLElement => h("td", { class: "text", dir: "auto" }, gist(value));

/**
 * All columns that have something to show.
 *
 * @param hasLabels Whether rows are labelled by hand.
 */
export function columnsOf(
  data: ReportData,
  items: readonly Item[],
  keys: readonly string[],
  hasLabels: boolean,
): ReportColumn[] {
  const { rows } = data.experiment;
  const bills = items.flatMap(({ bill }) => bill ?? []);
  const hasCosts = bills.some((bill) => costOfBill(bill) !== undefined);
  const [nameColumn, ...others] = textColumns;
  return [
    nameColumn as ReportColumn,
    ...(hasLabels ? [labelColumn] : []),
    ...others,
    ...(rows.some(({ example }) => example.outputs !== undefined) ? [referenceColumn] : []),
    ...keys.map(scoreColumn),
    ...(hasCosts ? [costColumn] : bills.length ? [tokenColumn] : []),
    // Recorded outputs have no duration.
    ...(rows.some(({ run }) => run.durationMs >= 1) ? [timeColumn] : []),
  ];
}

const textColumns: ReportColumn[] = [
  { title: "Row", kind: "name", value: ({ name }) => name, cell: () => h("td") },
  {
    title: "Inputs",
    kind: "text",
    value: ({ row }) => gist(row.example.inputs),
    cell: ({ row }) => preview(row.example.inputs),
  },
  {
    title: "Outputs",
    kind: "text",
    value: ({ row }) => gist(row.run.outputs),
    cell: ({ row }) =>
      row.run.error
        ? h("td", { class: "text error" }, textOf(row.run.error.message))
        : preview(row.run.outputs),
  },
];

const labelColumn: ReportColumn = {
  title: "Label",
  kind: "label",
  value: (item) => (item.label?.label == null ? undefined : labelName(item)),
  cell(item) {
    const name = labelName(item);
    const note = item.label?.note;
    return h(
      "td",
      { class: `label ${name}`, title: note },
      { pass: "✓ pass", fail: "✗ fail", unlabelled: "–" }[name] ?? name,
      note && h("span", { class: "quiet" }, " note"),
    );
  },
};

const referenceColumn: ReportColumn = {
  title: "Reference",
  kind: "text",
  value: ({ row }) => (row.example.outputs === undefined ? undefined : gist(row.example.outputs)),
  cell: ({ row }) => preview(row.example.outputs),
};

const costColumn: ReportColumn = {
  title: "Cost",
  kind: "figure",
  value: ({ bill }) => (costOfBill(bill) ? bill?.cost : undefined),
  cell: ({ bill }) => h("td", { class: "figure quiet" }, costOfBill(bill) ?? (bill ? "no price" : "–")),
};

const tokenColumn: ReportColumn = {
  title: "Tokens",
  kind: "figure",
  value: ({ bill }) => bill && bill.inputTokens + bill.outputTokens,
  cell: ({ bill }) =>
    h("td", { class: "figure quiet" }, bill ? whole(bill.inputTokens + bill.outputTokens) : "–"),
};

const timeColumn: ReportColumn = {
  title: "Time",
  kind: "figure time",
  value: ({ row }) => row.run.durationMs,
  cell: ({ row }) => h("td", { class: "figure time quiet" }, duration(row.run.durationMs)),
};

const scoreColumn = (key: string): ReportColumn => ({
  title: key,
  kind: "figure",
  value: ({ scores }) => scores.get(key),
  cell(item) {
    const result = item.results.get(key);
    const change = item.flipped.has(key) && item.baseline?.evaluationResults.find((one) => one.key === key);
    if (!result) {
      return item.errors.has(key)
        ? h("td", { class: "figure" }, pill("error", "error"))
        : h("td", { class: "figure quiet" }, "–");
    }
    const text = scoreText(result);
    const before = change && h("span", { class: "quiet" }, `${scoreText(change)} → `);
    if (scoreOf(result) === undefined) return h("td", { class: "figure quiet" }, before, text);
    return h("td", { class: "figure" }, before, pill(item.kindOf(result), minus(text)));
  },
});
