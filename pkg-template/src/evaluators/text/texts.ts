/** Outputs and references as texts, and their way into the engine. */

import { OpenEvalsError } from "../../core/errors.js";
import { aString, type Checks, show } from "../../core/input/checks.js";
import { aPlace, type FieldSource, fieldOf } from "../../core/input/field.js";
import { PASS_OPTIONS, type PassOptions } from "../../core/scale.js";
import type { EvaluatorParams } from "../../core/types.js";

/** The options that all metrics of texts have. */
export interface OutputOptions extends PassOptions {
  /**
   * Where the text stands in outputs that are an object: their key, or a function of them. By default their only key.
   */
  output?: FieldSource | undefined;
  /** The `key` of the result, instead of the metric's own. */
  feedbackKey?: string | undefined;
}

/** The options of metrics that compare texts with others. */
export interface TextOptions extends OutputOptions {
  /**
   * The same for the reference outputs, where it may also be a list of texts; by default the key that `output` names, or
   * their only key.
   */
  reference?: FieldSource | undefined;
}

export const OUTPUT_OPTIONS: Checks<OutputOptions> = {
  output: aPlace,
  feedbackKey: aString,
  ...PASS_OPTIONS,
};

export const TEXT_OPTIONS: Checks<TextOptions> = { ...OUTPUT_OPTIONS, reference: aPlace };

/** What a metric compares. */
export interface TextRow {
  output: string;
  /** For metrics that compare with nothing, the other outputs. */
  references: string[];
}

/** Reads outputs and their reference: one text, or several. */
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
    throw new OpenEvalsError("invalid_input", `${ofReference} has no text: a list needs one at least.`);
  }
  return {
    output: toText(fieldOf("text", outputs, ofOutputs, "output", output, undefined), ofOutputs, "output"),
    references: isList
      ? Array.from(found, (text, index) => toText(text, `${ofReference}[${index}]`, "reference"))
      : [toText(found, ofReference, "reference")],
  };
}

/** Reads outputs that are compared with nothing: a text, or a list of several where that is allowed. */
export function readOutputs(
  outputs: unknown,
  { output }: OutputOptions,
  place: string,
  isOfSeveral: boolean,
): TextRow {
  const found = fieldOf("text", outputs, place, "output", output, undefined);
  if (!isOfSeveral || !Array.isArray(found))
    return { output: toText(found, place, "output"), references: [] };
  const [first, ...others] = Array.from(found, (text, index) => toText(text, `${place}[${index}]`, "output"));
  if (first !== undefined) return { output: first, references: others };
  throw new OpenEvalsError("invalid_input", `${place} has no text: a list needs one at least.`);
}

function toText(value: unknown, place: string, option: string): string {
  if (typeof value === "string") return value;
  if (Number.isFinite(value) || typeof value === "boolean") return String(value);
  throw new OpenEvalsError(
    "invalid_input",
    `The text of ${place} is ${show(value)}; it has to be a string. The option ${option} says where it stands.`,
  );
}

/** The texts of rows, one after the other: an output, and then its references. */
export interface ListedTexts {
  texts: string[];
  /** How many references each output has. */
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
 * Lists the texts of rows as they come, if each is a string where it is looked for, as in most batches: then no row needs
 * objects of its own, nor names for messages, which take longer than many a score.
 *
 * @param isCompared Whether there is a reference.
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
    // Whoever reads them one by one says what is wrong with them.
    return undefined;
  }
  return { texts, references: new Uint32Array(rows.length).fill(isCompared ? 1 : 0) };
}

/** Texts as they cross: all as one, how long they are, and how many of them are references of each row. */
export interface CrossingTexts {
  texts: string;
  lengths: Uint32Array;
  references: Uint32Array;
}

/** What is done with texts before they cross. */
export type Prepare = (texts: readonly string[]) => readonly string[];

/** Texts in lower case, where case does not count: JavaScript and Python agree about what that is. */
export const inCase =
  (lowercase: boolean): Prepare =>
  (texts) =>
    lowercase ? texts.map((text) => text.toLowerCase()) : texts;

/** Joins texts. */
export function crossing({ texts, references }: ListedTexts, prepare: Prepare): CrossingTexts {
  const prepared = prepare(texts);
  // A loop, since `Uint32Array.from` takes several times as long.
  const lengths = new Uint32Array(prepared.length);
  for (let index = 0; index < prepared.length; index++) lengths[index] = (prepared[index] as string).length;
  // A line feed keeps halves of pairs apart.
  return { texts: prepared.join("\n"), lengths, references };
}
