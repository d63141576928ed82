/** Simulations as experiments: rows, states, seeds and failures. Functions play the users. */
import { join } from "node:path";
import { createToolPolicy } from "openevals-wasm/agents";
import { passHatK, readExperiment, sliceExperiment } from "openevals-wasm/evaluation";
import { mockTools, type RunSimulationsOptions, runSimulations } from "openevals-wasm/harness";
import { expect, test } from "vitest";
import { temporaryFolder } from "./folder.js";

const users = [
  { name: "curt", persona: "You write short messages." },
  { name: "rude", persona: "You are angry." },
];
const tasks = [
  { name: "refund", goal: "You want a refund of order 7.", referenceOutputs: { refunded: [7] } },
  { name: "ask", goal: "You ask where order 7 is.", referenceOutputs: { refunded: [] } },
];

/** Plays a user: angry ones say "now", and those who want a refund say so. */
const client = async ({ messages }: any) => {
  const system = String(messages[0].content);
  return `${system.includes("refund") ? "Refund order 7" : "Where is order 7"}${system.includes("angry") ? " now" : ""}`;
};

/** An application that fails with angry users half of the time, by its seed. */
const options = (given: Partial<RunSimulationsOptions<{ refunded: number[] }>> = {}) => ({
  state: () => ({ refunded: [] as number[] }),
  app: async ({ inputs, state, seed, user }: any) => {
    const { refund } = mockTools({ refund: ({ order }) => void state.refunded.push(order) });
    if (!inputs.content.startsWith("Refund") || (user.name === "rude" && seed % 2 === 0)) {
      return { role: "assistant", content: "Sorry." };
    }
    await refund({ order: 7 });
    return [
      { role: "assistant", content: "", tool_calls: [{ id: "1", name: "refund", args: { order: 7 } }] },
      { role: "tool", tool_call_id: "1", content: "ok" },
      { role: "assistant", content: "Done." },
    ];
  },
  users,
  tasks,
  client,
  n: 8,
  maxTurns: 1,
  evaluators: [
    createToolPolicy({ maxCalls: { refund: 1 } }),
    ({ outputs, referenceOutputs }: any) => ({
      key: "state",
      score: JSON.stringify(outputs.state) === JSON.stringify(referenceOutputs),
    }),
  ],
  ...given,
});

const outcomes = async (given?: object) => {
  const { rows } = await runSimulations(options(given));
  return rows.map(({ example, evaluationResults }) => [
    example.id,
    evaluationResults.find(({ key }) => key === "state")?.score,
  ]);
};

test("each user has n conversations about each task, each with its own state", async () => {
  const summaryEvaluators = [passHatK({ key: "state", k: 2 })];
  const experiment = await runSimulations(options({ summaryEvaluators }));
  expect(experiment.rows).toHaveLength(2 * 2 * 8);
  expect(experiment.rows[0]?.example).toMatchObject({
    id: "curt/refund",
    inputs: { user: users[0], task: { name: "refund", goal: "You want a refund of order 7." } },
    metadata: { user: "curt", task: "refund" },
  });
  const { messages, state } = experiment.rows[0]?.run.outputs as any;
  expect(messages.map(({ role }: any) => role)).toEqual(["user", "assistant", "tool", "assistant"]);
  expect([messages[0].content, state]).toEqual(["Refund order 7", { refunded: [7] }]);
  expect(experiment.aggregates.tool_policy?.mean).toBe(1);

  const ofRude = experiment.rows.filter(({ example }) => example.id === "rude/refund");
  const passed = ofRude.filter(({ evaluationResults }) =>
    evaluationResults.some(({ key, score }) => key === "state" && score),
  );
  const c = passed.length;
  expect(c).toBeGreaterThan(0);
  expect(c).toBeLessThan(8);
  // Three rows pass always; pass^2 of the other is C(c, 2) / C(8, 2).
  expect(experiment.summaryResults[0]?.score).toBeCloseTo((3 + (c * (c - 1)) / 56) / 4, 12);
  const slices = await sliceExperiment(experiment, { by: "user" });
  expect(new Set(slices.map(({ value }) => value))).toEqual(new Set(["curt", "rude"]));
});

test("the seed decides the seeds of conversations, whatever runs at the same time", async () => {
  const first = await outcomes({ seed: 1 });
  expect(await outcomes({ seed: 1, maxConcurrency: 1 })).toEqual(first);
  expect(await outcomes({ seed: 2 })).not.toEqual(first);
});

