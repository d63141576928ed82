/** Reads the rules for individual tools: those that the engine applies, and functions that the package calls for it. */

import { invalidConfig } from "../../core/errors.js";
import { aListOfStrings, checkValue, oneOf, readable } from "../../core/input/checks.js";
import type { ToolArgsMatcher, ToolArgsMatchOverrides } from "../../core/types.js";
import type { ToolArgsOverride, ToolArgsRule } from "../../openevals.types.js";
import { ARGS_MODES } from "./options.js";

/** Functions that compare the arguments of two calls, by tool. */
export type Matchers = ReadonlyMap<string, ToolArgsMatcher>;

/** Splits the overrides into the engine's rules and the functions. */
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
  throw invalidConfig(
    `${name} has to be a mode (${ARGS_MODES.join(", ")}), a list of field paths or a function`,
  );
}

/** The name of a tool's rule in errors. */
export const nameOf = (tool: string): string => `toolArgsMatchOverrides[${JSON.stringify(tool)}]`;
