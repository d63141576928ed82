/** Reads outputs and references as texts, and prepares them for the engine. */

import { invalidInput } from "../../core/errors.js";
import { aString, type OptionChecks, show } from "../../core/input/checks.js";
import { aPlace, type FieldSource, fieldOf } from "../../core/input/field.js";
import { PASS_OPTIONS, type PassOptions } from "../../core/passing.js";
import type { EvaluatorParams } from "../../core/types.js";

/** The options of all text metrics. */
export interface OutputOptions extends PassOptions {
  /**
   * Where to find the text in outputs that are an object: a key, or a function of the outputs. By default, their only
   * key.
   */
  output?: FieldSource | undefined;
  /** The `key` of the result, instead of the metric's own. */
  feedbackKey?: string | undefined;
}

/** The options of metrics that compare a text with a reference. */
export interface TextOptions extends OutputOptions {
  /**
   * Where to find the text, or a list of texts, in the reference outputs; by default, the key in `output`, or their
   * only key.
   */
  reference?: FieldSource | undefined;
}

export const OUTPUT_OPTIONS: OptionChecks<OutputOptions> = {
  output: aPlace,
  feedbackKey: aString,
  ...PASS_OPTIONS,
};

export const TEXT_OPTIONS: OptionChecks<TextOptions> = { ...OUTPUT_OPTIONS, reference: aPlace };

/** The texts of a row. */
export interface TextRow {
  output: string;
  /** For metrics without a reference, the other outputs. */
  references: string[];
}

/** Reads the output and its reference texts. */
export function readTexts(
  outputs: unknown,
  referenceOutputs: unknown,
  { output, reference }: TextOptions,
  nameOf: (side: "outputs" | "referenceOutputs") => string,
): TextRow {
  const ofOutputs = nameOf("outputs");
  const ofReference = nameOf("referenceOutputs");
  const found = fieldOf("text", referenceOutputs, ofReference, "reference", reference, output);
  const isList = Array.isArray(found);
  if (isList && !found.length) {
    throw invalidInput(`${ofReference} is an empty list; it needs at least one text`);
  }
  return {
    output: toText(fieldOf("text", outputs, ofOutputs, "output", output, undefined), ofOutputs, "output"),
    references: isList
      ? Array.from(found, (text, index) => toText(text, `${ofReference}[${index}]`, "reference"))
      : [toText(found, ofReference, "reference")],
  };
}

/** Reads the output of a metric without a reference: a text or, if allowed, a list of texts. */
export function readOutputs(
  outputs: unknown,
  { output }: OutputOptions,
  place: string,
  allowsList: boolean,
): TextRow {
  const found = fieldOf("text", outputs, place, "output", output, undefined);
  if (!allowsList || !Array.isArray(found)) return { output: toText(found, place, "output"), references: [] };
  const [first, ...others] = Array.from(found, (text, index) => toText(text, `${place}[${index}]`, "output"));
  if (first !== undefined) return { output: first, references: others };
  throw invalidInput(`${place} is an empty list; it needs at least one text`);
}

function toText(value: unknown, place: string, option: string): string {
  if (typeof value === "string") return value;
  if (Number.isFinite(value) || typeof value === "boolean") return String(value);
  throw invalidInput(
    `The text of ${place} is ${show(value)}; it has to be a string. The option ${option} selects it`,
  );
}

/** The texts of rows as one list: each output is followed by its references. */
export interface ListedTexts {
  texts: string[];
  /** The number of references of each output. */
  references: Uint32Array;
}

/** Lists the texts of rows. */
export function listed(rows: readonly TextRow[]): ListedTexts {
  const texts: string[] = [];
  const references = new Uint32Array(rows.length);
  for (const [index, row] of rows.entries()) {
    texts.push(row.output);
    for (const reference of row.references) texts.push(reference);
    references[index] = row.references.length;
  }
  return { texts, references };
}

/**
 * Lists the texts of rows directly if all are plain strings, as in most batches. Creating objects and names for
 * errors would take longer than most scores.
 *
 * @param isCompared Whether the metric needs a reference.
 */
export function listedAtOnce(
  rows: readonly unknown[],
  isCompared: boolean,
  { output, reference }: TextOptions,
): ListedTexts | undefined {
  if (!Array.isArray(rows) || typeof output === "function" || typeof reference === "function")
    return undefined;
  const texts: string[] = [];
  try {
    for (let index = 0; index < rows.length; index++) {
      const { outputs, referenceOutputs, reference_outputs } = rows[index] as Partial<EvaluatorParams>;
      if (typeof outputs !== "string") return undefined;
      texts.push(outputs);
      if (!isCompared) continue;
      if (typeof referenceOutputs !== "string" || reference_outputs != null) return undefined;
      texts.push(referenceOutputs);
    }
  } catch {
    // readTexts() then reports what is wrong.
    return undefined;
  }
  return { texts, references: new Uint32Array(rows.length).fill(isCompared ? 1 : 0) };
}

/** Texts in the form for the engine: joined, with the length of each and the number of references of each row. */
export interface CrossingTexts {
  texts: string;
  lengths: Uint32Array;
  references: Uint32Array;
}

/** A transformation of texts before they are passed to the engine. */
export type Prepare = (texts: readonly string[]) => readonly string[];

/** Lower-cases texts if case is ignored. JavaScript and Python agree on lower case. */
export const inCase =
  (lowercase: boolean): Prepare =>
  (texts) =>
    lowercase ? texts.map((text) => text.toLowerCase()) : texts;

/** Joins texts for the engine. */
export function crossing({ texts, references }: ListedTexts, prepare: Prepare): CrossingTexts {
  const prepared = prepare(texts);
  // A loop, since `Uint32Array.from` takes several times as long.
  const lengths = new Uint32Array(prepared.length);
  for (let index = 0; index < prepared.length; index++) lengths[index] = (prepared[index] as string).length;
  // The line feed keeps surrogates of adjacent texts from forming a pair.
  return { texts: prepared.join("\n"), lengths, references };
}
