import { AIMessage, HumanMessage, SystemMessage, ToolMessage } from "@langchain/core/messages";
import {
  createTrajectoryMatchEvaluator,
  graphTrajectoryStrictMatch,
  type Trajectory,
  type TrajectoryMatchEvaluatorOptions,
  trajectoryStrictMatch,
  trajectorySubset,
  trajectorySuperset,
  trajectoryUnorderedMatch,
} from "openevals-wasm";
import { describe, expect, test } from "vitest";

type Args = Record<string, unknown>;
const openAI = (name: string, args: Args | string = {}) => ({
  id: "call_1",
  type: "function",
  function: { name, arguments: typeof args === "string" ? args : JSON.stringify(args) },
});
const plain = (name: string, args: unknown = {}) => ({ name, args });
const assistant = (...tool_calls: object[]) => ({ role: "assistant" as const, content: "", tool_calls });
const user = { role: "user" as const, content: "Hi" };

const MODES = ["strict", "unordered", "subset", "superset"] as const;
const ARGS = ["exact", "ignore", "subset", "superset"] as const;

async function match(
  options: TrajectoryMatchEvaluatorOptions,
  outputs: Trajectory,
  referenceOutputs: Trajectory,
) {
  const evaluator = createTrajectoryMatchEvaluator(options);
  const result = await evaluator({ outputs, referenceOutputs });
  expect(await evaluator.batch([{ outputs, referenceOutputs }])).toEqual([result]);
  expect(result.key).toBe(`trajectory_${options.trajectoryMatchMode ?? "strict"}_match`);
  expect("comment" in result).toBe(!result.score);
  return result;
}

/** One conversation in the forms of several APIs: the AI SDK, Anthropic and the Responses API. */
describe("the same trajectory in another form", () => {
  const CITIES = { a: "Oslo", b: "Rome" };
  const each = <T>(make: (id: string, city: string) => T): T[] =>
    Object.entries(CITIES).map(([id, city]) => make(id, city));
  const ask = { role: "user", content: "Compare" };
  const openAIForm = [
    ask,
    {
      role: "assistant",
      content: null,
      tool_calls: each((id, city) => ({ ...openAI("weather", { city }), id })),
    },
    ...each((id) => ({ role: "tool", tool_call_id: id, content: "4" })),
    { role: "assistant", content: "The same" },
  ];
  const result = { toolName: "weather", output: { type: "text", value: "4" } };
  const call = (call_id: string, city: string) => ({
    ...{ type: "function_call", call_id, name: "weather" },
    arguments: JSON.stringify({ city }),
  });

  test.each<[string, object[]]>([
    [
      "AI SDK",
      [
        ask,
        {
          role: "assistant",
          content: each((toolCallId, city) => ({
            ...{ type: "tool-call", toolCallId, toolName: "weather", input: { city } },
          })),
        },
        { role: "tool", content: each((toolCallId) => ({ type: "tool-result", toolCallId, ...result })) },
        { role: "assistant", content: [{ type: "text", text: "The same" }] },
      ],
    ],
    [
      "Anthropic",
      [
        ask,
        {
          role: "assistant",
          content: each((id, city) => ({ type: "tool_use", id, name: "weather", input: { city } })),
        },
        { role: "user", content: each((id) => ({ type: "tool_result", tool_use_id: id, content: "4" })) },
        { role: "assistant", content: [{ type: "text", text: "The same" }] },
      ],
    ],
    [
      "Responses",
      [
        ask,
        { type: "reasoning", summary: [] },
        ...each(call),
        ...each((call_id) => ({ type: "function_call_output", call_id, output: "4" })),
        { type: "message", role: "assistant", content: [{ type: "output_text", text: "The same" }] },
      ],
    ],
  ])("%s", async (_, messages) => {
    for (const trajectoryMatchMode of MODES) {
      const score = async (outputs: object[]) =>
        (await match({ trajectoryMatchMode }, outputs as Trajectory, openAIForm as Trajectory)).score;
      expect(await score(messages), trajectoryMatchMode).toBe(true);
      // Without a result of a tool, or with another call, it is another one.
      const isSubset =
        trajectoryMatchMode === "unordered" ||
        trajectoryMatchMode === "subset" ||
        trajectoryMatchMode === "superset";
      expect(await score(messages.slice(0, -1)), trajectoryMatchMode).toBe(isSubset);
      expect(await score([...messages, ...messages.slice(1)]), trajectoryMatchMode).toBe(
        trajectoryMatchMode === "superset",
      );
    }
  });

  test("Anthropic's text of the user beside results is a message after them", async () => {
    const results = each((id) => ({ type: "tool_result", tool_use_id: id, content: "4" }));
    const calls = each((id, city) => ({ type: "tool_use", id, name: "weather", input: { city } }));
    const anthropic = [
      ask,
      { role: "assistant", content: calls },
      { role: "user", content: [...results, { type: "text", text: "And now?" }] },
    ];
    const expected = [...openAIForm.slice(0, -1), { role: "user", content: "And now?" }];
    expect((await match({}, anthropic as Trajectory, expected as Trajectory)).score).toBe(true);
    expect((await match({}, anthropic as Trajectory, openAIForm as Trajectory)).score).toBe(false);
  });

  test("calls in two answers of the Responses API are two steps", async () => {
    const [first, second] = each(call);
    const output = (call_id: string) => ({ type: "function_call_output", call_id, output: "4" });
    const one = [ask, first, second, output("a"), output("b")];
    const two = [ask, first, output("a"), second, output("b")];
    expect((await match({}, one as Trajectory, two as Trajectory)).score).toBe(false);
    expect((await match({}, two as Trajectory, two as Trajectory)).score).toBe(true);
  });
});

