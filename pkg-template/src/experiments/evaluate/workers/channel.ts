/** The messages between a process and its workers, and the two kinds of workers. */

import { findBuiltin } from "../../../core/platform/builtin.js";
import type { ScoreScale } from "../../../core/types.js";

/** A Web Worker (browsers, Deno, Bun) or a worker of `node:worker_threads`. */
export type WorkerLike = WebWorker | NodeWorker;

/** The part of a Web Worker that is used. */
interface WebWorker {
  postMessage(message: any): void;
  terminate(): unknown;
  addEventListener(type: any, listener: (event: any) => void): void;
}

/** The part of a `Worker` of `node:worker_threads` that is used. */
interface NodeWorker {
  postMessage(message: any): void;
  terminate(): unknown;
  on(type: any, listener: (value: any) => void): unknown;
  ref(): void;
  unref(): void;
}

/** Marks a message of this package with the number of its call. The module of a worker may send other messages. */
interface Marked {
  openevals: number;
}

/** Whether a value has the members of a worker that are used. */
export function isWorker(value: any): value is WorkerLike {
  const has = (name: string) => typeof value[name] === "function";
  return (
    typeof value === "object" &&
    value !== null &&
    has("postMessage") &&
    has("terminate") &&
    has("on" in value ? "on" : "addEventListener")
  );
}

/** A request to call an evaluator of the worker. Calls are numbered from 1. */
export interface WorkerCall extends Marked {
  evaluator: string;
  params: unknown;
}

/** The outcome of a call. */
export type WorkerOutcome = { result: unknown } | { failure: WorkerFailure };

/** A message of a worker: its evaluators (with the number 0), or the outcome of a call. */
export type WorkerMessage =
  | (Marked & { evaluators: string[]; scales: ScoreScale[] })
  | (Marked & WorkerOutcome);

const isMarked = (message: any): boolean => typeof message?.openevals === "number";
const isCall = (message: any): message is WorkerCall =>
  isMarked(message) && typeof message.evaluator === "string";
const isFromWorker = (message: any): message is WorkerMessage =>
  isMarked(message) &&
  (Array.isArray(message.evaluators) || "result" in message || typeof message.failure?.message === "string");

/** An error of an evaluator. */
export interface WorkerFailure {
  name: string;
  message: string;
  /** The other fields of an `OpenEvalsError`; missing for other errors. */
  details?: { code: string; [detail: string]: unknown };
}

/** Listens to messages of this package. `died` may be called more than once. */
export function listen(
  worker: WorkerLike,
  received: (message: WorkerMessage) => void,
  died: (why: string) => void,
): void {
  const onMessage = (message: unknown) => void (isFromWorker(message) && received(message));
  if ("on" in worker) {
    worker.on("message", onMessage);
    worker.on("messageerror", () => died("it sent a message that cannot be read"));
    worker.on("error", (error) => died(String(error?.message ?? error)));
    worker.on("exit", (code) => died(`it ended with code ${code}`));
  } else {
    worker.addEventListener("message", ({ data }) => onMessage(data));
    worker.addEventListener("messageerror", () => died("it sent a message that cannot be read"));
    worker.addEventListener("error", (event) => {
      // Deno ends the process for an unhandled error event.
      event.preventDefault?.();
      died(withoutSource(event.message) || "it could not be loaded");
    });
    // Only Bun reports the end of a worker.
    worker.addEventListener("close", () => died("it ended"));
  }
}

/** The first line of a message after the source lines that Bun puts before it. */
function withoutSource(message: unknown): string {
  const lines = String(message ?? "").split("\n");
  return lines.find((line) => line.trim() && !/^ *(\d+ \||\^)/.test(line))?.replace(/^error: /, "") ?? "";
}

/** Lets the process end while a worker is idle, on runtimes that support this. */
export function keepAlive(worker: WorkerLike, isBusy: boolean): void {
  if (!("unref" in worker) || typeof worker.unref !== "function") return;
  if (isBusy) worker.ref();
  else worker.unref();
}

/** The channel to the parent process; `undefined` outside of a worker. */
export function parent():
  | { post(message: WorkerMessage): void; onCall(listener: (call: WorkerCall) => void): void }
  | undefined {
  const port = findBuiltin("node:worker_threads")?.parentPort;
  const isOfWeb = "WorkerGlobalScope" in globalThis;
  if (port && !isOfWeb) {
    return {
      post: (message) => port.postMessage(message),
      onCall: (listener) =>
        void port.on("message", (message: unknown) => void (isCall(message) && listener(message))),
    };
  }
  if (!isOfWeb) return undefined;
  const scope = globalThis as unknown as Pick<WebWorker, "postMessage" | "addEventListener">;
  return {
    post: (message) => scope.postMessage(message),
    onCall: (listener) =>
      scope.addEventListener("message", ({ data }) => void (isCall(data) && listener(data))),
  };
}
