/** What was said, in columns with an entry for each observation. */

import { invalidInput, OpenEvalsError } from "../../core/errors.js";
import { show } from "../../core/input/checks.js";
import { numbered } from "../../evaluators/summary/settings.js";
import { classesOf, type Observations } from "./observations.js";
import type { CalibrateOptions } from "./options.js";

interface Pair<Value> {
  verdicts: Value[];
  labels: Value[];
}

export interface CalibrationColumns {
  observations: Observations["list"];
  exampleIds: string[];
  examples: Uint32Array;
  exampleCount: number;
  /** Whether classes are true and false. */
  isBinary: boolean;
  /** Classes by their numbers, and what these stand for; `undefined` for scores of many values. */
  classes: (Pair<number> & { names: unknown[] }) | undefined;
  whyNoClasses: string;
  /** Scores of few values, true and false, or places in `categories`; `undefined` for other classes and scores of many. */
  steps: Pair<number> | undefined;
  whyNoSteps: string;
  /** Numbers with the order of the scores, or of `categories`; `undefined` for classes without an order. */
  ordered: Pair<number> | undefined;
  /** How many classes there are at least, whether they occur or not. */
  leastClasses: number;
  /** Scores as numbers; `undefined` for classes. */
  numbers: Pair<number> | undefined;
  /** What counts as true, where that is known. */
  truths: Pair<boolean> | undefined;
  /** What the judge held for how probable, whether it came true (1), and in which row. */
  probabilities: { said: number[]; came: number[]; rows: number[] } | undefined;
}

export const NO_ORDER =
  "Labels or verdicts are classes, which have no order. If they have one, list them in order as categories.";

export const NO_NUMBERS = "Labels or verdicts are classes, not numbers.";

/** Scores of more values than these are no classes. */
export const MOST_STEPS = 10;

export async function columnsOf(
  observed: Observations,
  options: CalibrateOptions,
): Promise<CalibrationColumns> {
  const { kind, list } = observed;
  const { threshold } = options;
  const said: Pair<unknown> = {
    verdicts: list.map(({ verdict }) => verdict),
    labels: list.map(({ label }) => label),
  };
  const numbers = kind === "classes" ? undefined : mapped(said, Number);
  const passes = (score: number) => (threshold === undefined ? score === 1 : score >= threshold);
  const isBinary = kind === "verdicts" || (kind === "scores" && threshold !== undefined);
  let truths: CalibrationColumns["truths"];
  if (numbers && isBinary) {
    const ofLabel = kind === "verdicts" ? (label: number) => label === 1 : passes;
    truths = { verdicts: numbers.verdicts.map(passes), labels: numbers.labels.map(ofLabel) };
  }
  const named = await classesOf([...said.verdicts, ...said.labels, options.positive ?? null]);
  const numberedClasses = split(named.numbers, list.length);
  const isStepped = kind === "classes" || new Set(named.numbers.slice(0, -1)).size <= MOST_STEPS;
  let classes: CalibrationColumns["classes"];
  if (truths) classes = { ...mapped(truths, Number), names: [false, true] };
  else if (isStepped) classes = withNames(numberedClasses, named.classes);
  if (kind === "classes" && options.positive !== undefined) {
    const positive = named.numbers.at(-1);
    truths = mapped(numberedClasses, (number) => number === positive);
  }
  const whyNoClasses = `There are more than ${MOST_STEPS} different scores; threshold makes true and false of them.`;
  const ofScores = kind === "verdicts" ? truths && mapped(truths, Number) : isStepped ? numbers : undefined;
  const places = options.categories && (await placesOf(said, options.categories));
  const exampleIds = list.map(({ row }) => row.example.id);
  const examples = numbered(exampleIds);
  return {
    observations: list,
    exampleIds,
    examples,
    exampleCount: new Set(exampleIds).size,
    isBinary,
    classes,
    whyNoClasses,
    steps: places ?? ofScores,
    whyNoSteps: numbers ? whyNoClasses : NO_ORDER,
    ordered: places ?? numbers,
    leastClasses: leastClassesOf(isBinary, options),
    numbers,
    truths,
    probabilities: probabilitiesOf(observed, numbers, classes),
  };
}

/** How many classes there are at least, whether they occur or not. */
export const leastClassesOf = (isBinary: boolean, { categories }: CalibrateOptions): number =>
  isBinary ? 2 : (categories?.length ?? 0);

/** The places of verdicts and labels in the list of all classes. */
async function placesOf(said: Pair<unknown>, categories: readonly unknown[]): Promise<Pair<number>> {
  const verdicts = await placesAmong(categories, said.verdicts, "verdict");
  return { verdicts, labels: await placesAmong(categories, said.labels, "label") };
}

/** The place of each value in the list of all classes. */
export async function placesAmong(
  categories: readonly unknown[],
  values: readonly unknown[],
  who: "verdict" | "label",
): Promise<number[]> {
  const { numbers } = await classesOf([...categories, ...values]);
  const places = numbers.slice(0, categories.length);
  if (new Set(places).size < places.length)
    throw new OpenEvalsError("invalid_config", "categories has a class twice; name each once, in order.");
  return values.map((value, index) => {
    const place = places.indexOf(numbers[categories.length + index] as number);
    if (place >= 0) return place;
    throw invalidInput(
      `The ${who} ${show(value)} is not among the categories; list all classes there, in order`,
    );
  });
}

const mapped = <From, To>({ verdicts, labels }: Pair<From>, map: (value: From) => To): Pair<To> => ({
  verdicts: verdicts.map(map),
  labels: labels.map(map),
});

const split = (numbers: readonly number[], count: number): Pair<number> => ({
  verdicts: numbers.slice(0, count),
  labels: numbers.slice(count, 2 * count),
});

/** The classes that occur, numbered anew: one that only `positive` names is none. */
function withNames(
  pair: Pair<number>,
  classes: readonly unknown[],
): NonNullable<CalibrationColumns["classes"]> {
  const used = [...new Set([...pair.verdicts, ...pair.labels])].sort((a, b) => a - b);
  return { ...mapped(pair, (number) => used.indexOf(number)), names: used.map((number) => classes[number]) };
}

/** The confidence in the `metadata` of a result. */
export function confidenceOf({ result }: Observations["list"][number]): number | undefined {
  const confidence = result.metadata?.["confidence"];
  return typeof confidence === "number" && confidence >= 0 && confidence <= 1 ? confidence : undefined;
}

/** Confidences, and whether the verdict was right; else scores between true and false, and whether the label is true. */
function probabilitiesOf(
  { kind, list }: Observations,
  numbers: CalibrationColumns["numbers"],
  classes: CalibrationColumns["classes"],
): CalibrationColumns["probabilities"] {
  const rows = list.map((_, row) => row);
  const confident = rows.filter(
    (row) => confidenceOf(list[row] as Observations["list"][number]) !== undefined,
  );
  if (classes && confident.length) {
    return {
      said: confident.map((row) => confidenceOf(list[row] as Observations["list"][number]) as number),
      came: confident.map((row) => Number(classes.verdicts[row] === classes.labels[row])),
      rows: confident,
    };
  }
  const areBetween = numbers?.verdicts.some((score) => score !== 0 && score !== 1);
  if (kind !== "verdicts" || !numbers || !areBetween) return undefined;
  return { said: numbers.verdicts, came: numbers.labels, rows };
}
