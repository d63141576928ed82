/** OpenLLMetry (Traceloop), with attributes such as `gen_ai.prompt.0.role`; tools and workflows are `traceloop.entity.*`. */

import { isRecord } from "../../../../core/input/objects.js";
import { readMessages, type TraceMessage } from "../message.js";
import { type AddNote, structured, textIn } from "../span.js";
import { listBelow } from "./flattened.js";
import { type Form, firstChoice, toolReading } from "./form.js";

const KIND = "traceloop.span.kind";

export const openLLMetry: Form = {
  name: "OpenLLMetry",
  matches: ({ attributes }) =>
    attributes.has(KIND) ||
    [...attributes.keys()].some((name) => /^(gen_ai|llm)\.(prompts?|completions?)\.\d+\./.test(name)),
  read({ attributes, name }, addNote) {
    const kind = attributes.get(KIND);
    if (kind === "tool") {
      const entity = (field: string) => structured(attributes.get(`traceloop.entity.${field}`));
      return toolReading({
        id: undefined,
        name: textIn(attributes, ["traceloop.entity.name"]) ?? name.replace(/\.tool$/, ""),
        args: argsOf(entity("input")),
        result: resultOf(entity("output")),
      });
    }
    const messages = (names: string[], role: TraceMessage["role"]) =>
      readMessages(names.flatMap((each) => listBelow(attributes, each)).map(withoutNull), role, addNote);
    const input = messages(["gen_ai.prompt", "llm.prompts"], "user");
    const output = messages(["gen_ai.completion", "llm.completions"], "assistant");
    if (kind !== undefined && !input.length && !output.length) return undefined;
    return { kind: kind === undefined ? "model" : "agent", input, output: choices(output, addNote) };
  },
};

/** Missing content is recorded as the text `null`. */
const withoutNull = (message: Record<string, unknown>): Record<string, unknown> =>
  message.content === "null" && message.role === "assistant" ? { ...message, content: "" } : message;

const choices = (output: TraceMessage[], addNote: AddNote): TraceMessage[] =>
  output.length > 1 ? firstChoice(output, addNote) : output;

/** A decorated function is recorded with its arguments: `{ args: […], kwargs: {…} }`, or a list of these. */
function argsOf(input: unknown): unknown {
  if (!isRecord(input)) return Array.isArray(input) && input.length === 1 ? input[0] : input;
  const { args, kwargs, inputs, tool_input, input_str } = input;
  if (isRecord(kwargs) && Object.keys(kwargs).length) return kwargs;
  if (Array.isArray(args)) return args.length === 1 ? structured(args[0]) : args;
  return inputs ?? structured(tool_input ?? input_str) ?? input;
}

const resultOf = (output: unknown): unknown =>
  isRecord(output) && "output" in output ? output.output : output;
