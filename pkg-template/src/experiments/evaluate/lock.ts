/** Locks a file for one experiment at a time, also on volumes that machines and containers share. */

import { invalidConfig, isOurs, OpenEvalsError, reasonOf } from "../../core/errors.js";
import { builtin } from "../../core/platform/builtin.js";
import { makeFolder } from "../../core/platform/folder.js";
import { isAlive, isNear, isUnfinished, newOwner, type Owner, readOwner, STALE_MS } from "./lock-owner.js";
import { realPathOf } from "./real-path.js";

/** The interval between renewals of a lock, in milliseconds. */
const RENEW_MS = 10_000;

/** The number of attempts while other processes take and release the lock. */
const MAX_ATTEMPTS = 100;

/** The ids of this thread's locks. They are in use even if the thread was too busy to renew them. */
const held = new Set<string>();

/**
 * A `.lock` beside a file, with its owner as JSON. `link()` creates it with its full content, and its modification time is the
 * time of its last renewal.
 */
export class Lock {
  /** The path of the file, with links resolved. */
  readonly file: string;
  readonly #path: string;
  readonly #option: string;
  readonly #content: string;
  readonly #id: string;
  readonly #timer: ReturnType<typeof setInterval>;
  #renewedAt = Date.now();
  #isLost = false;

