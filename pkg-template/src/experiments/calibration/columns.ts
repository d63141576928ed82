/** Verdicts and labels as columns, with an entry for each observation. */

import { invalidConfig, invalidInput } from "../../core/errors.js";
import { show } from "../../core/input/checks.js";
import { didYouMean } from "../../core/input/near.js";
import { clusterOf } from "../statistics/clusters.js";
import { reachedThreshold } from "../statistics/correct-rate.js";
import { classesOf, MAX_STEPS, type Observations } from "./observations.js";
import type { CalibrateOptions } from "./options.js";
import { isUnit, type ScoreBounds } from "./verdicts.js";

interface LabelledColumns<Value> {
  verdicts: Value[];
  labels: Value[];
}

export interface CalibrationColumns {
  observations: Observations["list"];
  exampleCount: number;
  /** The example of each observation, and its cluster if there are clusters. */
  origins: { exampleId: string; cluster: string | undefined }[];
  /** The number of independent units: the clusters, or the examples if there are none. */
  unitCount: number;
  hasClusters: boolean;
  /** Whether the classes are true and false. */
  isBinary: boolean;
  /** Classes by number, and the value of each number; `undefined` for scores with many values. */
  classes: (LabelledColumns<number> & { names: unknown[] }) | undefined;
  whyNoClasses: string;
  /** Values with distances: scores with few values, true and false, or indexes in `categories`; otherwise `undefined`. */
  steps: LabelledColumns<number> | undefined;
  whyNoSteps: string;
  /** Numbers in the order of the scores or of `categories`; `undefined` for classes without an order. */
  ordered: LabelledColumns<number> | undefined;
  /** The number of classes that are known to exist, whether they occur or not. */
  leastClasses: number;
  /** Scores as shares of their range, from 0 to 1; `undefined` for classes. */
  numbers: LabelledColumns<number> | undefined;
  /** Whether verdict and label are true; `undefined` if no class is known to be the true one. */
  truths: LabelledColumns<boolean> | undefined;
  /** The probabilities that the judge predicted, their outcomes (0 or 1), and their rows. */
  probabilities: { predicted: number[]; outcomes: number[]; rows: number[] } | undefined;
}

export const NO_ORDER =
  "Labels or verdicts are classes, which have no order. If they have one, list them in order as categories.";

export const NO_NUMBERS = "Labels or verdicts are classes, not numbers.";

export async function columnsOf(
  observed: Observations,
  options: CalibrateOptions,
): Promise<CalibrationColumns> {
  const { kind, list, threshold, range } = observed;
  checkPositive(observed, options);
  const pairs: LabelledColumns<unknown> = {
    verdicts: list.map(({ verdict }) => verdict),
    labels: list.map(({ label }) => label),
  };
  const numbers = kind === "classes" ? undefined : mapped(pairs, (score) => shareOf(score, range));
  const isBinary = kind === "verdicts" || (kind === "scores" && threshold !== undefined);
  let truths: CalibrationColumns["truths"];
  if (numbers && isBinary) {
    const reached = (scores: readonly unknown[]) =>
      Array.from(reachedThreshold(scores.map(Number), observed) ?? [], Boolean);
    const labels = kind === "verdicts" ? numbers.labels.map(Boolean) : reached(pairs.labels);
    truths = { verdicts: reached(pairs.verdicts), labels };
  }
  const named = await classesOf([...pairs.verdicts, ...pairs.labels, options.positive ?? null]);
  const numberedClasses = split(named.numbers, list.length);
  const isStepped = kind === "classes" || new Set(named.numbers.slice(0, -1)).size <= MAX_STEPS;
  let classes: CalibrationColumns["classes"];
  if (truths) classes = { ...mapped(truths, Number), names: [false, true] };
  else if (isStepped) classes = withNames(numberedClasses, named.classes);
  if (kind === "classes" && options.positive !== undefined) {
    const positive = named.numbers.at(-1);
    truths = mapped(numberedClasses, (number) => number === positive);
  }
  const whyNoClasses = `There are more than ${MAX_STEPS} different scores. Set threshold to make them true and false.`;
  const ofScores = kind === "verdicts" ? truths && mapped(truths, Number) : isStepped ? numbers : undefined;
  const indexes = options.categories && (await indexesOf(pairs, options.categories));
  const origins = list.map(({ row }) => {
    return { exampleId: row.example.id, cluster: clusterOf(row, options.clusterBy) };
  });
  return {
    observations: list,
    origins,
    exampleCount: new Set(origins.map(({ exampleId }) => exampleId)).size,
    unitCount: new Set(origins.map(nameOfUnit)).size,
    hasClusters: options.clusterBy !== undefined || origins[0]?.cluster !== undefined,
    isBinary,
    classes,
    whyNoClasses,
    steps: indexes ?? ofScores,
    whyNoSteps: numbers ? whyNoClasses : NO_ORDER,
    ordered: indexes ?? numbers,
    leastClasses: leastClassesOf(isBinary, options),
    numbers,
    truths,
    probabilities: probabilitiesOf(observed, numbers, classes),
  };
}

