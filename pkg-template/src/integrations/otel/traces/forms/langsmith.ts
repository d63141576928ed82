/** LangSmith: its export over OTLP, with the inputs and outputs of a run as JSON, and runs of its API. */

import { isRecord } from "../../../../core/input/objects.js";
import { readMessages, type TraceMessage } from "../message.js";
import { type AddNote, structured, textIn } from "../span.js";
import { type Form, firstChoice, type SpanReading, toolReading } from "./form.js";

const KIND = "langsmith.span.kind";

export const langSmith: Form = {
  name: "LangSmith",
  matches: ({ attributes }) => attributes.has(KIND),
  read({ attributes, name }, addNote) {
    const kind = attributes.get(KIND);
    const inputs = structured(attributes.get("gen_ai.prompt"));
    const outputs = structured(attributes.get("gen_ai.completion"));
    if (kind === "tool") return toolOf(textIn(attributes, ["langsmith.trace.name"]) ?? name, inputs, outputs);
    if (kind !== "llm" && kind !== "chain") return undefined;
    const input = readInputs(inputs, addNote);
    const output = withoutPrefix(input, readOutputs(outputs, addNote));
    if (kind === "llm") return { kind: "model", input, output };
    return input.length && output.length ? { kind: "agent", input, output } : undefined;
  },
};

function readInputs(inputs: unknown, addNote: AddNote): TraceMessage[] {
  if (!isRecord(inputs)) return [];
  const { messages, input, prompt, prompts, system, instructions } = inputs;
  const first = system ?? instructions;
  const given = [
    ...(typeof first === "string" ? [{ role: "system", content: first }] : []),
    ...listOf(messages ?? (isMessages(input) ? input : (prompt ?? prompts))),
  ];
  return readMessages(given, "user", addNote);
}

const listOf = (value: unknown): unknown[] =>
  Array.isArray(value) ? value.flat() : value === undefined || value === null ? [] : [value];

const isMessages = (value: unknown): boolean =>
  typeof value === "string" ||
  (Array.isArray(value) && value.flat().every(isRecord)) ||
  (isRecord(value) && "role" in value);

/** The answers of models and chains, in the forms of their packages. */
function readOutputs(outputs: unknown, addNote: AddNote): TraceMessage[] {
  if (!isRecord(outputs)) return [];
  const { choices, generations, messages, message, output, role, kwargs } = outputs;
  if (Array.isArray(choices)) {
    const candidates = choices.filter(isRecord).map((choice) => choice.message ?? choice.text);
    return firstChoice(readMessages(candidates, "assistant", addNote), addNote);
  }
  if (Array.isArray(generations)) {
    const candidates = generations
      .flat()
      .filter(isRecord)
      .map(({ message, text }) => message ?? text);
    return firstChoice(readMessages(candidates, "assistant", addNote), addNote);
  }
  if (role !== undefined || kwargs !== undefined) return readMessages([outputs], "assistant", addNote);
  const given = messages ?? message ?? (isMessages(output) ? output : undefined);
  return readMessages(given, "assistant", addNote);
}

/** Removes the inputs from the outputs, since a graph returns all messages. */
function withoutPrefix(input: readonly TraceMessage[], output: TraceMessage[]): TraceMessage[] {
  const startsWithInput = input.every((message, index) => {
    const other = output[index];
    return other?.role === message.role && JSON.stringify(other.content) === JSON.stringify(message.content);
  });
  return startsWithInput ? output.slice(input.length) : output;
}

function toolOf(name: string, inputs: unknown, outputs: unknown): SpanReading {
  const input =
    isRecord(inputs) && Object.keys(inputs).length === 1 && "input" in inputs ? inputs.input : inputs;
  const output = isRecord(outputs) && "output" in outputs ? structured(outputs.output) : outputs;
  const message = isRecord(output) && isRecord(output.kwargs) ? output.kwargs : output;
  const isMessage = isRecord(message) && typeof message.tool_call_id === "string";
  return toolReading({
    id: isMessage ? (message.tool_call_id as string) : undefined,
    name,
    args: isRecord(input) && "args" in input && "name" in input ? input.args : structured(input),
    result: isMessage ? message.content : output,
  });
}
