import { createJsonMatchEvaluator, type EvaluatorResult } from "openevals-wasm";
import { test } from "vitest";
import { compare, inGroups } from "./compare.ts";
import { cases } from "./json-match.cases.ts";
import { differences, type Question, reference } from "./json-match.differences.ts";

/** The reference has no comments on differences. */
const withoutComments = (results: EvaluatorResult[]) => results.map(({ comment: _, ...result }) => result);

test("json match agrees with the reference", async () => {
  await compare<Question>({
    name: "json match",
    cases,
    ours: async ({ options, outputs, referenceOutputs }) => {
      return withoutComments(await createJsonMatchEvaluator(options)({ outputs, referenceOutputs }));
    },
    batch: (inputs) =>
      inGroups(
        inputs,
        ({ options }) => options,
        async (group) => {
          return (await createJsonMatchEvaluator(group[0]?.options).batch(group)).map(withoutComments);
        },
      ),
    reference: async (input) => (await reference(input)).map(({ results }) => results),
    differences,
    outcome: (results) => {
      const scores = (results as { score: number }[]).map(({ score }) => score);
      if (scores.length === 0) return "no key";
      return scores.every((score) => score === 1)
        ? "all 1"
        : scores.every((score) => score === 0)
          ? "all 0"
          : "mixed";
    },
    often: ["all 1", "all 0", "mixed"],
  });
});
