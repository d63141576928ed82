import { inspect } from "node:util";
import {
  createLLMAsJudge,
  exactMatch,
  type JudgeRequest,
  levenshteinDistance,
  type OpenEvalsError,
} from "openevals-wasm";
import { contains } from "openevals-wasm/checks";
import { type Drift, type OnlineOutcome, online, recordResults } from "openevals-wasm/otel";
import { contextRelevance } from "openevals-wasm/rag";
import { createReadabilityEvaluator } from "openevals-wasm/text";
import { expect, onTestFinished, test, vi } from "vitest";
import { neverAnswers } from "../api/never-answers.js";
import { seeded } from "../random.ts";

const right = ({ outputs }: { outputs: unknown }) => ({ key: "right", score: outputs === 1 });

test("rows are scored after the answer, and the platform waits for them", async () => {
  const outcomes: OnlineOutcome[] = [];
  const promises: Promise<unknown>[] = [];
  const failing = Object.assign(
    () => {
      throw new Error("no");
    },
    { feedbackKey: "failing" },
  );
  const score = online([exactMatch, failing], { onResult: (outcome) => void outcomes.push(outcome) });
  const row = { id: "1", inputs: "?", outputs: "a", referenceOutputs: "a", span: { spanId: "s" } };
  expect(score(row, { waitUntil: (promise) => void promises.push(promise) })).toBeUndefined();
  expect(outcomes).toEqual([]);
  await Promise.all(promises);
  expect(outcomes).toMatchObject([
    {
      row,
      results: [{ key: "exact_match", score: true }],
      errors: [{ key: "failing", error: { code: "callback_failed" } }],
    },
  ]);
  expect(score.stats).toEqual({ seen: 1, sampled: 1, scored: 1, failed: 1, dropped: 0 });
});

test("results are exported with the verdict of their evaluators' scales", async () => {
  const labels: [string, unknown][] = [];
  const logger = {
    emit: ({ attributes }: any) => {
      labels.push([attributes["gen_ai.evaluation.name"], attributes["gen_ai.evaluation.score.label"]]);
    },
  };
  const toxicity = createLLMAsJudge({
    prompt: "{outputs}",
    judge: () => ({ reasoning: "", score: true }),
    feedbackKey: "toxicity",
    lowerIsBetter: true,
  });
  const score = online(
    [toxicity, levenshteinDistance, createReadabilityEvaluator({ formula: "smogIndex" })],
    {
      onResult: ({ results }) => recordResults(results, { logger }),
    },
  );
  score({ outputs: "ab", referenceOutputs: "ac" });
  await score.idle();
  expect(labels.sort()).toEqual([
    ["levenshtein_distance", "fail"],
    ["smog_index", undefined],
    ["toxicity", "fail"],
  ]);
});

test("a share of the rows is the same each time, by their ids", async () => {
  const taken = async (sample: number) => {
    const ids = new Set<string | undefined>();
    const score = online([right], {
      sample,
      onResult: ({ row }) => void ids.add(row.id),
      maxQueueSize: 10_000,
    });
    for (let id = 0; id < 4000; id++) score({ id: `trace-${id}`, outputs: 1 });
    await score.idle();
    return ids;
  };
  const [tenth, fifth] = [await taken(0.1), await taken(0.2)];
  expect(tenth.size).toBeGreaterThan(340);
  expect(tenth.size).toBeLessThan(460);
  expect(await taken(0.1)).toEqual(tenth);
  expect([...tenth].every((id) => fifth.has(id))).toBe(true);
  const score = online([right], { sample: ({ outputs }) => outputs === 1 });
  for (const outputs of [0, 1, 2]) score({ outputs });
  expect(await score.idle()).toMatchObject({ seen: 3, sampled: 1, scored: 1 });
});

