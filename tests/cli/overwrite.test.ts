/** Existing files: foreign files and results are not overwritten, files derived from results are. */
import { execFile, execFileSync } from "node:child_process";
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { beforeAll, describe, expect, it, vi } from "vitest";
import { modelServer } from "./model-server.js";
import { program, runProgram } from "./program.js";
import { doubling, lines, projectOf } from "./project.js";

// Each test starts the program several times.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

let folder: string;
const cli = (...args: string[]) => runProgram(folder, args);
const path = (name: string) => join(folder, name);
const read = (name: string) => readFileSync(path(name), "utf8");
const score = (...more: string[]) => cli("score", "rows.jsonl", "--evaluator", "exact_match", ...more);

beforeAll(async () => {
  const rows = [1, 2, 3].map((id) => JSON.stringify({ id: `${id}`, outputs: "y", referenceOutputs: "y" }));
  folder = await projectOf({
    "rows.jsonl": `${rows.join("\n")}\n`,
    "double.eval.mjs": doubling(12),
    "sink.eval.mjs": doubling(12, 'output: { sink: "sink.jsonl" },'),
  });
  for (const name of ["one.json", "two.json"]) expect((await score("--output", name)).code).toBe(0);
});

it("a folder instead of a file is refused before anything is asked", async () => {
  mkdirSync(path("results"));
  for (const option of ["--output", "--report", "--junit"])
    expect(await score(option, "results")).toMatchObject({
      code: 2,
      stdout: "",
      stderr: expect.stringContaining(`${option} results is a folder; name a file in it`),
    });
});

it("a place where no file can be written is refused before anything is asked", async () => {
  for (const [name, words] of [
    ["nowhere/", "nowhere/ is a folder; name a file in it"],
    ["rows.jsonl/x.json", "rows.jsonl is not a folder; name another file"],
    ["rows.jsonl/deeper/x.jsonl", "rows.jsonl is not a folder; name another file"],
  ] as const)
    for (const option of ["--output", "--report", "--junit"])
      expect(await score(option, name)).toMatchObject({
        code: 2,
        stdout: "",
        stderr: expect.stringContaining(words),
      });
});

// The superuser may write everywhere.
it.skipIf(process.getuid?.() === 0)("a folder without permission is refused, too", async () => {
  mkdirSync(path("locked"), { mode: 0o500 });
  for (const name of ["locked/x.json", "locked/new/x.jsonl"])
    expect(await score("--output", name)).toMatchObject({
      code: 2,
      stdout: "",
      stderr: expect.stringContaining("locked is a folder without write permission; name another file"),
    });
});

/** The texts of other programs; some begin as ours do. */
const FOREIGN = [
  "precious",
  '{"scores":[1,2]}',
  "<html>my page</html>",
  "id,name\r\n1,x\r\n",
  "experiment,notes\nprecious\n",
  "experiment,id,notes\r\nmine,1,precious\r\n",
  "experiment,id,inputs,duration_ms,notes\r\nmine,1,a,2,precious\r\n",
  "experiment,key,notes\r\nmine,1,precious\r\n",
  "experiment\r\nprecious\r\n",
  "## My Evaluations\n\nprecious\n",
];

describe("a file that is not ours", () => {
  it.each<[string, string[]]>([
    ["--output", ["score", "rows.jsonl", "--evaluator", "exact_match", "--output", "x.json"]],
    ["--output", ["score", "rows.jsonl", "--evaluator", "exact_match", "--output", "x.jsonl"]],
    [
      "--output",
      ["score", "rows.jsonl", "--evaluator", "exact_match", "--format", "csv", "--output", "x.csv"],
    ],
    ["--report", ["score", "rows.jsonl", "--evaluator", "exact_match", "--report", "x.html"]],
    ["--junit", ["score", "rows.jsonl", "--evaluator", "exact_match", "--junit", "x.xml"]],
    ["--comment", ["score", "rows.jsonl", "--evaluator", "exact_match", "--comment", "x.md"]],
    ["--output", ["run", "double.eval.mjs", "--output", "x.json"]],
    ["--junit", ["run", "double.eval.mjs", "--junit", "x.xml"]],
    ["--report", ["report", "one.json", "--report", "x.html"]],
    ["--output", ["compare", "one.json", "two.json", "--format", "json", "--output", "x.json"]],
  ])("is replaced by %s only with --overwrite: %j", async (_, args) => {
    const name = args.at(-1) as string;
    for (const text of FOREIGN) {
      writeFileSync(path(name), text);
      const { code, stderr } = await cli(...args);
      expect([code, stderr]).toEqual([2, expect.stringMatching(/overwrite/)]);
      expect(read(name)).toBe(text);
    }
    expect((await cli(...args, "--overwrite")).code).toBe(0);
    expect(read(name)).not.toContain("my page");
    if (args.includes("--format") || !args.includes("--output")) {
      // Files that this program has written are replaced.
      expect((await cli(...args)).code).toBe(0);
    }
  });
});

