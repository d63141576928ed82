/** The index of reports: an HTML file that lists experiments and links to their reports. */

import { invalidConfig, typedReading } from "../../core/errors.js";
import { aString, checkOptions, isListOf, type OptionChecks } from "../../core/input/checks.js";
import { isObject } from "../../core/input/objects.js";
import { onUse } from "../../core/platform/on-use.js";
import { checkExperiment } from "../../core/records/check.js";
import { type ModelPrices, PriceList } from "../../core/records/prices.js";
import { rowCountOf } from "../../core/records/row-count.js";
import { aTableOfPrices } from "../../core/records/table-of-prices.js";
import type { Experiment, ExperimentRow } from "../../core/records/types.js";
import { Account, chargesOf } from "../../experiments/stored/account.js";
import type { IndexData, IndexEntry } from "./data.js";

/** An experiment of an index. */
export interface ReportIndexEntry {
  experiment: Experiment;
  /** The URL of its report: relative to the index, or with `http` or `https`. */
  href?: string | undefined;
}

/** The options of {@link renderReportIndex}. */
export interface ReportIndexOptions {
  /** The heading. Default: `Experiments`. */
  title?: string | undefined;
  /** The prices of the judges' tokens by model, as in {@link ReportOptions}. */
  prices?: ModelPrices | undefined;
}

/**
 * Makes an HTML file that lists experiments: date, rows, means with intervals, tokens and cost of the judges, and a link to each
 * report. Experiments with the same `experimentPrefix` are in one table, the newest first, with the trend of each key; so are the
 * combinations of a matrix, without a trend. Like a report, the file is self-contained and blocks network access.
 *
 * @returns The HTML.
 * @throws {@link OpenEvalsError} `invalid_config` for invalid options and URLs, `invalid_input` for an invalid experiment.
 *
 * @example
 * ```ts
 * import { type Experiment, renderReportIndex } from "openevals-wasm/evaluation";
 *
 * export const indexOf = (experiments: Experiment[]) =>
 *   renderReportIndex(experiments.map((experiment) => ({ experiment, href: `${experiment.experimentName}.html` })));
 * ```
 */
export async function renderReportIndex(
  entries: readonly ReportIndexEntry[],
  options: ReportIndexOptions = {},
): Promise<string> {
  const { title, prices } = checkOptions("renderReportIndex", options, OPTIONS);
  const read = typedReading("renderReportIndex", () => {
    if (!isListOf(entries, isObject)) {
      throw invalidConfig("renderReportIndex needs a list of { experiment, href }");
    }
    return entries.map(({ experiment, href }, index) => {
      checkExperiment(experiment, `experiment of entry ${index}`);
      return indexEntry(experiment, href, prices);
    });
  });
  return indexOfEntries(read, { title, prices });
}

const OPTIONS: OptionChecks<ReportIndexOptions> = { title: aString, prices: aTableOfPrices };

/** The totals that the index needs of an experiment's rows, so that these need not be kept. */
export class RowTotals {
  failedRuns = 0;
  readonly account = new Account();

  add(row: ExperimentRow): void {
    if (row.run.error) this.failedRuns++;
    for (const charge of chargesOf(row)) this.account.add(charge);
  }
}

/**
 * The entry of an experiment in the index.
 *
 * @param totals The totals of its rows, if these were not kept.
 */
export function indexEntry(
  experiment: Experiment,
  href: string | undefined,
  prices: ModelPrices | undefined,
  totals = new RowTotals(),
): IndexEntry {
  const { rows, rowCount, ...figures } = experiment;
  for (const row of rows) totals.add(row);
  if (href !== undefined && !leadsToWeb(href)) {
    throw invalidConfig(
      `href is ${JSON.stringify(href)}; it has to be the URL of a report, relative or with http(s)`,
    );
  }
  return {
    ...figures,
    href,
    rows: rowCountOf(experiment),
    failedRuns: totals.failedRuns,
    bill: totals.account.bill(new PriceList(prices ?? experiment.prices ?? {})),
    // The index does not show values of summary evaluators, such as matrices.
    summaryResults: figures.summaryResults.map(({ key, score, interval }) => ({
      key,
      ...(score !== undefined && { score }),
      ...(interval && { interval }),
    })),
  };
}

/** Whether a URL is relative or has HTTP: others, such as `javascript:`, are unsafe. */
function leadsToWeb(href: unknown): boolean {
  try {
    return typeof href === "string" && /^https?:$/.test(new URL(href, "https://example.com/").protocol);
  } catch {
    return false;
  }
}

export async function indexOfEntries(
  entries: IndexEntry[],
  { title = "Experiments", prices }: ReportIndexOptions,
): Promise<string> {
  const [{ documentOf }, files] = await onUse("The report page", () =>
    Promise.all([import("./document.js"), import("./index-files.js")]),
  );
  const hasPrices = entries.some((entry) => Object.keys(prices ?? entry.prices ?? {}).length);
  const data: IndexData = { title, hasPrices, entries: [...entries].sort(newestFirst) };
  const json = typedReading("renderReportIndex", () => JSON.stringify(data));
  return documentOf(title, json, files);
}

/** By date, then by name. */
function newestFirst(one: IndexEntry, other: IndexEntry): number {
  const [a, b] = [one, other].map(({ startedAt, experimentName }) => `${startedAt} ${experimentName}`);
  return a === b ? 0 : (a as string) < (b as string) ? 1 : -1;
}
