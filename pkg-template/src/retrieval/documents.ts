/** Rankings and relevance as callers have them, and their way into the engine. */

import { OpenEvalsError } from "../errors.js";
import { show } from "../input/checks.js";
import { type FieldSource, fieldOf } from "../input/field.js";

/** What was found, and what should have been. */
export interface RetrievalRow {
  /** The documents found. */
  ids: string[];
  /** Their scores, if they have any; else they are ranked as they stand. */
  scores: number[] | undefined;
  judgedIds: string[];
  relevance: number[];
}

/** Where things stand. */
interface Places {
  output?: FieldSource | undefined;
  reference?: FieldSource | undefined;
}

/** Reads a ranking, and the documents that are relevant to it. */
export function readRetrieval(
  outputs: unknown,
  referenceOutputs: unknown,
  { output, reference }: Places,
  nameOf: (side: "outputs" | "referenceOutputs") => string,
): RetrievalRow {
  const [ofOutputs, ofReference] = [nameOf("outputs"), nameOf("referenceOutputs")];
  const found = readFound(fieldOf("ranking", outputs, ofOutputs, "output", output, undefined), ofOutputs);
  const known =
    reference === undefined && areGrades(referenceOutputs)
      ? referenceOutputs
      : fieldOf("relevance", referenceOutputs, ofReference, "reference", reference, output);
  return { ...found, ...readJudged(known, ofReference) };
}

function readFound(found: unknown, place: string): Pick<RetrievalRow, "ids" | "scores"> {
  if (!Array.isArray(found)) {
    throw invalid(
      `The ranking of ${place} is ${show(found)}; it has to be a list of ids or of { id, score }.`,
    );
  }
  const ids: string[] = [];
  const scores: number[] = [];
  for (let index = 0; index < found.length; index++) {
    const document: unknown = found[index];
    if (isId(document)) {
      ids.push(String(document));
    } else {
      const at = () => `${place}[${index}]`;
      const { id, score } = fieldsOf(document, "{ id, score }", at);
      ids.push(String(id));
      if (score !== undefined) scores.push(aNumber("score", score, at));
    }
    if (scores.length && scores.length < ids.length) {
      throw invalid(`Some documents of ${place} have a score, and some have none, up to ${place}[${index}].`);
    }
  }
  return { ids, scores: scores.length ? scores : undefined };
}

function readJudged(known: unknown, place: string): Pick<RetrievalRow, "judgedIds" | "relevance"> {
  if (areGrades(known)) {
    const grades = Object.entries(known);
    return {
      judgedIds: grades.map(([id]) => id),
      relevance: grades.map(([id, grade]) => aNumber("relevance", grade, () => `${place}[${show(id)}]`)),
    };
  }
  if (!Array.isArray(known)) {
    const forms = "a list of ids or of { id, relevance }, or an object with the relevance of each id";
    throw invalid(`The relevance of ${place} is ${show(known)}; it has to be ${forms}.`);
  }
  const judgedIds: string[] = [];
  const relevance: number[] = [];
  for (let index = 0; index < known.length; index++) {
    const document: unknown = known[index];
    if (isId(document)) {
      judgedIds.push(String(document));
      relevance.push(1);
    } else {
      const at = () => `${place}[${index}]`;
      const { id, relevance: grade } = fieldsOf(document, "{ id, relevance }", at);
      judgedIds.push(String(id));
      relevance.push(aNumber("relevance", grade, at));
    }
  }
  return { judgedIds, relevance };
}

/** Whether it is an object that has the relevance of each id, which nothing else looks like: all its values are numbers. */
const areGrades = (value: unknown): value is Record<string, number | boolean> =>
  typeof value === "object" &&
  value !== null &&
  !Array.isArray(value) &&
  Object.values(value).every((grade) => typeof grade === "number" || typeof grade === "boolean");

const isId = (value: unknown): value is string | number =>
  typeof value === "string" || Number.isFinite(value);

function fieldsOf(document: unknown, form: string, at: () => string) {
  const fields = (document ?? {}) as { id?: unknown; score?: unknown; relevance?: unknown };
  if (typeof document === "object" && isId(fields.id)) return fields;
  throw invalid(
    `${at()} is ${show(document)}; it has to be an id or ${form}, where ids are texts or numbers.`,
  );
}

function aNumber(what: string, value: unknown, at: () => string): number {
  if (Number.isFinite(value) || typeof value === "boolean") return Number(value);
  const shown = typeof value === "number" ? value : show(value);
  throw invalid(`The ${what} of ${at()} is ${shown}; it has to be a finite number.`);
}

const invalid = (message: string) => new OpenEvalsError("invalid_input", message);

/** Rows as they cross: all ids as one text, and how many each row has. */
export interface CrossingRows {
  ids: string;
  lengths: Uint32Array;
  retrieved: Uint32Array;
  judged: Uint32Array;
  scores: Float64Array;
  relevance: Float64Array;
}

/** Joins rows. Where there are no scores, NaN stands in their place. */
export function crossing(rows: readonly RetrievalRow[]): CrossingRows {
  const retrieved = Uint32Array.from(rows, ({ ids }) => ids.length);
  const judged = Uint32Array.from(rows, ({ judgedIds }) => judgedIds.length);
  const total = (counts: Uint32Array) => counts.reduce((sum, count) => sum + count, 0);
  const scores = new Float64Array(total(retrieved)).fill(Number.NaN);
  const relevance = new Float64Array(total(judged));
  const ids: string[] = [];
  let [found, known] = [0, 0];
  for (const row of rows) {
    for (const id of row.ids) ids.push(id);
    for (const id of row.judgedIds) ids.push(id);
    if (row.scores) scores.set(row.scores, found);
    relevance.set(row.relevance, known);
    found += row.ids.length;
    known += row.judgedIds.length;
  }
  const lengths = Uint32Array.from(ids, ({ length }) => length);
  // A line feed keeps halves of pairs apart.
  return { ids: ids.join("\n"), lengths, retrieved, judged, scores, relevance };
}
