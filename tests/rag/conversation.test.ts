/** Conversations, turn by turn, with contexts from the results of tools. */
import { eachTurn, faithfulness, lastToolResult, ragSuite } from "openevals-wasm/rag";
import { describe, expect, it } from "vitest";
import { errorOf } from "../api/error-of.ts";
import { type RagScript, scripted } from "./judge.ts";

const call = (id: string, name: string) => ({
  role: "assistant",
  content: "",
  tool_calls: [{ id, type: "function", function: { name, arguments: "{}" } }],
});
const result = (id: string, content: string) => ({ role: "tool", tool_call_id: id, content });

const CONVERSATION = [
  { role: "system", content: "Be brief." },
  { role: "user", content: "When does it open?" },
  call("1", "search"),
  result("1", '["nope"]'),
  call("2", "search"),
  result("2", '{"total":1,"documents":[{"id":"a","text":"nine"}]}'),
  call("3", "clock"),
  result("3", "12:00"),
  { role: "assistant", content: "At nine." },
  { role: "user", content: "And on Sunday?" },
  call("4", "search"),
  result("4", "closed on Sunday"),
  { role: "assistant", content: "Also at nine." },
  { role: "user", content: "Thanks!" },
  { role: "assistant", content: "You are welcome." },
];
const SCRIPT: RagScript = {
  claims: { "At nine.": ["opens at nine"], "Also at nine.": ["opens on Sunday"], "You are welcome.": [] },
  support: { "opens at nine": ["nine"], "opens on Sunday": [] },
};

describe("eachTurn", () => {
  it("is the mean over the turns, each with its own contexts", async () => {
    const { judge, asked } = scripted(SCRIPT);
    const evaluator = eachTurn(faithfulness({ judge, contextFrom: lastToolResult("search"), passAt: 0.5 }));
    const { key, score, comment, metadata } = await evaluator({ outputs: CONVERSATION });
    expect([key, score]).toEqual(["conversation_faithfulness", 0.5]);
    expect(comment).toBe("The mean of 2 of 3 turns.");
    expect(metadata.turns?.map(({ score, applicable }) => [score, applicable])).toEqual([
      [1, undefined],
      [0, undefined],
      [null, false],
    ]);
    expect(metadata.attempts).toBe(4);
    expect(evaluator.scale.passAt).toBe(0.5);
    const contexts = asked.filter(({ about }) => about === "support").map(({ contexts }) => contexts);
    expect(contexts).toEqual([["nine"], ["closed on Sunday"]]);
    expect(asked[0]?.prompt).toContain("<question>\nWhen does it open?\n</question>");
  });

  it("is not applicable if no turn has a score, and names the turn of an error", async () => {
    const { judge } = scripted(SCRIPT);
    const evaluator = eachTurn(faithfulness({ judge, contextFrom: lastToolResult("lookup") }));
    expect(await evaluator({ outputs: CONVERSATION })).toMatchObject({ score: null, applicable: false });
    const failing = eachTurn(faithfulness({ judge: () => Promise.reject(new Error("no")) }));
    const error = await errorOf(failing({ outputs: CONVERSATION, context: ["c"] }));
    expect(error).toMatchObject({ code: "callback_failed" });
    expect(error.message).toMatch(/^turns\[\d\]: /);
    expect((await errorOf(evaluator({ outputs: "text" }))).code).toBe("invalid_input");
    const suite = eachTurn(ragSuite({ judge, contextFrom: () => undefined }) as never);
    expect(await errorOf(suite({ outputs: CONVERSATION.slice(-2) }))).toMatchObject({
      code: "invalid_config",
    });
  });
});

it("lastToolResult reads results in all forms", () => {
  const contextsOf = (content: unknown) =>
    lastToolResult("search")({ outputs: [call("1", "search"), { ...result("1", ""), content }] });
  expect(contextsOf("plain")).toBe("plain");
  expect(contextsOf('["a","b"]')).toEqual(["a", "b"]);
  expect(contextsOf('{"results":[{"text":"a"}]}')).toEqual([{ text: "a" }]);
  expect(contextsOf('{"a":[1],"b":[2]}')).toBe('{"a":[1],"b":[2]}');
  expect(contextsOf("12")).toBe("12");
  expect(contextsOf([{ type: "text", text: '["a"]' }])).toEqual(["a"]);
  expect(
    contextsOf([
      { type: "text", text: "a" },
      { type: "text", text: "b" },
    ]),
  ).toEqual(["a", "b"]);
  expect(lastToolResult("search")({ outputs: [call("1", "clock"), result("1", "x")] })).toBeUndefined();
  expect(lastToolResult("search")(undefined as never)).toBeUndefined();
});
