import { OpenAIInstrumentation } from "@traceloop/instrumentation-openai";
import { expect, test } from "vitest";
import { CONVERSATION } from "./agent.ts";
import { recordedBy } from "./recorded.ts";

test("OpenLLMetry: reads the conversation from its instrumentation of OpenAI's client, with the calls that it repeats without their arguments", async () => {
  const { messages, metadata } = await recordedBy(new OpenAIInstrumentation());
  // It records no ids of calls.
  const withoutIds = CONVERSATION.map(({ tool_call_id, tool_calls, ...message }) => ({
    ...message,
    ...(tool_calls && { tool_calls: tool_calls.map(({ id, ...call }) => call) }),
  }));
  expect(messages).toEqual(withoutIds);
  expect(metadata).toMatchObject({
    forms: ["OpenLLMetry"],
    usage: { inputTokens: 60, outputTokens: 6 },
    calls: [{ model: "gpt-5.4", finishReason: "tool_calls" }, {}, { finishReason: "stop" }],
  });
});
