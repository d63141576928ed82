/** Which users reach their goals in which tasks: the conversations of `runSimulations`. */

import { whole } from "../../../core/input/counts.js";
import { rowsByExample } from "../../../core/records/rows-by-example.js";
import type { ExperimentRow } from "../../../core/records/types.js";
import { type ScaleOf, scalesIn } from "../../reading.js";
import { statusOf } from "../../story/row-status.js";
import type { ReportData } from "../data.js";
import { breakable, h } from "./dom.js";
import { addressOf } from "./links.js";
import { scrollable, table } from "./tables.js";

/** A larger table is unreadable and slow. */
const MAX_CELLS = 2500;

/** A row for each user and a column for each task, with the conversations that pass. */
export function simulations(data: ReportData): HTMLElement | undefined {
  const names = simulatedNames(data.experiment.metadata);
  if (!names) return undefined;
  const { users, tasks } = names;
  const conversations = rowsByExample(data.experiment.rows);
  const scaleOf = scalesIn(data.experiment, data);
  const heads = [
    h("td"),
    ...tasks.map((task) => h("th", { scope: "col", class: "figure" }, ...breakable(task))),
  ];
  const lines = users.map((user) =>
    h(
      "tr",
      {},
      h("th", { scope: "row", dir: "auto" }, ...breakable(user)),
      ...tasks.map((task) => cell(conversations.get(`${user}/${task}`) ?? [], scaleOf)),
    ),
  );
  return h(
    "section",
    { "aria-labelledby": "simulations" },
    h("h2", { id: "simulations" }, "Users and tasks"),
    scrollable({ "aria-labelledby": "simulations" }, table("heat", heads, lines)),
    // Not a caption, whose line would make a small table wider than a phone.
    h("p", { class: "quiet remark" }, "Conversations that pass. Rows: users. Columns: tasks."),
  );
}

/** A darker cell has a larger share of conversations that do not pass. Its link leads to one of these. */
function cell(rows: readonly ExperimentRow[], scaleOf: ScaleOf): HTMLElement {
  const judged = rows.filter((row) => statusOf(row, scaleOf) !== "unjudged");
  const lost = judged.filter((row) => statusOf(row, scaleOf) !== "passes");
  const shown = lost[0] ?? judged[0];
  if (!shown) return h("td", { class: "figure quiet" }, "–");
  const text = `${whole(judged.length - lost.length)} of ${whole(judged.length)}`;
  const element = h("td", { class: "figure wrong" }, h("a", { href: addressOf(shown) }, text));
  element.style.setProperty("--share", `${Math.round((lost.length / judged.length) * 45)}%`);
  return element;
}

/** The names that `runSimulations` records, if they fit into a table. */
export function simulatedNames(metadata: unknown): { users: string[]; tasks: string[] } | undefined {
  const { users, tasks } = Object(Object(metadata).simulations) as { users?: unknown; tasks?: unknown };
  return isNames(users) && isNames(tasks) && users.length * tasks.length <= MAX_CELLS
    ? { users, tasks }
    : undefined;
}

const isNames = (value: unknown): value is string[] =>
  Array.isArray(value) && value.length > 0 && value.every((name) => typeof name === "string");