it.each<[string, string[]]>([
  ["rows", ["show", "one.json"]],
  ["rows without a score", ["show", "bare.json"]],
  ["comparisons", ["compare", "one.json", "two.json"]],
])("a CSV file of %s that this program wrote is replaced", async (_, args) => {
  const bare = { experimentName: "bare", startedAt: "2026-01-01T00:00:00.000Z" };
  const rows = [{ example: { id: "a" }, run: { durationMs: 1 }, evaluationResults: [], errors: [] }];
  writeFileSync(path("bare.json"), JSON.stringify({ ...bare, rows, aggregates: {}, summaryResults: [] }));
  const all = [...args, "--format", "csv", "--output", "ours.csv"];
  expect((await cli(...all, "--overwrite")).stderr).not.toContain("Error");
  const before = read("ours.csv");
  expect(before).toMatch(/^experiment,/);
  expect((await cli(...all)).stderr).not.toContain("overwrite");
  expect(read("ours.csv")).toBe(before);
});

describe("a finished experiment", () => {
  it("is replaced only with --overwrite", async () => {
    const before = read("one.json");
    const { code, stderr } = await score("--output", "one.json");
    expect([code, stderr]).toEqual([2, expect.stringContaining("one.json has a finished experiment")]);
    for (const option of ["--report", "--junit", "--comment"])
      expect((await score(option, "one.json")).stderr).toContain("one.json has a finished experiment");
    expect(read("one.json")).toBe(before);
    expect((await score("--output", "one.json", "--overwrite")).code).toBe(0);
    expect(read("one.json")).not.toBe(before);
  });

  it("in lines asks for --resume or --overwrite", async () => {
    expect((await score("--output", "all.jsonl")).code).toBe(0);
    const before = read("all.jsonl");
    const { code, stderr } = await score("--output", "all.jsonl");
    expect([code, stderr]).toEqual([
      2,
      expect.stringContaining(
        "has a finished experiment. Continue it with --resume, replace it with --overwrite",
      ),
    ]);
    expect((await score("--report", "all.jsonl")).stderr).toContain("has the rows of an experiment");
    expect(read("all.jsonl")).toBe(before);
    expect((await score("--output", "all.jsonl", "--resume")).code).toBe(0);
    expect((await score("--output", "all.jsonl", "--overwrite")).code).toBe(0);
  });

  it("in a folder of run, or in the sink of a definition, is replaced only with --overwrite", async () => {
    const commands = [
      ["run", "double.eval.mjs", "--output", "results"],
      ["run", "sink.eval.mjs"],
    ];
    for (const args of commands) {
      expect((await cli(...args)).code).toBe(0);
      const { code, stderr } = await cli(...args);
      expect([code, stderr]).toEqual([2, expect.stringContaining("has a finished experiment")]);
      expect((await cli(...args, "--overwrite")).code).toBe(0);
    }
  });

  it("of shards is merged into no other one", async () => {
    for (const index of [1, 2])
      expect((await score("--shard", `${index}/2`, "--output", `part-${index}.json`)).code).toBe(0);
    const merge = (...more: string[]) => cli("merge", "part-1.json", "part-2.json", ...more);
    expect((await merge("--output", "one.json")).stderr).toContain("one.json has a finished experiment");
    expect((await merge("--output", "one.json", "--overwrite")).code).toBe(0);
  });
});