describe("modes", () => {
  const [f, g] = [openAI("f", { a: 1 }), openAI("g", { b: 2 })];

  test.each([
    ["strict", false, false, false],
    ["unordered", true, false, false],
    ["subset", true, true, false],
    ["superset", true, false, true],
  ] as const)("%s: other order, fewer, more", async (trajectoryMatchMode, reordered, fewer, more) => {
    const both = [user, assistant(f), assistant(g)];
    const score = async (outputs: Trajectory) => (await match({ trajectoryMatchMode }, outputs, both)).score;
    expect(await score(both)).toBe(true);
    expect(await score([user, assistant(g), assistant(f)])).toBe(reordered);
    expect(await score([user, assistant(f)])).toBe(fewer);
    expect(await score([user, assistant(f), assistant(g, f)])).toBe(more);
  });

  test.each(ARGS)("arguments %s, in every mode", async (toolArgsMatchMode) => {
    const [small, large] = [[assistant(openAI("f", { a: 1 }))], [assistant(openAI("f", { a: 1, b: 2 }))]];
    const expected = {
      exact: [false, false],
      ignore: [true, true],
      subset: [true, false],
      superset: [false, true],
    };
    for (const trajectoryMatchMode of MODES) {
      const options = { trajectoryMatchMode, toolArgsMatchMode };
      const scores = [(await match(options, small, large)).score, (await match(options, large, small)).score];
      expect(scores).toEqual(expected[toolArgsMatchMode]);
    }
  });

  test("within a message the order of calls does not matter, even in strict mode", async () => {
    expect((await match({}, [assistant(f, g)], [assistant(g, f)])).score).toBe(true);
  });

  test("a perfect matching is found where greedy matching fails", async () => {
    // In order, {"a":1} would take the only call that the other one matches.
    const outputs = [assistant(openAI("f", { a: 1, b: 2 })), assistant(openAI("f", { a: 1 }))];
    const reference = [assistant(openAI("f", { a: 1, c: 3 })), assistant(openAI("f", { a: 1, b: 2, c: 3 }))];
    const options = { trajectoryMatchMode: "unordered", toolArgsMatchMode: "subset" } as const;
    expect((await match(options, outputs, reference)).score).toBe(true);
    expect((await match(options, outputs, [...reference].reverse())).score).toBe(true);
    expect((await match(options, [...outputs].reverse(), reference)).score).toBe(true);
  });

  test("duplicate calls count", async () => {
    const once = [assistant(f)];
    const twice = [assistant(f, f)];
    expect(
      (await match({ trajectoryMatchMode: "unordered", toolArgsMatchMode: "ignore" }, once, twice)).score,
    ).toBe(false);
    expect((await match({ trajectoryMatchMode: "subset" }, twice, once)).score).toBe(false);
    expect((await match({ trajectoryMatchMode: "superset" }, twice, once)).score).toBe(true);
  });
});

