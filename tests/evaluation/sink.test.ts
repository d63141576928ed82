/** Rows that go to a sink as they finish, and what is kept of them. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, readFileSync, truncateSync, writeFileSync } from "node:fs";
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
} from "openevals-wasm/evaluation";
import { describe, expect, it } from "vitest";
import { errorOf } from "../api/error-of.js";
import { temporaryFolder } from "./folder.js";

const folder = temporaryFolder();

/** Rows of three passages, of which the target fails on some, and evaluators on others. */
const DATA = Array.from({ length: 60 }, (_, index) => ({
  id: `row ${index}`,
  inputs: { index, passage: `p${index % 7}` },
  outputs: `answer ${index % 4}`,
}));

/** Finishes in another order than it began in. */
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

/** What does not differ from run to run. */
function figures({ aggregates, usage, summaryResults }: Experiment) {
  return JSON.stringify({ aggregates, usage, summaryResults });
}

/** The same of rows. */
const outcomes = ({ rows }: Pick<Experiment, "rows">) =>
  rows.map(({ example, run, evaluationResults, errors }) => {
    const { id: _, startTime: __, durationMs: ___, ...rest } = run;
    return { example, run: rest, evaluationResults, errors };
  });

describe("an experiment without its rows", () => {
  it.each([{}, { clusterBy: "passage", seed: 3 }])("has the same figures, with %j", async (more) => {
    const kept = await evaluate(target, { ...OPTIONS, ...more });
    const one = await evaluate(target, { ...OPTIONS, ...more, maxConcurrency: 1 });
    const { rows, rowCount, ...experiment } = await evaluate(target, {
      ...OPTIONS,
      ...more,
      keepRows: false,
    });
    expect([rows, rowCount, kept.rows.length, kept.rowCount]).toEqual([[], 120, 120, undefined]);
    expect(kept.aggregates.length).toMatchObject({ errors: 22 });
    expect(kept.aggregates.exact_match?.flicker).toBeDefined();
    expect(figures({ rows, ...experiment })).toBe(figures(kept));
    // Whichever rows finish first.
    expect(figures(one)).toBe(figures(kept));
    expect(outcomes(one)).toEqual(outcomes(kept));
  });

  it("says so where rows are needed", async () => {
    const { code, message } = await errorOf(
      evaluate(target, { ...OPTIONS, summaryEvaluators: [mean({ key: "length" })], keepRows: false }),
    );
    expect([code, message]).toEqual([
      "invalid_config",
      "summaryEvaluators look at all rows, and these are not kept; pass keepRows: true, or leave one of them out.",
    ]);
    const experiment = await evaluate(target, { ...OPTIONS, keepRows: false });
    const error = await errorOf(compareExperiments(experiment, experiment));
    expect(error.message).toContain("The first experiment has not kept its 120 rows");
    expect(formatExperiment(experiment)).toContain("120 rows");
  });

  it("gives its rows to who reads them as they finish", async () => {
    const running = evaluate(target, { ...OPTIONS, keepRows: false });
    const seen: ExperimentRow[] = [];
    for await (const row of running) seen.push(row);
    expect(seen).toHaveLength(120);
    // They are gone.
    for await (const row of running) seen.push(row);
    expect(seen).toHaveLength(120);
  });
});

