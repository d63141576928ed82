/** Rows as CSV, with what they cost. */

import { type CsvColumn, csvTable, rowColumns } from "../../csv.js";
import { costText } from "./cost.js";
import type { Item } from "./items.js";

/** The rows with their scores; the columns of a key that all rows leave empty are left out. */
export const csvOf = (items: readonly Item[], keys: readonly string[]): string =>
  csvTable<Item>(
    [
      ...rowColumns(keys).map(([title, cell]): CsvColumn<Item> => [title, ({ row }) => cell(row)]),
      ["input_tokens", ({ bill }) => bill?.inputTokens],
      ["output_tokens", ({ bill }) => bill?.outputTokens],
      ["cost_usd", ({ bill }) => (costText(bill) ? bill?.cost : undefined)],
    ],
    items,
  );
