import { exactMatch } from "openevals-wasm";
import { createToolPolicy, stepStatus } from "openevals-wasm/agents";
import { mockTools, recordAgent, recordTools } from "openevals-wasm/harness";
import "openevals-wasm/vitest";
import { expect, test } from "vitest";
import { makeAgent } from "../src/agent.ts";
import { tools } from "../src/tools.ts";
import { scripted } from "./model.ts";

const policy = createToolPolicy({
  allow: ["find_order", "refund"],
  before: [["find_order", "refund"]],
  maxCalls: { refund: 1 },
});

// In CI, nothing is called that is not recorded.
const recorded = recordTools(tools, {
  file: "evals/recordings/shop.jsonl",
  mode: process.env.CI ? "replay" : "auto",
});

test("looks the order up before it pays", async () => {
  const model = scripted(
    ["find_order", { order: 4711 }],
    ["refund", { order: 4711 }],
    "You get 30 € back for the kettle.",
  );
  const run = await recordAgent(makeAgent(model, recorded))("I want my money back for order 4711.");
  await expect(run).toPassEvaluator(policy);
  await expect(run).toPassEvaluator(stepStatus());
});

test("says so if there is no such order", async () => {
  const model = scripted(["find_order", { order: 9 }], "I cannot find order 9.");
  const run = await recordAgent(makeAgent(model, recorded))("I want my money back for order 9.");
  await expect(run).toPassEvaluator(policy);
  const { metadata } = await stepStatus()({ outputs: run });
  expect(metadata.steps.map(({ name, status }) => [name, status])).toEqual([["find_order", "failed"]]);
});

test("pays every order once, and tries again after a failure", async () => {
  const shop = { paid: {} as Record<number, number> };
  const mocked = mockTools(
    {
      find_order: [{ throws: "timeout", times: 1 }, { returns: { euros: 30 } }],
      refund: ({ order }) => {
        shop.paid[order] = (shop.paid[order] ?? 0) + 30;
        return "paid";
      },
    },
    tools,
  );
  const model = scripted(
    ["find_order", { order: 4711 }],
    ["find_order", { order: 4711 }],
    ["refund", { order: 4711 }],
    "You get 30 € back.",
  );
  const run = await recordAgent(makeAgent(model, mocked))("I want my money back for order 4711.");
  await expect(run).toPassEvaluator(policy);
  await expect(run).toPassEvaluator(stepStatus());
  await expect(shop).toPassEvaluator(exactMatch, { referenceOutputs: { paid: { 4711: 30 } } });
});
