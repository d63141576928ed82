/** States after a run, replayed calls, and the reward of tau2-bench, by hand. */

import {
  createStateMatch,
  createTauReward,
  replay,
  type StateMatchMetadata,
  type StateMatchOptions,
  type TauBasis,
  type TauParams,
} from "openevals-wasm/agents";
import { evaluate, passHatK } from "openevals-wasm/evaluation";
import { describe, expect, test } from "vitest";
import { errorOf } from "../api/error-of.ts";
import { assistant, call, says, user } from "./messages.ts";

async function compared(outputs: unknown, referenceOutputs: unknown, options?: StateMatchOptions) {
  const stateMatch = createStateMatch(options);
  const one = await stateMatch({ outputs, referenceOutputs });
  expect(await stateMatch.batch([{ outputs, referenceOutputs }])).toEqual([one]);
  expect(one.score).toBe(one.comment === undefined);
  return one;
}

const STATE = {
  orders: [
    { id: 1, total: 9.5, at: 5 },
    { id: 2, total: 3 },
  ],
  log: ["a"],
};

const CASES: [name: string, outputs: unknown, reference: unknown, StateMatchOptions, comment?: string][] = [
  ["equal states", STATE, structuredClone(STATE), {}],
  ["another order of keys", { a: 1, b: 2 }, { b: 2, a: 1 }, {}],
  [
    "a changed value",
    { a: { b: [1, "x"] } },
    { a: { b: [1, "y"] } },
    {},
    'a.b[1] is "x", but should be "y".',
  ],
  ["a missing value", { a: {} }, { a: { b: null } }, {}, "a.b is missing, but should be null."],
  ["another value", { a: [1, 2] }, { a: [1] }, {}, "a[1] is 2, and should not be there."],
  ["another type", { a: "1" }, { a: 1 }, {}, 'a is "1", but should be 1.'],
  ["states that are no objects", 1, 2, {}, "the state is 1, but should be 2."],
  ["an ignored key", { a: 1, at: 2 }, { a: 1 }, { ignore: ["at"] }],
  [
    "such a key elsewhere",
    { b: { at: 2 } },
    { b: {} },
    { ignore: ["at"] },
    "b.at is 2, and should not be there.",
  ],
  ["a key that is ignored everywhere", { at: 1, b: [{ at: 2 }] }, { b: [{}] }, { ignore: ["**.at"] }],
  ["elements of a list", [{ id: 1, n: 1 }], [{ id: 2, n: 1 }], { ignore: ["[*].id"] }],
  ["one element of a list", [1, 2], [3, 4], { ignore: ["[0]"] }, "[1] is 2, but should be 4."],
  [
    "a list in another order",
    { a: [1, 2] },
    { a: [2, 1] },
    {},
    "a[0] is 1, but should be 2. a[1] is 2, but should be 1.",
  ],
  [
    "such a list where order does not count",
    { a: [{ n: 1 }, { n: 2 }] },
    { a: [{ n: 2 }, { n: 1 }] },
    { unordered: ["a"] },
  ],
  [
    "another element there",
    { a: [3, 1] },
    { a: [1, 2] },
    { unordered: ["a"] },
    "a[0] is 3, but should be 2.",
  ],
  [
    "a list more often",
    { a: [1, 1] },
    { a: [1] },
    { unordered: ["a"] },
    "a[1] is 1, and should not be there.",
  ],
  ["lists within lists", [[1, 2], [3]], [[3], [2, 1]], { unordered: ["[*]", "**"] }],
  ["numbers within the tolerance", { a: 1.004 }, { a: 1 }, { tolerance: 0.01 }],
  ["numbers beyond it", { a: 1.02 }, { a: 1 }, { tolerance: 0.01 }, "a is 1.02, but should be 1."],
  [
    "long numbers",
    "9007199254740993",
    "9007199254740992",
    {},
    'the state is "9007199254740993", but should be "9007199254740992".',
  ],
];

