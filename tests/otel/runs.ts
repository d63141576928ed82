/** Runs of agents, and their spans in every supported format. */

import { type Fields, span } from "./spans.ts";

interface Call {
  id?: string;
  of: string;
}

/** A step of a run: the user asks, or the model calls a tool and gets its result, or answers. */
export type Step = { ask: string } | { call: Call; result: string; retries?: string[] } | { answer: string };

export interface Message {
  role: string;
  content: string;
  call?: Call;
  answers?: string;
}

/** The messages of a run, in the form in which they are read. */
export const messagesOf = (steps: readonly Step[]): Message[] =>
  steps.flatMap((step): Message[] => {
    if ("ask" in step) return [{ role: "user", content: step.ask }];
    if ("answer" in step) return [{ role: "assistant", content: step.answer }];
    const { call, result } = step;
    return [
      { role: "assistant", content: "", call },
      { role: "tool", content: result, ...(call.id && { answers: call.id }) },
    ];
  });

export const trajectoryOf = (steps: readonly Step[]) =>
  messagesOf(steps).map(({ role, content, call, answers }) => ({
    role,
    content,
    ...(call && {
      tool_calls: [{ ...(call.id && { id: call.id }), type: "function", function: functionOf(call) }],
    }),
    ...(answers && { tool_call_id: answers }),
  }));

const functionOf = ({ of }: Call) => ({ name: "price", arguments: JSON.stringify({ of }) });
const openAi = ({ role, content, call, answers }: Message) => ({
  role,
  content,
  ...(call && {
    tool_calls: [{ ...(call.id && { id: call.id }), type: "function", function: functionOf(call) }],
  }),
  ...(answers && { tool_call_id: answers }),
});

interface Format {
  model(input: Message[], output: Message): { fields: Fields; events?: { name: string; fields: Fields }[] };
  tool(call: Call, result: string): Fields;
}

const parts = ({ role, content, call, answers }: Message) => ({
  role,
  parts: call
    ? [{ type: "tool_call", ...(call.id && { id: call.id }), name: "price", arguments: { of: call.of } }]
    : role === "tool"
      ? [{ type: "tool_call_response", ...(answers && { id: answers }), response: content }]
      : [{ type: "text", content }],
});
const genAiTool = ({ id, of }: Call, result: string): Fields => ({
  "gen_ai.operation.name": "execute_tool",
  "gen_ai.tool.name": "price",
  ...(id && { "gen_ai.tool.call.id": id }),
  "gen_ai.tool.call.arguments": JSON.stringify({ of }),
  "gen_ai.tool.call.result": result,
});
const flattened = (prefix: string, value: unknown): [string, unknown][] =>
  typeof value === "object" && value !== null
    ? Object.entries(value).flatMap(([name, inner]) => flattened(`${prefix}.${name}`, inner))
    : [[prefix, value]];

