/** The options of a policy, and the rules that they define. */

import { invalidConfig } from "../../core/errors.js";
import {
  aFunction,
  checkOptions,
  MAX_U32,
  type OptionChecks,
  oneOf,
  wholeFrom,
} from "../../core/input/checks.js";
import { isRecord } from "../../core/input/objects.js";
import { PASS_OPTIONS, type PassOptions } from "../../core/passing.js";
import type { ToolRule, ToolRuleKind } from "../../openevals-agents.types.js";
import type { PartEvaluator } from "../calls/parts.js";
import { aListOfPairs, aListOfPatterns, byPattern } from "./patterns.js";
import type { IsToolError } from "./trajectory.js";

/**
 * The options of {@link createToolPolicy}. Names of tools may be patterns: in `"db.*"`, the star stands for any text. A
 * call succeeds unless its result is an error. A call without a result succeeds only in the last step, or if no call of a finished
 * run has one.
 */
export interface ToolPolicyOptions extends PassOptions {
  /** The only tools that may be called. One rule. */
  allow?: readonly string[];
  /** Tools that may not be called, even if `allow` lists them. One rule each. */
  deny?: readonly string[];
  /**
   * Pairs such as `["authenticate", "refund"]`: each call of the second needs a successful call of the first in an earlier
   * step. Calls of one message are one step, since none knows the results of the others.
   */
  before?: readonly (readonly [first: string, then: string])[];
  /** Pairs such as `["refund", "send_receipt"]`: after each call of the first, a call of the second succeeds in a later step. */
  after?: readonly (readonly [first: string, then: string])[];
  /** Tools of which at least one call has to succeed. One rule each. */
  required?: readonly string[];
  /** How many times tools may be called, by name. The calls of all tools that fit a pattern count together. */
  maxCalls?: Readonly<Record<string, number>>;
  /** How many steps with calls there may be. */
  maxSteps?: number;
  /** How many times the same call, with equal arguments, may be made. */
  maxRepeats?: number;
  /**
   * Schemas of arguments, by tool: JSON schemas, or those of zod and other libraries that follow Standard Schema. They load
   * the validator of judges.
   */
  args?: Readonly<Record<string, object>>;
  /** Tools that need the user's agreement, on which `isConfirmed` decides. */
  confirm?: readonly string[];
  /**
   * Decides whether the user agreed to a call: a function or a judge. It gets `inputs`, the messages before the call, and
   * `outputs`, the call as `{ name, args }`. It is only asked if the user has answered the agent before the call; otherwise
   * the call breaks the rule.
   */
  isConfirmed?: PartEvaluator;
  /** Whether tools that no rule names may be called; `allow` by default. */
  onUnknownTool?: "allow" | "deny";
  /** Returns whether the result of a call is an error; by default, the forms that {@link stepStatus} lists are errors. */
  isError?: IsToolError;
  /** `boolean` (the default): whether all rules are kept. `share`: the share of the rules that are kept, from 0 to 1. */
  scoring?: "boolean" | "share";
}

const aCount = (value: unknown): boolean =>
  Number.isInteger(value) && (value as number) >= 0 && (value as number) <= MAX_U32;

const isSchema = (value: unknown): boolean => isRecord(value) || typeof value === "function";

const OPTIONS: OptionChecks<ToolPolicyOptions> = {
  allow: aListOfPatterns,
  deny: aListOfPatterns,
  before: aListOfPairs,
  after: aListOfPairs,
  required: aListOfPatterns,
  maxCalls: byPattern("whole numbers from 0", aCount),
  maxSteps: wholeFrom(0, MAX_U32),
  maxRepeats: wholeFrom(1, MAX_U32),
  args: byPattern("schemas", isSchema),
  confirm: aListOfPatterns,
  isConfirmed: aFunction,
  onUnknownTool: oneOf(["allow", "deny"]),
  isError: aFunction,
  scoring: oneOf(["boolean", "share"]),
  ...PASS_OPTIONS,
};

/** A policy after its options are checked. */
export interface CheckedPolicy {
  options: ToolPolicyOptions;
  rules: readonly ToolRule[];
  /** The schema of each rule of `args`, by the index of the rule. */
  schemas: ReadonlyMap<number, object>;
}

/** Checks the options of a policy, and makes its rules. */
export function readPolicy(unchecked: ToolPolicyOptions): CheckedPolicy {
  const options = checkOptions("createToolPolicy", unchecked, OPTIONS);
  const { allow, deny, before, after, required, maxCalls, maxSteps, maxRepeats, args, confirm } = options;
  const rules: ToolRule[] = [];
  const schemas = new Map<number, object>();
  const add = (kind: ToolRuleKind, tools: readonly string[], others: readonly string[] = [], most = 0) =>
    rules.push({ kind, tools: [...tools], others: [...others], most });
  if (allow) add("allow", allow);
  for (const tool of deny ?? []) add("deny", [tool]);
  for (const [first, then] of before ?? []) add("before", [then], [first]);
  for (const [first, then] of after ?? []) add("after", [first], [then]);
  for (const tool of required ?? []) add("required", [tool]);
  for (const [tool, most] of Object.entries(maxCalls ?? {})) add("maxCalls", [tool], [], most);
  if (maxSteps !== undefined) add("maxSteps", [], [], maxSteps);
  if (maxRepeats !== undefined) add("maxRepeats", [], [], maxRepeats);
  for (const [tool, schema] of Object.entries(args ?? {})) {
    schemas.set(rules.length, schema);
    add("args", [tool]);
  }
  for (const tool of confirm ?? []) add("confirm", [tool]);
  if (options.onUnknownTool === "deny") {
    add("onUnknownTool", [...new Set(rules.flatMap(({ tools, others }) => [...tools, ...others]))]);
  }
  if (confirm?.length && !options.isConfirmed) {
    throw invalidConfig(
      "confirm needs isConfirmed, a function or a judge that decides whether the user agreed",
    );
  }
  if (rules.length === 0) {
    throw invalidConfig("createToolPolicy has no rule to check; set at least one, such as allow or maxCalls");
  }
  return { options, rules, schemas };
}
