/** The details of a row, shown when it is opened. */

import { decimal, duration } from "../../../../core/records/numerals.js";
import { scoreOf } from "../../../../core/records/score.js";
import type { EvaluationResult, ExperimentRow, Failure } from "../../../../core/records/types.js";
import type { Bill } from "../../../stored/account.js";
import { Pricing } from "../../prices.js";
import { ownErrors } from "../../reading.js";
import type { ReportData } from "../data.js";
import { costText, tokenText } from "./cost.js";
import { breakable, h, minus, shown, textOf } from "./dom.js";
import { copied, testCase } from "./download.js";
import type { Item } from "./items.js";
import { LONGEST_TEXT, longText, shownBeside, shownValue } from "./values.js";

export function details(item: Item, data: ReportData): HTMLElement {
  const { row, baseline, between, failing, flipped } = item;
  const { example, run, evaluationResults } = row;
  const hasReference = example.outputs !== undefined;
  const [outputs, reference] =
    hasReference && !run.error
      ? shownBeside(run.outputs, example.outputs, evaluationResults)
      : [outputsOf(row), hasReference ? shownValue(example.outputs) : undefined];
  const others = data.between.map(({ experiment }, index) => ({
    name: experiment.experimentName,
    row: between[index],
  }));
  const pricing = new Pricing(data.prices);
  const heads = [
    "Key",
    ...(baseline ? ["Before", "After"] : ["Score"]),
    ...(item.bill ? ["Used"] : []),
    "Comment",
  ];
  return h(
    "div",
    { class: "details" },
    h(
      "div",
      { class: "panes" },
      pane("Inputs", shownValue(example.inputs)),
      baseline && pane("Outputs before", outputsOf(baseline)),
      pane(baseline ? "Outputs after" : "Outputs", outputs),
      reference && pane("Reference outputs", reference),
    ),
    others.some((one) => one.row) && inBetween(others),
    evaluationResults.length > 0 &&
      h(
        "div",
        { class: "scroll", tabindex: 0, role: "group", "aria-label": `Results of ${item.name}` },
        h(
          "table",
          { class: "results" },
          h(
            "thead",
            {},
            h(
              "tr",
              {},
              ...heads.map((head) =>
                h("th", { scope: "col", class: /Key|Comment/.test(head) ? undefined : "figure" }, head),
              ),
            ),
          ),
          h(
            "tbody",
            {},
            ...evaluationResults.map((result) => {
              const before = baseline?.evaluationResults.find(({ key }) => key === result.key);
              return h(
                "tr",
                { class: flipped.has(result.key) && "flipped" },
                h("th", { scope: "row" }, ...breakable(result.key)),
                baseline && h("td", { class: "figure" }, before ? scoreText(before) : "–"),
                h("td", { class: failing.has(result.key) ? "figure fail" : "figure" }, scoreText(result)),
                item.bill && h("td", { class: "figure used" }, ...used(pricing.billOf([result]))),
                h("td", {}, comment(result)),
              );
            }),
          ),
        ),
      ),
    ...ownErrors(row).map(({ key, error }) =>
      h("section", {}, h("h3", {}, ...breakable(key)), failure(error)),
    ),
    h("p", { class: "quiet" }, facts(row)),
    copyButton(row),
  );
}

const outputsOf = ({ run }: ExperimentRow): HTMLElement =>
  run.error ? failure(run.error) : shownValue(run.outputs);

/** What the experiments between the first and the last answered. */
function inBetween(others: readonly { name: string; row: ExperimentRow | undefined }[]): HTMLElement {
  const there = others.flatMap(({ name, row }) => (row ? [{ name, row }] : []));
  return h(
    "details",
    { class: "between" },
    h("summary", {}, `Outputs in between (${there.length})`),
    h(
      "div",
      { class: "panes" },
      ...there.map(({ name, row }) =>
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
  const cost = costText(bill);
  return [cost && `${cost} `, h("span", { class: "quiet" }, tokenText(bill))];
}

function copyButton(row: ExperimentRow): HTMLElement {
  const said = h("span", { role: "status", class: "quiet" });
  const onclick = async () => {
    const isCopied = await copied(testCase(row));
    said.textContent = isCopied
      ? "Copied: a line of JSON, for a file of data."
      : "This browser does not let it be copied.";
  };
  return h("p", { class: "toolbar" }, h("button", { type: "button", onclick }, "Copy as a test case"), said);
}

const pane = (title: string, content: Node) => h("section", {}, h("h3", {}, title), content);

function facts({ example, run }: Item["row"]): string {
  const time = new Date(run.startTime);
  const started = Number.isNaN(time.getTime()) ? "–" : time.toISOString().slice(0, 19).replace("T", " ");
  const known = example.metadata && `metadata ${textOf(example.metadata).slice(0, LONGEST_TEXT)}`;
  return [`Started ${started} UTC`, `took ${duration(run.durationMs)}`, `run ${shown(run.id)}`, known]
    .filter(Boolean)
    .join(" · ");
}

function comment({ comment, value, metadata }: EvaluationResult): HTMLElement {
  return h(
    "div",
    {},
    comment && prose(shown(comment)),
    value != null && longText(textOf(value, 2)),
    metadata &&
      Object.keys(metadata).length > 0 &&
      h("details", {}, h("summary", {}, "Metadata"), longText(textOf(metadata, 2))),
  );
}

const prose = (text: string): HTMLElement =>
  text.length > LONGEST_TEXT ? longText(text) : h("p", { dir: "auto", class: "prose" }, text);

/** A score as text. */
export function scoreText(result: EvaluationResult): string {
  const score = scoreOf(result);
  if (score === undefined) return "n/a";
  return typeof score === "number" ? minus(decimal(score)) : String(score);
}

/** A failure and its causes. */
export function failure({ name, code, message, cause }: Failure, depth = 0): HTMLElement {
  const said = shown(message);
  return h(
    "div",
    { class: "failure" },
    h(
      "p",
      { dir: "auto", class: "prose" },
      h("b", {}, shown(code ? `${name} (${code})` : name)),
      said.length <= LONGEST_TEXT && `: ${said}`,
    ),
    said.length > LONGEST_TEXT && longText(said),
    cause && depth < 9 && h("div", {}, h("p", { class: "quiet" }, "Caused by"), failure(cause, depth + 1)),
  );
}
