/** Conversations between a scripted application and a scripted user. */
import { AIMessage, HumanMessage, ToolMessage } from "@langchain/core/messages";
import {
  type ChatCompletionMessage,
  exactMatch,
  type MultiturnSimulationParams,
  OpenEvalsError,
  runMultiturnSimulation,
} from "openevals-wasm";
import { describe, expect, it } from "vitest";
import { errorOf } from "./error-of.ts";

type App = MultiturnSimulationParams["app"];

const UUID = /^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/;
const anId = expect.stringMatching(UUID);
const says = (content: string, id?: string) => ({ role: "assistant" as const, content, ...(id && { id }) });
const echo: App = ({ inputs }) => says(`You said: ${inputs.content}`);

/** The messages, without ids. */
const said = (trajectory: ChatCompletionMessage[] = []) =>
  trajectory.map(({ role, content }) => `${role}: ${content}`);

const refused = (options: object) => errorOf(runMultiturnSimulation(options as MultiturnSimulationParams));

describe("a conversation", () => {
  it("continues for maxTurns, and adds missing message ids", async () => {
    const result = await runMultiturnSimulation({
      app: echo,
      user: ["Hello!", { role: "user", content: "Bye!", id: "u2", name: "ada" }, "never said"],
      maxTurns: 2,
    });
    expect(result).toEqual({
      trajectory: [
        { role: "user", content: "Hello!", id: anId },
        { role: "assistant", content: "You said: Hello!", id: anId },
        { role: "user", content: "Bye!", id: "u2", name: "ada" },
        { role: "assistant", content: "You said: Bye!", id: anId },
      ],
      evaluatorResults: [],
      evaluatorErrors: [],
    });
    expect(new Set(result.trajectory.map(({ id }) => id)).size).toBe(4);
  });

  it("passes the turn to the user and the condition, and the thread to all", async () => {
    const calls: unknown[] = [];
    const { trajectory } = await runMultiturnSimulation({
      app: ({ inputs, ...rest }) => {
        calls.push(["app", inputs.content, rest]);
        return says("Yes?");
      },
      user: async ({ trajectory, ...rest }) => {
        calls.push(["user", said(trajectory), rest]);
        return { role: "user", content: `No. ${rest.turnCounter}` };
      },
      stoppingCondition: async ({ trajectory, ...rest }) => {
        calls.push(["condition", said(trajectory), rest]);
        return rest.turnCounter === 2;
      },
      threadId: "t1",
    });
    const first = ["user: No. 0", "assistant: Yes?"];
    const second = [...first, "user: No. 1", "assistant: Yes?"];
    expect(calls).toEqual([
      ["user", [], { turnCounter: 0, threadId: "t1" }],
      ["app", "No. 0", { threadId: "t1" }],
      ["condition", first, { turnCounter: 1, threadId: "t1" }],
      ["user", first, { turnCounter: 1, threadId: "t1" }],
      ["app", "No. 1", { threadId: "t1" }],
      ["condition", second, { turnCounter: 2, threadId: "t1" }],
    ]);
    expect(said(trajectory)).toEqual(second);
  });

  it("has its own thread id by default", async () => {
    const threads: string[] = [];
    const app: App = ({ inputs, threadId }) => {
      threads.push(threadId);
      return echo({ inputs, threadId });
    };
    for (let run = 0; run < 2; run++) await runMultiturnSimulation({ app, user: ["a", "b"], maxTurns: 2 });
    expect(threads).toEqual([anId, threads[0], anId, threads[2]]);
    expect(threads[0]).not.toBe(threads[2]);
  });

  it("ends at the first of several conditions", async () => {
    const turns = async (options: Partial<MultiturnSimulationParams>) => {
      const { trajectory } = await runMultiturnSimulation({ app: echo, user: ["a", "b", "c"], ...options });
      return trajectory.length / 2;
    };
    expect(await turns({ maxTurns: 3, stoppingCondition: () => false })).toBe(3);
    expect(await turns({ maxTurns: 3, stoppingCondition: ({ turnCounter }) => turnCounter === 2 })).toBe(2);
    expect(await turns({ maxTurns: 1, stoppingCondition: ({ turnCounter }) => turnCounter === 2 })).toBe(1);
  });

  it("has a condition that returns true, false or nothing", async () => {
    const run = (answer: unknown) =>
      runMultiturnSimulation({
        app: echo,
        user: ["a", "b"],
        maxTurns: 2,
        stoppingCondition: () => answer as any,
      });
    for (const answer of [undefined, null]) expect((await run(answer)).trajectory).toHaveLength(4);
    expect(await errorOf(run("no"))).toMatchObject({
      code: "invalid_input",
      message: 'Turn 1, stoppingCondition: it returned "no"; it has to return true or false.',
    });
  });

  it("keeps the first of messages with the same id", async () => {
    let turn = 0;
    const { trajectory } = await runMultiturnSimulation({
      app: () => says(`answer ${++turn}`, "1234"),
      user: () => ({ role: "user", content: `question ${turn}`, id: "toString" }),
      maxTurns: 3,
    });
    expect(trajectory).toEqual([
      { role: "user", content: "question 0", id: "toString" },
      { role: "assistant", content: "answer 1", id: "1234" },
    ]);
  });

  it("gives ids to messages whose id is null or empty", async () => {
    const app = () => ({ ...says("Hi."), id: null });
    const user = [{ role: "user" as const, content: "Hi!", id: "" }];
    const { trajectory } = await runMultiturnSimulation({ app, user, maxTurns: 1 });
    expect(trajectory.map(({ id }) => id)).toEqual([anId, anId]);
  });

  it("does not change its inputs, and its results are frozen", async () => {
    const user = Object.freeze([Object.freeze({ role: "user", content: "Hi!" }), new HumanMessage("Bye!")]);
    const answer = Object.freeze(says("Hm."));
    const { trajectory } = await runMultiturnSimulation({
      app: ({ inputs }) => {
        delete inputs.id;
        return answer;
      },
      user,
      stoppingCondition: ({ trajectory, turnCounter }) => {
        trajectory.length = 0;
        return turnCounter === 2;
      },
      trajectoryEvaluators: [({ outputs }) => ({ key: "popped", score: outputs.pop().content === "Hm." })],
    });
    expect(said(trajectory)).toEqual(["user: Hi!", "assistant: Hm.", "user: Bye!", "assistant: Hm."]);
    expect(trajectory.map(({ id }) => id)).toEqual([anId, anId, anId, anId]);
    expect(user[1]).toBeInstanceOf(HumanMessage);
    expect((user[1] as HumanMessage).id).toBeUndefined();
  });
});