describe("a sink", () => {
  it("that is a file is read back as the experiment that was kept", async () => {
    const sink = join(folder, "new folder", "all.jsonl");
    const metadata = { version: "a\u2028\ud800" };
    const summaryEvaluators = [mean({ key: "length" })];
    const experiment = await evaluate(target, {
      ...OPTIONS,
      sink,
      metadata,
      keepRows: true,
      summaryEvaluators,
    });
    expect(await readExperiment(sink)).toEqual(experiment);
    const { rows, ...rest } = experiment;
    expect(await readExperiment(sink, { keepRows: false })).toEqual({
      ...rest,
      rows: [],
      rowCount: rows.length,
    });
    expect(existsSync(`${sink}.lock`)).toBe(false);
    const lines = readFileSync(sink, "utf8").trimEnd().split("\n");
    expect(lines).toHaveLength(122);
    expect(JSON.parse(lines[1] as string)).toHaveProperty("evaluationResults");
    // What was not kept was written all the same.
    const other = join(folder, "other.jsonl");
    const without = await evaluate(target, { ...OPTIONS, sink: other });
    expect(without.rows).toEqual([]);
    const back = await readExperiment(other);
    expect(outcomes(back)).toEqual(outcomes(experiment));
    expect(figures(back)).toBe(figures({ ...experiment, summaryResults: [] }));
    const compared = await compareExperiments(experiment, back);
    expect(compared.length).toMatchObject({ difference: 0, count: 98 });
  });

  it("that is a file whose end is missing has what is there", async () => {
    const sink = join(folder, "cut.jsonl");
    const whole = await evaluate(target, {
      ...OPTIONS,
      sink,
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

  it("that is a function gets one row after the other, and is waited for", async () => {
    const rows: ExperimentRow[] = [];
    let running = 0;
    let begun = 0;
    await evaluate(() => void begun++, {
      data: DATA,
      maxConcurrency: 4,
      async sink(row) {
        expect(running++).toBe(0);
        await new Promise((resolve) => setTimeout(resolve));
        rows.push(row);
        expect(begun - rows.length).toBeLessThanOrEqual(4);
        running--;
      },
    });
    expect(rows.map(({ example }) => example.id)).toEqual(DATA.map(({ id }) => id));
  });

  it("that is a stream of rows is filled no faster than it is read, and closed", async () => {
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
    await evaluate(() => void begun++, { data: DATA, maxConcurrency: 2, sink });
    expect([rows.length, isClosed]).toEqual([60, true]);
  });

  it.each<[string, () => EvaluateOptions["sink"]]>([
    [
      "a function",
      () => (row) => {
        if (row.example.id === "row 3") throw new Error("disk full");
      },
    ],
    [
      "a stream",
      () =>
        new WritableStream<ExperimentRow>({
          write(row) {
            if (row.example.id === "row 3") throw new Error("disk full");
          },
        }),
    ],
  ])("that fails ends the experiment: %s", async (_, sink) => {
    let calls = 0;
    const error = await errorOf(evaluate(() => void calls++, { data: DATA, sink: sink() }));
    expect(error).toMatchObject({ code: "callback_failed", message: "sink failed: disk full" });
    expect(error.experiment?.rowCount).toBeGreaterThan(2);
    expect(calls).toBeLessThan(8);
  });

  it("that cannot be written ends it, too", async () => {
    const sink = join(folder, "folder.jsonl");
    mkdirSync(sink);
    expect((await errorOf(evaluate(() => "", { data: DATA, sink }))).message).toContain("folder.jsonl");
  });

  it.each<[string, string, string]>([
    [
      "another file",
      '{"inputs":1}\n',
      "is not a file that an experiment was written to. Name another one, or replace it",
    ],
    ["a text without lines", "hello", "is not a file that an experiment was written to."],
  ])("does not overwrite %s", async (_, text, message) => {
    const sink = join(folder, "precious.jsonl");
    writeFileSync(sink, text);
    for (const resume of [false, true]) {
      const error = await errorOf(evaluate(() => "", { data: DATA, sink, resume }));
      expect([error.code, error.message]).toEqual(["invalid_config", expect.stringContaining(message)]);
    }
    expect(readFileSync(sink, "utf8")).toBe(text);
    expect((await errorOf(readExperiment(sink))).message).toContain("holds no experiment");
    expect((await evaluate(() => "", { data: DATA, sink, overwrite: true })).rowCount).toBe(60);
    expect((await readExperiment(sink)).rows).toHaveLength(60);
  });

  it("overwrites no experiment, whether it has ended or not, unless it is told to", async () => {
    const sink = join(folder, "again.jsonl");
    await evaluate(() => "", { data: DATA, sink });
    const finished = readFileSync(sink, "utf8");
    const error = await errorOf(evaluate(() => "", { data: DATA, sink }));
    expect([error.code, error.message]).toEqual([
      "invalid_config",
      expect.stringContaining(
        "has a finished experiment. Continue it with resume: true, replace it with overwrite: true, or name",
      ),
    ]);
    expect(readFileSync(sink, "utf8")).toBe(finished);
    await evaluate(() => "", { data: DATA.slice(0, 5), sink, overwrite: true });
    expect((await readExperiment(sink)).rows).toHaveLength(5);
    const stop = new AbortController();
    const target = ({ index }: { index: number }) => index === 3 && stop.abort();
    await evaluate(target, { data: DATA, sink, signal: stop.signal, overwrite: true });
    const before = readFileSync(sink, "utf8");
    const { message } = await errorOf(evaluate(() => "", { data: DATA, sink }));
    expect(message).toContain("has an experiment that has not ended. Continue it with resume: true");
    expect(readFileSync(sink, "utf8")).toBe(before);
  });

  it("is one experiment's at a time", async () => {
    const sink = join(folder, "locked.jsonl");
    const running = evaluate(target, { data: DATA, sink });
    const { message } = await errorOf(
      (async () => {
        for await (const _ of running) await evaluate(target, { data: DATA, sink, resume: true });
      })(),
    );
    expect(message).toContain(`is in use by another experiment, of process ${process.pid}`);
    expect((await running).rowCount).toBe(60);
  });

  it.runIf(existsSync("/proc/self/status"))(
    "of one that was killed is free, though its parent has not been told",
    async () => {
      const sink = join(folder, "killed.jsonl");
      // What takes the shell's place knows nothing of its child.
      const parent = spawn("sh", ["-c", "sleep 1000 & echo $!; exec sleep 1000"]);
      try {
        const [line] = await once(parent.stdout, "data");
        const pid = Number(line);
        process.kill(pid, "SIGKILL");
        await expect.poll(() => readFileSync(`/proc/${pid}/status`, "utf8")).toMatch(/^State:\s*Z/m);
        let lock = "";
        const [one] = DATA;
        const look = () => {
          lock = readFileSync(`${sink}.lock`, "utf8");
        };
        await evaluate(look, { data: [one], sink });
        const started = readFileSync(`/proc/${pid}/stat`, "utf8").split(" ")[21];
        writeFileSync(`${sink}.lock`, JSON.stringify({ ...JSON.parse(lock), pid, started }));
        expect((await evaluate(target, { data: DATA, sink, overwrite: true })).rowCount).toBe(60);
      } finally {
        parent.kill("SIGKILL");
      }
    },
  );

  it.each<[object, string]>([
    [{ sink: 3 }, "sink is 3; it has to be the path of a file, a function or a WritableStream."],
    [{ overwrite: true, resume: true, sink: "x" }, "overwrite replaces what resume continues"],
    [{ resume: true }, "resume continues what stands in the file of a sink"],
    [{ resume: "all", sink: "x" }, 'resume is "all"; it has to be true, false or "failed".'],
  ])("is checked: %j", async (options, message) => {
    const error = await errorOf(evaluate(target, { data: DATA, ...options }));
    expect([error.code, error.message]).toEqual(["invalid_config", expect.stringContaining(message)]);
  });
});

describe("a sink that never settles", () => {
  type Make = (never: () => Promise<void>) => EvaluateOptions["sink"];

  it.each<[string, Make]>([
    ["a function", (never) => never],
    ["a stream", (never) => new WritableStream({ write: never })],
    ["a stream that never closes", (never) => new WritableStream({ close: never })],
  ])("%s ends with the signal", async (_, make) => {
    for (const count of [1, 3]) {
      const stop = new AbortController();
      // Aborts once the sink is waited for.
      const sink = make(() => {
        stop.abort(new Error("by hand"));
        return new Promise(() => {});
      });
      const data = DATA.slice(0, count);
      const experiment = await evaluate(() => "", { data, sink, signal: stop.signal, keepRows: true });
      expect(experiment.stopped).toMatchObject({
        code: "aborted",
        message: expect.stringContaining("by hand"),
      });
    }
  });
});

describe("a row that is too long to be read back", () => {
  // Three bytes each.
  const HUGE = "€".repeat(43 * 1024 * 1024);
  const data = DATA.slice(0, 3);
  const answer = ({ index }: { index: number }) => `answer ${index}`;

  it("is refused when it is written, and the experiment can be continued", async () => {
    const sink = join(folder, "huge.jsonl");
    const huge = ({ index }: { index: number }) => (index === 1 ? HUGE : answer({ index }));
    const { code, message } = await errorOf(evaluate(huge, { data, sink }));
    expect([code, message]).toEqual([
      "invalid_input",
      expect.stringContaining('row "row 1" has more than 128 MB'),
    ]);
    const read = await readExperiment(sink);
    expect(read.rows.map(({ example }) => example.id)).not.toContain("row 1");
    expect(read.stopped?.code).toBe("aborted");
    expect((await evaluate(answer, { data, sink, resume: true })).rowCount).toBe(3);
  }, 120_000);

  it("is skipped with an error when it is read, and run again", async () => {
    const sink = join(folder, "too-long.jsonl");
    const whole = await evaluate(answer, { data, sink, maxConcurrency: 1 });
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
    expect((await evaluate(again, { data, sink, resume: true })).rowCount).toBe(3);
    expect(asked).toBe(1);
    const resumed = await readExperiment(sink);
    expect(resumed.stopped).toBeUndefined();
    expect(resumed.rows).toHaveLength(3);
    expect(figures(resumed)).toBe(figures(whole));
  }, 120_000);
});