test("goes on until the condition holds, or for 10 turns", async () => {
  const lengths = async (given: object) => {
    const { rows } = await runSimulations(
      options({ n: 1, maxTurns: undefined, tasks: [tasks[1]!], ...given }),
    );
    return rows.map(({ run }) => (run.outputs as any).messages.length);
  };
  expect(await lengths({})).toEqual([20, 20]);
  expect(await lengths({ stoppingCondition: ({ turnCounter }: any) => turnCounter === 3 })).toEqual([6, 6]);
});

test("a conversation that fails is an error and not a score", async () => {
  const { search } = mockTools({ search: { when: { q: "?" }, returns: 1 } });
  const failing = ({ user }: any) => {
    if (user.name === "rude") throw new Error("Out of service");
    return search({ q: "!" })
      .then(String, () => "No result")
      .then((content) => ({ role: "assistant", content }));
  };
  const { rows, aggregates } = await runSimulations(options({ app: failing, n: 1 }));
  expect(rows.map(({ run }) => run.error?.code)).toEqual([
    "invalid_config",
    "invalid_config",
    "callback_failed",
    "callback_failed",
  ]);
  expect(aggregates.state?.count ?? 0).toBe(0);
});

test("a conversation that fails keeps its messages, also in a file", async () => {
  const path = join(await temporaryFolder(), "rows.jsonl");
  const saving = {
    output: { sink: path, keepRows: true },
    users: [users[0]!],
    tasks: [tasks[0]!],
    n: 1,
    progress: false,
  };
  let turn = 0;
  const app = () => {
    if (++turn === 3) throw new Error("Out of service");
    return { role: "assistant", content: "Sorry." };
  };
  const [row] = (await runSimulations({ ...options({ app }), ...saving, maxTurns: 5 })).rows;
  const [said, answered] = [
    { role: "user", content: "Refund order 7" },
    { role: "assistant", content: "Sorry." },
  ];
  expect(row!.run.error).toMatchObject({
    code: "callback_failed",
    message: "Turn 3, app failed: Out of service",
    trajectory: [said, answered, said, answered, said],
  });
  // The failure of each evaluator would repeat them.
  const { trajectory: _, ...failure } = row!.run.error!;
  expect(row!.errors.map(({ error }) => error)).toEqual([failure, failure]);
  expect((await readExperiment(path)).rows).toEqual([row]);
});

test("a missing mock keeps the messages of its conversation, though the application goes on", async () => {
  const { search } = mockTools({ search: { when: { q: "?" }, returns: 1 } });
  const app = () => search({ q: "!" }).catch(() => ({ role: "assistant", content: "No result" }));
  const [row] = (await runSimulations(options({ app, n: 1 }))).rows;
  expect(row!.run.error).toMatchObject({ code: "invalid_config" });
  expect(row!.run.error!.trajectory!.map(({ content }) => content)).toEqual(["Refund order 7", "No result"]);
});

test.each<[object, string]>([
  [{ users: [] }, "users is []; it has to be a list of { name, persona }"],
  [{ tasks: [{ name: "a" }] }, "it has to be a list of { name, goal }"],
  [{ users: [users[0], users[0]] }, "Several users or tasks"],
  [{ app: undefined }, "app is missing"],
  [{ n: 0 }, "n is 0"],
  [{ client: undefined }, "needs a model or a client that plays the users."],
  [{ client: undefined, judge: () => "Hi" }, 'plays the users; it has no option "judge"'],
  [{ client: undefined, modle: "openai:gpt-5.4" }, 'plays the users; it has no option "modle"'],
  [{ client: undefined, model: { open: true } }, "model has to be a string"],
  [{ users: [{ ...users[0], Name: "x" }] }, 'users[0] has no option "Name"; did you mean name?'],
  [{ tasks: [{ name: "a", goal: "b", fixedResponse: [] }] }, 'tasks[0] has no option "fixedResponse"'],
  [{ task: [] }, 'has no option "task"'],
])("%j", async (wrong, message) => {
  await expect((async () => runSimulations({ ...options(), ...wrong } as never))()).rejects.toThrow(message);
});

test("a signal ends the conversations, also while the application hangs", async () => {
  const stop = new AbortController();
  let turns = 0;
  let answer = (_: unknown): void => {};
  const running = runSimulations({
    ...options({ users: users.slice(0, 1), tasks: tasks.slice(0, 1) }),
    app: () => {
      turns++;
      stop.abort();
      return new Promise<any>((resolve) => {
        answer = resolve;
      });
    },
    signal: stop.signal,
  });
  expect((await running).stopped?.code).toBe("aborted");
  answer({ role: "assistant", content: "Done." });
  await new Promise(setImmediate);
  expect(turns).toBe(1);
});
