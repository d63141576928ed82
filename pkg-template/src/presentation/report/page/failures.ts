/** The failures: the examples with failing scores, and the distinct errors. */

import { firstLine } from "../../../core/input/first-line.js";
import { counted, whole } from "../../../core/records/numerals.js";
import type { ExperimentRow } from "../../../core/records/types.js";
import { failedPart, failureText, ownErrors, rowName, scalesIn } from "../../reading.js";
import { type FailingExample, failingExamples } from "../../story/failures.js";
import type { ReportData } from "../data.js";
import type { Show } from "./cards.js";
import { breakable, h, minus, shown, textOf } from "./dom.js";
import { addressOf } from "./links.js";
import { pill } from "./pill.js";
import { gist } from "./values.js";

/** The number of examples, and of errors, that are shown. */
const MAX_SHOWN = 5;

export function failures(data: ReportData, show: Show): HTMLElement | undefined {
  const { rows } = data.experiment;
  const examples = failingExamples(rows, scalesIn(data.experiment, data));
  const errors = distinctErrors(rows);
  if (!examples.length && !errors.length) return undefined;
  return h(
    "section",
    { "aria-labelledby": "failures" },
    h("h2", { id: "failures" }, "Failures"),
    h(
      "ul",
      { class: "failures" },
      ...examples.slice(0, MAX_SHOWN).map(failing),
      ...errors.slice(0, MAX_SHOWN).map(failed),
    ),
    h(
      "p",
      { class: "toolbar" },
      examples.length > MAX_SHOWN &&
        all(`All ${whole(examples.length)} failing examples`, () => show("failing", "")),
      errors.length > MAX_SHOWN && all(`All ${whole(errors.length)} errors`, () => show("errors", "")),
    ),
  );
}

const all = (text: string, onclick: () => void) =>
  h("button", { type: "button", class: "link", onclick }, text);

function failing({ row, runs, passing, keys }: FailingExample): HTMLElement {
  const comment = keys.find((one) => one.comment)?.comment;
  return h(
    "li",
    {},
    h(
      "p",
      { class: "failing" },
      link(row, runs > 1 ? row.example.id : rowName(row)),
      runs > 1 && h("b", {}, `passes ${whole(passing)} of ${whole(runs)}`),
      ...keys.map(({ key, score }) => pill("fail", ...breakable(key), ` ${minus(score)}`)),
    ),
    h("p", { class: "quiet", dir: "auto" }, gist(row.example.inputs)),
    comment && h("p", { class: "quiet", dir: "auto" }, textOf(firstLine(comment))),
  );
}

const link = (row: ExperimentRow, name: string) =>
  h("a", { href: addressOf(row), dir: "auto" }, shown(name) || "–");

interface DistinctError {
  text: string;
  row: ExperimentRow;
  count: number;
}

function distinctErrors(rows: readonly ExperimentRow[]): DistinctError[] {
  const byText = new Map<string, DistinctError>();
  for (const row of rows) {
    const { run } = row;
    const own = run.error ? [{ key: failedPart(run.error), error: run.error }] : ownErrors(row);
    for (const { key, error } of own) {
      const text = `${key}: ${failureText(error)}`;
      const same = byText.get(text);
      if (same) same.count++;
      else byText.set(text, { text, row, count: 1 });
    }
  }
  return [...byText.values()].sort((one, other) => other.count - one.count);
}

const failed = ({ text, row, count }: DistinctError): HTMLElement =>
  h(
    "li",
    {},
    h("p", { class: "failing" }, link(row, rowName(row)), pill("error", counted(count, "error"))),
    h("p", { class: "error", dir: "auto" }, shown(firstLine(text).slice(0, 300))),
  );
