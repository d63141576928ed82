/** The failing rows and the errors of an experiment. */

import { counted } from "../../core/input/counted.js";
import { whole } from "../../core/input/counts.js";
import { isRecord } from "../../core/input/objects.js";
import { decimal } from "../../core/number-text.js";
import { rowCountOf } from "../../core/records/row-count.js";
import { hasValue, scoreOf } from "../../core/records/score.js";
import type { Experiment, ExperimentRow, Failure } from "../../core/records/types.js";
import {
  compare,
  linesOf,
  oneLine,
  padEnd,
  truncate,
  visible,
  width,
  wrap,
} from "../../core/terminal-text.js";
import {
  failedPart,
  fails,
  failureText,
  ownErrors,
  resultPasses,
  rowName,
  type ScaleOf,
  splitAnswer,
} from "../reading.js";
import { type FailingExample, failingExamples } from "../story/failures.js";
import { strictMarks } from "../story/strict-marks.js";
import { mainField } from "../value-text.js";
import type { TextLayout } from "./style.js";
import { flow } from "./table.js";

/** The failing examples, the first `limit` of them in full. Without rows, only their number. */
export function failingLines(
  experiment: Experiment,
  layout: TextLayout,
  limit: number,
  scaleOf: ScaleOf,
): string[] {
  const { rows, failingRowCount = 0 } = experiment;
  const { size, style } = layout;
  const failing = failingExamples(rows, scaleOf);
  const count = failing.reduce((sum, example) => sum + example.failing, failingRowCount);
  if (!count || !limit) return [];
  const blocks = failing.slice(0, limit).map((one) => failingExample(one, layout, scaleOf).join("\n"));
  const more = failing.length - blocks.length;
  const title = `${whole(count)} of ${counted(rowCountOf(experiment), "row")} ${count === 1 ? "fails" : "fail"}`;
  const marks = strictMarks(experiment, scaleOf).flatMap((mark) => wrap(visible(mark), size));
  return [
    style.bold(title),
    ...marks.map(style.dim),
    ...(blocks.length ? ["", blocks.join("\n\n")] : wrap(notKept(experiment), size).map(style.dim)),
    ...(more ? ["", style.dim(`… and ${whole(more)} more`)] : []),
  ];
}

const notKept = ({ sink }: Experiment): string =>
  sink === undefined
    ? "The rows were not kept. If the sink is a file, readExperiment() reads them."
    : `The rows were not kept. readExperiment(${oneLine(JSON.stringify(sink))}) reads them.`;

interface RowVerdict {
  key: string;
  label: string;
  comment: string | undefined;
  failed: boolean;
  passed: boolean;
  score: number | boolean | undefined;
  /** Whether it is a value without a score. */
  isValue: boolean;
}

/** The first failing row of an example, and how often it passes. */
function failingExample(
  { row, runs, passing }: FailingExample,
  { size, style }: TextLayout,
  scaleOf: ScaleOf,
): string[] {
  const { example, run, evaluationResults } = row;
  const labels = shortened(evaluationResults.map(({ key }) => key));
  const verdicts = evaluationResults.map(
    (result, i): RowVerdict => ({
      key: result.key,
      label: visible(labels[i] ?? result.key),
      comment: result.comment,
      failed: fails(result, scaleOf),
      passed: resultPasses(result, scaleOf),
      score: scoreOf(result),
      isValue: hasValue(result),
    }),
  );
  const often = runs > 1 ? `${example.id} passes ${whole(passing)} of ${whole(runs)}` : rowName(row);
  const name = truncate(visible(often), size - 2);
  const room = size - width(name) - 4;
  const question = room > 8 ? `  ${truncate(oneLine(gist(example.inputs)), room)}` : "";
  const lines = [`${style.red("✗")} ${style.bold(name)}${question}`];
  const marks = [
    ...verdicts.map((one) => scoreMark(one, { size, style })),
    ...ownErrors(row).map(({ key }) => mark(`! ${visible(key)}`, style.yellow, size)),
  ];
  lines.push(...flow(marks, size - 2).map((line) => `  ${line}`));
  const unexplained = verdicts.some(({ failed, comment }) => failed && !comment);
  const reasons = reasonsIn(verdicts);
  // Labels take a column, as wide as the longest.
  const widest = Math.max(...["expected", ...reasons.map(({ who }) => who)].map(width));
  const left = Math.min(widest, size >> 1) + 2;
  const actual = unexplained ? counterpart(example.outputs, run.outputs) : undefined;
  const answer = oneLine(gist(run.outputs));
  if (actual !== undefined) lines.push(...sideBySide(example.outputs, actual, left, { size, style }));
  // Comments such as those of exactMatch quote it.
  else if (answer && !verdicts.some(({ failed, comment }) => failed && comment?.includes(`"${answer}"`)))
    lines.push(labelled("output", truncate(answer, size - 4 - left), left, style));
  return [
    ...lines,
    ...reasons.flatMap(({ who, comment }) =>
      cut(wrapped(comment, size - 4 - left)).map((line, i) =>
        labelled(i === 0 ? who : "", line, left, style),
      ),
    ),
  ];
}

