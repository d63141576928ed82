/** The data and the results of jobs. */

import { invalidInput } from "../../core/errors.js";
import { anObject, aString } from "../../core/input/checks.js";
import { aShard, MAX_SHARDS } from "../../core/records/shard.js";
import type { Shard } from "../../core/records/types.js";
import type { DataRow } from "../../evaluation.js";
import type { Signature } from "./definition.js";

/** Identifies jobs of this package. Jobs of another version are rejected, since their data may differ. */
export const FORMAT = "openevals-wasm shard 1";

/** The data of a job: a shard with its rows or their location. */
export interface ShardJob {
  format: string;
  /** The id of the experiment. */
  experiment: string;
  shard: Shard;
  signature: Signature;
  metadata?: Record<string, unknown>;
  /** The rows of the shard, with ids. */
  rows?: DataRow[];
  /** The location of the rows, if they are not in the job. */
  source?: unknown;
  /** The fields of the data that nothing reads. `rows` does not contain them. */
  ignoredFields?: string[];
}

/** The result of a job: the compressed lines of the shard's sink, or their key in the store. */
export type ShardResult = { rowCount: number; lines: string } | { rowCount: number; stored: string };

/** The id of a job. BullMQ adds no second job with the same id. */
export const jobId = (experiment: string, index: number): string => `${experiment}-${index}`;

/** The name of an experiment: its id with 8 of the 16 digits. Names of `evaluate()` end in 8 random characters. */
export const nameOf = (experiment: string): string => experiment.slice(0, -8);

/** Checks the data of a job. */
export function readJob(data: unknown, name: string): ShardJob {
  const { format } = Object(data) as Partial<ShardJob>;
  const isShardJob = typeof format === "string" && format.startsWith(FORMAT.replace(/\d+$/, ""));
  if (!isShardJob)
    throw invalidInput(
      `The job ${name} is not a shard of an experiment. Use a separate queue for experiments`,
    );
  if (format !== FORMAT) {
    throw invalidInput(
      `The job ${name} was enqueued by another version of openevals-wasm. Install the same version everywhere, and enqueue the experiment again`,
    );
  }
  const problem = problemOf(data as ShardJob);
  if (!problem) return data as ShardJob;
  throw invalidInput(`The job ${name} has been changed since it was enqueued: ${problem}. ${AGAIN}`);
}

/** The advice for damaged jobs. */
export const AGAIN = "Remove the job and enqueue the experiment again";

function problemOf({ experiment, shard, signature, rows, source }: ShardJob): string | undefined {
  if (!aString.test(experiment)) return "experiment is not a string";
  if (!anObject.test(signature)) return "signature is not an object";
  if (!anObject.test(shard) || !aShard.test(shard))
    return `shard is not { index, count } with a count of at most ${MAX_SHARDS}`;
  if (rows === undefined ? source === undefined : !Array.isArray(rows)) return "rows is not a list";
  return undefined;
}
