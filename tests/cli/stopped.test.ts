/** Experiments stopped by a signal: what they keep, the messages about them, and about comparisons with them. */
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { readJUnit } from "./junit.js";
import { program, runProgram } from "./program.js";
import { doubling, projectOf } from "./project.js";

/** Stops itself at its third row, as Ctrl-C does; until the signal has come, something is left to do. */
const STOPPING = `
  const interrupted = () => new Promise(() => {
    const waiting = setInterval(() => {}, 1000);
    process.once("SIGINT", () => clearInterval(waiting));
    process.kill(process.pid, "SIGINT");
  });
  import { exactMatch } from "openevals-wasm";
  export default {
    name: "x",
    data: Array.from({ length: 12 }, (_, i) => ({ id: "n" + i, inputs: i + 1, referenceOutputs: 2 * (i + 1) })),
    target: (n) => (n === 3 ? interrupted() : 2 * n),
    evaluators: [exactMatch],
    maxConcurrency: 1,
  };
`;

it("says where its rows are, is no finished experiment, and is not compared in silence", async () => {
  const folder = await projectOf({ "x.eval.mjs": STOPPING, "whole.eval.mjs": doubling(12, 'name: "x",') });
  const run = (...args: string[]) => runProgram(folder, args);
  const first = await run("run", "x.eval.mjs", "--output", "ns.json");
  expect(first.code).toBe(130);
  expect(first.stdout).toContain("Stopped before the end: The experiment was stopped by its signal: Ctrl-C");
  expect(first.stderr).toContain(
    "x.eval.mjs: ns.json has the 2 rows that finished; to start from the beginning, run it again with --overwrite.",
  );
  expect(first.stderr).not.toContain("stopped by its signal");
  const again = await run("run", "x.eval.mjs", "--output", "ns.json");
  expect(again.stderr).toContain("ns.json has an experiment that was stopped early; replace it");
  expect(again.code).toBe(2);

  const shown = await run("show", "ns.json", "--json");
  const [{ passed, notes }] = JSON.parse(shown.stdout).experiments;
  expect({ code: shown.code, passed, notes }).toEqual({
    code: 0,
    passed: false,
    notes: ["This is not a finished experiment: The experiment was stopped by its signal: Ctrl-C."],
  });

  await run("run", "whole.eval.mjs", "--output", "whole.json");
  const note =
    "ns.json is not a finished experiment: it has 2 rows, and whole.json has 12. How it ended: The experiment was stopped by its signal: Ctrl-C. Only rows that both have are compared.";
  expect((await run("compare", "ns.json", "whole.json")).stderr).toContain(note);
  const { stdout } = await run("compare", "ns.json", "whole.json", "--format", "markdown");
  expect(stdout).toContain("ns.json is not a finished experiment: it has 2 rows");
  const baseline = await run("run", "whole.eval.mjs", "--baseline", "ns.json");
  expect(baseline.stderr).toContain("x: ns.json is not a finished experiment: it has 2 rows, and x has 12.");
});

it("reports once that it was stopped, in whole sentences, and mentions an unfinished sink", async () => {
  const sink = STOPPING.replace("maxConcurrency", 'output: { sink: "rows.jsonl" }, maxConcurrency');
  const folder = await projectOf({ "x.eval.mjs": sink, "whole.eval.mjs": doubling(12) });
  const { stderr } = await runProgram(folder, [
    "run",
    "x.eval.mjs",
    "--format",
    "markdown",
    "--output",
    "a.md",
  ]);
  expect(stderr).toContain(
    "x.eval.mjs: rows.jsonl has the finished rows; to continue, run it again with output.resume: true in its definition.",
  );
  expect(stderr).not.toContain("stopped by its signal");
  const markdown = await runProgram(folder, ["run", "x.eval.mjs", "--format", "markdown"]);
  expect(markdown.code).toBe(2);
  await runProgram(folder, ["run", "whole.eval.mjs", "--output", "whole.json"]);
  const compared = await runProgram(folder, ["compare", "whole.json", "rows.jsonl"]);
  expect(compared.stderr).toContain(
    "rows.jsonl is not a finished experiment: it has 2 rows, and whole.json has 12.",
  );
});

/** Says on standard error that it waits at its third row, for longer than any test. */
const waiting = () =>
  doubling(12, `name: "x", maxConcurrency: 1,`).replace(
    "target: (n) =>",
    'target: (n) => n === 3 ? new Promise((done) => { console.error("waiting"); setTimeout(done, 1e9); }) :',
  );

/** Starts the program, and waits for the third row. */
async function started(folder: string, ...args: string[]) {
  const child = spawn(process.execPath, [program, "run", "x.eval.mjs", ...args], { cwd: folder });
  let stdout = "";
  child.stdout.setEncoding("utf8").on("data", (text) => {
    stdout += text;
  });
  await new Promise<void>((found) => {
    child.stderr.setEncoding("utf8").on("data", (text) => text.includes("waiting") && found());
  });
  return { child, ended: once(child, "close").then(([code, signal]) => ({ code, signal, stdout })) };
}

