/** Replaces the functions of tools of agents. */

import { invalidConfig } from "../../../core/errors.js";
import { anObject, checkValue, readable, required, show } from "../../../core/input/checks.js";
import { observed } from "./observed-run.js";

/** The function of a tool. Its first parameter has the model's arguments; packages pass further parameters. */
export type ToolFunction = (args: any, ...rest: any[]) => any;

/** A tool: a function, or an object with `execute`, as in the AI SDK and Mastra. */
export type AnyTool = ToolFunction | { execute?: ToolFunction | undefined };

/** Tools by their names. */
export type AnyTools = Readonly<Record<string, AnyTool>>;

/**
 * Copies tools with other functions. Tools without a function, which the application answers itself, are kept
 * unchanged.
 *
 * @param maker The name of the calling function in messages.
 * @param wrap Makes the new function of a tool.
 */
export function withFunctions<Tools extends AnyTools>(
  maker: string,
  tools: Tools,
  wrap: (name: string, original: ToolFunction) => ToolFunction,
): Tools {
  checkValue("tools", tools, required(anObject));
  const entries = readable(maker, () =>
    Object.entries(tools).map(([name, tool]) => [name, wrapped(name, tool, wrap)]),
  );
  return Object.fromEntries(entries) as Tools;
}

/** A function whose calls the run of the agent observes. */
export const observing =
  (name: string, call: ToolFunction): ToolFunction =>
  (args, ...rest) =>
    observed(name, args, async () => call(args, ...rest));

function wrapped(
  name: string,
  tool: AnyTool,
  wrap: (name: string, original: ToolFunction) => ToolFunction,
): AnyTool {
  if (typeof tool === "function") return observing(name, wrap(name, tool));
  if (typeof tool !== "object" || tool === null) {
    throw invalidConfig(`tools.${name} is ${show(tool)}; a tool is a function, or an object with execute`);
  }
  const { execute } = tool;
  if (execute === undefined) return tool;
  if (typeof execute !== "function")
    throw invalidConfig(`tools.${name}.execute is ${show(execute)}; it has to be a function`);
  // The tools of some packages are instances of classes.
  const copy = Object.assign(Object.create(Object.getPrototypeOf(tool)), tool);
  return Object.assign(copy, { execute: observing(name, wrap(name, execute.bind(tool))) });
}
