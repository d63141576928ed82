/** Puts an experiment into a queue, in shards. */

import { invalidConfig, invalidInput, typedWork } from "../../core/errors.js";
import { withoutStop } from "../../core/full-stop.js";
import {
  anObject,
  anything,
  checkOptions,
  checkValue,
  type OptionChecks,
  wholeFrom,
} from "../../core/input/checks.js";
import { counted } from "../../core/input/counted.js";
import { toJson } from "../../core/input/json/json.js";
import { digest } from "../../core/input/sha256.js";
import { MAX_SHARDS } from "../../core/records/shard.js";
import type { Data, DataRow, EvaluateOptions } from "../../evaluation.js";
import { toPlain } from "../../evaluators/calls/plain.js";
import { openData } from "../../experiments/evaluate/data/open-data.js";
import type { ParsedRow } from "../../experiments/evaluate/data/types.js";
import { DEFINITION, definitionOf, type SpreadExperiment, signatureOf } from "./definition.js";
import { FORMAT, jobId, type ShardJob } from "./job.js";
import {
  aQueue,
  type ExperimentQueue,
  errorText,
  isConnectionError,
  type QueuedJob,
  withConnection,
  withProducerLock,
  withTimeout,
} from "./queue.js";
import { checkKind, readUrl } from "./secrets.js";

/** The longest JSON of the rows of a shard, in characters. */
const MAX_CHARACTERS = 5_000_000;

/** The size at which a request that adds jobs is sent, in characters. */
const MAX_REQUEST_CHARACTERS = 1_000_000;

/** The number of jobs that are read at a time, with all their rows. */
const PAGE = 10;

/** The longest part of an experiment's name in its id, in characters: ids become keys of Redis and file names. */
const MAX_NAME = 60;

/** The options of {@link enqueueExperiment}. */
export interface EnqueueOptions extends SpreadExperiment, Pick<EvaluateOptions, "map"> {
  /**
   * The rows, as `evaluate()` takes them. They go into the queue as JSON, so all of them are in the memory of Redis. A shard may
   * have up to 5 million characters.
   */
  data?: Data | undefined;
  /** The number of rows in a shard of `data`; 100 by default. A failed shard is run again as a whole. */
  shardSize?: number | undefined;
  /**
   * The location of the rows, instead of `data`: plain data, such as a path or a URL, that all workers can use. Workers
   * read a path or a URL as `evaluate()` does, and take every `shardCount`-th row. For anything else they need `load`.
   */
  source?: unknown;
  /** The number of shards of `source`. */
  shardCount?: number | undefined;
  /**
   * Recorded with the experiment, such as the commit of the application. The same data with other metadata is another
   * experiment.
   */
  metadata?: EvaluateOptions["metadata"];
  /**
   * Options of BullMQ for the jobs, such as `attempts` (3 by default), `backoff` or `priority`. `jobId`, `parent`,
   * `deduplication` and `repeat` are not allowed, because they change which jobs are added.
   */
  jobs?: { attempts?: number; backoff?: unknown; priority?: number; [option: string]: unknown } | undefined;
}

const OPTIONS: OptionChecks<EnqueueOptions> = {
  ...DEFINITION,
  // Checked when the data is read.
  data: anything,
  map: anything,
  shardSize: wholeFrom(1),
  source: anything,
  shardCount: wholeFrom(1, MAX_SHARDS),
  metadata: anObject,
  // Checked with checkKind, since a misplaced option may contain secrets.
  jobs: anything,
};

/** An enqueued experiment. */
export interface Enqueued {
  /**
   * The id for {@link collectExperiment}: the name of the experiment, and a digest of its rows, its settings and the names of
   * its evaluators.
   */
  id: string;
  /** The number of jobs. */
  shardCount: number;
}

/** The contents of the shards. */
interface ShardSource {
  count: number;
  /** The fields of the job at an index. */
  of(index: number): Pick<ShardJob, "rows" | "source" | "ignoredFields">;
  /** The JSON of the rows or the source, for the id. */
  texts: string[];
}

/**
 * Puts an experiment into a queue of BullMQ, with a job for each shard. Workers ({@link experimentWorker}) evaluate the shards on
 * any number of machines, and {@link collectExperiment} merges the results.
 *
 * The ids of jobs are derived from their content. Enqueuing the same experiment again adds only missing jobs, for example after
 * an interruption, and runs failed shards again. **The code of evaluators and the target is not part of the content**: after a
 * change there, pass other `metadata`.
 *
 * @param queue A `Queue` of BullMQ, for one experiment at a time. If two are enqueued at the same moment, one call fails and adds
 * no job.
 * @throws {@link OpenEvalsError} `invalid_config` for invalid options, and if the queue has other jobs; `invalid_input` for data
 * that is unreadable or too large; `tool_failed` if Redis cannot be reached.
 *
 * @example
 * ```ts
 * import { exactMatch } from "openevals-wasm";
 * import { type ExperimentQueue, enqueueExperiment } from "openevals-wasm/bullmq";
 *
 * const capitals = { experimentPrefix: "capitals", evaluators: [exactMatch] };
 *
 * export const enqueue = (queue: ExperimentQueue) => // new Queue("evals", { connection: { host: "redis" } })
 *   enqueueExperiment(queue, { ...capitals, data: "answers.jsonl", shardSize: 500 });
 * ```
 */
