/** One conversation in all forms of messages, for everything that reads conversations. */
import { AIMessage, HumanMessage, ToolMessage } from "@langchain/core/messages";
import {
  createCodeLLMAsJudge,
  createLLMAsJudge,
  createTrajectoryLLMAsJudge,
  createTrajectoryMatchEvaluator,
  type JudgeRequest,
  runMultiturnSimulation,
} from "openevals-wasm";
import { ClaimVerificationEvaluator, type RecipeMessage, ToolUsageEvaluator } from "openevals-wasm/recipes";
import { describe, expect, it } from "vitest";
import { errorOf } from "../api/error-of.ts";
import { block, reading, recorded } from "./asked.ts";
import { answering } from "./claims.ts";

const args = { city: "Oslo" };
const json = '{"city":"Oslo"}';
const QUESTION = { role: "user", content: "How warm is it in Oslo?" };
const RESULT = { role: "tool", tool_call_id: "call_1", content: "4 °C" };
const ANSWER = { role: "assistant", content: "It is 4 °C." };

/** The same question, call, result and answer; each in its own message. */
const FORMS: Record<string, RecipeMessage[]> = {
  "OpenAI's": [
    QUESTION,
    {
      role: "assistant",
      content: null,
      tool_calls: [{ id: "call_1", type: "function", function: { name: "get_weather", arguments: json } }],
    },
    RESULT,
    ANSWER,
  ],
  "OpenAI's with plain calls": [
    QUESTION,
    { role: "assistant", content: "", tool_calls: [{ id: "call_1", name: "get_weather", args }] },
    RESULT,
    ANSWER,
  ],
  "classes of LangChain": [
    new HumanMessage("How warm is it in Oslo?"),
    new AIMessage({ content: "", tool_calls: [{ id: "call_1", name: "get_weather", args }] }),
    new ToolMessage({ content: "4 °C", tool_call_id: "call_1" }),
    new AIMessage("It is 4 °C."),
  ],
  "plain objects of LangChain": [
    { type: "human", content: "How warm is it in Oslo?" },
    {
      type: "ai",
      content: "",
      tool_calls: [{ id: "call_1", name: "get_weather", args, type: "tool_call" }],
      invalid_tool_calls: [],
    },
    { type: "tool", content: "4 °C", tool_call_id: "call_1" },
    { type: "ai", content: "It is 4 °C.", tool_calls: [] },
  ],
  "LangChain's with the calls of the provider": [
    { type: "human", content: "How warm is it in Oslo?" },
    {
      type: "ai",
      content: "",
      tool_calls: [],
      additional_kwargs: {
        tool_calls: [{ id: "call_1", type: "function", function: { name: "get_weather", arguments: json } }],
      },
    },
    RESULT,
    ANSWER,
  ],
  "Anthropic's": [
    { role: "user", content: [{ type: "text", text: "How warm is it in Oslo?" }] },
    {
      role: "assistant",
      content: [{ type: "tool_use", id: "call_1", name: "get_weather", input: args }],
    },
    { role: "user", content: [{ type: "tool_result", tool_use_id: "call_1", content: "4 °C" }] },
    { role: "assistant", content: [{ type: "text", text: "It is 4 °C." }] },
  ],
  "the AI SDK's": [
    QUESTION,
    {
      role: "assistant",
      content: [{ type: "tool-call", toolCallId: "call_1", toolName: "get_weather", input: args }],
    },
    {
      role: "tool",
      content: [{ type: "tool-result", toolCallId: "call_1", output: { type: "text", value: "4 °C" } }],
    },
    { role: "assistant", content: [{ type: "text", text: "It is 4 °C." }] },
  ],
  "items of the Responses API": [
    { type: "message", role: "user", content: [{ type: "input_text", text: "How warm is it in Oslo?" }] },
    { type: "function_call", id: "fc_1", call_id: "call_1", name: "get_weather", arguments: json },
    { type: "function_call_output", call_id: "call_1", output: "4 °C" },
    { type: "message", role: "assistant", content: [{ type: "output_text", text: "It is 4 °C." }] },
  ],
};
const OPENAI = FORMS["OpenAI's"] as RecipeMessage[];

const TEXT = `[1] user
| How warm is it in Oslo?

[2] assistant
-> call of get_weather (call_1)
| {"city":"Oslo"}

[3] tool (result of call_1)
| 4 °C`;

