/** A file of labels, one per line as JSON. The last label of a row counts. */

import { dirname } from "node:path";
import { invalidInput } from "../../../core/errors.js";
import { show } from "../../../core/input/checks.js";
import { whole } from "../../../core/input/counts.js";
import { filledLines } from "../../../core/input/filled-lines.js";
import { appendLine } from "../../../core/platform/append-line.js";
import { makeFolder } from "../../../core/platform/folder.js";
import { identity } from "../../../core/records/row-identity.js";
import type { LabelLine } from "../../../presentation/report/data.js";
import { usageError } from "../cli-error.js";
import { IN_NODE, readText, realPath, writeText } from "../files.js";
import { say } from "../output/terminal.js";

/** The longest note, in characters. */
const MAX_NOTE_LENGTH = 2000;

/** The experiment whose rows are labelled. */
interface Labelled {
  hasRow(id: string, repetition: number): boolean;
  /** The numbers that can be labels. */
  readonly labelNumbers: readonly number[];
}

export class LabelFile {
  readonly #path: string;
  /** The last label of each row. */
  readonly #last: Map<string, LabelLine>;
  /** Settles when earlier lines are written: lines must not interleave. */
  #writing: Promise<void> = Promise.resolve();

  private constructor(path: string, lines: readonly LabelLine[]) {
    this.#path = path;
    this.#last = new Map(lines.map((line) => [rowOf(line), line]));
  }

  /** Opens a file and reads its labels, if it exists. An incomplete last label is removed if there are others. */
  static async open(path: string): Promise<LabelFile> {
    if (!/\.(jsonl|ndjson)$/i.test(path)) throw usageError(`--label is "${path}"; it has to end in .jsonl`);
    if ((await realPath(path)) === undefined) {
      await makeFolder(dirname(path), IN_NODE);
      return new LabelFile(path, []);
    }
    const text = await readText(path);
    const labels: LabelLine[] = [];
    let kept = text;
    for (const { line, number, isEnded } of filledLines(text)) {
      const value = parsedOrUndefined(line);
      const label = labelIn(value);
      if (label) labels.push(label);
      else if (isEnded || value !== undefined || !labels.length || !line.startsWith("{"))
        throw usageError(`${path}:${number} is not a label of view; name another file`);
      else {
        kept = text.slice(0, -line.length);
        say(`${path}: the last line is incomplete and was removed.`);
      }
    }
    if (kept && !kept.endsWith("\n")) kept += "\n";
    if (kept !== text) await writeText(path, kept);
    return new LabelFile(path, labels);
  }

  all(): LabelLine[] {
    return [...this.#last.values()];
  }

  /**
   * Adds a label.
   *
   * @throws {@link OpenEvalsError} `invalid_input` for an invalid label or an unknown row.
   */
  add(given: unknown, rows: Labelled): Promise<void> {
    const label = labelIn({ ...Object(given), time: new Date().toISOString() });
    if (!label)
      throw invalidInput(`${show(given)} is not a valid label, such as { id, repetition, label, note }`);
    const length = label.note?.length ?? 0;
    if (length > MAX_NOTE_LENGTH)
      throw invalidInput(`The note has ${whole(length)} characters; the limit is ${whole(MAX_NOTE_LENGTH)}`);
    if (typeof label.label === "number" && !rows.labelNumbers.includes(label.label))
      throw invalidInput(
        `The label is ${label.label}; it has to be ${[true, false, ...rows.labelNumbers].join(", ")} or null`,
      );
    if (!rows.hasRow(label.id, label.repetition)) throw invalidInput(`There is no row ${show(label.id)}`);
    const writing = this.#writing.then(() => appendLine(this.#path, JSON.stringify(label), IN_NODE));
    // A failure must not block later labels.
    this.#writing = writing.catch(() => {});
    return writing.then(() => {
      this.#last.set(rowOf(label), label);
    });
  }
}

const rowOf = ({ id, repetition }: LabelLine): string => identity(id, repetition);

/** The value of a line; `undefined` if it is not JSON. */
function parsedOrUndefined(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

/** The fields of a label; `undefined` for other values. */
function labelIn(value: unknown): LabelLine | undefined {
  const { id, repetition = 0, label, note, time } = Object(value) as Partial<LabelLine>;
  const isLabel =
    typeof id === "string" &&
    Number.isInteger(repetition) &&
    (label === null || typeof label === "boolean" || (typeof label === "number" && Number.isFinite(label))) &&
    (note === undefined || typeof note === "string") &&
    typeof time === "string";
  if (!isLabel) return undefined;
  return { id, repetition, label, ...(note === undefined ? undefined : { note }), time };
}
