/** A trap in any function of the metrics, statistics or agents fails its own call only, and no score. */

import {
  createArgumentCheck,
  createFunctionCallEvaluator,
  createHandoffCheck,
  createStateMatch,
  createTauReward,
  createToolPolicy,
  loops,
  stepStatus,
} from "openevals-wasm/agents";
import {
  aggregateOf,
  cohensKappa,
  compareExperiments,
  confidenceSequence,
  confusionMatrix,
  type Experiment,
  evaluate,
  evaluateComparative,
  f1Score,
  matthewsCorrelation,
  median,
  passAtK,
  passRate,
  planExperiment,
  rank,
  sliceExperiment,
} from "openevals-wasm/evaluation";
import { calibrate, correctRate, createGEval, improve } from "openevals-wasm/judges";
import { ndcg } from "openevals-wasm/retrieval";
import { init, levenshteinDistance } from "openevals-wasm/slim";
import {
  chrf,
  compressionRatio,
  corpusBleu,
  createBleuEvaluator,
  createReadabilityEvaluator,
  damerauLevenshtein,
  distinct2,
  jaro,
  rougeLsum,
  ter,
  wordCount,
  wordErrorRate,
} from "openevals-wasm/text";
import { expect, it } from "vitest";
import { settled, trapIn, trappingInstances, trappingModule } from "./trapping-module.js";

const labels = { outputs: ["a", "b", "b", "a"], referenceOutputs: ["a", "b", "a", "a"] };
const scores = [0.25, 0.5, 1, 0.5];
const examples = scores.map((_, row) => ({ id: `${row % 2}` }));
const evaluationResults = (key: string, values: (number | boolean)[]) =>
  values.map((score) => [{ key, score }]);
const experiment = (values: number[]) => ({
  rows: values.map((score, row) => ({
    example: { id: `${row}` },
    run: {},
    evaluationResults: [{ key: "size", score }],
  })),
});

const DUELS = [1, 0, 1].map((score) => ({ first: "a", second: "b", score }));

/** A client whose model answers 10, with alternatives. */
const likely = Array.from({ length: 9 }, (_, index) => ({ token: `${index + 1}`, logprob: Math.log(1 / 9) }));
const sure = (token: string) => ({ token, logprob: 0, top_logprobs: [{ token, logprob: 0 }] });
const content = [
  sure('{"é":0,"score"'),
  sure(": "),
  { ...likely[0], top_logprobs: likely },
  sure("0"),
  sure("}"),
];
const client = {
  chat: {
    completions: {
      create: async () => ({ choices: [{ message: { content: '{"score": 10}' }, logprobs: { content } }] }),
    },
  },
};
const rate = createGEval({
  steps: ["Rate it."],
  judge: client,
  model: "m",
  range: [1, 10],
  useReasoning: false,
});
const guess = createGEval({
  steps: ["Rate it."],
  judge: () => ({ score: 4 }),
  samples: 2,
  useReasoning: false,
});
const PAIR = ["a", "b"].map((name) => ({
  experimentName: name,
  rows: scores.map((score, row) => ({
    example: { id: `${row}` },
    run: { id: `${name} ${row}`, outputs: name === "a" ? score : 0.5 },
    evaluationResults: [],
  })),
})) as unknown as Experiment[];
const longer = ({ runs }: { runs: { id: string; outputs: number }[] }) => ({
  key: "longer",
  scores: Object.fromEntries(runs.map(({ id, outputs }) => [id, outputs])),
  metadata: { positionBias: 0.5 },
});

const steps = {
  outputs: [
    { role: "user", content: "Delete it." },
    { role: "assistant", content: "", tool_calls: [{ id: "1", name: "delete", args: { file: "a" } }] },
    { role: "tool", tool_call_id: "1", content: "Error: locked" },
    { role: "assistant", content: "Delete it?" },
    { role: "user", content: "Yes." },
    { role: "assistant", content: "", tool_calls: [{ id: "2", name: "delete", args: { file: "a" } }] },
  ],
} as any;

