import { getEventListeners } from "node:events";
import { readdirSync, readlinkSync, realpathSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createLLMAsJudge, exactMatch, initChatModel, type JudgeRequest } from "openevals-wasm";
import { allOf } from "openevals-wasm/checks";
import { evaluate, type Progress } from "openevals-wasm/evaluation";
import { createJury } from "openevals-wasm/judges";
import { describe, expect, it, vi } from "vitest";
import { errorOf } from "../api/error-of.js";
import { neverAnswers } from "../api/never-answers.js";
import { unhandledIn } from "../api/unhandled.js";
import { temporaryFolder } from "./folder.js";

const folder = temporaryFolder();

/** A target that answers when the test decides. */
function held() {
  const waiting = new Map<unknown, (outputs: unknown) => void>();
  const arrivals: (() => void)[] = [];
  return {
    /** The pending calls. */
    waiting,
    target: (inputs: unknown) =>
      new Promise((resolve) => {
        waiting.set(inputs, resolve);
        arrivals.shift()?.();
      }),
    /** Waits until these calls are pending. */
    until: (...inputs: unknown[]) =>
      vi.waitFor(() => expect([...waiting.keys()]).toEqual(inputs), { interval: 1 }),
    /** Waits for the next call of the target. */
    asked: () => new Promise<void>((resolve) => arrivals.push(resolve)),
    answer(inputs: unknown) {
      waiting.get(inputs)?.(`answer to ${inputs}`);
      waiting.delete(inputs);
    },
  };
}

const settled = () => new Promise<void>((resolve) => setImmediate(resolve));

async function all<T>(items: AsyncIterable<T>): Promise<T[]> {
  const list: T[] = [];
  for await (const item of items) list.push(item);
  return list;
}

const DATA = ["a", "b", "c", "d"].map((inputs) => ({ inputs }));

describe("rows", () => {
  it("stream as they finish, and are in the order of the data at the end", async () => {
    const { target, answer, until } = held();
    const experiment = evaluate(target, { data: DATA, maxConcurrency: 4 });
    const rows = experiment[Symbol.asyncIterator]();
    const order: unknown[] = [];
    await until("a", "b", "c", "d");
    for (const inputs of ["c", "a", "d", "b"]) {
      answer(inputs);
      const { value } = await rows.next();
      order.push(value.example.inputs, value.run.outputs);
    }
    expect((await rows.next()).done).toBe(true);
    expect(order.filter((_, index) => index % 2 === 0)).toEqual(["c", "a", "d", "b"]);
    expect(order[1]).toBe("answer to c");
    expect((await experiment).rows.map(({ example }) => example.inputs)).toEqual(["a", "b", "c", "d"]);
  });

  it("are available to every iterator, also afterwards, and run once", async () => {
    let calls = 0;
    const experiment = evaluate(() => ++calls, { data: DATA });
    const early = all(experiment);
    const { rows } = await experiment;
    expect(await early).toEqual(rows);
    expect(await all(experiment)).toEqual(rows);
    expect(await experiment).toBe(await experiment);
    expect(calls).toBe(4);
  });

  it("run without an iterator, and after one stops", async () => {
    const experiment = evaluate(() => "", { data: DATA });
    for await (const _ of experiment) break;
    expect((await experiment).rows).toHaveLength(4);
  });
});

