/** Parts of an experiment, as they are given. */

import { invalidInput } from "../../../core/errors.js";
import type {
  EvaluationResult,
  Experiment,
  ExperimentRow,
  Merging,
  Shard,
} from "../../../core/records/types.js";
import { checkExperiment } from "../../stored/check.js";
import type { EvaluatorOutcome, FinishedRow } from "../rows/outcomes.js";
import type { Settings } from "../settings.js";
import { ExperimentFile } from "../sink/experiment-file.js";
import { type Ending, finishedRow, type Header, notWhole } from "../sink/format.js";
import { readExperiment } from "../sink/read.js";

/** A row of a part. */
export interface PartRow {
  /** Where it stands in the part. */
  position: number;
  finished: FinishedRow;
  /** What it belongs to, where that was recorded. */
  cluster: string | undefined;
}

/** What is known of a part when all of its rows have been read. */
type PartSummary = Pick<Experiment, "prices" | "durationMs" | "ignoredFields" | "stopped"> &
  Pick<Merging, "dataFingerprint">;

/** A part, of which the rows have not been read yet. */
export interface ExperimentPart {
  /** What messages call it. */
  name: string;
  heading: Pick<Experiment, "experimentName" | "metadata" | "startedAt">;
  shard: Shard;
  settings: Settings;
  /** Whether it is the file of a sink. */
  isSink: boolean;
  /** Its rows, and how it has ended. */
  rows(): AsyncGenerator<PartRow, PartSummary>;
  /** Ends the reading, wherever it is. */
  close(): Promise<unknown>;
}

/** Opens a part. */
export async function openPart(given: unknown, index: number): Promise<ExperimentPart> {
  const name = typeof given === "string" ? given : `experiments[${index}]`;
  if (typeof given !== "string") return partOf(given, name);
  const file = new ExperimentFile(given);
  // It does not stay open: there may be more parts than a process may have files.
  for await (const _ of file.lines()) break;
  const { header } = file;
  if (!header) return partOf(await readExperiment(given), name);
  return partOfSink(name, header);
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
      for (let next = await lines.next(); !next.done; next = await lines.next()) {
        const line = next.value;
        if ("end" in line) {
          ending = line.end;
          continue;
        }
        count++;
        yield { position: line.position, finished: finishedRow(line), cluster: line.cluster };
      }
      const isWhole = ending?.rowCount === count;
      if (ending && !isWhole && !file.skipped)
        throw invalidInput(`${name} has ${count} rows, and says that it has ${ending.rowCount}`);
      const { prices } = header;
      if (ending && isWhole) return ending;
      return { ...(prices && { prices }), durationMs: ending?.durationMs ?? 0, stopped: notWhole(file) };
    },
  };
}

/** One that is in memory. */
function partOf(given: unknown, name: string): ExperimentPart {
  checkExperiment(given, name);
  const { rows, rowCount, shard, merging, experimentName, metadata, startedAt, ...rest } =
    given as Experiment;
  const { prices, durationMs, ignoredFields, stopped } = rest;
  const part = shardOf(shard, name);
  if (!isMerging(merging))
    throw invalidInput(
      `${name} has no merging, which evaluate() records with a shard, so that it cannot be merged`,
    );
  if (rowCount && !rows.length) {
    throw invalidInput(
      `${name} has not kept its ${rowCount} rows, which merging needs; pass the path of its sink, or keepRows: true to ` +
        "evaluate()",
    );
  }
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
        // Of one that was stopped, repetitions may be missing.
        if (example < 0 || row.example.id !== id || repetition <= last) example++;
        [id, last] = [row.example.id, repetition];
        const outcomes = outcomesOf(row, merging, owners, name);
        yield {
          position: example * merging.repetitions + repetition,
          finished: { example: row.example, run: row.run, outcomes },
          cluster: undefined,
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

function shardOf(shard: Shard | undefined, name: string): Shard {
  const { index, count } = shard ?? {};
  if (Number.isInteger(index) && Number.isInteger(count)) return shard as Shard;
  throw invalidInput(
    `${name} is no part of an experiment: it has no shard. Parts come of evaluate() with a shard, and of --shard`,
  );
}

const isMerging = (merging: Merging | undefined): merging is Merging =>
  Array.isArray(merging?.evaluators) && Array.isArray(merging.keys) && Number.isInteger(merging.repetitions);

/** Whose results are whose. A failure stands in a row once for each key of its evaluator. */
function outcomesOf(
  { example, evaluationResults, errors }: ExperimentRow,
  { evaluators, keys }: Merging,
  owners: ReadonlyMap<string, number>,
  name: string,
): EvaluatorOutcome[] {
  const found = evaluators.map((): EvaluationResult[] => []);
  const stranger = (key: string) =>
    invalidInput(`${name} has ${key} in the row ${JSON.stringify(example.id)}, and no evaluator for it`);
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
