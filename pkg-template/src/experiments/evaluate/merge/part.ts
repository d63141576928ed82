/** Reads the parts of an experiment. */

import { invalidInput } from "../../../core/errors.js";
import { checkExperiment } from "../../../core/records/check.js";
import { aShard } from "../../../core/records/shard.js";
import type {
  EvaluationResult,
  Experiment,
  ExperimentRow,
  Merging,
  Shard,
} from "../../../core/records/types.js";
import type { Settings } from "../options/settings.js";
import type { EvaluatorOutcome, FinishedRow } from "../rows/outcomes.js";
import { wrongRowCount } from "../sink/check-lines.js";
import { checkIsPath, ExperimentFile } from "../sink/experiment-file.js";
import { type Ending, finishedRow, type Header, incompleteFailure } from "../sink/format.js";
import { readExperiment } from "../sink/read.js";
import { RecordedMeans } from "../sink/recorded-means.js";

/** A row of a part. */
export interface PartRow {
  /** Its position in the part. */
  position: number;
  finished: FinishedRow;
}

/** The fields of a part that are known after all rows are read. */
type PartSummary = Pick<Experiment, "prices" | "durationMs" | "ignoredFields" | "stopped"> &
  Pick<Merging, "dataFingerprint">;

/** A part with unread rows. */
export interface ExperimentPart {
  /** Its name in messages. */
  name: string;
  heading: Pick<Experiment, "experimentName" | "metadata" | "startedAt">;
  shard: Shard;
  settings: Settings;
  /** Whether it is a file of a sink. */
  isSink: boolean;
  /** Its rows, and its summary at the end. */
  rows(): AsyncGenerator<PartRow, PartSummary>;
  /** Stops reading. */
  close(): Promise<unknown>;
}

/** Opens a part. */
export async function openPart(given: unknown, index: number): Promise<ExperimentPart> {
  const place = `experiments[${index}]`;
  if (typeof given !== "string") return partOf(given, place);
  checkIsPath(given, place);
  const file = new ExperimentFile(given);
  // The file is closed again, since there may be more parts than a process can open.
  for await (const _ of file.lines()) break;
  const { header } = file;
  if (!header) return partOf(await readExperiment(given), given);
  return partOfSink(given, header);
}

function partOfSink(name: string, header: Header): ExperimentPart {
  const file = new ExperimentFile(name);
  const lines = file.lines();
  const { experimentName, metadata, startedAt } = header;
  return {
    name,
    heading: { experimentName, ...(metadata && { metadata }), startedAt },
    shard: shardOf(header.shard, name),
    settings: header,
    isSink: true,
    close: () => lines.return(undefined),
    async *rows() {
      let ending: Ending | undefined;
      let count = 0;
      const means = new RecordedMeans();
      for (let next = await lines.next(); !next.done; next = await lines.next()) {
        const line = next.value;
        if ("end" in line) {
          ending = line.end;
          continue;
        }
        count++;
        const finished = finishedRow(line);
        for (const outcome of finished.outcomes) if (Array.isArray(outcome)) means.add(outcome);
        yield { position: line.position, finished };
      }
      const isComplete = ending?.rowCount === count;
      if (ending && !isComplete && !file.skipped) throw wrongRowCount(name, count, ending.rowCount);
      const { prices } = header;
      if (ending && isComplete) {
        means.check(ending.aggregates, name);
        return ending;
      }
      return {
        ...(prices && { prices }),
        durationMs: ending?.durationMs ?? 0,
        stopped: incompleteFailure(file),
      };
    },
  };
}

