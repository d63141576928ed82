/** Downloads of the rows that are shown. */

import { counted } from "../../../core/input/counted.js";
import type { ReportData } from "../data.js";
import { csvOf } from "./csv.js";
import { h } from "./dom.js";
import { download, experimentWith, fileName } from "./download.js";
import type { Item } from "./items.js";

/** What a table shows at the time of the download. */
export interface ShownRows {
  data: ReportData;
  items: readonly Item[];
  selected: readonly Item[];
  keys: readonly string[];
}

/** The buttons for CSV and JSON. */
export function rowDownloads(read: () => ShownRows): HTMLElement[] {
  return [save("CSV", () => saveCsv(read())), save("JSON", () => saveJson(read()))];
}

const save = (kind: string, onclick: () => void) =>
  h(
    "button",
    { type: "button", class: "link", title: "The rows that are shown", onclick },
    `Download ${kind}`,
  );

function saveCsv(shown: ShownRows) {
  // Without a byte order mark, spreadsheets do not read UTF-8.
  download(`${savedName(shown)}.csv`, "text/csv;charset=utf-8", `\ufeff${csvOf(shown.selected, shown.keys)}`);
}

function saveJson(shown: ShownRows) {
  const { experiment } = shown.data;
  const rows = shown.selected.map(({ row }) => row);
  const saved = isAll(shown) ? experiment : experimentWith(experiment, rows);
  download(`${savedName(shown)}.json`, "application/json", `${JSON.stringify(saved)}\n`);
}

function savedName(shown: ShownRows): string {
  const count = counted(shown.selected.length, "row").replaceAll(/[ ,]/g, "-");
  return fileName(shown.data.experiment.experimentName) + (isAll(shown) ? "" : `-${count}`);
}

const isAll = ({ selected, items }: ShownRows) => selected.length === items.length;
