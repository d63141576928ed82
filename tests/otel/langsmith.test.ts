import { Client } from "langsmith";
import { initializeOTEL } from "langsmith/experimental/otel/setup";
import { traceable } from "langsmith/traceable";
import { wrapOpenAI } from "langsmith/wrappers";
import OpenAI from "openai";
import { afterEach, expect, test, vi } from "vitest";
import { CONVERSATION, talk, weatherModel } from "./agent.ts";
import { collector } from "./collector.ts";
import { onlyTrajectory } from "./recorded.ts";

afterEach(() => {
  vi.unstubAllEnvs();
});

test("LangSmith's export over OTLP is the conversation", async () => {
  vi.stubEnv("LANGSMITH_TRACING", "true");
  vi.stubEnv("LANGSMITH_OTEL_ENABLED", "true");
  await using sdk = await collector();
  await using model = await weatherModel();
  vi.stubEnv("LANGSMITH_ENDPOINT", model.url);
  initializeOTEL({ globalTracerProvider: sdk.provider, skipGlobalContextManagerSetup: true });
  const client = new Client({ apiUrl: model.url, apiKey: "key" });
  const openai = wrapOpenAI(new OpenAI({ baseURL: model.url, apiKey: "key" }), { client });

  await traceable(() => talk(openai), { name: "agent", client })();
  await client.awaitPendingTraceBatches();

  const { messages, metadata } = onlyTrajectory(await sdk.bodies());
  expect(messages).toEqual(CONVERSATION);
  expect(metadata).toMatchObject({
    forms: ["LangSmith"],
    calls: [{ model: "gpt-5.4", usage: { inputTokens: 10, outputTokens: 1 } }, {}, {}],
  });
});

test("LangSmith's runs, as its SDK has them, are the conversation", async () => {
  vi.stubEnv("LANGSMITH_TRACING", "true");
  await using model = await weatherModel();
  const runs = new Map<string, Record<string, unknown>>();
  const keep = (id: string, run: object) => {
    runs.set(id, { ...runs.get(id), ...JSON.parse(JSON.stringify(run)) });
  };
  const client = {
    createRun: async (run: { id: string }) => keep(run.id, run),
    updateRun: async (id: string, run: object) => keep(id, run),
  } as unknown as Client;
  const openai = wrapOpenAI(new OpenAI({ baseURL: model.url, apiKey: "key" }), { client });

  await traceable(() => talk(openai), { name: "agent", client })();

  const { messages, metadata } = onlyTrajectory({ runs: [...runs.values()] });
  expect(messages).toEqual(CONVERSATION);
  expect(metadata).toMatchObject({
    forms: ["LangSmith"],
    usage: { inputTokens: 60, outputTokens: 6 },
    calls: [{ model: "gpt-5.4", provider: "openai", responseId: "chatcmpl-1" }, {}, {}],
  });
});
