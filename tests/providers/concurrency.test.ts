/** Concurrent requests: all at once, or up to `maxConcurrency`. */
import { createLLMAsJudge, initChatModel } from "openevals-wasm";
import { evaluate } from "openevals-wasm/evaluation";
import { expect, it } from "vitest";
import { errorOf, providerNamed, YES } from "./judges.js";
import { completion, failure } from "./servers/openai.js";
import { sharedServer } from "./shared-server.js";

const openai = providerNamed("OpenAI");
const server = sharedServer(() => openai.start());

type Settings = NonNullable<Parameters<typeof initChatModel>[1]>;
const judgeOf = (settings: Settings = {}) =>
  createLLMAsJudge({
    prompt: "{outputs}",
    judge: initChatModel(openai.model, { ...openai.options(server), ...settings }),
  });

/** An event that the test triggers later. */
function later() {
  let happens!: () => void;
  const happened = new Promise<void>((resolve) => {
    happens = resolve;
  });
  return { happened, happens };
}

/** The prompts that the server got, in the order of arrival. */
const asked = () => server.requests.map(({ body }) => body.messages[0].content);
const arrived = (count: number) => expect.poll(() => server.requests.length, { interval: 1 }).toBe(count);

/** Answers that count concurrent requests; each waits for a turn of the event loop, or for the test. */
function answers(count: number, until = () => new Promise<void>((turn) => setImmediate(turn))) {
  const seen = { now: 0, most: 0 };
  for (let i = 0; i < count; i++) {
    server.script.push(async () => {
      seen.most = Math.max(seen.most, ++seen.now);
      await until();
      seen.now--;
      return completion(YES);
    });
  }
  return seen;
}

it.each([[1], [3], [16]])("are limited to maxConcurrency: %d", async (maxConcurrency) => {
  const seen = answers(60);
  const judge = judgeOf({ maxConcurrency });
  const results = await Promise.all(Array.from({ length: 60 }, (_, row) => judge({ outputs: `row ${row}` })));
  expect(results.every(({ score }) => score === true)).toBe(true);
  expect(seen.most).toBeLessThanOrEqual(maxConcurrency);
  expect(new Set(asked()).size).toBe(60);
});

it("of an experiment end with it: those that run, and those that wait for a slot, a limit or a retry", async () => {
  const gate = later();
  answers(3, () => gate.happened);
  const model = initChatModel(openai.model, { ...openai.options(server), maxConcurrency: 3 });
  const judge = createLLMAsJudge({ prompt: "{outputs}", judge: model });
  const evaluators = [judge];
  const data = Array.from({ length: 40 }, (_, row) => ({ inputs: row, outputs: `row ${row}` }));
  const stop = new AbortController();
  const experiment = evaluate(undefined, { data, evaluators, maxConcurrency: 40, signal: stop.signal });
  await arrived(3);
  stop.abort();
  const { stopped, rows } = await experiment;
  expect([stopped?.code, rows.length]).toEqual(["aborted", 0]);
  gate.happens();
  // Another question gets a slot after all that wait.
  server.script.push(completion(YES));
  expect((await judge({ outputs: "later" })).score).toBe(true);
  expect(asked()).toEqual(["row 0", "row 1", "row 2", "later"]);

  // A retry that is due in a minute, in the only slot.
  const one = judgeOf({ maxConcurrency: 1 });
  const retried = later();
  server.script.push(() => {
    retried.happens();
    return failure(503, "busy", { "retry-after": "60" });
  });
  const again = new AbortController();
  const waiting = evaluate(undefined, { data: [data[0]!], evaluators: [one], signal: again.signal });
  await retried.happened;
  again.abort();
  expect((await waiting).stopped?.code).toBe("aborted");
  server.script.push(completion(YES));
  expect((await one({ outputs: "last" })).score).toBe(true);
});

it("use all slots", async () => {
  const gate = later();
  const seen = answers(8, () => gate.happened);
  const judge = judgeOf({ maxConcurrency: 4 });
  const results = Array.from({ length: 8 }, (_, row) => judge({ outputs: `row ${row}` }));
  await arrived(4);
  expect(seen.now).toBe(4);
  gate.happens();
  await Promise.all(results);
  expect(seen.most).toBe(4);
});

it("are sent in the order of arrival", async () => {
  answers(20);
  const judge = judgeOf({ maxConcurrency: 1 });
  await Promise.all(Array.from({ length: 20 }, (_, row) => judge({ outputs: `row ${row}` })));
  expect(asked()).toEqual(Array.from({ length: 20 }, (_, row) => `row ${row}`));
});

