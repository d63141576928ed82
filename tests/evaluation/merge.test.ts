/** Merging the parts of an experiment. */
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import {
  type EvaluateOptions,
  type Experiment,
  evaluate,
  type MergeOptions,
  mean,
  mergeExperiments,
  readExperiment,
} from "openevals-wasm/evaluation";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { errorOf } from "../api/error-of.js";
import { temporaryFolder } from "./folder.js";

const folder = temporaryFolder();

/** Reproducible numbers from 0 to 1 for a seed. */
function random(seed: number) {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

/** The same for a row and repetition in any process. */
const chance = (id: string, salt: number) => random(Number(id) * 7919 + salt * 104729 + 1)();

let calls = 0;
async function target({ id }: { id: string }) {
  // Rows finish out of order.
  if (calls++ % 3 === 0) await new Promise((resolve) => setImmediate(resolve));
  if (chance(id, 1) < 0.1) throw new Error("no answer");
  return { text: `answer ${id}` };
}

/** Returns some keys only occasionally, and fails occasionally, also in the first rows. */
const several = ({ inputs: { id } }: { inputs: { id: string } }) => {
  if (chance(id, 2) < 0.3) throw new TypeError("nothing to say");
  const usage = { inputTokens: Number(id), outputTokens: 1 };
  const length = { key: "length", score: Math.round(chance(id, 3) * 1e6) / 7, metadata: { usage } };
  return chance(id, 4) < 0.2 ? [{ key: "rare", score: chance(id, 5) }, length] : [length];
};
const verdict = ({ inputs: { id }, run }: { inputs: { id: string }; run: { repetition: number } }) => ({
  key: "verdict",
  score: chance(id, 6) < 0.1 ? null : chance(id, 7 + run.repetition) < 0.6,
});
/** Returns a value instead of a score. */
const tone = ({ inputs: { id } }: { inputs: { id: string } }) => ({
  key: "tone",
  value: chance(id, 10) < 0.5 ? "warm" : "cold",
});
/** Lacks a key in some parts. */
const failing = ({ inputs: { id } }: { inputs: { id: string } }) => {
  if (id !== "4") throw new Error("never");
  return { key: "once", score: 1 };
};

const data = (count: number) =>
  Array.from({ length: count }, (_, index) => ({
    id: `${index + 1}`,
    inputs: { id: `${index + 1}`, passage: `p${Math.floor(chance(`${index}`, 9) * 5)}` },
    extra: 1,
  }));

const verdicts = { truePositives: 40, falseNegatives: 10, falsePositives: 30, trueNegatives: 70 };
const OPTIONS = { evaluators: [several, verdict, tone, failing], maxConcurrency: 4 };

/** The parts that are the same in each run, as JSON. */
function figures({ rows, ...experiment }: Experiment): string {
  const { experimentName: _, startedAt: __, durationMs: ___, ...rest } = experiment;
  const plain = rows.map(({ run, ...row }) => {
    const { id: _, startTime: __, durationMs: ___, ...same } = run;
    return { ...row, run: same };
  });
  return JSON.stringify({ ...rest, rows: plain });
}

const shards = (count: number, options: EvaluateOptions, given: typeof target | undefined = target) =>
  Promise.all(
    Array.from({ length: count }, (_, place) =>
      evaluate(given as typeof target, { ...options, shard: { index: place + 1, count } }),
    ),
  );

const VARIANTS: [number, Partial<EvaluateOptions>][] = [
  [1, {}],
  [2, { seed: 5 }],
  [3, { numRepetitions: 3, seed: 7 }],
  [4, { clusterBy: "passage", numRepetitions: 2 }],
  [5, { calibration: { verdict: { verdicts } }, metadata: { model: "m" } }],
];

describe("mergeExperiments", () => {
  it.each(VARIANTS)("merges %i parts with %j, in any order", async (count, more) => {
    for (const size of [3, 37]) {
      const options = { ...OPTIONS, data: data(size), ...more };
      if (size === 3 && more.calibration) continue;
      const whole = await evaluate(target, options);
      const parts = (await shards(count, options)).reverse();
      const merged = await mergeExperiments(parts);
      expect(figures(merged)).toBe(figures(whole));
      expect(figures(await mergeExperiments(JSON.parse(JSON.stringify(parts))))).toBe(figures(whole));
      expect(JSON.parse(JSON.stringify(merged))).toEqual(merged);
      expect(merged.ignoredFields).toEqual(["extra"]);
    }
  });

  it("accepts sink files, with or without kept rows, and experiments read from them", async () => {
    const options = { ...OPTIONS, data: data(29), numRepetitions: 2, seed: 3 };
    const clusterBy = ({ id }: { id: string }) => Number(id) % 4;
    const whole = await evaluate(target, { ...options, clusterBy });
    const paths = [3, 1, 2].map((index) => join(folder, `sink-${index}.jsonl`));
    for (const path of paths) {
      const index = Number(/(\d).jsonl$/.exec(path)?.[1]);
      await evaluate(target, { ...options, clusterBy, output: { sink: path }, shard: { index, count: 3 } });
    }
    const { rows, rowCount, failingRowCount, ...merged } = await mergeExperiments(paths);
    expect([rows, rowCount]).toEqual([[], 58]);
    const counts = await Promise.all(paths.map((path) => readExperiment(path, { keepRows: false })));
    expect(failingRowCount).toBe(counts.reduce((sum, part) => sum + (part.failingRowCount ?? NaN), 0));
    expect(merged.aggregates).toEqual(whole.aggregates);
    expect(figures(await mergeExperiments(paths, { output: { keepRows: true } }))).toBe(figures(whole));
    const read = await Promise.all(paths.map((path) => readExperiment(path)));
    expect(figures(await mergeExperiments(read))).toBe(figures(whole));
    const withoutClusters = read.map((part) => ({
      ...part,
      rows: part.rows.map(({ cluster: _, ...row }) => row),
    }));
    expect((await errorOf(mergeExperiments(withoutClusters))).message).toContain(
      "the results of the function clusterBy",
    );
    const again = await mergeExperiments(withoutClusters, { clusterBy });
    expect(figures(again)).toBe(figures(whole));
    const json = join(folder, "part.json");
    writeFileSync(json, JSON.stringify(read[0]));
    const mixed = [json, ...paths.slice(1)];
    expect(figures(await mergeExperiments(mixed, { clusterBy, output: { keepRows: true } }))).toBe(
      figures(whole),
    );
  });

  it("merges more parts than a process may open files", async () => {
    const count = 70;
    const data = Array.from({ length: count }, (_, outputs) => ({ outputs }));
    const evaluators = [({ outputs }: { outputs: number }) => ({ key: "odd", score: outputs % 2 })];
    const paths = data.map((_, place) => join(folder, `many-${place + 1}.jsonl`));
    for (const [place, sink] of paths.entries())
      await evaluate(undefined, {
        ...{ data, evaluators },
        output: { sink, overwrite: true },
        shard: { index: place + 1, count },
      });
    const script = `
      import { mergeExperiments } from "openevals-wasm/evaluation";
      console.log((await mergeExperiments(process.argv.slice(1))).aggregates.odd.mean);`;
    const limited = ["-c", 'ulimit -n 60; exec "$0" "$@"', process.execPath];
    const args = [...limited, "--input-type=module", "--eval", script, ...paths];
    expect(execFileSync("sh", args, { cwd: import.meta.dirname, encoding: "utf8" })).toBe("0.5\n");
  });

  it("merges a part that was killed and resumed", async () => {
    const options = { ...OPTIONS, data: data(11) };
    const [first, second] = [join(folder, "killed.jsonl"), join(folder, "other.jsonl")];
    await evaluate(target, { ...options, output: { sink: first }, shard: { index: 1, count: 2 } });
    await evaluate(target, { ...options, output: { sink: second }, shard: { index: 2, count: 2 } });
    const lines = readFileSync(first, "utf8").split("\n");
    writeFileSync(first, lines.slice(0, 4).join("\n"));
    const { code, message } = await errorOf(mergeExperiments([first, second]));
    expect([code, message]).toEqual(["invalid_input", expect.stringContaining("killed.jsonl ended early")]);
    const partial = await mergeExperiments([first, second], { partial: true });
    expect([partial.rowCount, partial.stopped?.message]).toEqual([7, "The experiment has not ended."]);
    await evaluate(target, {
      ...options,
      output: { sink: first, resume: true },
      shard: { index: 1, count: 2 },
    });
    const whole = await evaluate(target, options);
    expect(figures(await mergeExperiments([first, second], { output: { keepRows: true } }))).toBe(
      figures(whole),
    );
    const elsewhere = evaluate(target, {
      ...options,
      output: { sink: first, resume: true },
      shard: { index: 2, count: 2 },
    });
    expect((await errorOf(elsewhere)).message).toContain("shard was");
  });

  it("has a defined name, metadata, times and summaries", async () => {
    const warn = vi.spyOn(console, "warn").mockImplementation(() => {});
    onTestFinished(() => warn.mockRestore());
    const options = { ...OPTIONS, data: data(9), summaryEvaluators: [mean({ key: "verdict" })] };
    const whole = await evaluate(target, options);
    const [a, b] = (await shards(2, options)) as [Experiment, Experiment];
    a.metadata = { model: "m", host: 1 };
    b.metadata = { model: "m", host: 2 };
    [a.startedAt, b.startedAt] = ["2026-01-01T00:00:02.000Z", "2026-01-01T00:00:01.000Z"];
    [a.durationMs, b.durationMs] = [5, 7];
    const merged = await mergeExperiments([b, a]);
    expect(merged).toMatchObject({
      experimentName: a.experimentName,
      metadata: { model: "m" },
      startedAt: "2026-01-01T00:00:01.000Z",
      durationMs: 7,
      summaryResults: [],
    });
    const { summaryEvaluators } = options;
    const named: MergeOptions = { summaryEvaluators, experimentName: "all", metadata: { n: 1 } };
    const { experimentName, metadata, summaryResults } = await mergeExperiments([b, a], named);
    expect([experimentName, metadata, summaryResults]).toEqual(["all", { n: 1 }, whole.summaryResults]);
  });

  it("merges the existing parts on request, and lists the missing ones", async () => {
    const [, second] = await shards(3, { ...OPTIONS, data: data(7) });
    const merged = await mergeExperiments([second as Experiment], { partial: true });
    expect(merged.missingShards).toEqual([
      { index: 1, count: 3 },
      { index: 3, count: 3 },
    ]);
    expect(merged.rows.map(({ example }) => example.id)).toEqual(["2", "5"]);
  });

  it.each<[string, string, (parts: [Experiment, Experiment]) => unknown]>([
    ["no list", "needs a list of experiments", ([a]) => a],
    ["nothing", "needs a list of experiments", () => []],
    ["no experiment", "experiments[0] has no rows", () => [{}]],
    [
      "JSON as a text",
      "experiments[0] is JSON as a text. An experiment is the result of evaluate(), or its JSON, parsed; or pass the path of its file",
      ([a]) => [JSON.stringify(a, null, 2)],
    ],
    ["a whole", "experiments[0] is not a part of an experiment", ([a]) => [{ ...a, shard: undefined }]],
    ["an older part", "lacks the field merging", ([a]) => [{ ...a, merging: undefined }]],
    ["rows that are gone", "did not keep its 4 rows", ([a]) => [{ ...a, rows: [], rowCount: 4 }]],
    [
      "other counts",
      "their shard counts are 2 and 3",
      ([a, b]) => [a, { ...b, shard: { index: 2, count: 3 } }],
    ],
    ["a part twice", "are both shard 1 of 2", ([a]) => [a, a]],
    ["a missing part", "Of 2 shards, these are missing: 2", ([a]) => [a]],
    [
      "other evaluators",
      "their evaluators are",
      ([a, b]) => [a, { ...b, merging: { ...b.merging, evaluators: ["x"] } }],
    ],
    [
      "other repetitions",
      "their repetitions are 1 and 2",
      ([a, b]) => [a, { ...b, merging: { ...b.merging, repetitions: 2 } }],
    ],
    [
      "other data with as many rows",
      "experiments[0] and experiments[1] are not parts of the same data",
      ([a, b]) => [a, { ...b, merging: { ...b.merging, dataFingerprint: "0" } }],
    ],
    ["another seed", "their seed are", ([a, b]) => [a, { ...b, merging: { ...b.merging, seed: 2 } }]],
    ["another name", "their names begin with", ([a, b]) => [a, { ...b, experimentName: "x-01234567" }]],
    [
      "a part under two numbers",
      'experiments[0] and experiments[1] look like the same shard: both begin with the row "1"',
      ([a]) => [a, { ...a, shard: { index: 2, count: 2 } }],
    ],
    [
      "rows of another part",
      'experiments[1] has the row "7", which is also in another shard',
      ([a]) => [a, { ...a, rows: [...a.rows].reverse(), shard: { index: 2, count: 2 } }],
    ],
    [
      "a part without its last row",
      // Of seven rows, the second part has 2, 4 and 6.
      "experiments[1] is not complete: its rows have 2 of the 3 results of length. Evaluate the shard again",
      ([a, b]) => [a, { ...b, rows: b.rows.slice(0, -1) }],
    ],
    [
      "an edited score",
      "experiments[1] contradicts itself: its aggregates have 3 scores",
      ([a, b]) => {
        const edited = structuredClone(b);
        const [result] = edited.rows[0]!.evaluationResults;
        result!.score = Number(result!.score) + 1;
        return [a, edited];
      },
    ],
    [
      "other data",
      "they are not parts of the same data",
      ([a, b]) => [a, { ...b, rows: b.rows.slice(0, 1), aggregates: {} }],
    ],
    [
      "one that was stopped",
      "ended early: stop.",
      ([a, b]) => [a, { ...b, stopped: { name: "E", message: "stop" } }],
    ],
    [
      "foreign results",
      "but no evaluator for it",
      ([a, b]) => [a, { ...b, merging: { ...b.merging, keys: [[], [], [], []] } }],
    ],
  ])("refuses %s", async (_, message, make) => {
    const parts = (await shards(2, { ...OPTIONS, data: data(7) })) as [Experiment, Experiment];
    const error = await errorOf(mergeExperiments(make(parts) as Experiment[]));
    expect(error.message).toContain(message);
    expect(error.message.length).toBeLessThan(400);
    expect(error.code).toMatch(/^invalid_(input|config)$/);
  });

  it.each<[string, (row: any) => object, "of data" | "of answers"]>([
    ["inputs", (row) => ({ ...row, inputs: { question: "another" } }), "of data"],
    ["outputs", (row) => ({ ...row, outputs: "another" }), "of data"],
    ["ids", ({ id, ...row }) => ({ ...row, id: `another ${id}` }), "of data"],
    ["answers", (row) => ({ ...row, outputs: "another" }), "of answers"],
  ])("refuses shards of data with other %s, but not with other metadata", async (_, change, kind) => {
    const rows = Array.from({ length: 8 }, (_, index) => ({
      id: `${index}`,
      inputs: { index },
      outputs: "some",
    }));
    const answer = kind === "of data" ? () => "some" : undefined;
    const part = (index: number, data: EvaluateOptions["data"]) => {
      const sink = join(folder, `${kind}-${index}.jsonl`);
      const options = {
        data,
        evaluators: [() => true],
        experimentPrefix: "x",
        output: { sink, overwrite: true, keepRows: true },
      };
      return evaluate(answer, { ...options, shard: { index, count: 2 } });
    };
    const paths = [1, 2].map((index) => join(folder, `${kind}-${index}.jsonl`));
    const first = await part(1, rows);
    // The first row is one of the first shard.
    for (const other of [rows.map(change), rows.map((row, index) => (index ? row : change(row)))]) {
      const second = await part(2, other);
      for (const parts of [[first, second], paths, [first, paths[1] as string]]) {
        const { code, message } = await errorOf(mergeExperiments(parts));
        expect([code, message]).toEqual([
          "invalid_input",
          expect.stringContaining("are not parts of the same data: the ids, inputs, outputs or answers"),
        ]);
      }
    }
    const second = await part(
      2,
      rows.map((row) => ({ ...row, metadata: { readAt: 2 } })),
    );
    expect((await mergeExperiments([first, second])).rows).toHaveLength(8);
    expect((await mergeExperiments(paths)).rowCount).toBe(8);
  });

  it("warns if parts have other metadata, once for each field", async () => {
    const warn = vi.spyOn(console, "warn").mockImplementation(() => {});
    onTestFinished(() => warn.mockRestore());
    const all = (await shards(3, { ...OPTIONS, data: data(9) })) as Experiment[];
    for (const [index, commit] of ["AAA", "AAA", "BBB"].entries())
      (all[index] as Experiment).metadata = { commit, app: 1, host: index };
    expect((await mergeExperiments(all)).metadata).toEqual({ app: 1 });
    const advice = "To have one application for all rows, evaluate one of the shards again.";
    expect(warn.mock.calls).toEqual([
      [
        `openevals-wasm: The metadata of experiments[0] is {"host":0}, and that of experiments[1] is {"host":1}. ${advice}`,
      ],
      [
        `openevals-wasm: The metadata of experiments[0] is {"commit":"AAA"}, and that of experiments[2] is {"commit":"BBB"}. ${advice}`,
      ],
    ]);
  });

  it("warns if a part was judged with another prompt", async () => {
    const warn = vi.spyOn(console, "warn").mockImplementation(() => {});
    onTestFinished(() => warn.mockRestore());
    const part = (index: number, promptHash: string) =>
      evaluate(({ id }: { id: string }) => id, {
        data: data(6),
        evaluators: [() => ({ key: "good", score: 1, metadata: { model: "small", promptHash } })],
        experimentPrefix: "x",
        shard: { index, count: 2 },
      });
    await mergeExperiments([await part(1, "0a"), await part(2, "0a")]);
    expect(warn).not.toHaveBeenCalled();
    await mergeExperiments([await part(1, "0a"), await part(2, "0b")]);
    expect(warn.mock.calls).toEqual([
      [
        "openevals-wasm: small with the prompt 0a judged good in experiments[0], and small with the prompt 0b in experiments[1]. " +
          "To have one judge for all rows, evaluate one of the shards again.",
      ],
    ]);
  });

  it.each([
    ["a judge", (model: string) => ({ model })],
    ["a jury", (model: string) => ({ models: [model] })],
    ["a combination", (model: string) => ({ parts: [{}, { metadata: { model } }] })],
  ])("warns if other models judged a part: %s", async (_, metadataOf) => {
    const warn = vi.spyOn(console, "warn").mockImplementation(() => {});
    onTestFinished(() => warn.mockRestore());
    const part = (index: number, model: string) =>
      evaluate(({ id }: { id: string }) => id, {
        data: data(6),
        evaluators: [() => ({ key: "good", score: 1, metadata: metadataOf(model) })],
        experimentPrefix: "x",
        shard: { index, count: 3 },
      });
    const same = [await part(1, "small"), await part(2, "small"), await part(3, "small")] as const;
    await mergeExperiments(same);
    expect(warn).not.toHaveBeenCalled();
    const file = join(folder, "large.json");
    writeFileSync(file, JSON.stringify(await part(2, "large")));
    await mergeExperiments([same[0], file, await part(3, "large")]);
    expect(warn.mock.calls).toEqual([
      [
        `openevals-wasm: small judged good in experiments[0], and large in ${file}. To have one judge for all rows, evaluate one ` +
          "of the shards again.",
      ],
    ]);
    // The first part may have no result.
    const [second, third] = [await part(2, "small"), await part(3, "large")];
    const failing = await evaluate(({ id }: { id: string }) => id, {
      data: data(6),
      evaluators: [Object.assign(() => Promise.reject(new Error("429")), { evalName: "evaluators[0]" })],
      experimentPrefix: "x",
      shard: { index: 1, count: 3 },
    });
    warn.mockClear();
    await mergeExperiments([failing, second, third]);
    expect(warn).toHaveBeenCalledOnce();
  });

  it("invalid options are errors", async () => {
    const parts = await shards(1, { ...OPTIONS, data: data(3) });
    const gone = mergeExperiments(parts, {
      output: { keepRows: false },
      summaryEvaluators: [mean({ key: "verdict" })],
    });
    expect((await errorOf(gone)).message).toContain("Set output.keepRows to true");
    expect((await errorOf(mergeExperiments(parts, { partial: 1 } as never))).code).toBe("invalid_config");
    const stopping = { ...OPTIONS, data: data(3), stopWhen: { verdict: { threshold: 0.5 } } };
    expect((await errorOf(shards(2, stopping))).message).toContain("stopWhen cannot be combined with shard");
    const unknown = { calibration: { nothing: { verdicts } } };
    const calibrated = await shards(2, { data: data(3), evaluators: [verdict], ...unknown }, undefined);
    expect((await errorOf(mergeExperiments(calibrated))).message).toContain('the key "nothing"');
    const marked = await shards(2, { data: data(3), evaluators: [verdict], passAt: { verdct: 1 } });
    const error = await errorOf(mergeExperiments(marked));
    expect(error).toMatchObject({
      code: "invalid_config",
      message: expect.stringContaining(
        'passAt has the key "verdct", which no result has; did you mean "verdict"?',
      ),
    });
    expect(error.experiment?.rows).toHaveLength(3);
    expect((await mergeExperiments(marked.slice(0, 1), { partial: true })).rows).toHaveLength(2);
  });
});