const TOOLS = ["get_weather", "constructor"].map((name) => ({ type: "function", function: { name } }));

/** By name, whether tools were called. */
async function called(messages: RecipeMessage[]): Promise<Record<string, boolean>> {
  const { model } = recorded(() => ({
    tool_evaluations: TOOLS.map((tool) => ({
      tool_name: tool.function.name,
      reasoning: "r",
      probability: 50,
    })),
  }));
  const { metadata } = await new ToolUsageEvaluator({ model }).evaluate(messages, TOOLS);
  expect(metadata).not.toHaveProperty("unlistedCalls");
  const evaluations = metadata.toolEvaluations as { toolName: string; wasCalled: boolean }[];
  return Object.fromEntries(evaluations.map(({ toolName, wasCalled }) => [toolName, wasCalled]));
}

/** The ids and texts of the sources. */
async function sources(messages: RecipeMessage[], ignoreToolNames: string[] = []): Promise<string> {
  const { model, asked } = recorded(answering());
  await new ClaimVerificationEvaluator({ model, ignoreToolNames }).evaluate(messages);
  return block("sources", asked.at(-1)?.prompt ?? "");
}

/** The text that a judge of trajectories reads. */
async function read(outputs: unknown): Promise<string> {
  let text = "";
  const judge = ({ messages }: JudgeRequest) => {
    text = messages[0]?.content;
    return { score: true, reasoning: "r" };
  };
  await createTrajectoryLLMAsJudge({ prompt: "{outputs}", judge })({ outputs: outputs as never });
  return text;
}

describe.each(Object.entries(FORMS))("messages in the form %s", (_, messages) => {
  it("count as calls for recipes", async () => {
    expect(await called(messages)).toEqual({ get_weather: true, constructor: false });
  });

  it("are sources, if the tool is not ignored", async () => {
    expect(await sources(messages)).toMatch(
      /<title>function_call_output_2_get_weather(_part_0)?<\/title>\n0→4 °C\n/,
    );
    const others = await sources(messages, ["get_weather"]);
    expect(others).not.toContain("4 °C");
    expect(others).toContain("0→How warm is it in Oslo?");
  });

  it("read the same, in recipes and to judges", async () => {
    expect(await reading(messages.slice(0, -1))).toBe(TEXT);
    expect(await read(messages)).toBe(`${TEXT}\n\n[4] assistant\n| It is 4 °C.`);
  });

  it("match equal trajectories in all forms, and no others", async () => {
    const rome = JSON.parse(JSON.stringify(OPENAI).replaceAll("Oslo", "Rome"));
    for (const trajectoryMatchMode of ["unordered", "subset", "superset"] as const) {
      const match = createTrajectoryMatchEvaluator({ trajectoryMatchMode });
      expect(await match({ outputs: messages as never, referenceOutputs: OPENAI as never })).toEqual({
        key: `trajectory_${trajectoryMatchMode}_match`,
        score: true,
      });
      const other = await match({ outputs: messages as never, referenceOutputs: rome });
      expect(other.score).toBe(false);
    }
    const strict = createTrajectoryMatchEvaluator();
    const same = await strict({ outputs: messages as never, referenceOutputs: messages as never });
    expect(same).toEqual({ key: "trajectory_strict_match", score: true });
    if (!messages.some(({ content }) => content?.[0]?.type === "tool_result")) {
      const openai = await strict({ outputs: messages as never, referenceOutputs: OPENAI as never });
      expect(openai).toEqual({ key: "trajectory_strict_match", score: true });
    }
  });

  it("have the messages of the application in a simulation", async () => {
    const { trajectory } = await runMultiturnSimulation({
      app: () => messages.at(-1) as never,
      user: ["Hi"],
      maxTurns: 1,
    });
    expect(trajectory.map(({ role }) => role)).toEqual(["user", "assistant"]);
  });

  it("hold the code that is judged", async () => {
    const judge = ({ messages: [first] }: JudgeRequest) => ({ score: first?.content === "It is 4 °C." });
    const evaluator = createCodeLLMAsJudge({ prompt: "{outputs}", judge });
    expect((await evaluator({ outputs: { messages } as never })).score).toBe(true);
  });
});

