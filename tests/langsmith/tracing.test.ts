/**
 * The reports of LangSmith's client about our evaluations: the same as about those of openevals and
 * agentevals, which run beside them here, but for the named differences.
 */
import { fileURLToPath } from "node:url";
import { traceable } from "langsmith/traceable";
import * as ours from "openevals-wasm";
import { createTypeScriptEvaluator } from "openevals-wasm/code/typescript";
import * as utils from "openevals-wasm/utils";
import { afterAll, describe, expect, test } from "vitest";
import { LangSmithServer, type Run } from "./server.ts";

type Package = { [name in keyof typeof ours]: any };

const server = await LangSmithServer.start();
Object.assign(process.env, server.env);
afterAll(() => server.close());

const at = (path: string) => fileURLToPath(new URL(`../parity/node_modules/${path}`, import.meta.url));
const openevals: Package = await import(at("openevals/index.js"));
const agentevals: Package = {
  ...(await import(at("agentevals/index.js"))),
  ...(await import(at("agentevals/dist/graph_trajectory/strict.js"))),
};

/** The report of a run. */
interface Told {
  name: string;
  run_type: string;
  inputs: any;
  outputs: any;
  error: string | undefined;
  metadata: Record<string, unknown>;
  children: Told[];
}

const toldOf = (run: Run): Told => ({
  name: run.name,
  run_type: run.run_type,
  inputs: run.inputs,
  outputs: run.outputs,
  error: run.error,
  metadata: run.extra.metadata,
  children: server.below(run).map(toldOf),
});

let count = 0;

/** The runs of some work, which is a run itself: it ends when they have ended. */
async function runsOf(work: () => Promise<unknown>): Promise<Told[]> {
  const name = `work ${count++}`;
  await traceable(async () => void (await work()), { name })();
  return toldOf(await server.ended(name)).children;
}

/** The same work with this package and with another one. */
const bothOf = (work: (evals: Package) => Promise<unknown>, reference: Package) =>
  Promise.all([runsOf(() => work(ours)), runsOf(() => work(reference))]);

/** The client of the package openai, as far as judges use it. */
const client = (answer: object) => ({
  chat: {
    completions: {
      create: async () => ({
        model: "gpt-test",
        choices: [{ message: { content: JSON.stringify(answer) } }],
        usage: { prompt_tokens: 5, completion_tokens: 2 },
      }),
    },
  },
});
const judge = client({ reasoning: "It says so.", score: true });
const model = "gpt-test";

const call = (city: string) => ({
  id: "1",
  type: "function",
  function: { name: "weather", arguments: JSON.stringify({ city }) },
});
const trajectory = (city: string) => [
  { role: "user", content: "How warm is it?" },
  { role: "assistant", content: "", tool_calls: [call(city)] },
];
const trajectories = { outputs: trajectory("Oslo"), referenceOutputs: trajectory("Oslo") };
const graph = { results: [{ answer: "4 °C" }], steps: [["__start__", "agent"]] };
const texts = { outputs: "kitten", referenceOutputs: "sitting" };
const objects = { outputs: { a: 1, b: 2 }, referenceOutputs: { a: 1, b: 3 } };

interface Case {
  name: string;
  evaluate(evals: Package): Promise<unknown>;
  /** The reference, unless it is openevals. */
  from?: Package;
  /** Where runs differ, on purpose: ours as theirs would be. */
  differs?: [why: string, (run: Told) => Told];
}

const withInputs = (inputs: object) => (run: Told) => ({ ...run, inputs });
/** Judges of this package report their usage. */
const withoutMetadata = (run: Told): Told => {
  const { metadata, ...outputs } = run.outputs;
  return { ...run, outputs };
};
/** A mismatch explains itself. */
const withoutComment = (run: Told): Told => {
  const { comment, ...outputs } = run.outputs;
  return { ...run, outputs };
};
const moreOfJudges = ["our judges have metadata in their results", withoutMetadata] as [
  string,
  typeof withoutMetadata,
];

