/** Finds the fields of rows by their names in other tools. */

import { typedReading } from "../errors.js";
import { plainly } from "./near.js";

/** The source of each field of a row, such as `{ outputs: "answer" }`. */
export type FieldMap = Record<string, string>;

/** Usual names, without case and punctuation; earlier ones are preferred. */
const USUAL: readonly [field: string, names: readonly string[]][] = [
  ["inputs", ["input", "question", "query", "userinput", "userquery", "prompt", "instruction", "request"]],
  [
    "outputs",
    [
      ...["output", "actualoutput", "modeloutput", "prediction", "predicted", "response", "completion"],
      ...["generated", "generation", "generatedanswer", "actual", "answer"],
    ],
  ],
  [
    "referenceOutputs",
    [
      ...["expected", "expectedoutput", "expectedoutputs", "expectedanswer", "expectedresponse"],
      ...["reference", "referenceoutput", "referenceanswer", "groundtruth", "ideal", "gold", "goldanswer"],
      ...["correctanswer", "target", "label", "answer"],
    ],
  ],
  ["metadata.context", ["context", "contexts", "retrievalcontext", "retrievedcontexts", "documents"]],
];

/** The compared fields: a row without them has nothing to evaluate. */
const CORE = ["inputs", "outputs", "referenceOutputs", "reference_outputs", "attachments"];

const rootOf = (name: string): string => name.split(".")[0] as string;

export const hasCoreField = (names: readonly string[]): boolean =>
  names.some((name) => CORE.includes(rootOf(name)));

/**
 * The `map` of `evaluate()` that data with these fields probably needs, by the names that other tools use: `question`, `answer`,
 * `expected`, `ground_truth`, `retrieved_contexts` and others, whatever their case and punctuation. The hints of `evaluate()` and
 * of `score --map` come from it.
 *
 * @param names The fields or columns of the data.
 * @param hasTarget Whether a target answers; an `answer` in the data is then the expected one. `false` by default.
 * @returns A field of the data for each field of rows that is found. Fields that the data has under its own name are left out.
 * @throws {@link OpenEvalsError} `invalid_input` for anything but a list of texts.
 *
 * @example
 * ```ts
 * import { guessedMap } from "openevals-wasm/evaluation";
 *
 * console.log(guessedMap(["Question", "answer", "ground_truth"]));
 * // { inputs: "Question", outputs: "answer", referenceOutputs: "ground_truth" }
 * ```
 */
export const guessedMap = (names: readonly string[], hasTarget = false): FieldMap =>
  typedReading("guessedMap", () => mapOf(names, hasTarget));

function mapOf(names: readonly string[], hasTarget: boolean): FieldMap {
  const map: FieldMap = {};
  const isTaken = (field: string) => names.some((name) => plainly(rootOf(name)) === plainly(field));
  for (const [field, usual] of USUAL) {
    if (isTaken(field) || (field === "outputs" && hasTarget)) continue;
    const free = names.filter((name) => !Object.values(map).includes(name));
    const meant = usual.flatMap((one) => free.filter((name) => plainly(name) === one))[0];
    if (meant !== undefined) map[field] = meant;
  }
  return map;
}

/** A map as JSON, with the option that takes it. */
export const writtenMap = (map: FieldMap): string =>
  `map: ${JSON.stringify(map, null, 1).replaceAll(/\n */g, " ")}`;

/** Where a message leaves the choice of a field to the reader. */
const BLANK = "<name>";

/**
 * The guessed map with the inputs and the outputs, if other fields may have them under names that are not known: the only such
 * field, or a blank. A map without the outputs would lead to rows without answers.
 */
export function completeMap(names: readonly string[], hasTarget: boolean): FieldMap {
  const map = mapOf(names, hasTarget);
  const known = [...CORE, "id", "metadata", ...Object.values(map)];
  const roots = names.map(rootOf);
  const free = names.filter(
    (name, place) => !known.includes(name) && !known.includes(roots[place] as string),
  );
  const missing = ["inputs", "outputs"].filter((field) => !map[field] && !roots.includes(field));
  if (hasTarget || !missing.includes("outputs") || free.length < missing.length) return map;
  const only = free[1] === undefined ? (free[0] as string) : BLANK;
  return { ...Object.fromEntries(missing.map((field) => [field, only])), ...map };
}

/** The advice to pass a map. */
export const mapAdvice = (map: FieldMap): string =>
  `To use this data, pass ${writtenMap(map)}${Object.values(map).includes(BLANK) ? `, with the right name for each ${BLANK}` : ""}`;
