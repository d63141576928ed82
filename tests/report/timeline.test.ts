/** Trajectories as timelines: findings of evaluators of agents are shown at their steps. */
import { createToolPolicy, loops, stepStatus } from "openevals-wasm/agents";
import { evaluate } from "openevals-wasm/evaluation";
import { expect, it } from "vitest";
import { experimentOf } from "./experiments.js";
import { expectAccessible, open, opened, page, usePages } from "./page.js";

usePages();

const call = (name: string, args: object) => ({ function: { name, arguments: JSON.stringify(args) } });
const search = { role: "assistant", content: "", tool_calls: [call("search", { q: 1 })] };
const messages = [
  { role: "user", content: "Refund order 7.", timestamp: "2026-01-01T00:00:00Z" },
  { ...search, timestamp: "2026-01-01T00:00:01.5Z" },
  { role: "tool", content: "timeout", status: "error" },
  search,
  { role: "tool", content: "none" },
  search,
  { role: "tool", content: "none" },
  { role: "assistant", content: "", tool_calls: [call("refund", { order: 7 })] },
  { role: "tool", content: "done" },
  { role: "user", content: "<b>Thanks</b>" },
  { role: "assistant", content: "You are welcome." },
];

/** For each step of a pane: its role, the text beside it, the class of the item, and the findings. */
const steps = (pane = "Outputs") =>
  page.evaluate(`Array.from(document.querySelectorAll(".panes section"))
    .filter((pane) => pane.querySelector("h3").textContent === ${JSON.stringify(pane)})
    .flatMap((pane) => Array.from(pane.querySelectorAll(".steps > li"), (step) =>
      [step.className, ...Array.from(step.querySelectorAll("b, .facts, .pill, .broken, .why"), (part) => part.textContent)].join("|")))`);

it("outcomes, broken rules, loops, turns and times are at their steps, on phones, too", async () => {
  const policy = createToolPolicy({ maxCalls: { search: 2 }, deny: ["refund"], required: ["authenticate"] });
  const experiment = await evaluate(undefined, {
    // As recordAgent() returns it.
    data: [
      { id: "row", inputs: "Refund order 7.", outputs: { messages, steps: [{ messages }], latencyMs: 7 } },
    ],
    evaluators: [policy, loops(), stepStatus()],
    progress: false,
  });
  const { broken } = experiment.rows[0]!.evaluationResults[0]!.metadata as any;
  const comment = (rule: string) => broken.find((one: any) => one.rule === rule).comment;
  await open(experiment);
  await opened("row").click();
  expect(await steps()).toEqual([
    "turn|user|turn 1",
    "looping|assistant|+1.5 s|recovered|Loop begins: the same call, 3 times",
    "looping|tool",
    "looping|assistant|ok",
    "looping|tool",
    `looping|assistant|ok|Breaks the rule “maxCalls”: ${comment("maxCalls")}`,
    "|tool",
    `|assistant|ok|Breaks the rule “deny”: ${comment("deny")}`,
    "|tool",
    "turn|user|turn 2",
    "|assistant",
  ]);
  expect(await page.locator(".panes .broken").first().textContent()).toBe(
    `Breaks the rule “required”: ${comment("required")}`,
  );
  await expectAccessible();
});

it("what a run has besides messages is below the timeline, and ids are left out", async () => {
  const outputs = {
    messages: [
      { role: "user", content: "Refund order 7.", id: "c9a304b9" },
      { role: "assistant", content: "Done.", id: "c9a304ba" },
    ],
    state: { refunded: [7] },
  };
  const experiment = await evaluate(undefined, {
    data: [{ id: "row", inputs: "Refund", outputs }],
    evaluators: [createToolPolicy({ required: ["refund"] })],
    progress: false,
  });
  await open(experiment);
  await opened("row").click();
  const pane = page.locator(".panes section", { has: page.getByRole("heading", { name: "Outputs" }) });
  expect(await pane.locator(".steps > li b").allInnerTexts()).toEqual(["user", "assistant"]);
  expect(await pane.locator(".broken").count()).toBe(1);
  expect(await pane.innerText()).toMatch(/"state": \{\s+"refunded": \[\s+7\s+\]\s+\}/);
  expect(await pane.innerText()).not.toContain("c9a304");
});

it("two runs of a row are side by side, each with its own findings, and their differences", async () => {
  const run = (list: object[], status: string) =>
    experimentOf([
      {
        id: "row",
        outputs: list,
        scores: { step_status: 1 },
        told: { step_status: { steps: [{ message: 1, call: 0, status }] } },
      },
    ]);
  const lookup = { ...search, tool_calls: [call("lookup", {})] };
  const before = run([messages[0]!, lookup, messages[4]!], "failed");
  await open([before, run([messages[0]!, search, messages[4]!], "ok")]);
  await opened("row").click();
  expect(await steps("Outputs before")).toEqual([
    "|user",
    "differs|assistant|not in the later run|failed",
    "|tool",
  ]);
  expect(await steps("Outputs after")).toEqual([
    "|user",
    "differs|assistant|not in the earlier run|ok",
    "|tool",
  ]);
});

it("places that do not exist, and findings of another form, change nothing", async () => {
  const broken = [
    { rule: "deny", comment: "c", calls: [{ message: 99, call: 0 }, { message: -1, call: 0 }, null, 7] },
    { rule: 7, comment: "c", calls: [] },
    "broken",
  ];
  const told = {
    a: { broken, steps: [{ message: 0, call: 5, status: "<i>odd</i>" }, 3] },
    b: { broken: "none", steps: { length: 1e9 }, loops: [{ first: null, last: { message: 1e12 } }, null] },
  };
  await open(experimentOf([{ id: "row", outputs: messages.slice(3, 5), scores: { a: 1, b: 1 }, told }]));
  await opened("row").click();
  // A call that the step does not show as one is marked at the step.
  expect(await steps()).toEqual(["|assistant|<i>odd</i>", "|tool"]);
});
