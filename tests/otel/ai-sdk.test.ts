import { createOpenAI } from "@ai-sdk/openai";
import { LegacyOpenTelemetry, OpenTelemetry } from "@ai-sdk/otel";
import { generateText, isStepCount, tool } from "ai";
import { expect, test } from "vitest";
import { z } from "zod";
import { CONVERSATION, QUESTION, SYSTEM, weatherIn, weatherModel } from "./agent.ts";
import { collector } from "./collector.ts";
import { onlyTrajectory } from "./recorded.ts";

const get_weather = tool({
  description: "The weather in a town.",
  inputSchema: z.object({ city: z.string() }),
  execute: ({ city }) => weatherIn(city),
});

test.each([
  ["GenAI", () => new OpenTelemetry()],
  ["Vercel AI SDK", () => new LegacyOpenTelemetry()],
])("the Vercel AI SDK's telemetry in the form %s is the conversation", async (form, integration) => {
  await using sdk = await collector();
  await using model = await weatherModel();
  const openai = createOpenAI({ baseURL: model.url, apiKey: "key" });

  await generateText({
    model: openai.chat("gpt-5.4"),
    instructions: SYSTEM,
    prompt: QUESTION,
    tools: { get_weather },
    stopWhen: isStepCount(5),
    telemetry: { isEnabled: true, integrations: [integration()] },
  });

  const { messages, metadata } = onlyTrajectory(await sdk.bodies());
  expect(messages).toEqual(CONVERSATION.slice(0, 6));
  expect(metadata).toMatchObject({
    forms: [form],
    usage: { inputTokens: 30, outputTokens: 3 },
    calls: [
      { model: "gpt-5.4", responseId: "chatcmpl-1" },
      { model: "gpt-5.4", finishReason: "stop" },
    ],
  });
});