test("limits concurrency, and counts rows that do not fit into the queue", async () => {
  let [running, most] = [0, 0];
  const slow = async () => {
    most = Math.max(most, ++running);
    await new Promise((resolve) => setTimeout(resolve, 1));
    running--;
    return { key: "slow", score: 1 };
  };
  const score = online([slow], { maxConcurrency: 2, maxQueueSize: 3 });
  for (let row = 0; row < 10; row++) score({ outputs: row });
  expect(await score.idle()).toEqual({ seen: 10, sampled: 10, scored: 5, failed: 0, dropped: 5 });
  expect(most).toBe(2);
});

test("idle waits for the rows before it, while later ones keep coming", async () => {
  const answers: (() => void)[] = [];
  const slow = async () => {
    await new Promise<void>((answer) => answers.push(answer));
    return { key: "slow", score: 1 };
  };
  const exported: unknown[] = [];
  const score = online([slow], {
    maxConcurrency: 1,
    sample: ({ outputs }) => outputs !== "skipped",
    onResult: async ({ row }) => void exported.push(row.outputs),
  });
  score({ outputs: "skipped" });
  expect(await score.idle()).toMatchObject({ seen: 1, sampled: 0 });
  score({ outputs: "first" });
  score({ outputs: "second" });
  const idle = score.idle();
  score({ outputs: "later" });
  await expect.poll(() => answers.length).toBe(1);
  answers[0]?.();
  await expect.poll(() => answers.length).toBe(2);
  answers[1]?.();
  expect(await idle).toMatchObject({ sampled: 3, scored: 2 });
  expect(exported).toEqual(["first", "second"]);
  await expect.poll(() => answers.length).toBe(3);
  answers[2]?.();
  expect(await score.idle()).toMatchObject({ scored: 3 });
});

test("an evaluator that changes the run does not change what others judge", async () => {
  const changing = ({ run }: any) => {
    run.outputs = 1;
    return { key: "changing", score: true };
  };
  const results: unknown[] = [];
  const score = online([changing, right], {
    onResult: (outcome) => void results.push(outcome.results.map(({ score }) => score)),
  });
  score({ outputs: 0 });
  await score.idle();
  expect(results).toEqual([[true, false]]);
});

test("a row that cannot be read is dropped, and reported", async () => {
  const messages: string[] = [];
  const score = online([right], { onError: ({ message }) => void messages.push(message) });
  score({
    get outputs() {
      throw new Error("closed");
    },
  });
  score({ outputs: 1 });
  expect(await score.idle()).toEqual({ seen: 2, sampled: 2, scored: 1, failed: 0, dropped: 1 });
  expect(messages).toEqual(["The arguments of online cannot be read: closed"]);
});

test("reports errors of the caller's functions, and rejects nothing", async () => {
  const codes: string[] = [];
  const fail = () => {
    throw new Error("no");
  };
  const score = online([right], { onResult: fail, onError: ({ code }) => void codes.push(code) });
  score({ outputs: 1 }, { waitUntil: fail });
  score(undefined as never);
  online([right], { onResult: fail, onError: async () => fail() })({ outputs: 1 });
  const undecided = online([right], { sample: fail, onError: ({ code }) => void codes.push(code) });
  undecided({ outputs: 1 });
  expect(undecided.stats).toEqual({ seen: 1, sampled: 1, scored: 0, failed: 0, dropped: 1 });
  await score.idle();
  expect(codes).toEqual(expect.arrayContaining(["callback_failed", "callback_failed", "callback_failed"]));
  // A promise would choose every row, and its rejection would end the process.
  const messages: string[] = [];
  const asynchronous = online([right], {
    sample: (async () => fail()) as never,
    onError: ({ message }) => void messages.push(message),
  });
  asynchronous({ outputs: 1 });
  expect(await asynchronous.idle()).toEqual({ seen: 1, sampled: 1, scored: 0, failed: 0, dropped: 1 });
  expect(messages).toEqual([expect.stringMatching(/^sample returned .*; it has to return true or false\.$/)]);
  // Without onError, the first error of each code is printed.
  const warn = vi.spyOn(console, "warn").mockImplementation(() => {});
  const silent = online([contains as never]);
  for (let row = 0; row < 3; row++) silent({ outputs: "a" });
  expect(await silent.idle()).toMatchObject({ failed: 3 });
  expect(warn.mock.calls).toEqual([
    [expect.stringMatching(/^openevals-wasm: "contains" failed .* Set onError to get all errors;/)],
  ]);
  warn.mockRestore();
  const withoutRow = online([right], { onError: ({ message }) => void messages.push(message) });
  withoutRow(undefined as never);
  expect(await withoutRow.idle()).toMatchObject({ seen: 1, sampled: 1, dropped: 1 });
  expect(messages.at(-1)).toBe("The row is undefined; a row is an object such as { inputs, outputs }.");
  for (const options of [
    { sample: 2 },
    { falseAlarmRate: 0 },
    { range: [1, 0] },
    { baseline: { a: "b" } },
    { baseline: { a: 2 } },
    { nothing: 1 },
  ]) {
    expect(() => online([right], options as never)).toThrow(
      expect.objectContaining({ code: "invalid_config" }),
    );
  }
});