describe("concurrency", () => {
  /** Runs with these limits, and measures the maximum of concurrent calls. */
  async function most(options: object) {
    const now = { target: 0, evaluators: 0 };
    const most = { target: 0, evaluators: 0, together: 0 };
    const during = async (what: "target" | "evaluators") => {
      now[what]++;
      most[what] = Math.max(most[what], now[what]);
      most.together = Math.max(most.together, now.target + now.evaluators);
      await settled();
      now[what]--;
    };
    const judge = (key: string) => async () => {
      await during("evaluators");
      return { key, score: true };
    };
    const data = Array.from({ length: 12 }, (_, inputs) => ({ inputs }));
    const evaluators = ["a", "b", "c"].map(judge);
    const { aggregates } = await evaluate(() => during("target"), { data, evaluators, ...options });
    expect(aggregates).toMatchObject({ a: { count: 12 }, b: { count: 12 }, c: { count: 12 } });
    return most;
  }

  it.each([
    [{}, { target: 1, evaluators: 1, together: 1 }],
    [{ maxConcurrency: 0 }, { target: 1, evaluators: 1, together: 1 }],
    [{ maxConcurrency: 4 }, { target: 4, evaluators: 4, together: 4 }],
    [
      { targetConcurrency: 2, evaluationConcurrency: 5 },
      { target: 2, evaluators: 5, together: 7 },
    ],
    [
      { maxConcurrency: 1, evaluationConcurrency: 3 },
      { target: 1, evaluators: 3, together: 4 },
    ],
    [
      { maxConcurrency: 2, targetConcurrency: 1 },
      { target: 1, evaluators: 2, together: 3 },
    ],
  ])("%j", async (limits, expected) => {
    expect(await most(limits)).toEqual(expected);
  });

  it("limits how far an iterable is read ahead", async () => {
    let read = 0;
    let returned = false;
    async function* endless() {
      try {
        for (;;) yield { inputs: read++ };
      } finally {
        returned = true;
      }
    }
    const stop = new AbortController();
    const { target, answer, asked } = held();
    const experiment = evaluate(target, { data: endless(), maxConcurrency: 3, signal: stop.signal });
    await vi.waitFor(() => expect(read).toBe(3), { interval: 1 });
    for (let n = 0; n < 20; n++) {
      await settled();
      expect(read).toBe(n + 3);
      const next = asked();
      answer(n);
      await next;
    }
    stop.abort();
    const { rows } = await experiment;
    expect(rows.map(({ run }) => run.outputs)).toEqual(rows.map((_, n) => `answer to ${n}`));
    expect(rows).toHaveLength(20);
    answer(20);
    await vi.waitFor(() => expect(returned).toBe(true), { interval: 1 });
  });

  it("ten thousand rows of an iterable are run in order, in less than ten seconds", async () => {
    function* many() {
      for (let n = 0; n < 10_000; n++) yield { inputs: n, outputs: n % 4 ? n : -1 };
    }
    const started = performance.now();
    const { rows, aggregates } = await evaluate(async (n) => n, {
      data: many(),
      evaluators: [exactMatch],
      maxConcurrency: 16,
    });
    expect(performance.now() - started).toBeLessThan(10_000);
    expect(rows.map(({ example }) => example.inputs)).toEqual(Array.from({ length: 10_000 }, (_, n) => n));
    expect(aggregates.exact_match).toMatchObject({ mean: 3 / 4, count: 10_000 });
  });
});

