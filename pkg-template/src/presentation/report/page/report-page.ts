/** The page of a report. */

import type { ReportData } from "../data.js";
import { h } from "./dom.js";
import { readRows } from "./items.js";
import { followLinks } from "./links.js";
import { RowsSection } from "./rows.js";
import { topOf } from "./top.js";

const data: ReportData = JSON.parse(document.querySelector("#data")?.textContent ?? "");
const items = readRows(data);
const rows = new RowsSection(data, items);
document.body.append(h("main", {}, ...topOf(data, rows), rows.section));
followLinks(
  () => items,
  (item) => rows.goTo(item),
);