test("reports once that an evaluator fails before it returned a result", async () => {
  const errors: { code: string; message: string }[] = [];
  const brittle = Object.assign(
    ({ outputs }: { outputs: unknown }) => {
      if (outputs !== 1) throw new Error("no number");
      return { key: "brittle", score: 1 };
    },
    { feedbackKey: "brittle" },
  );
  const keyless = Object.assign(
    () => {
      throw new Error("no key");
    },
    { feedbackKey: "keyless" },
  );
  const score = online([brittle, keyless], {
    maxConcurrency: 1,
    onError: (error) => void errors.push(error),
  });
  for (const outputs of [1, 2, 3]) score({ outputs });
  await score.idle();
  expect(errors).toMatchObject([
    {
      code: "callback_failed",
      message: expect.stringMatching(/^"keyless" failed before .* result: .*no key/),
    },
  ]);
});

test("reports once for each key that a score is outside of the range", async () => {
  const messages: string[] = [];
  const stars = ({ outputs }: { outputs: number }) => ({ key: "stars", score: outputs });
  const options = { onDrift: () => {}, onError: ({ message }: Error) => void messages.push(message) };
  for (const [range, outputs] of [
    [undefined, 4],
    [[1, 5], 5],
  ] as const) {
    const score = online([stars], { ...options, range });
    score({ outputs });
    score({ outputs });
    await score.idle();
  }
  expect(messages).toEqual([
    'The score of "stars" is 4; the range of scores is from 0 to 1. Give the evaluator a scale with min and max, or set range.',
  ]);
});

test("each key has the range of its evaluator's scale, or else the option", async () => {
  const messages: string[] = [];
  const drifts: [string, string][] = [];
  const stars = createLLMAsJudge({
    prompt: "{outputs}",
    judge: ({ messages }) => ({ reasoning: "", score: Number(messages[0]?.content) }),
    choices: [1, 2, 3, 4, 5],
    feedbackKey: "stars",
  });
  const percent = ({ outputs }: { outputs: number }) => ({ key: "percent", score: outputs * 20 });
  const score = online([stars, percent], {
    onDrift: ({ key, direction }) => void drifts.push([key, direction]),
    onError: ({ message }) => void messages.push(message),
    baseline: { stars: 4.9, percent: 98 },
    range: [0, 100],
    window: 50,
    maxConcurrency: 1,
  });
  for (let row = 0; row < 50; row++) score({ outputs: 1 });
  await score.idle();
  expect(messages).toEqual([]);
  expect(drifts.sort()).toEqual([
    ["percent", "down"],
    ["stars", "down"],
  ]);
});

