/** A missing key is an error before the first row: the target has not run, and nothing is written. */
import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  createCodeLLMAsJudge,
  createJsonMatchEvaluator,
  createLLMAsJudge,
  createTrajectoryLLMAsJudge,
  initChatModel,
} from "openevals-wasm";
import { allOf } from "openevals-wasm/checks";
import { createTypeScriptEvaluator } from "openevals-wasm/code/typescript";
import { evaluate, evaluateComparative, type RowEvaluator } from "openevals-wasm/evaluation";
import { createGEval, createJury, createPairwiseJudge } from "openevals-wasm/judges";
import { CheckCriteriaEvaluator, ClaimVerificationEvaluator } from "openevals-wasm/recipes";
import { afterEach, beforeEach, expect, it, vi } from "vitest";

beforeEach(() => {
  for (const name of ["OPENAI_API_KEY", "OPENAI_BASE_URL", "AWS_ACCESS_KEY_ID", "AWS_BEARER_TOKEN_BEDROCK"])
    vi.stubEnv(name, undefined);
});
afterEach(() => vi.unstubAllEnvs());

const model = "openai:gpt-5.4";
const prompt = "Is {outputs} polite?";
const judge = createLLMAsJudge({ prompt, model, feedbackKey: "polite" });
const data = [{ inputs: "a", referenceOutputs: "b" }];

/** The error of an experiment, and the number of calls of its target. */
async function refused(evaluators: readonly RowEvaluator[], more = {}) {
  let calls = 0;
  const target = () => {
    calls++;
    return "b";
  };
  const run = evaluate(target, { data, evaluators, progress: false, ...more });
  const error = await run.then(
    ({ rows }) => rows[0]?.errors[0]?.error,
    (error) => error,
  );
  return { code: error?.code, message: error?.message, experiment: error?.experiment, calls };
}

it.each<[string, RowEvaluator]>([
  ["a judge", judge],
  ["a judge with several samples", createLLMAsJudge({ prompt, model, samples: 3 })],
  ["a judge at a temperature", createLLMAsJudge({ prompt, judge: initChatModel(model), temperature: 1 })],
  ["one with a mapping of its own", { evaluator: judge, mapInputs: () => ({}) }],
  ["a judge of trajectories", createTrajectoryLLMAsJudge({ model })],
  ["a judge of code", createCodeLLMAsJudge({ prompt, model })],
  [
    "code that a model takes out of the text",
    createTypeScriptEvaluator({ codeExtractionStrategy: "llm", model }),
  ],
  ["JSON match with a rubric", createJsonMatchEvaluator({ rubric: { name: "alike" }, model })],
  ["JSON match with a judge for a key", createJsonMatchEvaluator({ evaluators: { name: judge } })],
  ["G-Eval", createGEval({ criteria: "polite", model })],
  ["one of a jury", createJury({ judges: [() => true, () => true, judge] })],
  ["a part of a combination", allOf([() => true, judge])],
  ["a recipe", new CheckCriteriaEvaluator({ criteria: ["polite"], model })],
  [
    "one of the models of a recipe",
    new ClaimVerificationEvaluator({ model: () => ({}), verificationModel: model }),
  ],
])("%s", async (_, evaluator) => {
  const { code, message, calls, experiment } = await refused([evaluator]);
  expect({ code, calls, experiment }).toEqual({ code: "invalid_config", calls: 0, experiment: undefined });
  expect(message).toMatch(
    /^[\w[\]]+: openai:gpt-5\.4 needs a key: set OPENAI_API_KEY in the environment, or pass apiKey\.$/,
  );
});

it("names the evaluator; the key is checked at the start, before a file is written", async () => {
  const folder = await mkdtemp(join(tmpdir(), "missing-key-"));
  const sink = join(folder, "rows.jsonl");
  expect((await refused([judge], { output: { sink } })).message).toMatch(/^polite: /);
  expect(existsSync(sink)).toBe(false);
  await rm(folder, { recursive: true });
  vi.stubEnv("OPENAI_API_KEY", "sk-late");
  const { calls, message } = await refused([
    createLLMAsJudge({
      prompt,
      judge: initChatModel(model, { maxRetries: 0, fetch: () => Promise.reject(new Error("no network")) }),
    }),
  ]);
  expect([calls, message]).toEqual([1, expect.stringContaining("no network")]);
});

it("AWS credentials are checked, too", async () => {
  const bedrock = createLLMAsJudge({
    prompt,
    judge: initChatModel("bedrock:amazon.nova-lite-v1:0", { region: "eu-west-1" }),
  });
  expect(await refused([bedrock])).toMatchObject({
    code: "invalid_config",
    calls: 0,
    message: expect.stringMatching(/^score: bedrock:\S+ needs a key or credentials/),
  });
});

it("key functions, and models without a key, are not checked", async () => {
  let asked = 0;
  const apiKey = () => {
    asked++;
    throw new Error("The vault is closed");
  };
  const later = createLLMAsJudge({ prompt, judge: initChatModel(model, { apiKey }), feedbackKey: "later" });
  const own = createLLMAsJudge({ prompt, judge: () => ({ score: true }), feedbackKey: "own" });
  const noCriteria = new CheckCriteriaEvaluator({ model });
  const { code, calls } = await refused([later, own, noCriteria]);
  expect({ code, calls, asked }).toEqual({ code: "callback_failed", calls: 1, asked: 1 });
});

it("a cache may have all answers, unless it records", async () => {
  const cache = new Map<string, string>();
  expect(await refused([judge], { judges: { cache } })).toMatchObject({ code: "invalid_config", calls: 1 });
  expect(await refused([judge], { judges: { cache, cacheMode: "replay" } })).toMatchObject({
    code: "cache_miss",
    calls: 1,
  });
  expect(await refused([judge], { judges: { cache, cacheMode: "record" } })).toMatchObject({
    code: "invalid_config",
    calls: 0,
  });
});

it("evaluateComparative: no evaluator is called", async () => {
  const answers = (experimentPrefix: string) =>
    evaluate(() => "b", { data, experimentPrefix, progress: false });
  let calls = 0;
  const count = ({ runs }: { runs: { id: string }[] }) => {
    calls++;
    return { key: "first", scores: Object.fromEntries(runs.map(({ id }) => [id, 1])) };
  };
  const compared = evaluateComparative([answers("a"), answers("b")], {
    evaluators: [count, createPairwiseJudge({ model })],
    progress: false,
  });
  await expect(compared).rejects.toMatchObject({
    code: "invalid_config",
    message: expect.stringMatching(/^preference: openai:gpt-5\.4 needs a key/),
  });
  expect(calls).toBe(0);
});