describe("message formats", () => {
  test("plain and OpenAI calls, { messages }, and LangChain messages are the same trajectory", async () => {
    const dicts = [
      { role: "system" as const, content: "Be brief." },
      { role: "user" as const, content: "Weather?" },
      assistant(openAI("get_weather", { city: "Oslo", days: 2 })),
      { role: "tool" as const, content: "Cold.", tool_call_id: "call_1" },
      { role: "assistant" as const, content: [{ type: "text", text: "Cold." }] },
    ];
    const plainForm = dicts.map((message) =>
      "tool_calls" in message ? assistant(plain("get_weather", { days: 2, city: "Oslo" })) : message,
    );
    const langChain = [
      new SystemMessage("Be brief."),
      new HumanMessage("Weather?"),
      new AIMessage({
        content: "",
        tool_calls: [{ id: "x", name: "get_weather", args: { city: "Oslo", days: 2 } }],
      }),
      new ToolMessage({ content: "Cold.", tool_call_id: "x" }),
      new AIMessage("Cold."),
    ];
    for (const trajectoryMatchMode of MODES) {
      for (const outputs of [dicts, plainForm, langChain, { messages: dicts }, { messages: langChain }]) {
        const result = await match({ trajectoryMatchMode }, outputs as Trajectory, dicts);
        expect(result).toEqual({ key: `trajectory_${trajectoryMatchMode}_match`, score: true });
      }
    }
  });

  test("a developer message of LangChain", async () => {
    const message = new SystemMessage({ content: "x", additional_kwargs: { __openai_role__: "developer" } });
    expect((await match({}, [message], [{ role: "developer", content: "x" }])).score).toBe(true);
  });

  test("unknown roles, messages without content, empty and missing lists of calls", async () => {
    const odd = [{ role: "critic" }, { role: "assistant", tool_calls: [] }] as never;
    expect(
      (await match({}, odd, [{ role: "critic", content: 7 }, { role: "assistant" }] as never)).score,
    ).toBe(true);
    const result = await match({}, [{ role: "critic" }] as never, [{ role: "user" }] as never);
    expect(result.comment).toBe('outputs[0]: "critic" where the reference has "user"');
    expect((await match({}, [], [])).score).toBe(true);
  });

  test.each<[string, object]>([
    ["a call", { name: "refund", args: { order: 8 } }],
    ["a call in the form of Anthropic", { id: "1", type: "tool_use", name: "refund", input: {} }],
    [
      "a call in the form of OpenAI",
      { id: "1", type: "function", function: { name: "refund", arguments: "{}" } },
    ],
    ["an object of one's own", { tool: "refund" }],
    ["a message without a role", { content: "no role" }],
  ])("%s is no message, in all modes and on both sides", async (_, own) => {
    const agent = [{ role: "assistant", content: "", tool_calls: [{ name: "search", args: {} }] }] as never;
    const evaluator = createTrajectoryMatchEvaluator({ trajectoryMatchMode: "superset" });
    for (const trajectoryMatchMode of ["strict", "unordered", "subset", "superset"] as const) {
      const refused = (place: string) => ({
        code: "invalid_input",
        message: expect.stringMatching(
          new RegExp(`^${place}\\[0\\] has no role; a message is \\{ role, content`),
        ),
      });
      await expect(match({ trajectoryMatchMode }, agent, [own] as never)).rejects.toMatchObject(
        refused("referenceOutputs"),
      );
      await expect(match({ trajectoryMatchMode }, [own] as never, agent)).rejects.toMatchObject(
        refused("outputs"),
      );
    }
    await expect(
      evaluator.batch([{ outputs: [own], referenceOutputs: agent } as never]),
    ).rejects.toMatchObject({
      message: expect.stringContaining("rows[0].outputs[0] has no role"),
    });
  });

  test("a single message is a trajectory of one", async () => {
    expect((await match({}, user as never, [user])).score).toBe(true);
  });
});

