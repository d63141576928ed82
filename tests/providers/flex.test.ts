/** OpenAI's flex tier, which is cheaper and slower, and can be out of capacity. */
import { createLLMAsJudge, initChatModel } from "openevals-wasm";
import { afterEach, expect, it } from "vitest";
import type { Loopback } from "./servers/loopback.js";
import { completion, failure, startOpenAI } from "./servers/openai.js";

let server: Loopback;
afterEach(() => server.close());

it("is selected by params, and retried without capacity", async () => {
  server = await startOpenAI("sk-1");
  const full = failure(429, "Resource unavailable", { "retry-after-ms": "1" });
  server.script.push(full, full, full, completion('{"reasoning":"So.","score":true}'));
  const judge = initChatModel("openai:gpt-5.4", {
    baseURL: `${server.url}/v1`,
    apiKey: "sk-1",
    params: { service_tier: "flex" },
    timeoutMs: 900_000,
    maxRetries: 6,
  });
  const { metadata } = await createLLMAsJudge({ prompt: "Is {outputs} right?", judge })({ outputs: "a" });
  expect(metadata.attempts).toBe(4);
  expect(server.requests.map(({ body }) => body.service_tier)).toEqual(Array(4).fill("flex"));
});
