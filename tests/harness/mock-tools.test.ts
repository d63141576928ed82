/** Mocks and faults: the answers of calls, and the error without one. */
import { generateText, isStepCount, tool } from "ai";
import {
  mockTools,
  recordAgent,
  runSimulations,
  type SimulationOutputs,
  withFaults,
} from "openevals-wasm/harness";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { scriptedModel } from "./scripted.js";

test("the first mock that fits answers, as often as it may", async () => {
  const { search } = mockTools({
    search: [
      { when: { q: /paris/i }, returns: "in France" },
      { when: { page: { from: 3 } }, returns: "page 3" },
      { when: (args: any) => args?.q?.length > 20, returns: "long" },
      { throws: "timeout", times: 2 },
      { throws: new RangeError("too many"), times: 1 },
      { returns: [] },
    ],
  });
  expect(await search({ q: "PARIS", limit: 5 })).toBe("in France");
  expect(await search({ page: { from: 3, to: 4 } })).toBe("page 3");
  expect(await search({ q: "where is the town of Oslo?" })).toBe("long");
  await expect(search({ q: "Oslo" })).rejects.toThrow(/^timeout$/);
  await expect(search("Oslo")).rejects.toThrow(/^timeout$/);
  await expect(search(null)).rejects.toThrow(RangeError);
  expect(await search()).toEqual([]);
});

test.each<[string, any, any, boolean]>([
  ["a global expression, every time", /a/g, "banana", true],
  ["an expression and a number", /1/, 1, false],
  ["a list", [1, /b/], [1, "b"], true],
  ["a longer list", [1], [1, 2], false],
  ["a list and an object", {}, [], false],
  ["null", null, null, true],
  ["null and nothing", null, undefined, false],
  ["a member that is inherited", { toString: () => true }, {}, false],
  ["a number and its text", 1, "1", false],
])("%s", async (_, when, args, isFitting) => {
  const { lookup } = mockTools({ lookup: [{ when: { value: when }, returns: true }, { returns: false }] });
  for (const _ of [1, 2]) expect(await lookup({ value: args })).toBe(isFitting);
});

describe("times", () => {
  const timeoutFirst = () => mockTools({ pay: [{ throws: "timeout", times: 1 }, { returns: "paid" }] });

  test("each run of an agent counts its own calls, also if runs overlap", async () => {
    const { pay } = timeoutFirst();
    await expect(pay()).rejects.toThrow("timeout");
    const tried = recordAgent(async (attempts: number) => {
      const results: string[] = [];
      while (results.length < attempts) results.push(await pay().catch(({ message }) => message));
      return results.join();
    });
    const runs = await Promise.all([tried(1), tried(2), tried(3)]);
    expect(runs.map(({ messages }) => messages.at(-1)?.content)).toEqual([
      "timeout",
      "timeout,paid",
      "timeout,paid,paid",
    ]);
    expect(await pay()).toBe("paid");
  });

  test("a tool that calls another tool, and an agent inside of the run, belong to the run", async () => {
    const { pay } = timeoutFirst();
    const { order } = mockTools({ order: () => pay().catch(({ message }) => message) });
    const inner = recordAgent(async () => order());
    const outer = recordAgent(async () => [await order(), (await inner("")).messages.at(-1)?.content].join());
    expect((await outer("")).messages.at(-1)?.content).toBe("timeout,paid");
  });

  test("each simulation counts its own calls in all of its turns", async () => {
    const { pay } = timeoutFirst();
    const agent = recordAgent(async () => pay().catch(({ message }) => message));
    const { rows } = await runSimulations({
      app: async ({ inputs }) =>
        (await agent(inputs.content)).messages.at(-1) as { role: string; content: string },
      users: [{ name: "curt", persona: "Be brief." }],
      tasks: [{ name: "pay", goal: "Pay." }],
      client: async () => "Pay.",
      n: 2,
      maxTurns: 2,
    });
    const answers = rows.map(({ run }) =>
      (run.outputs as SimulationOutputs).messages.filter(({ role }) => role === "assistant"),
    );
    expect(answers.map((list) => list.map(({ content }) => content))).toEqual([
      ["timeout", "paid"],
      ["timeout", "paid"],
    ]);
  });
});

test("a function keeps a state", async () => {
  const orders = new Set([7]);
  const { cancel } = mockTools({
    cancel: ({ order }) => {
      if (!orders.delete(order)) throw new Error("There is no such order");
      return "cancelled";
    },
  });
  expect(await cancel({ order: 7 })).toBe("cancelled");
  await expect(cancel({ order: 7 })).rejects.toThrow("There is no such order");
});

test("tools of the AI SDK keep their schema, and are not called", async () => {
  const tools = {
    search: tool({
      description: "Searches.",
      inputSchema: z.object({ q: z.string() }),
      execute: () => "really",
    }),
    pay: tool({ inputSchema: z.object({}), execute: () => "paid" }),
    ask: tool({ inputSchema: z.object({}) }),
  };
  const mocked = mockTools({ search: { returns: "mocked" } }, tools);
  expect(mocked.search.description).toBe("Searches.");
  expect(mocked.ask).toBe(tools.ask);
  const model = scriptedModel({ search: { q: "Oslo" }, pay: {} }, "Done");
  const { steps } = await generateText({ model, tools: mocked, prompt: "Go", stopWhen: isStepCount(5) });
  const [found, paid] = (steps[0]?.response.messages[1]?.content ?? []) as any[];
  expect(found.output).toEqual({ type: "text", value: "mocked" });
  expect(paid.output).toMatchObject({
    type: "error-text",
    value: expect.stringContaining("pay was called, but has no mock"),
  });
});

