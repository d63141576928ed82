/** Budgets of experiments that are kept waiting. */
import { type EvaluateOptions, evaluate, type Progress } from "openevals-wasm/evaluation";
import { describe, expect, it } from "vitest";
import { errorOf } from "../api/error-of.js";

const judge = () => ({
  key: "judged",
  score: 1,
  metadata: { model: "gpt-5.4", usage: { inputTokens: 10, outputTokens: 0 } },
});
const options = { evaluators: [judge], progress: false } satisfies Partial<EvaluateOptions>;
/** Endless empty lines, which servers send to keep a connection open. */
const keepAlive = (cancel = () => {}) => ({
  stream: new ReadableStream({
    pull(controller) {
      controller.enqueue("\n");
    },
    cancel,
  }),
  format: "jsonl" as const,
});
/** Rows, and then nothing, without an end. */
const stuck = (rows: number) => {
  let given = 0;
  const never = new Promise<never>(() => {});
  return {
    [Symbol.asyncIterator]: () => ({
      next: () =>
        given < rows ? Promise.resolve({ done: false, value: { inputs: given++, outputs: 1 } }) : never,
      return: () => never,
    }),
  };
};

describe("a budget", () => {
  it("of time ends a stream of empty lines, and so does the signal of a timer", async () => {
    const { stopped, budget } = await evaluate(undefined, {
      ...options,
      data: keepAlive(),
      budget: { maxDurationMs: 200 },
    });
    expect([stopped?.code, budget?.usedUp]).toEqual(["budget_exceeded", "maxDurationMs"]);
    const stop = new AbortController();
    setTimeout(() => stop.abort(), 100);
    let close = () => {};
    const closed = new Promise<void>((resolve) => {
      close = resolve;
    });
    const data = keepAlive(() => close());
    const aborted = await evaluate(undefined, { ...options, data, signal: stop.signal });
    expect(aborted.stopped?.code).toBe("aborted");
    // Otherwise it would be read for as long as the process runs.
    await closed;
  });

  it("of tokens ends data that neither continues nor ends", async () => {
    const { stopped, budget, rows } = await evaluate(undefined, {
      ...options,
      data: stuck(3),
      budget: { maxTokens: 30 },
    });
    expect([stopped?.code, budget?.usedUp, rows.length]).toEqual(["budget_exceeded", "maxTokens", 3]);
    const more = await evaluate(undefined, { ...options, data: stuck(5), budget: { maxTokens: 30 } });
    expect([more.stopped?.code, more.rows.length]).toEqual(["budget_exceeded", 3]);
  });

  it("of tokens waits a moment for data to end", async () => {
    async function* rows() {
      for (let inputs = 0; inputs < 3; inputs++) yield { inputs, outputs: 1 };
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    const { stopped, rows: done } = await evaluate(undefined, {
      ...options,
      data: rows(),
      budget: { maxTokens: 30 },
    });
    expect([stopped, done.length]).toEqual([undefined, 3]);
  });

  it("of time reports the progress of running rows", async () => {
    const said: Progress[] = [];
    let answer = () => {};
    const late = () =>
      new Promise<ReturnType<typeof judge>>((resolve) => {
        answer = () => resolve(judge());
      });
    const experiment = await evaluate(undefined, {
      ...{ data: [{ inputs: 1, outputs: 1 }], evaluators: [late], budget: { maxDurationMs: 50 } },
      onProgress(progress) {
        said.push(progress);
        if (progress.overtime) answer();
      },
    });
    expect(said.map(({ done, overtime }) => [done, overtime])).toEqual([
      [0, undefined],
      [0, 1],
      [1, 0],
    ]);
    expect(experiment.stopped).toBe(undefined);
    // An exception of onProgress is thrown at the end.
    const error = await errorOf(
      evaluate(undefined, {
        ...{ data: [{ inputs: 1, outputs: 1 }], evaluators: [late], budget: { maxDurationMs: 50 } },
        onProgress({ overtime }) {
          if (!overtime) return;
          answer();
          throw new Error("ouch");
        },
      }),
    );
    expect([error.code, error.message]).toEqual(["callback_failed", expect.stringContaining("ouch")]);
  });
});

describe("an estimate", () => {
  it("ends on its time limit, for endless data", async () => {
    async function* endless() {
      for (let inputs = 0; ; inputs++) yield { inputs, outputs: 1 };
    }
    function* now() {
      for (let inputs = 0; ; inputs++) yield { inputs, outputs: 1 };
    }
    for (const data of [endless(), now()]) {
      const found = await evaluate(undefined, {
        ...options,
        data,
        budget: { maxDurationMs: 100 },
        estimate: true,
      });
      expect(found.rows).toBeGreaterThan(0);
      expect(found.assumptions.join()).toContain("The data had not ended after maxDurationMs");
    }
    const { measured } = await evaluate(undefined, {
      ...{ ...options, data: stuck(4), budget: { maxDurationMs: 100 }, estimate: { rows: 2 } },
    });
    expect(measured).toBe(2);
  });
});