it("share the limit of the model, batches included", async () => {
  const seen = answers(30);
  const judge = initChatModel(openai.model, { ...openai.options(server), maxConcurrency: 2 });
  const evaluators = ["{outputs}", "a {outputs}", "b {outputs}"].map((prompt) =>
    createLLMAsJudge({ prompt, judge }),
  );
  const rows = Array.from({ length: 10 }, (_, row) => ({ outputs: `row ${row}` }));
  const results = await Promise.all(evaluators.map((evaluator) => evaluator.batch(rows)));
  expect(results.flat()).toHaveLength(30);
  expect(seen.most).toBe(2);
});

it("waiting for a slot does not count towards timeoutMs", async () => {
  // Three in a row, each of which takes more than half of the timeout.
  answers(3, () => new Promise((later) => setTimeout(later, 250)));
  const judge = judgeOf({ maxConcurrency: 1, timeoutMs: 450, maxRetries: 0 });
  const results = await Promise.all(Array.from({ length: 3 }, (_, row) => judge({ outputs: `row ${row}` })));
  expect(results).toHaveLength(3);
});

it("a failure frees its slot", async () => {
  server.script.push(failure(400, "No"), { fault: "reset" }, completion(YES));
  const judge = judgeOf({ maxConcurrency: 1, maxRetries: 0 });
  const outcomes = await Promise.allSettled([1, 2, 3].map((row) => judge({ outputs: `row ${row}` })));
  expect(outcomes.map(({ status }) => status)).toEqual(["rejected", "rejected", "fulfilled"]);
});

it("a timeout frees its slot", async () => {
  server.script.push({ fault: "stall" }, completion(YES));
  const judge = judgeOf({ maxConcurrency: 1, maxRetries: 0, timeoutMs: 300 });
  const outcomes = await Promise.allSettled([1, 2].map((row) => judge({ outputs: `row ${row}` })));
  expect(outcomes.map(({ status }) => status)).toEqual(["rejected", "fulfilled"]);
});

it("abort ends the wait, and nothing more is sent", async () => {
  const controller = new AbortController();
  server.script.push({ fault: "stall" });
  const judge = judgeOf({ maxConcurrency: 1, signal: controller.signal });
  const errors = Array.from({ length: 20 }, (_, row) => errorOf(judge({ outputs: `row ${row}` })));
  await arrived(1);
  controller.abort();
  for (const error of await Promise.all(errors)) expect(error.code).toBe("aborted");
  expect(server.requests).toHaveLength(1);
});

it("repeated requests respect the limit", async () => {
  const seen = { now: 0, most: 0 };
  const first = new Set<string>();
  for (let i = 0; i < 12; i++) {
    server.script.push(async ({ body }) => {
      seen.most = Math.max(seen.most, ++seen.now);
      await new Promise((turn) => setImmediate(turn));
      seen.now--;
      const row = body.messages[0].content;
      if (first.has(row)) return completion(YES);
      first.add(row);
      return row < "row 3" ? completion("Hm.") : failure(503, "Busy", { "retry-after": "0" });
    });
  }
  const judge = judgeOf({ maxConcurrency: 2 });
  const rows = Array.from({ length: 6 }, (_, row) => ({ outputs: `row ${row}` }));
  for (const { score, metadata } of await judge.batch(rows)) {
    expect({ score, attempts: metadata.attempts }).toEqual({ score: true, attempts: 2 });
  }
  expect(seen.most).toBeLessThanOrEqual(2);
  expect(server.requests).toHaveLength(12);
});

it.each([
  ["without a limit", {}],
  ["with one", { maxConcurrency: 25 }],
])("a thousand at once all finish, %s", async (_, settings) => {
  server.script.push(...Array.from({ length: 1000 }, () => completion(YES)));
  const judge = judgeOf(settings);
  const results = await Promise.all(
    Array.from({ length: 1000 }, (_, row) => judge({ outputs: `row ${row}` })),
  );
  expect(results.every(({ score }) => score === true)).toBe(true);
  expect(new Set(asked()).size).toBe(1000);
});

it.each([0, -1, 1.5, Number.NaN, "3"])("maxConcurrency: %j is refused", (maxConcurrency) => {
  expect(() => initChatModel(openai.model, { maxConcurrency: maxConcurrency as number })).toThrow(
    expect.objectContaining({ code: "invalid_config", message: expect.stringContaining("maxConcurrency") }),
  );
});