export async function enqueueExperiment(queue: ExperimentQueue, options: EnqueueOptions): Promise<Enqueued> {
  const read = checkOptions("enqueueExperiment", options, OPTIONS);
  checkKind("queue", queue ?? null, aQueue);
  checkJobs(read.jobs);
  return typedWork("enqueueExperiment", async () => {
    const signature = signatureOf(read);
    const metadata = read.metadata && (toPlain(read.metadata, "metadata") as ShardJob["metadata"]);
    // An object with toJSON may have become another value.
    checkValue("metadata", metadata, anObject);
    const shards = read.source === undefined ? await shardsOfData(read) : shardsOfSource(read);
    const common = { format: FORMAT, signature, ...(metadata && { metadata }) };
    const hash = await digest(
      JSON.stringify([common, shards.count, ...(await digests(shards.texts))]),
      QUEUE,
    );
    const { experimentPrefix } = signature;
    // Ids of jobs may not contain a colon, and keys of stores may be file names.
    const id = `${experimentPrefix.slice(0, MAX_NAME).replaceAll(/[^\w.-]/g, "_")}-${hash.slice(0, 16)}`;
    const jobs = Array.from({ length: shards.count }, (_, index) => {
      const shard = { index: index + 1, count: shards.count };
      const data: ShardJob = { ...common, experiment: id, shard, ...shards.of(index) };
      return { name: experimentPrefix, data, opts: optionsOf(read.jobs, jobId(id, shard.index)) };
    });
    await withConnection(queue, () =>
      withProducerLock(queue, async (keep) => {
        await rejectOtherJobs(queue, id);
        for (const batch of batchesOf(jobs, shards.texts)) {
          await keep();
          await add(queue, batch);
        }
        await retryFailed(queue, id);
      }),
    );
    return { id, shardCount: shards.count };
  });
}

/** Options that make BullMQ add other jobs, or none. */
const FORBIDDEN_JOB_OPTIONS = ["jobId", "parent", "deduplication", "repeat"];

function checkJobs(jobs: EnqueueOptions["jobs"]): void {
  checkKind("jobs", jobs, anObject);
  const forbidden = FORBIDDEN_JOB_OPTIONS.find((option) => jobs?.[option] !== undefined);
  if (forbidden)
    throw invalidConfig(`jobs.${forbidden} is not allowed, because shards have their own job ids. Remove it`);
  checkValue("jobs.attempts", jobs?.attempts, wholeFrom(1));
}

/** Adds jobs. BullMQ's own error explains an option that it refuses. */
async function add(queue: ExperimentQueue, jobs: object[]): Promise<void> {
  try {
    await withTimeout(queue.addBulk(jobs));
  } catch (error) {
    // Errors of the server are not about options.
    if (isConnectionError(error) || Object(error).name === "ReplyError") throw error;
    const why = withoutStop(errorText(queue, error));
    throw invalidConfig(`BullMQ refuses the options in jobs: ${why}`);
  }
}

/** Finished jobs hold the results, so BullMQ must not remove them. */
const optionsOf = (jobOptions: EnqueueOptions["jobs"], id: string) => ({
  attempts: 3,
  backoff: { type: "exponential", delay: 1000 },
  ...jobOptions,
  jobId: id,
  removeOnComplete: false,
  removeOnFail: false,
});

async function shardsOfData(options: EnqueueOptions): Promise<ShardSource> {
  const { data, map, shardCount, shardSize = 100 } = options;
  if (data === undefined)
    throw invalidConfig("enqueueExperiment has no rows. Pass data, or source and shardCount");
  if (shardCount !== undefined)
    throw invalidConfig("shardCount applies only to source. Set shardSize for data");
  const { target } = definitionOf(options);
  const { rows, ignoredFields } = await openData(data, target !== undefined, map);
  const all: DataRow[] = [];
  for await (const batch of rows) for (const row of batch) all.push(enqueuedRow(row));
  if (!all.length) throw invalidInput("data has no rows to enqueue");
  const count = Math.ceil(all.length / shardSize);
  if (count > MAX_SHARDS)
    throw invalidConfig(`data has ${count} shards; the limit is ${MAX_SHARDS}. Pass a larger shardSize`);
  const shards = Array.from({ length: count }, (): DataRow[] => []);
  for (const [index, row] of all.entries()) shards[index % count]?.push(row);
  const texts = shards.map((rows) => JSON.stringify(rows));
  const large = texts.findIndex(({ length }) => length > MAX_CHARACTERS);
  if (large >= 0) {
    const [rows, size] = [shards[large]?.length ?? 0, texts[large]?.length ?? 0];
    throw invalidInput(
      `A shard of ${counted(rows, "row")} has ${size} characters; the limit is ${MAX_CHARACTERS}. Pass ` +
        `${rows > 1 ? "a smaller shardSize, or " : ""}source instead of data`,
    );
  }
  const ignored = [...ignoredFields];
  return {
    count,
    of: (index) => ({
      rows: shards[index] as DataRow[],
      ...(ignored.length ? { ignoredFields: ignored } : undefined),
    }),
    texts,
  };
}

