/** A file that rows are written to as they finish, so that an experiment can be read back, and continued. */

import { invalidInput, isOurs, OpenEvalsError, reasonOf } from "../../../core/errors.js";
import { builtin, type FileHandle } from "../../../core/platform/builtin.js";
import { TextEncoder } from "../../../core/platform/text-coding.js";
import { rowCountOf } from "../../../core/records/row-count.js";
import type { Experiment } from "../../../core/records/types.js";
import { unitOf } from "../../statistics/clusters.js";
import { MAX_LINE } from "../data/lines.js";
import { Lock } from "../lock.js";
import type { Plan } from "../options.js";
import type { FinishedRow } from "../rows/outcomes.js";
import type { Results } from "../rows/results.js";
import { type Ending, headerOf, rowLine } from "./format.js";
import { type Resumed, resume } from "./resume.js";
import type { Heading, OpenSink } from "./types.js";

/** How much may wait to be written, in characters, before the experiment waits. */
const MOST_WAITING = 4_000_000;

const NO_FILES = "sink can be a path where there are files; pass a function or a WritableStream here";

/** The line of a row, unless it is too long to be read back. */
function readable(line: string | undefined): string | undefined {
  if (line === undefined || line.length > MAX_LINE) return undefined;
  const isShort = line.length * MOST_BYTES_PER_UNIT <= MAX_LINE;
  return isShort || new TextEncoder().encode(line).length <= MAX_LINE ? line : undefined;
}

/** Of UTF-8, for each unit of a text in JavaScript. */
const MOST_BYTES_PER_UNIT = 3;

const tooLong = (id: string): OpenEvalsError =>
  invalidInput(
    `The row ${JSON.stringify(id)} has more than ${MAX_LINE / 1024 / 1024} MB and cannot be read back from the sink, so it was not written. Return less from the target and the evaluators, and continue with resume`,
  );

/** A file that is written to. What has been handed to the system outlives the process. */
export class FileSink implements OpenSink {
  readonly heading: Heading;
  readonly earlier: Resumed | undefined;
  readonly #path: string;
  readonly #lock: Lock;
  readonly #names: readonly string[];
  readonly #clusterBy: Plan["clusterBy"];
  #file: FileHandle | undefined;
  #waiting: string[] = [];
  #waitingLength = 0;
  /** What is being written. It never rejects: what it fails with is a failure of what follows. */
  #writing: Promise<void> | undefined;
  #failure: OpenEvalsError | undefined;

  private constructor(path: string, lock: Lock, plan: Plan, heading: Heading, earlier: Resumed | undefined) {
    this.#path = path;
    this.#lock = lock;
    this.#names = plan.evaluators.map(({ name }) => name);
    this.#clusterBy = plan.clusterBy;
    this.heading = heading;
    this.earlier = earlier;
  }

  /**
   * Opens the file: a new one, or one that is to be continued, whose rows the results get.
   *
   * @throws {@link OpenEvalsError} `invalid_config` for what is no file, for a file that another process writes, that holds
   * something else, or an experiment that has not ended, unless it is to be continued.
   */
  static async open(given: string, plan: Plan, results: Results, heading: Heading): Promise<FileSink> {
    builtin("node:fs/promises", NO_FILES);
    const lock = await Lock.take(given, "sink");
    const path = lock.file;
    try {
      const header = headerOf(plan, heading);
      const earlier = await resume(path, header, plan, results);
      if (earlier) {
        const { experimentName, metadata, startedAt } = earlier.header;
        const before = { experimentName, ...(metadata && { metadata }), startedAt };
        return new FileSink(path, lock, plan, before, earlier);
      }
      const sink = new FileSink(path, lock, plan, heading, undefined);
      sink.#put(`${JSON.stringify(header)}\n`);
      await sink.#drained().catch(async (error) => {
        await sink.#file?.close();
        throw error;
      });
      return sink;
    } catch (error) {
      await lock.release();
      throw error;
    }
  }

  write(position: number, finished: FinishedRow): Promise<void> | undefined {
    const cluster = this.#clusterBy === undefined ? undefined : unitOf(finished.example, this.#clusterBy);
    const line = readable(rowLine(position, finished, this.#names, cluster));
    if (line !== undefined) this.#put(line);
    // The file does not say that it has ended: it can be continued.
    else this.#failure ??= tooLong(finished.example.id);
    return this.#failure || this.#waitingLength > MOST_WAITING ? this.#drained() : undefined;
  }

  async close(experiment: Experiment, isFailure: boolean): Promise<void> {
    const { aggregates, summaryResults, usage, durationMs, ignoredFields, stopped } = experiment;
    const { decisions, stoppedEarly, cost, prices, unreadableUsage, budget, merging, scales } = experiment;
    const end: Ending = {
      aggregates,
      ...(scales && { scales }),
      summaryResults,
      usage,
      ...(cost && { cost }),
      ...(prices && { prices }),
      ...(unreadableUsage && { unreadableUsage }),
      ...(budget && { budget }),
      durationMs,
      ...(ignoredFields && { ignoredFields }),
      ...(decisions && { decisions }),
      ...(stoppedEarly && { stoppedEarly }),
      ...(stopped && { stopped }),
      rowCount: rowCountOf(experiment),
      ...(merging?.dataFingerprint !== undefined && { dataFingerprint: merging.dataFingerprint }),
    };
    try {
      // What could not be continued stays as it was.
      const isUntouched = isFailure && !this.#file && !this.#waitingLength;
      if (!isUntouched && !this.#failure) this.#put(`${JSON.stringify({ end })}\n`);
      await this.#drained();
    } finally {
      try {
        await this.#file?.close();
      } finally {
        await this.#lock.release();
      }
    }
  }

  #put(line: string): void {
    this.#waiting.push(line);
    this.#waitingLength += line.length;
    this.#writing ??= this.#write();
  }

  /** Writes all that waits, at once: what comes meanwhile is written after it. */
  async #write(): Promise<void> {
    try {
      this.#file ??= await this.#open();
      while (this.#waiting.length) {
        await this.#lock.confirm();
        const lines = this.#waiting.join("");
        this.#waiting = [];
        this.#waitingLength = 0;
        await this.#file.appendFile(lines);
      }
    } catch (error) {
      this.#failure ??= isOurs(error)
        ? error
        : new OpenEvalsError("tool_failed", `The sink ${this.#path} cannot be written: ${reasonOf(error)}`, {
            cause: error,
          });
    }
    this.#writing = undefined;
  }

  async #open(): Promise<FileHandle> {
    const { open, truncate, writeFile } = builtin("node:fs/promises", NO_FILES);
    // A file that is there stays the same one, with its mode.
    if (this.earlier) await truncate(this.#path, this.earlier.length);
    else await writeFile(this.#path, "");
    return open(this.#path, "a");
  }

  async #drained(): Promise<void> {
    while (this.#writing) await this.#writing;
    if (this.#failure) throw this.#failure;
  }
}