describe("a signal", () => {
  it("stops the run, whose results are the completed rows", async () => {
    const stop = new AbortController();
    const { target, answer, waiting, until } = held();
    const experiment = evaluate(target, {
      data: DATA,
      evaluators: [() => ({ key: "k", score: true })],
      summaryEvaluators: [() => ({ key: "summary", score: 1 })],
      signal: stop.signal,
      maxConcurrency: 2,
    });
    const rows = experiment[Symbol.asyncIterator]();
    await until("a", "b");
    answer("b");
    expect((await rows.next()).value.example.inputs).toBe("b");
    await until("a", "c");
    stop.abort(new Error("enough"));
    expect(await rows.next()).toEqual({ done: true, value: undefined });
    const done = await experiment;
    expect(done.rows.map(({ example }) => example.inputs)).toEqual(["b"]);
    expect(done.aggregates.k).toMatchObject({ mean: 1, count: 1, errors: 0 });
    expect(done.summaryResults).toEqual([]);
    expect(done.stopped).toEqual({
      name: "OpenEvalsError",
      code: "aborted",
      message: "The experiment was stopped by its signal: enough",
      cause: { name: "Error", message: "enough" },
    });
    // Later results do not count, and no row starts.
    answer("a");
    answer("c");
    await settled();
    expect([...waiting.keys()]).toEqual([]);
    expect(done.rows).toHaveLength(1);
    expect(JSON.parse(JSON.stringify(done))).toEqual(done);
  });

  it.each([
    "the release is off",
    42,
    { by: "a deployment" },
  ])("has its reason as the cause: %j", async (reason) => {
    const { stopped } = await evaluate(undefined, { data: DATA, signal: AbortSignal.abort(reason) });
    const said = typeof reason === "object" ? '{"by":"a deployment"}' : reason;
    expect(stopped?.message).toBe(`The experiment was stopped by its signal: ${said}`);
  });

  it("that has already fired prevents the start", async () => {
    let calls = 0;
    const { rows, stopped } = await evaluate(() => ++calls, { data: DATA, signal: AbortSignal.abort() });
    expect(rows).toEqual([]);
    expect(stopped?.code).toBe("aborted");
    expect(calls).toBe(0);
  });

  it("from a timer stops synchronous work", async () => {
    function* endless() {
      for (let n = 0; ; n++) yield { inputs: n };
    }
    const { rows, stopped } = await evaluate((n) => n, { data: endless(), signal: AbortSignal.timeout(1) });
    expect(stopped?.cause?.name).toBe("TimeoutError");
    expect(rows.map(({ run }) => run.outputs)).toEqual(rows.map((_, n) => n));
  });

  it("reaches the target, and ends an evaluator and data that never settle", async () => {
    const never = new Promise<never>(() => {});
    for (const hanging of ["target", "evaluator", "data", "summary"]) {
      const stop = new AbortController();
      let reached = (): void => {};
      const there = new Promise<void>((resolve) => {
        reached = resolve;
      });
      const hang = (what: string) => {
        if (what !== hanging) return undefined;
        reached();
        return never;
      };
      async function* data() {
        yield { inputs: 1 };
        await hang("data");
      }
      const experiment = evaluate(
        async (_, { signal }) => {
          expect(signal).toBe(stop.signal);
          await hang("target");
        },
        {
          data: data(),
          evaluators: [async () => (await hang("evaluator")) ?? { key: "k", score: 1 }],
          summaryEvaluators: [async () => (await hang("summary")) ?? { key: "s", score: 1 }],
          signal: stop.signal,
        },
      );
      await there;
      stop.abort();
      const { rows, stopped } = await experiment;
      expect([hanging, rows.length, stopped?.code]).toEqual([
        hanging,
        hanging === "data" || hanging === "summary" ? 1 : 0,
        "aborted",
      ]);
    }
  });

  it.each([
    "a generator",
    "an asynchronous generator",
    "a shard",
  ])("closes data that a target keeps waiting: %s", async (kind) => {
    const stop = new AbortController();
    const closed = vi.fn();
    function* now() {
      try {
        for (let n = 1; ; n++) yield { id: `${n}`, inputs: n };
      } finally {
        closed();
      }
    }
    async function* later() {
      yield* now();
    }
    const target = () => {
      stop.abort();
      return new Promise<never>(() => {});
    };
    const { stopped } = await evaluate(target, {
      data: kind === "a generator" ? now() : later(),
      ...(kind === "a shard" && { shard: { index: 1, count: 2 } }),
      signal: stop.signal,
      maxConcurrency: 1,
    });
    expect(stopped?.code).toBe("aborted");
    await vi.waitFor(() => expect(closed).toHaveBeenCalledOnce(), { interval: 1 });
  });

  // Only Linux lists the open files of a process.
  it.runIf(process.platform === "linux").each(["target", "evaluator", "sink"])(
    "closes the file of the data if a function never settles: the %s",
    async (hanging) => {
      const path = join(folder, `${hanging}.jsonl`);
      writeFileSync(path, '{"inputs":1}\n'.repeat(9));
      const isOpen = () =>
        readdirSync("/proc/self/fd").some((fd) => {
          try {
            return readlinkSync(`/proc/self/fd/${fd}`) === realpathSync(path);
          } catch {
            return false;
          }
        });
      const stop = new AbortController();
      const seen: boolean[] = [];
      const hang = async (what: string) => {
        if (what !== hanging) return;
        seen.push(isOpen());
        stop.abort();
        await new Promise(() => {});
      };
      const { stopped } = await evaluate(() => hang("target"), {
        data: path,
        evaluators: [async () => (await hang("evaluator")) ?? { key: "k", score: 1 }],
        output: { sink: () => hang("sink") },
        signal: stop.signal,
        maxConcurrency: 1,
      });
      expect([stopped?.code, seen]).toEqual(["aborted", [true]]);
      await vi.waitFor(() => expect(isOpen()).toBe(false), { interval: 1 });
    },
  );

  it("reaches functions that are judges", async () => {
    const { signal } = new AbortController();
    const asked: unknown[] = [];
    const judge = (request: JudgeRequest) => {
      asked.push(request.signal);
      return { score: true, reasoning: "It is." };
    };
    const rows = { data: [{ inputs: 1 }], evaluators: [createLLMAsJudge({ prompt: "{outputs}", judge })] };
    const both = [{ ...rows, signal }, rows].map((options) => evaluate(async () => "a", options));
    expect((await Promise.all(both)).map(({ stopped }) => stopped)).toEqual([undefined, undefined]);
    expect(asked).toHaveLength(2);
    expect(asked.filter((one) => one instanceof AbortSignal)).toHaveLength(1);
  });

  it.each<[string, (judge: ReturnType<typeof createLLMAsJudge>) => object]>([
    ["itself", (judge) => ({ evaluators: [judge] })],
    [
      "in a function of the user",
      (judge) => ({ evaluators: [async (row: object) => ({ key: "k", score: (await judge(row)).score })] }),
    ],
    ["in a jury", (judge) => ({ evaluators: [createJury({ judges: [judge, judge] })] })],
    ["in a combination", (judge) => ({ evaluators: [allOf([judge, judge])] })],
    ["in the target", (judge) => ({ target: async () => (await judge({ outputs: "a" })).score })],
    [
      "in a summary evaluator",
      (judge) => ({ summaryEvaluators: [async () => ({ score: (await judge({ outputs: "a" })).score })] }),
    ],
  ])("ends the requests of a judge %s", async (_, wrap) => {
    const stop = new AbortController();
    const { model, asked } = neverAnswers();
    const { target = async () => "a", ...options } = wrap(
      createLLMAsJudge({ prompt: "{outputs}", judge: model }),
    ) as { target?: () => Promise<unknown> };
    const experiment = evaluate(target, { data: [{ inputs: 1 }], ...options, signal: stop.signal });
    await vi.waitFor(() => expect(asked.length).toBeGreaterThan(0), { interval: 1 });
    stop.abort();
    expect((await experiment).stopped?.code).toBe("aborted");
    await vi.waitFor(() => expect(asked.every(({ aborted }) => aborted)).toBe(true), { interval: 1 });
  });

  it("ends only the requests of its own experiment, also with a cache", async () => {
    const stop = new AbortController();
    const asked: { signal: AbortSignal; answer: () => void }[] = [];
    const fetch = (_: unknown, { signal }: { signal: AbortSignal }) =>
      new Promise<Response>((resolve, reject) => {
        signal.addEventListener("abort", () => reject(signal.reason));
        const message = { role: "assistant", content: '{"reasoning":"Yes.","score":true}' };
        const answer = () => resolve(Response.json({ choices: [{ message, finish_reason: "stop" }] }));
        asked.push({ signal, answer });
      });
    const judge = () =>
      createLLMAsJudge({
        prompt: "{outputs}",
        judge: initChatModel("openai:gpt-5.4", { apiKey: "sk-x", fetch: fetch as never, maxRetries: 0 }),
      });
    const cache = new Map<string, string>();
    const run = (signal?: AbortSignal) =>
      evaluate(async (n: number) => `answer ${n}`, {
        data: Array.from({ length: 4 }, (_, inputs) => ({ inputs })),
        evaluators: [judge()],
        judges: { cache },
        maxConcurrency: 4,
        signal,
      });
    const [aborted, other] = [run(stop.signal), run()];
    // The experiments ask equal questions once. What the aborted one was asking, the other asks again.
    const open = () => asked.filter((one) => !one.signal.aborted);
    await vi.waitFor(() => expect(open()).toHaveLength(4), { interval: 1 });
    stop.abort();
    expect((await aborted).stopped?.code).toBe("aborted");
    await vi.waitFor(() => expect(open()).toHaveLength(4), { interval: 1 });
    for (const { answer } of asked) answer();
    const { rows, aggregates } = await other;
    expect(rows.flatMap(({ errors }) => errors)).toEqual([]);
    expect(aggregates["score"]).toMatchObject({ mean: 1, count: 4 });
  });

  it("has one listener on the user's signal, however many experiments share it", async () => {
    const { signal } = new AbortController();
    let most = 0;
    const count = () => {
      most = Math.max(most, getEventListeners(signal, "abort").length);
      return true;
    };
    const run = () => evaluate(undefined, { data: [{ outputs: "a" }], evaluators: [count], signal });
    await Promise.all(Array.from({ length: 60 }, run));
    expect(most).toBe(1);
    expect(getEventListeners(signal, "abort")).toEqual([]);
  });

  it("leaves no listeners on the user's signal", async () => {
    const { signal } = new AbortController();
    const judge = ({ signal }: JudgeRequest) => {
      signal?.addEventListener("abort", () => {});
      return { score: true, reasoning: "It is." };
    };
    const data = Array.from({ length: 20 }, (_, inputs) => ({ inputs }));
    const evaluators = [createLLMAsJudge({ prompt: "{outputs}", judge })];
    await evaluate(async () => "a", { data, evaluators, maxConcurrency: 20, signal });
    expect(getEventListeners(signal, "abort")).toEqual([]);
  });
});

