/** Reads rankings and relevance in the forms that callers pass. */

import { invalidInput } from "../../core/errors.js";
import { show } from "../../core/input/checks.js";
import { type FieldSource, fieldOf } from "../../core/input/field.js";
import type { CrossingRows } from "./crossing.js";

/** Where to find the ranking and the relevance. */
interface Places {
  output?: FieldSource | undefined;
  reference?: FieldSource | undefined;
}

/** Reads a ranking and the relevance of documents. */
export function readRetrieval(
  outputs: unknown,
  referenceOutputs: unknown,
  { output, reference }: Places,
  nameOf: (side: "outputs" | "referenceOutputs") => string,
  into: CrossingRows,
): void {
  const [ofOutputs, ofReference] = [nameOf("outputs"), nameOf("referenceOutputs")];
  readFound(fieldOf("ranking", outputs, ofOutputs, "output", output, undefined), ofOutputs, into);
  const relevance =
    reference === undefined && gradesOf(referenceOutputs)
      ? referenceOutputs
      : fieldOf("relevance", referenceOutputs, ofReference, "reference", reference, output);
  readJudged(relevance, ofReference, into);
}

function readFound(found: unknown, place: string, into: CrossingRows): void {
  if (!Array.isArray(found)) {
    throw invalidInput(
      `The ranking of ${place} is ${show(found)}; it has to be a list of ids or of { id, score }`,
    );
  }
  let scored = 0;
  for (let index = 0; index < found.length; index++) {
    const document: unknown = found[index];
    let documentScore = Number.NaN;
    if (isId(document)) {
      into.ids.add(String(document));
    } else {
      const { id, score } = fieldsOf(document, "{ id, score }", place, index);
      into.ids.add(String(id));
      if (score !== undefined) {
        documentScore = aNumber("score", score, place, index);
        scored++;
      }
    }
    into.scores.push(documentScore);
    if (scored && scored <= index) {
      throw invalidInput(
        `Up to ${place}[${index}], only some documents have a score; give all of them one, or none`,
      );
    }
  }
  into.retrieved.push(found.length);
}

function readJudged(judged: unknown, place: string, into: CrossingRows): void {
  const grades = gradesOf(judged);
  if (grades) {
    const ids = Object.keys(judged as object);
    for (let index = 0; index < ids.length; index++) {
      const id = ids[index] as string;
      into.ids.add(id);
      into.relevance.push(aNumber("relevance", grades[index], place, id));
    }
    into.judged.push(ids.length);
    return;
  }
  if (!Array.isArray(judged)) {
    const forms = "a list of ids or of { id, relevance }, or an object with the relevance of each id";
    throw invalidInput(`The relevance of ${place} is ${show(judged)}; it has to be ${forms}`);
  }
  for (let index = 0; index < judged.length; index++) {
    const document: unknown = judged[index];
    if (isId(document)) {
      into.ids.add(String(document));
      into.relevance.push(1);
    } else {
      const { id, relevance } = fieldsOf(document, "{ id, relevance }", place, index);
      into.ids.add(String(id));
      into.relevance.push(aNumber("relevance", relevance, place, index));
    }
  }
  into.judged.push(judged.length);
}

/**
 * The values of an object that maps ids to relevance, recognised by having only numbers and booleans. A `Map`, a `Set` or a
 * promise has no fields: it would be a reference without relevant documents.
 */
function gradesOf(value: unknown): unknown[] | undefined {
  if ({}.toString.call(value) !== "[object Object]") return undefined;
  const grades = Object.values(value as object);
  for (const grade of grades) if (typeof grade !== "number" && typeof grade !== "boolean") return undefined;
  return grades;
}

const isId = (value: unknown): value is string | number =>
  typeof value === "string" || Number.isFinite(value);

// Messages are built only on failure: a closure for each document would take as long as its score.

function fieldsOf(document: unknown, form: string, place: string, index: number) {
  const fields = (document ?? {}) as { id?: unknown; score?: unknown; relevance?: unknown };
  if (typeof document === "object" && isId(fields.id)) return fields;
  throw invalidInput(
    `${place}[${index}] is ${show(document)}; it has to be an id or ${form}, where ids are texts or numbers`,
  );
}

function aNumber(what: string, value: unknown, place: string, key: string | number): number {
  if (Number.isFinite(value) || typeof value === "boolean") return Number(value);
  throw invalidInput(`The ${what} of ${place}[${show(key)}] is ${show(value)}; it has to be a finite number`);
}
