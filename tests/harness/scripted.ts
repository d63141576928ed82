/** A model of the AI SDK that makes scripted calls. */
import { MockLanguageModelV4, simulateReadableStream } from "ai/test";

const USAGE = {
  inputTokens: { total: 10, noCache: 10, cacheRead: undefined, cacheWrite: undefined },
  outputTokens: { total: 5, text: 5, reasoning: undefined },
};

/** The model's answer in a step: a text, or calls of tools. */
export type Said = string | { [tool: string]: object };

let count = 0;

export function scriptedModel(...script: Said[]) {
  const answers = script.map((said) => {
    const isText = typeof said === "string";
    const content = isText
      ? [{ type: "text" as const, text: said }]
      : Object.entries(said).map(([toolName, input]) => ({
          type: "tool-call" as const,
          toolCallId: `call_${count++}`,
          toolName,
          input: JSON.stringify(input),
        }));
    const unified = isText ? ("stop" as const) : ("tool-calls" as const);
    return { content, finishReason: { unified, raw: undefined }, usage: USAGE, warnings: [] };
  });
  const streams = answers.map(({ content, finishReason, usage }) => {
    const parts = (content as (typeof content)[number][]).flatMap((part, index) => {
      if (part.type === "tool-call") return [part];
      const id = String(index);
      return [
        { type: "text-start" as const, id },
        { type: "text-delta" as const, id, delta: part.text },
        { type: "text-end" as const, id },
      ];
    });
    const chunks = [...parts, { type: "finish" as const, finishReason, usage }];
    return { stream: simulateReadableStream({ chunks }) };
  });
  return new MockLanguageModelV4({ doGenerate: answers, doStream: streams });
}
