/** The report of an experiment: a self-contained HTML file. */

import { invalidConfig, typedReading } from "../../core/errors.js";
import { anything, checkOptions, type OptionChecks } from "../../core/input/checks.js";
import { onUse } from "../../core/platform/on-use.js";
import { checkExperiment } from "../../core/records/check.js";
import type { ComparativeExperiment } from "../../core/records/comparative.js";
import type { ModelPrices } from "../../core/records/prices.js";
import { aTableOfPrices } from "../../core/records/table-of-prices.js";
import type { Experiment } from "../../core/records/types.js";
import type { ComparisonOptions } from "../../experiments/comparison/compare.js";
import { aSliceBy } from "../../experiments/comparison/slice-by.js";
import { aMargin } from "../../experiments/statistics/margin.js";
import { checkComparative, isComparative } from "../../experiments/stored/comparative-check.js";
import { axesOf } from "../matrix/axes.js";
import { READING_OPTIONS, type ReadingOptions } from "../options.js";
import { comparativeHeadline } from "../story/comparative-headline.js";
import { titleOf } from "../story/headline.js";
import type { ComparativeData, ReportData } from "./data.js";

/** The options of {@link renderReport}. */
export interface ReportOptions extends ReadingOptions {
  /** The baseline: an earlier experiment over the same data. Differences are the experiment minus the baseline. */
  compareWith?: Experiment | undefined;
  /** With a baseline: the smallest difference that matters, as in `compareExperiments()`. The report says what it shows. */
  margin?: ComparisonOptions["margin"];
  /** With a baseline: the slices to compare as well, as in `compareExperiments()`. In a list, those of the last experiment. */
  sliceBy?: ComparisonOptions["sliceBy"];
  /**
   * The prices of the judges' tokens by model, in US dollars per million tokens:
   * `{ "openai:gpt-5.4": { input: 1.25, output: 10, cachedInput: 0.125 } }`. Default: the prices that the experiment records. The
   * report lists models without a price.
   */
  prices?: ModelPrices | undefined;
}

/**
 * Makes an HTML report of an experiment. It opens with the verdict in a sentence, which is also the title of the page, and with
 * the rows that fail. Then it has the mean, interval and distribution of each key, the summary results, the tokens and cost
 * of the judges, and a table of the rows to search, filter, sort and download. With `compareWith`, it also shows the differences
 * and the rows whose score changed, and with `sliceBy` the differences of the slices.
 *
 * The file is self-contained: it blocks network access, and nothing in the data can run as a script.
 *
 * @param experiment An experiment; a list of experiments over the same data, oldest first; or the result of
 * `evaluateComparative()`. In a list, the first is the baseline, the rows of the last are shown, and each key has a
 * trend; p-values are adjusted for all comparisons of the page. If the experiments are combinations of a `matrix` (they
 * record it as `metadata.matrix`), the report has a table of all of them, marks the best by more than chance, and shows
 * the rows of the one with the best mean. A comparative report has the ranking, the pairs, and the answers side by
 * side.
 * @returns The HTML.
 * @throws {@link OpenEvalsError} `invalid_config` for invalid options, `invalid_input` for an invalid experiment.
 *
 * @example
 * ```ts
 * import { type Experiment, renderReport } from "openevals-wasm/evaluation";
 *
 * export async function respond(experiment: Experiment): Promise<Response> {
 *   const html = await renderReport(experiment);
 *   return new Response(html, { headers: { "content-type": "text/html; charset=utf-8" } });
 * }
 * ```
 */
export async function renderReport(
  experiment: Experiment | readonly Experiment[] | ComparativeExperiment,
  options: ReportOptions = {},
): Promise<string> {
  const {
    compareWith,
    margin,
    sliceBy,
    prices,
    lowerIsBetter = [],
  } = checkOptions("renderReport", options, REPORT_OPTIONS);
  if (typedReading("renderReport", () => isComparative(experiment))) {
    const comparing = Object.entries({ compareWith, margin, sliceBy }).find(
      ([, one]) => one !== undefined,
    )?.[0];
    if (comparing)
      throw invalidConfig(
        `${comparing} does not apply to a comparative experiment, which has its own comparisons; leave it out`,
      );
    return renderComparative(experiment as ComparativeExperiment, prices);
  }
  const experiments = typedReading("renderReport", () =>
    listOf(experiment as Experiment | readonly Experiment[], compareWith),
  );
  const isMatrix = Array.isArray(experiment) && axesOf(experiments) !== undefined;
  const [needing] = [
    ...(margin === undefined ? [] : ["margin"]),
    ...(sliceBy === undefined ? [] : ["sliceBy"]),
  ];
  if (needing && (isMatrix || experiments.length < 2))
    throw invalidConfig(
      `${needing} applies to a comparison with a baseline; add compareWith, or leave it out`,
    );
  const [{ compareAll, compareCombinations }, { documentOf }, files] = await onUse("The report page", () =>
    Promise.all([import("./compare.js"), import("./document.js"), import("./report-files.js")]),
  );
  const series = isMatrix
    ? await compareCombinations(experiments, { lowerIsBetter, prices })
    : await compareAll(experiments, { lowerIsBetter, margin, sliceBy });
  const data: ReportData = { ...series, lowerIsBetter, prices: prices ?? series.experiment.prices };
  const json = typedReading("renderReport", () => JSON.stringify(data));
  return documentOf(titleOf(data), json, files);
}

async function renderComparative(
  experiment: ComparativeExperiment,
  prices: ModelPrices | undefined,
): Promise<string> {
  typedReading("renderReport", () => checkComparative(experiment));
  const data: ComparativeData = { experiment, prices: prices ?? experiment.prices };
  const [{ documentOf }, files] = await onUse("The report page", () =>
    Promise.all([import("./document.js"), import("./comparative-files.js")]),
  );
  const json = typedReading("renderReport", () => JSON.stringify(data));
  return documentOf(`${comparativeHeadline(experiment)} · ${experiment.experimentName}`, json, files);
}

export const REPORT_OPTIONS: OptionChecks<ReportOptions> = {
  ...READING_OPTIONS,
  compareWith: anything,
  margin: aMargin,
  sliceBy: aSliceBy,
  prices: aTableOfPrices,
};

/** The experiments in order, each of them checked. */
function listOf(given: Experiment | readonly Experiment[], baseline: Experiment | undefined): Experiment[] {
  if (!Array.isArray(given)) {
    checkExperiment(given, "experiment");
    if (baseline === undefined) return [given as Experiment];
    checkExperiment(baseline, "experiment to compare with");
    return [baseline, given as Experiment];
  }
  if (!given.length) throw invalidConfig("The list of experiments is empty; renderReport needs at least one");
  if (baseline !== undefined) {
    throw invalidConfig(
      "compareWith applies only to a single experiment. In a list, the first one is the baseline: put it there",
    );
  }
  const all = Array.from(given as readonly Experiment[]);
  for (const [index, one] of all.entries())
    checkExperiment(one, all.length > 1 ? `experiment ${index + 1}` : "experiment");
  return all;
}