test("a baseline outside of the range of its key is an error, also if it is in that of another", async () => {
  const scale = { min: 1, max: 10 };
  const points = Object.assign(() => ({ key: "points", score: 7 }), { feedbackKey: "points", scale });
  const invalid = (message: string) => expect.objectContaining({ code: "invalid_config", message });
  const baselines: [Record<string, number>, string][] = [
    [{ exact_match: 7 }, "baseline.exact_match is 7; the range of scores is from 0 to 1."],
    [{ points: 0.5 }, "baseline.points is 0.5; the range of scores is from 1 to 10."],
    [{ other: 11 }, "baseline.other is 11; the range of scores is from 0 to 1 or from 1 to 10."],
  ];
  for (const [baseline, message] of baselines)
    expect(() => online([exactMatch, points], { baseline })).toThrow(invalid(message));

  const errors: OpenEvalsError[] = [];
  const score = online([points, () => ({ key: "polite", score: 1 })], {
    baseline: { points: 7, polite: 7 },
    onDrift: () => {},
    onError: (error) => void errors.push(error),
  });
  for (let row = 0; row < 3; row++) score({ outputs: 1 });
  await score.idle();
  expect(errors).toEqual([invalid("baseline.polite is 7; the range of scores is from 0 to 1.")]);
});

test("reports once that a key of baseline has no score", async () => {
  const messages: string[] = [];
  const score = online([right], {
    baseline: { right: 1, politeness: 0.9 },
    onDrift: () => {},
    onError: ({ message }) => void messages.push(message),
  });
  const rows = async (count: number) => {
    for (let row = 0; row < count; row++) score({ outputs: 1 });
    await score.idle();
  };
  await rows(99);
  expect(messages).toEqual([]);
  await rows(2);
  expect(messages).toEqual([
    'baseline has the key "politeness", for which the first 100 rows have no score.',
  ]);
});

/** The rows after which there is an alarm, of so many that are right with these probabilities. */
async function alarms(seed: number, rows: number, rate: (row: number) => number, options = {}) {
  const draw = seeded(seed);
  const found: { row: number; drift: Drift }[] = [];
  let scored = 0;
  const score = online([right], {
    ...options,
    maxConcurrency: 1,
    maxQueueSize: rows,
    onResult: () => void scored++,
    onDrift: (drift) => void found.push({ row: scored, drift }),
  });
  for (let row = 0; row < rows; row++) score({ outputs: draw() < rate(row) ? 1 : 0 });
  await score.idle();
  return found;
}

test("scores that have not changed raise no alarm; of 10 times 3,000 at most one may", async () => {
  const runs = await Promise.all(
    Array.from({ length: 10 }, (_, seed) => alarms(seed + 1, 3000, () => 0.9, { window: 500 })),
  );
  expect(runs.filter(({ length }) => length).length).toBeLessThanOrEqual(1);
});

test("a drop of 0.1 raises one, with the means before and after", async () => {
  const rate = (row: number) => (row < 3000 ? 0.9 : 0.8);
  const [first] = await alarms(7, 8000, rate, { baseline: { right: 0.9 } });
  expect(first?.row).toBeGreaterThan(3000);
  expect(first?.row).toBeLessThan(4500);
  expect(first?.drift).toMatchObject({
    key: "right",
    direction: "down",
    baseline: { mean: 0.9, count: null },
  });
  const [estimated] = await alarms(7, 8000, rate);
  expect(estimated?.row).toBeGreaterThan(3000);
  expect(estimated?.drift.baseline.count).toBe(2000);
});

test("an outage is told apart from the rest of its window", async () => {
  const rate = (row: number) => (row < 2300 ? 0.9 : 0);
  const [first] = await alarms(7, 4000, rate, { baseline: { right: 0.9 } });
  const rows = (first?.row ?? 0) - 2300;
  expect(rows).toBeGreaterThan(0);
  // A row or two before it may be wrong, too.
  expect(first?.drift.after.count).toBeGreaterThanOrEqual(rows);
  expect(first?.drift.after.count).toBeLessThanOrEqual(rows + 2);
  expect(first?.drift.after.mean).toBeLessThan(0.05);
  expect(first?.drift.recent.mean).toBeGreaterThan(0.6);
});

