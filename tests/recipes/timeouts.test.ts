/** How long the steps of recipes may take. */

import { initChatModel } from "openevals-wasm";
import { CheckCriteriaEvaluator, type CheckCriteriaEvaluatorConfig } from "openevals-wasm/recipes";
import { afterEach, expect, it, vi } from "vitest";

afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
});

/** After how many seconds requests were to end. */
async function timeouts(config: CheckCriteriaEvaluatorConfig): Promise<unknown[]> {
  vi.stubEnv("OPENAI_API_KEY", "key-of-the-test");
  const content = JSON.stringify({ reasoning: "r", probability: 1 });
  const body = { choices: [{ message: { role: "assistant", content }, finish_reason: "stop" }] };
  vi.spyOn(globalThis, "fetch").mockImplementation(async () => Response.json(body));
  const timer = vi.spyOn(globalThis, "setTimeout").mockClear();
  const evaluator = new CheckCriteriaEvaluator({ criteria: ["c"], ...config });
  const { score } = await evaluator.evaluate([{ role: "assistant", content: "Hello." }]);
  expect(score).toBe(100);
  const seconds = timer.mock.calls.map(([, ms]) => Math.ceil(Number(ms) / 1000));
  return seconds.filter((count) => count > 10);
}

it("are five minutes for models by their names, since most of them think", async () => {
  expect(await timeouts({})).toEqual([300]);
  expect(await timeouts({ model: "openai:gpt-5.4" })).toEqual([300]);
});

it("are those of the caller for the caller's models", async () => {
  expect(await timeouts({ model: initChatModel("openai:gpt-5.4", { timeoutMs: 20_000 }) })).toEqual([20]);
  expect(await timeouts({ judge: initChatModel("openai:gpt-5.4") })).toEqual([300]);
});
