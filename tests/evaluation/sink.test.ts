/** Sinks: rows are written as they finish, and may be dropped from memory. */
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { exactMatch, levenshteinDistance } from "openevals-wasm";
import {
  compareExperiments,
  type EvaluateOptions,
  type Experiment,
  type ExperimentRow,
  evaluate,
  formatExperiment,
  mean,
  readExperiment,
  type Sink,
} from "openevals-wasm/evaluation";
import { describe, expect, it, test, vi } from "vitest";
import { errorOf } from "../api/error-of.js";
import { copyPackage } from "../package.js";
import { temporaryFolder } from "./folder.js";

const folder = temporaryFolder();

/** The beginning of an experiment file, and its first line. */
const FORMAT = '{"format":"openevals-wasm experiment"';
const HEADER = `${FORMAT},"version":1,"experimentName":"a","startedAt":"2026-01-01T00:00:00.000Z","evaluators":[]}`;

/** Rows of three passages; the target fails on some, and evaluators on others. */
const DATA = Array.from({ length: 60 }, (_, index) => ({
  id: `row ${index}`,
  inputs: { index, passage: `p${index % 7}` },
  outputs: `answer ${index % 4}`,
}));

/** Finishes out of order. */
async function target({ index }: { index: number }) {
  await new Promise((resolve) => setTimeout(resolve, (index * 7) % 11));
  if (index % 13 === 5) throw new Error("no answer");
  return `answer ${index % 3}`;
}

const several = ({ inputs }: { inputs: { index: number } }) => {
  if (inputs.index % 10 === 9) throw new TypeError("nothing to say");
  const length = { key: "length", score: inputs.index / 3 };
  const usage = { inputTokens: inputs.index, outputTokens: 1 };
  if (inputs.index % 2) return [length];
  return [
    { key: "even", score: null },
    { ...length, metadata: { usage } },
  ];
};

const OPTIONS = {
  data: DATA,
  evaluators: [exactMatch, several, levenshteinDistance],
  numRepetitions: 2,
  maxConcurrency: 16,
} satisfies EvaluateOptions;

/** The parts that are the same in each run. */
function figures({ aggregates, usage, summaryResults }: Experiment) {
  return JSON.stringify({ aggregates, usage, summaryResults });
}

/** The same for rows. */
const outcomes = ({ rows }: Pick<Experiment, "rows">) =>
  rows.map(({ example, run, evaluationResults, errors }) => {
    const { id: _, startTime: __, durationMs: ___, ...rest } = run;
    return { example, run: rest, evaluationResults, errors };
  });