test("of a high rate, the last failures alone are no change", async () => {
  for (const seed of [1, 2, 3, 4, 5]) {
    const rate = (row: number) => (row < 3000 ? 0.98 : 0.94);
    const [first] = await alarms(seed, 9000, rate, { baseline: { right: 0.98 } });
    const { mean, count } = first?.drift.after ?? { mean: 0, count: 0 };
    expect(count).toBeGreaterThan(100);
    expect(mean).toBeGreaterThan(0.9);
    expect(mean).toBeLessThan(0.97);
  }
});

test("each change raises one alarm, and so does the recovery", async () => {
  const rate = (row: number) => (row >= 3000 && row < 8000 ? 0.5 : 0.9);
  for (const options of [{}, { baseline: { right: 0.9 } }]) {
    const found = await alarms(7, 13_000, rate, { window: 1000, ...options });
    expect(found.map(({ drift }) => drift.direction)).toEqual(["down", "up"]);
    // The level after the drop is the new baseline, also in place of a given one.
    expect(found[1]?.drift.baseline.count).toBe(1000);
    expect(found[1]?.drift.baseline.mean).toBeCloseTo(0.5, 1);
    expect(found[1]?.row).toBeGreaterThan(8000);
  }
});

test("a misspelt key of the baseline is reported once", async () => {
  const errorsOf = async (baseline: Record<string, number>) => {
    const messages: string[] = [];
    const rouge = () => [
      { key: "rouge1", score: 1 },
      { key: "rouge2", score: 1 },
    ];
    const onError = ({ message }: Error) => void messages.push(message);
    const score = online([rouge], { baseline, onError, onDrift: () => {} });
    for (let row = 0; row < 3; row++) score({ outputs: 1 });
    await score.idle();
    return messages;
  };
  expect(await errorsOf({ rouge_1: 0.5, rogue2: 0.5 })).toEqual([
    'baseline has the key "rouge_1", which no result has; did you mean "rouge1"?',
    'baseline has the key "rogue2", which no result has; did you mean "rouge2"?',
  ]);
  // Another key may come with a later row.
  expect(await errorsOf({ rouge1: 0.5, polite: 0.5 })).toEqual([]);
});

test("a conversation that goes on while its turns wait is scored as it was", async () => {
  const scores: [string | undefined, unknown][] = [];
  const isPolite = ({ outputs }: { outputs: string[] }) => ({
    key: "polite",
    score: outputs.at(-1) !== "idiot",
  });
  const score = online([isPolite], {
    maxConcurrency: 1,
    onResult: ({ row, results }) => void scores.push([row.id, results[0]?.score]),
  });
  const messages: string[] = [];
  for (const text of ["hello", "idiot", "bye"]) {
    messages.push(text);
    score({ id: text, outputs: messages });
  }
  await score.idle();
  expect(scores).toEqual([
    ["hello", true],
    ["idiot", false],
    ["bye", true],
  ]);
});

test("an evaluator or an onResult that never answers loses its slot after timeoutMs", async () => {
  const never = () => new Promise<never>(() => {});
  const messages: string[] = [];
  const outcomes: OnlineOutcome[] = [];
  const hanging = Object.assign(never, { feedbackKey: "hanging" });
  const score = online([hanging, right], {
    maxConcurrency: 1,
    timeoutMs: 20,
    onResult: (outcome) => {
      outcomes.push(outcome);
      return never();
    },
    onError: ({ code, message }) => void messages.push(`${code}: ${message}`),
  });
  for (let row = 0; row < 2; row++) score({ outputs: 1 });
  expect(await score.idle()).toMatchObject({ scored: 2, failed: 2 });
  const outcome = {
    results: [{ key: "right", score: true }],
    errors: [{ key: "hanging", error: { code: "timeout", message: "hanging took longer than 20 ms." } }],
  };
  expect(outcomes).toMatchObject([outcome, outcome]);
  const late = "timeout: onResult took longer than 20 ms.";
  const failed = 'timeout: "hanging" failed before it returned a result: hanging took longer than 20 ms.';
  expect(messages).toEqual([failed, late, late]);
});

