/** Messages whose calls are in fields that are not read: an error, and never a kept rule. */

import { createTrajectoryMatchEvaluator } from "openevals-wasm";
import {
  createFunctionCallEvaluator,
  createHandoffCheck,
  createToolPolicy,
  loops,
  stepStatus,
} from "openevals-wasm/agents";
import { describe, expect, test } from "vitest";
import { errorOf } from "../api/error-of.ts";

const policy = createToolPolicy({ deny: ["db.*"], maxCalls: { "*": 0 } });

const FORMS: [name: string, message: object][] = [
  [
    "parts of the AI SDK's interface",
    { role: "assistant", parts: [{ type: "tool-db.drop", toolCallId: "1", input: {} }] },
  ],
  [
    "parts of a tool that was not declared",
    { role: "assistant", content: "", parts: [{ type: "dynamic-tool", toolName: "db.drop" }] },
  ],
  ["toolInvocations", { role: "assistant", content: "", toolInvocations: [{ toolName: "db.drop" }] }],
  ["toolCalls of a step", { role: "assistant", content: "", toolCalls: [{ toolName: "db.drop" }] }],
  ["tool_call, a misspelt field", { role: "assistant", content: "", tool_call: [{ name: "db.drop" }] }],
  ["Google's parts", { role: "model", parts: [{ functionCall: { name: "db.drop" } }] }],
  ["Amazon's content", { role: "assistant", content: [{ toolUse: { name: "db.drop" } }] }],
];

const evaluators: [string, (params: any) => Promise<unknown>][] = [
  ["a policy", policy],
  ["loops", loops()],
  ["stepStatus", stepStatus()],
  ["a hand-off check", createHandoffCheck()],
  ["function calls", createFunctionCallEvaluator({ tools: [{ name: "a", parameters: { type: "object" } }] })],
  ["a trajectory match", createTrajectoryMatchEvaluator({ trajectoryMatchMode: "unordered" })],
];

describe.each(FORMS)("%s", (_, message) => {
  test.each(evaluators)("%s", async (_, evaluate) => {
    const { code, message: said } = await errorOf(evaluate({ outputs: [message], referenceOutputs: [] }));
    expect([code, said]).toEqual([
      "invalid_input",
      expect.stringMatching(/^outputs\[0\] has .* in a form that is not read; convert/),
    ]);
  });
});

test("parts that only repeat the content are no problem", async () => {
  const message = { role: "assistant", content: "Hi.", parts: [{ type: "text", text: "Hi." }] };
  expect((await policy({ outputs: [message] as any })).score).toBe(true);
});

test.each<[string, object]>([
  ["what is no message", { foo: 1 }],
  ["a call of OpenAI", { id: "1", type: "function", function: { name: "db.drop", arguments: "{}" } }],
  ["a call of Anthropic", { id: "1", type: "tool_use", name: "db.drop", input: {} }],
  ["a call with a role of null", { id: "1", role: null, type: "tool_use", name: "db.drop", input: {} }],
  ["a call of an unknown type", { type: "call", name: "db.drop" }],
  ["a message of LangChain as its server stores it", { lc: 1, type: "constructor", kwargs: {} }],
])("%s has no role", async (_, message) => {
  const match = createTrajectoryMatchEvaluator({ trajectoryMatchMode: "superset" });
  for (const evaluate of [policy, loops(), stepStatus(), createHandoffCheck(), match]) {
    const { code, message: said } = await errorOf(
      (evaluate as any)({ outputs: [message], referenceOutputs: [] }),
    );
    expect([code, said]).toEqual(["invalid_input", expect.stringContaining("outputs[0] has no role")]);
  }
});

test("a call without a name is refused, before it is made as well", async () => {
  for (const name of [undefined, "", ["db.drop"], 7]) {
    const call: any = { name, args: {} };
    const message = { role: "assistant", content: "", tool_calls: [call] };
    for (const work of [policy({ outputs: [message] as any }), policy.check(call)]) {
      expect(await errorOf(work)).toMatchObject({
        code: "invalid_input",
        message: expect.stringContaining("it has to be a text"),
      });
    }
  }
  expect(await errorOf(policy.check([{ name: "a" }]))).toMatchObject({ code: "invalid_input" });
});
