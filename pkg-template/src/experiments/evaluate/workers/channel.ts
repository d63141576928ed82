/** What goes between a process and its workers, and the two kinds of workers that there are. */

import { findBuiltin } from "../../../core/platform/builtin.js";
import type { ScoreScale } from "../../../core/scale.js";

/** A worker of the web (browsers, Deno, Bun), or of `node:worker_threads`. */
export type WorkerLike = WebWorker | NodeWorker;

/** As much of a `Worker` of the web as is used. */
interface WebWorker {
  postMessage(message: any): void;
  terminate(): unknown;
  addEventListener(type: any, listener: (event: any) => void): void;
}

/** As much of a `Worker` of `node:worker_threads` as is used. */
interface NodeWorker {
  postMessage(message: any): void;
  terminate(): unknown;
  on(type: any, listener: (value: any) => void): unknown;
  ref(): void;
  unref(): void;
}

/** Marks a message as ours with the number of its call: modules of workers may send messages of their own. */
interface Marked {
  openevals: number;
}

/** Whether something is a worker, by what is used of one. */
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

/** What a worker is asked: to call one of its evaluators. Calls are numbered from 1. */
export interface WorkerCall extends Marked {
  evaluator: string;
  params: unknown;
}

/** What came of a call. */
export type WorkerOutcome = { result: unknown } | { failure: WorkerFailure };

/** What a worker tells: which evaluators it has (of no call: 0), or what came of a call. */
export type WorkerMessage =
  | (Marked & { evaluators: string[]; scales: ScoreScale[] })
  | (Marked & WorkerOutcome);

const isMarked = (message: any): boolean => typeof message?.openevals === "number";
const isCall = (message: any): message is WorkerCall =>
  isMarked(message) && typeof message.evaluator === "string";
const isTold = (message: any): message is WorkerMessage =>
  isMarked(message) &&
  (Array.isArray(message.evaluators) || "result" in message || typeof message.failure?.message === "string");

/** What an evaluator threw. */
export interface WorkerFailure {
  name: string;
  message: string;
  /** What an error of this package says besides, and whether it is one. */
  details?: { code: string; [detail: string]: unknown };
}

/** What others say, with one full stop behind it. */
export const sentence = (text: string): string => `${text.replace(/\.$/, "")}.`;

/** Listens to a worker, for messages of ours. What kills it may be told more than once. */
export function listen(
  worker: WorkerLike,
  told: (message: WorkerMessage) => void,
  died: (why: string) => void,
): void {
  const heard = (message: unknown) => void (isTold(message) && told(message));
  if ("on" in worker) {
    worker.on("message", heard);
    worker.on("messageerror", () => died("it sent what cannot be read"));
    worker.on("error", (error) => died(String(error?.message ?? error)));
    worker.on("exit", (code) => died(`it ended with code ${code}`));
  } else {
    worker.addEventListener("message", ({ data }) => heard(data));
    worker.addEventListener("messageerror", () => died("it sent what cannot be read"));
    worker.addEventListener("error", (event) => {
      // Deno ends the process for what nobody has handled.
      event.preventDefault?.();
      died(withoutSource(event.message) || "it could not be loaded");
    });
    // Bun tells that a worker has ended.
    worker.addEventListener("close", () => died("it ended"));
  }
}

/** The first line of a message behind the lines of the source that Bun puts before it. */
function withoutSource(message: unknown): string {
  const lines = String(message ?? "").split("\n");
  return lines.find((line) => line.trim() && !/^ *(\d+ \||\^)/.test(line))?.replace(/^error: /, "") ?? "";
}

/** A worker that has nothing to do keeps no process alive, where that can be said. */
export function keepAlive(worker: WorkerLike, isBusy: boolean): void {
  if (!("unref" in worker) || typeof worker.unref !== "function") return;
  if (isBusy) worker.ref();
  else worker.unref();
}

/** The end of the channel that a worker has, if this is one. */
export function parent():
  | { post(told: WorkerMessage): void; onCall(listener: (call: WorkerCall) => void): void }
  | undefined {
  const port = findBuiltin("node:worker_threads")?.parentPort;
  const isOfWeb = "WorkerGlobalScope" in globalThis;
  if (port && !isOfWeb) {
    return {
      post: (told) => port.postMessage(told),
      onCall: (listener) =>
        void port.on("message", (message: unknown) => void (isCall(message) && listener(message))),
    };
  }
  if (!isOfWeb) return undefined;
  const scope = globalThis as unknown as Pick<WebWorker, "postMessage" | "addEventListener">;
  return {
    post: (told) => scope.postMessage(told),
    onCall: (listener) =>
      scope.addEventListener("message", ({ data }) => void (isCall(data) && listener(data))),
  };
}