export const FORMATS: Record<string, Format> = {
  GenAI: {
    model: (input, output) => ({
      fields: {
        "gen_ai.operation.name": "chat",
        "gen_ai.input.messages": JSON.stringify(input.map(parts)),
        "gen_ai.output.messages": JSON.stringify([parts(output)]),
      },
    }),
    tool: genAiTool,
  },
  "GenAI events": {
    model: (input, output) => ({
      fields: { "gen_ai.operation.name": "chat" },
      events: [
        ...input.map((message) => {
          const { role, tool_calls, tool_call_id, content } = openAi(message);
          const calls = tool_calls && { tool_calls: JSON.stringify(tool_calls) };
          return {
            name: `gen_ai.${role}.message`,
            fields: { content, ...calls, ...(tool_call_id && { id: tool_call_id }) },
          };
        }),
        { name: "gen_ai.choice", fields: { index: 0, message: JSON.stringify(openAi(output)) } },
      ],
    }),
    tool: genAiTool,
  },
  OpenLLMetry: {
    model: (input, output) => {
      const of = (message: Message) => {
        const { tool_calls, ...rest } = openAi(message);
        const calls = tool_calls?.map(({ function: called, ...call }) => ({ ...call, ...called }));
        return { ...rest, ...(calls && { tool_calls: calls }) };
      };
      return {
        fields: Object.fromEntries([
          ...flattened("gen_ai.prompt", input.map(of)),
          ...flattened("gen_ai.completion", [of(output)]),
        ]),
      };
    },
    tool: ({ of }, result) => ({
      "traceloop.span.kind": "tool",
      "traceloop.entity.name": "price",
      "traceloop.entity.input": JSON.stringify({ args: [], kwargs: { of } }),
      "traceloop.entity.output": JSON.stringify(result),
    }),
  },
  OpenInference: {
    model: (input, output) => {
      const of = (message: Message) => {
        const { tool_calls, ...rest } = openAi(message);
        const calls = tool_calls?.map((call) => ({ tool_call: call }));
        return { message: { ...rest, ...(calls && { tool_calls: calls }) } };
      };
      return {
        fields: Object.fromEntries([
          ["openinference.span.kind", "LLM"],
          ...flattened("llm.input_messages", input.map(of)),
          ...flattened("llm.output_messages", [of(output)]),
        ]),
      };
    },
    tool: ({ id, of }, result) => ({
      "openinference.span.kind": "TOOL",
      "tool.name": "price",
      ...(id && { "tool_call.id": id }),
      "tool.parameters": JSON.stringify({ of }),
      "output.value": result,
    }),
  },
  "Vercel AI SDK": {
    model: (input, { content, call }) => ({
      fields: {
        "ai.operationId": "ai.generateText.doGenerate",
        "ai.prompt.messages": JSON.stringify(
          input.map(({ role, content: text, call: made, answers }) => {
            if (made)
              return {
                role,
                content: [
                  { type: "tool-call", toolCallId: made.id, toolName: "price", input: { of: made.of } },
                ],
              };
            if (role !== "tool") return { role, content: [{ type: "text", text }] };
            const output = { type: "text", value: text };
            return {
              role,
              content: [{ type: "tool-result", toolCallId: answers, toolName: "price", output }],
            };
          }),
        ),
        ...(content && { "ai.response.text": content }),
        ...(call && {
          "ai.response.toolCalls": JSON.stringify([
            { toolCallId: call.id, toolName: "price", input: JSON.stringify({ of: call.of }) },
          ]),
        }),
      },
    }),
    tool: ({ id, of }, result) => ({
      "ai.operationId": "ai.toolCall",
      "ai.toolCall.name": "price",
      ...(id && { "ai.toolCall.id": id }),
      "ai.toolCall.args": JSON.stringify({ of }),
      "ai.toolCall.result": JSON.stringify(result),
    }),
  },
  LangSmith: {
    model: (input, output) => ({
      fields: {
        "langsmith.span.kind": "llm",
        "gen_ai.prompt": JSON.stringify({ messages: input.map(openAi) }),
        "gen_ai.completion": JSON.stringify({ choices: [{ message: openAi(output) }] }),
      },
    }),
    tool: ({ id, of }, result) => ({
      "langsmith.span.kind": "tool",
      "langsmith.trace.name": "price",
      "gen_ai.prompt": JSON.stringify({ of }),
      "gen_ai.completion": JSON.stringify(
        id ? { output: { kwargs: { content: result, tool_call_id: id } } } : { output: result },
      ),
    }),
  },
};

export interface Origin {
  traceId: string;
  parent?: string;
  fields?: Fields;
}

/** The spans of a run, whose nth step takes from `times[n]` to the next one. */
export function spansOf(steps: readonly Step[], times: readonly number[], format: Format, origin: Origin) {
  const { traceId, parent, fields: more = {} } = origin;
  const where = (start: number, end: number) => ({ start, end, ...(parent && { parent }) });
  const made: ReturnType<typeof span>[] = [];
  steps.forEach((step, index) => {
    if ("ask" in step) return;
    const [start, end] = [times[index] as number, times[index + 1] as number];
    const half = (start + end) / 2;
    const history = messagesOf(steps.slice(0, index));
    const [output] = messagesOf([step]) as [Message];
    const { fields, events } = format.model(history, output);
    const done = "call" in step ? half : end;
    const marked = events?.map((event, at) => ({ ...event, at: start + at / 1000 }));
    made.push(span({ ...more, ...fields }, { ...where(start, done), ...(marked && { events: marked }) }));
    if (!("call" in step)) return;
    const results = [...(step.retries ?? []), step.result];
    results.forEach((result, attempt) => {
      const [from, to] = [attempt, attempt + 1].map((at) => half + ((end - half) * at) / results.length);
      const run = span({ ...more, ...format.tool(step.call, result) }, where(from as number, to as number));
      const isLast = attempt === results.length - 1;
      made.push({ ...run, ...(!isLast && { status: { code: 2, message: result } }) });
    });
  });
  return made.map((each) => ({ ...each, traceId }));
}
