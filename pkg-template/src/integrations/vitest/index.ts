/** Evaluations in tests of Vitest, Jest and Bun. Importing this module adds the matchers to the framework's `expect`. */

import { type EvaluatorMatchers, evaluatorMatchers } from "./matchers.js";

export { type DescribeEval, type DescribeEvalOptions, describeEval } from "./describe-eval.js";
export {
  type EvaluatorMatchers,
  evaluatorMatchers,
  type TestEvaluator,
  type ToPassEvaluatorOptions,
} from "./matchers.js";

// Vitest stores `expect` under this symbol, Jest has it as a global, and Bun in a module.
const { [Symbol.for("expect-global")]: ofVitest, expect, process } = globalThis as Record<PropertyKey, any>;
const ofBun = process?.versions?.bun && process.getBuiltinModule("bun:test")?.expect;
(ofVitest ?? expect ?? ofBun)?.extend?.(evaluatorMatchers);

// Each augmentation is an error where that framework is not installed.

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

// biome-ignore lint/suspicious/noTsIgnore: an error is expected only where it is missing.
/** @ts-ignore */
declare module "bun:test" {
  interface Matchers<T = unknown> extends EvaluatorMatchers {}
}

declare global {
  namespace jest {
    interface Matchers<R, T> extends EvaluatorMatchers {}
  }
}
