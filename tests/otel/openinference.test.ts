import { OpenAIInstrumentation } from "@arizeai/openinference-instrumentation-openai";
import { expect, test } from "vitest";
import { CONVERSATION } from "./agent.ts";
import { recordedBy } from "./recorded.ts";

test("OpenInference: reads the conversation from its instrumentation of OpenAI's client", async () => {
  const { messages, metadata } = await recordedBy(new OpenAIInstrumentation());
  expect(messages).toEqual(CONVERSATION);
  expect(metadata).toMatchObject({
    forms: ["OpenInference"],
    usage: { inputTokens: 60, outputTokens: 6 },
    calls: [
      { model: "gpt-5.4", provider: "openai", usage: { inputTokens: 10, outputTokens: 1 } },
      { usage: { inputTokens: 20, outputTokens: 2 } },
      { finishReason: "stop", usage: { inputTokens: 30, outputTokens: 3 } },
    ],
  });
});
