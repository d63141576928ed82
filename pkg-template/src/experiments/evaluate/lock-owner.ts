/** The owner of a lock, and whether that process is still running. */

import { findBuiltin } from "../../core/platform/builtin.js";
import { uuid } from "../../core/platform/uuid.js";

const { process } = globalThis as unknown as {
  process: { pid: number; kill(pid: number, signal: 0): void };
};

/** The time after which an unrenewed lock of another machine, container or thread expires, in milliseconds. */
export const STALE_MS = 120_000;

/** A process with a lock; `host` comes first in its text. Fields that the runtime does not know are empty. */
export interface Owner {
  host: string;
  /** The boot id of the kernel, and the namespace of `pid`; each container has its own. */
  boot: string;
  pidNamespace: string;
  pid: number;
  /** The start of the process in ticks of the kernel, since process ids are reused. */
  started: string;
  /** The random id of the lock. */
  id: string;
}

/** This process, with an id for a new lock. */
export async function newOwner(): Promise<Owner> {
  const [boot, pidNamespace, own] = await Promise.all([
    textOf("/proc/sys/kernel/random/boot_id"),
    linkOf("/proc/self/ns/pid"),
    statusOf("self"),
  ]);
  return { host: hostName(), boot, pidNamespace, pid: process.pid, started: own.started, id: uuid() };
}

/** The owner in a lock; `undefined` for other content. */
export function readOwner(text: string): Owner | undefined {
  let owner: Partial<Owner> | undefined;
  try {
    owner = Object(JSON.parse(text));
  } catch {
    return undefined;
  }
  const { host, boot, pidNamespace, pid, started, id } = owner as Partial<Owner>;
  const areTexts = [host, boot, pidNamespace, started].every((field) => typeof field === "string");
  // The id becomes part of a file name.
  const isId = typeof id === "string" && /^[\da-f-]{36}$/.test(id);
  return areTexts && isId && Number.isInteger(pid) && Number(pid) > 0 ? (owner as Owner) : undefined;
}

/** Whether a text is the beginning of a lock that is being written, or whose process was killed while it wrote. */
export function isUnfinished(text: string): boolean {
  if (!text.startsWith('{"host":"')) return false;
  try {
    JSON.parse(text);
    return false;
  } catch {
    return true;
  }
}

/**
 * Whether the owner is still running. For another machine or container, and another thread of this process, this is known only
 * by the renewal of the lock.
 *
 * @param age The time since the last renewal, in milliseconds.
 */
export async function isAlive(owner: Owner, self: Owner, age: number): Promise<boolean> {
  const isFresh = age < STALE_MS;
  if (!isNear(owner, self)) return isFresh;
  try {
    process.kill(owner.pid, 0);
  } catch (error) {
    if ((error as { code?: string }).code === "ESRCH") return false;
  }
  const { state, started } = await statusOf(owner.pid);
  if (!started || !owner.started) return isFresh;
  // A zombie has ended, but its parent has not read its exit code.
  if (started !== owner.started || state === "Z") return false;
  // A worker thread may have ended without its process.
  return isFresh || owner.pid !== self.pid;
}

/** Whether the process id of another owner is valid in this process's namespace. */
export const isNear = (owner: Owner, self: Owner): boolean =>
  self.host !== "" &&
  (["host", "boot", "pidNamespace"] as const).every((field) => owner[field] === self[field]);

/** The status of a process on Linux; its fields are empty on other systems. */
async function statusOf(pid: number | "self"): Promise<{ state: string; started: string }> {
  const status = await textOf(`/proc/${pid}/stat`);
  // The second field, the name in parentheses, may contain spaces.
  const fields = status.slice(status.lastIndexOf(")") + 2).split(" ");
  return { state: fields[0] ?? "", started: fields[19] ?? "" };
}

const files = () => findBuiltin("node:fs/promises");

const textOf = async (path: string): Promise<string> =>
  (
    (await files()
      ?.readFile(path, "utf8")
      .catch(() => "")) ?? ""
  ).trim();

const linkOf = async (path: string): Promise<string> =>
  (await files()
    ?.readlink(path)
    .catch(() => "")) ?? "";

function hostName(): string {
  try {
    return findBuiltin("node:os")?.hostname() ?? "";
  } catch {
    // Deno may deny the permission.
    return "";
  }
}
