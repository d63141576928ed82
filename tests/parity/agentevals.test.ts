/**
 * The published `agentevals` on top of this package instead of `openevals`: all of its exports give the same
 * results, and its judges send the same prompts.
 */
import { copyFile, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { beforeAll, describe, expect, test } from "vitest";
import { repository, run } from "../runtimes/harness.js";
import { tarball } from "../runtimes/install.js";
import { agentevals as original } from "./reference.ts";

type AgentEvals = typeof original;
const folder = join(repository, "target/fixtures/agentevals");
let onOurs: AgentEvals;

beforeAll(async () => {
  const { dependencies, overrides } = JSON.parse(
    await readFile(join(repository, "tests/parity/package.json"), "utf8"),
  );
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  await copyFile(tarball, join(folder, "openevals-wasm.tgz"));
  const manifest = {
    private: true,
    dependencies: { ...dependencies, openevals: "file:openevals-wasm.tgz" },
    overrides: { ...overrides, openevals: "$openevals" },
  };
  await writeFile(join(folder, "package.json"), JSON.stringify(manifest));
  await run(
    "npm",
    ["install", "--prefer-offline", "--no-audit", "--no-fund", "--ignore-scripts", "--no-package-lock"],
    folder,
  );
  onOurs = await import(
    /* @vite-ignore */ pathToFileURL(join(folder, "node_modules/agentevals/dist/index.js")).href
  );
});

const call = (name: string, args: object) => ({
  id: "call_1",
  type: "function",
  function: { name, arguments: JSON.stringify(args) },
});
const outputs = [
  { role: "user" as const, content: "How warm is it in Oslo?" },
  { role: "assistant" as const, content: "", tool_calls: [call("get_weather", { city: "Oslo" })] },
  { role: "tool" as const, content: "4 °C", tool_call_id: "call_1" },
  { role: "assistant" as const, content: "It is 4 °C." },
];
const graph = {
  inputs: [{ __start__: { q: "Oslo?" } }, "__resuming__"],
  outputs: { results: [{}, { a: "4 °C" }], steps: [["__start__", "agent", "__interrupt__"], ["agent"]] },
};

test("openevals resolves to this package, for agentevals and its types", async () => {
  const { name } = JSON.parse(await readFile(join(folder, "node_modules/openevals/package.json"), "utf8"));
  expect(name).toBe("openevals-wasm");
  const required = createRequire(join(folder, "index.js"))("agentevals") as AgentEvals;
  for (const { exports } of [{ exports: onOurs }, { exports: required }]) {
    expect(Object.keys(exports).sort()).toEqual(Object.keys(original).sort());
  }
  const evaluator = required.createTrajectoryMatchEvaluator({ trajectoryMatchMode: "superset" });
  expect(await evaluator({ outputs, referenceOutputs: outputs })).toEqual({
    key: "trajectory_superset_match",
    score: true,
  });
});

test("trajectory matches give the same results", async () => {
  const other = outputs.with(1, {
    ...outputs[1],
    tool_calls: [call("get_weather", { city: "Rome" })],
  } as never);
  for (const trajectoryMatchMode of ["strict", "unordered", "subset", "superset"] as const) {
    for (const toolArgsMatchMode of ["exact", "ignore"] as const) {
      for (const referenceOutputs of [outputs, other, []]) {
        const results = [onOurs, original].map((agentevals) =>
          agentevals.createTrajectoryMatchEvaluator({ trajectoryMatchMode, toolArgsMatchMode })({
            outputs,
            referenceOutputs,
          }),
        );
        const [ours, theirs] = await Promise.all(results);
        expect(ours).toEqual(theirs);
      }
    }
  }
  expect(await onOurs.trajectoryUnorderedMatch({ outputs, referenceOutputs: other })).toMatchObject({
    score: true,
  });
});

describe("judges", () => {
  /** The requests of both to an OpenAI client, and the results of its answers. */
  async function judged(
    make: (agentevals: AgentEvals, options: { judge: any; model: string }) => Promise<any>,
    answer: object,
  ) {
    return Promise.all(
      [onOurs, original].map(async (agentevals) => {
        const requests: any[] = [];
        const create = async (request: object) => {
          requests.push(request);
          return { choices: [{ message: { role: "assistant", content: JSON.stringify(answer) } }] };
        };
        const judge = { chat: { completions: { create } } };
        const { key, score, comment } = await make(agentevals, { judge, model: "gpt-5.4" });
        const [{ messages, model }] = requests;
        return { key, score, comment, messages, model, count: requests.length };
      }),
    );
  }

  test.each([
    ["with the reference", {}, { outputs, referenceOutputs: outputs.slice(1) }],
    ["without", { prompt: "Is {outputs} for {inputs} fine?" }, { inputs: { a: 1 }, outputs }],
    ["{ messages }, and a key of its own", { feedbackKey: "fine" }, { outputs: { messages: outputs } }],
    [
      "a system message, examples",
      { prompt: "{outputs}", system: "Hm.", fewShotExamples: [{ inputs: 1, outputs: 2, score: true }] },
      { outputs },
    ],
  ])("of trajectories: %s", async (_, options, params) => {
    const [ours, theirs] = await judged(
      (agentevals, judge) =>
        agentevals.createTrajectoryLLMAsJudge({ ...options, ...judge } as never)(params as never),
      { score: true, reasoning: "Fine." },
    );
    expect(ours).toEqual(theirs);
  });

  test.each([
    ["true or false", {}, { score: false, reasoning: "No." }],
    ["a number", { continuous: true }, { score: 0.25, reasoning: "Partly." }],
    ["one of several, alone", { choices: [0, 0.5], useReasoning: false }, { score: 0.5 }],
  ])("of graphs: %s", async (_, options, answer) => {
    for (const reference of [{}, { referenceOutputs: { ...graph.outputs, inputs: graph.inputs } }]) {
      const [ours, theirs] = await judged(
        (agentevals, judge) =>
          agentevals.createGraphTrajectoryLLMAsJudge({ ...options, ...judge } as never)({
            ...graph,
            ...reference,
          } as never),
        answer,
      );
      expect(ours).toEqual(theirs);
    }
  });

  test("a broken answer is an error instead of an undefined score", async () => {
    const make = (agentevals: AgentEvals, judge: object) =>
      agentevals.createTrajectoryLLMAsJudge({ ...judge, prompt: "{outputs}" } as never)({ outputs });
    await expect(judged(make as never, { verdict: "yes" })).rejects.toMatchObject({
      code: "invalid_judge_output",
    });
  });
});

test("the functions for single modes give the same results", async () => {
  const { trajectoryStrictMatch, trajectorySubset, trajectorySuperset } = onOurs;
  const params = { outputs: outputs.slice(0, 2), referenceOutputs: outputs };
  const scores = await Promise.all(
    [trajectoryStrictMatch, trajectorySubset, trajectorySuperset].map((match) => match(params)),
  );
  expect(scores.map(({ key, score }) => [key, score])).toEqual([
    ["trajectory_strict_match", false],
    ["trajectory_subset", true],
    ["trajectory_superset", true],
  ]);
});

test("LangGraph threads give the same trajectory", async () => {
  const answer = { messages: [{ role: "assistant", content: "It is 4 °C." }] };
  const task = (name: string, result?: object) => ({ name, interrupts: [], result });
  // Newest first, as in LangGraph.
  const snapshots = [
    { values: answer, next: [], tasks: [], metadata: { source: "loop" } },
    { values: {}, next: ["agent"], tasks: [task("agent")], metadata: { source: "loop" } },
    { values: {}, next: ["__start__"], tasks: [task("__start__", { q: 1 })], metadata: { source: "input" } },
  ] as any[];
  const trajectory = {
    inputs: [{ __start__: { q: 1 } }],
    outputs: { results: [answer], steps: [["__start__", "agent"]] },
  };
  expect(onOurs.extractLangGraphTrajectoryFromSnapshots(snapshots)).toEqual(trajectory);
  const graph: any = {
    async *getStateHistory() {
      yield* snapshots;
    },
  };
  expect(await onOurs.extractLangGraphTrajectoryFromThread(graph, {})).toEqual(trajectory);
});
