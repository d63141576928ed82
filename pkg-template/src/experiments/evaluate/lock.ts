/** One experiment at a time has a file, also on volumes that machines and containers share. */

import { invalidConfig, isOurs, OpenEvalsError, reasonOf } from "../../core/errors.js";
import { builtin } from "../../core/platform/builtin.js";
import { isAlive, isNear, newOwner, type Owner, readOwner, STALE_MS } from "./lock-owner.js";
import { placeOf } from "./place.js";

/** How often a lock is renewed, in milliseconds. */
const RENEW_MS = 10_000;

/** How often the lock of another process may come and go before we give up. */
const MOST_ATTEMPTS = 100;

/**
 * A `.lock` beside a file, with its owner as JSON. It appears with its whole content, by `link()`, and its time of
 * modification is when it was last renewed.
 */
export class Lock {
  /** The file itself: links are followed. */
  readonly file: string;
  readonly #path: string;
  readonly #option: string;
  readonly #content: string;
  readonly #timer: ReturnType<typeof setInterval>;
  #renewedAt = Date.now();
  #isLost = false;

  private constructor(file: string, path: string, option: string, content: string) {
    this.file = file;
    this.#path = path;
    this.#option = option;
    this.#content = content;
    this.#timer = setInterval(() => void this.#renew(), RENEW_MS);
    // It keeps no process alive.
    (this.#timer as { unref?(): void }).unref?.();
  }

  /**
   * @param option The option that names the file.
   * @throws {@link OpenEvalsError} `invalid_config` if another experiment has the file, and for what is no regular file.
   */
  static async take(given: string, option: string): Promise<Lock> {
    const { join, basename } = builtin("node:path", needsFiles(option));
    const file = await placeOf(given, option);
    const folder = await folderOf(file, option);
    const path = join(folder, `${basename(file)}.lock`);
    const self = await newOwner();
    const content = JSON.stringify(self);
    try {
      await acquire(path, { folder, file, option, self, content });
    } catch (error) {
      throw isOurs(error) ? error : invalidConfig(`${option} cannot be written: ${reasonOf(error)}`);
    }
    return new Lock(join(folder, basename(file)), path, option, content);
  }

  /**
   * Call it before writing: a process that was suspended for long may have lost its lock.
   *
   * @throws {@link OpenEvalsError} `tool_failed` if another experiment has the file now.
   */
  async confirm(): Promise<void> {
    if (Date.now() - this.#renewedAt > 2 * RENEW_MS) await this.#renew();
    if (!this.#isLost) return;
    throw new OpenEvalsError(
      "tool_failed",
      `${this.file} is no longer locked by this experiment: ${this.#path} is gone or of another one, so nothing more is written. Continue it with resume when no other experiment writes to it.`,
    );
  }

  async release(): Promise<void> {
    clearInterval(this.#timer);
    const { readFile, rm } = builtin("node:fs/promises", needsFiles(this.#option));
    if ((await readFile(this.#path, "utf8").catch(() => "")) === this.#content)
      await rm(this.#path, { recursive: true, force: true });
  }

  /** Writes the same content again, so that the file has a new time: that of the volume, not of this machine. */
  async #renew(): Promise<void> {
    const { open } = builtin("node:fs/promises", needsFiles(this.#option));
    const file = await open(this.#path, "r+").catch((error) => {
      // Any other failure may pass, and the lock still counts for a while.
      if (error.code === "ENOENT") this.#isLost = true;
    });
    if (!file) return;
    try {
      if ((await file.readFile("utf8")) !== this.#content) this.#isLost = true;
      else await file.write(this.#content, 0);
      this.#renewedAt = Date.now();
    } catch {
      // As above.
    } finally {
      await file.close();
    }
  }
}

interface Taking {
  folder: string;
  file: string;
  option: string;
  self: Owner;
  content: string;
}

/**
 * Creates the lock, or takes that of a process that has ended. Of several that do so at once, one succeeds: whoever wants to
 * replace the lock of an owner first takes a lock with the name of that owner, and then looks again.
 */
async function acquire(path: string, taking: Taking): Promise<void> {
  const { folder, option, self, content } = taking;
  const { readFile, rename, rm, stat, writeFile } = builtin("node:fs/promises", needsFiles(option));
  const { join } = builtin("node:path", needsFiles(option));
  const own = join(folder, `.openevals-${self.id}.tmp`);
  try {
    for (let attempt = 0; attempt < MOST_ATTEMPTS; attempt++) {
      await writeFile(own, content);
      if (await created(path, own, content, option)) return;
      const before = await readFile(path, "utf8").catch(() => undefined);
      const found = await stat(path).catch(() => undefined);
      // It has been released meanwhile.
      if (before === undefined || !found) continue;
      // Both times are those of the volume: clocks of machines may differ.
      const age = (await stat(own)).mtimeMs - found.mtimeMs;
      const owner = readOwner(before);
      if (owner ? await isAlive(owner, self, age) : age < STALE_MS) throw inUse(path, taking, owner, age);
      const claim = owner ? join(folder, `.openevals-${owner.id}.lock`) : `${path}.damaged`;
      await acquire(claim, taking);
      try {
        if ((await readFile(path, "utf8").catch(() => undefined)) !== before) continue;
        await writeFile(own, content);
        return await rename(own, path);
      } finally {
        await rm(claim, { recursive: true, force: true });
      }
    }
  } finally {
    await rm(own, { recursive: true, force: true });
  }
  throw invalidConfig(`${path} cannot be created: it is there, and cannot be read. Delete it`);
}

/** Creates the lock from a file with its content; `false` if there is one. */
async function created(path: string, own: string, content: string, option: string): Promise<boolean> {
  const { link, rm, writeFile } = builtin("node:fs/promises", needsFiles(option));
  const codeOf = (error: unknown) => (error as { code?: string }).code;
  try {
    await link(own, path);
    return true;
  } catch (error) {
    if (codeOf(error) === "EEXIST") return false;
  }
  // A volume without hard links, such as FAT. Until it is written, others take the lock for one that is being written.
  try {
    await writeFile(path, content, { flag: "wx" });
    return true;
  } catch (error) {
    if (codeOf(error) === "EEXIST") return false;
    await rm(path, { recursive: true, force: true });
    throw error;
  }
}

function inUse(path: string, { file, self }: Taking, owner: Owner | undefined, age: number): OpenEvalsError {
  const isFar = owner && !isNear(owner, self);
  const whose = owner
    ? `, of process ${owner.pid}${isFar ? ` on ${owner.host || "an unknown host"}` : ""}`
    : "";
  const seconds = Math.max(1, Math.ceil((STALE_MS - age) / 1000));
  const hint = isFar || !owner ? `start again in ${seconds} s, or delete ${path}` : `delete ${path}`;
  return invalidConfig(
    `${file} is in use by another experiment${whose}. Wait for it, or name another file; if there is no such experiment, ${hint}`,
  );
}

/** The folder of a file, by the one name that links to it share; it is made if need be. */
async function folderOf(file: string, option: string): Promise<string> {
  const { mkdir, realpath } = builtin("node:fs/promises", needsFiles(option));
  const { dirname } = builtin("node:path", needsFiles(option));
  const folder = dirname(file);
  try {
    await mkdir(folder, { recursive: true });
    return await realpath(folder);
  } catch (error) {
    const { code } = error as { code?: string };
    const isNone = code === "EEXIST" || code === "ENOTDIR";
    throw invalidConfig(
      `${option} cannot be written: ${isNone ? `${folder} is no folder, or is below a file` : reasonOf(error)}`,
    );
  }
}

const needsFiles = (option: string): string => `${option} needs files`;
