/** Writes rows to a file as they finish, so that an experiment can be read and continued. */

import { invalidConfig, invalidInput, isOurs, OpenEvalsError, reasonOf } from "../../../core/errors.js";
import type { AllFields } from "../../../core/input/objects.js";
import { builtin, type FileHandle } from "../../../core/platform/builtin.js";
import { TextEncoder } from "../../../core/platform/text-coding.js";
import { rowCountOf } from "../../../core/records/row-count.js";
import type { Experiment, ExperimentRow } from "../../../core/records/types.js";
import { MAX_LINE } from "../data/lines.js";
import { Lock } from "../lock.js";
import type { Plan } from "../options/plan.js";
import type { FinishedRow } from "../rows/outcomes.js";
import type { Results } from "../rows/results.js";
import { dropFailed } from "./drop-failed.js";
import { type Ending, headerOf, rowLine } from "./format.js";
import type { RecordedRows } from "./recorded-rows.js";
import { type ResumedFile, resume } from "./resume.js";
import type { Heading, OpenSink } from "./types.js";

/** The number of unwritten characters from which the experiment waits for the file. */
const MAX_WAITING = 4_000_000;

const NO_FILES =
  "sink can be a path only in a runtime with a file system. Pass a function or a WritableStream instead";

/** The line of a row, unless it is too long to be read back. */
function readable(line: string | undefined): string | undefined {
  if (line === undefined || line.length > MAX_LINE) return undefined;
  const isShort = line.length * MAX_BYTES_PER_UNIT <= MAX_LINE;
  return isShort || new TextEncoder().encode(line).length <= MAX_LINE ? line : undefined;
}

/** The largest number of UTF-8 bytes for a UTF-16 code unit. */
const MAX_BYTES_PER_UNIT = 3;

const tooLong = (id: string): OpenEvalsError =>
  invalidInput(
    `The row ${JSON.stringify(id)} has more than ${MAX_LINE / 1024 / 1024} MB and cannot be read back from the sink, so it was not written. Return less from the target and the evaluators, and continue with resume`,
  );

const unwritable = (path: string, cause: unknown): OpenEvalsError =>
  new OpenEvalsError("tool_failed", `The sink ${path} cannot be written: ${reasonOf(cause)}`, { cause });

const APPENDED =
  "another process appended to it, and its lines may be broken. Stop that process, remove the lines that are not rows of this experiment, and continue it with resume";

/** Refuses to write the rows into the file that they are read from, under any of its names. */
async function refuseData(path: string, data: Plan["data"]): Promise<void> {
  if (typeof data !== "string" && !(data instanceof URL)) return;
  const { stat } = builtin("node:fs/promises", NO_FILES);
  const [sink, source] = await Promise.all([path, data].map((file) => stat(file).catch(() => undefined)));
  if (sink && source && sink.dev === source.dev && sink.ino === source.ino)
    throw invalidConfig(`The sink ${path} is the file of the data. Name another file`);
}

/** Whether a file has content; fails if it cannot be written. */
async function isWritten(path: string): Promise<boolean> {
  const { open, stat } = builtin("node:fs/promises", NO_FILES);
  try {
    await (await open(path, "a")).close();
    return (await stat(path)).size > 0;
  } catch (error) {
    throw unwritable(path, error);
  }
}

/** The fields of the last line of a file, which leaves out those that are `undefined`. */
function endingOf(experiment: Experiment): AllFields<Ending> {
  return {
    aggregates: experiment.aggregates,
    scales: experiment.scales,
    summaryResults: experiment.summaryResults,
    usage: experiment.usage,
    cost: experiment.cost,
    prices: experiment.prices,
    unreadableUsage: experiment.unreadableUsage,
    budget: experiment.budget,
    durationMs: experiment.durationMs,
    resumed: experiment.resumed,
    resumedRows: experiment.resumedRows,
    ignoredFields: experiment.ignoredFields,
    decisions: experiment.decisions,
    stoppedEarly: experiment.stoppedEarly,
    stopped: experiment.stopped,
    rowCount: rowCountOf(experiment),
    dataFingerprint: experiment.merging?.dataFingerprint,
  };
}