describe("an experiment without its rows", () => {
  it("counts the rows that fail, by the pass marks of all keys", async () => {
    const evaluators = [
      () => [
        { key: "verdict", score: false },
        { key: "graded", score: 0.8 },
      ],
      ({ inputs }: { inputs: { index: number } }) => ({ key: "toxic", score: inputs.index / 60 }),
    ];
    const count = async (more: Partial<EvaluateOptions>) =>
      (await evaluate(async () => "", { ...OPTIONS, evaluators, output: { keepRows: false }, ...more }))
        .failingRowCount;
    // Every row has a `false` and misses the mark 1; each counts once.
    expect(await count({})).toBe(120);
    const graded = [() => ({ key: "graded", score: 0.8 }), evaluators[1]!];
    expect(await count({ evaluators: graded, passAt: 0.8, lowerIsBetter: ["toxic"] })).toBe(2 * 11);
    expect(await count({ evaluators: graded, passAt: { graded: 0.8, toxic: 0.5 } })).toBe(2 * 30);
    expect(await count({ evaluators: graded, passAt: 0 })).toBe(0);
    // Rows finish out of order, and some have no score.
    const rows = (await evaluate(target, OPTIONS)).rows;
    const failing = rows.filter(({ evaluationResults }) =>
      evaluationResults.some(({ score }) => score != null && Number(score) < 1),
    );
    const sink = join(folder, "failing.jsonl");
    const written = await evaluate(target, { ...OPTIONS, output: { sink } });
    expect(written.failingRowCount).toBe(failing.length);
    expect((await readExperiment(sink, { keepRows: false })).failingRowCount).toBe(failing.length);
    expect((await evaluate(target, OPTIONS)).failingRowCount).toBeUndefined();
  });

  it.each([{}, { clusterBy: "passage", seed: 3 }])("has the same figures, with %j", async (more) => {
    const kept = await evaluate(target, { ...OPTIONS, ...more });
    const one = await evaluate(target, { ...OPTIONS, ...more, maxConcurrency: 1 });
    const { rows, rowCount, ...experiment } = await evaluate(target, {
      ...OPTIONS,
      ...more,
      output: { keepRows: false },
    });
    expect([rows, rowCount, kept.rows.length, kept.rowCount]).toEqual([[], 120, 120, undefined]);
    expect(kept.aggregates.length).toMatchObject({ errors: 22 });
    expect(kept.aggregates.exact_match?.repetitions).toBeDefined();
    expect(figures({ rows, ...experiment })).toBe(figures(kept));
    // In any order of completion.
    expect(figures(one)).toBe(figures(kept));
    expect(outcomes(one)).toEqual(outcomes(kept));
  });

  it("reports where rows are needed", async () => {
    const { code, message } = await errorOf(
      evaluate(target, {
        ...OPTIONS,
        summaryEvaluators: [mean({ key: "length" })],
        output: { keepRows: false },
      }),
    );
    expect([code, message]).toEqual([
      "invalid_config",
      "summaryEvaluators need the rows. Set output.keepRows to true, or leave them out.",
    ]);
    const experiment = await evaluate(target, { ...OPTIONS, output: { keepRows: false } });
    const error = await errorOf(compareExperiments(experiment, experiment));
    expect(error.message).toContain("The first experiment did not keep its 120 rows");
    expect(formatExperiment(experiment)).toContain("120 rows");
  });

  it("passes its rows to an iterator as they finish", async () => {
    const running = evaluate(target, { ...OPTIONS, output: { keepRows: false } });
    const seen: ExperimentRow[] = [];
    for await (const row of running) seen.push(row);
    expect(seen).toHaveLength(120);
    // They are not kept.
    for await (const row of running) seen.push(row);
    expect(seen).toHaveLength(120);
  });
});

