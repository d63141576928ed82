/** Who holds a lock, and whether that process still runs. */

import { findBuiltin } from "../../core/platform/builtin.js";
import { uuid } from "../../core/platform/uuid.js";

const { process } = globalThis as unknown as {
  process: { pid: number; kill(pid: number, signal: 0): void };
};

/** How long the lock of a process that cannot be asked counts without being renewed, in milliseconds. */
export const STALE_MS = 120_000;

/** A process that holds a lock. A field is empty where the runtime does not know it. */
export interface Owner {
  host: string;
  /** The boot of the kernel, and the namespace that `pid` belongs to: containers have one each. */
  boot: string;
  pidNamespace: string;
  pid: number;
  /** When the process started, in the kernel's ticks: process ids are used again. */
  started: string;
  /** A random id of this lock. */
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

/** The owner that a lock names; nothing for one that is damaged or half written. */
export function readOwner(text: string): Owner | undefined {
  let owner: Partial<Owner> | undefined;
  try {
    owner = Object(JSON.parse(text));
  } catch {
    return undefined;
  }
  const { host, boot, pidNamespace, pid, started, id } = owner as Partial<Owner>;
  const areTexts = [host, boot, pidNamespace, started].every((field) => typeof field === "string");
  // The id becomes part of a file's name.
  const isId = typeof id === "string" && /^[\da-f-]{36}$/.test(id);
  return areTexts && isId && Number.isInteger(pid) && Number(pid) > 0 ? (owner as Owner) : undefined;
}

/**
 * Whether the owner still runs. Another machine or container cannot be asked, so there the lock has to be renewed.
 *
 * @param age How long ago the lock was renewed, in milliseconds.
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
  // A zombie has ended; only its parent has not asked for its exit code yet.
  return started === owner.started && state !== "Z";
}

/** Whether the process id of another owner means something here. */
export const isNear = (owner: Owner, self: Owner): boolean =>
  self.host !== "" &&
  (["host", "boot", "pidNamespace"] as const).every((field) => owner[field] === self[field]);

/** What Linux knows of a process; other systems say nothing. */
async function statusOf(pid: number | "self"): Promise<{ state: string; started: string }> {
  const status = await textOf(`/proc/${pid}/stat`);
  // The second field, the name in parentheses, may hold spaces.
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
    // Deno asks for a permission.
    return "";
  }
}
