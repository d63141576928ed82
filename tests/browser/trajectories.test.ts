/** The bench of trajectories, in Chromium. */
import { describe, expect, it } from "vitest";
import { Site } from "./site.js";

const site = new Site();

const call = (name: string, args: object) => ({ function: { name, arguments: JSON.stringify(args) } });
const agent = (...calls: object[]) => ({ role: "assistant", content: "", tool_calls: calls });
const open = (outputs: unknown, reference: unknown, more: Record<string, string> = {}) =>
  site.open("trajectories", {
    outputs: JSON.stringify(outputs),
    reference: JSON.stringify(reference),
    ...more,
  });

/** The verdict and the F1 of each mode. */
const modes = () =>
  site.page.evaluate<Record<string, string>>(`
    Object.fromEntries(Array.from(document.querySelectorAll(".mode"), (card) =>
      [card.dataset.mode, Array.from(card.querySelectorAll(".verdict, .f1 b"), (it) => it.textContent).join(" ")]))`);
/** The calls of each lane, with the number or the reason that they have. */
const lanes = () =>
  site.page.evaluate<string[][]>(`
    Array.from(document.querySelectorAll(".lane"), (lane) => Array.from(lane.querySelectorAll(".call"), (call) =>
      [call.querySelector("code"), call.querySelector(".mark").lastChild, call.querySelector(".why")]
        .filter(Boolean).map((it) => it.textContent.trim()).join(" ")))`);
const shows = (expected: Record<string, string>) => expect.poll(modes).toEqual(expected);

describe("messages", () => {
  it("all four modes, with the calls that match joined by lines", async () => {
    await open(
      [agent(call("b", { n: 1 })), agent(call("a", {}), call("b", { n: 2 }))],
      [agent(call("a", {})), agent(call("b", { n: 1 }), call("c", {}))],
      { mode: "unordered" },
    );
    await shows({
      strict: "✗ false 0.33",
      unordered: "✗ false 0.67",
      subset: "✗ false 0.67",
      superset: "✗ false 0.67",
    });
    expect(await lanes()).toEqual([
      ["b 1", "a 2", "b no match the reference has no more calls of it"],
      ["a 2", "b 1", "c no match missing in the output"],
    ]);
    expect(await site.page.locator(".lines path").count()).toBe(2);
    // In order, only one of the two can be kept.
    await site.page.getByLabel("strict").check();
    await expect.poll(() => site.page.locator(".lines path").count()).toBe(1);
    await expect
      .poll(() => site.page.locator("[data-mode=subset] .comment").textContent())
      .toContain("is not in the reference");
  });

  it("arguments are compared as is chosen, and by rules for single tools", async () => {
    const did = [agent(call("search", { query: "wasm gc", limit: 5 }))];
    await open(did, [agent(call("search", { query: "WebAssembly GC", limit: 5 }))]);
    const none = {
      strict: "✗ false 0",
      unordered: "✗ false 0",
      subset: "✗ false 0",
      superset: "✗ false 0",
    };
    await shows(none);
    expect((await lanes())[0]).toEqual(['search no match query is "wasm gc" instead of "WebAssembly GC"']);
    const all = { strict: "✓ true 1", unordered: "✓ true 1", subset: "✓ true 1", superset: "✓ true 1" };
    await site.page.getByLabel("Arguments", { exact: true }).selectOption("ignore");
    await shows(all);
    await site.page.getByLabel("Arguments", { exact: true }).selectOption("exact");
    await shows(none);
    const rules = site.page.getByText("Rules for single tools");
    await rules.click();
    await site.page.getByLabel("Arguments of search").selectOption("fields");
    // The rule names no field yet, so it does not count.
    expect(await rules.textContent()).toBe("Rules for single tools");
    await site.page.getByLabel("Fields of search").fill("limit");
    await shows(all);
    const code = site.page.locator(".code-block code", { hasText: "createTrajectoryMatchEvaluator" });
    expect(await code.textContent()).toContain('toolArgsMatchOverrides: { search: ["limit"] }');
    await expect
      .poll(() => site.page.url())
      .toContain(`overrides=${encodeURIComponent('{"search":["limit"]}')}`);
  });

  it("reads LangChain's messages, as objects, as JSON of its classes, and as stores keep them", async () => {
    const args = { city: "Bern" };
    const calls = { content: "", tool_calls: [{ name: "weather", args, id: "1" }] };
    const all = { strict: "✓ true 1", unordered: "✓ true 1", subset: "✓ true 1", superset: "✓ true 1" };
    for (const message of [
      { type: "ai", ...calls },
      { lc: 1, type: "constructor", id: ["langchain_core", "messages", "AIMessage"], kwargs: calls },
      { type: "ai", data: calls },
    ]) {
      await open({ values: { messages: [message] } }, { messages: [agent(call("weather", args))] });
      await expect.poll(lanes).toEqual([["weather 1"], ["weather 1"]]);
      await shows(all);
    }
  });

  it("markup stays text, and invalid messages are explained", async () => {
    const hostile = "<img src=x onerror=alert(1)>";
    await open([agent(call(hostile, { [hostile]: hostile }))], [{ role: hostile, content: hostile }]);
    await expect.poll(lanes).toEqual([[`${hostile} no match not in the reference`], []]);
    expect(await site.page.locator("main img").count()).toBe(0);
    await site.page.getByLabel("Output", { exact: true }).fill("[1]");
    await expect
      .poll(() => site.page.locator(".editor .problem").first().textContent())
      .toContain("a message has a role");
  });
});

