/** G-Eval in experiments: recorded and replayed, in batches, with other evaluators. */
import { initChatModel } from "openevals-wasm";
import { type Cache, type EvaluateOptions, evaluate } from "openevals-wasm/evaluation";
import { createGEval, type GEvalOptions } from "openevals-wasm/judges";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { BatchServer } from "../providers/servers/batches.js";
import { toldBy } from "../providers/servers/logprobs.js";
import type { Json, Loopback, Step } from "../providers/servers/loopback.js";
import { completion, startOpenAI } from "../providers/servers/openai.js";
import { APIS, KEY } from "./batch-apis.js";

let server: Loopback | undefined;
beforeEach(async () => {
  server = await startOpenAI(KEY);
  vi.stubEnv("OPENAI_BASE_URL", `${server.url}/v1`);
  vi.stubEnv("OPENAI_API_KEY", KEY);
});
afterEach(async () => {
  vi.unstubAllEnvs();
  await server?.close();
});

/** The answers of a model that writes steps and rates, with probabilities if `tells` is true. */
function answerTo(body: Json, tells: boolean): Step {
  if (body.response_format.json_schema.name === "steps") return completion('{"steps": ["Rate it."]}');
  const step = completion('{"score": 4, "reasoning": "Well."}');
  return tells && body.logprobs ? toldBy(step, { 4: 0.5, 5: 0.5 }) : step;
}

const answers = (tells: boolean, count: number) => {
  server!.script.push(
    ...Array.from(
      { length: count },
      () =>
        ({ body }: Json) =>
          answerTo(body, tells),
    ),
  );
};
const rater = (options: GEvalOptions = {}) =>
  createGEval({ criteria: "Coherence", model: "openai:gpt-5.4", samples: 3, ...options });
const DATA = ["a", "b", "c"].map((outputs) => ({ outputs }));
const run = (cache: Cache, options: Partial<EvaluateOptions> = {}) =>
  evaluate(undefined, {
    data: DATA,
    evaluators: [rater()],
    maxConcurrency: 2,
    ...options,
    judges: { cache, ...options.judges },
  });
const resultsOf = ({ rows }: Awaited<ReturnType<typeof run>>) =>
  rows.map(({ evaluationResults: [result] }) => result as Json);

it.each([
  ["probabilities", true, 1 + 3, 0.875],
  ["samples", false, 1 + 3 * 3, 0.75],
] as const)("%s are recorded and replayed, with the steps", async (_, tells, requests, score) => {
  answers(tells, 30);
  const cache = new Map<string, string>();
  const recorded = resultsOf(await run(cache, { numRepetitions: 1 }));
  expect(server!.requests).toHaveLength(requests);
  expect(server!.requests[0]?.body.temperature).toBe(1);
  expect(cache.size).toBe(requests);
  expect(recorded.map((result) => result.score)).toEqual([score, score, score]);

  await server!.close();
  const replayed = resultsOf(await run(cache, { judges: { cacheMode: "replay" } }));
  const same = ({ metadata, ...result }: Json) => ({
    ...result,
    metadata: { ...metadata, latencyMs: 0, attempts: 0, cached: true },
  });
  expect(replayed.map(same)).toEqual(recorded.map(same));
});

it("steps are shared by repetitions, whichever needs them first", async () => {
  answers(true, 30);
  const cache = new Map<string, string>();
  await run(cache, { numRepetitions: 2 });
  const steps = [...cache.values()]
    .map((text) => JSON.parse(text))
    .filter(({ form }) => form?.name === "steps");
  expect(steps.map(({ repetition }) => repetition)).toEqual([0]);
  expect(cache.size).toBe(1 + 6);
});

it("the usage of an experiment includes samples and steps", async () => {
  answers(false, 30);
  const { usage } = await run(new Map());
  expect(usage).toMatchObject({ inputTokens: 10 * 120, outputTokens: 10 * 30 });
});

it("batches include the steps, ratings with probabilities, and samples", async () => {
  const api = APIS.openai;
  const batches = await BatchServer.start(api.face, {
    answer: (body: Json) => answerTo(body, body.messages[0].content.includes("\na\n")),
  });
  for (const [variable, value] of Object.entries(api.env(batches.url))) vi.stubEnv(variable, value);
  const evaluators = [rater({ model: undefined, judge: initChatModel(api.model, { temperature: 1 }) })];
  const results = resultsOf(
    await evaluate(undefined, { data: DATA, evaluators, judges: { mode: "batch", batch: { pollMs: 5 } } }),
  );
  expect(results.map(({ metadata }) => metadata.method)).toEqual(["logprobs", "samples", "samples"]);
  expect(results.every(({ metadata }) => metadata.batched)).toBe(true);
  // How many ratings are ready together is a matter of time.
  expect([3, 4]).toContain(batches.count(api.submits));
  expect([batches.submitted, batches.singles]).toEqual([1 + 3 + 4, 0]);
  await batches.down();
});