describe("an application", () => {
  const call = { id: "c1", name: "refund", args: { all: true } };
  const answer = [
    new AIMessage({ content: "Let me see.", id: "a1", tool_calls: [call] }),
    new ToolMessage({ content: "forbidden", tool_call_id: "c1", id: "a2" }),
    new AIMessage({ content: "No.", id: "a3" }),
  ];
  const expected = [
    {
      role: "assistant",
      content: "Let me see.",
      tool_calls: [{ id: "c1", type: "function", function: { name: "refund", arguments: '{"all":true}' } }],
      id: "a1",
    },
    { role: "tool", content: "forbidden", tool_call_id: "c1", id: "a2" },
    { role: "assistant", content: "No.", id: "a3" },
  ];

  it("may return a message of LangChain", async () => {
    const { trajectory } = await runMultiturnSimulation({
      app: () => answer[0] as AIMessage,
      user: [new HumanMessage({ content: "Refund!", id: "u1" })],
      maxTurns: 1,
    });
    expect(trajectory).toEqual([{ role: "user", content: "Refund!", id: "u1" }, expected[0]]);
  });

  it("may return all messages of a turn", async () => {
    const { trajectory } = await runMultiturnSimulation({
      app: () => answer,
      user: ["Refund!"],
      maxTurns: 1,
    });
    expect(trajectory).toEqual([{ role: "user", content: "Refund!", id: anId }, ...expected]);
  });

  it("may return its history, as agents do", async () => {
    const history: unknown[] = [];
    const { trajectory } = await runMultiturnSimulation({
      app: ({ inputs }) => {
        history.push(new HumanMessage(inputs as never), says("Hm.", `a${history.length}`));
        return { messages: [...history] } as never;
      },
      user: ["one", "two"],
      maxTurns: 2,
    });
    expect(said(trajectory)).toEqual(["user: one", "assistant: Hm.", "user: two", "assistant: Hm."]);
  });
});

