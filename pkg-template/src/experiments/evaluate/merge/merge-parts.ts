/** Merges parts into an experiment. */

import { invalidConfig, invalidInput } from "../../../core/errors.js";
import { withStop } from "../../../core/full-stop.js";
import { show } from "../../../core/input/checks.js";
import { JudgeModels } from "../../../core/records/judge-models.js";
import type { Experiment, ExperimentRow, SummaryResult } from "../../../core/records/types.js";
import { unknownKey } from "../../../core/records/unknown-key.js";
import { toPlain } from "../../../evaluators/calls/plain.js";
import { SparseArray } from "../../statistics/arrays.js";
import { CalibratedJudges } from "../../statistics/calibrated-judges.js";
import { clusterOf } from "../../statistics/clusters.js";
import { sharedPrices } from "../budget/shared-prices.js";
import { Fingerprints } from "../fingerprint.js";
import { differentFields, MixtureWarnings } from "../mixture-warnings.js";
import { passAtProblem, scalesOf, withSummaries } from "../options/pass-marks.js";
import type { FinishedRow } from "../rows/outcomes.js";
import { Results } from "../rows/results.js";
import { checkRowsAreKept, summaries } from "../summary-evaluators.js";
import { withFinished } from "../with-finished.js";
import { checkTogether } from "./belonging.js";
import type { MergeOptions } from "./options.js";
import { type ExperimentPart, openPart } from "./part.js";

/** Merges experiments and files. */
export async function merged(given: unknown, options: MergeOptions): Promise<Experiment> {
  if (!Array.isArray(given) || !given.length)
    throw invalidInput("mergeExperiments needs a list of experiments, or of paths of files");
  const parts: ExperimentPart[] = [];
  try {
    for (const [index, one] of given.entries()) parts.push(await openPart(one, index));
    parts.sort((a, b) => a.shard.index - b.shard.index);
    return await mergedParts(parts as [ExperimentPart, ...ExperimentPart[]], options);
  } finally {
    for (const part of parts) await part.close();
  }
}

async function mergedParts(
  parts: [ExperimentPart, ...ExperimentPart[]],
  options: MergeOptions,
): Promise<Experiment> {
  const { summaryEvaluators = [], partial = false } = options;
  const missing = checkTogether(parts, partial);
  const { evaluators, repetitions, seed, calibration = {}, lowerIsBetter } = parts[0].settings;
  const { keepRows = !parts.some(({ isSink }) => isSink) } = options.output ?? {};
  checkRowsAreKept(summaryEvaluators, keepRows);
  const judges = new CalibratedJudges(calibration);
  const onRow = (_: number, row: ExperimentRow) => judges.add(row);
  const results = new Results({ names: evaluators, repetitions, keepRows, onRow });
  const all = await addRows(parts, results, options);
  const scales = scalesOf(parts[0].settings, results.keys());
  const aggregates = await results.aggregates({ seed, calibration, prices: all.prices, scales });
  const found: SummaryResult[][] = [];
  if (!all.stopped)
    for await (const one of summaries(summaryEvaluators, () => ({
      rows: results.rows(),
      ...(scales && { scales }),
    })))
      found.push(one);
  const experiment: Experiment = {
    ...headingOf(parts, options),
    rows: results.rows(),
    ...results.counts(scales),
    aggregates,
    ...(scales && { scales: withSummaries(scales, summaryEvaluators, found, lowerIsBetter) }),
    summaryResults: found.flat(),
    ...results.used(all.prices),
    ...all,
    ...(missing.length ? { missingShards: missing } : undefined),
  };
  // A missing part may have the key.
  const isWhole = !all.stopped && !missing.length && results.count > 0;
  const problem = isWhole
    ? (unknownKey("calibration", Object.keys(calibration), aggregates) ??
      judges.problem() ??
      passAtProblem(parts[0].settings, results.keys(), aggregates))
    : undefined;
  if (problem) throw withFinished("mergeExperiments", problem, { experiment });
  return experiment;
}

/** The name, the start and the metadata of the merged experiment. */
function headingOf(
  parts: readonly [ExperimentPart, ...ExperimentPart[]],
  { experimentName, metadata }: MergeOptions,
) {
  const [{ heading }] = parts;
  const recorded = metadata
    ? (toPlain(metadata, "metadata") as Experiment["metadata"])
    : sharedMetadata(parts);
  const starts = parts.map((part) => part.heading.startedAt);
  return {
    experimentName: experimentName ?? heading.experimentName,
    ...(recorded && { metadata: recorded }),
    startedAt: starts.reduce((first, one) => (Date.parse(one) < Date.parse(first) ? one : first)),
  };
}

/** The metadata fields that all parts share; `undefined` without metadata. */
function sharedMetadata(parts: readonly [ExperimentPart, ...ExperimentPart[]]): Experiment["metadata"] {
  const [first, ...others] = parts.map(({ heading }) => heading.metadata);
  if (!first) return undefined;
  const differing = new Set(others.flatMap((other) => differentFields(first, other)));
  return Object.fromEntries(Object.entries(first).filter(([field]) => !differing.has(field)));
}

