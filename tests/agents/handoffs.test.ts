/** Hand-offs between agents, in the forms of several packages. */

import { createHandoffCheck, type HandoffCheckOptions } from "openevals-wasm/agents";
import { expect, test } from "vitest";
import { errorOf } from "../api/error-of.ts";
import { assistant, call, result, says, user } from "./messages.ts";

async function checked(outputs: any[], referenceOutputs?: unknown, options?: HandoffCheckOptions) {
  const check = createHandoffCheck(options);
  const one = await check({ outputs, referenceOutputs } as any);
  expect(await check.batch([{ outputs, referenceOutputs } as any])).toEqual([one]);
  return one;
}

const by = (name: string, message: any) => ({ ...message, name });
const transfer = (to: string, from?: string) => {
  const message = assistant(call(`transfer_to_${to}`, {}, to));
  return [from ? by(from, message) : message, result(to, "Transferred.")];
};

/** A swarm of LangGraph: messages have the names of their agents. */
const SWARM = [
  user("Refund order 7."),
  ...transfer("billing_agent", "triage"),
  by("Billing Agent", says("Which order?")),
  user("7"),
  ...transfer("refunds", "Billing Agent"),
  by("refunds", says("Done.")),
];

test("hand-offs are found by calls and by the names of agents", async () => {
  expect(await checked(SWARM, ["billing agent", "refunds"])).toEqual({
    key: "handoffs",
    score: true,
    metadata: {
      handoffs: [
        { from: "triage", to: "billing_agent", message: 1, lost: false, expected: true },
        { from: "Billing Agent", to: "refunds", message: 5, lost: false, expected: true },
      ],
      missing: [],
    },
  });
  const unnamed = [user(), ...transfer("billing"), says("Hello."), ...transfer("refunds"), says("Done.")];
  const found = await checked(unnamed, ["billing", "refunds"]);
  expect(found.metadata.handoffs.map(({ from, to }) => [from, to])).toEqual([
    [undefined, "billing"],
    ["billing", "refunds"],
  ]);
  const silent = [by("a", says()), by("b", says()), by("b", says())];
  expect((await checked(silent, { agents: ["b"] })).metadata.handoffs).toMatchObject([
    { from: "a", to: "b", message: 1 },
  ]);
});

test.each<[string, any[], string[] | undefined, string]>([
  ["the run ends", SWARM.slice(0, 3), undefined, "outputs[1]: the hand-off to billing_agent is lost."],
  [
    "the agent goes on itself",
    [...SWARM.slice(0, 3), by("triage", says())],
    undefined,
    "outputs[1]: the hand-off to billing_agent is lost.",
  ],
  [
    "another order",
    SWARM,
    ["refunds", "billing_agent"],
    "outputs[1]: the hand-off to billing_agent is not expected. No hand-off to billing_agent where expected.",
  ],
  ["a hand-off too many", SWARM, ["refunds"], "outputs[1]: the hand-off to billing_agent is not expected."],
  ["one too few", [user(), says()], ["billing"], "No hand-off to billing where expected."],
  ["none is allowed", SWARM.slice(0, 4), [], "outputs[1]: the hand-off to billing_agent is not expected."],
])("%s: false, with the place", async (_, outputs, reference, comment) => {
  expect(await checked(outputs, reference)).toMatchObject({ score: false, comment });
});

test.each<[string, any]>([
  ["a status", result("billing", "x", { status: "error" })],
  ["a text", result("billing", "Error: there is no such agent")],
  ["a part", { role: "user", content: [{ type: "tool_result", tool_use_id: "billing", is_error: true }] }],
])("a hand-off whose result is an error is lost: %s", async (_, failed) => {
  const outputs = [user(), assistant(call("transfer_to_billing", {}, "billing")), failed];
  const comment = "outputs[1]: the hand-off to billing is lost.";
  expect(await checked([...outputs, says("Hello.")], ["billing"])).toMatchObject({ score: false, comment });
  const took = await checked([...outputs, by("billing", says("Hello."))], ["billing"]);
  expect(took).toMatchObject({ score: true });
});

