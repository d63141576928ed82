/** The index: one HTML file over many experiments, with links to their reports. */

import { invalidConfig, typedReading } from "../../../core/errors.js";
import { aString, type Checks, checkOptions, isListOf } from "../../../core/input/checks.js";
import { onUse } from "../../../core/platform/on-use.js";
import { type ModelPrices, PriceList } from "../../../core/records/prices.js";
import { rowCountOf } from "../../../core/records/row-count.js";
import type { Experiment, ExperimentRow } from "../../../core/records/types.js";
import { Account } from "../../stored/account.js";
import { checkExperiment } from "../../stored/check.js";
import { aTableOfPrices } from "../../stored/table-of-prices.js";
import type { IndexData, IndexEntry } from "./data.js";

/** An experiment of an index. */
export interface ReportIndexEntry {
  experiment: Experiment;
  /** The address of its report, beside the index or elsewhere on the web. */
  href?: string | undefined;
}

/** The options of {@link renderReportIndex}. */
export interface ReportIndexOptions {
  /** The heading; `Experiments` by default. */
  title?: string | undefined;
  /** What the tokens of judges cost, as in the reports. */
  prices?: ModelPrices | undefined;
}

/**
 * Makes one HTML file that lists experiments: date, rows, means with their intervals, what the judges used, and a link to
 * each report. Experiments whose names begin alike (`experimentPrefix`) stand in one table, the newest first, with the
 * trend of each key. Like a report, the file needs no network and allows none.
 *
 * @throws {@link OpenEvalsError} `invalid_config` for options and addresses that cannot work, `invalid_input` for what is
 * no experiment.
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
    if (!isListOf(entries, (entry) => typeof entry === "object" && entry !== null)) {
      throw invalidConfig("renderReportIndex needs a list of { experiment, href }");
    }
    return entries.map(({ experiment, href }, index) => {
      checkExperiment(experiment, `experiment of entry ${index}`);
      return indexEntry(experiment, href, prices);
    });
  });
  return indexOfEntries(read, { title, prices });
}

const OPTIONS: Checks<ReportIndexOptions> = { title: aString, prices: aTableOfPrices };

/** What the index has of the rows of an experiment, which need not be kept. */
export class RowTotals {
  /** How many runs have failed. */
  failedRuns = 0;
  /** What judges used. */
  readonly account = new Account();

  add({ run, evaluationResults }: ExperimentRow): void {
    if (run.error) this.failedRuns++;
    for (const result of evaluationResults) this.account.add(result);
  }
}

/**
 * What the index has of an experiment.
 *
 * @param totals Of its rows, if they were not kept.
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
    throw invalidConfig(`href is ${JSON.stringify(href)}; it has to be the address of a report`);
  }
  return {
    ...figures,
    href,
    rows: rowCountOf(experiment),
    failedRuns: totals.failedRuns,
    bill: totals.account.bill(new PriceList(prices ?? experiment.prices ?? {})),
    // Values of summary evaluators, such as matrices, are for the reports.
    summaryResults: figures.summaryResults.map(({ key, score, interval }) => ({
      key,
      ...(score !== undefined && { score }),
      ...(interval && { interval }),
    })),
  };
}

/** Whether an address is relative or one of HTTP: nothing else is a report. */
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
  const [{ documentOf }, files] = await onUse("The page of reports", () =>
    Promise.all([import("./document.js"), import("./index-files.js")]),
  );
  const hasPrices = entries.some((entry) => Object.keys(prices ?? entry.prices ?? {}).length);
  const data: IndexData = { title, hasPrices, entries: [...entries].sort(newestFirst) };
  const json = typedReading("renderReportIndex", () => JSON.stringify(data));
  return documentOf(title, json, files);
}

/** By their dates, and where these are the same by their names. */
function newestFirst(one: IndexEntry, other: IndexEntry): number {
  const [a, b] = [one, other].map(({ startedAt, experimentName }) => `${startedAt} ${experimentName}`);
  return a === b ? 0 : (a as string) < (b as string) ? 1 : -1;
}