describe("a sink", () => {
  it("that is a file is read back as the experiment", async () => {
    const sink = join(folder, "new folder", "all.jsonl");
    const metadata = { version: "a\u2028\ud800" };
    const summaryEvaluators = [mean({ key: "length" })];
    const experiment = await evaluate(target, {
      ...OPTIONS,
      output: { sink, keepRows: true },
      metadata,
      summaryEvaluators,
    });
    expect(await readExperiment(sink)).toEqual(experiment);
    const { rows, ...rest } = experiment;
    expect(await readExperiment(sink, { keepRows: false })).toEqual({
      ...rest,
      rows: [],
      rowCount: rows.length,
      failingRowCount: expect.any(Number),
    });
    const seen: unknown[] = [];
    await readExperiment(sink, { keepRows: false, onRow: (row) => seen.push(row) });
    // In the order in which they finished.
    expect(seen).toHaveLength(rows.length);
    expect(seen).toEqual(expect.arrayContaining(rows));
    const whole = join(folder, "whole.json");
    writeFileSync(whole, JSON.stringify(experiment));
    const again: unknown[] = [];
    expect((await readExperiment(whole, { keepRows: false, onRow: (row) => again.push(row) })).rows).toEqual(
      [],
    );
    expect(again).toEqual(JSON.parse(JSON.stringify(rows)));
    expect(await errorOf(readExperiment(sink, { onRow: () => JSON.parse("{") }))).toMatchObject({
      code: "callback_failed",
      message: expect.stringContaining("onRow failed"),
    });
    const text = JSON.stringify(await readExperiment(sink));
    expect((await errorOf(readExperiment(text))).message).toMatch(/^The path is JSON as a text\. .{0,120}$/);
    let inCall = 0;
    const onRow = async () => {
      expect(++inCall).toBe(1);
      await new Promise(setImmediate);
      inCall--;
    };
    await readExperiment(sink, { keepRows: false, onRow });
    expect(
      await errorOf(readExperiment(sink, { onRow: () => Promise.reject(new Error("full")) })),
    ).toMatchObject({
      code: "callback_failed",
      message: "onRow failed: full",
    });
    expect(existsSync(`${sink}.lock`)).toBe(false);
    const lines = readFileSync(sink, "utf8").trimEnd().split("\n");
    expect(lines).toHaveLength(122);
    expect(JSON.parse(lines[1] as string)).toHaveProperty("evaluationResults");
    // Rows that were not kept are written anyway.
    const other = join(folder, "other.jsonl");
    const without = await evaluate(target, { ...OPTIONS, output: { sink: other } });
    expect(without.rows).toEqual([]);
    const back = await readExperiment(other);
    expect(outcomes(back)).toEqual(outcomes(experiment));
    expect(figures(back)).toBe(figures({ ...experiment, summaryResults: [] }));
    const compared = await compareExperiments(experiment, back);
    expect(compared.length).toMatchObject({ difference: 0, count: 98 });
  });

  it("that is a truncated file has the rows in it", async () => {
    const sink = join(folder, "cut.jsonl");
    const whole = await evaluate(target, {
      ...OPTIONS,
      output: { sink },
      clusterBy: ({ inputs }) => (inputs as any).passage,
      seed: 1,
    });
    const text = readFileSync(sink, "utf8");
    const lines = text.split("\n");
    truncateSync(sink, Buffer.byteLength(lines.slice(0, 121).join("\n")) + 1);
    const unended = await readExperiment(sink);
    expect(unended.stopped?.message).toBe("The experiment has not ended.");
    expect(figures(unended)).toBe(figures(whole));
    expect(formatExperiment(unended)).toMatch(/^\S+ {2}120 rows · [\d,]+ \+ \d+ tokens$/m);
    truncateSync(sink, Buffer.byteLength(lines.slice(0, 51).join("\n")) - 20);
    expect((await readExperiment(sink)).rows).toHaveLength(49);
  });

  it("that is a function gets one row after the other, and is awaited", async () => {
    const rows: ExperimentRow[] = [];
    let running = 0;
    let begun = 0;
    await evaluate(() => void begun++, {
      data: DATA,
      maxConcurrency: 4,
      output: {
        async sink(row) {
          expect(running++).toBe(0);
          await new Promise((resolve) => setTimeout(resolve));
          rows.push(row);
          expect(begun - rows.length).toBeLessThanOrEqual(4);
          running--;
        },
      },
    });
    expect(rows.map(({ example }) => example.id)).toEqual(DATA.map(({ id }) => id));
  });

  it("that is a row stream respects backpressure, and is closed", async () => {
    const rows: ExperimentRow[] = [];
    let isClosed = false;
    let begun = 0;
    const sink = new WritableStream<ExperimentRow>({
      async write(row) {
        await new Promise((resolve) => setTimeout(resolve));
        rows.push(row);
        expect(begun - rows.length).toBeLessThanOrEqual(4);
      },
      close() {
        isClosed = true;
      },
    });
    await evaluate(() => void begun++, { data: DATA, maxConcurrency: 2, output: { sink } });
    expect([rows.length, isClosed]).toEqual([60, true]);
  });

  it("gets rows that it may change, as readers do", async () => {
    const change = (row: ExperimentRow) => {
      row.evaluationResults.length = 0;
      row.example.inputs = "changed";
    };
    for (const sink of [change, new WritableStream<ExperimentRow>({ write: change })]) {
      const running = evaluate((input: number) => input, {
        data: [{ inputs: 1 }],
        evaluators: [() => ({ key: "one", score: 1 })],
        output: { sink, keepRows: true },
      });
      for await (const row of running) change(row);
      const { rows } = await running;
      expect(rows[0]).toMatchObject({ example: { inputs: 1 }, evaluationResults: [{ key: "one" }] });
    }
  });

  it.each<[string, (take: (row: ExperimentRow) => void) => Sink]>([
    ["a function", (take) => take],
    ["a stream", (take) => new WritableStream<ExperimentRow>({ write: take })],
  ])("that fails ends the experiment, whose error has the other rows: %s", async (_, sink) => {
    let calls = 0;
    const taken: string[] = [];
    const take = ({ example: { id } }: ExperimentRow) => {
      if (id === "row 3") throw new Error("disk full");
      taken.push(id);
    };
    const error = await errorOf(evaluate(() => void calls++, { data: DATA, output: { sink: sink(take) } }));
    expect(error).toMatchObject({ code: "callback_failed", message: "sink failed: disk full" });
    const { rowCount = 0, rows = [] } = error.experiment ?? {};
    expect(rowCount).toBeGreaterThan(2);
    const lost = rows.map(({ example }) => example.id);
    expect(lost).toContain("row 3");
    expect(new Set([...taken, ...lost]).size).toBe(rowCount);
    expect(taken.length + lost.length).toBe(rowCount);
    expect(calls).toBeLessThan(8);
  });

  it.each([undefined, "", 3, {}])("is read by its path, not by %j", async (path) => {
    const { code, message } = await errorOf(readExperiment(path as never));
    expect([code, message]).toEqual([
      "invalid_input",
      expect.stringContaining("readExperiment needs the path of a file, and got"),
    ]);
  });

  it.each<[string, () => Promise<WritableStream>, string]>([
    [
      "closed",
      async () => {
        const stream = new WritableStream();
        await stream.close();
        return stream;
      },
      "is closed",
    ],
    [
      "locked",
      async () => {
        const stream = new WritableStream();
        stream.getWriter();
        return stream;
      },
      "is locked",
    ],
    [
      "used twice",
      async () => {
        const stream = new WritableStream();
        await evaluate(target, { data: DATA, output: { sink: stream } });
        return stream;
      },
      "is locked",
    ],
  ])("that is %s is an error before the first row", async (_, make, problem) => {
    let calls = 0;
    const stream = await make();
    const error = await errorOf(evaluate(() => void calls++, { data: DATA, output: { sink: stream } }));
    expect([error.code, error.message, calls]).toEqual([
      "invalid_config",
      expect.stringContaining(`The sink is a WritableStream that ${problem}`),
      0,
    ]);
  });

  it("whose write fails ends the experiment", async () => {
    const sink = join(folder, "folder.jsonl");
    mkdirSync(sink);
    expect((await errorOf(evaluate(() => "", { data: DATA, output: { sink } }))).message).toContain(
      "folder.jsonl",
    );
  });

  it.each<[string, string, string]>([
    ["another file", '{"inputs":1}\n', "is not an experiment file. Name another file, or replace it"],
    ["a text without lines", "hello", "is not an experiment file."],
    ["a JSON file with lines", '{\n  "name": "my-app"\n}\n', "is not an experiment file."],
    ["an empty object", "{\n", "is not an experiment file."],
    ["a line of another program", `${FORMAT},"notes":"mine"}`, "is not an experiment file."],
    ["such a line with the version", `${FORMAT},"version":1,"notes":"mine"}`, "is not an experiment file."],
    ["a text behind the header", `${HEADER} mine`, "is not an experiment file."],
    ["lines that end with carriage returns", `${HEADER}\r{"position":0}\r`, "is not an experiment file."],
  ])("does not overwrite %s", async (_, text, message) => {
    const sink = join(folder, "precious.jsonl");
    writeFileSync(sink, text);
    for (const resume of [false, true]) {
      const error = await errorOf(evaluate(() => "", { data: DATA, output: { sink, resume } }));
      expect([error.code, error.message]).toEqual(["invalid_config", expect.stringContaining(message)]);
    }
    expect(readFileSync(sink, "utf8")).toBe(text);
    expect((await errorOf(readExperiment(sink))).message).toContain("is not an experiment file");
    expect((await evaluate(() => "", { data: DATA, output: { sink, overwrite: true } })).rowCount).toBe(60);
    expect((await readExperiment(sink)).rows).toHaveLength(60);
  });

  it("does not overwrite an experiment, complete or not, without permission", async () => {
    const sink = join(folder, "again.jsonl");
    await evaluate(() => "", { data: DATA, output: { sink } });
    const finished = readFileSync(sink, "utf8");
    const error = await errorOf(evaluate(() => "", { data: DATA, output: { sink } }));
    expect([error.code, error.message]).toEqual([
      "invalid_config",
      expect.stringContaining(
        "has a finished experiment. Continue it with output.resume, replace it with output.overwrite, or name",
      ),
    ]);
    expect(readFileSync(sink, "utf8")).toBe(finished);
    await evaluate(() => "", { data: DATA.slice(0, 5), output: { sink, overwrite: true } });
    expect((await readExperiment(sink)).rows).toHaveLength(5);
    const stop = new AbortController();
    const target = ({ index }: { index: number }) => index === 3 && stop.abort();
    await evaluate(target, { data: DATA, output: { sink, overwrite: true }, signal: stop.signal });
    const before = readFileSync(sink, "utf8");
    const { message } = await errorOf(evaluate(() => "", { data: DATA, output: { sink } }));
    expect(message).toContain("has an experiment that has not ended. Continue it with output.resume");
    expect(readFileSync(sink, "utf8")).toBe(before);
  });

  it.each<[string, () => object]>([
    ["a path that does not exist", () => ({ data: join(folder, "typo.jsonl") })],
    ["a mistake in the last row", () => ({ data: [...DATA, 5] })],
    ["data that fails at once", () => ({ data: { [Symbol.iterator]: () => JSON.parse("{") } })],
    ["a signal that has aborted", () => ({ data: DATA, signal: AbortSignal.abort() })],
  ])("keeps the file to overwrite, with %s", async (_, options) => {
    const sink = join(folder, "kept.jsonl");
    await evaluate(() => "", { data: DATA, output: { sink, overwrite: true } });
    const before = readFileSync(sink, "utf8");
    await evaluate(() => "", {
      ...(options() as { data: typeof DATA }),
      output: { sink, overwrite: true },
    }).catch(() => {});
    expect(readFileSync(sink, "utf8")).toBe(before);
  });

  it("is not the file of the data, under any name", async () => {
    const data = join(folder, "rows.jsonl");
    writeFileSync(data, '{"inputs":1}\n');
    const link = join(folder, "link.jsonl");
    symlinkSync(data, link);
    for (const sink of [data, link]) {
      const error = await errorOf(evaluate(() => "", { data, output: { sink, overwrite: true } }));
      expect([error.code, error.message]).toEqual([
        "invalid_config",
        expect.stringContaining("is the file of the data. Name another file"),
      ]);
    }
    expect(readFileSync(data, "utf8")).toBe('{"inputs":1}\n');
  });

  it("belongs to one experiment at a time", async () => {
    const sink = join(folder, "locked.jsonl");
    const running = evaluate(target, { data: DATA, output: { sink } });
    const { message } = await errorOf(
      (async () => {
        for await (const _ of running) await evaluate(target, { data: DATA, output: { sink, resume: true } });
      })(),
    );
    expect(message).toContain(`is in use by another experiment, of process ${process.pid}`);
    expect((await running).rowCount).toBe(60);
  });

  it.runIf(existsSync("/proc/self/status"))(
    "of a killed process is free, even before its parent has noticed",
    async () => {
      const sink = join(folder, "killed.jsonl");
      // The program that replaces the shell does not know its child.
      const parent = spawn("sh", ["-c", "sleep 1000 & echo $!; exec sleep 1000"]);
      try {
        const [line] = await once(parent.stdout, "data");
        const pid = Number(line);
        // The shell would notice that its child has ended.
        await expect.poll(() => readFileSync(`/proc/${parent.pid}/comm`, "utf8")).toBe("sleep\n");
        process.kill(pid, "SIGKILL");
        await expect.poll(() => readFileSync(`/proc/${pid}/status`, "utf8")).toMatch(/^State:\s*Z/m);
        let lock = "";
        const [one] = DATA;
        const look = () => {
          lock = readFileSync(`${sink}.lock`, "utf8");
        };
        await evaluate(look, { data: [one], output: { sink } });
        const started = readFileSync(`/proc/${pid}/stat`, "utf8").split(" ")[21];
        writeFileSync(`${sink}.lock`, JSON.stringify({ ...JSON.parse(lock), pid, started }));
        expect((await evaluate(target, { data: DATA, output: { sink, overwrite: true } })).rowCount).toBe(60);
      } finally {
        parent.kill("SIGKILL");
      }
    },
  );

  it.each<[object, string]>([
    [{ sink: 3 }, "sink is 3; it has to be the path of a file, a function or a WritableStream."],
    [{ overwrite: true, resume: true, sink: "x" }, "output.overwrite cannot be combined with output.resume"],
    [{ resume: true }, "output.resume needs the path of a sink, such as output: { sink"],
    [{ overwrite: true }, "output.overwrite needs the path of a sink, such as output: { sink"],
    [{ overwrite: true, sink: () => {} }, "output.overwrite needs the path of a sink"],
    [{ resume: "all", sink: "x" }, 'resume is "all"; it has to be true, false or "failed".'],
  ])("is checked: %j", async (options, message) => {
    const error = await errorOf(evaluate(target, { data: DATA, output: options }));
    expect([error.code, error.message]).toEqual(["invalid_config", expect.stringContaining(message)]);
  });
});

