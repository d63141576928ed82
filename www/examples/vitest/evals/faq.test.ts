import { createLLMAsJudge, levenshteinDistance } from "openevals-wasm";
import { directoryCache, evaluate, formatExperiment } from "openevals-wasm/evaluation";
import "openevals-wasm/vitest";
import { expect, test } from "vitest";
import { answer } from "../src/faq.ts";

test("the answer on returns stays what it is, more or less", async () => {
  const referenceOutputs = "You can return everything within 30 days.";
  await expect(await answer("May I return this?")).toPassEvaluator(levenshteinDistance, {
    referenceOutputs,
    passAt: 0.9,
  });
});

const CORRECT_PROMPT = `A customer asked a shop: {inputs}
The shop answered: {outputs}
What is true is: {reference_outputs}
Does the answer tell the customer what is true, and nothing that is not?`;

test("answers are correct", async () => {
  const experiment = await evaluate(answer, {
    data: "evals/questions.jsonl",
    evaluators: [
      createLLMAsJudge({ prompt: CORRECT_PROMPT, feedbackKey: "correct", model: "openai:gpt-5.4-mini" }),
    ],
    // The judge's answers are committed: only changed questions are asked again, and in CI they fail.
    judges: {
      cache: directoryCache("evals/cache"),
      cacheMode: process.env.CI ? "replay" : "auto",
    },
  });
  console.log(formatExperiment(experiment));
  const { correct } = experiment.aggregates;
  expect(correct).toMatchObject({ count: 4, errors: 0 });
  // One question is known to be misunderstood; more than that is a step back.
  expect(correct?.mean).toBeGreaterThanOrEqual(0.75);
});