describe("a file that is read", () => {
  const RUN = ["run", "evals/reading.eval.mjs", "--overwrite"];
  const SCORE = ["score", "rows.jsonl", "--evaluator", "exact_match", "--overwrite"];

  beforeAll(async () => {
    mkdirSync(path("evals"));
    mkdirSync(path("main"));
    const written = {
      "evals/reading.eval.mjs": `import { exactMatch } from "openevals-wasm";
        import metadata from "./helper.cjs";
        export default { data: "rows.jsonl", evaluators: [exactMatch], metadata };`,
      "evals/helper.cjs": 'module.exports = require("./more.json");',
      "evals/more.json": '{ "version": 1 }',
      "prices.json": '{ "openai:gpt-5.4": { "input": 1, "output": 2 } }',
    };
    for (const [name, text] of Object.entries(written)) writeFileSync(path(name), text);
    expect((await cli(...RUN, "--output", "main")).code).toBe(0);
    symlinkSync("main", path("linked"));
    symlinkSync("rows.jsonl", path("link.jsonl"));
  });

  it.each<[string, string[]]>([
    ["rows.jsonl", [...RUN, "--junit", "rows.jsonl"]],
    ["rows.jsonl", [...RUN, "--comment", "link.jsonl"]],
    ["evals/reading.eval.mjs", [...RUN, "--junit", "evals/reading.eval.mjs"]],
    ["evals/helper.cjs", [...RUN, "--comment", "./evals/helper.cjs"]],
    ["evals/more.json", [...RUN, "--output", "evals/more.json"]],
    ["main/reading.json", [...RUN, "--baseline", "main/reading.json", "--output", "main/reading.json"]],
    ["main/reading.json", [...RUN, "--baseline", "main", "--output", "linked"]],
    ["main/reading.json", [...RUN, "--baseline", "main", "--junit", "linked/reading.json"]],
    ["prices.json", [...RUN, "--prices", "prices.json", "--junit", "prices.json"]],
    ["prices.json", [...SCORE, "--prices", "prices.json", "--comment", "prices.json"]],
    ["prices.json", [...SCORE, "--prices", "prices.json", "--report", "./prices.json"]],
    [
      "prices.json",
      ["report", "one.json", "--prices", "prices.json", "--report", "prices.json", "--overwrite"],
    ],
    ["rows.jsonl", [...SCORE, "--output", "link.jsonl"]],
  ])("is never replaced: %s by %j", async (name, args) => {
    const before = read(name);
    const { code, stderr } = await cli(...args);
    expect([code, stderr]).toEqual([
      2,
      expect.stringMatching(/would overwrite .*, which this command reads; name/),
    ]);
    expect(read(name)).toBe(before);
  });

  it.each<[string, string[]]>([
    [
      "--output and --junit both name",
      [...RUN, "--junit", "linked/reading.json", "--output", "main/reading.json"],
    ],
    [
      "--junit and --output both name main/reading.json",
      [...RUN, "--junit", "linked/reading.json", "--output", "main"],
    ],
    [
      "--junit and --comment both name linked/new.xml",
      [...SCORE, "--junit", "main/new.xml", "--comment", "linked/new.xml"],
    ],
    [
      "--junit and sink: output.sink both name",
      ["run", "sink.eval.mjs", "--overwrite", "--junit", "sink.jsonl"],
    ],
  ])("is not written twice: %s", async (message, args) => {
    expect(await cli(...args)).toMatchObject({ code: 2, stderr: expect.stringContaining(message) });
  });

  it("may be a device", async () => {
    expect((await score("--junit", "/dev/null", "--comment", "/dev/null")).code).toBe(0);
  });
});

