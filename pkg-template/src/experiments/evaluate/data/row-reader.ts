/** Reads rows as examples. */

import { isOurs, OpenEvalsError, reasonOf } from "../../../core/errors.js";
import { show } from "../../../core/input/checks.js";
import { completeMap, hasCoreField, mapAdvice } from "../../../core/input/foreign-fields.js";
import { isRecord } from "../../../core/input/objects.js";
import { referenceOf } from "../../../core/input/params.js";
import { rowId } from "../../../core/input/row-id.js";
import type { Example } from "../../../core/records/types.js";
import { plainFields } from "../../../evaluators/calls/plain.js";
import { Fingerprints } from "../fingerprint.js";
import { FIELDS, misspelled, unread } from "./fields.js";
import type { RowMapping } from "./mapping.js";
import type { DataRow, ParsedRow } from "./types.js";

/** Reads rows, whose ids have to be unique, because experiments are compared by them. */
export class RowReader {
  readonly #hasTarget: boolean;
  readonly #mapping: RowMapping | undefined;
  readonly #ids = new Ids();
  /** The field names of the last checked row, which have no typos. */
  #seen = "";
  readonly ignoredFields = new Set<string>();

  constructor(hasTarget: boolean, mapping?: RowMapping) {
    this.#hasTarget = hasTarget;
    this.#mapping = mapping;
  }

  /** Called after the last row. Rejects a map with a field that no row has. */
  end(): void {
    this.#mapping?.end();
  }

  /**
   * Rejects values that are not rows, and ids of earlier rows.
   *
   * @param place The name of the row in messages, such as `data[3]`.
   * @returns Its id.
   */
  check(row: DataRow, place: string): string {
    return this.#idOf(this.#mapped(row), place);
  }

  #mapped(row: DataRow): DataRow {
    return this.#mapping ? (this.#mapping.apply(row) as DataRow) : row;
  }

  #idOf(row: DataRow, place: string): string {
    if (!isRecord(row)) {
      const hint = typeof row === "string" ? ", or { stream, format } if it is text with rows" : "";
      throw notRow(`${place} is ${show(row)}; a row is an object such as { inputs, outputs }${hint}.`);
    }
    if (ArrayBuffer.isView(row)) {
      throw notRow(
        `${place} is bytes; pass { stream, format } with the format "jsonl" or "csv" for rows in bytes.`,
      );
    }
    if (typeof (row as { then?: unknown }).then === "function")
      throw notRow(`${place} is a promise; await it.`);
    this.#checkFields(row, place);
    const id = this.#ids.take(rowId(row, place));
    if (id !== undefined) return id;
    throw notRow(
      `${place} has the id "${row.id ?? this.#ids.count}", which an earlier row also has. Ids have to be unique, because experiments are compared by them.`,
    );
  }

  /** Reads a row. Rejects the same rows as {@link check}, and rows that throw when they are read. */
  read(row: DataRow, place: string): ParsedRow {
    try {
      return this.#read(row, place);
    } catch (thrown) {
      throw isOurs(thrown) ? thrown : notRow(`${place} cannot be read: ${reasonOf(thrown)}.`, thrown);
    }
  }

  #read(unmapped: DataRow, place: string): ParsedRow {
    const row = this.#mapped(unmapped);
    const id = this.#idOf(row, place);
    const { inputs, outputs } = row;
    const own = referenceOf(row, `${place}.`);
    const reference = own === undefined && this.#hasTarget ? outputs : own;
    const given: Example = { id, inputs };
    if (reference != null) given.outputs = reference;
    if (row.metadata != null) given.metadata = row.metadata;
    if (row.attachments != null) given.attachments = row.attachments;
    const recorded = plainFields(given, place) as Example;
    if (this.#hasTarget) return { given, recorded, outputs: undefined };
    return { given, recorded, outputs, unread: outputs == null ? unread(row) : undefined };
  }

  /** Rejects misspelled and foreign fields. Most rows need no check: they have known fields only, or those of the row before. */
  #checkFields(row: DataRow, place: string): void {
    if (hasOnlyFields(row)) return;
    const fields = Object.keys(row).join("\n");
    if (fields === this.#seen) return;
    const names = Object.keys(row);
    const foreign = this.#mapping || hasCoreField(names) ? {} : completeMap(names, this.#hasTarget);
    const typo = misspelled(row);
    if (Object.keys(foreign).length > (typo ? 1 : 0)) {
      throw notRow(
        `${place} has the fields ${names.slice(0, 20).join(", ")}, but not inputs, outputs or referenceOutputs. ${mapAdvice(foreign)}.`,
      );
    }
    if (typo) {
      throw notRow(`${place} has the unknown field "${typo.given}"; did you mean "${typo.meant}"?`);
    }
    for (const name of unread(row)) this.ignoredFields.add(name);
    this.#seen = fields;
  }
}

function hasOnlyFields(row: DataRow): boolean {
  for (const name in row) if (!KNOWN.has(name)) return false;
  return true;
}

const KNOWN = /* @__PURE__ */ new Set<string>(FIELDS);

/** The used ids. They are not stored while all of them are positions. */
class Ids {
  count = 0;
  #taken: Fingerprints | undefined;

  /** The id of the next row, or its position; `undefined` if it is taken. */
  take(id: string | undefined): string | undefined {
    const own = id ?? String(this.count + 1);
    if (id !== undefined && !this.#taken) {
      this.#taken = new Fingerprints();
      for (let place = 1; place <= this.count; place++) this.#taken.add(String(place));
    }
    this.count++;
    return !this.#taken || this.#taken.add(own) ? own : undefined;
  }
}

const notRow = (problem: string, cause?: unknown): OpenEvalsError =>
  new OpenEvalsError("invalid_input", problem, { cause });