const TOOLS = [
  {
    name: "delete",
    parameters: {
      type: "object",
      properties: { file: { type: "string", pattern: "^a" } },
      required: ["file"],
    },
  },
];
const CALLED = {
  outputs: [{ name: "delete", args: '{"file": "b"}' }],
  referenceOutputs: [{ name: "delete", args: { file: ["a"] } }],
} as any;
const STATES = { outputs: { files: [2, 1] }, referenceOutputs: { files: [1, 3] } };
const REWARDED = {
  outputs: { messages: steps.outputs, state: { files: [] }, terminationReason: "user_stop" },
  referenceOutputs: {
    state: { files: [] },
    communicate: ["Delete"],
    actions: [{ name: "delete", arguments: { file: "a" } }],
  },
} as any;

/** Calls of everything that each binary does. */
const CALLS: Record<"metrics" | "statistics" | "agents", (() => Promise<unknown>)[]> = {
  agents: [
    () => createToolPolicy({ deny: ["format"], maxRepeats: 3 })(steps),
    () => createToolPolicy({ confirm: ["delete"], isConfirmed: () => true })(steps),
    () => loops()(steps),
    () => stepStatus()(steps),
    () => createFunctionCallEvaluator({ tools: TOOLS })(CALLED),
    () => createFunctionCallEvaluator({ tools: TOOLS, mode: "bfcl" })(CALLED),
    () =>
      createArgumentCheck({ tools: TOOLS })({
        outputs: [{ role: "assistant", content: "", tool_calls: CALLED.outputs }],
      }),
    () => createStateMatch({ unordered: ["files"], tolerance: 0.1 })(STATES),
    () =>
      createStateMatch({ evaluators: { "files[*]": ({ outputs }: any) => outputs === 1 } } as any)(STATES),
    () => createTauReward({ basis: ["db", "communicate", "action"] })(REWARDED),
    () => createHandoffCheck()(steps),
  ],
  metrics: [
    () => wordErrorRate("a b", "a c"),
    () => jaro("ab", "ac"),
    () => createReadabilityEvaluator({ syllables: () => 1 })({ outputs: "ab né" }),
    () => compressionRatio("ab ab ab ab"),
    () => wordCount("ab. Cd é"),
    () => distinct2("a b a b"),
    () => ter("a b c d", "c d a b"),
    () => chrf("ab", "ac"),
    () => rougeLsum("ab\nac", "ac\nab"),
    () => damerauLevenshtein("ab cd", "ba dc"),
    () => createBleuEvaluator({ tokenize: "intl" })("Ab, é", "ab é"),
    () => ndcg(["a", "b"], { b: 1 }),
    () => corpusBleu()({ outputs: ["a b", "c d"], referenceOutputs: ["a b", "c e"] }),
    () => corpusBleu().compare({ first: ["a b", "c"], second: ["a", "c"], referenceOutputs: ["a b", "c e"] }),
  ],
  statistics: [
    () => aggregateOf({ scores, errors: 0, notApplicable: 0 }),
    () => aggregateOf({ scores: [true, false], errors: 0, notApplicable: 0 }),
    () => median({ key: "size" })({ evaluationResults: evaluationResults("size", scores) }),
    () =>
      passAtK({ key: "right", k: 2 })({
        examples,
        evaluationResults: evaluationResults("right", [true, false, true, true]),
      }),
    () => passRate({ key: "right" })({ evaluationResults: evaluationResults("right", [true, false]) }),
    () => f1Score({ average: "macro" })(labels),
    () => cohensKappa()(labels),
    () => matthewsCorrelation()(labels),
    () => confusionMatrix()(labels),
    () =>
      calibrate(({ outputs }: { outputs: number }) => ({ key: "judge", score: outputs }), {
        data: [0.5, 1, 0, 0.5, 1, 0].map((outputs, row) => ({
          outputs,
          ann: row === 1 ? 0.5 : outputs,
          bob: row === 2 ? 1 : outputs,
          place: row % 2 ? "first" : "second",
        })),
        label: ["ann", "bob"],
        position: "place",
        numRepetitions: 2,
      }),
    () =>
      calibrate(
        ({ outputs }: { outputs: number }) => ({
          key: "judge",
          score: outputs > 0.5,
          metadata: { confidence: outputs },
        }),
        {
          data: scores.map((outputs) => ({ outputs, human: outputs > 0.3 })),
          label: "human",
          weights: "linear",
        },
      ),
    () =>
      correctRate({
        positives: 3,
        count: 9,
        calibration: {
          verdicts: { truePositives: 4, falseNegatives: 1, falsePositives: 1, trueNegatives: 4 },
        },
      }),
    () =>
      correctRate({
        positives: 3,
        count: 9,
        method: "ppi",
        calibration: {
          verdicts: { truePositives: 4, falseNegatives: 1, falsePositives: 1, trueNegatives: 4 },
        },
      }),
    () =>
      evaluate(undefined, {
        data: [{ outputs: true }, { outputs: false }],
        evaluators: [({ outputs }: { outputs: boolean }) => ({ key: "judge", score: outputs })],
        calibration: {
          judge: { verdicts: { truePositives: 4, falseNegatives: 1, falsePositives: 1, trueNegatives: 4 } },
        },
        progress: false,
      }).then(({ aggregates }) => aggregates),
    () =>
      improve(
        (prompt) =>
          ({ outputs }: { outputs: number }) => ({
            key: "judge",
            score: outputs > 0 || prompt.endsWith("!"),
          }),
        { data: [0, 0.1, 0.2, 1].map((outputs) => ({ outputs, human: true })), label: "human", level: 0.1 },
        { prompt: "{outputs}", model: () => ({ reasoning: "", prompt: "{outputs}!" }), rounds: 1 },
      ),
    () => compareExperiments(experiment(scores) as never, experiment([1, 0.75, 0, 0.5]) as never),
    () =>
      compareExperiments(experiment(scores) as never, experiment([1, 0.75, 0, 0.5]) as never, {
        margin: 0.1,
      }),
    () => aggregateOf({ scores, exampleIds: ["a", "a", "b", "b"], errors: 0, notApplicable: 0 }),
    () => confidenceSequence().add(scores),
    () =>
      compareExperiments(experiment([1, 1, 0, 1]) as never, experiment([1, 0, 1, 1]) as never, {
        margin: 0.3,
        calibration: {
          size: { verdicts: { truePositives: 4, falseNegatives: 1, falsePositives: 1, trueNegatives: 4 } },
        },
      }),
    () => planExperiment({ standardDeviation: 0.5, minimumDifference: 0.5 }),
    () => planExperiment({ baseline: 0.5, margin: 0.3 }),
    () => rate({ outputs: "a" }).then(({ score }) => score),
    () => guess({ outputs: "a" }).then(({ score }) => score),
    () => rank(DUELS),
    async () => (await evaluateComparative(PAIR, { evaluators: [longer] })).aggregates,
    () => rank(DUELS, { method: "elo" }),
    () =>
      sliceExperiment(experiment([...scores, ...scores, ...scores]) as never, {
        by: ({ id }) => Number(id) % 2,
      }),
  ],
};