describe("a simulation that fails", () => {
  const cause = new TypeError("boom");
  const fails = (turn: number) => {
    let calls = 0;
    return (): never => {
      if (++calls < turn) return says("fine") as never;
      throw cause;
    };
  };

  it.each([
    ["app", { app: fails(2) }, 3],
    ["user", { user: fails(2) }, 2],
    ["stoppingCondition", { stoppingCondition: fails(1) }, 2],
  ])("where %s throws, says in which turn, and holds the messages so far", async (name, options, messages) => {
    const error = await refused({ app: echo, user: ["a", "b"], maxTurns: 2, ...options });
    const turn = name === "stoppingCondition" ? 1 : 2;
    expect(error).toMatchObject({ code: "callback_failed", message: `Turn ${turn}, ${name} failed: boom` });
    expect(error.cause).toBe(cause);
    expect(error.trajectory).toHaveLength(messages);
  });

  it("keeps the code and message of OpenEvalsErrors", async () => {
    const cause = new OpenEvalsError("rate_limited", "Slow down.", {
      status: 429,
      requestId: "r1",
      attempts: 3,
    });
    const app = () => Promise.reject(cause);
    const error = await refused({ app, user: ["a"], maxTurns: 1 });
    expect({ ...error, message: error.message, cause: error.cause }).toEqual({
      name: "OpenEvalsError",
      code: "rate_limited",
      message: "Turn 1, app: Slow down.",
      status: 429,
      requestId: "r1",
      attempts: 3,
      cause,
      trajectory: [{ role: "user", content: "a", id: anId }],
    });
  });

  it.each([
    [null, "what it returned has to be a message"],
    ["Hi", "what it returned has to be a message"],
    [undefined, "what it returned has to be a message"],
    [{ role: "assistant", text: "Hi" }, "what it returned has to be a message"],
    [{ role: 1, content: "Hi" }, 'what it returned[0] is {"role":1,"content":"Hi"}; a message is'],
    [[], "it returned no message"],
    [{ messages: [] }, "it returned no message"],
    [{ messages: [says("Hi"), "Hi"] }, 'what it returned[1] is "Hi"; a message is'],
  ])("where %j is no answer, says so", async (answer, problem) => {
    const error = await refused({ app: () => answer, user: ["a"], maxTurns: 1 });
    expect(error.code).toBe("invalid_input");
    expect(error.message).toContain(`Turn 1, app: ${problem}`);
    expect(said(error.trajectory)).toEqual(["user: a"]);
  });

  it("accepts one message per turn of the user", async () => {
    const error = await refused({ app: echo, user: () => [says("Hi")], maxTurns: 1 });
    expect(error.message).toContain('Turn 1, user: what it returned is [{"role":"assistant"');
    expect(error.trajectory).toEqual([]);
  });

  it("reports more turns than responses", async () => {
    const error = await refused({ app: echo, user: ["a", "b"], maxTurns: 3 });
    expect(error.code).toBe("invalid_config");
    expect(error.message).toContain("Turn 3, user: the list has 2 responses");
    expect(error.trajectory).toHaveLength(4);
  });
});

