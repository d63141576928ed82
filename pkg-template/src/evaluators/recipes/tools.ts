/** Describes tools in all supported forms for a model. */

import { invalidInput } from "../../core/errors.js";
import { toText } from "../../core/input/text.js";
import type { DescribedTool } from "../../openevals.types.js";
import type { Conversation } from "./conversation.js";
import type { RecipeTool } from "./types.js";

/** The tools of an assistant, in the forms of OpenAI's APIs; of several with the same name, the last one. */
export function describeTools(tools: readonly RecipeTool[]): DescribedTool[] {
  if (!Array.isArray(tools)) throw invalidInput("tools has to be a list of tools");
  const described = tools.map((tool, index): [string, DescribedTool] => {
    const { name, description, parameters } = tool?.function ?? tool?.custom ?? tool ?? {};
    if (typeof name !== "string" || !name) {
      throw invalidInput(
        `tools[${index}] has no name; a tool is { type: "function", function: { name, description, parameters } }, or ` +
          "the same without function. Leave out tools that are built into a provider",
      );
    }
    const texts = description ? [String(description)] : [];
    if (parameters) texts.push(`Parameters: ${toText(parameters, `tools[${index}].parameters`)}`);
    return [name, { toolName: name, toolText: texts.join("\n") }];
  });
  return [...new Map(described).values()];
}

/** The names of the tools that the assistant called after the last user message, whether or not they returned. */
export function calledTools({ messages, untilLastTurn }: Conversation): Set<string> {
  const calls = messages.slice(untilLastTurn).flatMap(({ tool_calls }) => tool_calls ?? []);
  return new Set(calls.map(({ name }) => name).filter((name) => typeof name === "string"));
}
