/** The exported utilities give the same results in both packages. */
import { AIMessage, HumanMessage, ToolMessage } from "@langchain/core/messages";
import * as ourIndex from "openevals-wasm";
import * as ourLlm from "openevals-wasm/llm";
import * as ours from "openevals-wasm/utils";
import { describe, expect, it } from "vitest";
import { agentevals } from "./reference.ts";

const theirs = await import("openevals/utils");
const theirLlm = await import("openevals/llm");

/** The result of a call, or that it throws. */
function outcome(call: () => unknown): unknown {
  try {
    return JSON.parse(JSON.stringify({ returned: call() }));
  } catch {
    return "throws";
  }
}

const message = { role: "user", content: "hi" };
const messages = [
  new HumanMessage({ content: "hi", id: "1" }),
  new AIMessage({ content: "", tool_calls: [{ id: "c", name: "f", args: { a: 1 } }] }),
  new ToolMessage({ content: "found", tool_call_id: "c" }),
  { role: "tool", content: "x", tool_call_id: "d" },
];
const values = [
  1,
  "a",
  null,
  [],
  {},
  [1, { a: 1 }],
  { a: [1], b: 2 },
  { b: 2, a: [1] },
  [1, 2],
  { 0: 1, 1: 2 },
];

const CALLS: [string, unknown[][]][] = [
  ["_deepEqual", values.flatMap((one) => values.map((other) => [one, other]))],
  ["_convertToOpenAIMessage", [...messages, message].map((one) => [one])],
  ["_normalizeToOpenAIMessagesList", [[messages], [{ messages }], [message], [{}], [[]]]],
  [
    "processScore",
    [
      true,
      0.5,
      { score: 1 },
      { score: true, reasoning: "a", metadata: {}, sourceRunId: "r" },
      { score: 0, reasoning: 1 },
      {},
      null,
    ].map((value) => ["key", value]),
  ],
  [
    "_normalizeOutputsAsString",
    [["a"], [message], [{ messages: [message, { content: "b" }] }], [{ messages: [] }], [{}], [5], [null]],
  ],
  [
    "_attachmentToContentBlock",
    [
      ["https://a.test/b.png"],
      [{ mime_type: "Image/PNG", data: "data:image/png;base64,AAAA" }],
      [{ mime_type: "audio/mpeg", data: "data:audio/mpeg;base64,AAAA" }],
      [{ mime_type: "application/pdf", data: "data:application/pdf;base64,AAAA", name: "a.pdf" }],
      [{ mime_type: "text/plain", data: "data:text/plain,a" }],
      [{ type: "video", url: "https://a.test/b.mp4" }],
      [{}],
      [5],
    ],
  ],
];

describe.each(CALLS)("%s", (name, calls) => {
  it.each(calls)("%j", (...args) => {
    const call = (from: object) =>
      outcome(() => (from as Record<string, (...args: unknown[]) => unknown>)[name]?.(...args));
    expect(call(ours)).toEqual(call(theirs));
  });
});

it("_runEvaluatorUntyped returns the scorer's result on request", async () => {
  const scorer = () => ({ a: { score: 1, reasoning: "b" } });
  for (const raw of [true, false, undefined] as const) {
    const run = (from: any) => from._runEvaluatorUntyped("run", scorer, "key", {}, "openevals", raw);
    expect(await run(ours)).toEqual(JSON.parse(JSON.stringify(await run(theirs))));
  }
});

it("isZodSchema recognizes objects that can parse", () => {
  for (const schema of [undefined, {}, { parse: 1 }, { parse: () => 1 }] as never[])
    expect(ourLlm.isZodSchema(schema)).toBe(theirLlm.isZodSchema(schema));
});

describe("of AgentEvals", () => {
  it("messages and scores", () => {
    for (const one of messages as never[]) {
      expect(outcome(() => ourIndex._convertToOpenAIMessage(one))).toEqual(
        outcome(() => agentevals._convertToOpenAIMessage(one)),
      );
      expect(outcome(() => ourIndex._convertToChatCompletionMessage(one))).toEqual(
        outcome(() => agentevals._convertToChatCompletionMessage(one)),
      );
    }
    for (const list of [undefined, messages, { messages }, {}] as never[]) {
      expect(outcome(() => ourIndex._normalizeToOpenAIMessagesList(list))).toEqual(
        outcome(() => agentevals._normalizeToOpenAIMessagesList(list)),
      );
    }
    const { tool_call_id } = ourIndex._convertToChatCompletionMessage({ role: "tool", content: "a" }) as any;
    expect(tool_call_id).toMatch(/^generated-\w+$/);
    expect(ourIndex.processScore("a", { score: 1, reasoning: "b" })[0]).toBe(1);
  });

  it("evaluators", async () => {
    const run = (from: typeof agentevals | typeof ourIndex) =>
      from._runEvaluator("run", () => true, "key", {});
    expect(await run(ourIndex)).toEqual(JSON.parse(JSON.stringify(await run(agentevals))));
  });

  it("the history of a graph", async () => {
    const inner = [{ values: 1, tasks: [] }];
    const outer = [{ values: 2, tasks: [{ state: { configurable: { checkpoint_ns: "a" } } }] }];
    const graph = {
      async *getStateHistory(config: any) {
        yield* config.configurable.checkpoint_ns ? inner : outer;
      },
    };
    const history = (from: any) => from._getLangGraphStateHistoryRecursive(graph, { configurable: {} });
    expect(await history(ourIndex)).toEqual(await history(agentevals));
  });
});