/** A line that is not written yet, and its row. */
interface WaitingLine {
  line: string;
  row?: ExperimentRow | undefined;
}

/** A file for rows. Written lines survive a crash of the process. */
export class FileSink implements OpenSink {
  readonly heading: Heading;
  readonly recorded: RecordedRows | undefined;
  /** The earlier run that it continues. */
  readonly #earlier: ResumedFile | undefined;
  readonly #path: string;
  readonly #lock: Lock;
  readonly #names: readonly string[];
  #file: FileHandle | undefined;
  /** The size of the file in bytes, unless another process writes to it. */
  #size = 0;
  /**
   * The first line of a file that replaces another one. It waits for the first row, so that the old file survives a mistake in
   * the data or the options.
   */
  #heldHeader: string | undefined;
  #waiting: WaitingLine[] = [];
  #waitingLength = 0;
  /** The rows that are not in the file. */
  readonly #lost: ExperimentRow[] = [];
  /** The running write. It never rejects; a failure is thrown by the next row. */
  #writing: Promise<void> | undefined;
  #failure: OpenEvalsError | undefined;

  private constructor(
    path: string,
    lock: Lock,
    plan: Plan,
    heading: Heading,
    earlier: ResumedFile | undefined,
  ) {
    this.#path = path;
    this.#lock = lock;
    this.#names = plan.evaluators.map(({ name }) => name);
    this.heading = heading;
    this.#earlier = earlier;
    this.recorded = earlier?.rows;
  }

