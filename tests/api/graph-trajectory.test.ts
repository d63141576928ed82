/** Graph trajectory match in all modes. */
import {
  createGraphTrajectoryMatchEvaluator,
  type GraphTrajectory,
  graphTrajectoryStrictMatch,
  OpenEvalsError,
} from "openevals-wasm";
import { describe, expect, it, test } from "vitest";
import { errorOf } from "./error-of.ts";

const MODES = ["strict", "unordered", "subset", "superset"] as const;
const graph = (...steps: string[][]): GraphTrajectory => ({ results: [], steps });
const evaluators = MODES.map((graphTrajectoryMatchMode) =>
  createGraphTrajectoryMatchEvaluator({ graphTrajectoryMatchMode }),
);

describe("modes", () => {
  const reference = graph(["__start__", "agent", "tools", "agent"], ["agent"]);

  it.each([
    ["the same", reference, [true, true, true, true]],
    ["another order", graph(["agent", "agent", "tools", "__start__"], ["agent"]), [false, true, true, true]],
    ["a step less", graph(["__start__", "tools", "agent"], ["agent"]), [false, false, true, false]],
    [
      "a step more",
      graph(["__start__", "agent", "tools", "agent"], ["agent", "tools"]),
      [false, false, false, true],
    ],
    [
      "a step in another turn",
      graph(["__start__", "agent", "tools"], ["agent", "agent"]),
      [false, false, false, false],
    ],
    ["a turn less", graph(["__start__", "agent", "tools", "agent"]), [false, false, true, false]],
    [
      "an empty turn more",
      graph(["__start__", "agent", "tools", "agent"], ["agent"], []),
      [false, true, true, true],
    ],
  ])("%s", async (_, outputs, expected) => {
    const row = { outputs, referenceOutputs: reference };
    for (const [index, evaluator] of evaluators.entries()) {
      const result = await evaluator(row);
      const key = `graph_trajectory_${MODES[index]}_match`;
      expect(result).toEqual({
        key,
        score: expected[index],
        ...(!expected[index] && { comment: expect.any(String) }),
      });
      expect(await evaluator.batch([row, row])).toEqual([result, result]);
    }
    expect(await graphTrajectoryStrictMatch(row)).toEqual(await evaluators[0]?.(row));
  });

  test("a mismatch names the turn and the step", async () => {
    const outputs = graph(["agent"], ["tools", "tools"]);
    const comments = evaluators.map(
      async (evaluator) =>
        (await evaluator({ outputs, referenceOutputs: graph(["agent"], ["tools"]) })).comment,
    );
    expect(await Promise.all(comments)).toEqual([
      'steps[1][1]: "tools" is one step more than the reference has',
      'steps[1]: "tools" occurs 2× instead of 1×',
      'steps[1]: "tools" occurs 2× instead of 1×',
      undefined,
    ]);
  });
});

test("strict is the default", async () => {
  const outputs = graph(["a"]);
  const result = await createGraphTrajectoryMatchEvaluator()({ outputs, referenceOutputs: outputs });
  expect(result).toEqual({ key: "graph_trajectory_strict_match", score: true });
});

test("unknown modes and options, and invalid steps, are errors", async () => {
  for (const options of [{ graphTrajectoryMatchMode: "loose" }, { trajectoryMatchMode: "strict" }]) {
    expect(() => createGraphTrajectoryMatchEvaluator(options as never)).toThrow(OpenEvalsError);
  }
  const evaluator = createGraphTrajectoryMatchEvaluator({ graphTrajectoryMatchMode: "subset" });
  const outputs = graph(["a"]);
  const cases = [
    [{ outputs }, "needs referenceOutputs"],
    [{ outputs, referenceOutputs: { results: [] } }, "referenceOutputs has no steps"],
    [{ outputs: { steps: ["a"] }, referenceOutputs: outputs }, "outputs.steps[0] is a string"],
  ] as const;
  for (const [row, words] of cases) {
    const error = await errorOf(evaluator(row as never));
    expect(error).toMatchObject({ code: "invalid_input", message: expect.stringContaining(words) });
    const batched = await errorOf(evaluator.batch([{ outputs, referenceOutputs: outputs }, row as never]));
    expect(batched.message).toContain("rows[1]");
  }
});