describe("createStateMatch", () => {
  test.each(CASES)("%s", async (_name, outputs, reference, options, comment) => {
    expect((await compared(outputs, reference, options)).comment).toBe(comment);
  });

  test.each(["", "a[", "a]", "a[0"])("refuses the path %j", (path) => {
    const message = expect.stringContaining("a list of paths");
    expect(() => createStateMatch({ ignore: [path] })).toThrow(
      expect.objectContaining({ code: "invalid_config", message }),
    );
  });

  test("asks evaluators about values", async () => {
    const asked: unknown[] = [];
    const evaluators = {
      "mails[*].body": (params: { outputs: string }) => {
        asked.push(params);
        const score = params.outputs.includes("refund");
        return { key: "polite", score, ...(!score && { comment: "It does not mention the refund." }) };
      },
    };
    const mail = (body: string) => ({ to: "ada", body });
    const reference = { mails: [mail("You get a refund."), mail("Here is your refund.")] };
    const { score, comment, metadata } = await createStateMatch({ evaluators })({
      outputs: { mails: [mail("Your refund is on its way."), mail("Hello!")] },
      referenceOutputs: reference,
    });
    expect(asked).toEqual([
      { outputs: "Your refund is on its way.", referenceOutputs: "You get a refund." },
      { outputs: "Hello!", referenceOutputs: "Here is your refund." },
    ]);
    expect([score, comment]).toEqual([false, "mails[1].body: It does not mention the refund."]);
    expect(metadata).toMatchObject({
      count: 1,
      parts: [{ path: "mails[0].body" }, { path: "mails[1].body" }],
    });
    const failing = createStateMatch({
      evaluators: {
        a: () => {
          throw new Error("no model");
        },
      },
    });
    expect(await errorOf(failing({ outputs: { a: 1 }, referenceOutputs: { a: 2 } }))).toMatchObject({
      code: "callback_failed",
      message: expect.stringContaining("a failed: no model"),
    });
  });

  test("lists a hundred differences, describes ten and counts all", async () => {
    const { comment, metadata } = await compared(new Array(150).fill(0), new Array(150).fill(1));
    const { differences, count } = metadata as StateMatchMetadata;
    expect([differences.length, count]).toEqual([100, 150]);
    expect(comment).toMatch(/^\[0\] is 0.*There are 140 more differences\.$/);
  });

  test("ends with hostile states", async () => {
    const nested = (levels: number): unknown =>
      levels ? (levels % 2 ? [nested(levels - 1)] : { a: nested(levels - 1) }) : 1;
    expect((await compared(nested(1_000), nested(1_000), { tolerance: 1 })).score).toBe(true);
    // Each level doubles the work if elements are compared twice.
    expect((await compared(nested(100), nested(100), { unordered: ["**"] })).score).toBe(true);
    const list = Array.from({ length: 2_100 }, (_, index) => index);
    const options = { unordered: ["a"] };
    const row = { outputs: { a: list }, referenceOutputs: { a: list } };
    expect(await errorOf(createStateMatch(options)(row))).toMatchObject({
      code: "invalid_input",
      message: expect.stringContaining("a has 2100 and 2100 elements, too many for an unordered list"),
    });
    expect(await errorOf(Promise.resolve().then(() => createStateMatch({ ignore: [""] })))).toMatchObject({
      code: "invalid_config",
    });
  });
});

describe("replay", () => {
  const initialState = { balance: 10, log: [] as string[] };
  const run = replay({
    tools: {
      deposit: ({ amount }, state) => {
        state.balance += amount;
        return state.balance;
      },
      note: async ({ text }, state) => {
        state.log.push(text);
      },
      fail: (_args, state) => {
        state.log.push("failing");
        throw new Error("out of money");
      },
    },
    initialState,
  });

  test("runs calls in order, from a copy of the state", async () => {
    const calls = [
      call("deposit", { amount: 5 }),
      call("note", '{"text": "hi"}'),
      call("deposit", { amount: 1 }),
    ];
    for (const outputs of [calls, [user(), assistant(...calls)]]) {
      const { state, calls: made } = await run(outputs as never);
      expect(state).toEqual({ balance: 16, log: ["hi"] });
      expect(made.map(({ result }) => result)).toEqual([15, undefined, 16]);
    }
    expect(initialState).toEqual({ balance: 10, log: [] });
  });

  test("keeps results as they were, also if they belong to the state", async () => {
    const count = replay({
      tools: { add: ({ by }, state: { sum: number }) => Object.assign(state, { sum: state.sum + by }) },
      initialState: { sum: 0 },
    });
    const { state, calls } = await count([call("add", { by: 1 }), call("add", { by: 2 })]);
    expect(state).toEqual({ sum: 3 });
    expect(calls.map(({ result }) => result)).toEqual([{ sum: 1 }, { sum: 3 }]);
  });

  test("goes on after a call that fails", async () => {
    const { state, calls } = await run([
      call("fail"),
      call("steal"),
      call("deposit", "{amount"),
      call("deposit", { amount: 2 }),
    ]);
    expect(state).toEqual({ balance: 12, log: ["failing"] });
    expect(calls.map(({ error }) => error)).toEqual([
      "out of money",
      "there is no such tool",
      "the arguments are not valid JSON",
      undefined,
    ]);
  });

  test("says whose call it is", async () => {
    const { state } = await replay({
      tools: { note: (_args, callers: string[], caller) => void callers.push(caller) },
      initialState: [] as string[],
    })([user(), assistant(call("note")), { role: "user", content: "", tool_calls: [call("note")] }] as never);
    expect(state).toEqual(["assistant", "user"]);
    const { state: listed } = await run([call("note", { text: "hi" })]);
    expect(listed.log).toEqual(["hi"]);
  });

  test("refuses a state that cannot be copied", async () => {
    const make = () => replay({ tools: {}, initialState: { run: () => {} } });
    expect(await errorOf(Promise.resolve().then(make))).toMatchObject({ code: "invalid_config" });
  });
});

