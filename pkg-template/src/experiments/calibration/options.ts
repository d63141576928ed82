/** The options of `calibrate()`. */

import {
  aFunction,
  anything,
  aRepetitionCount,
  aSignal,
  aString,
  type Checks,
  check,
  isListOf,
  numberFromTo,
  oneOf,
  required,
  wholeFrom,
} from "../../core/input/checks.js";
import { aPlace, type FieldSource } from "../../core/input/field.js";
import type { Signal, Url } from "../../core/platform/globals.js";
import { STATISTICS_OPTIONS, type StatisticsOptions } from "../../evaluators/summary/settings.js";
import type { Cache, CacheMode } from "../evaluate/cache/types.js";
import type { DataRow } from "../evaluate/data/types.js";
import type { MapInputs } from "../evaluate/evaluators/evaluators.js";

/**
 * Where a row has what a person said: the name of a field of the row, of its `metadata` or of its reference outputs, or a
 * function of the row.
 */
export type LabelField = FieldSource;

/** A row that people have labelled: one of an experiment, with fields of its own. */
export type LabelledRow = DataRow & Record<string, unknown>;

/** The options of {@link calibrate}. */
export interface CalibrateOptions extends StatisticsOptions {
  /**
   * The rows, as those of `evaluate()`: a list, an iterable or a file. Their `outputs` are what was answered. With an
   * experiment that has run, only their `id` and labels are read; without them, it is the examples of the experiment that
   * have the labels.
   */
  data?:
    | readonly LabelledRow[]
    | Iterable<LabelledRow>
    | AsyncIterable<LabelledRow>
    | string
    | Url
    | undefined;
  /**
   * Where a row has what a person said, which is `true` or `false`, a number from 0 to 1, or a class; a list for several
   * people. Of these, what most said counts, or the mean of their scores. In a row without it, nobody said anything.
   */
  label: LabelField | readonly LabelField[];
  /** Which of the results are meant; needed if there are several keys. */
  key?: string | undefined;
  /** Where a result has the verdict: `score` by default, or `value` where there is no score. */
  verdict?: FieldSource | undefined;
  /** From which score on a row passes, and from which label on, if labels are numbers: from 0 to 1. */
  threshold?: number | undefined;
  /** Which class counts as true, for `sensitivity`, `specificity` and `correctRate`. */
  positive?: unknown;
  /** How disagreements count in `weightedKappa`: by the `quadratic` (the default) or `linear` distance. */
  weights?: "linear" | "quadratic" | undefined;
  /**
   * All classes that exist, in order, also those that do not occur. In `weightedKappa`, the distance of two classes is the
   * number of steps between them in this list. `alpha.ordinal`, `spearman` and `kendall` use their order, `ac1` their
   * number. Without it, the distance of two scores is their difference, and classes have no order.
   */
  categories?: readonly unknown[] | undefined;
  /** Where a row says at which place its answer was shown to the judge: `first`, 1 or `true` for the first one. */
  position?: LabelField | undefined;
  /** Where a row says which model wrote its answer. It is the judge's own if the `metadata.model` of the result is the same. */
  author?: LabelField | undefined;
  /** As in `evaluate()`. */
  mapInputs?: MapInputs | undefined;
  /** How many rows may be judged at once; 1 by default. */
  maxConcurrency?: number | undefined;
  /** How many times each row is judged, up to a million; 1 by default. From 2 on, `flicker` can be told. */
  numRepetitions?: number | undefined;
  /** As in `evaluate()`. */
  cache?: Cache | undefined;
  /** As in `evaluate()`. */
  cacheMode?: CacheMode | undefined;
  /** Ends the run: the promise rejects. */
  signal?: Signal | undefined;
}

const isPlace = aPlace.test;

export const OPTIONS: Checks<CalibrateOptions> = {
  ...STATISTICS_OPTIONS,
  data: anything,
  label: required(
    check("the name of a field, a function of a row, or a list of these", (label) => {
      return isPlace(label) || (isListOf(label, isPlace) && label.length > 0);
    }),
  ),
  key: aString,
  verdict: aPlace,
  threshold: numberFromTo(0, 1),
  positive: anything,
  weights: oneOf(["linear", "quadratic"]),
  categories: check("a list of two or more classes, in order", (list) => {
    return Array.isArray(list) && list.length > 1;
  }),
  position: aPlace,
  author: aPlace,
  mapInputs: aFunction,
  maxConcurrency: wholeFrom(1),
  numRepetitions: aRepetitionCount,
  cache: check("an object with get and set", (store) => {
    return typeof store?.get === "function" && typeof store?.set === "function";
  }),
  cacheMode: oneOf(["auto", "record", "replay"]),
  signal: aSignal,
};
