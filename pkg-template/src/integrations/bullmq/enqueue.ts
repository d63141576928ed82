/** An experiment into a queue, in shards. */

import { invalidConfig, invalidInput, typedWork } from "../../core/errors.js";
import {
  anObject,
  anything,
  type Checks,
  checkOptions,
  checkValue,
  wholeFrom,
} from "../../core/input/checks.js";
import { toJson } from "../../core/input/json.js";
import { toPlain } from "../../evaluators/results/plain.js";
import { digest } from "../../experiments/evaluate/batch/digest.js";
import { openData } from "../../experiments/evaluate/data/data.js";
import type { Data, DataRow, ReadRow } from "../../experiments/evaluate/data/types.js";
import type { EvaluateOptions } from "../../experiments/evaluate/options.js";
import { DEFINITION, definitionOf, type SpreadExperiment, signatureOf } from "./definition.js";
import { FORMAT, jobId, MOST_SHARDS, type ShardJob } from "./job.js";
import {
  answered,
  aQueue,
  connected,
  type ExperimentQueue,
  isOfConnection,
  type QueuedJob,
  saidBy,
} from "./queue.js";
import { checkKind, placeOf } from "./secrets.js";

/** How long the rows of a shard may be in a queue, in characters of JSON. */
const MOST_CHARACTERS = 5_000_000;

/** How much is added at a time, in characters. */
const TOGETHER = 1_000_000;

/** How many jobs are asked for at a time, with all their rows. */
const PAGE = 10;

/** How much of an experiment's name its id has, in characters: ids are in keys of Redis and names of files. */
const MOST_NAME = 60;

/** The options of {@link enqueueExperiment}. */
export interface EnqueueOptions extends SpreadExperiment {
  /**
   * The rows, as `evaluate()` takes them, which go into the queue as JSON: each shard of up to 5 million characters, and all of
   * them into the memory of Redis.
   */
  data?: Data | undefined;
  /** How many rows of `data` a shard has; 100 by default. A shard that fails is run again as a whole. */
  shardSize?: number | undefined;
  /**
   * Where the rows are, in the place of `data`: plain data, such as a path or a URL, that means the same to all workers. They
   * read a path or a URL as `evaluate()` does, of every `shardCount` rows their own; for anything else they have `load`.
   */
  source?: unknown;
  /** In how many shards the rows of `source` are divided. */
  shardCount?: number | undefined;
  /**
   * What is recorded with the experiment, such as the commit of the application. The same data with other metadata is another
   * experiment.
   */
  metadata?: EvaluateOptions["metadata"];
  /**
   * Options of BullMQ for the jobs, such as `attempts` (3 by default), `backoff` or `priority`; none that make other jobs of
   * them: `jobId`, `parent`, `deduplication`, `repeat`.
   */
  jobs?: { attempts?: number; backoff?: unknown; priority?: number; [option: string]: unknown } | undefined;
}

const OPTIONS: Checks<EnqueueOptions> = {
  ...DEFINITION,
  // Data is checked where it is read.
  data: anything,
  shardSize: wholeFrom(1),
  source: anything,
  shardCount: wholeFrom(1, MOST_SHARDS),
  metadata: anObject,
  // They may have secrets in them, in the wrong place.
  jobs: anything,
};

/** What has been enqueued. */
export interface Enqueued {
  /**
   * The id of the experiment, by which it is collected: its name, and a digest of its rows, its settings and the names of its
   * evaluators.
   */
  id: string;
  /** How many jobs it has. */
  shardCount: number;
}

/** What shards are made of. */
interface ShardSource {
  count: number;
  /** What a job has of its rows, for each of them. */
  of(index: number): Pick<ShardJob, "rows" | "source" | "ignoredFields">;
  /** The JSON of these, of which the id is made. */
  texts: string[];
}