/** The name of the independent unit of an observation. */
export const nameOfUnit = ({ exampleId, cluster }: CalibrationColumns["origins"][number]): string =>
  cluster ?? exampleId;

/** Rejects a `positive` that is not a class: all verdicts would count as false. */
function checkPositive({ kind, list }: Observations, { positive, categories = [] }: CalibrateOptions): void {
  if (positive === undefined) return;
  if (kind !== "classes") {
    if (typeof positive !== "string") return;
    throw invalidInput(
      `positive is ${show(positive)}, but the labels are ${kind}, not classes. Leave it out`,
    );
  }
  const classes = [...categories, ...list.flatMap(({ verdict, label }) => [verdict, label])];
  const texts = new Set(classes.map((one) => JSON.stringify(one)));
  if (texts.has(JSON.stringify(positive))) return;
  const names = [...new Set(classes.filter((one) => typeof one === "string"))];
  const listed = `the classes are ${names.map(show).join(", ")}.`;
  throw invalidInput(
    `No label and no verdict is ${show(positive)}, which is positive; ${didYouMean(String(positive), names, listed, show)}`,
  );
}

/** A score as a share of the range: 0 is its lowest, and `false`; 1 is its highest, and `true`. */
export const shareOf = (score: unknown, { min, max }: ScoreBounds): number =>
  typeof score === "boolean" ? Number(score) : ((score as number) - min) / (max - min);

export const leastClassesOf = (isBinary: boolean, { categories }: CalibrateOptions): number =>
  isBinary ? 2 : (categories?.length ?? 0);

/** The indexes of verdicts and labels in `categories`. */
async function indexesOf(
  pairs: LabelledColumns<unknown>,
  categories: readonly unknown[],
): Promise<LabelledColumns<number>> {
  const verdicts = await indexesAmong(categories, pairs.verdicts, "verdict");
  return { verdicts, labels: await indexesAmong(categories, pairs.labels, "label") };
}

/** The index of each value in `categories`. */
export async function indexesAmong(
  categories: readonly unknown[],
  values: readonly unknown[],
  kind: "verdict" | "label",
): Promise<number[]> {
  const { numbers } = await classesOf([...categories, ...values]);
  const known = numbers.slice(0, categories.length);
  if (new Set(known).size < known.length)
    throw invalidConfig("categories has a class twice; list each class once, in order");
  return values.map((value, index) => {
    const found = known.indexOf(numbers[categories.length + index] as number);
    if (found >= 0) return found;
    throw invalidInput(
      `The ${kind} ${show(value)} is not among the categories; list all classes there, in order`,
    );
  });
}

const mapped = <From, To>(
  { verdicts, labels }: LabelledColumns<From>,
  map: (value: From) => To,
): LabelledColumns<To> => ({
  verdicts: verdicts.map(map),
  labels: labels.map(map),
});

const split = (numbers: readonly number[], count: number): LabelledColumns<number> => ({
  verdicts: numbers.slice(0, count),
  labels: numbers.slice(count, 2 * count),
});

/** The classes that occur, renumbered: a class that only `positive` names does not occur. */
function withNames(
  pair: LabelledColumns<number>,
  classes: readonly unknown[],
): NonNullable<CalibrationColumns["classes"]> {
  const used = [...new Set([...pair.verdicts, ...pair.labels])].sort((a, b) => a - b);
  return { ...mapped(pair, (number) => used.indexOf(number)), names: used.map((number) => classes[number]) };
}

/** The confidence in the `metadata` of a result. */
export function confidenceOf({ result }: Observations["list"][number]): number | undefined {
  const confidence = result.metadata?.confidence;
  return typeof confidence === "number" && confidence >= 0 && confidence <= 1 ? confidence : undefined;
}

/** The judge's confidence and whether its verdict was right; without confidence, its scores between 0 and 1 and the label. */
function probabilitiesOf(
  { kind, list, range }: Observations,
  numbers: CalibrationColumns["numbers"],
  classes: CalibrationColumns["classes"],
): CalibrationColumns["probabilities"] {
  const rows = list.map((_, row) => row);
  const confident = rows.filter(
    (row) => confidenceOf(list[row] as Observations["list"][number]) !== undefined,
  );
  if (classes && confident.length) {
    return {
      predicted: confident.map((row) => confidenceOf(list[row] as Observations["list"][number]) as number),
      outcomes: confident.map((row) => Number(classes.verdicts[row] === classes.labels[row])),
      rows: confident,
    };
  }
  const areBetween = numbers?.verdicts.some((score) => score !== 0 && score !== 1);
  if (kind !== "verdicts" || !isUnit(range) || !numbers || !areBetween) return undefined;
  return { predicted: numbers.verdicts, outcomes: numbers.labels, rows };
}
