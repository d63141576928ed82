/** Comparative experiments: pairing, calls, figures, failures. */
import {
  type ComparativeEvaluator,
  type EvaluateComparativeOptions,
  type Experiment,
  evaluate,
  evaluateComparative,
  formatComparative,
  renderReport,
} from "openevals-wasm/evaluation";
import { createPairwiseJudge } from "openevals-wasm/judges";
import { describe, expect, it, vi } from "vitest";
import { errorOf } from "../api/error-of.js";
import { neverAnswers } from "../api/never-answers.js";

interface Run {
  id: string;
  outputs?: any;
}

/** An experiment whose outputs are numbers, by example id. */
const experimentOf = (experimentName: string, outputs: Record<string, number | Error>): Experiment =>
  ({
    experimentName,
    rows: Object.entries(outputs).map(([place, output]) => {
      const [id = "", repetition = 0] = place.split("#");
      const error = output instanceof Error && { name: "Error", message: output.message };
      return {
        example: { id, inputs: `question ${id}` },
        run: {
          id: `${experimentName}/${place}`,
          repetition: Number(repetition),
          ...(error ? { error } : { outputs: output }),
        },
        evaluationResults: [],
        errors: [],
      };
    }),
  }) as never;

/** The larger output is better. */
const larger = ({ runs }: { runs: Run[] }) => ({
  key: "larger",
  scores: Object.fromEntries(runs.map(({ id, outputs }) => [id, outputs])),
});
const SOME = { 1: 1, 2: 2, 3: 3 };
const compare = (
  experiments: Experiment[],
  evaluators: ComparativeEvaluator[] = [larger],
  options: object = {},
) => evaluateComparative(experiments, { evaluators, ...options });

/** A judge of two numbers. */
const pairwise = (options: object = {}) =>
  createPairwiseJudge({
    prompt: "{output_a} {output_b}",
    feedbackKey: "larger",
    judge: ({ messages }) => {
      const [a = 0, b = 0] = String(messages[0]?.content).split(" ").map(Number);
      if (a === 13 || b === 13) throw new Error("unlucky");
      return { reasoning: "", verdict: a > b ? "A" : a < b ? "B" : "tie" };
    },
    ...options,
  });

