/** Reads an experiment file line by line. */

import { invalidInput } from "../../../core/errors.js";
import { TextDecoder, TextEncoder } from "../../../core/platform/text-coding.js";
import { checkFigures } from "../../../core/records/check.js";
import { JsonText } from "../../../evaluators/checks/json-text.js";
import { SparseArray } from "../../statistics/arrays.js";
import { bytesOfFile } from "../data/bytes.js";
import { LineSplitter, TOO_LONG } from "../data/lines.js";
import { problemOfRow, readHeader } from "./check-lines.js";
import { type Ending, HEADER_START, type Header, type RowLine } from "./format.js";

/** Rejects the JSON of an experiment where a path is expected: the error of a missing file would contain all of it. */
export function checkIsPath(path: string, name: string): void {
  if (/^\s*\{\s*"/.test(path))
    throw invalidInput(
      `${name} is JSON as a text. An experiment is the result of evaluate(), or its JSON, parsed; or pass the path of its file`,
    );
}

/** Whether bytes are the beginning of a header. A file of another program has to differ, since it would be replaced. */
function isHeaderBegun(bytes: Uint8Array): boolean {
  const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
  let text: string;
  try {
    // The last character may be incomplete.
    text = decoder.decode(bytes, { stream: true });
  } catch {
    return false;
  }
  // biome-ignore lint/suspicious/noControlCharactersInRegex: A header has no line breaks, unlike a file whose line feeds were replaced.
  if (!HEADER_START.startsWith(text.slice(0, HEADER_START.length)) || /[\0-\x1f]/.test(text)) return false;
  return new JsonText().add(text) === undefined;
}

/** A file of an experiment. Its fields are set once all lines are read. */
export class ExperimentFile {
  readonly #path: string;
  /** The header; `undefined` unless the file begins with a complete one. */
  header: Header | undefined;
  /** Whether the file is the beginning of a header, whose writer was interrupted. */
  isBegun = false;
  /** The length of the file up to its last complete row, in bytes. */
  length = 0;
  /** The length of the whole file, in bytes. */
  size = 0;
  /** The first line that was skipped because it is too long, if there is one. */
  skipped: string | undefined;
  /** The positions of the rows so far. */
  readonly #positions = new SparseArray(Uint8Array);
  #endingLength = 0;

  constructor(path: string) {
    this.#path = path;
  }

  /** The lines after the header: rows, and the last line. A half-written line is left out. */
  async *lines(): AsyncGenerator<RowLine | { end: Ending }> {
    this.size = 0;
    let number = 1;
    const splitter = new LineSplitter(this.#path, () => {
      const problem = `${this.#path}:${number} ${TOO_LONG}`;
      if (number++ === 1) throw invalidInput(problem);
      this.skipped ??= `${problem}, and was skipped. Continue the experiment with resume to run this row again.`;
      this.#endingLength = 0;
    });
    for await (const chunk of bytesOfFile(this.#path, this.#path)) {
      this.size += chunk.length;
      const texts = splitter.push(chunk)?.text.split("\n") ?? [];
      // The text ends with a line feed.
      texts.pop();
      for (const text of texts) {
        if (number++ > 1) {
          const line = this.#read(text, number - 1);
          if (line) yield line;
          continue;
        }
        this.header = readHeader(text, `${this.#path}:1`);
        if (!this.header) return;
      }
    }
    this.length = this.size - splitter.begunBytes - this.#endingLength;
    this.isBegun = number === 1 && isHeaderBegun(splitter.rest());
  }

  /** Reads a line; `undefined` for a row that an earlier line has. */
  #read(text: string, number: number): RowLine | { end: Ending } | undefined {
    const place = `${this.#path}:${number}`;
    let line: any;
    try {
      line = JSON.parse(text);
    } catch {
      throw invalidInput(`${place} is not a row of an experiment: it is not valid JSON`);
    }
    if (Object(line).end !== undefined) {
      checkFigures(line.end, `ending in ${place}`);
      this.#endingLength = new TextEncoder().encode(text).length + 1;
      return line;
    }
    const problem = problemOfRow(line, this.header ?? { evaluators: [] });
    if (problem) throw invalidInput(`${place} is not a row of an experiment: ${problem}`);
    this.#endingLength = 0;
    if (this.#positions.at(line.position)) return undefined;
    this.#positions.set(line.position, 1);
    return line;
  }
}