/**
 * Puts an experiment into a queue of BullMQ, divided in shards, each of which is a job. Workers ({@link experimentWorker})
 * evaluate them, on any number of machines, and {@link collectExperiment} makes the whole of the parts.
 *
 * The ids of jobs are made of their content. Enqueued again, the same experiment adds nothing that is there already: it goes on
 * where enqueuing was interrupted, and has the shards run again that have failed. **What evaluators and the target do is no
 * content**: after a change there, tell the experiments apart by `metadata`.
 *
 * @param queue A `Queue` of BullMQ, which has one experiment at a time. Of two that are enqueued at the same moment, one is told
 * of the other when both are there.
 * @throws {@link OpenEvalsError} `invalid_config` for options that cannot work, and a queue whose jobs are not those of this
 * experiment; `invalid_input` for data that cannot be read, or is too large; `tool_failed` if Redis cannot be reached.
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
    // Some objects are texts as JSON.
    checkValue("metadata", metadata, anObject);
    const shards = read.source === undefined ? await shardsOfData(read) : shardsOfSource(read);
    const about = { format: FORMAT, signature, ...(metadata && { metadata }) };
    const whole = await digest(JSON.stringify([about, shards.count, ...(await digests(shards.texts))]));
    const { experimentPrefix } = signature;
    // Ids of jobs must have no colon, and keys of stores may be names of files.
    const id = `${experimentPrefix.slice(0, MOST_NAME).replaceAll(/[^\w.-]/g, "_")}-${whole.slice(0, 16)}`;
    const jobs = Array.from({ length: shards.count }, (_, place) => {
      const shard = { index: place + 1, count: shards.count };
      const data: ShardJob = { ...about, experiment: id, shard, ...shards.of(place) };
      return { name: experimentPrefix, data, opts: optionsOf(read.jobs, jobId(id, shard.index)) };
    });
    await connected(queue, async () => {
      await refuseOthers(queue, id);
      for (const some of portions(jobs, shards.texts)) await add(queue, some);
      // Somebody else may have looked at the same moment.
      await refuseOthers(queue, id);
      await retryFailed(queue, id);
    });
    return { id, shardCount: shards.count };
  });
}

/** What would have BullMQ add other jobs, or none. */
const NOT_OF_SHARDS = ["jobId", "parent", "deduplication", "repeat"];

function checkJobs(jobs: EnqueueOptions["jobs"]): void {
  checkKind("jobs", jobs, anObject);
  const wrong = NOT_OF_SHARDS.find((option) => jobs?.[option] !== undefined);
  if (wrong) throw invalidConfig(`jobs has ${wrong}, and shards are jobs by their own ids; leave it out`);
  checkValue("jobs.attempts", jobs?.attempts, wholeFrom(1));
}

/** Adds jobs. BullMQ says itself what it does not take. */
async function add(queue: ExperimentQueue, jobs: object[]): Promise<void> {
  try {
    await answered(queue.addBulk(jobs));
  } catch (error) {
    // What the server says itself is not about options.
    if (isOfConnection(error) || Object(error).name === "ReplyError") throw error;
    const why = saidBy(queue, error).replace(/\.?$/, "");
    throw invalidConfig(`BullMQ does not take the jobs with these options: ${why}`);
  }
}

/** The results are in the jobs, which must not go before these have been collected. */
const optionsOf = (given: EnqueueOptions["jobs"], id: string) => ({
  attempts: 3,
  backoff: { type: "exponential", delay: 1000 },
  ...given,
  jobId: id,
  removeOnComplete: false,
  removeOnFail: false,
});

