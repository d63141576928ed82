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

type DescribeWay = "run" | "skip" | "only";

export interface Framework {
  /** Whether `describe` takes an asynchronous function. */
  canWait: boolean;
  describe(way: DescribeWay, name: string, collect: () => void | Promise<void>): void;
  test(name: string, body: TestBody, timeoutMs: number): void;
  afterAll(work: () => Promise<void>, timeoutMs: number): void;
}

/** Vitest, whose functions may not be global; Bun; or a framework with global functions. */
export function frameworkHere(): Framework {
  const { __vitest_index__: ofVitest, process, ...rest } = globalThis as Record<string, any>;
  const ofBun = process?.versions?.bun && process.getBuiltinModule("bun:test");
  const found = ofVitest ?? ofBun ?? rest;
  const { describe, test, afterAll } = found;
  if (typeof describe !== "function" || typeof test !== "function") {
    throw invalidConfig(
      "describeEval finds no describe and test. It works in Vitest, in Bun, and in Jest with its globals",
    );
  }
  return {
    canWait: found !== rest,
    describe: (way, name, collect) => (way === "run" ? describe : describe[way])(name, collect),
    test: (name, body, timeoutMs) =>
      // Vitest reads the parameters of a test, and Jest would wait for a callback.
      test(
        name,
        ofVitest ? ({ task, skip }: VitestContext) => body({ task, skip }) : () => body(undefined),
        timeoutMs,
      ),
    afterAll: (work, timeoutMs) => afterAll(work, timeoutMs),
  };
}
