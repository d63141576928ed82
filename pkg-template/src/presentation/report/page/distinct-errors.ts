/** The errors of an experiment, with those as one that differ at most in the answers of judges that they quote. */

import { counted } from "../../../core/input/counted.js";
import { firstLine } from "../../../core/input/first-line.js";
import type { EvaluatorFailure } from "../../../core/records/types.js";
import { failureText, splitAnswer } from "../../reading.js";
import { shown } from "../../value-text.js";
import { h } from "./dom.js";
import { pill } from "./pill.js";

export interface DistinctError<Row> {
  text: string;
  /** The first row with it. */
  row: Row;
  count: number;
}

/** The distinct errors, the most frequent first. */
export function distinctErrors<Row>(all: readonly (EvaluatorFailure & { row: Row })[]): DistinctError<Row>[] {
  const byText = new Map<string, DistinctError<Row>>();
  for (const { key, error, row } of all) {
    const text = `${key}: ${failureText(error)}`;
    const { problem } = splitAnswer(text);
    const same = byText.get(problem);
    if (same) same.count++;
    else byText.set(problem, { text, row, count: 1 });
  }
  return [...byText.values()].sort((one, other) => other.count - one.count);
}

/** An item of a list of failures. */
export const errorItem = (
  { text, count }: Pick<DistinctError<unknown>, "text" | "count">,
  where?: HTMLElement,
) =>
  h(
    "li",
    {},
    h("p", { class: "failing" }, where, pill("error", counted(count, "error"))),
    h("p", { class: "error", dir: "auto" }, shown(firstLine(text).slice(0, 300))),
  );