  private constructor(file: string, path: string, option: string, content: string, id: string) {
    this.file = file;
    this.#path = path;
    this.#option = option;
    this.#content = content;
    this.#id = id;
    this.#timer = setInterval(() => void this.#renew(), RENEW_MS);
    // The timer must not keep the process alive.
    (this.#timer as { unref?(): void }).unref?.();
  }

  /**
   * @param option The option that names the file.
   * @throws {@link OpenEvalsError} `invalid_config` if another experiment uses the file, or it is not a regular file.
   */
  static async take(given: string, option: string): Promise<Lock> {
    const { join, basename } = builtin("node:path", needsFiles(option));
    const file = await realPathOf(given, option);
    const folder = await folderOf(file, option);
    const path = join(folder, `${basename(file)}.lock`);
    const self = await newOwner();
    const content = JSON.stringify(self);
    try {
      await acquire(path, { folder, file, option, self, content });
    } catch (error) {
      throw isOurs(error) ? error : invalidConfig(`${option} cannot be written: ${reasonOf(error)}`);
    }
    held.add(self.id);
    return new Lock(join(folder, basename(file)), path, option, content, self.id);
  }

  /**
   * Call this before writing: a process that was suspended for a long time may have lost its lock.
   *
   * @param maxAgeMs How long ago the last renewal may be.
   * @throws {@link OpenEvalsError} `tool_failed` if another experiment uses the file now.
   */
  async confirm(maxAgeMs = 2 * RENEW_MS): Promise<void> {
    if (Date.now() - this.#renewedAt >= maxAgeMs) await this.#renew();
    if (!this.#isLost) return;
    throw new OpenEvalsError(
      "tool_failed",
      `${this.file} is no longer locked by this experiment: ${this.#path} is missing or belongs to another one, so nothing more is written. Continue it with resume when no other experiment writes to it.`,
    );
  }

  async release(): Promise<void> {
    clearInterval(this.#timer);
    const { readFile, rm } = builtin("node:fs/promises", needsFiles(this.#option));
    if ((await readFile(this.#path, "utf8").catch(() => "")) === this.#content)
      await rm(this.#path, { recursive: true, force: true });
    held.delete(this.#id);
  }

  /** Writes the same content again to renew the modification time, which the clock of the volume sets, not of this machine. */
  async #renew(): Promise<void> {
    const { open } = builtin("node:fs/promises", needsFiles(this.#option));
    const file = await open(this.#path, "r+").catch((error) => {
      // Another failure may be temporary, and the lock stays valid for a while.
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
      await file.close().catch(() => {});
    }
  }
}

interface LockRequest {
  folder: string;
  file: string;
  option: string;
  self: Owner;
  content: string;
}

/**
 * Creates the lock, or replaces that of a process that has ended. Files of other programs stay. Exactly one of several concurrent
 * attempts succeeds: to replace a lock, a process first takes a second lock that is named after the owner, and then checks again.
 */
async function acquire(path: string, request: LockRequest): Promise<void> {
  const { folder, option, self, content } = request;
  const { readFile, rename, rm, stat, writeFile } = builtin("node:fs/promises", needsFiles(option));
  const { join } = builtin("node:path", needsFiles(option));
  const own = join(folder, `.openevals-${self.id}.tmp`);
  try {
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
      await writeFile(own, content);
      if (await created(path, own, content, option)) return;
      const before = await readFile(path, "utf8").catch(() => undefined);
      const found = await stat(path).catch(() => undefined);
      // Another process released it in the meantime.
      if (before === undefined || !found) continue;
      // Both times are from the volume, since clocks of machines may differ.
      const age = (await stat(own)).mtimeMs - found.mtimeMs;
      const owner = readOwner(before);
      if (!owner && !isUnfinished(before)) throw foreign(path, request);
      const isUsed = owner ? held.has(owner.id) || (await isAlive(owner, self, age)) : age < STALE_MS;
      if (isUsed) throw inUse(path, request, owner, age);
      const claim = owner ? join(folder, `.openevals-${owner.id}.lock`) : `${path}.damaged`;
      await acquire(claim, request);
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
  throw invalidConfig(
    `${path} could not be acquired after ${MAX_ATTEMPTS} attempts. If no experiment uses it, delete it`,
  );
}

/** Creates the lock from a file with its content; `false` if the lock exists. */
async function created(path: string, own: string, content: string, option: string): Promise<boolean> {
  const { link, rm, writeFile } = builtin("node:fs/promises", needsFiles(option));
  const codeOf = (error: unknown) => (error as { code?: string }).code;
  try {
    await link(own, path);
    return true;
  } catch (error) {
    if (codeOf(error) === "EEXIST") return false;
  }
  // Volumes such as FAT have no hard links. Until the content is written, other processes treat the lock as unfinished.
  try {
    await writeFile(path, content, { flag: "wx" });
    return true;
  } catch (error) {
    if (codeOf(error) === "EEXIST") return false;
    await rm(path, { recursive: true, force: true });
    throw error;
  }
}

const foreign = (path: string, { file, option }: LockRequest): OpenEvalsError =>
  invalidConfig(
    `${path} was not written by openevals-wasm, so it is kept, and ${file} cannot be locked. Name another file as ${option}, or delete ${path} if no program needs it`,
  );

function inUse(
  path: string,
  { file, self }: LockRequest,
  owner: Owner | undefined,
  age: number,
): OpenEvalsError {
  const isFar = owner && !isNear(owner, self);
  const expires = !owner || isFar || (owner.pid === self.pid && !held.has(owner.id));
  const whose = owner
    ? `, of process ${owner.pid}${isFar ? ` on ${owner.host || "an unknown host"}` : ""}`
    : "";
  const seconds = Math.max(1, Math.ceil((STALE_MS - age) / 1000));
  const hint = expires ? `start again in ${seconds} s, or delete ${path}` : `delete ${path}`;
  return invalidConfig(
    `${file} is in use by another experiment${whose}. Wait for it, or use another file; if there is no such experiment, ${hint}`,
  );
}

/** The folder of a file with links resolved. It is created if it does not exist. */
async function folderOf(file: string, option: string): Promise<string> {
  const { realpath } = builtin("node:fs/promises", needsFiles(option));
  const { dirname } = builtin("node:path", needsFiles(option));
  const folder = dirname(file);
  try {
    await makeFolder(folder, needsFiles(option));
    return await realpath(folder);
  } catch (error) {
    throw invalidConfig(`${option} cannot be written: ${reasonOf(error)}`);
  }
}

const needsFiles = (option: string): string => `${option} needs a file system`;
