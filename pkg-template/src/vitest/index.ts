/** Matchers for Vitest and Jest. Importing this adds them to the `expect` that there is. */

import { type EvaluatorMatchers, evaluatorMatchers } from "./matchers.js";

export {
  type EvaluatorMatchers,
  evaluatorMatchers,
  type TestEvaluator,
  type ToPassEvaluatorOptions,
} from "./matchers.js";

// Vitest keeps its own under this symbol; `expect` is global in Jest, and in Vitest only on request.
const { [Symbol.for("expect-global")]: ofVitest, expect } = globalThis as Record<PropertyKey, any>;
(ofVitest ?? expect)?.extend?.(evaluatorMatchers);

// Whoever has one of these frameworks need not have the other, where nothing can be added to it.

// biome-ignore lint/suspicious/noTsIgnore: an error is expected only where it is missing.
/** @ts-ignore */
declare module "vitest" {
  interface Assertion<T = any> extends EvaluatorMatchers {}
}

// biome-ignore lint/suspicious/noTsIgnore: an error is expected only where it is missing.
/** @ts-ignore */
declare module "expect" {
  interface Matchers<R extends void | Promise<void>, T = unknown> extends EvaluatorMatchers {}
}

declare global {
  namespace jest {
    interface Matchers<R, T> extends EvaluatorMatchers {}
  }
}