describe("data that fails", () => {
  async function* failing() {
    yield { inputs: "a" };
    yield { inputs: "b" };
    throw new TypeError("no more rows");
  }

  it("ends the run with an error that has the completed rows", async () => {
    const error = await errorOf(evaluate((inputs) => inputs, { data: failing(), maxConcurrency: 8 }));
    expect(error.code).toBe("callback_failed");
    expect(error.message).toBe("The data, after 2 rows, failed: no more rows");
    expect(error.cause).toBeInstanceOf(TypeError);
    expect(error.experiment?.rows.map(({ run }) => run.outputs)).toEqual(["a", "b"]);
    expect(error.experiment?.stopped?.message).toBe(error.message);
  });

  it("is reported to an iterator after the rows, without an unhandled rejection", async () => {
    const seen: unknown[] = [];
    const unhandled = await unhandledIn(async () => {
      const iterating = (async () => {
        for await (const { example } of evaluate((i) => i, { data: failing() })) seen.push(example.inputs);
      })();
      expect((await errorOf(iterating)).message).toContain("no more rows");
      await settled();
    });
    expect(seen).toEqual(["a", "b"]);
    expect(unhandled).toEqual([]);
  });
});

describe("progress", () => {
  it("is reported before the first row and after each one", async () => {
    const seen: Progress[] = [];
    await evaluate(
      (inputs) => {
        if (inputs === "b") throw new Error("b");
      },
      { data: DATA, numRepetitions: 2, onProgress: (progress) => seen.push(progress) },
    );
    const counts = seen.map(({ done, total, failed }) => [done, total, failed]);
    expect(counts).toEqual([
      [0, 8, 0],
      [1, 8, 0],
      [2, 8, 0],
      [3, 8, 1],
      [4, 8, 2],
      [5, 8, 2],
      [6, 8, 2],
      [7, 8, 2],
      [8, 8, 2],
    ]);
    expect(seen.every(({ elapsedMs }) => elapsedMs >= 0)).toBe(true);
  });

  it("of an iterable has no total", async () => {
    const seen: Progress[] = [];
    await evaluate(() => "", { data: new Set(DATA), onProgress: (progress) => seen.push(progress) });
    expect(seen).toHaveLength(5);
    expect(seen.some((progress) => "total" in progress)).toBe(false);
  });

  it("that throws ends the run", async () => {
    const onProgress = ({ done }: Progress) => {
      if (done === 2) throw new Error("no terminal");
    };
    const error = await errorOf(evaluate(() => "", { data: DATA, onProgress }));
    expect(error.message).toBe("onProgress failed: no terminal");
    expect(error.experiment?.rows).toHaveLength(2);
  });
});
