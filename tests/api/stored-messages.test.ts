/** Messages that LangChain has stored are read like the messages themselves. */

import {
  AIMessage,
  AIMessageChunk,
  type BaseMessage,
  HumanMessage,
  mapChatMessagesToStoredMessages,
  SystemMessage,
  ToolMessage,
} from "@langchain/core/messages";
import { createTrajectoryLLMAsJudge, createTrajectoryMatchEvaluator } from "openevals-wasm";
import { createToolPolicy, stepStatus } from "openevals-wasm/agents";
import { contains } from "openevals-wasm/checks";
import { expect, test } from "vitest";
import { errorOf } from "./error-of.ts";

const calls = [{ id: "1", name: "get_weather", args: { city: "Oslo" }, type: "tool_call" as const }];
const messages = [
  new SystemMessage("Be brief."),
  new HumanMessage("How warm is it?"),
  new AIMessage({ content: "", tool_calls: calls }),
  new ToolMessage({ content: "4 °C", tool_call_id: "1", status: "error" }),
  new AIMessageChunk("4 °C."),
];

/** As Python writes them: `messages_to_dict()`, `dumpd()` and `model_dump()`. */
const ofPython = (
  list: readonly BaseMessage[],
  form: (type: string, fields: object, name: string) => object,
) =>
  list.map((message) => {
    const { content, tool_calls, tool_call_id, status } = message as AIMessage & ToolMessage;
    const name = message.constructor.name;
    const type = name === "AIMessageChunk" ? name : message.getType();
    return form(type, { content, type, tool_calls, tool_call_id, status }, name);
  });

const forms: [string, any][] = [
  ["JSON.stringify", JSON.parse(JSON.stringify(messages))],
  ["the result of a graph", JSON.parse(JSON.stringify({ messages }))],
  ["mapChatMessagesToStoredMessages", mapChatMessagesToStoredMessages(messages)],
  ["messages_to_dict of Python", ofPython(messages, (type, data) => ({ type, data }))],
  [
    "dumpd of Python",
    ofPython(messages, (_, kwargs, name) => ({
      ...{ lc: 1, type: "constructor", kwargs },
      id: ["langchain", "schema", "messages", name],
    })),
  ],
  ["model_dump of Python", ofPython(messages, (_, fields) => fields)],
];

const never = createToolPolicy({ deny: ["get_weather"] });

test.each(forms)("%s", async (_, outputs) => {
  const match = createTrajectoryMatchEvaluator();
  expect(await match({ outputs, referenceOutputs: messages })).toMatchObject({ score: true });
  const other = { role: "assistant", content: "", tool_calls: [{ name: "get_weather", args: {} }] };
  expect(
    await match({ outputs, referenceOutputs: [...messages.slice(0, 2), other, ...messages.slice(3)] }),
  ).toMatchObject({
    score: false,
    comment: expect.stringContaining("outputs[2]"),
  });
  expect(await never({ outputs })).toMatchObject({ score: false });
  expect((await stepStatus()({ outputs })).metadata.steps).toMatchObject([{ status: "failed" }]);
  expect(await contains("4 °C")({ outputs })).toMatchObject({ score: true });
});

test.each(forms)("%s, for a judge", async (_, outputs) => {
  const read = async (outputs: any) => {
    let prompt: unknown;
    const judge = createTrajectoryLLMAsJudge({
      prompt: "{outputs}",
      judge: (request) => {
        prompt = request.messages[0]?.content;
        return { score: true, reasoning: "Fine." };
      },
    });
    await judge({ outputs });
    return prompt;
  };
  expect(await read(outputs)).toBe(await read(messages));
});

test("a single stored message", async () => {
  const [only] = mapChatMessagesToStoredMessages([new AIMessage({ content: "", tool_calls: calls })]);
  expect(await never({ outputs: only as any })).toMatchObject({ score: false });
});

test.each(forms)("%s that grows after the call", async (_, outputs) => {
  const list = "messages" in outputs ? outputs.messages : outputs;
  const match = createTrajectoryMatchEvaluator();
  const scored = match({ outputs, referenceOutputs: messages });
  list.push({ role: "user", content: "Thanks." });
  expect(await scored).toMatchObject({ score: true });
  list.pop();
});

test.each<[string, object]>([
  ["a document", { lc: 1, type: "constructor", id: ["langchain", "Document"], kwargs: { pageContent: "x" } }],
  ["a message without its fields", { lc: 1, type: "constructor", id: ["langchain", "AIMessage"] }],
  ["a message without an id", { lc: 1, type: "constructor", id: null, kwargs: { content: "x" } }],
])("%s is no message", async (_, value) => {
  const { code } = await errorOf(never({ outputs: [value] as any }));
  expect(code).toBe("invalid_input");
});