/** The last message of a conversation, the main field of an object, or the value itself. */
function gist(value: unknown): unknown {
  const messages = isRecord(value) ? value.messages : value;
  const last: unknown = Array.isArray(messages) ? messages.at(-1) : undefined;
  if (isRecord(last) && "role" in last) return last.content || last;
  return isRecord(value) ? mainField(value) : value;
}

/** Keys without the first and last words that all of them share: of several `trajectory_…_match`, only "strict". */
function shortened(keys: readonly string[]): string[] {
  const words = keys.map((key) => key.split("_"));
  const shared = (at: number) => words.every((one) => one.length > 2 && one.at(at) === words[0]?.at(at));
  if (keys.length < 2) return [...keys];
  return words.map((one) => one.slice(shared(0) ? 1 : 0, shared(-1) ? -1 : undefined).join("_"));
}

/**
 * The part of the outputs that a reference is shown beside: the outputs, or, if they share no key with it, the field that does,
 * such as the `state` beside the messages of an agent. Nothing is comparable if both have keys that the other lacks: evaluators
 * got parts of them, such as by `mapInputs`.
 */
function counterpart(expected: unknown, actual: unknown): unknown {
  if (expected === undefined) return undefined;
  if (!isRecord(expected) || !isRecord(actual)) return actual;
  const has = (value: object, keys: readonly string[]) =>
    keys.filter((key) => Object.hasOwn(value, key)).length;
  const [wanted, given] = [Object.keys(expected), Object.keys(actual)];
  const shared = has(actual, wanted);
  if (shared) return shared < Math.min(wanted.length, given.length) ? undefined : actual;
  return Object.values(actual).find((value) => isRecord(value) && has(value, wanted));
}

/** A line with its label, in a column of `left` characters. */
const labelled = (label: string, line: string, left: number, style: TextLayout["style"]): string =>
  `    ${style.dim(padEnd(truncate(label, left - 2), left))}${line}`;

function sideBySide(expected: unknown, actual: unknown, left: number, { size, style }: TextLayout): string[] {
  const { column, note, ...lines } = compare(oneLine(expected), oneLine(actual), size - 4 - left);
  if (lines.expected === lines.actual && !note) return [];
  return [
    labelled("expected", lines.expected, left, style),
    labelled("actual", lines.actual, left, style),
    `    ${" ".repeat(left + column)}${style.red("^")}${note ? ` ${note}` : ""}`,
  ];
}

/** The comments of failing evaluators. They are often equal, so each is shown once, with all its evaluators. */
function reasonsIn(verdicts: readonly RowVerdict[]): { who: string; comment: string }[] {
  const labels = new Map<string, string[]>();
  for (const { label, failed, comment } of verdicts)
    if (failed && comment) labels.set(comment, [...(labels.get(comment) ?? []), label]);
  // The key of a single score is above.
  return Array.from(labels, ([comment, who]) => ({
    who: verdicts.length > 1 ? who.join(", ") : "comment",
    comment,
  }));
}

/** Wraps each line of a text. */
const wrapped = (text: string, size: number): string[] => linesOf(text).flatMap((line) => wrap(line, size));

const MAX_LINES = 6;

/** The first lines, with an ellipsis if there are more. */
function cut(lines: string[]): string[] {
  return lines.length > MAX_LINES ? [...lines.slice(0, MAX_LINES - 1), "…"] : lines;
}