describe("createTauReward", () => {
  const messages = [
    user(),
    assistant(call("refund", { order: 7, note: "x" })),
    says("It is $1,200 in OSLO."),
  ];
  const run = (more: object = {}): TauParams["outputs"] => ({ messages, state: { n: 1 }, ...more });

  const cases: [
    name: string,
    TauParams["outputs"],
    TauParams["referenceOutputs"],
    score: 0 | 1 | null,
    comment?: string,
    basis?: TauBasis[],
  ][] = [
    ["all parts", run(), { state: { n: 1 }, communicate: ["1200", "oslo"] }, 1],
    ["another state", run(), { state: { n: 2 }, communicate: ["1200"] }, 0, "db: n is 1, but should be 2."],
    [
      "a text with a comma",
      run(),
      { communicate: ["1,200"] },
      0,
      'communicate: the agent does not say "1,200".',
    ],
    ["parts beyond the basis", run(), { state: { n: 1 }, actions: [{ name: "x", arguments: {} }] }, 1],
    [
      "a missing action",
      run(),
      {
        actions: [
          { name: "refund", arguments: { order: 7 } },
          { name: "x", arguments: {} },
        ],
      },
      0,
      "action: no call takes refund, x.",
      ["action"],
    ],
    [
      "compared arguments",
      run(),
      { actions: [{ name: "refund", arguments: { order: 7 }, compareArgs: ["order"] }] },
      1,
      undefined,
      ["action", "db"],
    ],
    [
      "an argument that the call lacks",
      run(),
      { actions: [{ name: "refund", arguments: { order: 7, note: "x", fast: true } }] },
      1,
      undefined,
      ["action"],
    ],
    [
      "a run that was cut off",
      run({ terminationReason: "max_steps" }),
      { state: { n: 1 } },
      0,
      "The run ended with max_steps.",
    ],
    [
      "a run that was cut off before it had a state",
      { messages, terminationReason: "timeout" },
      { state: { n: 1 } },
      0,
      "The run ended with timeout.",
    ],
    [
      "an action as in the tasks of tau2-bench",
      run({ terminationReason: null }),
      { actions: [{ name: "refund", arguments: { order: 7 }, compare_args: ["order"] }], communicate: null },
      1,
      undefined,
      ["action", "communicate"],
    ],
    ["a run that ended", run({ terminationReason: "user_stop" }), { state: { n: 1 } }, 1],
    [
      "a run of tau2-bench that was cut off",
      run({ termination_reason: "max_steps", task_id: "7", reward_info: null }),
      { state: { n: 1 } },
      0,
      "The run ended with max_steps.",
    ],
    [
      "the criteria of tau2-bench",
      run({ termination_reason: "agent_stop" }),
      {
        state: { n: 2 },
        actions: [
          {
            action_id: "1",
            requestor: "assistant",
            name: "x",
            arguments: {},
            info: null,
            compare_args: null,
          },
        ],
        communicate_info: ["1300"],
        reward_basis: ["COMMUNICATE", "ACTION"],
        nl_assertions: ["The agent is polite."],
        env_assertions: null,
      },
      0,
      'action: no call takes x. communicate: the agent does not say "1300".',
    ],
    [
      "a basis instead of that of the task",
      run(),
      { state: { n: 1 }, reward_basis: ["DB", "NL_ASSERTION"], nl_assertions: ["The agent is polite."] },
      1,
      undefined,
      ["db"],
    ],
    [
      "an action whose arguments do not count",
      run(),
      { actions: [{ name: "refund", arguments: { order: 8 }, compare_args: [] }] },
      1,
      undefined,
      ["action"],
    ],
    ["no demand", run(), {}, null, "Not applicable: the task demands nothing of db, communicate."],
  ];

  test.each(cases)("%s", async (_name, outputs, referenceOutputs, score, comment, basis) => {
    const reward = createTauReward(basis && { basis });
    const one = await reward({ outputs, referenceOutputs });
    expect([one.score, one.comment]).toEqual([score, comment]);
    expect(await reward.batch([{ outputs, referenceOutputs }])).toEqual([one]);
  });

  test("its repetitions are counted by passHatK", async () => {
    // Of four runs of each task, three and two are rewarded: C(3, 2) / C(4, 2) is 1/2, and C(2, 2) / C(4, 2) is 1/6.
    const failing: Record<string, number> = { easy: 1, hard: 2 };
    const experiment = await evaluate(
      (task: string) => run({ state: { n: (failing[task] as number)-- > 0 ? 2 : 1 } }),
      {
        data: Object.keys(failing).map((inputs) => ({ inputs, referenceOutputs: { state: { n: 1 } } })),
        evaluators: [createTauReward()],
        numRepetitions: 4,
        summaryEvaluators: [1, 2, 3].map((k) => passHatK({ key: "tau_reward", k })),
      },
    );
    const scores = experiment.summaryResults.map(({ key, score }) => [key, score]);
    expect(scores).toEqual([
      [expect.stringContaining("1"), (3 / 4 + 2 / 4) / 2],
      [expect.stringContaining("2"), (1 / 2 + 1 / 6) / 2],
      [expect.stringContaining("3"), (1 / 4 + 0) / 2],
    ]);
  });

  test("refuses rows of another form", async () => {
    const reward = createTauReward();
    const row = { outputs: { messages }, referenceOutputs: { state: {} } };
    expect(await errorOf(reward(row))).toMatchObject({
      code: "invalid_input",
      message: "referenceOutputs has a state, and outputs has none; compute it with replay().",
    });
    for (const referenceOutputs of [{ communicate: "x" }, { actions: [{ name: "x" }] }, [], "x"])
      expect(await errorOf(reward({ outputs: run(), referenceOutputs } as never))).toMatchObject({
        code: "invalid_input",
      });
  });
});

