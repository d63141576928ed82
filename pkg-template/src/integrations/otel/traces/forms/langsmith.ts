/** LangSmith: its export over OTLP, which has the inputs and outputs of a run as JSON, and what its API gives as runs. */

import { readMessages, type TraceMessage } from "../message.js";
import { isObject } from "../otlp.js";
import { structured, type Tell, textIn } from "../span.js";
import { type Form, firstChoice, type SpanReading, toolReading } from "./form.js";

const KIND = "langsmith.span.kind";

export const langSmith: Form = {
  name: "LangSmith",
  isOf: ({ attributes }) => attributes.has(KIND),
  read({ attributes, name }, tell) {
    const kind = attributes.get(KIND);
    const inputs = structured(attributes.get("gen_ai.prompt"));
    const outputs = structured(attributes.get("gen_ai.completion"));
    if (kind === "tool") return toolOf(textIn(attributes, ["langsmith.trace.name"]) ?? name, inputs, outputs);
    if (kind !== "llm" && kind !== "chain") return undefined;
    const input = readInputs(inputs, tell);
    const output = withoutPrefix(input, readOutputs(outputs, tell));
    if (kind === "llm") return { kind: "model", input, output };
    return input.length && output.length ? { kind: "agent", input, output } : undefined;
  },
};

function readInputs(inputs: unknown, tell: Tell): TraceMessage[] {
  if (!isObject(inputs)) return [];
  const { messages, input, prompt, prompts, system, instructions } = inputs;
  const first = system ?? instructions;
  const said = [
    ...(typeof first === "string" ? [{ role: "system", content: first }] : []),
    ...listOf(messages ?? (isMessages(input) ? input : (prompt ?? prompts))),
  ];
  return readMessages(said, "user", tell);
}

const listOf = (value: unknown): unknown[] =>
  Array.isArray(value) ? value.flat() : value === undefined || value === null ? [] : [value];

const isMessages = (value: unknown): boolean =>
  typeof value === "string" ||
  (Array.isArray(value) && value.flat().every(isObject)) ||
  (isObject(value) && "role" in value);

/** What models and chains answer, as their packages have it. */
function readOutputs(outputs: unknown, tell: Tell): TraceMessage[] {
  if (!isObject(outputs)) return [];
  const { choices, generations, messages, message, output, role, kwargs } = outputs;
  if (Array.isArray(choices)) {
    const candidates = choices.filter(isObject).map((choice) => choice.message ?? choice.text);
    return firstChoice(readMessages(candidates, "assistant", tell), tell);
  }
  if (Array.isArray(generations)) {
    const candidates = generations
      .flat()
      .filter(isObject)
      .map(({ message: said, text }) => said ?? text);
    return firstChoice(readMessages(candidates, "assistant", tell), tell);
  }
  if (role !== undefined || kwargs !== undefined) return readMessages([outputs], "assistant", tell);
  const said = messages ?? message ?? (isMessages(output) ? output : undefined);
  return readMessages(said, "assistant", tell);
}

/** A graph gives all messages back, those that it was given included. */
function withoutPrefix(input: readonly TraceMessage[], output: TraceMessage[]): TraceMessage[] {
  const isGiven = input.every((message, index) => {
    const other = output[index];
    return other?.role === message.role && JSON.stringify(other.content) === JSON.stringify(message.content);
  });
  return isGiven ? output.slice(input.length) : output;
}

function toolOf(name: string, inputs: unknown, outputs: unknown): SpanReading {
  const input =
    isObject(inputs) && Object.keys(inputs).length === 1 && "input" in inputs ? inputs.input : inputs;
  const output = isObject(outputs) && "output" in outputs ? structured(outputs.output) : outputs;
  const message = isObject(output) && isObject(output.kwargs) ? output.kwargs : output;
  const isMessage = isObject(message) && typeof message.tool_call_id === "string";
  return toolReading({
    id: isMessage ? (message.tool_call_id as string) : undefined,
    name,
    args: isObject(input) && "args" in input && "name" in input ? input.args : structured(input),
    result: isMessage ? message.content : output,
  });
}
