/** The evaluators of a simulation: their arguments, results and failures. */
import {
  createLLMAsJudge,
  createTrajectoryMatchEvaluator,
  exactMatch,
  type MultiturnSimulationParams,
  OpenEvalsError,
  runMultiturnSimulation,
} from "openevals-wasm";
import { describe, expect, it } from "vitest";

const echo: MultiturnSimulationParams["app"] = ({ inputs }) => ({
  role: "assistant",
  content: `You said: ${inputs.content}`,
});

describe("evaluators", () => {
  const reference = [
    { role: "user" as const, content: "a" },
    { role: "assistant" as const, content: "b" },
  ];
  const run = (options: Partial<MultiturnSimulationParams>) =>
    runMultiturnSimulation({ app: echo, user: ["a"], maxTurns: 1, ...options });

  it("score the trajectory", async () => {
    const judge = createLLMAsJudge({
      prompt: "Was {outputs} like {reference_outputs}?",
      feedbackKey: "alike",
      judge: ({ messages }) => ({
        score: messages[0]?.content.includes('"content":"You said: a"'),
        reasoning: "",
      }),
    });
    const { evaluatorResults, evaluatorErrors } = await run({
      trajectoryEvaluators: [createTrajectoryMatchEvaluator(), judge, exactMatch],
      referenceOutputs: reference,
    });
    expect(evaluatorResults).toMatchObject([
      { key: "trajectory_strict_match", score: true },
      { key: "alike", score: true },
      { key: "exact_match", score: false },
    ]);
    expect(evaluatorErrors).toEqual([]);
  });

  it("are called with the trajectory and the reference, in either spelling", async () => {
    for (const name of ["referenceOutputs", "reference_outputs"]) {
      const calls: unknown[] = [];
      const evaluator = (params: unknown) => {
        calls.push(params);
        return { key: "k", score: 1 };
      };
      const { trajectory } = await run({ trajectoryEvaluators: [evaluator], [name]: reference });
      expect(calls).toEqual([{ outputs: trajectory, referenceOutputs: reference }]);
      expect((calls[0] as { referenceOutputs: unknown }).referenceOutputs).toBe(reference);
    }
  });

  it("may return several results, which stay in order", async () => {
    let finish = () => {};
    const second = new Promise<void>((resolve) => {
      finish = resolve;
    });
    const { evaluatorResults } = await run({
      trajectoryEvaluators: [
        async () => {
          await second;
          return [
            { key: "a", score: 1 },
            { key: "b", score: 2 },
          ];
        },
        () => {
          finish();
          return { key: "c", score: 3 };
        },
        () => [],
      ],
    });
    expect(evaluatorResults.map(({ key }) => key)).toEqual(["a", "b", "c"]);
  });

  it.each<[string, unknown]>([
    ["a score that is a text", { key: "k", score: "1" }],
    ["NaN", { key: "k", score: Number.NaN }],
    ["an undefined score", { key: "k", score: undefined }],
    ["an object as score", { key: "k", score: {} }],
    ["no key", { score: true }],
    ["a key that is a number", { key: 5, score: true }],
    [
      "a list with one of these",
      [
        { key: "a", score: 1 },
        { key: "b", score: "yes" },
      ],
    ],
  ])("that return %s fail", async (_, returned) => {
    const { evaluatorResults, evaluatorErrors } = await run({
      trajectoryEvaluators: [() => returned as never],
    });
    expect(evaluatorResults).toEqual([]);
    expect(evaluatorErrors).toMatchObject([
      {
        evaluator: 0,
        error: { code: "invalid_input", message: expect.stringContaining("a result has a key") },
      },
    ]);
  });

  it("may return no score if they do not apply, or a value", async () => {
    const results = [{ key: "a", score: null }, { key: "b", value: { tone: "warm" } }, { tone: "warm" }];
    const { evaluatorResults } = await run({
      trajectoryEvaluators: results.map((one) => () => one as never),
    });
    expect(evaluatorResults).toEqual(results);
  });

  it("that fail are reported beside those that succeed", async () => {
    const ours = new OpenEvalsError("refused", "The model declined.", { attempts: 2 });
    const { trajectory, evaluatorResults, evaluatorErrors } = await run({
      trajectoryEvaluators: [
        () => Promise.reject(ours),
        () => ({ key: "turns", score: 1 }),
        () => {
          throw "a text";
        },
        (() => undefined) as never,
        createTrajectoryMatchEvaluator(),
      ],
    });
    expect(trajectory).toHaveLength(2);
    expect(evaluatorResults).toEqual([{ key: "turns", score: 1 }]);
    expect(evaluatorErrors.map(({ evaluator, error }) => [evaluator, error.code, error.message])).toEqual([
      [0, "refused", "trajectoryEvaluators[0]: The model declined."],
      [2, "callback_failed", "trajectoryEvaluators[2] failed: a text"],
      [3, "invalid_input", expect.stringContaining("trajectoryEvaluators[3]: it returned no result")],
      [4, "invalid_input", expect.stringContaining("trajectoryEvaluators[4]: ")],
    ]);
    expect(evaluatorErrors.every(({ error }) => error instanceof OpenEvalsError)).toBe(true);
    expect(evaluatorErrors[0]?.error.attempts).toBe(2);
    expect(evaluatorErrors[1]?.error.cause).toBe("a text");
  });
});