describe("arguments of calls", () => {
  const one = (call: object): Trajectory => [assistant(call)];

  test("missing, null and empty ones are {}", async () => {
    const forms = [
      { name: "f" },
      plain("f", null),
      { function: { name: "f" } },
      openAI("f", ""),
      openAI("f", "null"),
    ];
    for (const call of forms) expect((await match({}, one(call), one(plain("f")))).score).toBe(true);
  });

  test("integers past 2^53 are compared exactly", async () => {
    const id = (digits: string) => one(openAI("f", `{"id": ${digits}}`));
    expect((await match({}, id("9007199254740993"), id("9007199254740993"))).score).toBe(true);
    expect((await match({}, id("9007199254740993"), id("9007199254740992"))).score).toBe(false);
    expect((await match({}, id("123456789012345678901"), id("123456789012345678902"))).score).toBe(false);
  });

  test.each([
    "\u00a0{}",
    "{}\u2028",
    "\u000b{}",
    "\f{}",
    "\u00a0",
  ])("white space that JSON does not have is not JSON: %j", async (text) => {
    const outputs = [
      { role: "assistant", content: "", tool_calls: [{ function: { name: "f", arguments: text } } as never] },
    ];
    const referenceOutputs = [
      { role: "assistant", content: "", tool_calls: [{ function: { name: "f", arguments: "{}" } } as never] },
    ];
    const result = await createTrajectoryMatchEvaluator()({ outputs, referenceOutputs });
    expect(result.score).toBe(false);
  });

  test("not JSON: a mismatch in outputs, an error in the reference", async () => {
    const broken = one(openAI("f", '{"a": '));
    const result = await match({}, broken, one(plain("f")));
    expect(result.comment).toContain("outputs[0].tool_calls[0], where the arguments are not JSON");
    expect((await match({ toolArgsMatchMode: "ignore" }, broken, one(plain("f")))).score).toBe(true);
    const evaluator = createTrajectoryMatchEvaluator();
    await expect(evaluator({ outputs: one(plain("f")), referenceOutputs: broken })).rejects.toMatchObject({
      code: "invalid_input",
      message: expect.stringContaining(
        "the arguments of referenceOutputs[0].tool_calls[0]: not JSON: the text ends too early",
      ),
    });
  });

  test("equal values match, even if they are not objects", async () => {
    for (const toolArgsMatchMode of ["exact", "subset", "superset"] as const) {
      expect(
        (await match({ toolArgsMatchMode }, one(openAI("f", "[1, 2]")), one(openAI("f", "[1,2]")))).score,
      ).toBe(true);
      expect(
        (await match({ toolArgsMatchMode }, one(openAI("f", "[1]")), one(openAI("f", "[1,2]")))).score,
      ).toBe(false);
    }
  });

  test("line breaks and null characters in argument texts", async () => {
    expect((await match({}, one(openAI("f", '{\n  "a": 1\n}')), one(plain("f", { a: 1 })))).score).toBe(true);
    const text = 'a\nb\0c\u2028"\\';
    expect(
      (await match({}, one(plain(text, { [text]: text })), one(openAI(text, { [text]: text })))).score,
    ).toBe(true);
    expect((await match({}, one(openAI("f", '{"a":"\n"}')), one(plain("f", { a: "\n" })))).score).toBe(false);
  });

  test("a function in arguments is refused, with its path", async () => {
    const evaluator = createTrajectoryMatchEvaluator();
    await expect(
      evaluator({ outputs: one(plain("f", { cb: () => 1 })), referenceOutputs: one(plain("f")) }),
    ).rejects.toMatchObject({
      message: expect.stringContaining("outputs[0].tool_calls[0].args.cb is a function"),
    });
  });
});