describe("a file that appears during the work", () => {
  const beside = (what: string, kept: string, name: string) =>
    expect.stringContaining(
      `${what} written to ${kept}, because another program wrote ${name} during this call. Rename it, or replace ${name} with --overwrite.`,
    );
  const rowsOf = (name: string) => JSON.parse(read(name)).rows.length;

  it("stays, and the results of run are beside it", async () => {
    writeFileSync(
      path("late.eval.mjs"),
      `import { writeFileSync } from "node:fs";
      import { exactMatch } from "openevals-wasm";
      const data = [{ inputs: 1, referenceOutputs: 1 }];
      const evaluators = [exactMatch];
      const target = (n) => { writeFileSync("late.json", "precious"); return n; };
      export default [{ name: "a", data, target, evaluators }, { name: "b", data, target: (n) => n, evaluators }];`,
    );
    const one = ["run", "late.eval.mjs", "--filter", "a", "--output", "late.json"];
    const { code, stderr } = await cli(...one);
    expect([code, stderr]).toEqual([2, beside("Experiment", "late-2.json", "late.json")]);
    expect([read("late.json"), rowsOf("late-2.json")]).toEqual(["precious", 1]);
    // The others of the run are written, too.
    writeFileSync(path("late.json"), "");
    const all = await cli(..."run late.eval.mjs --junit late.json --output late-all --json".split(" "));
    expect(all.code).toBe(2);
    const { exitCode, written } = JSON.parse(all.stdout);
    expect([exitCode, written]).toEqual([2, ["late-all/a.json", "late-all/b.json", "late-3.json"]]);
    expect(read("late.json")).toBe("precious");
    expect((await cli(...one, "--overwrite")).code).toBe(0);
    expect(rowsOf("late.json")).toBe(1);
    expect(readdirSync(path("."), { recursive: true }).filter((name) => `${name}`.includes(".tmp"))).toEqual(
      [],
    );
  });

  it("stays, and the experiment and the report of score are beside it", async () => {
    const { url } = await modelServer(() => {
      for (const name of ["scored.json", "scored.html"]) writeFileSync(path(name), "precious");
      return JSON.stringify({ reasoning: "r", score: true });
    });
    writeFileSync(path("asked.jsonl"), lines([{ inputs: "q", outputs: "a" }]));
    const judge = ["--evaluator", "conciseness", "--model", "openai:gpt-5.4"];
    const files = ["--output", "scored.json", "--report", "scored.html"];
    const env = { OPENAI_API_KEY: "k", OPENAI_BASE_URL: url };
    const { code, stderr } = await runProgram(folder, ["score", "asked.jsonl", ...judge, ...files], env);
    expect([code, stderr]).toEqual([2, beside("Experiment", "scored-2.json", "scored.json")]);
    expect(stderr).toEqual(beside("Report", "scored-2.html", "scored.html"));
    expect([read("scored.json"), read("scored.html")]).toEqual(["precious", "precious"]);
    expect([rowsOf("scored-2.json"), read("scored-2.html")]).toEqual([
      1,
      expect.stringMatching(/^<!doctype/i),
    ]);
  });

  it("is that of one of several processes with the same name, and none is lost", async () => {
    // The first waits until the second is done.
    writeFileSync(
      path("twice.eval.mjs"),
      `import { execFileSync } from "node:child_process";
      const { NESTED } = process.env;
      const args = ${JSON.stringify([program, "run", "twice.eval.mjs", "--output", "twice.json"])};
      export default {
        data: [{ inputs: NESTED ?? "first" }],
        target: (text) => {
          if (!NESTED) execFileSync(process.execPath, args, { env: { ...process.env, NESTED: "second" } });
          return text;
        },
        evaluators: [() => ({ key: "k", score: 1 })],
      };`,
    );
    const { code, stderr } = await cli("run", "twice.eval.mjs", "--output", "twice.json");
    expect([code, stderr]).toEqual([2, beside("Experiment", "twice-2.json", "twice.json")]);
    const answers = ["twice.json", "twice-2.json"].map((name) => JSON.parse(read(name)).rows[0].run.outputs);
    expect(answers).toEqual(["second", "first"]);
  });

  it("is created by one of several processes at once", async () => {
    const ends = await Promise.all([1, 2, 3].map(() => score("--output", "race.json")));
    expect(ends.map(({ code }) => code).sort()).toEqual([0, 2, 2]);
    // One that started late is refused before it begins.
    const kept = ends.filter(({ stderr }) => stderr.includes("Experiment written to"));
    const files = readdirSync(folder).filter((name) => name.startsWith("race"));
    expect(files.length).toBe(kept.length);
    expect(files.map(rowsOf)).toEqual(kept.map(() => 3));
  });
});

it.skipIf(process.platform !== "linux")("on a full disk, an experiment is written elsewhere", async () => {
  const spare = path("spare");
  mkdirSync(spare);
  symlinkSync("/dev/full", path("spared.json"));
  const args = ["score", "rows.jsonl", "--evaluator", "exact_match", "--output", "spared.json"];
  const run = () => runProgram(folder, args, { TMPDIR: spare });
  const { code: codeOfScore, stdout, stderr } = await run();
  expect(codeOfScore).toBe(2);
  expect(stdout).toContain("exact_match");
  const [, place = ""] =
    /spared\.json could not be written: ENOSPC.*\. The experiment was written to (\S+\/spared\.json) instead\./.exec(
      stderr,
    ) ?? [];
  expect(JSON.parse(readFileSync(place, "utf8")).rows).toHaveLength(3);
  // Only its user may read it.
  expect(lstatSync(dirname(place)).mode & 0o777).toBe(0o700);
  await run();
  expect(readdirSync(spare)).toHaveLength(2);
  // The others of a run are still written.
  mkdirSync(path("written"));
  symlinkSync("/dev/full", path("written/double.json"));
  writeFileSync(path("triple.eval.mjs"), doubling(12));
  const { code } = await runProgram(
    folder,
    ["run", "double.eval.mjs", "triple.eval.mjs", "--output", "written"],
    { TMPDIR: spare },
  );
  expect(code).toBe(2);
  const kept = readdirSync(spare, { recursive: true }) as string[];
  const double = kept.find((name) => name.endsWith("double.json"));
  expect(JSON.parse(read(`spare/${double}`)).rows).toHaveLength(12);
  expect(JSON.parse(read("written/triple.json")).rows).toHaveLength(12);
});