test.each<[outputs: object, referenceOutputs: object, message: string]>([
  [{ State: {} }, {}, 'outputs has the field "State", which is not read; did you mean state?'],
  [
    { terminationReson: "max_steps" },
    {},
    'outputs has the field "terminationReson", which is not read; did you mean terminationReason?',
  ],
  [
    { terminationReason: { value: "max_steps" } },
    {},
    'outputs.terminationReason is {"value":"max_steps"}; it has to be a text such as "user_stop".',
  ],
  [
    { terminationReason: "user_stop", termination_reason: "max_steps" },
    {},
    "outputs has both terminationReason and termination_reason; pass one.",
  ],
  [
    {},
    { comunicate: ["x"] },
    'referenceOutputs has the field "comunicate", which is not read; did you mean communicate?',
  ],
  [
    {},
    { expected: {} },
    'referenceOutputs has the field "expected", which is not read; it may have state, actions, communicate, ' +
      "communicate_info, reward_basis, env_assertions, nl_assertions.",
  ],
  [
    {},
    { communicate: ["x"], communicate_info: ["y"] },
    "referenceOutputs has both communicate and communicate_info; pass one.",
  ],
  [
    {},
    { reward_basis: ["DB", "ENV_ASSERTION"] },
    'referenceOutputs.reward_basis is ["DB","ENV_ASSERTION"]; it has to be a list of DB, COMMUNICATE and ACTION. ' +
      "To compute only such a part of the reward, set basis.",
  ],
  [
    {},
    { communicate: ["x"], nl_assertions: ["The agent is polite."] },
    "referenceOutputs has nl_assertions, which are not checked; to compute the other parts, set basis.",
  ],
  [
    {},
    { actions: [{ name: "refund", arguments: { order: 7 }, compareArgs: ["ordr"] }] },
    'referenceOutputs.actions[0] compares "ordr", which is not in its arguments; did you mean "order"?',
  ],
  [
    {},
    { actions: [{ name: "refund", arguments: { order: 7 }, compareArgs: ["id"] }] },
    'referenceOutputs.actions[0] compares "id", which is not in its arguments; they are order.',
  ],
  [
    {},
    { actions: [{ name: "refund", arguments: { order: 7 }, compare_args: ["ordr"] }] },
    'referenceOutputs.actions[0] compares "ordr", which is not in its arguments; did you mean "order"?',
  ],
  [
    {},
    { actions: [{ name: "refund", arguments: {}, compareArg: [] }] },
    'referenceOutputs.actions[0] has the field "compareArg", which is not read; did you mean compareArgs?',
  ],
])("createTauReward refuses what it would not read: %j, %j", async (outputs, referenceOutputs, message) => {
  const row = { outputs: { messages: [user()], ...outputs }, referenceOutputs };
  expect(await errorOf(createTauReward()(row as never))).toMatchObject({ code: "invalid_input", message });
});

test("refuses nested unordered lists whose pairing would not end in time", async () => {
  const lists = (from: number) =>
    Array.from({ length: 2000 }, (_, list) =>
      Array.from({ length: 2000 }, (_, index) => from + list + index),
    );
  const match = createStateMatch({ unordered: ["**"] });
  await expect(match({ outputs: lists(0), referenceOutputs: lists(9000) })).rejects.toMatchObject({
    code: "invalid_input",
    message: expect.stringContaining("10000000 comparisons of values"),
  });
});