/** The row as the job has it: as it is recorded, with its id and its outputs. */
function enqueuedRow({ recorded, outputs }: ParsedRow): DataRow {
  const { id, inputs, outputs: referenceOutputs, metadata, attachments } = recorded;
  return {
    id,
    inputs,
    ...(outputs !== undefined && { outputs: toPlain(outputs, `outputs of the row ${JSON.stringify(id)}`) }),
    ...(referenceOutputs !== undefined && { referenceOutputs }),
    ...(metadata !== undefined && { metadata }),
    ...(attachments !== undefined && { attachments }),
  };
}

function shardsOfSource({ data, map, shardSize, shardCount, source: location }: EnqueueOptions): ShardSource {
  if (map !== undefined)
    throw invalidConfig("map applies only to data. Map the rows of source in the load of the workers");
  if (data !== undefined || shardSize !== undefined)
    throw invalidConfig(
      "source cannot be combined with data or shardSize. Pass source and shardCount, or data and shardSize",
    );
  if (shardCount === undefined)
    throw invalidConfig("shardCount is missing. Pass the number of shards of source");
  const json = toJson(location instanceof URL ? location.href : location, "source");
  const source: unknown = JSON.parse(json);
  const url = typeof source === "string" ? readUrl(source) : undefined;
  if (url?.hasCredentials && /^https?:$/.test(url.protocol)) {
    throw invalidConfig(
      `The source ${url.redacted} has a user name or a password. fetch() refuses them, and the queue would store them. Remove them, and pass a load with the credentials to the workers`,
    );
  }
  return { count: shardCount, of: () => ({ source }), texts: [json] };
}

/** What needs hashes, for the error where the runtime has none. */
const QUEUE = "A queue";

const digests = (texts: readonly string[]): Promise<string[]> =>
  Promise.all(texts.map((text) => digest(text, QUEUE)));

/** The jobs in batches of limited size. */
function* batchesOf<Job>(jobs: readonly Job[], texts: readonly string[]): Generator<Job[]> {
  let [batch, length]: [Job[], number] = [[], 0];
  for (const [index, job] of jobs.entries()) {
    batch.push(job);
    length += 1000 + (texts[index]?.length ?? 0);
    if (length < MAX_REQUEST_CHARACTERS) continue;
    yield batch;
    [batch, length] = [[], 0];
  }
  if (batch.length) yield batch;
}

/** The states of unfinished jobs. */
const WAITING = ["active", "waiting", "paused", "prioritized", "delayed", "waiting-children"];

/**
 * Rejects a queue with other unfinished jobs: a worker knows the evaluators of one experiment. The oldest and the newest job of
 * each state are enough to find them.
 */
async function rejectOtherJobs(queue: ExperimentQueue, id: string): Promise<void> {
  for (const state of WAITING) {
    for (const isOldest of [true, false]) {
      const [job]: QueuedJob[] = await withTimeout(queue.getJobs([state], 0, 0, isOldest));
      const experiment = experimentOf(job);
      if (!job || experiment === id) continue;
      const whose =
        experiment === undefined
          ? "unfinished jobs that are not shards"
          : `unfinished shards of another experiment, ${experiment}`;
      throw invalidConfig(
        `The queue "${queue.name}" has ${whose}. Wait for them, remove them, or use another queue`,
      );
    }
  }
}

/**
 * Retries failed shards, each once, in pages, because each job holds its rows. Failed jobs may belong to other experiments, and a
 * retried one may fail again meanwhile.
 */
async function retryFailed(queue: ExperimentQueue, id: string): Promise<void> {
  const retried = new Set<unknown>();
  for (let begin = 0; ; ) {
    const jobs: QueuedJob[] = await withTimeout(queue.getJobs(["failed"], begin, begin + PAGE - 1));
    if (!jobs.length) return;
    const failed = jobs.filter((job) => experimentOf(job) === id && !retried.has(job.id));
    for (const job of failed) {
      retried.add(job.id);
      await withTimeout(job.retry("failed"));
    }
    begin += jobs.length - failed.length;
  }
}

/** The id of a job's experiment, if there is one. Other jobs may hold any data. */
const experimentOf = (job: QueuedJob | undefined): string | undefined =>
  (Object(job?.data) as Partial<ShardJob>).experiment;