const cases: Case[] = [
  {
    name: "exact match",
    evaluate: ({ exactMatch }) => exactMatch(objects),
    differs: ["ours says what differs", withoutComment],
  },
  {
    name: "Levenshtein",
    evaluate: ({ levenshteinDistance }) => levenshteinDistance(texts),
    differs: ["the reference has no inputs", withInputs({})],
  },
  {
    name: "embedding similarity",
    evaluate: ({ createEmbeddingSimilarityEvaluator }) =>
      createEmbeddingSimilarityEvaluator({
        embeddings: { embedQuery: async (text: string) => [text.length, 1] },
      })(texts),
    differs: ["the reference has no inputs", withInputs({})],
  },
  {
    name: "JSON match, aggregated",
    evaluate: ({ createJsonMatchEvaluator }) => createJsonMatchEvaluator({ aggregator: "average" })(objects),
    differs: [
      "the reference calls the outputs inputs, says neither what differs nor in the result which run it is of",
      (run) => ({
        ...run,
        inputs: { inputs: objects.outputs, referenceOutputs: objects.referenceOutputs },
        outputs: { outputs: run.outputs.outputs.map(({ sourceRunId, comment, ...result }: any) => result) },
      }),
    ],
  },
  {
    name: "a judge",
    evaluate: ({ createLLMAsJudge }) =>
      createLLMAsJudge({ prompt: "Is {outputs} polite? {context}", judge, model })({
        outputs: "Yes.",
        context: "c",
      }),
    differs: moreOfJudges,
  },
  {
    name: "a judge with a key",
    evaluate: ({ createLLMAsJudge }) =>
      createLLMAsJudge({ prompt: "{outputs}", feedbackKey: "tone", judge, model })({ outputs: "Yes." }),
    differs: moreOfJudges,
  },
  {
    name: "a judge with a schema",
    evaluate: ({ createLLMAsJudge }) =>
      createLLMAsJudge({
        prompt: "{outputs}",
        judge: client({ tone: "kind" }),
        model,
        outputSchema: {
          name: "review",
          strict: true,
          schema: {
            type: "object",
            properties: { tone: { type: "string" } },
            required: ["tone"],
            additionalProperties: false,
          },
        },
      })({ outputs: "Yes." }),
  },
  ...["strict", "unordered", "subset", "superset"].map((trajectoryMatchMode) => ({
    name: `trajectory match, ${trajectoryMatchMode}`,
    evaluate: ({ createTrajectoryMatchEvaluator }: Package) =>
      createTrajectoryMatchEvaluator({ trajectoryMatchMode, toolArgsMatchMode: "subset" })({
        ...trajectories,
        extra: "x",
      }),
  })),
  {
    name: "trajectory match with overrides",
    evaluate: ({ createTrajectoryMatchEvaluator }) =>
      createTrajectoryMatchEvaluator({ toolArgsMatchOverrides: { weather: ["city"] } })(trajectories),
  },
  ...(["Unordered", "Subset", "Superset", "Strict"] as const).map((mode) => ({
    name: `trajectory ${mode} of agentevals`,
    from: agentevals,
    evaluate: (evals: Package) =>
      (mode === "Strict"
        ? evals.trajectoryStrictMatch
        : mode === "Unordered"
          ? evals.trajectoryUnorderedMatch
          : evals[`trajectory${mode}`])(trajectories),
  })),
  {
    name: "graph trajectory match",
    from: agentevals,
    evaluate: ({ graphTrajectoryStrictMatch }) =>
      graphTrajectoryStrictMatch({ outputs: graph, referenceOutputs: graph }),
  },
  {
    name: "a judge of code",
    evaluate: ({ createCodeLLMAsJudge }) =>
      createCodeLLMAsJudge({
        prompt: "{outputs}",
        judge,
        model,
        codeExtractionStrategy: "markdown_code_blocks",
      })({
        outputs: "```ts\nconst one = 1;\n```",
      }),
    differs: moreOfJudges,
  },
];

test.each(cases)("$name", async ({ evaluate, from = openevals, differs }) => {
  const [mine, theirs] = await bothOf(evaluate, from);
  expect(theirs).toHaveLength(1);
  expect(mine).toHaveLength(1);
  const [own, reference] = [mine[0]!, theirs[0]!].map(compared) as [Told, Told];
  if (!differs) return expect(own).toEqual(reference);
  expect(own).not.toEqual(reference);
  expect(differs[1](own)).toEqual(reference);
});

