/** The failures: the examples with failing scores, those that became worse first, and the distinct errors. */

import { whole } from "../../../core/input/counts.js";
import { firstLine } from "../../../core/input/first-line.js";
import type { ExperimentRow } from "../../../core/records/types.js";
import { failedPart, ownErrors, rowName, scalesIn } from "../../reading.js";
import { type FailingExample, failingExamples } from "../../story/failures.js";
import { worseFlips } from "../../story/flips.js";
import { shown, textOf } from "../../value-text.js";
import type { ReportData } from "../data.js";
import type { Show } from "./cards.js";
import { distinctErrors, errorItem } from "./distinct-errors.js";
import { breakable, h, minus } from "./dom.js";
import { addressOf } from "./links.js";
import { pill } from "./pill.js";
import { gist } from "./values.js";

/** The number of examples, and of errors, that are shown. */
const MAX_SHOWN = 5;

export function failures(data: ReportData, show: Show): HTMLElement | undefined {
  const { rows } = data.experiment;
  const scaleOf = scalesIn(data.experiment, data);
  const worse = new Set(
    worseFlips(data.comparisons ?? {}, scaleOf).map(({ flips: [{ exampleId }] }) => exampleId),
  );
  const isWorse = ({ row }: FailingExample) => worse.has(row.example.id);
  const all = failingExamples(rows, scaleOf);
  const examples = [...all.filter(isWorse), ...all.filter((one) => !isWorse(one))];
  const errors = distinctErrors(rows.flatMap((row) => errorsOf(row).map((one) => ({ ...one, row }))));
  if (!examples.length && !errors.length) return undefined;
  return h(
    "section",
    { "aria-labelledby": "failures" },
    h("h2", { id: "failures" }, "Failures"),
    h(
      "ul",
      { class: "failures" },
      ...examples.slice(0, MAX_SHOWN).map((one) => failing(one, isWorse(one))),
      ...errors.slice(0, MAX_SHOWN).map((one) => errorItem(one, link(one.row, rowName(one.row)))),
    ),
    h(
      "p",
      { class: "toolbar" },
      examples.length > MAX_SHOWN &&
        more(`All ${whole(examples.length)} failing examples`, () => show("failing", "")),
      errors.length > MAX_SHOWN && more(`All ${whole(errors.length)} errors`, () => show("errors", "")),
    ),
  );
}

const more = (text: string, onclick: () => void) =>
  h("button", { type: "button", class: "link", onclick }, text);

function failing({ row, runs, passing, keys }: FailingExample, isWorse: boolean): HTMLElement {
  const comment = keys.find((one) => one.comment)?.comment;
  const answer = gist(row.run.outputs);
  return h(
    "li",
    {},
    h(
      "p",
      { class: "failing" },
      link(row, runs > 1 ? row.example.id : rowName(row)),
      isWorse && h("b", {}, "worse than before"),
      runs > 1 && h("b", {}, `passes ${whole(passing)} of ${whole(runs)}`),
      ...keys.map(({ key, score }) => pill("fail", ...breakable(key), ` ${minus(score)}`)),
    ),
    h("p", { class: "quiet", dir: "auto" }, gist(row.example.inputs)),
    // Comments such as those of exactMatch quote it.
    answer !== "" &&
      !comment?.includes(`"${answer}"`) &&
      h("p", { class: "quiet", dir: "auto" }, `Output: ${answer}`),
    comment && h("p", { class: "quiet", dir: "auto" }, textOf(firstLine(comment))),
  );
}

const link = (row: ExperimentRow, name: string) =>
  h("a", { href: addressOf(row), dir: "auto" }, shown(name) || "–");

const errorsOf = (row: ExperimentRow) =>
  row.run.error ? [{ key: failedPart(row.run.error), error: row.run.error }] : ownErrors(row);
