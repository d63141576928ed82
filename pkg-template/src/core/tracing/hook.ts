/** Reports evaluations to LangSmith. This part is in every bundle, so it is small, and fast without tracing. */

import { typed } from "../errors.js";
import { allRows } from "../input/rows.js";
import { loadPackage } from "../platform/packages.js";
import type { About } from "./types.js";

/** The storage in which LangSmith keeps the current run, once it is loaded. */
const STORAGE = /* @__PURE__ */ Symbol.for("ls:tracing_async_local_storage");

interface Globals {
  [STORAGE]?: { getStore(): unknown; run<T>(store: unknown, work: () => T): T };
  process?: { env?: Record<string, string | undefined> };
  Deno?: unknown;
  expect?: unknown;
}

const NAMES = ["LANGSMITH_TRACING", "LANGSMITH_TRACING_V2", "LANGCHAIN_TRACING", "LANGCHAIN_TRACING_V2"];

type Tracer = typeof import("./langsmith.js");
type LoadTracing = () => Promise<Tracer>;

let load: LoadTracing | undefined;
let loaded: Tracer | undefined;
let isRequested: boolean | undefined;

/** Sets how the tracer is loaded. Runtimes that have packages call it; on others, nothing is traced. */
export function traceWith(loader: LoadTracing): void {
  load = loader;
}

/** Returns the loader of the tracer if tracing may be on. LangSmith itself decides whether it is. */
export function tracerLoader(): LoadTracing | undefined {
  const { [STORAGE]: storage, Deno, expect } = globalThis as Globals;
  // A run or a LangSmith test. Loading LangSmith already sets `expect`, so the tracer decides once it is loaded.
  if (storage) {
    const isInTest = expect && (loaded?.isInTest() ?? true);
    return storage.getStore() || isInTest || isOn() ? load : undefined;
  }
  // The environment is not read twice: that takes as long as a score, and Deno would ask for permission.
  isRequested ??= !Deno && isOn();
  return isRequested ? load : undefined;
}

/** Reading the environment takes longer than a score, so the result is kept for this time. */
const SEEN_FOR_MS = 10;
let seenAt = Number.NEGATIVE_INFINITY;
let seen = false;

function isOn(): boolean {
  const now = performance.now();
  if (now - seenAt > SEEN_FOR_MS) {
    const { env } = (globalThis as Globals).process ?? {};
    seen = NAMES.some((name) => env?.[name] === "true");
    seenAt = now;
  }
  return seen;
}

/**
 * The same work, traced as a run of this name, if there is one. All errors of an evaluator become errors of this
 * package.
 */
export function traced<Work extends (...args: any[]) => Promise<any>>(
  name: string,
  work: Work,
  about: About = {},
): Work {
  if (!name) return work;
  // The caller of a step reports its errors.
  const failed = (error: unknown) => {
    throw about.step === undefined ? typed(name, error) : error;
  };
  return ((...args) => {
    const loading = tracerLoader()?.();
    const result = loading
      ? loading.then(
          (tracer) => {
            loaded = tracer;
            return tracer.trace(name, work, args, about, loadPackage);
          },
          // Without the tracer, there is a score but no trace.
          () => work(...args),
        )
      : work(...args);
    return result.catch(failed);
  }) as Work;
}

/** The function with a name, for example for LangSmith. Bundlers shorten the names of functions. */
export function named<Work extends object>(name: string, work: Work): Work {
  return Object.defineProperty(work, "name", { value: name, configurable: true });
}

/** An evaluator whose evaluations are traced as runs, including those of a batch. */
export function tracedEvaluator<
  Evaluate extends (...args: any[]) => Promise<any>,
  Batch extends (rows: readonly any[]) => Promise<any>,
>(name: string, evaluate: Evaluate, batch: Batch, about?: About): Evaluate & { batch: Batch } {
  const one = traced(name, evaluate, about);
  return Object.assign(named(name, one), {
    // Names the missing results for `evaluate()` if it fails on every row.
    feedbackKey: name,
    batch: (async (rows) => {
      try {
        return await (tracerLoader() && Array.isArray(rows) ? allRows(rows, one) : batch(rows));
      } catch (error) {
        throw typed(`${name}.batch`, error);
      }
    }) as Batch,
  });
}

/** A function for the engine, which is called within the run in which it was passed. */
export function inRun<Call extends (...args: any[]) => unknown>(call: Call): Call {
  const storage = (globalThis as Globals)[STORAGE];
  const run = storage?.getStore();
  return run ? (((...args) => storage?.run(run, () => call(...args))) as Call) : call;
}
