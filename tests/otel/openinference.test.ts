import { OpenAIInstrumentation } from "@arizeai/openinference-instrumentation-openai";
import OpenAI from "openai";
import { trajectoriesFromOtlp } from "openevals-wasm/otel";
import { expect, test } from "vitest";
import { CONVERSATION, talk, weatherModel } from "./agent.ts";
import { collector } from "./collector.ts";

test("OpenInference: what its instrumentation of OpenAI's client writes is the conversation", async () => {
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