test("the time limit ends the requests of judges", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  onTestFinished(() => void vi.useRealTimers());
  const { model, asked } = neverAnswers();
  const signals: unknown[] = [];
  const never = ({ signal }: JudgeRequest) => {
    signals.push(signal);
    return new Promise<never>(() => {});
  };
  const judges = [model, never].map((judge) =>
    createLLMAsJudge({ prompt: "{outputs}", judge, feedbackKey: typeof judge }),
  );
  const score = online(judges, { maxConcurrency: 2, timeoutMs: 60_000, onError() {} });
  for (let row = 0; row < 2; row++) score({ outputs: "a" });
  await vi.waitFor(() => expect([asked.length, signals.length]).toEqual([2, 2]), { interval: 1 });
  await vi.advanceTimersByTimeAsync(60_000);
  expect(await score.idle()).toMatchObject({ scored: 2, failed: 2 });
  expect(asked.map(({ aborted }) => aborted)).toEqual([true, true]);
  expect(signals).toEqual(Array(2).fill(expect.objectContaining({ aborted: true })));
});

test("keys are not in errors", async () => {
  const key = "9f8e7d6c5b4a39281706f5e4d3c2b1a0";
  vi.stubEnv("MY_MODEL_API_KEY", key);
  const errors: OpenEvalsError[] = [];
  const failing = Object.assign(
    () => {
      throw new RangeError(`401 for ${key}`, { cause: new Error(`no ${key}`) });
    },
    { feedbackKey: "failing" },
  );
  const score = online([failing], {
    onResult: (outcome) => {
      errors.push(...outcome.errors.map(({ error }) => error));
      throw new Error(`not stored with ${key}`);
    },
    onError: (error) => void errors.push(error),
  });
  score({ outputs: 1 });
  await score.idle();
  vi.unstubAllEnvs();
  const cause = { name: "RangeError", message: "401 for [redacted]", cause: { message: "no [redacted]" } };
  expect(errors).toMatchObject([
    { message: expect.stringContaining("401 for [redacted]"), cause: { cause } },
    { code: "callback_failed", message: expect.stringContaining("401 for [redacted]"), cause },
    { message: "onResult failed: not stored with [redacted]" },
  ]);
  for (const error of errors) expect(inspect(error)).not.toContain(key);
});

test("without evaluators, nothing would be measured", () => {
  expect(() => online([])).toThrow(
    expect.objectContaining({
      code: "invalid_config",
      message: "evaluators is empty, so nothing would be measured. Add an evaluator.",
    }),
  );
});

test("RAG metrics read the context in the metadata of a row, and say so without one", async () => {
  const results: unknown[] = [];
  const errors: string[] = [];
  const relevance = contextRelevance({
    judge: () => ({ answers: [{ index: 0, reason: "", sentences: [], verdict: 1 }] }),
  });
  const score = online([relevance], {
    onResult: (outcome) => {
      results.push(outcome.results[0]?.score);
      errors.push(...outcome.errors.map(({ error }) => error.message));
    },
  });
  score({ inputs: "Where is Paris?", outputs: "In France.", metadata: { context: "Paris is in France." } });
  await score.idle();
  score({ inputs: "Where is Paris?", outputs: "In France." });
  await score.idle();
  expect([results, errors]).toEqual([
    [1, undefined],
    [expect.stringContaining("in evaluate() and online(), rows have metadata.context")],
  ]);
});
