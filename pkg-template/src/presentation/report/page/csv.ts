/** Rows as CSV, with their cost. */

import { type CsvColumn, csvTable, rowColumns } from "../../csv.js";
import { costOfBill } from "../../prices.js";
import type { Item } from "./items.js";

export const csvOf = (items: readonly Item[], keys: readonly string[]): string =>
  csvTable<Item>(
    [
      ...rowColumns(keys).map(([title, cell]): CsvColumn<Item> => [title, ({ row }) => cell(row)]),
      ["input_tokens", ({ bill }) => bill?.inputTokens],
      ["output_tokens", ({ bill }) => bill?.outputTokens],
      ["cost_usd", ({ bill }) => (costOfBill(bill) ? bill?.cost : undefined)],
    ],
    items,
  );
