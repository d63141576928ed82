/** Functions have the names of their exports, and evaluators those of their results. */

import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import * as ours from "openevals-wasm";
import * as checks from "openevals-wasm/checks";
import { evaluate, evaluateComparative } from "openevals-wasm/evaluation";
import * as judges from "openevals-wasm/judges";
import { expect, test } from "vitest";
import { errorOf } from "./error-of.js";

const folder = new URL("../node_modules/openevals-wasm/", import.meta.url);
const { exports } = JSON.parse(readFileSync(new URL("package.json", folder), "utf8")) as {
  exports: Record<string, unknown>;
};
/** The entry points of other runtimes and of test runners cannot be imported here. */
const entries = Object.keys(exports).filter(
  (name) => /^\.(?:\/[a-z/0-9]+)?$/.test(name) && !/vitest/.test(name),
);
const require = createRequire(import.meta.url);

test.each(entries)("%s", async (entry) => {
  const name = `openevals-wasm${entry.slice(1)}`;
  for (const module of [await import(name), require(name)] as Record<string, unknown>[]) {
    const wrong: string[] = [];
    for (const [key, value] of Object.entries(module)) {
      if (typeof value !== "function" || !/^(?!default$)[a-z_]/.test(key)) continue;
      const { feedbackKey, key: own = feedbackKey } = value as { feedbackKey?: string; key?: string };
      const isEvaluator = "batch" in value;
      if (isEvaluator ? value.name === "" || (own && value.name !== own) : value.name !== key)
        wrong.push(`${key} is ${value.name}`);
    }
    expect(wrong).toEqual([]);
  }
});

const judge = () => ({ score: true, reasoning: "" });
test.each<[() => { name: string }, string]>([
  [() => ours.exactMatch, "exact_match"],
  [() => ours.levenshteinDistance, "levenshtein_distance"],
  [() => ours.trajectoryStrictMatch, "trajectory_strict_match"],
  [() => ours.graphTrajectoryStrictMatch, "graph_trajectory_strict_match"],
  [() => ours.createTrajectoryMatchEvaluator(), "trajectory_strict_match"],
  [() => ours.createJsonMatchEvaluator(), "json_match_evaluator"],
  [() => ours.createLLMAsJudge({ prompt: "{outputs}", judge, feedbackKey: "polite" }), "polite"],
  [() => ours.createTrajectoryLLMAsJudge({ judge }), "trajectory_accuracy"],
  [() => judges.createJury({ judges: [judge] as never }), "jury"],
  [() => judges.createPairwiseJudge({ judge }), "preference"],
  [() => checks.noPII({ negate: true }), "not_no_pii"],
  [() => checks.allOf([checks.noPII()]), "all_of"],
])("an evaluator is named after its key: %#", (make, name) => {
  expect(make().name).toBe(name);
});

test.each<[string, unknown]>([
  ["noPII", checks.noPII],
  ["contains", checks.contains],
  ["containsAny", checks.containsAny],
  ["matches", checks.matches],
  ["length", checks.length],
  ["language", checks.language],
  ["jsonSchema", checks.jsonSchema],
  ["validSql", checks.validSql],
  ["createLLMAsJudge", ours.createLLMAsJudge],
  ["createJsonMatchEvaluator", ours.createJsonMatchEvaluator],
])("%s, passed instead of its result, ends the run", async (name, maker) => {
  const message = `${name} makes evaluators: write ${name}()`;
  for (const evaluators of [[maker], [checks.allOf([maker as never])], [checks.noPII(), maker]]) {
    let calls = 0;
    const error = await errorOf(
      evaluate(() => `${++calls}`, {
        data: Array.from({ length: 50 }, () => ({ inputs: { question: "?" }, outputs: "a" })),
        evaluators: evaluators as never,
        maxConcurrency: 1,
      }),
    );
    expect(error).toMatchObject({ code: "invalid_config", message: expect.stringContaining(message) });
    // No row is scored, and no further row costs anything.
    expect(error.experiment?.rows ?? []).toEqual([]);
    expect(calls).toBe(1);
  }
});

test("a factory instead of an evaluator ends a comparison, too", async () => {
  const experiment = () =>
    evaluate((inputs) => inputs, { data: [{ inputs: "a" }], evaluators: [checks.noPII()] });
  const error = await errorOf(
    evaluateComparative([await experiment(), await experiment()], {
      evaluators: [judges.createPairwiseJudge as never],
    }),
  );
  expect(error).toMatchObject({
    code: "invalid_config",
    message: expect.stringContaining("write createPairwiseJudge()"),
  });
});
