/** Only one experiment at a time has a file: racing processes, containers, links, and full disks. */
import { type ChildProcess, execFileSync, fork } from "node:child_process";
import { once } from "node:events";
import {
  existsSync,
  linkSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { type EvaluateOptions, evaluate, readExperiment } from "openevals-wasm/evaluation";
import { afterAll, afterEach, describe, expect, it, vi } from "vitest";
import { errorOf } from "../api/error-of.js";
import { temporaryFolder } from "./folder.js";

const folder = temporaryFolder();
let count = 0;
const newSink = () => join(folder, `${++count}.jsonl`);
afterEach(() => vi.useRealTimers());

const DATA = [{ inputs: 1 }, { inputs: 2 }];
const run = (sink: string, more: Partial<EvaluateOptions> = {}) =>
  evaluate((input: number) => input, {
    data: DATA,
    progress: false,
    ...more,
    output: { sink, ...more.output },
  });

/** The content of the lock of an experiment in this process. */
async function ownLock(): Promise<Record<string, unknown>> {
  const sink = newSink();
  let content = "";
  const look = () => {
    content = readFileSync(`${sink}.lock`, "utf8");
  };
  await evaluate(look, { data: [{ inputs: 1 }], output: { sink }, progress: false });
  return JSON.parse(content);
}

const OTHER_ID = "00000000-0000-4000-8000-000000000000";

/** A lock of another process, which was renewed this long ago. */
async function leave(sink: string, change: object, secondsAgo = 0): Promise<void> {
  const content = JSON.stringify({ ...(await ownLock()), id: OTHER_ID, ...change });
  leaveText(sink, content, secondsAgo);
}

function leaveText(sink: string, content: string, secondsAgo: number): void {
  writeFileSync(`${sink}.lock`, content);
  const time = Date.now() / 1000 - secondsAgo;
  utimesSync(`${sink}.lock`, time, time);
}

/** Nothing is left besides the files of experiments. */
const leftovers = () => readdirSync(folder).filter((name) => !/^\d+\.jsonl$/.test(name));

describe("processes that start at the same time after one was killed", () => {
  const children: ChildProcess[] = [];
  afterAll(() => {
    for (const child of children) child.kill("SIGKILL");
  });

  async function begin(): Promise<ChildProcess> {
    const child = fork(join(import.meta.dirname, "lock-process.mjs"));
    children.push(child);
    await said(child);
    return child;
  }
  const said = async (child: ChildProcess): Promise<{ state: string; message?: string }> =>
    (await once(child, "message"))[0];

  it("exactly one takes the file, and the others are rejected", async () => {
    const racers = await Promise.all(Array.from({ length: 5 }, begin));
    const victim = await begin();
    for (let round = 0; round < 20; round++) {
      const sink = newSink();
      if (round === 0) {
        const has = said(victim);
        victim.send({ sink });
        expect(await has).toEqual({ state: "has" });
        victim.kill("SIGKILL");
        await once(victim, "close");
      } else writeFileSync(`${sink}.lock`, readFileSync(join(folder, "dead.lock")));
      if (round === 0) writeFileSync(join(folder, "dead.lock"), readFileSync(`${sink}.lock`));
      const all = Promise.all(racers.map(said));
      for (const racer of racers) racer.send({ sink });
      const states = await all;
      const owner = racers[states.findIndex(({ state }) => state === "has")] as ChildProcess;
      expect(states.map(({ state }) => state).sort()).toEqual(["has", ...new Array(4).fill("refused")]);
      for (const { message } of states)
        if (message) expect(message).toContain("is in use by another experiment");
      const ended = said(owner);
      owner.send({ ends: true });
      expect(await ended).toEqual({ state: "ended" });
      expect((await readExperiment(sink)).rows).toHaveLength(1);
    }
    expect(leftovers()).toEqual(["dead.lock"]);
  }, 120_000);
});

describe("the lock of a process", () => {
  it("in another container counts while it is renewed, even with the same process id", async () => {
    for (const change of [
      { pidNamespace: "pid:[1]" },
      { boot: "another boot" },
      { host: "another-host", pid: 1 },
    ]) {
      const sink = newSink();
      await leave(sink, { pid: process.pid, ...change }, 60);
      const { code, message } = await errorOf(run(sink));
      expect([code, message]).toEqual([
        "invalid_config",
        expect.stringMatching(
          /is in use by another experiment, of process \d+.* start again in \d+ s, or delete/,
        ),
      ]);
      await leave(sink, { pid: process.pid, ...change }, 180);
      expect((await run(sink)).rowCount).toBe(2);
    }
  });

  it.runIf(existsSync("/proc/self/stat"))("that has ended is free, though its id is used again", async () => {
    const sink = newSink();
    await leave(sink, { started: "1" });
    expect((await run(sink)).rowCount).toBe(2);
  });

  it("in another thread counts while it is renewed, since that may have been terminated", async () => {
    const sink = newSink();
    await leave(sink, {}, 60);
    expect((await errorOf(run(sink))).message).toMatch(
      /in use by another experiment, of process.* start again in \d+ s/,
    );
    await leave(sink, {}, 180);
    expect((await run(sink)).rowCount).toBe(2);
  });

  it("in this thread counts even if the thread was too busy to renew it", async () => {
    const sink = newSink();
    let message = "";
    const target = async () => {
      utimesSync(`${sink}.lock`, 1, 1);
      message = (await errorOf(run(sink))).message;
    };
    await evaluate(target, { data: [{ inputs: 1 }], output: { sink }, progress: false });
    expect(message).toContain("is in use by another experiment");
    expect(message).not.toContain("start again in");
  });

  it("from another copy of the package counts", async () => {
    const sink = newSink();
    const copy = createRequire(import.meta.url)("openevals-wasm/evaluation");
    expect(copy.evaluate).not.toBe(evaluate);
    let message = "";
    await evaluate(
      async () => {
        const other = copy.evaluate(() => 1, { data: DATA, output: { sink }, progress: false });
        message = (await other.catch((error: Error) => error)).message;
      },
      { data: [{ inputs: 1 }], output: { sink }, progress: false },
    );
    expect(message).toContain(`is in use by another experiment, of process ${process.pid}`);
  });

  it("that is half written counts while it may be being written", async () => {
    const sink = newSink();
    const content = JSON.stringify(await ownLock()).slice(0, 20);
    leaveText(sink, content, 0);
    expect((await errorOf(run(sink))).message).toContain("is in use by another experiment. Wait");
    leaveText(sink, content, 180);
    expect((await run(sink)).rowCount).toBe(2);
    expect(existsSync(`${sink}.lock`)).toBe(false);
  });

  it.each([
    "",
    '[[package]]\nname = "x"\n',
    "12",
    "{}",
    '{"host":"x"}',
    '{"id":"../../../etc/passwd","pid":1}',
  ])("that another program wrote stays, whatever its age: %j", async (content) => {
    const sink = newSink();
    const batches = {
      judges: { mode: "batch", batch: { stateFile: sink } },
      data: DATA,
      progress: false,
    } as const;
    for (const age of [0, 180, 1e8]) {
      leaveText(sink, content, age);
      for (const start of [
        () => run(sink),
        () => run(sink, { output: { overwrite: true } }),
        () => evaluate(() => 1, batches),
      ]) {
        const { code, message } = await errorOf(start());
        expect([code, message]).toEqual([
          "invalid_config",
          expect.stringContaining(`${sink}.lock was not written by openevals-wasm, so it is kept`),
        ]);
      }
      expect(readFileSync(`${sink}.lock`, "utf8")).toBe(content);
    }
    rmSync(`${sink}.lock`);
  });

  it("that another experiment has taken over is noticed, and nothing more is written", async () => {
    const sink = newSink();
    const content = JSON.stringify({ ...(await ownLock()), id: OTHER_ID });
    vi.useFakeTimers({ toFake: ["Date"] });
    const error = await errorOf(
      evaluate(
        () => {
          leaveText(sink, content, 0);
          vi.setSystemTime(Date.now() + 600_000);
        },
        { data: DATA, output: { sink }, progress: false },
      ),
    );
    expect([error.code, error.message]).toEqual([
      "tool_failed",
      expect.stringContaining("is no longer locked by this experiment"),
    ]);
    expect((await readExperiment(sink)).rows).toHaveLength(0);
    expect(readFileSync(`${sink}.lock`, "utf8")).toBe(content);
  });

  it.each([
    "is missing",
    "belongs to another experiment",
  ])("that %s at the end of a short run is noticed", async (problem) => {
    const sink = newSink();
    const content = JSON.stringify({ ...(await ownLock()), id: OTHER_ID });
    const target = (input: number) => {
      if (problem === "is missing") rmSync(`${sink}.lock`, { force: true });
      else leaveText(sink, content, 0);
      return input;
    };
    const error = await errorOf(evaluate(target, { data: DATA, output: { sink }, progress: false }));
    expect([error.code, error.message]).toEqual([
      "tool_failed",
      expect.stringContaining("is no longer locked by this experiment"),
    ]);
    const { rows, stopped } = await readExperiment(sink);
    expect([rows.length, stopped?.code]).toEqual([2, "aborted"]);
    rmSync(`${sink}.lock`, { force: true });
    expect((await run(sink, { output: { resume: true } })).rowCount).toBe(2);
  });
});

describe.skipIf(process.platform === "win32")("links", () => {
  it("that are hard links are refused under all names", async () => {
    const sink = newSink();
    await run(sink);
    const other = join(folder, `${++count}.jsonl`);
    linkSync(sink, other);
    for (const name of [sink, other]) {
      const { code, message } = await errorOf(run(name));
      expect([code, message]).toEqual(["invalid_config", expect.stringContaining("2 names (hard links)")]);
    }
  });

  it("of a stateFile are the same file", async () => {
    const [file, link] = [join(folder, "state.json"), join(folder, "link.json")];
    symlinkSync(file, link);
    const batches = (stateFile: string) =>
      ({ judges: { mode: "batch", batch: { stateFile } }, data: DATA, progress: false }) as const;
    let message = "";
    await evaluate(async () => {
      message = (await errorOf(evaluate(() => 1, batches(link)))).message;
    }, batches(file));
    expect(message).toContain("is in use by another experiment");
  });
});

describe.skipIf(process.platform === "win32")("a full disk", () => {
  /** Runs it with this limit on the blocks of a file. */
  function full(
    blocks: number,
    env: Record<string, string>,
  ): { code?: string; message: string; rowCount?: number; lost?: string[] }[] {
    const script = join(import.meta.dirname, "full-disk-process.mjs");
    const command = `trap '' XFSZ; ulimit -f ${blocks}; exec "$0" "$1"`;
    const output = execFileSync("sh", ["-c", command, process.execPath, script], {
      env: { ...process.env, ...env },
      encoding: "utf8",
    });
    return JSON.parse(output);
  }

  it("leaves no lock, no state and no empty answer", async () => {
    const before = readdirSync(folder);
    const sink = newSink();
    const places = { SINK: sink, CACHE: join(folder, "cache"), STATE: join(folder, "full.json") };
    const errors = full(0, places);
    expect(errors).toHaveLength(3);
    expect(errors[0]).toMatchObject({ code: "invalid_config", message: expect.stringContaining("EFBIG") });
    expect(readdirSync(join(folder, "cache"))).toEqual([]);
    expect(readdirSync(folder).filter((name) => !before.includes(name))).toEqual(["cache"]);
  });

  it("during an experiment ends it, and it can be resumed", async () => {
    const sink = newSink();
    const errors = full(16, { SINK: sink });
    expect(errors).toMatchObject([{ code: "tool_failed", message: expect.stringContaining("EFBIG") }]);
    expect(existsSync(`${sink}.lock`)).toBe(false);
    // Each finished row is either in the file or in the error.
    const [{ rowCount, lost = [] } = {}] = errors;
    const written = (await readExperiment(sink)).rows.map(({ example }) => example.id);
    expect([lost.length > 0, written.length > 0]).toEqual([true, true]);
    expect(new Set([...written, ...lost]).size).toBe(rowCount);
    expect(written.length + lost.length).toBe(rowCount);
    expect(full(4096, { SINK: sink })).toEqual([]);
    expect((await readExperiment(sink)).rows).toHaveLength(500);
  });
});
