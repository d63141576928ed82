/** A model that follows a script, so that the tests need no key. Replace it with your model to test that, too. */
import { MockLanguageModelV4 } from "ai/test";

const noUsage = {
  inputTokens: { total: undefined, noCache: undefined, cacheRead: undefined, cacheWrite: undefined },
  outputTokens: { total: undefined, text: undefined, reasoning: undefined },
};

type Call = [tool: string, args: object];

/** Makes a model that says or calls one thing in each step. */
export const scripted = (...script: (string | Call)[]) =>
  new MockLanguageModelV4({
    doGenerate: script.map((said, index) => ({
      content: [
        typeof said === "string"
          ? { type: "text", text: said }
          : {
              type: "tool-call",
              toolCallId: `call_${index}`,
              toolName: said[0],
              input: JSON.stringify(said[1]),
            },
      ],
      finishReason: { unified: typeof said === "string" ? "stop" : "tool-calls", raw: undefined },
      usage: noUsage,
      warnings: [],
    })),
  });