/** Opens a part in memory. */
function partOf(given: unknown, name: string): ExperimentPart {
  checkExperiment(given, name);
  const { rows, rowCount, shard, merging, experimentName, metadata, startedAt, ...rest } =
    given as Experiment;
  const { prices, durationMs, ignoredFields, stopped } = rest;
  const part = shardOf(shard, name);
  if (!isMerging(merging))
    throw invalidInput(
      `${name} cannot be merged: it lacks the field merging, which evaluate() records with a shard`,
    );
  if (rowCount && !rows.length) {
    throw invalidInput(
      `${name} did not keep its ${rowCount} rows, which merging needs. Pass the path of its sink, or output: { keepRows: true } to ` +
        "evaluate()",
    );
  }
  checkRowsAreComplete(name, given as Experiment);
  const means = new RecordedMeans();
  for (const { evaluationResults } of rows) means.add(evaluationResults);
  means.check(rest.aggregates, name);
  return {
    name,
    heading: { experimentName, ...(metadata && { metadata }), startedAt },
    shard: part,
    settings: merging,
    isSink: false,
    close: async () => {},
    async *rows() {
      const owners = new Map(merging.keys.flatMap((keys, owner) => keys.map((key) => [key, owner])));
      let example = -1;
      let [id, last] = ["", -1];
      for (const row of rows) {
        const { repetition } = row.run;
        // A stopped part may lack repetitions.
        if (example < 0 || row.example.id !== id || repetition <= last) example++;
        [id, last] = [row.example.id, repetition];
        const outcomes = outcomesOf(row, merging, owners, name);
        yield {
          position: example * merging.repetitions + repetition,
          finished: { example: row.example, cluster: row.cluster, run: row.run, outcomes },
        };
      }
      return {
        ...(prices && { prices }),
        durationMs,
        ...(ignoredFields && { ignoredFields }),
        ...(stopped && { stopped }),
        ...(merging.dataFingerprint !== undefined && { dataFingerprint: merging.dataFingerprint }),
      };
    },
  };
}

/** Rejects rows that lack results of the aggregates, as in a file whose last rows were removed, and rows that were added. */
function checkRowsAreComplete(name: string, { rows, aggregates }: Experiment): void {
  const found: Record<string, number> = Object.create(null);
  for (const { evaluationResults, errors } of rows)
    for (const { key } of [...evaluationResults, ...errors]) found[key] = (found[key] ?? 0) + 1;
  for (const [key, { count, errors, notApplicable, values = 0 }] of Object.entries(aggregates)) {
    const [own, all] = [found[key] ?? 0, count + errors + notApplicable + values];
    if (own !== all)
      throw invalidInput(
        `${name} is not complete: its rows have ${own} of the ${all} results of ${key}. Evaluate the shard again`,
      );
  }
}

function shardOf(shard: Shard | undefined, name: string): Shard {
  if (shard && aShard.test(shard)) return shard;
  const problem = shard ? `its shard is not ${aShard.wanted}` : "it has no shard";
  throw invalidInput(
    `${name} is not a part of an experiment: ${problem}. Create parts with the option shard of evaluate(), or with --shard`,
  );
}

const isMerging = (merging: Merging | undefined): merging is Merging =>
  Array.isArray(merging?.evaluators) && Array.isArray(merging.keys) && Number.isInteger(merging.repetitions);

/** Assigns results and errors to evaluators. A failed evaluator has an error for each of its keys. */
function outcomesOf(
  { example, evaluationResults, errors }: ExperimentRow,
  { evaluators, keys }: Merging,
  owners: ReadonlyMap<string, number>,
  name: string,
): EvaluatorOutcome[] {
  const found = evaluators.map((): EvaluationResult[] => []);
  const stranger = (key: string) =>
    invalidInput(`${name} has ${key} in the row ${JSON.stringify(example.id)}, but no evaluator for it`);
  for (const result of evaluationResults) {
    const own = found[owners.get(result.key) ?? -1];
    if (!own) throw stranger(result.key);
    own.push(result);
  }
  let next = 0;
  const outcomes = found.map((results, index): EvaluatorOutcome => {
    const own = keys[index]?.length ? (keys[index] as string[]) : [evaluators[index] as string];
    const failure = errors[next];
    if (results.length || !failure || failure.key !== own[0]) return results;
    next += own.length;
    return failure.error;
  });
  if (next < errors.length) throw stranger(errors[next]?.key as string);
  return outcomes;
}