/** Adds the rows of all parts, and returns the fields that are known after that. */
async function addRows(
  parts: readonly ExperimentPart[],
  results: Results,
  { clusterBy, partial = false, budget }: MergeOptions,
): Promise<Pick<Experiment, "prices" | "durationMs" | "ignoredFields" | "stopped">> {
  const ids = new Fingerprints();
  const firstIds = new Map<string, string>();
  const ignored = new Set<string>();
  const sizes: { name: string; examples: number }[] = [];
  const counted: Parameters<typeof sharedPrices>[0][number][] = [];
  const judged: { name: string; known: JudgeModels }[] = [];
  let durationMs = 0;
  let stopped: Experiment["stopped"];
  let known: { name: string; dataFingerprint: string } | undefined;
  for (const part of parts) {
    const { name, settings } = part;
    const { rowCount, models, ended } = await addPart(part, results, { ids, firstIds }, clusterBy);
    counted.push({ name, prices: ended.prices });
    judged.push({ name, known: models });
    const { dataFingerprint } = ended;
    if (dataFingerprint !== undefined) known ??= { name, dataFingerprint };
    if (known && dataFingerprint !== undefined && dataFingerprint !== known.dataFingerprint)
      throw invalidInput(
        `${known.name} and ${name} are not parts of the same data: the ids, inputs, outputs or answers of their rows differ`,
      );
    durationMs = Math.max(durationMs, ended.durationMs);
    for (const field of ended.ignoredFields ?? []) ignored.add(field);
    if (!ended.stopped) sizes.push({ name, examples: rowCount / settings.repetitions });
    else if (partial) stopped ??= ended.stopped;
    else {
      const why = withStop(ended.stopped.message);
      throw invalidInput(
        `${name} ended early: ${why} Continue it with output.resume, or pass partial: true to merge its finished rows`,
      );
    }
  }
  checkSizes(sizes);
  warnOfMixture(parts, judged);
  const shared = budget?.prices ?? sharedPrices(counted);
  return {
    ...(shared ? { prices: shared } : undefined),
    durationMs,
    ...(ignored.size ? { ignoredFields: [...ignored] } : undefined),
    ...(stopped ? { stopped } : undefined),
  };
}

/** The rows of earlier parts. */
interface KnownRows {
  ids: Fingerprints;
  /** The part that begins with an id. */
  firstIds: Map<string, string>;
}

/** The error for a row of two parts. If both begin with it, they are probably one shard under two numbers. */
const sharedRow = (name: string, id: string, twin: string | undefined) =>
  invalidInput(
    twin === undefined
      ? `${name} has the row ${show(id)}, which is also in another shard`
      : `${twin} and ${name} look like the same shard: both begin with the row ${show(id)}`,
  );

/** Adds the rows of a part at their positions in the whole. */
async function addPart(
  part: ExperimentPart,
  results: Results,
  { ids, firstIds }: KnownRows,
  clusterBy: MergeOptions["clusterBy"],
) {
  const { index, count } = part.shard;
  const { repetitions } = part.settings;
  const clustered = clusters(part, clusterBy);
  const seen = new SparseArray(Uint8Array);
  const models = new JudgeModels();
  let rowCount = 0;
  const rows = part.rows();
  for (let next = await rows.next(); ; next = await rows.next()) {
    if (next.done) return { rowCount, models, ended: next.value };
    const { position, finished } = next.value;
    const place = Math.floor(position / repetitions);
    if (!seen.at(place)) {
      seen.set(place, 1);
      const { id } = finished.example;
      if (!ids.add(id)) throw sharedRow(part.name, id, rowCount ? undefined : firstIds.get(id));
      if (!rowCount) firstIds.set(id, part.name);
    }
    rowCount++;
    const among = (place * count + index - 1) * repetitions + (position % repetitions);
    models.add(results.add(among, { ...finished, cluster: clustered(finished) }));
  }
}

/** The function for the cluster of a row, if there are clusters. */
function clusters(
  { name, settings }: ExperimentPart,
  wanted: MergeOptions["clusterBy"],
): (row: FinishedRow) => string | undefined {
  if (wanted !== undefined) return ({ example }) => clusterOf({ example }, wanted);
  const { clusterBy } = settings;
  if (clusterBy === undefined) return () => undefined;
  return ({ example, cluster }) => {
    if (cluster !== undefined) return cluster;
    if (clusterBy !== "function") return clusterOf({ example }, clusterBy);
    throw invalidConfig(
      `${name} does not contain the results of the function clusterBy. Pass clusterBy, or the path of the part's sink`,
    );
  };
}

/** Warns if other judges scored a part, or if its metadata differs from that of the first. */
function warnOfMixture(
  parts: readonly ExperimentPart[],
  judged: readonly { name: string; known: JudgeModels }[],
): void {
  const warnings = new MixtureWarnings("evaluate one of the shards again");
  for (const [index, later] of judged.entries())
    for (const earlier of judged.slice(0, index)) warnings.compareJudges(earlier, later);
  const [first, ...others] = parts.map(({ name, heading }) => ({ name, known: heading.metadata }));
  if (first) for (const other of others) warnings.compareMetadata(first, other);
}

/** Checks that a part has as many examples as the part before it, or one less than the first. */
function checkSizes(sizes: readonly { name: string; examples: number }[]): void {
  for (const [place, { name, examples }] of sizes.entries()) {
    const [first, before] = [sizes[0], sizes[place - 1]];
    if (!first || !before || (examples <= before.examples && examples >= first.examples - 1)) continue;
    const other = examples > before.examples ? before : first;
    throw invalidInput(
      `${other.name} has ${other.examples} examples, and ${name} has ${examples}: they are not parts of the same data`,
    );
  }
}