describe("evaluateComparative", () => {
  it("compares each two experiments, and ranks all", async () => {
    const experiments = [
      experimentOf("a", { 1: 3, 2: 3, 3: 1, 4: 2 }),
      experimentOf("b", { 1: 2, 2: 3, 3: 2, 4: 1 }),
      experimentOf("c", { 1: 1, 2: 1, 3: 3, 4: 1 }),
    ];
    const together = await compare(experiments);
    const inPairs = await compare(experiments, [pairwise()], { maxConcurrency: 5 });
    for (const { aggregates, rows, unpaired } of [together, inPairs]) {
      expect(aggregates.larger?.pairs).toMatchObject([
        {
          first: "a",
          second: "b",
          wins: 2,
          ties: 1,
          losses: 1,
          winRate: 0.625,
          count: 4,
          errors: 0,
          pValue: 1,
        },
        {
          first: "a",
          second: "c",
          wins: 3,
          ties: 0,
          losses: 1,
          winRate: 0.75,
          pValue: 0.625,
          adjustedPValue: 1,
        },
        { first: "b", second: "c", wins: 2, ties: 1, losses: 1, winRate: 0.625 },
      ]);
      const { low = 0, high = 0 } = aggregates.larger?.pairs[1]?.interval ?? {};
      // Wilson's interval of three quarters with an effective count of 3, one less than the rows, since the
      // variance is estimated.
      const [z2, n] = [1.959964 ** 2, 3];
      const half = (Math.sqrt(z2) * Math.sqrt((0.75 * 0.25) / n + z2 / (4 * n * n))) / (1 + z2 / n);
      expect([low, high].map((end) => end.toFixed(5))).toEqual(
        [-half, half].map((end) => ((0.75 + z2 / (2 * n)) / (1 + z2 / n) + end).toFixed(5)),
      );
      expect(aggregates.larger?.ranking.map(({ name, winRate }) => [name, winRate])).toEqual([
        ["a", 0.6875],
        ["b", 0.5],
        ["c", 0.3125],
      ]);
      expect([rows.length, unpaired]).toEqual([4, []]);
    }
    expect(together.aggregates.larger?.positionBias).toBeNull();
    expect(inPairs.aggregates.larger?.positionBias).toMatchObject({ value: 0 });
    expect(together.rows[0]?.evaluationResults).toEqual([
      { key: "larger", runs: ["a/1", "b/1", "c/1"], scores: { "a/1": 3, "b/1": 2, "c/1": 1 } },
    ]);
    expect(inPairs.rows[0]?.evaluationResults).toHaveLength(3);
    expect(together.experimentName).toMatch(/^a vs\. b vs\. c-[0-9a-f]{8}$/);
    expect(JSON.parse(JSON.stringify(inPairs))).toEqual(inPairs);
    const text = formatComparative(inPairs, { columns: 100 });
    expect(text).toMatch(/1\. a +.*●.* 68\.8%/);
    expect(text).toMatch(/a +c +3 +0 +1 +75\.0%/);
    expect(text.split("\n").every((line) => line.length <= 100)).toBe(true);
  });

  it("are significant at the level of the intervals", async () => {
    const all = (output: number) =>
      Object.fromEntries([1, 2, 3, 4, 5, 6, 7].map((id) => [id, output])) as Record<string, number>;
    const experiments = [experimentOf("a", all(1)), experimentOf("b", all(0))];
    // Seven of seven wins: p is 2 / 2 ** 7 = 0.0156.
    for (const [level, headline] of [
      [0.95, "a is better on larger, by more than chance"],
      [0.99, "Neither experiment is better by more than chance"],
    ] as const) {
      const found = await compare(experiments, [larger], { level });
      expect(found.aggregates.larger?.pairs[0]?.adjustedPValue).toBeCloseTo(0.015625);
      expect(await renderReport(found)).toContain(headline);
      expect(formatComparative(found, { color: true }).includes("\x1b[32m")).toBe(level === 0.95);
    }
  });

  it("accepts running experiments, and parsed JSON", async () => {
    const data = ["x", "y"].map((id) => ({ id, inputs: id }));
    const run = (size: number) =>
      evaluate(() => size, { data, experimentPrefix: `size${size}`, progress: false });
    const { aggregates } = await evaluateComparative([run(1), JSON.parse(JSON.stringify(await run(2)))], {
      evaluators: [larger],
      experimentPrefix: "sizes",
      metadata: { a: 1 },
      description: "by size",
    });
    expect(aggregates.larger?.pairs[0]).toMatchObject({ wins: 0, losses: 2 });
  });

  it("reports unpaired rows, and counts failures for neither side", async () => {
    const other = experimentOf("b", { 1: 2, 2: 2, 4: 2, 5: 13 });
    (other.rows[1] as any).example.inputs = "another question";
    const found = await compare(
      [experimentOf("a", { 1: 1, 2: 1, 3: 1, 4: new Error("out of turns"), 5: 1 }), other],
      [pairwise()],
    );
    expect(found.unpaired).toEqual([
      { exampleId: "2", repetition: 0, missing: [], failed: [], different: ["b"] },
      { exampleId: "3", repetition: 0, missing: ["b"], failed: [], different: [] },
      { exampleId: "4", repetition: 0, missing: [], failed: ["a"], different: [] },
    ]);
    expect(found.rows.map(({ example, errors }) => [example.id, errors.length])).toEqual([
      ["1", 0],
      ["5", 1],
    ]);
    expect(found.rows[1]?.errors).toMatchObject([
      {
        key: "larger",
        runs: ["a/5", "b/5"],
        error: { code: "callback_failed", message: expect.stringContaining("unlucky") },
      },
    ]);
    expect(found.aggregates.larger).toMatchObject({
      errors: 1,
      pairs: [{ wins: 0, ties: 0, losses: 1, count: 1, errors: 1 }],
    });
    // If one of three has no output, the others are compared.
    const three = await compare([
      experimentOf("a", SOME),
      experimentOf("b", { 1: 0, 2: 0 }),
      experimentOf("c", { 1: 0, 2: 5, 3: 5 }),
    ]);
    expect(three.aggregates.larger?.pairs.map(({ count }) => count)).toEqual([2, 3, 2]);
    expect(three.unpaired).toMatchObject([{ exampleId: "3", missing: ["b"] }]);
  });

  it("counts results without a score for one of the runs", async () => {
    const scored = ({ runs, example }: { runs: Run[]; example: { id: string } }) => {
      const [a = "", b = "", c = ""] = runs.map(({ id }) => id);
      const all: Record<string, object> = {
        1: { [a]: 1, [b]: 0, [c]: 0 },
        2: {},
        3: { [a]: 1, [b]: null, [c]: 0 },
        4: { [a]: 1, [c]: 0 },
      };
      return { key: "scored", scores: all[example.id] };
    };
    const outputs = { 1: 1, 2: 1, 3: 1, 4: 1 };
    const found = await compare(
      ["a", "b", "c"].map((name) => experimentOf(name, outputs)),
      [scored],
    );
    expect(found.aggregates.scored?.pairs).toMatchObject([
      { first: "a", second: "b", wins: 1, count: 1, winRate: 1, errors: 0, unscored: 3 },
      { first: "a", second: "c", wins: 3, count: 3, winRate: 1, errors: 0, unscored: 1 },
      { first: "b", second: "c", ties: 1, count: 1, winRate: 0.5, errors: 0, unscored: 3 },
    ]);
    const text = formatComparative(found, { columns: 120 });
    expect(text).toMatch(/Unscored$/m);
    expect(text).toMatch(/^a +b +1 +0 +0 +100\.0%.* 3$/m);
    const complete = await compare([experimentOf("a", SOME), experimentOf("b", SOME)]);
    expect(complete.aggregates.larger?.pairs[0]).not.toHaveProperty("unscored");
  });

  it("treats repetitions of an example as one observation", async () => {
    const once = await compare([
      experimentOf("a", { 1: 1, 2: 1, 3: 1, 4: 0 }),
      experimentOf("b", { 1: 0, 2: 0, 3: 0, 4: 1 }),
    ]);
    const repeated = (outputs: number[]) =>
      Object.fromEntries(outputs.flatMap((output, id) => [0, 1, 2].map((n) => [`${id + 1}#${n}`, output])));
    const thrice = await compare([
      experimentOf("a", repeated([1, 1, 1, 0])),
      experimentOf("b", repeated([0, 0, 0, 1])),
    ]);
    const [one, three] = [once, thrice].map(({ aggregates }) => aggregates.larger?.pairs[0]);
    expect(three).toMatchObject({ wins: 9, losses: 3, count: 12 });
    expect(three?.pValue).toBe(one?.pValue);
    expect(three?.interval?.low).toBeCloseTo(one?.interval?.low ?? 0, 1);
    const [first, second] = [once, thrice].map(({ aggregates }) => aggregates.larger?.ranking[0]?.interval);
    expect(second?.low).toBeCloseTo(first?.low ?? 0, 9);
    const clustered = await compare(
      [experimentOf("a", { 1: 1, 2: 1, 3: 1, 4: 1 }), experimentOf("b", { 1: 0, 2: 0, 3: 0, 4: 0 })],
      [larger],
      { clusterBy: () => "all" },
    );
    expect(clustered.aggregates.larger?.pairs[0]).toMatchObject({ wins: 4, pValue: 1 });
  });

  it("passes runs in both forms of LangSmith, in random order", async () => {
    const orders = new Map<string, string>();
    const experiments = ["a", "b", "c"].map((name, n) =>
      experimentOf(name, Object.fromEntries(Array.from({ length: 40 }, (_, i) => [i, (i * (n + 3)) % 7]))),
    );
    const legacy = (runs: Run[], example: { id: string }) => {
      orders.set(example.id, runs.map(({ id }) => id[0]).join(""));
      // Some evaluators reorder the list.
      runs.reverse();
      return { ...larger({ runs }), source_run_id: "traced" };
    };
    const byOutputs = ({ runs, outputs, inputs, example, referenceOutputs }: any) => {
      expect(outputs).toEqual(runs.map((run: Run) => run.outputs));
      expect([inputs, referenceOutputs]).toEqual([`question ${example.id}`, undefined]);
      return { scores: { [runs[0].id]: null, [runs[1].id]: true, [runs[2].id]: false } };
    };
    const found = await compare(experiments, [legacy, byOutputs], { randomizeOrder: true, seed: 4 });
    expect(new Set(orders.values()).size).toBe(6);
    const before = new Map(orders);
    await compare(experiments, [legacy], { randomizeOrder: true, seed: 4, maxConcurrency: 9 });
    expect(orders).toEqual(before);
    expect(Object.keys(found.aggregates)).toEqual(["larger", "byOutputs"]);
    expect(found.rows[0]?.evaluationResults[0]?.sourceRunId).toBe("traced");
    const count = found.aggregates.byOutputs?.pairs.reduce((sum, pair) => sum + pair.count, 0);
    expect(count).toBe(40);
    await compare(experiments, [legacy]);
    expect(new Set(orders.values())).toEqual(new Set(["abc"]));
  });

  it("gives each evaluator its own runs and example", async () => {
    const changing = ({ runs, example, inputs }: any) => {
      const scores = Object.fromEntries(runs.map(({ id }: Run) => [id, 1]));
      for (const run of runs) Object.assign(run, { id: "other", outputs: 0 });
      Object.assign(example, { id: "other", inputs: "other" });
      inputs.q.push("more");
      return { key: "changing", scores };
    };
    const experiments = [experimentOf("a", SOME), experimentOf("b", { 1: 2, 2: 2, 3: 2 })];
    for (const { rows } of experiments) for (const { example } of rows) example.inputs = { q: [example.id] };
    const before = structuredClone(experiments);
    const alone = await compare(experiments);
    const { rows, aggregates } = await compare(experiments, [changing, larger]);
    expect(experiments).toEqual(before);
    expect(aggregates.larger).toEqual(alone.aggregates.larger);
    expect(rows.map(({ example, runs }) => ({ example, runs }))).toEqual(
      alone.rows.map(({ example, runs }) => ({ example, runs })),
    );
  });

  it("compares a few of many experiments on each example, and others on the next", async () => {
    const experiments = Array.from({ length: 7 }, (_, n) =>
      experimentOf(`e${n}`, Object.fromEntries(Array.from({ length: 30 }, (_, i) => [i, n + ((i * 5) % 4)]))),
    );
    const { aggregates, rows } = await compare(experiments, [pairwise()], {
      opponents: 2,
      maxConcurrency: 8,
    });
    expect(rows.every(({ evaluationResults }) => evaluationResults.length === 7)).toBe(true);
    const { pairs = [], ranking = [] } = aggregates.larger ?? {};
    expect(pairs.reduce((sum, { count }) => sum + count, 0)).toBe(210);
    expect(pairs.filter(({ count }) => count === 0)).toEqual([]);
    expect(ranking.map(({ name }) => name)).toEqual(["e6", "e5", "e4", "e3", "e2", "e1", "e0"]);
  });

  it("reports the judge's position bias, and does not conclude from one row", async () => {
    const twelve = (size: number) => Object.fromEntries(Array.from({ length: 12 }, (_, i) => [i, size]));
    const leaning = async (biases: (row: number) => number) => {
      const evaluator = ({ runs, example }: any) => ({
        ...larger({ runs }),
        metadata: { positionBias: biases(Number(example.id)) },
      });
      const found = await compare([experimentOf("a", twelve(1)), experimentOf("b", twelve(2))], [evaluator]);
      const { value = 9, interval } = found.aggregates.larger?.positionBias ?? {};
      return [value, interval?.low ?? 9, interval?.high ?? 9];
    };
    const [none, once, always] = [
      await leaning(() => 0),
      await leaning((row) => +!row),
      await leaning(() => 1),
    ];
    expect(none.map((figure) => figure.toFixed(2))).toEqual(["0.00", "-0.24", "0.24"]);
    expect(once[0]).toBeCloseTo(1 / 12, 9);
    expect(once[1]).toBeLessThan(0);
    expect(always[0]).toBe(1);
    expect(always[1]).toBeGreaterThan(0.4);
  });

  it("stops on its signal with the completed rows", async () => {
    const controller = new AbortController();
    const stopping = ({ runs }: { runs: Run[] }) => {
      if (runs[0]?.id === "a/2") controller.abort(new Error("enough"));
      return larger({ runs });
    };
    const done: unknown[] = [];
    const options: Partial<EvaluateComparativeOptions> = {
      signal: controller.signal,
      onProgress: (progress) => done.push([progress.done, progress.total]),
    };
    const found = await compare([experimentOf("a", SOME), experimentOf("b", SOME)], [stopping], options);
    expect(found.stopped).toMatchObject({ code: "aborted", message: expect.stringContaining("enough") });
    expect(found.rows.length).toBeLessThan(3);
    expect(done.slice(0, 2)).toEqual([
      [0, 3],
      [1, 3],
    ]);
  });

  it("ends the requests of its judges with its signal", async () => {
    const stop = new AbortController();
    const { model, asked } = neverAnswers();
    const judge = createPairwiseJudge({ prompt: "{output_a} {output_b}", judge: model });
    const comparison = compare([experimentOf("a", SOME), experimentOf("b", SOME)], [judge], {
      signal: stop.signal,
    });
    // The judge is asked in both orders.
    await vi.waitFor(() => expect(asked).toHaveLength(2), { interval: 1 });
    stop.abort();
    expect((await comparison).stopped?.code).toBe("aborted");
    await vi.waitFor(() => expect(asked.map(({ aborted }) => aborted)).toEqual([true, true]), {
      interval: 1,
    });
  });

  it("errors after the first comparison have the finished rows", async () => {
    const experiments = [experimentOf("a", SOME), experimentOf("b", SOME)];
    const onProgress = ({ done }: { done: number }) => {
      if (done === 2) throw new Error("no terminal");
    };
    await expect(compare(experiments, [larger], { onProgress })).rejects.toMatchObject({
      code: "callback_failed",
      message: "onProgress failed: no terminal",
      comparative: { rows: [{ evaluationResults: [{}] }, { evaluationResults: [{}] }] },
    });
    let calls = 0;
    const renamed = ({ runs }: { runs: Run[] }) => ({
      ...larger({ runs }),
      key: calls++ ? "other" : "first",
    });
    await expect(compare(experiments, [renamed])).rejects.toMatchObject({
      code: "invalid_config",
      comparative: { rows: [{ evaluationResults: [{ key: "first" }] }] },
    });
  });

  it("invalid options are errors", async () => {
    const [a, b] = [experimentOf("a", SOME), experimentOf("b", SOME)];
    const twice = experimentOf("b", SOME);
    twice.rows.push(twice.rows[0] as never);
    const sameRuns = { ...experimentOf("a", SOME), experimentName: "b" };
    for (const experiments of [
      [a],
      [a, a],
      [a, sameRuns],
      [a, twice],
      [a, null],
      [a, {}],
      [a, { ...b, experimentName: "" }],
      [a, { ...b, rows: [{}] }],
      "ab",
      undefined,
    ]) {
      expect((await errorOf(compare(experiments as never))).code).toBe("invalid_input");
    }
    for (const options of [
      { evaluators: [] },
      { evaluators: ["larger"] },
      { evaluators: [larger], opponents: 0 },
      { evaluators: [larger], judges: { cacheMode: "replay" } },
      { evaluators: [larger], client: {} },
      { evaluators: [larger, () => ({ key: "larger", scores: {} })] },
    ])
      expect((await errorOf(evaluateComparative([a, b], options as never))).code).toBe("invalid_config");
    expect(
      (await errorOf(evaluateComparative([a, Promise.reject(new Error("gone"))], { evaluators: [larger] })))
        .code,
    ).toBe("invalid_input");
  });

  it("records invalid results of evaluators as errors", async () => {
    const experiments = [experimentOf("a", SOME), experimentOf("b", SOME)];
    for (const evaluator of [
      () => null,
      () => 1,
      () => ({ key: "k", score: 1 }),
      () => ({ key: "", scores: {} }),
      () => ({ scores: [1, 0] }),
      () => ({ scores: { nobody: 1 } }),
      () => ({ scores: { "a/1": 1, "a/2": 1, "a/3": 1 }, error: "no answer" }),
      () => ({ scores: { "a/1": Number.NaN, "a/2": Number.NaN, "a/3": "1" } }),
      () => Promise.reject(new Error("no")),
    ]) {
      const { rows, aggregates } = await compare(experiments, [evaluator as never]);
      expect(rows.map(({ errors }) => errors.length)).toEqual([1, 1, 1]);
      expect(Object.values(aggregates)).toMatchObject([
        { errors: 3, ranking: [], pairs: [{ count: 0, winRate: null }] },
      ]);
    }
  });

  it("supports names and ids such as __proto__", async () => {
    const hostile = experimentOf("__proto__", SOME);
    for (const row of hostile.rows) row.run.id = "constructor";
    const proto = Object.assign(({ runs }: { runs: Run[] }) => ({ ...larger({ runs }), key: "__proto__" }));
    const found = await compare([experimentOf("a", { 1: 5, 2: 5, 3: 5 }), hostile], [proto]);
    expect(Object.keys(found.aggregates)).toEqual(["__proto__"]);
    expect(Object.values(found.aggregates)[0]?.pairs).toMatchObject([
      { first: "a", second: "__proto__", wins: 3 },
    ]);
    expect(formatComparative(JSON.parse(JSON.stringify(found)))).toContain("__proto__");
  });
});