test("a file can be continued if the figures of its experiment could not be computed", async () => {
  const home = join(folder, "without-statistics");
  copyPackage(home);
  const script = `
    import { readdirSync, renameSync } from "node:fs";
    import { evaluate } from "openevals-wasm/evaluation";
    const dist = "node_modules/openevals-wasm/dist/";
    const files = readdirSync(dist).filter((name) => /^openevals-statistics.*(wasm|base64)/.test(name));
    const renamed = (from, to) => files.forEach((name) => renameSync(dist + from + name, dist + to + name));
    renamed("", "gone-");
    let calls = 0;
    const run = (output) =>
      evaluate(() => ++calls, {
        data: [{ inputs: 1 }, { inputs: 2 }],
        evaluators: [({ outputs }) => ({ key: "k", score: outputs })],
        output: { sink: "rows.jsonl", ...output },
        progress: false,
      });
    const { code, experiment } = await run({}).catch((error) => error);
    renamed("gone-", "");
    const { aggregates } = await run({ resume: true });
    console.log(JSON.stringify([code, experiment.rowCount, aggregates.k.mean, calls]));
  `;
  const output = execFileSync(process.execPath, ["--input-type=module", "--eval", script], { cwd: home });
  expect(JSON.parse(output.toString())).toEqual(["load_failed", 2, 1.5, 2]);
});