/** Only the messages of questions: their other parts are compared elsewhere. */
function compared(run: Told): Told {
  const children = callsOf(run).map((child) => {
    expect(child).toMatchObject({ name: "OpenAI Chat Completion", outputs: { model } });
    const { messages, model: asked } = child.inputs;
    return { ...child, inputs: { messages, model: asked } };
  });
  return { ...run, children };
}

/** LangChain also reports the rendering of a template, which is not one of our steps. */
const callsOf = ({ children }: Told) => children.filter(({ name }) => name !== "ChatPromptTemplate");

/** Our texts for judges differ, so only the named parts of these are compared. */
const named = (run: Told) => ({
  name: run.name,
  run_type: run.run_type,
  metadata: run.metadata,
  inputs: Object.keys(run.inputs).sort(),
  children: callsOf(run).map(({ name, run_type, metadata }) => ({ name, run_type, metadata })),
});

test.each([
  {
    name: "a judge of trajectories",
    from: openevals,
    evaluate: (evals: Package) =>
      evals.createTrajectoryLLMAsJudge({ judge, model })({ inputs: "q", ...trajectories, context: "c" }),
    run: "llm_as_trajectory_accuracy_judge",
  },
  {
    name: "a judge of graphs",
    from: agentevals,
    evaluate: (evals: Package) =>
      evals.createGraphTrajectoryLLMAsJudge({ judge, model })({
        inputs: [{ q: "Oslo?" }],
        outputs: graph,
        referenceOutputs: { inputs: [{ q: "Oslo?" }], ...graph },
      }),
    run: "llm_as_graph_trajectory_accuracy_judge",
  },
])("$name", async ({ evaluate, from, run }) => {
  const [[own], [reference]] = await bothOf(evaluate, from);
  expect(named(own!)).toEqual(named(reference!));
  expect(own).toMatchObject({ name: run, outputs: { score: true, comment: "It says so." } });
  const { messages } = own!.children[0]!.inputs;
  expect(messages[0].content).toContain(own!.inputs[run.includes("graph") ? "thread" : "outputs"]);
});

test("JSON match by keys is one run with all results, where the reference has one for each key", async () => {
  const evaluate = ({ createJsonMatchEvaluator }: Package) => createJsonMatchEvaluator({})(objects);
  const [mine, theirs] = await bothOf(evaluate, openevals);
  const results = (runs: Told[]) =>
    runs
      .flatMap(({ outputs }) => outputs.outputs)
      // Only ours name the difference.
      .map(({ sourceRunId, comment, ...result }) => {
        expect(sourceRunId).toBe([...server.runs.values()].find(({ id }) => id === sourceRunId)?.id);
        return result;
      });
  expect(results(mine)).toEqual(results(theirs));
  expect([mine, theirs].map((runs) => runs.map(({ name }) => name))).toEqual([
    ["json_match_evaluator"],
    ["json_match_evaluator", "json_match_evaluator"],
  ]);
  expect(mine[0]).toMatchObject({ inputs: objects, metadata: theirs[0]!.metadata });
});

test("a simulation is a run, and so is each step", async () => {
  const simulate = ({ runMultiturnSimulation, exactMatch }: Package) =>
    runMultiturnSimulation({
      app: async ({ inputs }: any) => ({
        role: "assistant",
        content: `You said: ${inputs.content}`,
        id: `a-${inputs.id}`,
      }),
      user: [
        { role: "user", content: "Hello!", id: "1" },
        { role: "user", content: "Bye!", id: "2" },
      ],
      maxTurns: 2,
      threadId: "thread",
      trajectoryEvaluators: [exactMatch],
      referenceOutputs: [],
    });
  const [mine, theirs] = await bothOf(simulate, openevals);
  const [match] = mine[0]!.children.splice(-1);
  mine[0]!.children.push(withoutComment(match!));
  const steps = ({ children }: Told) => children.map(({ name }) => name);
  expect(steps(mine[0]!)).toEqual(["simulated_user", "app", "simulated_user", "app", "exact_match"]);
  const { evaluatorErrors, ...outputs } = mine[0]!.outputs;
  outputs.evaluatorResults = outputs.evaluatorResults.map(({ comment, ...result }: any) => result);
  expect(evaluatorErrors).toEqual([]); // which the reference does not have
  expect({ ...mine[0]!, outputs }).toEqual(theirs[0]!);
});

