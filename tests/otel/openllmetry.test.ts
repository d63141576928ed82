import { OpenAIInstrumentation } from "@traceloop/instrumentation-openai";
import OpenAI from "openai";
import { trajectoriesFromOtlp } from "openevals-wasm/otel";
import { expect, test } from "vitest";
import { CONVERSATION, talk, weatherModel } from "./agent.ts";
import { collector } from "./collector.ts";

test("OpenLLMetry: what its instrumentation of OpenAI's client writes is the conversation, with the calls that it repeats without their arguments", async () => {
  await using sdk = await collector();
  await using model = await weatherModel();
  const instrumentation = new OpenAIInstrumentation();
  instrumentation.setTracerProvider(sdk.provider);
  instrumentation.manuallyInstrument(OpenAI);

  await talk(new OpenAI({ baseURL: model.url, apiKey: "key" }));

  const { trajectories, notes } = trajectoriesFromOtlp(await sdk.bodies());
  expect(notes).toEqual([]);
  expect(trajectories).toHaveLength(1);
  const [{ messages, metadata }] = trajectories as [(typeof trajectories)[0]];
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