describe("overrides", () => {
  const outputs = [
    assistant(openAI("f", { city: "oslo", at: { day: 1, hour: 2 }, list: [1, 2] }), openAI("g", { x: 1 })),
  ];
  const reference = [
    assistant(openAI("f", { city: "Oslo", at: { day: 1, hour: 3 }, list: [1, 9] }), openAI("g", { x: 1 })),
  ];
  const score = async (f: unknown) =>
    (await match({ toolArgsMatchOverrides: { f } as never }, outputs, reference)).score;

  test("can be a mode, or paths that have to exist with equal values", async () => {
    expect(await score("exact")).toBe(false);
    expect(await score("ignore")).toBe(true);
    expect(await score(["at.day"])).toBe(true);
    expect(await score(["at.day", "list.0"])).toBe(true);
    expect(await score(["at.day", "at.hour"])).toBe(false);
    expect(await score(["at.minute"])).toBe(false);
    expect(await score(["list.00"])).toBe(false);
    expect(await score([])).toBe(true);
    expect((await match({ toolArgsMatchOverrides: { g: "ignore" } }, outputs, reference)).score).toBe(false);
  });

  test("can be functions, sync or async, which get the output's arguments first", async () => {
    const ignoringCase = (a: Args, b: Args) =>
      (a.city as string).toUpperCase() === (b.city as string).toUpperCase();
    expect(await score(ignoringCase)).toBe(true);
    expect(await score(async (a: Args, b: Args) => ignoringCase(a, b))).toBe(true);
    for (const trajectoryMatchMode of MODES) {
      const seen: unknown[] = [];
      const f = (a: Args, b: Args) => seen.push(a.city, b.city) > 0;
      await createTrajectoryMatchEvaluator({ trajectoryMatchMode, toolArgsMatchOverrides: { f } })({
        outputs,
        referenceOutputs: reference,
      });
      expect(seen).toEqual(["oslo", "Oslo"]);
    }
  });

  test("call functions no more often than necessary, and once for each pair", async () => {
    const calls = (...ids: number[]) => [assistant(...ids.map((id) => plain("f", { id })))];
    const asked: string[] = [];
    const f = (a: Args, b: Args) => {
      asked.push(`${a.id}${b.id}`);
      // 1 fits both, 2 fits 3 only.
      return a.id === 1 || (a.id === 2 && b.id === 3);
    };
    const evaluator = createTrajectoryMatchEvaluator({
      trajectoryMatchMode: "unordered",
      toolArgsMatchOverrides: { f },
    });
    expect((await evaluator({ outputs: calls(1, 2), referenceOutputs: calls(3, 4) })).score).toBe(true);
    expect(new Set(asked).size).toBe(asked.length);
    asked.length = 0;
    expect((await evaluator({ outputs: calls(1), referenceOutputs: calls(3, 4) })).score).toBe(false);
    expect(asked).toEqual([]);
  });

  test.each([
    [{ match: false }],
    ["false"],
    [undefined],
    [Number.NaN],
    [1],
    [null],
  ])("fail if a function returns %j instead of a boolean", async (answer) => {
    for (const f of [() => answer, async () => answer]) {
      const evaluator = createTrajectoryMatchEvaluator({ toolArgsMatchOverrides: { f: f as never } });
      await expect(evaluator({ outputs, referenceOutputs: reference })).rejects.toMatchObject({
        code: "callback_failed",
        message: expect.stringMatching(
          /^toolArgsMatchOverrides\["f"\] returned .+; it has to return true or false\.$/,
        ),
      });
    }
  });

  test("keep a function's exception as the cause", async () => {
    const cause = new TypeError("no city");
    for (const f of [
      () => {
        throw cause;
      },
      () => Promise.reject(cause),
    ]) {
      const evaluator = createTrajectoryMatchEvaluator({ toolArgsMatchOverrides: { f } });
      await expect(evaluator({ outputs, referenceOutputs: reference })).rejects.toMatchObject({
        code: "callback_failed",
        cause,
      });
    }
  });

  test("tools named like members of Object.prototype are ordinary", async () => {
    const call = [assistant(plain("constructor", { a: 1 }), plain("__proto__", { a: 1 }))];
    expect((await match({ toolArgsMatchOverrides: { f: "ignore" } }, call, call)).score).toBe(true);
  });
});