test("packages that run their evaluators with _runEvaluator are traced under their own name", async () => {
  const scorer = ({ outputs }: { outputs: string }) =>
    [outputs.length < 80, "It is short."] as [boolean, string];
  const run = ({ _runEvaluator }: typeof utils) =>
    runsOf(() => _runEvaluator("short", scorer, "brevity", { outputs: "Yes." }, "agentevals"));
  const mine = await run(utils);
  expect(mine).toEqual(await run(await import(at("openevals/utils.js"))));
  expect(mine).toMatchObject([{ name: "short", metadata: { __ls_framework: "agentevals" } }]);
});

describe("functions that the reference does not have", () => {
  test("TypeScript", async () => {
    const evaluator = createTypeScriptEvaluator({ codeExtractionStrategy: "markdown_code_blocks" });
    const outputs = "```ts\nconst one = 1;\n```";
    // The name in openevals 0.2.2, which needs its own typescript.
    expect(await runsOf(() => evaluator({ outputs }))).toMatchObject([
      {
        name: "typescript_evaluator",
        inputs: { outputs },
        outputs: { key: "typescript_succeeded", score: true },
        metadata: {
          __ls_framework: "openevals",
          __ls_evaluator: "typescript_evaluator",
          __ls_language: "js",
        },
      },
    ]);
  });

  test("positional arguments have names in the inputs", async () => {
    const [run] = await runsOf(() => ours.exactMatch({ a: 1 }, { a: 1 }));
    expect(run).toMatchObject({ inputs: { outputs: { a: 1 }, referenceOutputs: { a: 1 } } });
  });

  test("every row of a batch is a run", async () => {
    const rows = [texts, { outputs: "a", referenceOutputs: "a" }];
    for (const batch of [ours.levenshteinDistance.batch, ours.exactMatch.batch]) {
      const runs = await runsOf(() => batch(rows));
      expect(runs.map(({ inputs }) => inputs)).toEqual(rows);
      expect(runs.map(({ outputs }) => outputs.score).map(Number)[1]).toBe(1);
    }
  });

  test("a failure belongs to the run, and is not changed", async () => {
    let thrown: unknown;
    const runs = await runsOf(async () => {
      await ours.exactMatch({ outputs: 1 }).catch((error) => {
        thrown = error;
      });
    });
    expect(thrown).toMatchObject({ name: "OpenEvalsError", code: "invalid_input" });
    expect(runs).toMatchObject([{ name: "exact_match", outputs: undefined }]);
    expect(runs[0]!.error).toContain((thrown as Error).message);
  });

  test("results are those without tracing", async () => {
    const plain = await traceable(() => ours.exactMatch(objects), { name: "off", tracingEnabled: false })();
    const watched = await traceable(() => ours.exactMatch(objects), { name: "on" })();
    expect(watched).toEqual(plain);
  });
});

test("concurrent judges have their own child runs", async () => {
  const ask = traceable(async ({ messages }: any) => ({ score: true, reasoning: messages[0].content }), {
    name: "ask",
  });
  const evaluator = ours.createLLMAsJudge({
    prompt: "{outputs}",
    judge: (request) => ask(request) as Promise<object>,
  });
  const runs = await runsOf(() => Promise.all(["a", "b", "c"].map((outputs) => evaluator({ outputs }))));
  expect(
    runs.map(({ inputs, children }) => [inputs.outputs, children.map((child) => child.outputs.reasoning)]),
  ).toEqual(["a", "b", "c"].map((outputs) => [outputs, [outputs]]));
});

test("no secret but the key of LangSmith itself is sent, and nothing that it does not know", () => {
  expect([...server.keys]).toEqual(["lsv2_not_a_key"]);
  expect(server.unknown).toEqual([]);
});
