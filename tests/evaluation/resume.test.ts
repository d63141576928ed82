/** Experiments that are killed, and resume at the end of their file. */
import { type ChildProcess, spawn } from "node:child_process";
import {
  appendFileSync,
  existsSync,
  readFileSync,
  rmSync,
  truncateSync,
  watch,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { createLLMAsJudge, exactMatch } from "openevals-wasm";
import {
  type EvaluateOptions,
  type Experiment,
  evaluate,
  formatExperiment,
  readExperiment,
} from "openevals-wasm/evaluation";
import { createJury } from "openevals-wasm/judges";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { errorOf } from "../api/error-of.js";
import { temporaryFolder } from "./folder.js";

const folder = temporaryFolder();

const figures = ({ aggregates, usage }: Experiment) => JSON.stringify({ aggregates, usage });

describe("a process that is killed", () => {
  const sink = join(folder, "killed.jsonl");
  const calls = join(folder, "calls");
  let children: ChildProcess[];
  beforeEach(() => {
    children = [];
    writeFileSync(calls, "");
  });
  afterEach(() => {
    for (const child of children) child.kill("SIGKILL");
    for (const file of [sink, `${sink}.lock`]) rmSync(file, { force: true });
  });

  function begin(env: Record<string, string> = {}) {
    const child = spawn(process.execPath, [join(import.meta.dirname, "resume-process.mjs")], {
      env: { ...process.env, SINK: sink, CALLS: calls, ...env },
      stdio: ["ignore", "pipe", "inherit"],
    });
    children.push(child);
    let output = "";
    child.stdout?.on("data", (data) => {
      output += data;
    });
    const experiment = new Promise<Experiment | undefined>((resolve) => {
      child.once("close", () => resolve(output ? JSON.parse(output) : undefined));
    });
    return { child, experiment };
  }

  const sizeOf = (file: string) => (existsSync(file) ? readFileSync(file).length : 0);

  /** Waits until the file has this size in bytes. */
  function grownTo(size: number): Promise<void> {
    return new Promise((resolve) => {
      const watcher = watch(folder, look);
      function look() {
        if (sizeOf(sink) < size) return;
        watcher.close();
        resolve();
      }
      look();
    });
  }

  /** The indices of the rows that are complete in the file. */
  const recorded = () =>
    readFileSync(sink, "utf8")
      .split("\n")
      .slice(1, -1)
      .map((line) => JSON.parse(line).position as number);

  const asked = () => readFileSync(calls, "utf8").trim().split("\n").map(Number);

  it("resumes without repeating recorded requests, and has the same results", async () => {
    const whole = await begin({ SINK: join(folder, "whole.jsonl") }).experiment;
    expect(asked()).toHaveLength(600);
    writeFileSync(calls, "");
    let seed = 42;
    let done = 0;
    for (let kill = 0; kill < 4; kill++) {
      const before = asked().length;
      const { child, experiment } = begin();
      seed = (seed * 16807) % 2147483647;
      await grownTo(sizeOf(sink) + 2_000 + (seed % 60_000));
      child.kill("SIGKILL");
      expect(await experiment).toBeUndefined();
      const there = recorded();
      expect(new Set(there).size).toBe(there.length);
      // Everything requested by this process is recorded, except pending requests, and data that was not on
      // disk yet.
      expect(asked().length - before - (there.length - done)).toBeLessThan(150);
      done = there.length;
      // As if the last write had stopped in the middle of a line.
      if (kill === 1) appendFileSync(sink, '{"position":5,"example":{"id":"row ');
    }
    const before = asked().length;
    const resumed = await begin().experiment;
    expect(asked().length - before).toBe(600 - done);
    expect(resumed?.rowCount).toBe(600);
    expect([whole?.resumed, resumed?.resumed]).toEqual([undefined, true]);
    expect(resumed).toMatchObject({ resumedRows: done, sink });
    expect(formatExperiment(resumed as Experiment)).toMatch(
      new RegExp(`600 rows \\(${done} of an earlier run\\) · [\\d.]+ m?s since it was resumed`),
    );
    expect(figures(resumed as Experiment)).toBe(figures(whole as Experiment));
    expect(recorded.call(undefined).length).toBe(601);
    const read = await readExperiment(sink);
    expect(read.resumed).toBe(true);
    expect(read.rows.map(({ run, example }) => [example.id, run.repetition])).toEqual(
      Array.from({ length: 600 }, (_, place) => [`row ${place >> 1}`, place % 2]),
    );
    // It is complete: nothing is asked.
    const again = asked().length;
    expect(figures((await begin().experiment) as Experiment)).toBe(figures(whole as Experiment));
    expect(asked()).toHaveLength(again);
    // Failures are retried on request.
    const mended = await begin({ STOP: "mended" }).experiment;
    expect(
      asked()
        .slice(again)
        .sort((a, b) => a - b),
    ).toEqual([4, 35, 66, 97, 128, 159, 190, 221, 252, 283].flatMap((index) => [index, index]));
    expect(mended?.aggregates.length).toMatchObject({ count: 600, errors: 0 });
    expect((await readExperiment(sink)).rows).toHaveLength(600);
  });

  it("ends cleanly on Ctrl-C, and resumes", async () => {
    const { child, experiment } = begin();
    await grownTo(20_000);
    child.kill("SIGINT");
    const stopped = await experiment;
    expect(stopped?.stopped?.code).toBe("aborted");
    expect((await readExperiment(sink)).stopped?.code).toBe("aborted");
    expect((await readExperiment(sink)).rows).toHaveLength(stopped?.rowCount as number);
    const before = asked().length;
    const resumed = await begin().experiment;
    expect(resumed?.stopped).toBeUndefined();
    expect(asked().length - before).toBe(600 - (stopped?.rowCount as number));
  });
});

describe("resume", () => {
  const DATA = Array.from({ length: 10 }, (_, index) => ({
    id: `${index}`,
    inputs: index,
    outputs: `${index % 3}`,
  }));
  const sink = join(folder, "some.jsonl");
  const options = {
    data: DATA,
    evaluators: [exactMatch],
    output: { sink, resume: true },
  } satisfies EvaluateOptions;
  let calls: number[];
  const target = (input: number) => {
    calls.push(input);
    return `${input % 2}`;
  };

  /** Half an experiment. */
  beforeEach(async () => {
    rmSync(sink, { force: true });
    calls = [];
    const stop = new AbortController();
    await evaluate((input: number) => (input === 5 ? stop.abort() : target(input)), {
      ...options,
      signal: stop.signal,
    });
    calls = [];
  });

  it("runs the remaining rows, and progress continues", async () => {
    const done: number[] = [];
    const before = await readExperiment(sink);
    const { experimentName, startedAt, rows, aggregates } = await evaluate(target, {
      ...options,
      output: { ...options.output, keepRows: true },
      onProgress: (progress) => done.push(progress.done),
    });
    expect([experimentName, startedAt]).toEqual([before.experimentName, before.startedAt]);
    expect(calls).toEqual([5, 6, 7, 8, 9]);
    expect(done).toEqual([5, 6, 7, 8, 9, 10]);
    expect(rows.map(({ example }) => example.id)).toEqual(DATA.map(({ id }) => id));
    expect(aggregates.exact_match).toMatchObject({ count: 10, mean: 0.4 });
  });

  it("counts the failures of earlier runs in the progress", async () => {
    rmSync(sink);
    const stop = new AbortController();
    const failing = (input: number) => {
      if (input === 5) stop.abort();
      if (input % 4 === 3) throw new Error("overloaded");
      return target(input);
    };
    const inTurn = { ...options, maxConcurrency: 1 };
    await evaluate(failing, { ...inTurn, signal: stop.signal });
    const failed: number[] = [];
    await evaluate(failing, { ...inTurn, onProgress: (progress) => failed.push(progress.failed) });
    // Row 3 failed before, and row 7 fails now.
    expect(failed).toEqual([1, 1, 1, 2, 2, 2]);
  });

  it("shows a rate and the time left once a row of this run is done", async () => {
    vi.stubEnv("TERM", "xterm");
    const { isTTY } = process.stderr;
    const lines: string[] = [];
    const write = vi.spyOn(process.stderr, "write").mockImplementation((line) => lines.push(`${line}`) > 0);
    process.stderr.isTTY = true;
    try {
      await evaluate(target, options);
    } finally {
      process.stderr.isTTY = isTTY;
      write.mockRestore();
      vi.unstubAllEnvs();
    }
    const shown = lines.map((line) => line.replace("\r\x1b[K", ""));
    expect([shown[0], shown.at(-2)]).toEqual([
      "5/10 rows",
      expect.stringMatching(/^10\/10 rows · [\d,.]+\/s · 0\.0 ms left$/),
    ]);
  });

  it.each<[string, object, string]>([
    [
      "the inputs",
      { data: DATA.with(2, { id: "2", inputs: 22, outputs: "2" }) },
      'in place of the row "2": the data has changed',
    ],
    ["the ids", { data: DATA.toSpliced(0, 1) }, 'in place of the row "1": the data has changed'],
    [
      "the number of rows",
      { data: DATA.slice(0, 3) },
      "has rows up to 5, but the data has only 3: it has changed",
    ],
    ["the evaluators", { evaluators: [() => 1] }, 'evaluators was ["exact_match"] and is ["evaluators[0]"]'],
    [
      "the range of scores",
      { evaluators: [Object.assign(() => 1, { evalName: "exact_match", scale: { min: 0, max: 5 } })] },
      'the range of "exact_match" was not declared and is from 0 to 5',
    ],
    [
      "the better direction",
      { lowerIsBetter: ["exact_match"] },
      'the better direction of "exact_match" was higher and is lower',
    ],
    ["the repetitions", { numRepetitions: 2 }, "repetitions was 1 and is 2"],
    ["the clusters", { clusterBy: "inputs" }, 'clusterBy was null and is "inputs"'],
  ])("rejects a change of %s, and leaves the file unchanged", async (_, changed, message) => {
    const before = readFileSync(sink, "utf8");
    const error = await errorOf(evaluate(target, { ...options, ...changed }));
    expect([error.code, error.message]).toEqual(["invalid_config", expect.stringContaining(message)]);
    expect(readFileSync(sink, "utf8")).toBe(before);
    expect(calls).toEqual([]);
  });

  it("keeps failed rows until one of them has run again", async () => {
    rmSync(sink);
    const failing = (input: number) => {
      if (input % 4 === 3) throw new Error("overloaded");
      return target(input);
    };
    await evaluate(failing, options);
    const before = readFileSync(sink, "utf8");
    const output = { sink, resume: "failed" } as const;
    const other = [exactMatch, () => ({ key: "more", score: 1 })];
    expect((await errorOf(evaluate(target, { ...options, output, evaluators: other }))).code).toBe(
      "invalid_config",
    );
    const wrong = [...DATA.slice(0, 2), { id: "2", inputs: 7, outputs: "" }];
    expect((await errorOf(evaluate(target, { ...options, output, data: wrong }))).message).toContain(
      "the data has changed",
    );
    const aborted = { ...options, output, signal: AbortSignal.abort() };
    expect((await evaluate(target, aborted)).stopped?.code).toBe("aborted");
    expect(readFileSync(sink, "utf8")).toBe(before);
    // Also after a run that was killed: the file has no last line.
    const killed = before.slice(0, before.lastIndexOf('{"end"'));
    writeFileSync(sink, killed);
    expect((await evaluate(target, aborted)).stopped?.code).toBe("aborted");
    expect(readFileSync(sink, "utf8")).toBe(killed);
    calls = [];
    await evaluate(target, { ...options, output });
    expect(calls).toEqual([3, 7]);
    const { rows, aggregates } = await readExperiment(sink);
    expect(rows.map(({ example }) => example.id)).toEqual(DATA.map(({ id }) => id));
    expect(aggregates.exact_match).toMatchObject({ count: 10, errors: 0 });
  });

  it("runs failed rows again without evaluators, and leaves a file of yours beside it", async () => {
    rmSync(sink);
    const yours = `${sink}.tmp`;
    writeFileSync(yours, "mine");
    const failing = (input: number) => {
      if (input % 4 === 3) throw new Error("overloaded");
      return target(input);
    };
    const { evaluators: _, ...ran } = options;
    await evaluate(failing, ran);
    calls = [];
    await evaluate(target, { ...ran, output: { sink, resume: "failed" } });
    expect(calls).toEqual([3, 7]);
    const { rows } = await readExperiment(sink);
    expect(rows.map(({ run }) => run.error)).toEqual(rows.map(() => undefined));
    expect(readFileSync(yours, "utf8")).toBe("mine");
    rmSync(yours);
  });

  it("leaves a finished experiment finished, also if it is stopped before it has looked at the data", async () => {
    await evaluate(target, options);
    const finished = readFileSync(sink, "utf8");
    expect((await readExperiment(sink)).stopped).toBeUndefined();
    const { stopped } = await evaluate(target, { ...options, signal: AbortSignal.abort() });
    expect(stopped?.code).toBe("aborted");
    expect(readFileSync(sink, "utf8")).toBe(finished);
    // More rows than before, none of which was run.
    const data = [...DATA, { id: "more", inputs: 0, outputs: "0" }];
    await evaluate(target, { ...options, data });
    expect((await readExperiment(sink)).rows).toHaveLength(11);
  });

  it("refuses other recorded outputs, which are part of the data", async () => {
    rmSync(sink);
    const recorded = DATA.slice(0, 3).map((row) => ({ ...row, referenceOutputs: "0" }));
    await evaluate(undefined, { ...options, data: recorded });
    const changed = recorded.map((row) => ({ ...row, outputs: "0" }));
    const { message } = await errorOf(evaluate(undefined, { ...options, data: changed }));
    expect(message).toContain('in place of the row "1": the data has changed');
    expect((await evaluate(undefined, { ...options, data: recorded })).rowCount).toBe(3);
  });

  it("starts a missing or empty file, or one with half a header", async () => {
    for (const length of [undefined, 0, 10, 150]) {
      if (length === undefined) rmSync(sink);
      else truncateSync(sink, length);
      calls = [];
      expect((await evaluate(target, options)).rowCount).toBe(10);
      expect(calls).toHaveLength(10);
    }
  });

  it("warns of another judge than that of the recorded rows, once for each key", async () => {
    const warn = vi.spyOn(console, "warn").mockImplementation(() => {});
    const file = join(folder, "judges.jsonl");
    const stopping = new AbortController();
    const run = (model: string, last?: number) =>
      evaluate(
        (row: number) => {
          if (row === last) stopping.abort();
          return row;
        },
        {
          data: Array.from({ length: 5 }, (_, inputs) => ({ inputs })),
          evaluators: [() => ({ key: "good", score: 1, metadata: { model } })],
          output: { sink: file, resume: true },
          maxConcurrency: 1,
          signal: last === undefined ? undefined : stopping.signal,
        },
      );
    await run("first", 2);
    expect((await readExperiment(file)).rows).toHaveLength(2);
    await run("second");
    expect(warn.mock.calls).toEqual([
      [
        `openevals-wasm: first judged good in ${file}, and second in the new rows. To have one judge for all rows, ` +
          "continue with the recorded one, or name another file.",
      ],
    ]);
    warn.mockRestore();
  });

  /** Runs rows of a file, the first two of them in an earlier run, and returns the warnings. */
  async function warningsOf(file: string, first: EvaluateOptions, second: EvaluateOptions) {
    const warn = vi.spyOn(console, "warn").mockImplementation(() => {});
    const stopping = new AbortController();
    const shared = {
      data: Array.from({ length: 6 }, (_, inputs) => ({ inputs })),
      output: { sink: file, resume: true },
      maxConcurrency: 1,
    };
    const stopAt = (row: number) => {
      if (row === 2) stopping.abort();
      return row;
    };
    await evaluate(stopAt, { ...shared, ...first, signal: stopping.signal });
    expect((await readExperiment(file)).rows).toHaveLength(2);
    const { rowCount } = await evaluate((row: number) => row, { ...shared, ...second });
    expect(rowCount).toBe(6);
    const warnings = warn.mock.calls;
    warn.mockRestore();
    return warnings;
  }

  it("warns of another prompt than that of the recorded rows", async () => {
    const file = join(folder, "prompts.jsonl");
    const judged = (prompt: string): Pick<EvaluateOptions, "evaluators"> => ({
      evaluators: [
        createLLMAsJudge({ prompt, feedbackKey: "good", judge: () => ({ reasoning: "", score: true }) }),
      ],
    });
    const warnings = await warningsOf(file, judged("Is it good? {outputs}"), judged("Is it bad? {outputs}"));
    expect(warnings).toEqual([
      [
        expect.stringMatching(
          /^openevals-wasm: a judge with the prompt \w{16} judged good in .*prompts\.jsonl, and a judge with the prompt \w{16} in the new rows\. To have one judge for all rows, continue with the recorded one, or name another file\.$/,
        ),
      ],
    ]);
    const same = judged("{outputs}");
    expect(await warningsOf(join(folder, "same.jsonl"), same, same)).toEqual([]);
  });

  it("warns of another juror, and of another number of samples", async () => {
    const judge = () => ({ reasoning: "", score: true });
    const juror = (model: string, ask = judge) =>
      createLLMAsJudge({ prompt: "{outputs}", model, judge: ask, feedbackKey: model });
    const jury = (...judges: ReturnType<typeof juror>[]) => ({
      evaluators: [createJury({ judges, feedbackKey: "good" })],
    });
    const sampled = (samples: number) => ({
      evaluators: [
        createLLMAsJudge({ prompt: "{outputs}", model: "m", judge, samples, feedbackKey: "good" }),
      ],
    });
    const [a, b, c, d] = ["a", "b", "c", "d"].map((model) => juror(model)) as [any, any, any, any];
    const failing = juror("c", () => {
      throw new Error("It is busy.");
    });
    const cases: [string, EvaluateOptions, EvaluateOptions, [string, string]?][] = [
      ["juror", jury(a, b, c), jury(a, b, d), ["a and b and c", "a and b and d"]],
      ["smaller", jury(a, b, c), jury(a, b), ["a and b and c with a jury of 3", "a and b with a jury of 2"]],
      ["samples", sampled(1), sampled(3), ["m with one sample", "m with 3 samples and a majority vote"]],
      ["more", sampled(5), sampled(3), ["m with 5 samples", "m with 3 samples"]],
      ["failing", jury(a, b, c), jury(a, b, failing)],
      ["order", jury(a, b, c), jury(c, b, a)],
    ];
    for (const [name, first, second, judges] of cases) {
      const file = join(folder, `${name}.jsonl`);
      const expected =
        judges === undefined
          ? []
          : [
              [
                expect.stringContaining(
                  `: ${judges[0]} judged good in ${file}, and ${judges[1]} in the new rows.`,
                ),
              ],
            ];
      expect(await warningsOf(file, first, second)).toEqual(expected);
    }
  });

  it("does not warn of a prompt for each row", async () => {
    const own: Pick<EvaluateOptions, "evaluators"> = {
      evaluators: [
        ({ outputs }) =>
          createLLMAsJudge({ prompt: `Is ${outputs} good?`, judge: () => ({ reasoning: "", score: true }) })({
            outputs,
          }),
      ],
    };
    expect(await warningsOf(join(folder, "own.jsonl"), own, own)).toEqual([]);
  });

  it("warns of other metadata than that of the recorded rows, without secrets", async () => {
    const file = join(folder, "metadata.jsonl");
    const evaluators = [() => true];
    const run = (metadata: Record<string, unknown>) => ({ evaluators, metadata });
    expect(
      await warningsOf(
        file,
        run({ commit: "AAA", apiKey: "one", app: 1 }),
        run({ commit: "BBB", apiKey: "two", app: 1, branch: "fix" }),
      ),
    ).toEqual([
      [
        `openevals-wasm: The metadata of ${file} is {"commit":"AAA","apiKey":"***"}, and that of the new rows is ` +
          '{"commit":"BBB","apiKey":"***","branch":"fix"}. To have one application for all rows, continue with the recorded one, or name ' +
          "another file.",
      ],
    ]);
    expect(await warningsOf(join(folder, "alike.jsonl"), run({ app: 1 }), run({ app: 1 }))).toEqual([]);
  });

  it("an edited file is an error", async () => {
    await evaluate(target, options);
    const edited = readFileSync(sink, "utf8").replaceAll('"score":false', '"score":true');
    writeFileSync(sink, edited);
    const { code, message } = await errorOf(evaluate(target, options));
    expect([code, message]).toEqual([
      "invalid_input",
      expect.stringContaining("some.jsonl contradicts itself"),
    ]);
    expect(readFileSync(sink, "utf8")).toBe(edited);
  });

  it("a damaged file is an error", async () => {
    const lines = readFileSync(sink, "utf8").split("\n");
    writeFileSync(sink, lines.with(2, (lines[2] as string).slice(9)).join("\n"));
    expect((await errorOf(evaluate(target, options))).message).toContain(
      "some.jsonl:3 is not a row of an experiment",
    );
  });
});
