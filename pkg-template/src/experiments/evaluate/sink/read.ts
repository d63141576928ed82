/** Reads experiments from files. */

import { invalidInput, typedWork } from "../../../core/errors.js";
import { aFlag, aFunction, checkOptions, type OptionChecks, show } from "../../../core/input/checks.js";
import { type AllFields, definedFields } from "../../../core/input/objects.js";
import { builtin } from "../../../core/platform/builtin.js";
import { checkExperiment } from "../../../core/records/check.js";
import { rowCountOf } from "../../../core/records/row-count.js";
import type { Experiment, ExperimentRow, Merging } from "../../../core/records/types.js";
import { callUserFunction } from "../../../core/user-function.js";
import { scalesOf } from "../options/pass-marks.js";
import type { Settings } from "../options/settings.js";
import { Results } from "../rows/results.js";
import { wrongRowCount } from "./check-lines.js";
import { checkIsPath, ExperimentFile } from "./experiment-file.js";
import { type Ending, finishedRow, type Header, incompleteFailure } from "./format.js";
import { RecordedMeans } from "./recorded-means.js";

/** The options of {@link readExperiment}. */
export interface ReadExperimentOptions {
  /** Whether the experiment has its rows, which takes memory; `true` by default. Without them it has the figures. */
  keepRows?: boolean | undefined;
  /**
   * Called with each row as it is read, in the order of the file. With `keepRows: false`, a file of any size can be read this
   * way: a promise that it returns is awaited before the next row is read. If it throws, reading ends with
   * `callback_failed`.
   */
  onRow?: ((row: ExperimentRow) => unknown) | undefined;
}

const OPTIONS: OptionChecks<ReadExperimentOptions> = { keepRows: aFlag, onRow: aFunction };

/**
 * Reads an experiment: from a file that it was written to as its `sink`, or from its JSON.
 *
 * An unfinished experiment (still running, or killed) has its finished rows and their figures; `stopped` reports it. A row that
 * is only half written is left out.
 *
 * The number of scores and the mean of each key have to agree with the rows. Other figures (intervals, summary results, tokens and
 * costs) are returned as they were recorded.
 *
 * @throws {@link OpenEvalsError} `invalid_config` without a file system, `invalid_input` for a file that cannot be read, is
 * not an experiment, or whose means do not agree with its rows.
 *
 * @example
 * ```ts
 * import { compareExperiments, readExperiment } from "openevals-wasm/evaluation";
 *
 * export async function difference(before: string, after: string) {
 *   const { exact_match } = await compareExperiments(await readExperiment(before), await readExperiment(after));
 *   return exact_match?.difference;
 * }
 * ```
 */
export async function readExperiment(path: string, options: ReadExperimentOptions = {}): Promise<Experiment> {
  const { keepRows = true, onRow } = checkOptions("readExperiment", options, OPTIONS);
  const visitRow = async (row: ExperimentRow) => {
    await callUserFunction("onRow", () => onRow?.(row));
  };
  return typedWork("readExperiment", async () => {
    if (!isPath(path)) throw invalidInput(`readExperiment needs the path of a file, and got ${show(path)}`);
    checkIsPath(String(path), "The path");
    return read(path, keepRows, onRow && visitRow);
  });
}

const isPath = (path: unknown): boolean => (typeof path === "string" && path !== "") || path instanceof URL;

async function read(
  path: string,
  keepRows: boolean,
  visitRow: ((row: ExperimentRow) => Promise<void>) | undefined,
): Promise<Experiment> {
  const file = new ExperimentFile(path);
  let results: Results | undefined;
  let ending: Ending | undefined;
  const means = new RecordedMeans();
  for await (const line of file.lines()) {
    results ??= resultsOf(file.header as Header, keepRows);
    if ("end" in line) ending = line.end;
    else {
      const row = results.add(line.position, finishedRow(line));
      means.add(row.evaluationResults);
      if (visitRow) await visitRow(row);
    }
  }
  const { header } = file;
  if (!header) return readJsonExperiment(path, keepRows, visitRow);
  results ??= resultsOf(header, keepRows);
  const isComplete = ending?.rowCount === results.count;
  if (ending && !isComplete && !file.skipped) throw wrongRowCount(path, results.count, ending.rowCount);
  if (ending && isComplete) means.check(ending.aggregates, path);
  const { experimentName, metadata, startedAt, shard, seed, calibration, prices } = header;
  const scales = scalesOf(header, results.keys());
  const {
    rowCount: _,
    dataFingerprint,
    ...figures
  }: Ending = (isComplete && ending) || {
    aggregates: await results.aggregates({ seed, calibration: calibration ?? {}, prices, scales }),
    ...(scales && { scales }),
    summaryResults: [],
    ...results.used(prices),
    durationMs: ending?.durationMs ?? 0,
    stopped: incompleteFailure(file),
    rowCount: results.count,
  };
  return {
    experimentName,
    ...(metadata && { metadata }),
    startedAt,
    ...(shard && { shard, merging: mergingOf(header, results.keys(), dataFingerprint) }),
    rows: results.rows(),
    ...results.counts(scales),
    ...figures,
  };
}

const resultsOf = ({ evaluators, repetitions }: Header, keepRows: boolean): Results =>
  new Results({ names: evaluators, repetitions, keepRows });

/** Reads an experiment that was saved with `JSON.stringify`. */
async function readJsonExperiment(
  path: string,
  keepRows: boolean,
  visitRow: ((row: ExperimentRow) => Promise<void>) | undefined,
): Promise<Experiment> {
  const { readFile } = builtin("node:fs/promises", "readExperiment needs a file system");
  let experiment: Experiment | undefined;
  try {
    experiment = JSON.parse((await readFile(path, "utf8")).replace(/^\ufeff/, ""));
  } catch {
    // Not valid JSON; reported below.
  }
  if (!Array.isArray(experiment?.rows) || typeof experiment.aggregates !== "object")
    throw invalidInput(`${path} is not an experiment file. Write one with score --output`);
  checkExperiment(experiment, `experiment in ${path}`);
  if (experiment.rows.length) {
    const means = new RecordedMeans();
    for (const { evaluationResults } of experiment.rows) means.add(evaluationResults);
    means.check(experiment.aggregates, path);
  }
  if (visitRow) for (const row of experiment.rows) await visitRow(row);
  return keepRows ? experiment : { ...experiment, rows: [], rowCount: rowCountOf(experiment) };
}

/** The data of a part that merging needs, from the header of its file. */
function mergingOf(header: Settings, keys: string[][], dataFingerprint: string | undefined): Merging {
  const fields: AllFields<Merging> = {
    evaluators: header.evaluators,
    keys,
    repetitions: header.repetitions,
    hasTarget: header.hasTarget,
    clusterBy: header.clusterBy,
    seed: header.seed,
    calibration: header.calibration,
    scales: header.scales,
    passAt: header.passAt,
    lowerIsBetter: header.lowerIsBetter,
    optionalKeys: header.optionalKeys,
    dataFingerprint,
  };
  return definedFields(fields) as Merging;
}
