/** Prices are found by model names as in options and in results. */

import { cost } from "openevals-wasm/checks";
import { expect, test } from "vitest";

const usage = { inputTokens: 1_000_000, outputTokens: 0 };
const price = (input: number) => ({ input, output: 1 });

test.each([
  ["gpt-5.4", { "gpt-5.4": price(2) }, 2],
  ["gpt-5.4-2026-03-05", { "gpt-5.4": price(2) }, 2],
  ["gpt-5.4-2026-03-05", { "openai:gpt-5.4": price(2) }, 2],
  ["gpt-5.4-2026-03-05", { "gpt-5.4": price(2), "gpt-5.4-2026-03-05": price(3) }, 3],
  ["openai:gpt-5.4", { "gpt-5.4": price(2) }, 2],
  ["openai:gpt-5.4-2026-03-05", { "gpt-5.4": price(2) }, 2],
  ["llama:70b", { "ollama:llama:70b": price(2) }, 2],
])("%s by %j", async (model, prices, expected) => {
  const { metadata } = await cost({ max: 10, prices })({ outputs: "…", metadata: { model, usage } });
  expect(metadata).toEqual({ cost: expected });
});

test.each([
  ["azure-openai:gpt-5.4", { "openai:gpt-5.4": price(2) }],
  ["gpt-5.4", { "openai:gpt-5.4": price(2), "azure-openai:gpt-5.4": price(3) }],
  ["gpt-5.4-mini", { "gpt-5.4": price(2) }],
])("%s has none by %j", async (model, prices) => {
  const check = cost({ max: 10, prices });
  await expect(check({ outputs: "…", metadata: { model, usage } })).rejects.toThrow("no price for the model");
});