describe("comments", () => {
  test("name the message, the call and the argument", async () => {
    const outputs = [user, assistant(openAI("get_weather", { city: "SF" }))];
    const reference = [user, assistant(openAI("get_weather", { city: "San Francisco" }))];
    expect((await match({}, outputs, reference)).comment).toBe(
      'referenceOutputs[1].tool_calls[0]: get_weather({"city":"San Francisco"}) is not matched by outputs; the closest is ' +
        'outputs[1].tool_calls[0], where "city" is "SF" instead of "San Francisco"',
    );
    expect((await match({ trajectoryMatchMode: "superset" }, [user], reference)).comment).toBe(
      'referenceOutputs[1].tool_calls[0]: get_weather({"city":"San Francisco"}) is missing from outputs: outputs does not call the tool',
    );
    expect((await match({}, [user], reference)).comment).toBe(
      'outputs[1]: missing; the reference goes on with "assistant" calling get_weather',
    );
  });

  test("name the step at which a call is made instead", async () => {
    const steps = (...names: string[]) => [user, ...names.map((name) => assistant(openAI(name, { id: 17 })))];
    const swapped = [steps("send", "update"), steps("update", "send")] as const;
    const comment =
      'referenceOutputs[1].tool_calls[0]: update({"id":17}) is called at outputs[2].tool_calls[0] instead';
    expect((await match({}, ...swapped)).comment).toBe(comment);
    const [outputs, referenceOutputs] = swapped;
    const [row] = await createTrajectoryMatchEvaluator().batch([{ outputs, referenceOutputs }]);
    expect(row?.comment).toBe(comment);
  });
});

describe("the functions of AgentEvals", () => {
  const [f, other] = [[assistant(openAI("f", { a: 1 }))], [assistant(openAI("f", { a: 2 }))]];

  test("have their own keys and ignore arguments, unless strict is asked to compare them", async () => {
    const params = { outputs: f, referenceOutputs: other };
    expect(await trajectoryStrictMatch({ ...params, toolCallArgsExactMatch: false })).toEqual({
      key: "trajectory_strict_match",
      score: true,
    });
    expect(await trajectoryStrictMatch({ ...params, toolCallArgsExactMatch: true })).toMatchObject({
      key: "trajectory_strict_match",
      score: false,
    });
    const rows = [params, { ...params, toolCallArgsExactMatch: true }];
    const results = await Promise.all(rows.map((row) => trajectoryStrictMatch(row)));
    expect(await trajectoryStrictMatch.batch(rows)).toEqual(results);
    expect(await trajectoryStrictMatch.batch(rows.slice(1))).toEqual(results.slice(1));
    expect(await trajectorySubset.batch([params])).toEqual([{ key: "trajectory_subset", score: true }]);
    expect(await trajectoryUnorderedMatch(params)).toEqual({
      key: "trajectory_unordered_match",
      score: true,
    });
    expect(await trajectorySubset(params)).toEqual({ key: "trajectory_subset", score: true });
    expect(await trajectorySuperset(params)).toEqual({ key: "trajectory_superset", score: true });
    expect(await trajectorySuperset({ outputs: [user], referenceOutputs: f })).toMatchObject({
      key: "trajectory_superset",
      score: false,
    });
  });

  test("graph trajectories are compared by their steps", async () => {
    const graph = (...steps: string[][]) => ({ results: [], steps });
    const key = "graph_trajectory_strict_match";
    const outputs = graph(["__start__", "agent", "tools"], ["agent"]);
    const rows = [
      { outputs, referenceOutputs: { ...outputs, results: [{ a: 1 }] } },
      { outputs, referenceOutputs: graph(["__start__", "agent", "tools"], ["tools"]) },
      { outputs, referenceOutputs: graph(["__start__", "agent", "tools"]) },
    ];
    const results = [
      { key, score: true },
      { key, score: false, comment: 'steps[1][0]: "agent" instead of "tools"' },
      { key, score: false, comment: "steps[1]: outputs has 2 turns, the reference 1" },
    ];
    expect(await Promise.all(rows.map((row) => graphTrajectoryStrictMatch(row)))).toEqual(results);
    expect(await graphTrajectoryStrictMatch.batch(rows)).toEqual(results);
    await expect(
      graphTrajectoryStrictMatch({ outputs: {} as never, referenceOutputs: outputs }),
    ).rejects.toMatchObject({
      message: "outputs has no steps; it has to be { results, steps }.",
    });
    await expect(
      graphTrajectoryStrictMatch({
        outputs: { results: [], steps: ["a"] as never },
        referenceOutputs: outputs,
      }),
    ).rejects.toMatchObject({
      message: "outputs.steps[0] is a string; steps are a list of lists of node names",
    });
  });
});

