/** Interim looks at an experiment: confidence sequences, and `stopWhen`. */
import {
  confidenceSequence,
  type DataRow,
  type Experiment,
  evaluate,
  formatExperiment,
  renderReport,
} from "openevals-wasm/evaluation";
import { describe, expect, it } from "vitest";

/** Reproducible numbers from 0 to 1. */
function randomOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647;
  };
}

const rows = (count: number): DataRow[] => Array.from({ length: count }, (_, row) => ({ inputs: row }));
const coins = (count: number, rate: number, seed = 1) => {
  const random = randomOf(seed);
  return Array.from({ length: count }, () => random() < rate);
};
const echo = (answers: readonly unknown[]) => (row: number) => answers[row];
const right = ({ outputs }: { outputs: any }) => ({ key: "right", score: outputs });
const run = (answers: readonly unknown[], options: object) =>
  evaluate(echo(answers), { data: rows(answers.length), evaluators: [right], progress: false, ...options });

describe("confidenceSequence", () => {
  it("gives the same result score by score and all at once", async () => {
    const scores = coins(200, 0.7);
    const [sequence, whole] = [confidenceSequence(), confidenceSequence({ level: 0.95, range: [0, 1] })];
    const looks = [];
    // Not awaited one by one: scores stay in order.
    for (const score of scores) looks.push(sequence.add(score));
    const each = await Promise.all(looks);
    const last = each.at(-1)!;
    expect(last).toEqual(await whole.add(scores));
    expect(last).toMatchObject({ count: 200, interval: { level: 0.95 } });
    expect(last.interval!.low < 0.7 && last.interval!.high > 0.7).toBe(true);
    const widths = each.map(({ interval }) => interval!.high - interval!.low);
    expect(widths).toEqual(widths.toSorted((a, b) => b - a));
  });

  it("allows for any value of a missing score", async () => {
    const scores = coins(300, 0.9).map((score, row) => (row % 10 ? score : null));
    const { value, interval, count } = await confidenceSequence().add(scores);
    const known = scores.filter((score) => score !== null);
    expect(value).toBeCloseTo(known.filter(Boolean).length / known.length, 12);
    expect(count).toBe(300);
    const without = (await confidenceSequence().add(known)).interval!;
    expect(interval!.low).toBeLessThan(without.low);
    expect((await confidenceSequence().add([null, null])).interval).toMatchObject({ low: 0, high: 1 });
  });

  it("has no interval without scores, and for a mean that drifts", async () => {
    const sequence = confidenceSequence();
    expect(await sequence.add([])).toEqual({ value: null, interval: null, count: 0 });
    const sorted = await sequence.add([...Array(300).fill(1), ...Array(300).fill(0)]);
    expect(sorted).toEqual({ value: 0.5, interval: null, count: 600 });
  });

  it("refuses scores outside of its range, and adds none of them", async () => {
    const sequence = confidenceSequence({ range: [1, 5] });
    for (const scores of [[3, 6], [2, Number.NaN], 0, "1", [undefined], [false]]) {
      await expect(sequence.add(scores as never)).rejects.toMatchObject({ code: "invalid_input" });
    }
    expect(await sequence.add([1, 5])).toMatchObject({ value: 3, count: 2 });
    const ranges = [[1, 1], [0], [-1e308, 1e308], [0, Number.NaN]];
    for (const options of [...ranges.map((range) => ({ range })), { level: 1 }, { levels: 1 }]) {
      expect(() => confidenceSequence(options as never)).toThrow();
    }
  });

  it("takes the same time for each look", async () => {
    const scores = coins(30_000, 0.8, 4);
    const sequence = confidenceSequence();
    const times: number[] = [];
    for (let from = 0; from < scores.length; from += 10_000) {
      const began = performance.now();
      for (const score of scores.slice(from, from + 10_000)) await sequence.add(score);
      times.push(performance.now() - began);
    }
    expect(times[2]).toBeLessThan(times[0]! * 2);
  });
});