describe("calls", () => {
  const cases: [string, RecipeMessage][] = [
    [
      "in the older form",
      { role: "assistant", content: null, function_call: { name: "get_weather", arguments: json } },
    ],
    [
      "of a tool that takes a text",
      { role: "assistant", tool_calls: [{ type: "custom", custom: { name: "get_weather", input: "Oslo" } }] },
    ],
    [
      "of such a tool as an item",
      { type: "custom_tool_call", call_id: "c", name: "get_weather", input: "Oslo" },
    ],
    [
      "that the provider runs",
      {
        role: "assistant",
        content: [{ type: "server_tool_use", id: "c", name: "get_weather", input: args }],
      },
    ],
    [
      "with their result",
      { type: "mcp_call", id: "c", name: "get_weather", arguments: json, output: "4 °C" },
    ],
    [
      "beside text",
      {
        role: "assistant",
        content: [
          { type: "text", text: "Let me see." },
          { type: "tool_use", id: "c", name: "get_weather", input: args },
        ],
      },
    ],
  ];
  it.each(cases)("count %s", async (_, message) => {
    expect(await called([QUESTION, message, ANSWER])).toEqual({ get_weather: true, constructor: false });
    const match = createTrajectoryMatchEvaluator({
      trajectoryMatchMode: "unordered",
      toolArgsMatchMode: "ignore",
    });
    const result = await match({ outputs: [message] as never, referenceOutputs: OPENAI as never });
    expect(result.score).toBe(true);
    expect(await read([message])).toMatch(/^\[1\] assistant\n(\| Let me see\.\n)?-> call of get_weather/);
  });

  it("are compared by the text that their tool takes", async () => {
    const run = (input: string) => [{ type: "custom_tool_call", call_id: "c", name: "run", input }] as never;
    const match = createTrajectoryMatchEvaluator({ trajectoryMatchMode: "unordered" });
    expect((await match({ outputs: run("ls -l"), referenceOutputs: run("ls -l") })).score).toBe(true);
    expect((await match({ outputs: run("ls -l"), referenceOutputs: run("rm -r") })).score).toBe(false);
  });

  it("and several results in one message are separate sources", async () => {
    const messages = [
      QUESTION,
      {
        role: "assistant",
        content: [
          { type: "tool_use", id: "a", name: "get_weather", input: args },
          { type: "tool_use", id: "b", name: "get_time", input: {} },
        ],
      },
      {
        role: "user",
        content: [
          { type: "tool_result", tool_use_id: "a", content: "4 °C" },
          { type: "tool_result", tool_use_id: "b", content: [{ type: "text", text: "Noon" }] },
          { type: "text", text: "And?" },
        ],
      },
      ANSWER,
    ];
    const source = (id: string, title: string, line: string) =>
      `<source>\n<source_id>${id}</source_id>\n<title>${title}</title>\n0→${line}\n</source>`;
    expect(await sources(messages)).toBe(
      [
        source("0", "user_0", "How warm is it in Oslo?"),
        source("2_0", "function_call_output_2_get_weather_part_0", "4 °C"),
        source("2_1", "function_call_output_2_get_time_part_1", "Noon"),
        source("2_2", "user_2_part_2", "And?"),
      ].join("\n\n"),
    );
    expect(await sources(messages, ["get_weather", "get_time"])).toBe(
      [source("0", "user_0", "How warm is it in Oslo?"), source("2_0", "user_2_part_0", "And?")].join("\n\n"),
    );
  });
});

describe("roles", () => {
  it.each(["constructor", "__proto__", "toString", "valueOf"])("may be called %s", async (role) => {
    const messages = [{ role, content: "Hi" }];
    expect(await read(messages)).toBe(`[1] ${role}\n| Hi`);
    expect(await reading(messages)).toBe(`[1] ${role}\n| Hi`);
    const ofLangChain = { getType: () => role, content: "Hi" };
    expect(await read([ofLangChain])).toBe(`[1] ${role}\n| Hi`);
    const match = createTrajectoryMatchEvaluator();
    const same = await match({ outputs: messages as never, referenceOutputs: [ofLangChain] as never });
    expect(same.score).toBe(true);
    const other = await match({ outputs: messages as never, referenceOutputs: [QUESTION] as never });
    expect(other).toMatchObject({
      score: false,
      comment: `outputs[0]: ${JSON.stringify(role)} where the reference has "user"`,
    });
  });

  it("of LangChain are those of OpenAI, in prompts too", async () => {
    let asked: unknown;
    const judge = ({ messages }: JudgeRequest) => {
      asked = messages;
      return { score: true };
    };
    const prompt = () => [
      { type: "system", content: "Be strict." },
      { role: "human", content: "Is it right?" },
    ];
    await createLLMAsJudge({ prompt: prompt as never, judge })({});
    expect(asked).toEqual([
      { role: "system", content: "Be strict." },
      { role: "user", content: "Is it right?" },
    ]);
  });
});

