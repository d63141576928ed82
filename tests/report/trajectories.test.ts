/** Trajectories in a report: the steps that differ are marked. */
import { createTrajectoryMatchEvaluator } from "openevals-wasm";
import { evaluate } from "openevals-wasm/evaluation";
import { describe, expect, it } from "vitest";
import { experimentOf, type RowData } from "./experiments.js";
import { expectAccessible, open, opened, page, usePages } from "./page.js";

usePages();

const user = { role: "user", content: "Hello" };
const call = (name: string, args: object) => ({ function: { name, arguments: JSON.stringify(args) } });
const agent = (...tool_calls: object[]) => ({ role: "assistant", content: "", tool_calls });
const tool = (content: string) => ({ role: "tool", content });
const [a, b, c] = [call("a", { n: 1 }), call("b", { n: 2 }), call("c", {})];

async function show(outputs: unknown, reference: unknown, more: Partial<RowData> = {}) {
  await open(experimentOf([{ id: "row", outputs, reference, ...more }]));
  await opened("row").click();
}

/** For outputs and the reference: the titles of steps that differ, their marks, and the reasons. */
const differing = () =>
  page.evaluate<string[][]>(`
    Array.from(document.querySelectorAll(".panes .steps"), (list) =>
      Array.from(list.querySelectorAll(".differs"), (step) =>
        Array.from(step.querySelectorAll("b, mark, .why"), (part) => part.textContent).join(" ")))`);