test("invalid options are rejected", async () => {
  expect(() => mockTools({ serach: { returns: 1 } }, { search: () => 2 })).toThrow(
    'no tool "serach" to mock; did you mean search?',
  );
  expect(() => mockTools({ search: {} })).toThrow("A mock of search needs either returns or throws.");
  expect(() => mockTools({ search: { returns: 1, throws: "no" } })).toThrow("either returns or throws");
  expect(() => mockTools({ search: [{ retruns: 1 } as never] })).toThrow(
    'mocks.search[0] has no option "retruns"; did you mean returns?',
  );
  expect(() => mockTools({ search: { returns: 1, times: 0 } })).toThrow("times is 0");
  expect(() => mockTools(null as never)).toThrow("mocks is null; it has to be an object.");
  const hostile = {
    get search(): never {
      throw new Error("no");
    },
  };
  expect(() => mockTools(hostile)).toThrow("The arguments of mockTools cannot be read: no");
  expect(() => mockTools({}, { search: 5 } as never)).toThrow("tools.search is 5; a tool is a function");
  expect(() => withFaults({}, {})).toThrow("withFaults needs failRate or delayMs");
  expect(() => withFaults({}, { failRate: 2 })).toThrow("failRate is 2; it has to be a number from 0 to 1.");
  const { search, find } = mockTools({
    search: { when: { q: "Oslo" }, returns: 1 },
    find: { when: { q: (q) => q.length > 3 }, returns: 1 },
  });
  await expect(find({ q: null })).rejects.toMatchObject({
    code: "callback_failed",
    cause: expect.any(TypeError),
  });
  await expect(search({ q: "Rome" })).rejects.toMatchObject({
    code: "invalid_config",
    message: expect.stringContaining('No mock of search fits the call search({"q":"Rome"})'),
  });
});

const failing = async (seed: number, calls: readonly object[]) => {
  const { get } = withFaults({ get: async (args: object) => args }, { failRate: 0.3, seed });
  const settled = await Promise.allSettled(calls.map((call) => get(call)));
  return settled.map(({ status }) => status === "rejected");
};

test("the same calls fail with the same seed, in any order, at the rate", async () => {
  const calls = Array.from({ length: 1000 }, (_, id) => ({ id }));
  const failed = await failing(1, calls);
  // 300 ± 5 standard deviations.
  expect(Math.abs(failed.filter(Boolean).length - 300)).toBeLessThan(73);
  expect(await failing(1, [...calls].reverse())).toEqual([...failed].reverse());
  expect(await failing(2, calls)).not.toEqual(failed);
});

test("a call that failed may succeed when it is repeated", async () => {
  const { get } = withFaults({ get: () => "found" }, { failRate: 0.5, seed: 3 });
  const outcomes = new Set<string>();
  for (let time = 0; time < 50; time++)
    outcomes.add(await Promise.resolve(get({ id: 1 })).catch(({ message }) => message));
  expect(outcomes).toEqual(new Set(["found", "get is not available (fault on purpose)"]));
});

test("the same calls fail in each run of an agent", async () => {
  const { get } = withFaults({ get: () => "found" }, { failRate: 0.5, seed: 3 });
  const tried = recordAgent(async () => {
    const results: string[] = [];
    while (results.length < 20) results.push(await Promise.resolve(get({ id: 1 })).catch(() => "failed"));
    return results.join();
  });
  const [first, ...others] = (await Promise.all([tried(""), tried("")])).map(
    ({ messages }) => messages.at(-1)?.content,
  );
  expect(first).toMatch(/^(?=.*found)(?=.*failed)/);
  expect(others).toEqual([first]);
});

test("changing an answer does not change it for the next call", async () => {
  const tools = mockTools({ cart: { returns: { items: [] } }, now: { returns: new Date(0) } });
  for (let run = 0; run < 2; run++) {
    const cart = (await tools.cart?.({})) as { items: string[] };
    cart.items.push("pen");
    expect(cart).toEqual({ items: ["pen"] });
  }
  expect(await tools.now?.({})).toEqual(new Date(0));
});

test("a condition that returns nothing does not match", async () => {
  const startsWithO = (city?: string) => city?.startsWith("O");
  const { find } = mockTools({
    find: [{ when: { city: startsWithO }, returns: "Norway" }, { returns: "elsewhere" }],
  });
  expect(await find({ city: "Oslo" })).toBe("Norway");
  expect(await find({ city: undefined })).toBe("elsewhere");
});

test.each([
  ["a promise", async () => false],
  ["a text", () => "no"],
])("a condition that returns %s is a mistake, and does not match", async (_, condition) => {
  const { find } = mockTools({ find: { when: { a: condition as any }, returns: "M" } });
  await expect(find({ a: 1 })).rejects.toMatchObject({
    code: "callback_failed",
    message: expect.stringContaining("it has to return true or false"),
  });
});