it.each([
  "agents",
  "metrics",
  "statistics",
] as const)("a trap in any function of the %s ends the call, and the next one gets a new engine", async (binary) => {
  const calls = CALLS[binary];
  const instances = trappingInstances();
  const { bytes, functions } = await trappingModule(`openevals-${binary}`);
  init({ [binary]: bytes });
  const results: unknown[] = [];
  for (const call of calls) results.push(await call());
  const neverCalled: number[] = [];
  for (let number = 0; number < functions; number++) {
    const [instance] = instances;
    trapIn(instance, number);
    // The first call of the function fails, and the next one gets a new instance.
    let trapped: number | undefined;
    for (const [index, call] of calls.entries()) {
      const outcome = await settled(call());
      if (outcome === "resolved") continue;
      expect(outcome).toBe("engine_failed");
      trapped = index;
      break;
    }
    expect(await levenshteinDistance("ab", "ac")).toMatchObject({ score: 0.5 });
    if (trapped === undefined) neverCalled.push(number);
    else expect(await calls[trapped]?.()).toEqual(results[trapped]);
    trapIn(instance, -1);
  }
  // Functions that run at the start of an instance, or only for long texts and errors.
  expect(neverCalled.length).toBeLessThanOrEqual(5);
  expect(instances).toHaveLength(1 + functions - neverCalled.length);
});