describe("a signal", () => {
  it("ends a simulation at once", async () => {
    const controller = new AbortController();
    const reason = new Error("enough");
    let calls = 0;
    const app: App = (params) => {
      if (++calls === 2) controller.abort(reason);
      return echo(params);
    };
    const error = await refused({ app, user: ["a", "b", "c"], maxTurns: 3, signal: controller.signal });
    expect(error).toMatchObject({ code: "aborted", cause: reason });
    expect(error.message).toContain("Turn 2");
    expect([calls, error.trajectory?.length]).toEqual([2, 3]);
  });

  it.each([
    "user",
    "app",
    "stoppingCondition",
  ])("ends it while a function never settles: %s", async (name) => {
    const controller = new AbortController();
    const never = (): Promise<never> => {
      controller.abort(new Error("enough"));
      return new Promise(() => {});
    };
    const options = { app: echo, user: () => says("a"), maxTurns: 1, [name]: never };
    const error = await refused({ ...options, signal: controller.signal });
    expect(error).toMatchObject({
      code: "aborted",
      message: `Turn 1, ${name}: the signal was aborted.`,
      cause: { message: "enough" },
    });
    expect(error.trajectory).toHaveLength(["user", "app", "stoppingCondition"].indexOf(name));
  });

  it("ends evaluators that never settle, and keeps the results of others", async () => {
    const controller = new AbortController();
    const result = { key: "k", score: 1 };
    const never = (): Promise<never> => {
      setImmediate(() => controller.abort());
      return new Promise(() => {});
    };
    const simulation = await runMultiturnSimulation({
      app: echo,
      user: ["a"],
      maxTurns: 1,
      trajectoryEvaluators: [never, () => result],
      signal: controller.signal,
    });
    expect(simulation.trajectory).toHaveLength(2);
    expect(simulation.evaluatorResults).toEqual([result]);
    expect(simulation.evaluatorErrors).toMatchObject([
      {
        evaluator: 0,
        error: { code: "aborted", message: "trajectoryEvaluators[0]: the signal was aborted." },
      },
    ]);
  });

  it("that has already fired prevents the start", async () => {
    let calls = 0;
    const user = () => {
      calls++;
      return says("a");
    };
    const error = await refused({ app: echo, user, maxTurns: 1, signal: AbortSignal.abort() });
    expect([error.code, error.trajectory, calls]).toEqual(["aborted", [], 0]);
  });

  it("that an application obeys does not count as its failure", async () => {
    const controller = new AbortController();
    const app = () => {
      controller.abort();
      return Promise.reject(new TypeError("The operation was cancelled"));
    };
    const error = await refused({ app, user: ["a"], maxTurns: 1, signal: controller.signal });
    expect([error.code, said(error.trajectory)]).toEqual(["aborted", ["user: a"]]);
    expect(error.cause).toBe(controller.signal.reason);
  });
});

describe("options", () => {
  const options = { app: echo, user: ["a"], maxTurns: 1 };

  it.each([
    [{}, "app is null"],
    [{ ...options, max_turns: 1 }, 'no option "max_turns"'],
    [{ ...options, maxTurns: undefined }, "maxTurns or a stoppingCondition"],
    [{ ...options, maxTurns: 0 }, "maxTurns is 0"],
    [{ ...options, maxTurns: 1.5 }, "maxTurns is 1.5"],
    [{ ...options, maxTurns: "2" }, 'maxTurns is "2"'],
    [{ ...options, app: undefined }, "app is null"],
    [{ ...options, app: {} }, "app is {}"],
    [{ ...options, user: undefined }, "user is null"],
    [{ ...options, user: "Hi" }, 'user is "Hi"'],
    [{ ...options, stoppingCondition: true }, "stoppingCondition is true"],
    [{ ...options, trajectoryEvaluators: exactMatch }, "trajectoryEvaluators is a function"],
    [{ ...options, trajectoryEvaluators: [{}] }, "trajectoryEvaluators is [{}]"],
    [{ ...options, signal: {} }, "signal is {}"],
  ])("%j is refused", async (wrong, problem) => {
    const error = await refused(wrong as object);
    expect(error.code).toBe("invalid_config");
    expect(error.message).toContain(problem);
  });

  it("an invalid response is an error that names its place", async () => {
    const error = await refused({ ...options, user: ["a", { text: "b" }] });
    expect(error.code).toBe("invalid_input");
    expect(error.message).toContain('user[1] is {"text":"b"}');
  });
});

it("ids are random UUIDs, also where browsers hide crypto.randomUUID", async () => {
  const own = Object.getOwnPropertyDescriptor(Crypto.prototype, "randomUUID") as PropertyDescriptor;
  Object.defineProperty(Crypto.prototype, "randomUUID", { ...own, value: undefined });
  try {
    const { trajectory } = await runMultiturnSimulation({ app: echo, user: ["a", "b"], maxTurns: 2 });
    expect(trajectory.map(({ id }) => id)).toEqual([anId, anId, anId, anId]);
    expect(new Set(trajectory.map(({ id }) => id)).size).toBe(4);
  } finally {
    Object.defineProperty(Crypto.prototype, "randomUUID", own);
  }
});
