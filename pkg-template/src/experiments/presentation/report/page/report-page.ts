/** The page of a report: reads the data that it was made with, and draws it. */

import type { ReportData } from "../data.js";
import { cards } from "./cards.js";
import { costs } from "./cost.js";
import { h } from "./dom.js";
import { heading } from "./heading.js";
import { readRows } from "./items.js";
import { rowsSection } from "./rows.js";
import { sideBySide } from "./side-by-side.js";
import { summary } from "./summary-results.js";

const data: ReportData = JSON.parse(document.querySelector("#data")?.textContent ?? "");
const rows = rowsSection(data, readRows(data));
document.body.append(
  h(
    "main",
    {},
    heading(data),
    sideBySide(data),
    cards(data, rows.show),
    summary(data),
    costs(data),
    rows.section,
  ),
);