async function shardsOfData(options: EnqueueOptions): Promise<ShardSource> {
  const { data, shardCount, shardSize = 100 } = options;
  if (data === undefined)
    throw invalidConfig("There are no rows: pass data, or source and shardCount, to enqueueExperiment");
  if (shardCount !== undefined)
    throw invalidConfig("shardCount goes with source; how many shards data has follows from shardSize");
  const { target } = definitionOf(options);
  const { rows, ignoredFields } = await openData(data, target !== undefined);
  const all: DataRow[] = [];
  for await (const some of rows) for (const row of some) all.push(rowOf(row));
  if (!all.length) throw invalidInput("data has no rows, so that there is nothing to enqueue");
  const count = Math.ceil(all.length / shardSize);
  if (count > MOST_SHARDS)
    throw invalidConfig(`These are ${count} shards, and may be ${MOST_SHARDS}; pass a larger shardSize`);
  const shards = Array.from({ length: count }, (): DataRow[] => []);
  for (const [place, row] of all.entries()) shards[place % count]?.push(row);
  const texts = shards.map((rows) => JSON.stringify(rows));
  const largest = texts.reduce((most, { length }) => Math.max(most, length), 0);
  if (largest > MOST_CHARACTERS) {
    throw invalidInput(
      `A shard of ${shardSize} rows has ${largest} characters, and may have ${MOST_CHARACTERS}. Pass a smaller shardSize, or ` +
        "source: where the workers find the rows",
    );
  }
  const ignored = [...ignoredFields];
  return {
    count,
    of: (place) => ({
      rows: shards[place] as DataRow[],
      ...(ignored.length ? { ignoredFields: ignored } : undefined),
    }),
    texts,
  };
}

/** A row as it is recorded, with its id. */
function rowOf({ recorded, outputs }: ReadRow): DataRow {
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

function shardsOfSource({ data, shardSize, shardCount, source: given }: EnqueueOptions): ShardSource {
  if (data !== undefined || shardSize !== undefined)
    throw invalidConfig("source takes the place of data, and goes with shardCount in the place of shardSize");
  if (shardCount === undefined)
    throw invalidConfig("shardCount is missing: in how many shards the rows of source are divided");
  const json = toJson(given instanceof URL ? given.href : given, "source");
  const source: unknown = JSON.parse(json);
  const url = typeof source === "string" ? placeOf(source) : undefined;
  if (url?.hasCredentials && /^https?:$/.test(url.protocol)) {
    throw invalidConfig(
      `The source ${url.place} has a user name or a password, which fetch() does not take, and which would stand in the queue; leave them out, and give the workers a load that knows them`,
    );
  }
  return { count: shardCount, of: () => ({ source }), texts: [json] };
}

const digests = (texts: readonly string[]): Promise<string[]> => Promise.all(texts.map(digest));

/** Some jobs at a time. */
function* portions<Job>(jobs: readonly Job[], texts: readonly string[]): Generator<Job[]> {
  let [some, length]: [Job[], number] = [[], 0];
  for (const [place, job] of jobs.entries()) {
    some.push(job);
    length += 1000 + (texts[place]?.length ?? 0);
    if (length < TOGETHER) continue;
    yield some;
    [some, length] = [[], 0];
  }
  if (some.length) yield some;
}

/** What is not done yet, by its states; the oldest and the newest of each tell whose it is. */
const WAITING = ["active", "waiting", "paused", "prioritized", "delayed", "waiting-children"];

/** Refuses a queue that has jobs of others: a worker knows the evaluators of one experiment. */
async function refuseOthers(queue: ExperimentQueue, id: string): Promise<void> {
  for (const state of WAITING) {
    for (const isOldest of [true, false]) {
      const [job]: QueuedJob[] = await answered(queue.getJobs([state], 0, 0, isOldest));
      const experiment = experimentOf(job);
      if (!job || experiment === id) continue;
      const whose =
        experiment === undefined
          ? "jobs that are no shards of experiments"
          : `shards of another experiment, ${experiment}`;
      throw invalidConfig(
        `The queue "${queue.name}" has ${whose}, which are not done. Wait for them, remove them, or use a queue of its own`,
      );
    }
  }
}

/** Has failed shards run again. There may be thousands, with all their rows, and jobs of others among them. */
async function retryFailed(queue: ExperimentQueue, id: string): Promise<void> {
  for (let begin = 0; ; ) {
    const jobs: QueuedJob[] = await answered(queue.getJobs(["failed"], begin, begin + PAGE - 1));
    const own = jobs.filter((job) => experimentOf(job) === id);
    for (const job of own) await answered(job.retry("failed"));
    if (!jobs.length) return;
    begin += jobs.length - own.length;
  }
}

/** The id of the experiment that a job belongs to, if it does. Data of others may be anything. */
const experimentOf = (job: QueuedJob | undefined): string | undefined =>
  (Object(job?.data) as Partial<ShardJob>).experiment;
