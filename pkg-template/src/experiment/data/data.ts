/** The data of an experiment: rows from a list, an iterable or a file, read as examples. */

import { callbackFailed, isOurs, OpenEvalsError } from "../../errors.js";
import { show } from "../../input/checks.js";
import { referenceOf } from "../../input/params.js";
import { plainFields } from "../plain.js";
import type { Example } from "../types.js";
import { misspelled, unread } from "./fields.js";
import { readDataFile } from "./file.js";
import type { Data, DataRow, ReadRow } from "./types.js";

/** The rows: a list that has been read, or an iterable that reads them as they are asked for. */
export interface OpenData {
  rows: Iterable<ReadRow> | AsyncIterable<ReadRow>;
  /** How many rows there are, if that is known. */
  total: number | undefined;
  /** Fields of the rows read so far that no row has. */
  ignoredFields: ReadonlySet<string>;
}

/**
 * Opens the data. What is there as a whole is read as a whole, so that a mistake in its last row is found before the
 * first one has cost anything.
 *
 * @param hasTarget Whether `outputs` are what should be answered, not what was.
 * @throws {@link OpenEvalsError} `invalid_config` for what is no data, `invalid_input` for rows that are none.
 */
export async function openData(data: Data, hasTarget: boolean): Promise<OpenData> {
  const reader = new RowReader(hasTarget);
  const { ignoredFields } = reader;
  if (typeof data === "string" || data instanceof URL) {
    const rows = (await readDataFile(data)).map(({ row, place }) => reader.read(row, place));
    return { rows, total: rows.length, ignoredFields };
  }
  if (Array.isArray(data)) {
    const rows = Array.from(data, (row, index) => reader.read(row, `data[${index}]`));
    return { rows, total: rows.length, ignoredFields };
  }
  if (
    typeof data === "object" &&
    data !== null &&
    (Symbol.asyncIterator in data || Symbol.iterator in data)
  ) {
    const rows = readEach(data as Iterable<DataRow> | AsyncIterable<DataRow>, reader);
    return { rows, total: undefined, ignoredFields };
  }
  throw new OpenEvalsError(
    "invalid_config",
    `data is ${show(data)}; it has to be a list of rows, an iterable of rows, or the path of a JSONL or CSV file.`,
  );
}

async function* readEach(data: Iterable<DataRow> | AsyncIterable<DataRow>, reader: RowReader) {
  let count = 0;
  try {
    for await (const row of data) yield reader.read(row, `data[${count++}]`);
  } catch (error) {
    if (isOurs(error)) throw error;
    throw callbackFailed(`The data, after ${count} rows,`, error);
  }
}

/** Reads rows, none of which may have the id of another: experiments are compared by it. */
class RowReader {
  readonly #hasTarget: boolean;
  readonly #ids = new Set<string>();
  readonly ignoredFields = new Set<string>();

  constructor(hasTarget: boolean) {
    this.#hasTarget = hasTarget;
  }

  /** @param place What messages call the row, such as `data[3]`. */
  read(row: DataRow, place: string): ReadRow {
    if (typeof row !== "object" || row === null || Array.isArray(row)) {
      throw new OpenEvalsError(
        "invalid_input",
        `${place} is ${show(row)}; a row is an object such as { inputs, outputs }.`,
      );
    }
    const typo = misspelled(row);
    if (typo) {
      throw new OpenEvalsError(
        "invalid_input",
        `${place} has the field "${typo.given}", which no row has; did you mean "${typo.meant}"?`,
      );
    }
    for (const name of unread(row)) this.ignoredFields.add(name);
    const { inputs, outputs } = row;
    const reference = referenceOf(row, `${place}.`) ?? (this.#hasTarget ? outputs : undefined);
    const given: Example = { id: this.#idOf(row, place), inputs };
    if (reference != null) given.outputs = reference;
    if (row.metadata != null) given.metadata = row.metadata;
    if (row.attachments != null) given.attachments = row.attachments;
    const recorded = plainFields(given, place) as Example;
    return { given, recorded, outputs: this.#hasTarget ? undefined : outputs };
  }

  #idOf({ id }: DataRow, place: string): string {
    const own = id == null ? String(this.#ids.size + 1) : String(id);
    if (this.#ids.has(own)) {
      throw new OpenEvalsError(
        "invalid_input",
        `${place} has the id "${own}", which an earlier row has, too. Ids tell rows apart when experiments are compared.`,
      );
    }
    this.#ids.add(own);
    return own;
  }
}