const SIGNALS: [NodeJS.Signals, number, string][] = [
  ["SIGINT", 130, "Ctrl-C"],
  ["SIGTERM", 143, "SIGTERM"],
  ["SIGHUP", 129, "SIGHUP"],
];

it.skipIf(process.platform === "win32").each(SIGNALS)(
  "%s keeps the rows, and ends with %i",
  async (signal, code, name) => {
    const folder = await projectOf({ "x.eval.mjs": waiting() });
    const { child, ended } = await started(folder, "--output", "x.json", "--junit", "y.xml", "--json");
    child.kill(signal);
    const { stdout, ...end } = await ended;
    expect(end).toEqual({ code, signal: null });
    const result = JSON.parse(stdout);
    expect(result.exitCode).toBe(code);
    expect(result.experiments[0].mistake).toContain(`The experiment was stopped by its signal: ${name}.`);
    expect(JSON.parse(await readFile(join(folder, "x.json"), "utf8")).rows).toHaveLength(2);
    expect(await readJUnit(join(folder, "y.xml"))).toHaveLength(1);
  },
);

it.skipIf(process.platform === "win32")("ends an estimate, and starts no other", async () => {
  const endless = `export default {
    name: "x",
    data: (async function* () {
      yield { outputs: 1 };
      console.error("waiting");
      await new Promise((done) => setTimeout(done, 1e9));
    })(),
    evaluators: [() => 1],
  };`;
  const folder = await projectOf({ "x.eval.mjs": endless, "y.eval.mjs": doubling(12, `name: "y",`) });
  const { child, ended } = await started(folder, "y.eval.mjs", "--estimate");
  let stderr = "";
  child.stderr.on("data", (text) => {
    stderr += text;
  });
  child.kill("SIGINT");
  expect(await ended).toEqual({ code: 130, signal: null, stdout: "" });
  expect(stderr).toContain("x.eval.mjs: The estimate was stopped by its signal: Ctrl-C\n");
});

it.skipIf(process.platform === "win32")("a second signal, also another one, ends it at once", async () => {
  const folder = await projectOf({ "x.eval.mjs": waiting() });
  // Writing to a pipe without a reader never ends.
  execFileSync("mkfifo", [join(folder, "pipe")]);
  const { child, ended } = await started(folder, "--junit", "pipe", "--overwrite");
  child.kill("SIGTERM");
  await new Promise<void>((shown) => {
    child.stdout.on("data", (text) => text.includes("Stopped before the end") && shown());
  });
  child.kill("SIGINT");
  expect(await ended).toMatchObject({ code: null, signal: "SIGINT" });
});

it.skipIf(process.platform === "win32")("says how many rows a full disk took, and continues", async () => {
  const rows = Array.from({ length: 500 }, (_, index) => ({
    ...{ inputs: index, outputs: `answer ${index}`, referenceOutputs: `answer ${index}` },
  }));
  const folder = await projectOf({
    "rows.jsonl": rows.map((row) => JSON.stringify(row)).join("\n"),
    "rows.eval.mjs": `
      import { exactMatch } from "openevals-wasm";
      export default {
        name: "rows", data: "rows.jsonl", evaluators: [exactMatch], output: { sink: "run.jsonl", resume: true },
      };
    `,
  });
  const score = ["score", "rows.jsonl", "--evaluator", "exact_match", "--output", "score.jsonl"];
  const cases: [string, string[], string[], string][] = [
    ["score.jsonl", score, ["--resume"], "the same command with --resume"],
    ["run.jsonl", ["run", "rows.eval.mjs"], [], "another run"],
  ];
  for (const [file, args, more, again] of cases) {
    const limited = `trap '' XFSZ; ulimit -f 16; exec "$0" "$@"`;
    const child = spawn("sh", ["-c", limited, process.execPath, program, ...args], { cwd: folder });
    let stderr = "";
    child.stderr.on("data", (data) => {
      stderr += data;
    });
    child.stdout.resume();
    expect((await once(child, "close"))[0]).toBe(2);
    expect(stderr).toMatch(
      new RegExp(
        `The sink .*${file} cannot be written: EFBIG: .*\\. \\d+ finished rows are not in ${file}; ${again} runs them again\\.`,
      ),
    );
    expect((await runProgram(folder, [...args, ...more])).code).toBe(0);
    const written = (await readFile(join(folder, file), "utf8")).trim().split("\n");
    expect(new Set(written.slice(1, -1).map((line) => JSON.parse(line).example.inputs)).size).toBe(500);
  }
});