  /**
   * Opens a new file, or one to continue, whose rows are added to the results.
   *
   * @throws {@link OpenEvalsError} `invalid_config` for a path that is not a file, for the file of the data, for a file that
   * another process writes, and for an existing file that is not continued or replaced.
   */
  static async open(given: string, plan: Plan, results: Results, heading: Heading): Promise<FileSink> {
    builtin("node:fs/promises", NO_FILES);
    const lock = await Lock.take(given, "sink");
    const path = lock.file;
    try {
      await refuseData(path, plan.data);
      const header = headerOf(plan, heading);
      const earlier = await resume(path, header, plan, results);
      if (earlier) {
        const { experimentName, metadata, startedAt } = earlier.header;
        const before = {
          ...{ experimentName, ...(metadata && { metadata }), startedAt },
          ...{ resumed: true as const, resumedRows: results.count },
        };
        return new FileSink(path, lock, plan, before, earlier);
      }
      const sink = new FileSink(path, lock, plan, heading, undefined);
      const line = `${JSON.stringify(header)}\n`;
      if (plan.overwrite && (await isWritten(path))) sink.#heldHeader = line;
      else sink.#put(line);
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

  dataEnded(rowCount: number): void {
    this.recorded?.checkEnd(rowCount);
  }

  rowFinished(row: ExperimentRow, position: number, finished: FinishedRow): Promise<void> | undefined {
    this.recorded?.warnOfMixture(row);
    const line = readable(rowLine(position, finished, this.#names));
    if (line !== undefined) this.#put(line, row);
    else {
      // Without its last line, the file can be continued.
      this.#failure ??= tooLong(finished.example.id);
      this.#lost.push(row);
    }
    return this.#failure || this.#waitingLength > MAX_WAITING ? this.#drained() : undefined;
  }

  lost(): readonly ExperimentRow[] {
    return this.#lost;
  }

  async close(experiment: Experiment | undefined, isFailure: boolean): Promise<void> {
    try {
      if (this.#file) await this.#lock.confirm(0);
      // A file that was not continued or replaced stays unchanged, like a finished one without new rows, and one with failed rows
      // that have not run again.
      const { hasEnded = false, dropsFailed = false } = this.#earlier ?? {};
      const isKept = this.#heldHeader !== undefined || hasEnded || dropsFailed;
      const isOver = isFailure || (experiment?.stopped !== undefined && isKept);
      const isUntouched = isOver && !this.#file && !this.#waitingLength;
      if (experiment && !isUntouched && !this.#failure)
        this.#put(`${JSON.stringify({ end: endingOf(experiment) })}\n`);
      await this.#drained();
      await this.#checkFile();
    } finally {
      // It may still lose rows.
      while (this.#writing) await this.#writing;
      try {
        await this.#file?.close();
      } finally {
        await this.#lock.release();
      }
    }
  }

  #put(line: string, row?: ExperimentRow): void {
    // After a failed write, the file may end in half a line; nothing may be appended to that.
    if (this.#failure) {
      if (row) this.#lost.push(row);
      return;
    }
    const lines = this.#heldHeader === undefined ? line : this.#heldHeader + line;
    this.#heldHeader = undefined;
    this.#waiting.push({ line: lines, row });
    this.#waitingLength += lines.length;
    this.#writing ??= this.#write();
  }

  /** Writes all waiting lines at once, and then those that arrived meanwhile. */
  async #write(): Promise<void> {
    let lines: WaitingLine[] = [];
    try {
      if (!this.#file) {
        await this.#lock.confirm();
        this.#file = await this.#open();
      }
      while (this.#waiting.length) {
        await this.#lock.confirm();
        this.#checkSize(await this.#file.stat());
        lines = this.#waiting;
        this.#waiting = [];
        this.#waitingLength = 0;
        const bytes = new TextEncoder().encode(lines.map(({ line }) => line).join(""));
        await this.#file.appendFile(bytes);
        this.#size += bytes.length;
        lines = [];
      }
    } catch (error) {
      this.#failure ??= isOurs(error) ? error : unwritable(this.#path, error);
      if (lines.length) await this.#loseUnwritten(lines);
      for (const { row } of this.#waiting.splice(0)) if (row) this.#lost.push(row);
    }
    this.#writing = undefined;
  }

  /** Records the rows of a failed write, unless their lines are in the file. */
  async #loseUnwritten(lines: readonly WaitingLine[]): Promise<void> {
    const status = await this.#file?.stat().catch(() => undefined);
    let written = (status?.size ?? 0) - this.#size;
    for (const { line, row } of lines) {
      written -= new TextEncoder().encode(line).length;
      if (row && written < 0) this.#lost.push(row);
    }
  }

  async #open(): Promise<FileHandle> {
    const { open, stat, truncate, writeFile } = builtin("node:fs/promises", NO_FILES);
    // An existing file keeps its inode and its mode.
    const earlier = this.#earlier;
    if (!earlier) await writeFile(this.#path, "");
    else if (earlier.dropsFailed) this.#size = await dropFailed(this.#path, earlier.header);
    else {
      this.#size = earlier.size;
      this.#checkSize(await stat(this.#path));
      await truncate(this.#path, earlier.length);
      this.#size = earlier.length;
    }
    return open(this.#path, "a");
  }

  /** Writing to a file that was removed or replaced still succeeds, so this checks it at the end. */
  async #checkFile(): Promise<void> {
    if (!this.#file) return;
    const { stat } = builtin("node:fs/promises", NO_FILES);
    const [own, named] = await Promise.all([this.#file.stat(), stat(this.#path).catch(() => undefined)]);
    const what = !named ? "removed" : named.ino !== own.ino ? "replaced" : undefined;
    if (what) throw unwritable(this.#path, `another process ${what} it, so rows are lost`);
    this.#checkSize(own);
  }

  #checkSize({ size }: { size: number }): void {
    if (size < this.#size) throw unwritable(this.#path, "another process truncated it, so rows are lost");
    if (size > this.#size) throw unwritable(this.#path, APPENDED);
  }

  async #drained(): Promise<void> {
    while (this.#writing) await this.#writing;
    if (this.#failure) throw this.#failure;
  }
}
