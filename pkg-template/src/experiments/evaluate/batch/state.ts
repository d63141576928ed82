/** The submitted batches. With a file, another process can continue with them. */

import { invalidConfig, OpenEvalsError, reasonOf } from "../../../core/errors.js";
import { writeAtomically } from "../../../core/platform/atomic-file.js";
import { builtin } from "../../../core/platform/builtin.js";
import { Lock } from "../lock.js";
import type { Submission } from "./types.js";

const VERSION = 1;

/** The batches of an experiment. */
export class BatchState {
  readonly #file: string | undefined;
  readonly #submissions: Set<Submission>;
  readonly #lock: Lock | undefined;
  #writing: Promise<void> = Promise.resolve();

  private constructor(file: string | undefined, lock: Lock | undefined, submissions: readonly Submission[]) {
    this.#file = file;
    this.#lock = lock;
    this.#submissions = new Set(submissions);
  }

  /** @throws {@link OpenEvalsError} `invalid_config` without a file system, for a file with other content, and for one in use. */
  static async open(file: string | undefined): Promise<BatchState> {
    if (file === undefined) return new BatchState(undefined, undefined, []);
    const lock = await Lock.take(file, "batch.stateFile");
    try {
      return new BatchState(lock.file, lock, await read(lock.file));
    } catch (error) {
      await lock.release();
      throw error;
    }
  }

  /** Releases the file. */
  async close(): Promise<void> {
    await this.#writing.catch(() => {});
    await this.#lock?.release();
  }

  /** Whether the state outlives the process. */
  get isKept(): boolean {
    return this.#file !== undefined;
  }

  /** All batches. */
  get submissions(): Submission[] {
    return [...this.#submissions];
  }

  /** The batches with one of these questions. */
  holding(questions: ReadonlyMap<string, unknown>): Submission[] {
    return this.submissions.filter(({ requests }) => requests.some((id) => questions.has(id)));
  }

  async add(submission: Submission): Promise<void> {
    this.#submissions.add(submission);
    await this.save();
  }

  async remove(submission: Submission): Promise<void> {
    this.#submissions.delete(submission);
    await this.save();
  }

  /** Writes the file, or deletes it if there are no batches. Writes follow each other. */
  save(): Promise<void> {
    const file = this.#file;
    if (file === undefined) return Promise.resolve();
    this.#writing = this.#writing.catch(() => {}).then(() => this.#write(file));
    return this.#writing;
  }

  async #write(file: string): Promise<void> {
    await this.#lock?.confirm();
    if (this.#submissions.size === 0) return files().rm(file, { recursive: true, force: true });
    await writeAtomically(
      file,
      JSON.stringify({ version: VERSION, submissions: this.submissions }),
      NO_FILES,
    );
  }
}

const NO_FILES = "batch.stateFile needs a file system";
const files = () => builtin("node:fs/promises", NO_FILES);

async function read(file: string): Promise<Submission[]> {
  const { readFile } = files();
  let text: string;
  try {
    text = await readFile(file, "utf8");
  } catch (error) {
    if ((error as { code?: string }).code === "ENOENT") return [];
    throw invalidConfig(`batch.stateFile cannot be read: ${reasonOf(error)}`);
  }
  try {
    const { version, submissions } = JSON.parse(text);
    if (version === VERSION && Array.isArray(submissions) && submissions.every(isSubmission))
      return submissions;
  } catch {
    // Not JSON, which is reported below.
  }
  throw invalidConfig(
    `${file} is not a state file of this version. Use another file, or delete it; the questions of its batches are then asked and paid again`,
  );
}

function isSubmission(entry: any): entry is Submission {
  const { provider, key, createdAt, batch, requests } = entry ?? {};
  return (
    [provider, key, createdAt].every(isText) &&
    !Number.isNaN(Date.parse(createdAt)) &&
    (batch === undefined || isText(batch)) &&
    Array.isArray(requests) &&
    requests.every(isText)
  );
}

const isText = (value: unknown): boolean => typeof value === "string";
