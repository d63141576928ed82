/** Tools in all their forms, as models read of them. */

import { OpenEvalsError } from "../../core/errors.js";
import { toText } from "../../core/input/json.js";
import type { DescribedTool } from "../../openevals.types.js";
import type { Conversation } from "./conversation.js";
import type { RecipeTool } from "./types.js";

/** The tools of an assistant, in the forms of OpenAI's APIs; of those of one name, the last. */
export function describeTools(tools: readonly RecipeTool[]): DescribedTool[] {
  if (!Array.isArray(tools)) throw new OpenEvalsError("invalid_input", "tools has to be a list of tools.");
  const described = tools.map((tool, index): [string, DescribedTool] => {
    const { name, description, parameters } = tool?.function ?? tool?.custom ?? tool ?? {};
    if (typeof name !== "string" || !name) {
      throw new OpenEvalsError(
        "invalid_input",
        `tools[${index}] has no name; a tool is { type: "function", function: { name, description, parameters } }, or ` +
          "the same without function. Leave out tools that are built into a provider.",
      );
    }
    const texts = description ? [String(description)] : [];
    if (parameters) texts.push(`Parameters: ${toText(parameters, `tools[${index}].parameters`)}`);
    return [name, { toolName: name, toolText: texts.join("\n") }];
  });
  return [...new Map(described).values()];
}

/** Which tools the assistant called after the last message of the user, by their names, whether or not they answered. */
export function calledTools({ messages, untilLastTurn }: Conversation): Set<string> {
  const calls = messages.slice(untilLastTurn).flatMap(({ tool_calls }) => tool_calls ?? []);
  return new Set(calls.map(({ name }) => name).filter((name) => typeof name === "string"));
}