/** "✗ exact_match", "✓ json_match:average 1" or "· tone n/a". */
function scoreMark({ label, score, isValue, failed, passed }: RowVerdict, { size, style }: TextLayout) {
  if (score === undefined) return mark(`· ${label} ${isValue ? "value" : "n/a"}`, style.dim, size);
  const number = typeof score === "number" ? ` ${decimal(score)}` : "";
  return mark(`${failed ? "✗" : passed ? "✓" : "·"} ${label}${number}`, failed ? style.red : style.dim, size);
}

function mark(text: string, paint: (text: string) => string, size: number) {
  const short = truncate(text, size - 2);
  return { text: paint(short), size: width(short) };
}

/** The number of errors shown, and of rows kept for each. */
export const MAX_ERRORS = 10;
const MAX_NAMES = 200;

/** The errors with the same text, apart from the answers of judges that they quote. */
interface ErrorGroup {
  who: string;
  /** The first of them. */
  error: Failure;
  count: number;
  names: string[];
}

/** The errors of an experiment: each distinct one once, with its rows. */
export class DistinctErrors {
  readonly #most: number;
  readonly #met = new Map<string, ErrorGroup>();
  #hasMore = false;
  /** The number of errors, repeated ones included. */
  #times = 0;

  /** @param most The number of distinct errors to keep, to limit memory with many rows. */
  constructor(most = Infinity) {
    this.#most = most;
  }

  add(row: ExperimentRow): void {
    const failed = row.run.error
      ? [{ key: failedPart(row.run.error), error: row.run.error }]
      : ownErrors(row);
    for (const { key, error } of failed) {
      this.#times++;
      const problems = [error, ...causes(error.cause)].map((one) => splitAnswer(failureText(one)).problem);
      const identity = JSON.stringify([key, ...problems]);
      const group = this.#met.get(identity);
      if (group) {
        group.count++;
        if (group.names.length < MAX_NAMES) group.names.push(visible(rowName(row)));
      } else if (this.#met.size < this.#most)
        this.#met.set(identity, { who: visible(key), error, count: 1, names: [visible(rowName(row))] });
      else this.#hasMore = true;
    }
  }

  lines({ size, style }: TextLayout): string[] {
    if (!this.#met.size) return [];
    const groups = Array.from(this.#met.values())
      .slice(0, MAX_ERRORS)
      .map(({ who, error, count, names }) => {
        const isOften = count > 1;
        const [first = "", ...rest] = errorLines(`${who}: ${failureText(error)}`, isOften, size - 2);
        const times = isOften && this.#met.size > 1 ? `${whole(count)} times: ` : "";
        const rows = cut(wrap(times + names.join(", "), size - 4));
        return [
          `${style.yellow("!")} ${first}`,
          ...rest.map((line) => `  ${line}`),
          ...causes(error.cause).flatMap((cause) =>
            errorLines(`caused by ${failureText(cause)}`, isOften, size - 4).map((line) => `    ${line}`),
          ),
          ...rows.map((line) => `    ${style.dim(line)}`),
        ].join("\n");
      });
    const isOnce = this.#times === this.#met.size;
    const count = counted(this.#met.size, isOnce ? "error" : "distinct error");
    const title = `${this.#hasMore ? "More than " : ""}${count}${isOnce ? "" : `, in ${whole(this.#times)} places`}`;
    const more = this.#met.size - groups.length;
    return [
      style.bold(title),
      "",
      groups.join("\n\n"),
      ...(more ? ["", style.dim(`… and ${whole(more)} more`)] : []),
    ];
  }
}

/** The text of an error, and two lines of the answer that it quotes. */
function errorLines(text: string, isOften: boolean, size: number): string[] {
  const { problem, answer } = splitAnswer(text);
  const lines = cut(wrapped(problem, size));
  if (answer === undefined) return lines;
  const label = isOften ? "For example, it answered:" : "It answered:";
  const [first = "", ...rest] = wrap(`${label} ${oneLine(answer)}`, size);
  return [...lines, first, ...(rest.length ? [truncate(rest.join(" "), size)] : [])];
}

function causes(error: Failure | undefined): Failure[] {
  const all: Failure[] = [];
  for (let cause = error; cause && all.length < 5; cause = cause.cause) all.push(cause);
  return all;
}