describe.skipIf(process.platform === "win32")("a disk that is full", () => {
  /** Runs a command where no file may have more than a kibibyte. */
  const full = (args: string[]) =>
    new Promise<{ code: number; stderr: string }>((resolve) => {
      // Blocks of 512 bytes in some shells, of 1,024 in others.
      const command = `trap '' XFSZ; ulimit -f 1; exec "$0" "$@"`;
      const all = ["-c", command, process.execPath, program, ...args];
      execFile("sh", all, { cwd: folder, env: { PATH: process.env.PATH } }, (error, _, stderr) =>
        resolve({ code: Number(error?.code ?? 0), stderr }),
      );
    });
  const rows = Array.from({ length: 50 }, (_, id) =>
    JSON.stringify({ id: `${id}`, outputs: "x", referenceOutputs: "y" }),
  );

  it.each<[string, string[]]>([
    ["--output", ["--output", "full.json"]],
    ["--output", ["--format", "csv", "--output", "full.csv"]],
    ["--report", ["--report", "full.html"]],
    ["--junit", ["--each-at-least", "1", "--junit", "full.xml"]],
  ])("costs no earlier file of %s: %j", async (option, args) => {
    writeFileSync(path("fifty.jsonl"), `${rows.join("\n")}\n`);
    const name = args.at(-1) as string;
    writeFileSync(path(name), "the earlier file");
    const before = readdirSync(folder);
    const all = ["score", "fifty.jsonl", "--evaluator", "exact_match", ...args, "--overwrite"];
    expect(await full(all)).toEqual({
      code: 2,
      stderr: expect.stringMatching(new RegExp(`${name} could not be written: .*EFBIG`)),
    });
    expect(read(name)).toBe("the earlier file");
    expect(readdirSync(folder)).toEqual(before);
    expect((await cli(...all)).stderr, option).not.toContain("could not be written");
    expect(read(name)).not.toBe("the earlier file");
  });

  it("costs no earlier report of writeReport(), which says so", async () => {
    writeFileSync(path("mine.html"), "the earlier file");
    writeFileSync(
      path("write.mjs"),
      `import { readFileSync } from "node:fs";
      import { writeReport } from "openevals-wasm/evaluation";
      const experiment = JSON.parse(readFileSync("one.json", "utf8"));
      await writeReport(experiment, "mine.html", { overwrite: true }).catch(({ name, code }) => console.error(name, code));`,
    );
    const { stderr } = await new Promise<{ stderr: string }>((resolve) => {
      const all = ["-c", `trap '' XFSZ; ulimit -f 1; exec "$0" "$@"`, process.execPath, "write.mjs"];
      execFile("sh", all, { cwd: folder }, (_, __, stderr) => resolve({ stderr }));
    });
    expect(stderr).toContain("OpenEvalsError tool_failed");
    expect(read("mine.html")).toBe("the earlier file");
  });
});

it.skipIf(process.platform === "win32")("writes to the target of a link, and the link stays", async () => {
  writeFileSync(path("target.csv"), "");
  chmodSync(path("target.csv"), 0o640);
  symlinkSync("target.csv", path("link.csv"));
  expect((await score("--format", "csv", "--output", "link.csv")).code).toBe(0);
  expect(read("target.csv")).toMatch(/^experiment,/);
  expect(lstatSync(path("link.csv")).isSymbolicLink()).toBe(true);
  expect(lstatSync(path("target.csv")).mode & 0o777).toBe(0o640);
  expect((await score("--format", "csv", "--output", "/dev/null")).code).toBe(0);

  symlinkSync("later/result.json", path("dangling.json"));
  expect((await score("--output", "dangling.json")).code).toBe(0);
  expect(read("later/result.json")).toMatch(/^\{"experimentName":/);
  expect(lstatSync(path("dangling.json")).isSymbolicLink()).toBe(true);
});

it.skipIf(process.platform === "win32")("writes to a pipe, which keeps nothing", async () => {
  execFileSync("mkfifo", [path("pipe.json")]);
  const reading = promisify(execFile)("cat", [path("pipe.json")]);
  expect((await score("--output", "pipe.json")).code).toBe(0);
  expect((await reading).stdout).toMatch(/^\{"experimentName":/);
});