describe("refused", () => {
  test.each<[string, unknown, string]>([
    [
      "a string",
      "hi",
      'outputs has to be a message, a list of messages, or an object with such a list in "messages".',
    ],
    ["an object without messages", { message: [] }, "outputs has to be a message, a list of messages"],
    ["a message that is null", [null], "outputs[0] is null; a message has a role."],
    [
      "tool calls that are no list",
      [{ role: "assistant", tool_calls: {} }],
      "outputs[0].tool_calls is {}; it has to be a list of calls.",
    ],
    [
      "a tool call that is a string",
      [{ role: "assistant", tool_calls: ["f"] }],
      'outputs[0].tool_calls[0] is "f"; a call is',
    ],
  ])("%s", async (_, outputs, message) => {
    const evaluator = createTrajectoryMatchEvaluator();
    await expect(evaluator({ outputs: outputs as never, referenceOutputs: [] })).rejects.toMatchObject({
      code: "invalid_input",
      message: expect.stringContaining(message),
    });
  });

  test.each<[string, object, string]>([
    ["a mode", { trajectoryMatchMode: "loose" }, 'trajectoryMatchMode is "loose"'],
    ["an arguments mode", { toolArgsMatchMode: "some" }, 'toolArgsMatchMode is "some"'],
    ["an override", { toolArgsMatchOverrides: { f: "some" } }, 'toolArgsMatchOverrides["f"] is "some"'],
    [
      "a list of paths",
      { toolArgsMatchOverrides: { f: [1] } },
      'toolArgsMatchOverrides["f"] is [1]; it has to be a list of strings.',
    ],
    [
      "an override of another type",
      { toolArgsMatchOverrides: { f: 1 } },
      'toolArgsMatchOverrides["f"] has to be a mode',
    ],
    ["an option", { mode: "strict" }, 'createTrajectoryMatchEvaluator has no option "mode"'],
  ])("%s that is invalid, when the evaluator is created", (_, options, message) => {
    expect(() => createTrajectoryMatchEvaluator(options as never)).toThrow(message);
  });
});

test("LangSmith wraps the list that a target returns in { outputs }", async () => {
  const list = [
    { role: "user", content: "Hi" },
    { role: "assistant", content: "Hello" },
  ];
  const params = { outputs: { outputs: list }, referenceOutputs: { messages: list } } as never;
  expect((await createTrajectoryMatchEvaluator()(params)).score).toBe(true);
  const other = { outputs: { outputs: list.slice(1) }, referenceOutputs: { outputs: list } } as never;
  expect((await createTrajectoryMatchEvaluator()(other)).score).toBe(false);
  const more = { outputs: { outputs: list, extra: 1 }, referenceOutputs: list } as never;
  await expect(createTrajectoryMatchEvaluator()(more)).rejects.toThrow("outputs has to be a message");
});
