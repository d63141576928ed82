/**
 * `referenceOutputs` and `reference_outputs` are the same parameter: passing different values for both is an
 * error.
 */

import {
  createEmbeddingSimilarityEvaluator,
  createGraphTrajectoryLLMAsJudge,
  createJsonMatchEvaluator,
  createLLMAsJudge,
  createTrajectoryLLMAsJudge,
  createTrajectoryMatchEvaluator,
  exactMatch,
  graphTrajectoryStrictMatch,
  levenshteinDistance,
  runMultiturnSimulation,
} from "openevals-wasm";
import { accuracy, evaluate } from "openevals-wasm/evaluation";
import { expect, test } from "vitest";
import { errorOf } from "./error-of.js";

const judge = () => ({ score: true, reasoning: "It is." });
const said = (content: string) => [{ role: "user" as const, content }];
const graph = (step: string) => ({ results: ["x"], steps: [[step]] });

/** Calls with two different references. */
const CALLS: [name: string, call: (params: any) => Promise<unknown>, one: unknown, other: unknown][] = [
  ["exactMatch", exactMatch, { a: 1 }, { a: 2 }],
  ["a batch", (params) => exactMatch.batch([params]), 1, 2],
  ["levenshteinDistance", levenshteinDistance, "a", "b"],
  ["JSON match", createJsonMatchEvaluator({ aggregator: "all" }), { a: 1 }, { a: 2 }],
  ["embeddings", createEmbeddingSimilarityEvaluator({ embeddings: async () => [1, 2] }), "a", "b"],
  ["trajectories", createTrajectoryMatchEvaluator(), said("a"), said("b")],
  ["graphs", graphTrajectoryStrictMatch, graph("a"), graph("b")],
  ["a judge", createLLMAsJudge({ prompt: "{outputs} {reference_outputs}", judge }), "a", "b"],
  ["a judge that is not shown it", createLLMAsJudge({ prompt: "{outputs}", judge }), "a", "b"],
  ["a prompt function", createLLMAsJudge({ prompt: () => said("?"), judge }), "a", "b"],
  ["a judge of trajectories", createTrajectoryLLMAsJudge({ judge }), said("a"), said("b")],
  ["a judge of graphs", createGraphTrajectoryLLMAsJudge({ judge }), graph("a"), graph("b")],
  ["a summary evaluator", accuracy(), ["a"], ["b"]],
  ["rows of data", (row) => evaluate(undefined, { data: [row] }), "a", "b"],
  [
    "a simulation",
    async ({ outputs: _, ...params }) =>
      runMultiturnSimulation({ app: () => said("Hi")[0] as never, user: ["Hi"], maxTurns: 1, ...params }),
    "a",
    "b",
  ],
];

test.each(CALLS)("%s", async (_, call, one, other) => {
  const ofGraph = typeof one === "object" && "steps" in (one as object) ? { inputs: ["q"] } : undefined;
  const params = { ...ofGraph, outputs: one };
  const error = await errorOf(call({ ...params, referenceOutputs: one, reference_outputs: other }));
  expect(error.code).toBe("invalid_input");
  expect(error.message).toMatch(/referenceOutputs and \S*reference_outputs differ\./);
  // Equal values are accepted.
  const copy = structuredClone(one);
  await call({ ...params, referenceOutputs: one, reference_outputs: copy });
  await call({ ...params, referenceOutputs: one, reference_outputs: undefined });
});
