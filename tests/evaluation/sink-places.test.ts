/** The path of a sink: links, modes, and special files. */
import { execFileSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type EvaluateOptions, evaluate, readExperiment } from "openevals-wasm/evaluation";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { errorOf } from "../api/error-of.js";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "places-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

const DATA = Array.from({ length: 4 }, (_, index) => ({ id: `${index}`, inputs: index }));

const run = (sink: string, more: Partial<EvaluateOptions> = {}) =>
  evaluate((input: number) => input, {
    data: DATA,
    progress: false,
    ...more,
    output: { sink, ...more.output },
  });

/** The error of writing to one sink while the other is in use. */
async function whileRunning(sink: string, other: string): Promise<string> {
  let message = "";
  await evaluate(
    async (input) => {
      if (input === 0) message = (await errorOf(run(other))).message;
      expect(existsSync(`${realpathSync(other)}.lock`)).toBe(true);
    },
    { data: DATA, output: { sink }, progress: false },
  );
  return message;
}

describe.skipIf(process.platform === "win32")("a sink", () => {
  it("that is a link is written to its target, also if that does not exist yet", async () => {
    const [real, link, second] = ["real.jsonl", "link.jsonl", "second.jsonl"].map((name) =>
      join(folder, name),
    ) as [string, string, string];
    symlinkSync("real.jsonl", link);
    symlinkSync(link, second);
    const message = await whileRunning(second, real);
    // Under either name it is the same file.
    expect(message).toContain("is in use by another experiment");
    for (const resume of [false, true, "failed"] as const) {
      await run(second, { output: { resume, overwrite: !resume } });
      expect(lstatSync(link).isSymbolicLink() && lstatSync(second).isSymbolicLink()).toBe(true);
      expect(lstatSync(real).isFile()).toBe(true);
      expect((await readExperiment(real)).rows).toHaveLength(4);
    }
    expect(readdirSync(folder).sort()).toEqual(["link.jsonl", "real.jsonl", "second.jsonl"]);
  });

  it("in a folder that is a link is the same file", async () => {
    mkdirSync(join(folder, "real"));
    symlinkSync("real", join(folder, "link"));
    const [one, other] = ["real", "link"].map((name) => join(folder, name, "some.jsonl")) as [string, string];
    const message = await whileRunning(one, other);
    expect(message).toContain("is in use by another experiment");
  });

  it("with circular links is refused", async () => {
    symlinkSync("b.jsonl", join(folder, "a.jsonl"));
    symlinkSync("a.jsonl", join(folder, "b.jsonl"));
    const { code, message } = await errorOf(run(join(folder, "a.jsonl")));
    expect([code, message]).toEqual(["invalid_config", expect.stringContaining("links")]);
  });

  it.each<[string, (path: string) => void, string]>([
    ["a FIFO", (path) => execFileSync("mkfifo", [path]), "is not a regular file"],
    ["a folder", (path) => mkdirSync(path), "is a folder"],
    [
      "a link to a FIFO",
      (path) => {
        execFileSync("mkfifo", [`${path}.pipe`]);
        symlinkSync(`${path}.pipe`, path);
      },
      "is not a regular file",
    ],
  ])("is refused where there is %s, which stays", async (_, make, wrong) => {
    const sink = join(folder, "other.jsonl");
    make(sink);
    const before = [lstatSync(sink).mode, lstatSync(sink).ino, readdirSync(folder)];
    for (const resume of [false, true, "failed"] as const) {
      const { code, message } = await errorOf(run(sink, { output: { resume } }));
      expect([code, message]).toEqual(["invalid_config", expect.stringContaining(wrong)]);
    }
    expect([lstatSync(sink).mode, lstatSync(sink).ino, readdirSync(folder)]).toEqual(before);
  });

  it("keeps the file and its mode", async () => {
    const sink = join(folder, "secret.jsonl");
    const failing = (input: number) => {
      if (input === 2) throw new Error("no answer");
      return input;
    };
    const evaluators = [() => true];
    const options = { data: DATA, output: { sink }, evaluators, progress: false };
    await evaluate(failing, options);
    chmodSync(sink, 0o600);
    const { ino } = statSync(sink);
    await evaluate(failing, { ...options, output: { sink, overwrite: true } });
    expect([statSync(sink).mode & 0o777, statSync(sink).ino]).toEqual([0o600, ino]);
    const { aggregates } = await evaluate((input: number) => input, {
      ...options,
      output: { sink, resume: "failed" },
    });
    expect(Object.values(aggregates)[0]).toMatchObject({ count: 4, errors: 0 });
    expect(statSync(sink).mode & 0o777).toBe(0o600);
    expect(readdirSync(folder)).toEqual(["secret.jsonl"]);
  });

  it("below a file reports that it is not a folder", async () => {
    const file = join(folder, "some-file");
    writeFileSync(file, "precious");
    for (const sink of [join(file, "x.jsonl"), join(file, "deeper", "x.jsonl")]) {
      const { code, message } = await errorOf(run(sink));
      expect([code, message]).toEqual(["invalid_config", expect.stringContaining("is not a folder")]);
    }
    expect(readFileSync(file, "utf8")).toBe("precious");
  });

  it.skipIf(process.platform !== "linux")(
    "in a file system without folders of users is refused",
    async () => {
      const { code, message } = await errorOf(run("/proc/none/x.jsonl"));
      expect([code, message]).toEqual(["invalid_config", expect.stringContaining("mkdir '/proc/none'")]);
    },
  );
});