describe("a sink that never settles", () => {
  type Make = (never: () => Promise<void>) => Sink;

  it.each<[string, Make]>([
    ["a function", (never) => never],
    ["a stream", (never) => new WritableStream({ write: never })],
    ["a stream that never closes", (never) => new WritableStream({ close: never })],
  ])("%s ends with the signal", async (_, make) => {
    for (const count of [1, 3]) {
      const stop = new AbortController();
      // Aborts while the sink is awaited.
      const sink = make(() => {
        stop.abort(new Error("by hand"));
        return new Promise(() => {});
      });
      const data = DATA.slice(0, count);
      const experiment = await evaluate(() => "", {
        data,
        output: { sink, keepRows: true },
        signal: stop.signal,
      });
      expect(experiment.stopped).toMatchObject({
        code: "aborted",
        message: expect.stringContaining("by hand"),
      });
    }
  });
});

describe("a row that is too long to read back", () => {
  // Three bytes each.
  const HUGE = "€".repeat(43 * 1024 * 1024);
  const data = DATA.slice(0, 3);
  const answer = ({ index }: { index: number }) => `answer ${index}`;

  it("is refused when written, and the experiment can be resumed", async () => {
    const sink = join(folder, "huge.jsonl");
    const huge = ({ index }: { index: number }) => (index === 1 ? HUGE : answer({ index }));
    const { code, message } = await errorOf(evaluate(huge, { data, output: { sink } }));
    expect([code, message]).toEqual([
      "invalid_input",
      expect.stringContaining('row "row 1" has more than 128 MB'),
    ]);
    const read = await readExperiment(sink);
    expect(read.rows.map(({ example }) => example.id)).not.toContain("row 1");
    expect(read.stopped?.code).toBe("aborted");
    expect((await evaluate(answer, { data, output: { sink, resume: true } })).rowCount).toBe(3);
  }, 120_000);

  it("is skipped with an error when read, and run again", async () => {
    const sink = join(folder, "too-long.jsonl");
    const whole = await evaluate(answer, { data, output: { sink }, maxConcurrency: 1 });
    const lines = readFileSync(sink, "utf8").split("\n");
    const long = (lines[2] as string).replace("answer 1", HUGE);
    writeFileSync(sink, [...lines.slice(0, 2), long, ...lines.slice(3)].join("\n"));
    const read = await readExperiment(sink);
    expect(read.rows.map(({ example }) => example.id)).toEqual(["row 0", "row 2"]);
    expect(read.stopped).toMatchObject({
      code: "invalid_input",
      message: expect.stringContaining(`${sink}:3 is longer than 128 MB`),
    });
    let asked = 0;
    const again = (inputs: { index: number }) => {
      asked++;
      return answer(inputs);
    };
    expect((await evaluate(again, { data, output: { sink, resume: true } })).rowCount).toBe(3);
    expect(asked).toBe(1);
    const resumed = await readExperiment(sink);
    expect(resumed.stopped).toBeUndefined();
    expect(resumed.rows).toHaveLength(3);
    expect(figures(resumed)).toBe(figures(whole));
  }, 120_000);
});