test("a hand-off that failed may be asked for again in the next message", async () => {
  const asked = (id: string) => assistant(call("transfer_to_billing", {}, id));
  const outputs = [
    user(),
    asked("1"),
    result("1", "Error: busy"),
    asked("2"),
    result("2", "ok"),
    says("Hello."),
  ];
  expect(await checked(outputs, ["billing"])).toMatchObject({ score: true });
  const failed = [...outputs.slice(0, 4), result("2", "Error: busy"), says("Hello.")];
  expect(await checked(failed, ["billing"])).toMatchObject({
    score: false,
    comment: "outputs[3]: the hand-off to billing is lost.",
  });
});

test("other hand-offs can be allowed, and agents and hand-offs be read by functions", async () => {
  expect((await checked(SWARM, ["refunds"], { extraHandoffs: "allow" })).score).toBe(true);
  const outputs = [
    { role: "assistant", content: "", meta: "a", tool_calls: [call("delegate", { agent: "b" })] },
    { role: "assistant", content: "Hi", meta: "b" },
  ];
  const options = {
    agentOf: ({ meta }: any) => meta,
    handoffTo: ({ name, args }: any) => (name === "delegate" ? args.agent : undefined),
  };
  expect(await checked(outputs, ["b"], options)).toMatchObject({ score: true });
  expect(await checked(outputs, ["b"])).toMatchObject({ score: false });
});

test("the items of OpenAI's Agents SDK", async () => {
  const outputs = [
    { role: "user", content: "Hi" },
    { type: "function_call", callId: "1", name: "transfer_to_Billing_Agent", arguments: "{}" },
    { type: "function_call_result", callId: "1", output: { type: "text", text: "{}" } },
    { type: "message", role: "assistant", content: [{ type: "output_text", text: "Hello." }] },
  ];
  expect(await checked(outputs, ["Billing Agent"])).toMatchObject({ score: true });
});

test("without hand-offs there is nothing to score, unless none is expected", async () => {
  const outputs = [user(), says()];
  expect(await checked(outputs)).toMatchObject({ score: null, applicable: false });
  expect(await checked(outputs, [])).toMatchObject({ score: true });
});

test("junk is a typed error", async () => {
  const junk = [{}, { outputs: 7 }, { outputs: [1] }, { outputs: [], referenceOutputs: [] }];
  for (const params of [...junk, { outputs: SWARM, referenceOutputs: [1] }])
    expect(await errorOf(createHandoffCheck()(params as any))).toMatchObject({ code: "invalid_input" });
  const wrong = (agentOf: any) => errorOf(createHandoffCheck({ agentOf })({ outputs: SWARM }));
  expect(await wrong(() => 7)).toMatchObject({ code: "invalid_input" });
  expect(await wrong(() => JSON.parse("{"))).toMatchObject({ code: "callback_failed" });
  const odd = createHandoffCheck({ agentOf: () => "a\n>b\0\ud800" });
  expect((await odd({ outputs: SWARM, referenceOutputs: ["x\ny"] })).score).toBe(false);
});

test("20,000 hand-offs take linear time", async () => {
  const outputs = Array.from({ length: 20_000 }, (_, index) => by(`agent ${index % 7}`, says()));
  const { metadata, comment } = await createHandoffCheck()({ outputs, referenceOutputs: ["agent 1"] });
  expect(metadata.handoffs).toHaveLength(19_999);
  expect(comment).toContain("And 19993 more.");
});

test("the names of items are those of tools, not of agents", async () => {
  const call = (name: string, id: string) => ({ type: "function_call", call_id: id, name, arguments: "{}" });
  const result = (id: string) => ({ type: "function_call_output", call_id: id, output: "ok" });
  const outputs: any = [call("get_weather", "1"), result("1"), call("get_time", "2"), result("2")];
  expect((await createHandoffCheck()({ outputs, referenceOutputs: [] })).score).toBe(true);
});
