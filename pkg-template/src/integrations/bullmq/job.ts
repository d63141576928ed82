/** What stands in the queue: jobs, and what they come to. */

import { invalidInput } from "../../core/errors.js";
import { anObject, aString } from "../../core/input/checks.js";
import type { Shard } from "../../core/records/types.js";
import type { DataRow } from "../../experiments/evaluate/data/types.js";
import { aShard } from "../../experiments/evaluate/shard.js";
import type { Signature } from "./definition.js";

/** What jobs are made for. One of another version is refused, since it may mean something else. */
export const FORMAT = "openevals-wasm shard 1";

/** In how many shards an experiment may be divided. */
export const MOST_SHARDS = 1_000_000;

/** The data of a job: a shard of an experiment, with its rows, or with where these are. */
export interface ShardJob {
  format: string;
  /** The id of the experiment. */
  experiment: string;
  shard: Shard;
  signature: Signature;
  metadata?: Record<string, unknown>;
  /** The rows of the shard, of which each has its id. */
  rows?: DataRow[];
  /** Where the rows are, if they are not here. */
  source?: unknown;
  /** Fields of the data that are none of a row's: those of jobs have been left out. */
  ignoredFields?: string[];
}

/** What a job returns: the lines of the shard's experiment, compressed, or under which key they are stored. */
export type ShardResult = { rowCount: number; lines: string } | { rowCount: number; stored: string };

/** The id of a job, by which the same one is not added twice. */
export const jobId = (experiment: string, index: number): string => `${experiment}-${index}`;

/** The name of an experiment: its id, with eight digits instead of sixteen, as others have random ones. */
export const nameOf = (experiment: string): string => experiment.slice(0, -8);

/** Refuses the data of a job that is no shard. */
export function readJob(data: unknown, name: string): ShardJob {
  const { format } = Object(data) as Partial<ShardJob>;
  const isOurs = typeof format === "string" && format.startsWith(FORMAT.replace(/\d+$/, ""));
  if (!isOurs)
    throw invalidInput(`The job ${name} is no shard of an experiment; give experiments a queue of their own`);
  if (format !== FORMAT) {
    throw invalidInput(
      `The job ${name} was enqueued by another version of openevals-wasm; install the same everywhere, and enqueue the experiment again`,
    );
  }
  const problem = problemOf(data as ShardJob);
  if (!problem) return data as ShardJob;
  throw invalidInput(`The job ${name} has been changed since it was enqueued: ${problem}. ${AGAIN}`);
}

/** What to do about jobs that are damaged. */
export const AGAIN = "Remove the job and enqueue the experiment again";

function problemOf({ experiment, shard, signature, rows, source }: ShardJob): string | undefined {
  if (!aString.test(experiment)) return "experiment is no text";
  if (!anObject.test(signature)) return "signature is no object";
  if (!anObject.test(shard) || !aShard.test(shard) || shard.count > MOST_SHARDS)
    return `shard is not { index, count }, of which count is ${MOST_SHARDS} at most`;
  if (rows === undefined ? source === undefined : !Array.isArray(rows)) return "rows is no list";
  return undefined;
}
