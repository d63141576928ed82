/** The options of `calibrate()`. */

import {
  aFunction,
  anything,
  aRepetitionCount,
  aSignal,
  aString,
  check,
  isListOf,
  type OptionChecks,
  oneOf,
  required,
  wholeFrom,
} from "../../core/input/checks.js";
import { aPlace, type FieldSource } from "../../core/input/field.js";
import type { Signal, Url } from "../../core/platform/globals.js";
import type { MapInputs } from "../../evaluators/calls/row-evaluators.js";
import { STATISTICS_OPTIONS, type StatisticsOptions } from "../../evaluators/summary/settings.js";
import { CACHE_OPTIONS, type CacheOptions } from "../evaluate/cache/options.js";
import type { RowMap } from "../evaluate/data/mapping.js";
import type { DataRow } from "../evaluate/data/types.js";
import { checkGrouped } from "../evaluate/options/groups.js";
import { aClusterBy, type ClusterBy } from "../statistics/clusters.js";

/**
 * Where a row has its label: the name of a field of the row, of its `metadata` or of its reference outputs, or a function of the
 * row.
 */
export type LabelField = FieldSource;

/** A labelled row: a row of `evaluate()` with more fields. */
export type LabelledRow = DataRow & Record<string, unknown>;

/** The options of {@link calibrate}. */
export interface CalibrateOptions extends StatisticsOptions {
  /**
   * The labelled rows, as in `evaluate()`: a list, an iterable or the path of a file. Their `outputs` are the answers to judge.
   * If `judge` is an experiment, only their `id` and labels are read; without `data`, the labels are read from its examples.
   */
  data?:
    | readonly LabelledRow[]
    | Iterable<LabelledRow>
    | AsyncIterable<LabelledRow>
    | string
    | Url
    | undefined;
  /** Where the data has the fields of rows, if they have other names, as in `evaluate()`. */
  map?: RowMap | undefined;
  /**
   * Where a row has its human label: a number, as the judge should score the row, from 0 to 1 or on the scale that the judge
   * declares, such as its `choices`; `true` or `false`, whether the row passes; or a class. If lower scores of the key are better,
   * `true` means a score of `false`. A row without the field is unlabelled.
   *
   * A list has one field for each person. The majority of their labels counts, of grades the median, and of scores with more than
   * ten different values the mean. A row with a tie is left out.
   */
  label: LabelField | readonly LabelField[];
  /** The key of the results to compare; required if the results have several keys. */
  key?: string | undefined;
  /** Where a result has the verdict. Default: `score`, or `value` if there is no score. */
  verdict?: FieldSource | undefined;
  /**
   * The lowest score that passes, or the highest if lower is better. It applies to labels, too, if they are numbers. Default for
   * labels of true and false: the recorded pass mark, if it is between the lowest and the best score.
   */
  threshold?: number | undefined;
  /** The class that counts as true, for `sensitivity`, `specificity` and `correctRate`. */
  positive?: unknown;
  /** The weights of disagreements in `weightedKappa`: `quadratic` or `linear` in the distance. Default: `quadratic`. */
  weights?: "linear" | "quadratic" | undefined;
  /**
   * All classes in order, including those that do not occur. In `weightedKappa`, the distance of two classes is the number of
   * steps between them in this list. `alpha.ordinal`, `spearman` and `kendall` use their order, `ac1` their number. Without
   * it, the distance of two scores is their difference, and classes have no order.
   */
  categories?: readonly unknown[] | undefined;
  /** Where a row has the position in which the judge saw its answer: `first`, 1 or `true` for the first. */
  position?: LabelField | undefined;
  /** Where a row has the model that wrote its answer. Self-preference compares it with `metadata.model` of the result. */
  author?: LabelField | undefined;
  /** As in `evaluate()`. */
  mapInputs?: MapInputs | undefined;
  /** The largest number of rows that are judged concurrently. Default: 1. */
  maxConcurrency?: number | undefined;
  /** The number of times that each row is judged, up to a million. Default: 1. `flipRate` needs at least 2. */
  numRepetitions?: number | undefined;
  /** The cache of the judge's answers, as in `evaluate()`: `{ cache, cacheMode }`. */
  judges?: CacheOptions | undefined;
  /**
   * Groups rows that depend on each other, such as the claims of one answer: the name of a field in `metadata` or `inputs`, or a
   * function of the example. Intervals are then computed by cluster. They need at least 50 clusters: with fewer, they are
   * missing, and `notes` says so. Default: the clusters that the experiment records, if `judge` is one.
   */
  clusterBy?: ClusterBy | undefined;
  /** Aborts the run: the promise rejects. */
  signal?: Signal | undefined;
}

const isPlace = aPlace.test;

const OPTIONS: OptionChecks<Omit<CalibrateOptions, "judges">> = {
  ...STATISTICS_OPTIONS,
  data: anything,
  map: anything,
  label: required(
    check("the name of a field, a function of a row, or a list of these, each once", (label) => {
      const isList = isListOf(label, isPlace) && label.length > 0;
      return isPlace(label) || (isList && new Set(label).size === label.length);
    }),
  ),
  key: aString,
  verdict: aPlace,
  threshold: check("a finite number", Number.isFinite),
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
  clusterBy: aClusterBy,
  signal: aSignal,
};

/** @throws {@link OpenEvalsError} `invalid_config` for invalid options. */
export const checkCalibration = (options: CalibrateOptions): CalibrateOptions =>
  checkGrouped<CalibrateOptions, "judges">("calibrate", options, OPTIONS, { judges: CACHE_OPTIONS });
