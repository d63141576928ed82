/** Checks of answers: cheap gates that need no model. */

export type { FieldSource } from "../input/field.js";
// Combining checks, and guarding an answer
export type { PartEvaluator, PartReturn } from "../parts.js";
export type { ByteStream, TextStream } from "../runtime/globals.js";
export { allOf, anyOf, not } from "./all-of.js";
export type { Check, CheckOptions, CheckParams, CheckResult, OutputCheckOptions } from "./check.js";
export type { Combination, CombinationOptions } from "./combination.js";
export { type GuardedText, type GuardOptions, guard } from "./guard.js";
export type { Readable, Source } from "./guard-source.js";
export type { GuardedStream } from "./guard-stream.js";
export type { GuardFailure } from "./guard-verdict.js";
export { firstFailing, type UnlessOptions, unless } from "./in-turn.js";
export { type WeightedEvaluator, type WeightedOptions, weighted } from "./weighted.js";
