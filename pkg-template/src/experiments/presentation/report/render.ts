/** The report: one HTML file that holds everything, and asks nothing of any network. */

import { invalidConfig, typedReading } from "../../../core/errors.js";
import { anything, type Checks, checkOptions } from "../../../core/input/checks.js";
import { onUse } from "../../../core/platform/on-use.js";
import type { ComparativeExperiment } from "../../../core/records/comparative.js";
import type { ModelPrices } from "../../../core/records/prices.js";
import type { Experiment } from "../../../core/records/types.js";
import { checkExperiment } from "../../stored/check.js";
import { checkComparative, isComparative } from "../../stored/comparative-check.js";
import { aTableOfPrices } from "../../stored/table-of-prices.js";
import { READING_OPTIONS, type ReadingOptions } from "../options.js";
import type { ComparativeData, ReportData } from "./data.js";

/** The options of {@link renderReport} and {@link writeReport}. */
export interface ReportOptions extends ReadingOptions {
  /** An experiment over the same data to compare with: differences are seen from it. */
  compareWith?: Experiment | undefined;
  /**
   * What the tokens of judges cost, in US dollars for a million, by model: `{ "openai:gpt-5.4": { input: 1.25, output: 10,
   * cachedInput: 0.125 } }`; by default those that the experiment has. Models without a price are named, and counted by their
   * tokens.
   */
  prices?: ModelPrices | undefined;
}

/**
 * Makes one HTML file of an experiment: each key with its mean, interval and distribution, the summary results, what the
 * judges used, and a table of the rows to search, filter, sort, open, and download; with `compareWith` also the
 * differences and the rows that flipped.
 *
 * The file needs no network and allows none, and nothing in the data can run in it.
 *
 * @param experiment An experiment, or several over the same data in their order: then the first is the baseline that all
 * others are compared with, the last is the one whose rows are shown, and each key has its trend. P-values are adjusted
 * for all of these comparisons together. Of what `evaluateComparative()` came to, the report has the ranking as a table and
 * a plot, how often one was better than another, and the rows with the answers beside each other.
 * @throws {@link OpenEvalsError} `invalid_config` for options that cannot work, `invalid_input` for what is no experiment.
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
  const { compareWith, prices, lowerIsBetter = [] } = checkOptions("renderReport", options, OPTIONS);
  if (typedReading("renderReport", () => isComparative(experiment))) {
    if (compareWith !== undefined)
      throw invalidConfig(
        "compareWith is for experiments; a comparative experiment says itself what it compares",
      );
    return renderComparative(experiment as ComparativeExperiment, prices);
  }
  const experiments = typedReading("renderReport", () =>
    listOf(experiment as Experiment | readonly Experiment[], compareWith),
  );
  const [{ compareAll }, { documentOf }, files] = await onUse("The page of reports", () =>
    Promise.all([import("./compare.js"), import("./document.js"), import("./report-files.js")]),
  );
  const series = await compareAll(experiments);
  const data: ReportData = { ...series, lowerIsBetter, prices: prices ?? series.experiment.prices };
  const json = typedReading("renderReport", () => JSON.stringify(data));
  return documentOf(data.experiment.experimentName, json, files);
}

async function renderComparative(
  experiment: ComparativeExperiment,
  prices: ModelPrices | undefined,
): Promise<string> {
  typedReading("renderReport", () => checkComparative(experiment));
  const data: ComparativeData = { experiment, prices: prices ?? experiment.prices };
  const [{ documentOf }, files] = await onUse("The page of reports", () =>
    Promise.all([import("./document.js"), import("./comparative-files.js")]),
  );
  const json = typedReading("renderReport", () => JSON.stringify(data));
  return documentOf(data.experiment.experimentName, json, files);
}

const OPTIONS: Checks<ReportOptions> = {
  ...READING_OPTIONS,
  compareWith: anything,
  prices: aTableOfPrices,
};

/** The experiments in their order, all of which can be shown. */
function listOf(given: Experiment | readonly Experiment[], baseline: Experiment | undefined): Experiment[] {
  if (!Array.isArray(given)) {
    checkExperiment(given, "experiment");
    if (baseline === undefined) return [given as Experiment];
    checkExperiment(baseline, "experiment to compare with");
    return [baseline, given as Experiment];
  }
  if (!given.length) throw invalidConfig("renderReport was given an empty list; it needs an experiment");
  if (baseline !== undefined) {
    throw invalidConfig(
      "renderReport was given a list of experiments and compareWith; the first of a list is what the others are compared with",
    );
  }
  const all = Array.from(given as readonly Experiment[]);
  for (const [index, one] of all.entries())
    checkExperiment(one, all.length > 1 ? `experiment ${index + 1}` : "experiment");
  return all;
}