/** Whatever is wrong with messages is said, or has an answer; it is never an error of JavaScript. */
describe("strange messages", () => {
  const sparse = <T>(...items: T[]): T[] => Object.assign(new Array(items.length + 1), items);
  const NO_PROTOTYPE = Object.create(null);
  const said = { role: "assistant", content: "Hi" };
  const cases: [string, unknown[], RegExp | undefined][] = [
    ["a gap", sparse(said), /\[1\] is undefined/],
    ["null", [null], /\[0\] is null/],
    ["a text", ["Hi"], /\[0\] is ("Hi"|a string)/],
    [
      "calls that are a text",
      [{ ...said, tool_calls: "x" }],
      /\[0\]\.tool_calls is "x"; it has to be a list of calls/,
    ],
    [
      "calls that are an object",
      [{ ...said, tool_calls: {} }],
      /\[0\]\.tool_calls is \{\}; it has to be a list/,
    ],
    ["a gap among calls", [{ ...said, tool_calls: new Array(1) }], /\[0\]\.tool_calls\[0\] is undefined/],
    ["a call that is null", [{ ...said, tool_calls: [null] }], /\[0\]\.tool_calls\[0\] is null; a call is/],
    ["a call that is a text", [{ ...said, tool_calls: ["f"] }], /\[0\]\.tool_calls\[0\] is "f"; a call is/],
    ["calls of LangChain that are a text", [new AIMessageWith("x")], /\[0\]\.tool_calls is "x"/],
    ["a call of LangChain that is null", [new AIMessageWith([null])], /\[0\]\.tool_calls\[0\] is null/],
    ["an older call that is a text", [{ ...said, function_call: "f" }], /\[0\]\.function_call is "f"/],
    ["calls of nothing", [{ ...said, tool_calls: [NO_PROTOTYPE] }], undefined],
    [
      "a call with strange names",
      [{ ...said, tool_calls: [{ id: NO_PROTOTYPE, name: NO_PROTOTYPE, args: 1 }] }],
      undefined,
    ],
    ["no content", [{ role: "assistant", content: null }], undefined],
    ["a number as content", [{ role: "assistant", content: 5 }], undefined],
    ["an object as content", [{ role: "assistant", content: { a: 1 } }], undefined],
  ];

  function AIMessageWith(this: object, calls: unknown) {
    Object.assign(this, { getType: () => "ai", content: "Hi", tool_calls: calls });
  }

  const users: [string, (messages: unknown[]) => Promise<unknown>][] = [
    ["a judge of trajectories", read],
    [
      "a trajectory evaluator",
      (messages) => createTrajectoryMatchEvaluator()({ outputs: messages as never, referenceOutputs: [] }),
    ],
    ["tool usage", (messages) => called([QUESTION, ...Array.from(messages)] as never)],
    ["claim verification", (messages) => sources([...messages, ANSWER] as never)],
    [
      "a prompt function",
      (messages) => createLLMAsJudge({ prompt: () => messages as never, judge: () => ({ score: true }) })({}),
    ],
    [
      "a simulation",
      (messages) => runMultiturnSimulation({ app: () => messages as never, user: ["Hi"], maxTurns: 1 }),
    ],
  ];

  for (const [user, use] of users) {
    it.each(cases)(`have a defined answer from ${user}: %s`, async (_, messages, expected) => {
      const outcome = await use(messages).catch((error) => error);
      if (!(outcome instanceof Error)) {
        // In a simulation, the application handles tool calls itself.
        expect(user === "a simulation" ? undefined : expected).toBeUndefined();
        return;
      }
      const { name, code, message } = await errorOf(Promise.reject(outcome));
      expect({ name, code, message }).toMatchObject({ name: "OpenEvalsError", code: "invalid_input" });
      if (expected && user !== "tool usage") expect(message).toMatch(expected);
    });
  }
});
