/** The rows of a comparative experiment, with filters and details. */

import { counted } from "../../../core/input/counted.js";
import { whole } from "../../../core/input/counts.js";
import type { ComparativeExperiment, ComparativeRow } from "../../../core/records/comparative.js";
import { shown, textOf } from "../../value-text.js";
import { breakable, h } from "./dom.js";
import { failure } from "./failure.js";
import { longText } from "./text-parts.js";
import { gist, shownValue } from "./values.js";

/** The number of rows drawn at once. */
const PAGE = 50;

/** A row, with its outcomes as text. */
interface ComparativeEntry {
  row: ComparativeRow;
  name: string;
  outcomes: ComparativeOutcome[];
  text: string;
}

/** The outcome of a result or a failure. */
interface ComparativeOutcome {
  kind: "winner" | "tie" | "error" | "none";
  /** The name of the winner. */
  winner?: string;
  text: string;
}

export function comparativeRows(experiment: ComparativeExperiment): HTMLElement | undefined {
  const names = experiment.experiments.map(({ experimentName }) => experimentName);
  const entries = experiment.rows.map((row) => entryOf(row, names));
  if (!entries.length) return undefined;
  let limit = PAGE;
  const list = h("div", { class: "examples" });
  const status = h("p", { role: "status", class: "quiet" });
  const search = h("input", {
    type: "search",
    id: "search",
    autocomplete: "off",
    placeholder: "Words in inputs and outputs",
  });
  const choice = h(
    "select",
    { id: "outcome" },
    h("option", { value: "" }, "All"),
    ...names.map((name, index) => h("option", { value: `${index}` }, `Won by ${shown(name)}`)),
    h("option", { value: "tie" }, "Ties"),
    h("option", { value: "error" }, "Errors"),
  );
  const more = h("button", { type: "button", onclick: () => draw(limit + PAGE) }, "Show more");
  function draw(upTo: number): void {
    limit = upTo;
    const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
    const wanted = choice.value;
    const found = entries.filter(({ outcomes, text }) => {
      const fits = outcomes.some(({ kind, winner }) =>
        /^\d+$/.test(wanted) ? winner === names[Number(wanted)] : kind === wanted,
      );
      return (!wanted || fits) && words.every((word) => text.includes(word));
    });
    list.replaceChildren(...found.slice(0, limit).map((entry) => example(entry, names)));
    more.hidden = found.length <= limit;
    status.textContent =
      found.length === entries.length
        ? counted(entries.length, "row")
        : `${whole(found.length)} of ${counted(entries.length, "row")}`;
  }
  search.addEventListener("input", () => draw(PAGE));
  choice.addEventListener("change", () => draw(PAGE));
  draw(PAGE);
  return h(
    "section",
    { "aria-labelledby": "rows" },
    h("h2", { id: "rows" }, "Rows"),
    h(
      "form",
      { class: "controls", role: "search", onsubmit: (event: Event) => event.preventDefault() },
      h("label", { for: "search" }, h("span", {}, "Search"), search),
      h("label", { for: "outcome" }, h("span", {}, "Show"), choice),
    ),
    status,
    list,
    h("p", { class: "pages" }, more),
  );
}

function entryOf(row: ComparativeRow, names: readonly string[]): ComparativeEntry {
  const { example, repetition, runs, evaluationResults, errors } = row;
  const nameOf = (id: string) => names[runs.findIndex((run) => run?.id === id)] ?? id;
  const hasKeys = new Set([...evaluationResults, ...errors].map(({ key }) => key)).size > 1;
  const outcomes = [
    ...evaluationResults.map(({ key, scores }) => outcomeOf(hasKeys ? `${key}: ` : "", scores, nameOf)),
    ...errors.map(
      ({ key }): ComparativeOutcome => ({ kind: "error", text: `${hasKeys ? `${key}: ` : ""}error` }),
    ),
  ];
  const text = [example.id, example.inputs, ...runs.map((run) => run?.outputs)].map((part) => textOf(part));
  return {
    row,
    name: repetition ? `${example.id} #${repetition + 1}` : String(example.id),
    outcomes,
    text: text.join(" ").toLowerCase(),
  };
}

function outcomeOf(
  prefix: string,
  scores: ComparativeRow["evaluationResults"][number]["scores"],
  nameOf: (id: string) => string,
): ComparativeOutcome {
  const known = Object.entries(scores).filter(([, score]) => score !== null);
  if (known.length < 2) return { kind: "none", text: `${prefix}not applicable` };
  const most = Math.max(...known.map(([, score]) => Number(score)));
  const [best = [], others = []] = [true, false].map((isBest) =>
    known.filter(([, score]) => (Number(score) === most) === isBest).map(([id]) => nameOf(id)),
  );
  const [winner, second] = best;
  if (winner === undefined || second !== undefined)
    return { kind: "tie", text: `${prefix}a tie of ${best.join(" and ")}` };
  return { kind: "winner", winner, text: `${prefix}${winner} over ${others.join(", ")}` };
}

function example({ row, name, outcomes }: ComparativeEntry, names: readonly string[]): HTMLElement {
  const inside = h("div", { class: "details" });
  const element: HTMLDetailsElement = h(
    "details",
    {
      ontoggle: () => {
        if (element.open && !inside.childElementCount) inside.append(...contents(row, names));
      },
    },
    h(
      "summary",
      {},
      h("b", { dir: "auto" }, ...breakable(name)),
      h("span", { class: "quiet gist", dir: "auto" }, gist(row.example.inputs)),
      ...outcomes.map(({ kind, text }) =>
        h(
          "span",
          { class: kind === "winner" ? "verdict" : kind === "error" ? "error verdict" : "quiet verdict" },
          shown(text),
        ),
      ),
    ),
    inside,
  );
  return element;
}

function contents(row: ComparativeRow, names: readonly string[]): HTMLElement[] {
  const { example, runs, evaluationResults, errors } = row;
  const nameOf = (id: string) => names[runs.findIndex((run) => run?.id === id)] ?? id;
  const pane = (title: string, content: HTMLElement) =>
    h("section", {}, h("h3", { dir: "auto" }, ...breakable(title)), content);
  return [
    h(
      "div",
      { class: "panes" },
      pane("Inputs", shownValue(example.inputs)),
      example.outputs !== undefined && pane("Reference outputs", shownValue(example.outputs)),
    ),
    h(
      "div",
      { class: "panes" },
      ...runs.map((run, index) => run && pane(names[index] ?? "", shownValue(run.outputs ?? null))),
    ),
    ...evaluationResults.flatMap(({ key, comment, runs: ids = [] }) => {
      if (!comment) return [];
      const [first, second] = ids.map(nameOf);
      const who = ids.length === 2 ? `, ${first} (first) and ${second} (second)` : "";
      return [pane(`Why: ${key}${who}`, longText(shown(comment)))];
    }),
    ...errors.map(({ key, runs: ids, error }) =>
      pane(`Error: ${key}, ${ids.map(nameOf).join(" and ")}`, failure(error)),
    ),
  ];
}