describe("steps that differ", () => {
  const CASES: [string, unknown[], unknown[], string[][]][] = [
    [
      "none: keys in another order, and other words",
      [user, agent(call("a", { x: 1, y: 2 })), tool("1")],
      [{ role: "user", content: "Hi" }, agent(call("a", { y: 2, x: 1 })), tool("one")],
      [[], []],
    ],
    [
      "arguments",
      [user, agent(call("a", { city: "Oslo", unit: "celsius" }))],
      [user, agent(call("a", { city: "Oslo", unit: "kelvin" }))],
      [["assistant celsius different arguments"], ["assistant kelvin different arguments"]],
    ],
    [
      "a call too many",
      [user, agent(a), tool(""), agent(b), tool("")],
      [user, agent(a), tool("")],
      [['assistant b({"n":2}) not in the reference', "tool not in the reference"], []],
    ],
    [
      "a call too few, of several in a message",
      [agent(a, c)],
      [agent(a, b, c)],
      [[], ['assistant b({"n":2}) missing from the outputs']],
    ],
    [
      "another tool",
      [agent(a), tool("1")],
      [agent(b), tool("1")],
      [['assistant a({"n":1}) not in the reference'], ['assistant b({"n":2}) missing from the outputs']],
    ],
    [
      "another order",
      [agent(a), tool("1"), agent(b), tool("2")],
      [agent(b), tool("2"), agent(a), tool("1")],
      [['assistant a({"n":1}) in another position'], ['assistant a({"n":1}) in another position']],
    ],
    [
      "calls together that were apart",
      [agent(a, b)],
      [agent(a), agent(b)],
      [["assistant arranged differently"], ["assistant arranged differently"]],
    ],
    [
      "arguments that are no JSON",
      [agent({ function: { name: "a", arguments: "{n: 1" } })],
      [agent(a)],
      [["assistant   different arguments"], ['assistant " " } different arguments']],
    ],
  ];

  it("are marked on both sides, and told by everybody", async () => {
    await open(experimentOf(CASES.map(([id, outputs, reference]) => ({ id, outputs, reference }))));
    for (const [id, , , expected] of CASES) {
      await opened(id).click();
      expect([id, await differing()]).toEqual([id, expected]);
      if (id === "arguments") await expectAccessible();
      await opened(id).click();
    }
  });

  it("are those of items of the Responses API, and of graphs", async () => {
    const item = (name: string) => ({ type: "function_call", call_id: "1", name, arguments: "{}" });
    await show([user, item("a")], [user, item("b")]);
    expect(await differing()).toEqual([
      ["assistant a({}) not in the reference"],
      ["assistant b({}) missing from the outputs"],
    ]);
    await show(
      { steps: [["__start__", "search", "answer"]], results: [{}] },
      { steps: [["__start__", "search", "grade", "answer"]], results: [{}] },
    );
    expect(await differing()).toEqual([[], ["grade missing from the outputs"]]);
  });

  it("are those of items with reasoning, and failed results say so", async () => {
    const items = (city: string) => [
      { type: "message", role: "user", content: [{ type: "input_text", text: "Hello" }] },
      { type: "reasoning", id: "rs_1", summary: [{ type: "summary_text", text: "I look it up." }] },
      { type: "function_call", call_id: "1", name: "weather", arguments: JSON.stringify({ city }) },
      { type: "function_call_output", call_id: "1", output: "12 °C" },
      { type: "web_search_call", id: "ws_1", status: "completed" },
    ];
    await show(items("Oslo"), items("Rome"));
    expect(await differing()).toEqual([
      ["assistant Oslo different arguments"],
      ["assistant Rome different arguments"],
    ]);
    const titles = () => page.locator(".panes .steps").first().locator("> li b").allInnerTexts();
    expect(await titles()).toEqual(["user", "reasoning", "assistant", "tool", "assistant"]);
    const failed = { type: "tool_result", tool_use_id: "1", content: "no", is_error: true };
    await show([user, { role: "user", content: [failed] }], "");
    expect(await page.locator(".steps > li").last().innerText()).toMatch(/^tool\s+no\s+\{"is_error":true\}$/);
  });

  it.each<[string, (city: string) => object[]]>([
    [
      "the AI SDK",
      (city) => [
        user,
        {
          role: "assistant",
          content: [
            { type: "text", text: "Let me see." },
            { type: "tool-call", toolCallId: "1", toolName: "weather", input: { city } },
          ],
        },
        {
          role: "tool",
          content: [
            {
              type: "tool-result",
              toolCallId: "1",
              toolName: "weather",
              output: { type: "text", value: "12 °C" },
            },
          ],
        },
        { role: "assistant", content: [{ type: "text", text: "It is 12 °C." }] },
      ],
    ],
    [
      "Anthropic",
      (city) => [
        user,
        {
          role: "assistant",
          content: [
            { type: "text", text: "Let me see." },
            { type: "tool_use", id: "1", name: "weather", input: { city } },
          ],
        },
        { role: "user", content: [{ type: "tool_result", tool_use_id: "1", content: "12 °C" }] },
        { role: "assistant", content: "It is 12 °C." },
      ],
    ],
    [
      "LangChain",
      (city) => [
        { type: "human", content: "Hello" },
        { type: "ai", content: "Let me see.", tool_calls: [{ id: "1", name: "weather", args: { city } }] },
        { type: "tool", content: "12 °C", tool_call_id: "1" },
        { type: "ai", content: "It is 12 °C." },
      ],
    ],
    [
      "LangChain, stored",
      (city) => [
        { type: "human", data: { content: "Hello" } },
        {
          type: "ai",
          data: { content: "Let me see.", tool_calls: [{ id: "1", name: "weather", args: { city } }] },
        },
        { type: "tool", data: { content: "12 °C", tool_call_id: "1" } },
        { type: "ai", data: { content: "It is 12 °C." } },
      ],
    ],
    [
      "LangChain, with calls in the content",
      (city) => [
        user,
        {
          type: "ai",
          content: [
            { type: "text", text: "Let me see." },
            { type: "tool_use", id: "1", name: "weather", input: { city } },
          ],
          tool_calls: [],
        },
        { type: "tool", content: "12 °C", tool_call_id: "1" },
        { type: "ai", content: "It is 12 °C." },
      ],
    ],
  ])("are those of messages of %s", async (_, messages) => {
    await show(messages("Oslo"), messages("Rome"), { scores: { status: 1 } });
    expect(await differing()).toEqual([
      ["assistant Oslo different arguments"],
      ["assistant Rome different arguments"],
    ]);
    const texts = await page.locator(".panes .steps").first().locator("> li").allInnerTexts();
    expect(texts.map((text) => text.replaceAll(/\s+/g, " "))).toEqual([
      "user Hello",
      'assistant Let me see. → weather({"city":"Oslo"}) different arguments',
      "tool 12 °C",
      "assistant It is 12 °C.",
    ]);
  });

  it("are those that an evaluator reports, by its mode and rules", async () => {
    const f1 = (options: object) => createTrajectoryMatchEvaluator({ scoring: "f1", ...options });
    const outputs = [user, agent(a, b), tool("1"), agent(call("c", { n: 3 }))];
    const referenceOutputs = [user, agent(b), agent(a), tool("1"), agent(call("c", { n: 4 }))];
    const data = [{ id: "row", inputs: "?", outputs, referenceOutputs }];
    const rules = { trajectoryMatchMode: "unordered", toolArgsMatchOverrides: { c: [] } } as const;
    await open(await evaluate(undefined, { data, evaluators: [f1(rules)] }));
    await opened("row").click();
    expect(await differing()).toEqual([[], []]);
    await open(await evaluate(undefined, { data, evaluators: [f1({ trajectoryMatchMode: "unordered" })] }));
    await opened("row").click();
    expect(await differing()).toEqual([
      ["assistant 3 different arguments"],
      ["assistant 4 different arguments"],
    ]);
  });

  it("are those of the match that fails, not of a milder one that passes", async () => {
    const refund = (order: number) => agent(call("refund", { order }));
    const data = [
      { id: "row", inputs: "?", outputs: [user, refund(99)], referenceOutputs: [user, refund(7)] },
    ];
    const mild = createTrajectoryMatchEvaluator({ scoring: "f1", toolArgsMatchMode: "ignore" });
    const strict = createTrajectoryMatchEvaluator({ trajectoryMatchMode: "unordered" });
    await open(await evaluate(undefined, { data, evaluators: [mild, strict] }));
    await opened("row").click();
    expect(await differing()).toEqual([
      ["assistant 99 different arguments"],
      ["assistant 7 different arguments"],
    ]);
  });

  it("are in view when a long row is opened", async () => {
    const steps = Array.from({ length: 400 }, (_, n) => agent(call("a", { n })));
    await show(steps, steps.with(250, agent(call("a", { n: -1 }))));
    const [top, bottom] = await page.evaluate<[number, number]>(`(() => {
      const list = document.querySelector(".steps").getBoundingClientRect();
      const step = document.querySelector(".differs").getBoundingClientRect();
      return [step.top - list.top, list.bottom - step.bottom];
    })()`);
    expect(Math.min(top, bottom)).toBeGreaterThanOrEqual(0);
    const list = page.locator(".steps").first();
    expect(await list.locator("li").count()).toBe(300);
    await page.getByRole("button", { name: "Show all 400 steps" }).first().click();
    expect(await list.locator("li").count()).toBe(400);
  });

  it("are shown whatever they are", async () => {
    const odd = [
      {
        role: "assistant",
        content: [{ type: "text", text: "a" }, "b"],
        tool_calls: [null, 5, {}, { name: 7 }],
      },
    ];
    await show(odd, [{ role: "", content: { deep: [null] } }], {
      scores: { f1: 0 },
      told: {
        f1: { unmatchedOutputs: [null, { message: "x" }, { message: 99 }], unmatchedReferenceOutputs: [7] },
      },
    });
    expect(await page.locator(".steps").first().innerText()).toContain("assistant\na\nb");
  });
});