describe("a file of rows that something else", () => {
  it.each([
    ["removed", (file: string) => rmSync(file)],
    ["truncated", (file: string) => truncateSync(file)],
    [
      "replaced",
      (file: string) => {
        renameSync(file, `${file}.old`);
        writeFileSync(file, readFileSync(`${file}.old`));
      },
    ],
  ])("has %s during the run is an error", async (what, damage) => {
    for (const how of ["runs", "is aborted"]) {
      const sink = join(folder, `damage, ${how}.jsonl`);
      rmSync(sink, { force: true });
      const stop = new AbortController();
      const target = (inputs: number) => {
        if (inputs === 3) damage(sink);
        if (inputs === 3 && how === "is aborted") stop.abort();
        return inputs;
      };
      const data = [1, 2, 3].map((inputs) => ({ id: `${inputs}`, inputs }));
      const run = evaluate(target, {
        data,
        evaluators: [() => ({ key: "k", score: 1 })],
        output: { sink },
        maxConcurrency: 1,
        signal: stop.signal,
      });
      expect(await errorOf(run)).toMatchObject({
        code: "tool_failed",
        message: `The sink ${sink} cannot be written: another process ${what} it, so rows are lost`,
      });
    }
  });
});

describe("a file of rows to which another process appends", () => {
  const data = [1, 2, 3].map((inputs) => ({ id: `${inputs}`, inputs }));
  const options = { data, evaluators: [() => ({ key: "k", score: 1 })], maxConcurrency: 1 };

  it.each([
    [1, '{"my":"log"}\n'],
    [2, "Länge\n"],
    [3, '{"posi'],
  ])("while row %i runs is not written any more, and is continued when it is clean", async (row, text) => {
    const sink = join(folder, `appended in row ${row}.jsonl`);
    for (const resume of [false, true]) {
      const target = async (inputs: number) => {
        if (inputs !== row) return inputs;
        const lines = () => readFileSync(sink, "utf8").split("\n");
        await vi.waitFor(() => expect(lines()).toHaveLength(row + 1));
        appendFileSync(sink, text);
        return inputs;
      };
      expect(await errorOf(evaluate(target, { ...options, output: { sink, resume } }))).toMatchObject({
        code: "tool_failed",
        message: expect.stringMatching(
          /cannot be written: another process appended to it.* remove the lines/,
        ),
        experiment: { rows: expect.anything() },
      });
      const written = readFileSync(sink, "utf8");
      expect(written.split("\n")).toHaveLength(row + text.split("\n").length);
      expect(written.endsWith(text)).toBe(true);
      writeFileSync(sink, written.slice(0, -text.length));
    }
    const asked: number[] = [];
    const target = (inputs: number) => {
      asked.push(inputs);
      return `ö ${inputs}`;
    };
    await evaluate(target, { ...options, output: { sink, resume: true } });
    expect(asked).toEqual([1, 2, 3].slice(row - 1));
    expect((await readExperiment(sink)).rows).toHaveLength(3);
  });
});

it("a function gets its own rows, and may change them", async () => {
  const { rows } = await evaluate((inputs: number) => ({ answer: inputs }), {
    data: [{ id: "1", inputs: 7 }],
    evaluators: [() => ({ key: "k", score: 1 })],
    output: {
      sink: ({ run }) => void Object.assign(run.outputs as object, { answer: "removed" }),
      keepRows: true,
    },
  });
  expect(rows[0]?.run.outputs).toEqual({ answer: 7 });
});
