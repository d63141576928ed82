/** The functions of the test framework that runs this file. */

import { invalidConfig } from "../../core/errors.js";
import type { Task } from "./task-report.js";

/** What Vitest passes to a test; Jest and Bun pass nothing. */
export interface VitestContext {
  task: Task;
  /** Ends the test as skipped. */
  skip(note: string): never;
}

export type TestBody = (context: VitestContext | undefined) => Promise<void>;

type DescribeMode = "run" | "skip" | "only";

export interface Framework {
  /** Whether `describe` takes an asynchronous function. */
  canCollectAsync: boolean;
  describe(mode: DescribeMode, name: string, collect: () => void | Promise<void>): void;
  test(name: string, body: TestBody, timeoutMs: number): void;
  afterAll(work: () => Promise<void>, timeoutMs: number): void;
}

/** Finds the framework: Vitest, whose functions may not be global, Bun, or one with global functions, such as Jest. */
export function frameworkHere(): Framework {
  const { __vitest_index__: ofVitest, process, ...rest } = globalThis as Record<string, any>;
  const ofBun = process?.versions?.bun && process.getBuiltinModule("bun:test");
  const framework = ofVitest ?? ofBun ?? rest;
  const { describe, test, afterAll } = framework;
  if (typeof describe !== "function" || typeof test !== "function") {
    throw invalidConfig(
      "describeEval found no test framework. Call it in a test file of Vitest, of Bun, or of Jest with its globals",
    );
  }
  return {
    canCollectAsync: framework !== rest,
    describe: (mode, name, collect) => (mode === "run" ? describe : describe[mode])(name, collect),
    test: (name, body, timeoutMs) =>
      // Vitest parses the parameters of a test; Jest takes a parameter as a callback and waits for it.
      test(
        name,
        ofVitest ? ({ task, skip }: VitestContext) => body({ task, skip }) : () => body(undefined),
        timeoutMs,
      ),
    afterAll: (work, timeoutMs) => afterAll(work, timeoutMs),
  };
}
