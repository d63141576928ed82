/** The details of a row, shown when it is opened. */

import { scoreOf } from "../../../experiment/score.js";
import type { EvaluationResult, Failure } from "../../../experiment/types.js";
import { decimal, duration } from "../../numerals.js";
import { ownErrors } from "../../reading.js";
import { breakable, h, minus, shown, textOf } from "./dom.js";
import type { Item } from "./items.js";
import { differing, shownValue } from "./values.js";

export function details({ row, baseline, failing, flipped }: Item): HTMLElement {
  const { example, run, evaluationResults } = row;
  const hasReference = example.outputs !== undefined;
  const marks = hasReference && !run.error ? differing(example.outputs, run.outputs) : undefined;
  return h(
    "div",
    { class: "details" },
    h(
      "div",
      { class: "panes" },
      pane("Inputs", shownValue(example.inputs)),
      baseline &&
        pane(
          "Outputs before",
          baseline.run.error ? failure(baseline.run.error) : shownValue(baseline.run.outputs),
        ),
      pane(
        baseline ? "Outputs after" : "Outputs",
        run.error ? failure(run.error) : (marks?.[1] ?? shownValue(run.outputs)),
      ),
      hasReference && pane("Reference outputs", marks?.[0] ?? shownValue(example.outputs)),
    ),
    evaluationResults.length > 0 &&
      h(
        "table",
        { class: "results" },
        h(
          "thead",
          {},
          h(
            "tr",
            {},
            ...["Key", ...(baseline ? ["Before", "After"] : ["Score"]), "Comment"].map((head) =>
              h(
                "th",
                { scope: "col", class: head === "Key" || head === "Comment" ? undefined : "figure" },
                head,
              ),
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
              h("td", {}, comment(result)),
            );
          }),
        ),
      ),
    ...ownErrors(row).map(({ key, error }) =>
      h("section", {}, h("h3", {}, ...breakable(key)), failure(error)),
    ),
    h("p", { class: "quiet" }, facts(row)),
  );
}

const pane = (title: string, content: Node) => h("section", {}, h("h3", {}, title), content);

function facts({ example, run }: Item["row"]): string {
  const started = new Date(run.startTime).toISOString().slice(0, 19).replace("T", " ");
  const known = example.metadata && `metadata ${textOf(example.metadata)}`;
  return [`Started ${started} UTC`, `took ${duration(run.durationMs)}`, `run ${shown(run.id)}`, known]
    .filter(Boolean)
    .join(" · ");
}

function comment({ comment, value, metadata }: EvaluationResult): HTMLElement {
  return h(
    "div",
    {},
    comment && h("p", { dir: "auto", class: "prose" }, shown(comment)),
    value != null && h("pre", {}, textOf(value, 2)),
    metadata &&
      Object.keys(metadata).length > 0 &&
      h("details", {}, h("summary", {}, "Metadata"), h("pre", {}, textOf(metadata, 2))),
  );
}

/** A score as text. */
export function scoreText(result: EvaluationResult): string {
  const score = scoreOf(result);
  if (score === undefined) return "n/a";
  return typeof score === "number" ? minus(decimal(score)) : String(score);
}

/** A failure and its causes. */
export function failure({ name, code, message, cause }: Failure, depth = 0): HTMLElement {
  return h(
    "div",
    { class: "failure" },
    h(
      "p",
      { dir: "auto", class: "prose" },
      h("b", {}, shown(code ? `${name} (${code})` : name)),
      ": ",
      shown(message),
    ),
    cause && depth < 9 && h("div", {}, h("p", { class: "quiet" }, "Caused by"), failure(cause, depth + 1)),
  );
}
