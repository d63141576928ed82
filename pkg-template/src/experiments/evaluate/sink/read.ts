/** Experiments in files, read back. */

import { invalidInput, typedWork } from "../../../core/errors.js";
import { aFlag, type Checks, checkOptions } from "../../../core/input/checks.js";
import { builtin } from "../../../core/platform/builtin.js";
import { rowCountOf } from "../../../core/records/row-count.js";
import type { Experiment, ExperimentRow } from "../../../core/records/types.js";
import { checkExperiment } from "../../stored/check.js";
import { Results } from "../rows/results.js";
import { scalesOf } from "../scales.js";
import { mergingOf } from "../settings.js";
import { ExperimentFile } from "./experiment-file.js";
import { type Ending, finishedRow, type Header, notWhole } from "./format.js";

/** The options of {@link readExperiment}. */
export interface ReadExperimentOptions {
  /** Whether the experiment has its rows, which takes memory; `true` by default. Without them it has the figures. */
  keepRows?: boolean | undefined;
}

const OPTIONS: Checks<ReadExperimentOptions> = { keepRows: aFlag };

/**
 * Reads an experiment: from a file that it was written to as its `sink`, or from what `JSON.stringify` made of it.
 *
 * One that has not ended (it is still running, or was killed) has the rows that are there, the figures of these, and says so
 * in `stopped`. A row that is only half written is left out.
 *
 * @throws {@link OpenEvalsError} `invalid_config` where there are no files, `invalid_input` for a file that cannot be read, or
 * holds no experiment.
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
  const { keepRows = true } = checkOptions("readExperiment", options, OPTIONS);
  return typedWork("readExperiment", () => read(path, keepRows));
}

/**
 * The same of a file that a sink has written, without keeping its rows: each is looked at on the way. Nothing for a file
 * that holds something else, such as data.
 */
export async function readSink(
  path: string,
  look: (row: ExperimentRow) => void,
): Promise<Experiment | undefined> {
  return typedWork("readExperiment", async () => {
    return (await isSink(path)) ? read(path, false, look) : undefined;
  });
}

async function isSink(path: string): Promise<boolean> {
  const file = new ExperimentFile(path);
  for await (const _ of file.lines()) break;
  return file.header !== undefined;
}

async function read(
  path: string,
  keepRows: boolean,
  look?: (row: ExperimentRow) => void,
): Promise<Experiment> {
  const file = new ExperimentFile(path);
  let results: Results | undefined;
  let ending: Ending | undefined;
  for await (const line of file.lines()) {
    results ??= resultsOf(file.header as Header, keepRows);
    if ("end" in line) ending = line.end;
    else {
      const row = results.add(line.position, finishedRow(line), line.cluster);
      look?.(row);
    }
  }
  const { header } = file;
  if (!header) return whole(path, keepRows);
  results ??= resultsOf(header, keepRows);
  const isWhole = ending?.rowCount === results.count;
  if (ending && !isWhole && !file.skipped)
    throw invalidInput(`${path} has ${results.count} rows, and says that it has ${ending.rowCount}`);
  const { experimentName, metadata, startedAt, shard, seed, calibration, prices } = header;
  const scales = scalesOf(header, results.keys());
  const { rowCount, dataFingerprint, ...figures }: Ending = (isWhole && ending) || {
    aggregates: await results.aggregates({ seed, calibration: calibration ?? {}, prices }),
    ...(scales && { scales }),
    summaryResults: [],
    ...results.used(prices),
    durationMs: ending?.durationMs ?? 0,
    stopped: notWhole(file),
    rowCount: results.count,
  };
  return {
    experimentName,
    ...(metadata && { metadata }),
    startedAt,
    ...(shard && { shard, merging: mergingOf(header, results.keys(), dataFingerprint) }),
    rows: results.rows(),
    ...(keepRows ? undefined : { rowCount }),
    ...figures,
  };
}

const resultsOf = ({ evaluators, repetitions }: Header, keepRows: boolean): Results =>
  new Results({ names: evaluators, repetitions, clusterBy: undefined, keepRows });

/** What `JSON.stringify` made of an experiment. */
async function whole(path: string, keepRows: boolean): Promise<Experiment> {
  const { readFile } = builtin("node:fs/promises", "experiments are read where there are files");
  let experiment: Experiment | undefined;
  try {
    experiment = JSON.parse(await readFile(path, "utf8"));
  } catch {
    // No JSON: said below.
  }
  if (!Array.isArray(experiment?.rows) || typeof experiment.aggregates !== "object")
    throw invalidInput(`${path} holds no experiment; score --output writes one`);
  checkExperiment(experiment, `experiment in ${path}`);
  return keepRows ? experiment : { ...experiment, rows: [], rowCount: rowCountOf(experiment) };
}