describe("a tool policy", () => {
  const did = [agent(call("a", {})), agent(call("b", { n: 1 }), call("b", { n: 1 }))];
  /** The broken rules at the calls of the output, each with the number of its call. */
  const marked = () =>
    site.page.evaluate<string[]>(`
      Array.from(document.querySelector(".lane").querySelectorAll(".call"), (card, index) =>
        Array.from(card.querySelectorAll(".broken"), (it) => index + " " + it.textContent)).flat()`);
  const loaded = () =>
    site.page.evaluate<number>(
      `performance.getEntriesByType("resource").filter(({ name }) => name.endsWith("/openevals-agents.wasm")).length`,
    );
  const policy = () => site.page.getByLabel("Policy", { exact: true });
  const outcome = () => site.page.locator(".policy-outcome");

  it.each([390, 1280])("opens with a result and updates while typing, at %i px", async (width) => {
    await site.open("trajectories", {}, { viewport: { width, height: 800 } });
    await open(did, [agent(call("a", {}), call("c", {}))]);
    await expect.poll(async () => (await lanes())[0]?.[0]).toBe("a 1");
    expect(await loaded()).toBe(0);
    await site.page.locator(".policy summary").click();
    await expect.poll(() => outcome().locator(".verdict").textContent()).toBe("✗ false");
    expect(await loaded()).toBe(1);
    expect(JSON.parse(await policy().inputValue())).toEqual({
      allow: ["a", "c"],
      required: ["a", "c"],
      maxRepeats: 1,
    });
    expect(await marked()).toEqual([
      "1 allow: b is called, and allow does not list it. So is 1 more call.",
      "2 allow: b is called, and allow does not list it. So is 1 more call.",
      expect.stringMatching(/^2 maxRepeats: /),
    ]);
    // No call breaks it: one is missing.
    expect(await outcome().textContent()).toContain("c is required");
    await policy().fill('{ "before": [["b", "a"]] }');
    await expect.poll(marked).toEqual(["0 before: a is called before a call of b has succeeded."]);
    await policy().fill('{ "maxCalls": { "*": 3 } }');
    await expect.poll(() => outcome().textContent()).toBe("✓ trueAll rules are kept.");
    expect(await marked()).toEqual([]);
    const isWide = "document.documentElement.scrollWidth > document.documentElement.clientWidth";
    expect(await site.page.evaluate(isWide)).toBe(false);
    await expect
      .poll(() => site.page.url())
      .toContain(`policy=${encodeURIComponent('{ "maxCalls"').replaceAll("%20", "+")}`);
    await site.page.locator(".policy summary").click();
    await expect.poll(() => site.page.url()).not.toContain("policy=");
  });

  it("explains the error, and keeps the other results", async () => {
    await open(did, [], { policy: '{ "deny": ["b"], }' });
    const problem = () => site.page.locator(".policy .problem").textContent();
    await expect.poll(problem).toContain("Line 1, column 18: expected a key in double quotes");
    await policy().fill('{ "denied": ["b"] }');
    await expect.poll(problem).toContain('has no option "denied"; it has allow, deny');
    await policy().fill('{ "confirm": ["b"] }');
    await expect.poll(problem).toContain("confirm needs isConfirmed");
    await shows({ strict: "✗ false 0", unordered: "✗ false 0", subset: "✗ false 0", superset: "✓ true 0" });
    await policy().fill('{ "deny": ["b"] }');
    await expect.poll(problem).toBe("");
    await expect.poll(() => outcome().getAttribute("class")).not.toContain("stale");
    expect(await marked()).toHaveLength(2);
  });
});

it("threads of LangGraph are compared by their steps", async () => {
  await site.open("trajectories");
  await site.page.getByRole("button", { name: "A LangGraph thread" }).click();
  await site.page.getByText("graphTrajectoryStrictMatch", { exact: true }).waitFor();
  expect(await site.page.locator(".graph-verdict").textContent()).toContain("✗ false");
  expect(await site.page.locator(".lane").first().locator(".step").allTextContents()).toEqual([
    "__start__",
    "search",
    "✗ answer",
  ]);
  // Messages cannot be compared with it.
  await site.page.getByLabel("Reference", { exact: true }).fill('[{"role": "user", "content": "?"}]');
  await expect
    .poll(() => site.page.locator("main .problem").allTextContents())
    .toContain("One side is a thread of LangGraph, and the other one has messages: they cannot be compared.");
});

it("every example shows something", async () => {
  await site.open("trajectories");
  const buttons = site.page.locator("#examples button");
  for (let index = 0; index < (await buttons.count()); index++) {
    await buttons.nth(index).click();
    await expect.poll(() => site.page.locator(".lane .call, .lane .step").count()).toBeGreaterThan(0);
  }
});

it("works with the keyboard alone", async () => {
  await open([agent(call("a", {}))], []);
  await shows({ strict: "✗ false 0", unordered: "✗ false 0", subset: "✗ false 0", superset: "✓ true 0" });
  await site.page.getByLabel("strict").focus();
  await site.page.keyboard.press("ArrowRight");
  await expect.poll(() => site.page.url()).toContain("mode=unordered");
});