describe("stopWhen", () => {
  it("stops when the side of the mean is known", async () => {
    const answers = coins(1_000, 0.95, 3);
    const experiment = await run(answers, { stopWhen: { right: { threshold: 0.8 } } });
    const [decision] = experiment.decisions!;
    expect(decision).toMatchObject({ key: "right", verdict: "above", threshold: 0.8, errors: 0 });
    expect(experiment.rows.length).toBe(decision!.examples);
    expect(decision!.examples).toBeLessThan(200);
    expect(experiment).toMatchObject({ stoppedEarly: true });
    expect(experiment).not.toHaveProperty("stopped");
    // The same as with a manual look after each row.
    const sequence = confidenceSequence();
    let row = 0;
    for (let low = 0; low < 0.8; row++) low = (await sequence.add(answers[row]!)).interval!.low;
    expect(row).toBe(decision!.examples);
    expect(experiment.aggregates.right).toMatchObject({ interval: decision!.interval, anytimeValid: true });
    const below = await run(coins(1_000, 0.5, 3), { stopWhen: { right: { threshold: 0.8 } } });
    expect(below.decisions).toMatchObject([{ verdict: "below" }]);
  });

  it("stops when the interval is narrow enough, or never", async () => {
    const narrow = await run(coins(1_000, 0.9, 5), { stopWhen: { right: { width: 0.2 } } });
    const { low, high } = narrow.decisions![0]!.interval!;
    expect(narrow.decisions).toMatchObject([{ verdict: "narrow", width: 0.2 }]);
    expect(high - low).toBeLessThanOrEqual(0.2 + 1e-9);
    const open = await run(coins(100, 0.8, 5), { stopWhen: { right: { threshold: 0.8 } } });
    expect(open.decisions).toMatchObject([{ verdict: null, examples: 100 }]);
    expect(open).not.toHaveProperty("stoppedEarly");
    expect(open.aggregates.right?.anytimeValid).toBe(true);
    await expect(run([], { stopWhen: { right: { threshold: 0.8 } } })).rejects.toThrow(
      "The data has no rows.",
    );
  });

  it("decides the same in any order of completion", async () => {
    const answers = coins(400, 0.95, 3);
    const stopWhen = { right: { threshold: 0.8 } };
    const inOrder = await run(answers, { stopWhen });
    const random = randomOf(8);
    // Right answers arrive at once, all others after some turns.
    const target = async (row: number) => {
      for (let turn = random() * 40; !answers[row] && turn > 0; turn--)
        await new Promise((next) => setTimeout(next));
      return answers[row];
    };
    const options = { data: rows(400), evaluators: [right], progress: false, stopWhen, maxConcurrency: 50 };
    const many = await evaluate(target, options);
    expect(many.decisions).toEqual(inOrder.decisions);
    // Rows under way are finished, and count in the aggregates.
    expect(many.rows.length).toBeGreaterThan(inOrder.rows.length);
    expect(many.rows.map(({ example }) => Number(example.id))).toEqual(many.rows.map((_, row) => row + 1));
  });

  it("is not helped by errors", async () => {
    const answers = coins(300, 0.97, 3);
    const target = (row: number) => {
      if (row % 4 === 0) throw new Error("no answer");
      return answers[row];
    };
    const options = { data: rows(300), evaluators: [right], progress: false };
    const stopWhen = { right: { threshold: 0.8 } };
    const failing = await evaluate(target, { ...options, stopWhen });
    expect(failing.decisions).toMatchObject([{ verdict: null, examples: 300, errors: 75 }]);
    const { low, high } = failing.aggregates.right!.interval!;
    expect(low < 0.75 && high > 0.95).toBe(true);
    // Three quarters of wrong answers are still enough.
    const wrong = await evaluate((row) => (row % 4 ? 0 : target(row)), { ...options, stopWhen });
    expect(wrong.decisions).toMatchObject([{ verdict: "below" }]);
    const nothing = await evaluate(() => target(0), { ...options, stopWhen });
    expect(nothing.decisions).toMatchObject([
      { verdict: null, interval: { low: 0, high: 1 }, examples: 300, errors: 300 },
    ]);
  });

  it("counts errors from before their key was known", async () => {
    const late = ({ inputs }: { inputs: number }) => {
      if (inputs < 30) throw new Error("not yet");
      return { key: "late", score: true };
    };
    const experiment = await run(coins(200, 0.8, 5), {
      evaluators: [right, late],
      stopWhen: { right: { threshold: 0.8 } },
    });
    const { interval, errors, mean } = experiment.aggregates.late!;
    expect({ errors, mean }).toEqual({ errors: 30, mean: 1 });
    const scores = Array.from({ length: 200 }, (_, row) => (row < 30 ? null : true));
    expect(interval).toEqual((await confidenceSequence().add(scores)).interval);
  });

  it("leaves out rows that do not apply, and treats repetitions as one", async () => {
    const answers = coins(500, 0.95, 3);
    const every = await run(answers, { stopWhen: { right: { threshold: 0.8 } } });
    const half = answers.flatMap((answer) => [answer, null]);
    const applicable = await run(half, { stopWhen: { right: { threshold: 0.8 } } });
    expect(applicable.decisions).toEqual(every.decisions);
    const twice = await run(answers, { stopWhen: { right: { threshold: 0.8 } }, numRepetitions: 3 });
    expect(twice.decisions).toEqual(every.decisions);
    expect(twice.rows.length).toBe(every.rows.length * 3);
  });

  it("shares the level among conditions, and waits for all of them", async () => {
    const both = ({ outputs }: { outputs: boolean }) => [
      { key: "right", score: outputs },
      { key: "size", score: outputs ? 9 : 2 },
      { key: "length", score: 140 },
    ];
    const experiment = await run(coins(800, 0.95, 3), {
      evaluators: [both],
      stopWhen: { right: { threshold: 0.5 }, size: { width: 1.5, range: [0, 10] } },
    });
    const [first, second] = experiment.decisions!;
    expect(first).toMatchObject({ verdict: "above", interval: { level: 0.975 } });
    expect(second).toMatchObject({ verdict: "narrow", interval: { level: 0.975 } });
    expect(experiment.rows.length).toBe(Math.max(first!.examples, second!.examples));
    expect(first!.examples).not.toBe(second!.examples);
    // The range of this one is unknown.
    expect(experiment.aggregates.length).toMatchObject({ mean: 140, interval: null });
    expect(experiment.aggregates.size?.interval?.level).toBe(0.95);
  });

  it("compares with a baseline", async () => {
    const [before, after] = [coins(600, 0.6, 5), coins(600, 0.6, 5)];
    const better = after.map((answer, row) => answer || row % 3 === 0);
    const baseline = await run(before, {});
    const experiment = await run(better, { stopWhen: { right: { baseline } } });
    expect(experiment).toMatchObject({
      stoppedEarly: true,
      decisions: [{ verdict: "above", threshold: 0, isDifference: true }],
    });
    const none = await run(after, { stopWhen: { right: { baseline, threshold: 0.05 } } });
    expect(none.decisions).toMatchObject([{ verdict: "below" }]);
    // A baseline without these rows gives no information.
    const other = {
      rows: baseline.rows.map((row) => ({ ...row, example: { ...row.example, id: "other" } })),
    };
    const unpaired = await run(after, { stopWhen: { right: { baseline: other, threshold: 0 } } });
    expect(unpaired.decisions).toMatchObject([
      {
        verdict: null,
        examples: 0,
        note: expect.stringMatching(/^No row has the id of a row of the baseline, so nothing was compared\./),
      },
    ]);
    const text = formatExperiment(unpaired).replaceAll("\n", " ");
    expect(text).toContain("right: No row has the id of a row of the baseline");
  });

  it("refuses a baseline whose scores have another meaning", async () => {
    const baseline = await run([true, false], { lowerIsBetter: ["right"] });
    const targets: number[] = [];
    const stopped = evaluate((row: number) => targets.push(row) > 0, {
      data: rows(9),
      evaluators: [right],
      stopWhen: { right: { baseline } },
      maxConcurrency: 1,
      progress: false,
    });
    await expect(stopped).rejects.toMatchObject({
      code: "invalid_input",
      message: expect.stringContaining(
        'In the first experiment, lower scores of "right" are better, and in the second, higher ones',
      ),
    });
    // It ends with the first results instead of after all rows.
    expect(targets.length).toBeLessThan(9);
    const options = { lowerIsBetter: ["right"], stopWhen: { right: { baseline } } };
    expect((await run([true, true], options)).decisions?.[0]?.examples).toBe(2);
    // Experiments of earlier versions record no scales.
    const { scales: _, ...old } = baseline;
    expect((await run([true, true], { stopWhen: { right: { baseline: old } } })).decisions).toHaveLength(1);
  });

  it("refuses a baseline of true and false for grades", async () => {
    const graded = Object.assign(() => ({ key: "right", score: 1 }), {
      scale: { min: 1, max: 5, passAt: 5 },
    });
    // The scores decide, as in compareExperiments(), also without the figures of the experiment.
    const { rows: recorded } = await run([true, true], {});
    const stopWhen = { right: { baseline: { rows: recorded }, range: [1, 5] as const } };
    await expect(
      evaluate(() => 1, { data: rows(2), evaluators: [graded], stopWhen, progress: false }),
    ).rejects.toMatchObject({
      code: "invalid_input",
      message: expect.stringContaining(
        'The scores of "right" are true or false in the first experiment and from 1 to 5 in the second',
      ),
    });
  });

  it("notes pairs with different inputs, and refuses a baseline if most have them", async () => {
    const asked = (questions: string[], options: object) =>
      evaluate(async () => true, {
        data: questions.map((inputs) => ({ inputs })),
        evaluators: [({ outputs }) => ({ key: "right", score: outputs as boolean })],
        progress: false,
        ...options,
      });
    const baseline = await asked(["a", "b", "c"], {});
    const stopWhen = { right: { baseline, width: 0.5 } };
    const advice =
      "Rows are paired by id, which is their position by default. Give each row an id that stays with its inputs.";
    const { decisions } = await asked(["a", "b", "d"], { stopWhen, output: { keepRows: false } });
    expect(decisions?.[0]?.note).toBe(
      `1 of 3 paired rows has different inputs, such as row 3: "c" and "d". ${advice}`,
    );
    expect((await asked(["a", "b", "c"], { stopWhen })).decisions?.[0]).not.toHaveProperty("note");
    const most = `2 of 3 paired rows have different inputs, such as row 2: "b" and "c". ${advice}`;
    await expect(asked(["a", "c", "b"], { stopWhen })).rejects.toMatchObject({
      code: "invalid_input",
      message: `The baseline of stopWhen.right is the first experiment. ${most}`,
      // Its rows may have been paid for. A difference between other examples decides nothing.
      experiment: {
        rows: [{}, {}, {}],
        aggregates: { right: { mean: 1 } },
        decisions: [{ examples: 3, interval: null, verdict: null, note: most }],
      },
    });
  });

  it("keeps its answer when the signal fires, and counts no rows after a gap", async () => {
    const answers = coins(100, 0.95, 3);
    const controller = new AbortController();
    // The first row never answers, so nothing is known.
    const stuck = await evaluate(
      async (row: number) => {
        if (row === 0) return new Promise(() => {});
        if (row === 90) controller.abort();
        return answers[row];
      },
      {
        data: rows(100),
        evaluators: [right],
        progress: false,
        maxConcurrency: 10,
        signal: controller.signal,
        stopWhen: { right: { threshold: 0.5 } },
      },
    );
    expect(stuck.stopped).toMatchObject({ code: "aborted" });
    expect(stuck.decisions).toMatchObject([{ verdict: null, examples: 0, interval: null }]);
    expect(stuck.aggregates.right?.interval).toBeNull();

    const needed = (await run(answers, { stopWhen: { right: { threshold: 0.5 } } })).rows.length;
    const late = new AbortController();
    const atOnce = await evaluate(
      (row: number) => {
        if (row === needed - 1) queueMicrotask(() => late.abort());
        return answers[row];
      },
      {
        data: rows(100),
        evaluators: [right],
        progress: false,
        signal: late.signal,
        stopWhen: { right: { threshold: 0.5 } },
      },
    );
    // Either may be first; the other is not reported as known.
    expect(atOnce.rows.length).toBeLessThanOrEqual(needed);
    expect(atOnce.decisions![0]!.verdict).toBe(atOnce.decisions![0]!.examples === needed ? "above" : null);
  });

  it("impossible conditions are errors", async () => {
    const experiment = { rows: [] };
    for (const [options, message] of [
      [{ stopWhen: {} }, "no key"],
      [{ stopWhen: { right: {} } }, "needs a threshold or a width"],
      [{ stopWhen: { right: { threshold: 2 } } }, "its range is from 0 to 1"],
      [{ stopWhen: { right: { width: 0.001 } } }, "from 0.005"],
      [{ stopWhen: { right: { treshold: 0.8 } } }, 'no option "treshold"'],
      [{ stopWhen: { right: { threshold: 0.8 } }, clusterBy: "x" }, "clusterBy"],
      [{ stopWhen: { right: { threshold: 0.8 } }, judges: { mode: "batch" } }, "batch"],
      [{ stopWhen: { right: { baseline: experiment } } }, "no scores of right"],
      [{ stopWhen: [] }, "object of options"],
    ] as const) {
      await expect(run([true], options)).rejects.toMatchObject({
        code: "invalid_config",
        message: expect.stringContaining(message),
      });
    }
    const beyond = run([0.5, 7, 0.5], { stopWhen: { right: { threshold: 0.8 } } });
    await expect(beyond).rejects.toMatchObject({
      code: "invalid_input",
      message: expect.stringContaining('right of the example "2" is 7'),
    });
    const { experiment: done } = await beyond.catch((error: { experiment: Experiment }) => error);
    expect(done.rows.length).toBe(2);
  });

  it("a misspelt key is an error with the rows so far", async () => {
    const misspelled = run([true, false], { stopWhen: { rihgt: { threshold: 0.8 } } });
    await expect(misspelled).rejects.toMatchObject({
      code: "invalid_config",
      message: expect.stringContaining(
        'stopWhen has the key "rihgt", which no result has; did you mean "right"?',
      ),
      experiment: { rows: { length: 1 } },
    });
  });

  it("another unknown key is one after all rows", async () => {
    await expect(run([true, false], { stopWhen: { safety: { threshold: 0.8 } } })).rejects.toMatchObject({
      code: "invalid_config",
      message: expect.stringContaining(
        'stopWhen has the key "safety", which no result has; there are "right".',
      ),
      experiment: { rows: { length: 2 } },
    });
  });

  it("is rarely wrong with a look after every row", async () => {
    const random = randomOf(11);
    let wrong = 0;
    for (let time = 0; time < 40; time++) {
      const answers = Array.from({ length: 100 }, () => random() < 0.8);
      const { decisions } = await run(answers, { stopWhen: { right: { threshold: 0.8 } } });
      wrong += Number(decisions![0]!.verdict !== null);
    }
    expect(wrong).toBeLessThanOrEqual(2);
  });

  it("is reported in one line", async () => {
    const experiment = await run(coins(1_000, 0.95, 3), { stopWhen: { right: { threshold: 0.8 } } });
    const line =
      /Stopped early: right is above 0\.8 after \d+ examples \(0\.80\d to \d\.\d+, 95% at every look\)/;
    expect(formatExperiment(experiment, { columns: 200 })).toMatch(line);
    const read = JSON.parse(JSON.stringify(experiment));
    expect(read).toEqual(experiment);
    expect(await renderReport(read)).toContain('"verdict":"above"');
  });
});
