/** Rules for single tools: what the engine does itself, and functions that it has to ask. */

import { callbackFailed, OpenEvalsError } from "../../core/errors.js";
import { aListOfStrings, checkValue, oneOf, readable } from "../../core/input/checks.js";
import type { ToolArgsMatcher, ToolArgsMatchOverrides } from "../../core/types.js";
import type { ToolArgsOverride, ToolArgsRule } from "../../openevals.types.js";
import { ARGS_MODES } from "./options.js";
import { argumentsOf, type ComparedStep } from "./steps.js";

/** Functions that compare the arguments of two calls, by tool. */
export type Matchers = ReadonlyMap<string, ToolArgsMatcher>;

/** Reads the overrides: what the engine is told of them, and the functions. */
export function readOverrides(options: ToolArgsMatchOverrides): {
  overrides: ToolArgsOverride[];
  matchers: Matchers;
} {
  const matchers = new Map<string, ToolArgsMatcher>();
  const entries = readable("toolArgsMatchOverrides", () => Object.entries(options));
  const overrides = entries.map(([tool, override]) => {
    if (typeof override === "function") matchers.set(tool, override);
    return { tool, rule: ruleOf(override, nameOf(tool)) };
  });
  return { overrides, matchers };
}

function ruleOf(override: ToolArgsMatchOverrides[string], name: string): ToolArgsRule {
  if (typeof override === "function") return "custom";
  if (Array.isArray(override)) {
    checkValue(name, override, aListOfStrings);
    return { fields: override };
  }
  if (typeof override === "string") {
    checkValue(name, override, oneOf(ARGS_MODES));
    return { mode: override };
  }
  throw new OpenEvalsError(
    "invalid_config",
    `${name} has to be a mode (${ARGS_MODES.join(", ")}), a list of field paths or a function.`,
  );
}

const nameOf = (tool: string): string => `toolArgsMatchOverrides[${JSON.stringify(tool)}]`;

/** What the engine asks about two calls; keeps how a matcher failed, which does not cross the boundary. */
export function customMatcher(
  matchers: Matchers,
  outputs: readonly ComparedStep[],
  referenceOutputs: readonly ComparedStep[],
) {
  const outputCalls = outputs.flatMap(({ calls }) => calls);
  // Each is read once, however often it is asked about.
  const outputArguments = outputCalls.map(argumentsOf);
  const referenceArguments = referenceOutputs.flatMap(({ calls }) => calls).map(argumentsOf);
  const state: { failure?: OpenEvalsError; ask(output: number, reference: number): unknown } = {
    ask(output, reference) {
      const tool = outputCalls[output]?.name as string;
      const keep = (thrown: unknown): never => {
        state.failure = callbackFailed(nameOf(tool), thrown);
        throw state.failure;
      };
      const matcher = matchers.get(tool) as ToolArgsMatcher;
      try {
        const answer = matcher(
          outputArguments[output] as Record<string, unknown>,
          referenceArguments[reference] as Record<string, unknown>,
        );
        return typeof answer === "object" ? Promise.resolve(answer).catch(keep) : answer;
      } catch (error) {
        return keep(error);
      }
    },
  };
  return state;
}
