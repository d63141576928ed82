/** The program of the packed package, run as a process. */
import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, open, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import * as prompts from "openevals-wasm/prompts";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Loopback } from "../providers/servers/loopback.js";
import { answer, failure, startOllama, verdict } from "../providers/servers/ollama.js";
import { run } from "../runtimes/harness.js";
import install, { installed } from "../runtimes/install.js";
import { manifest, program, runProgram } from "./program.js";

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "cli-"));
  const lines = (rows: object[]) => rows.map((row) => `${JSON.stringify(row)}\n`).join("");
  const row = (id: string, outputs: unknown, referenceOutputs: unknown, inputs: unknown = "q") => ({
    ...{ id, inputs, outputs, referenceOutputs },
  });
  const files = {
    "cities.jsonl": lines([row("a", "Astana", "Astana"), row("b", "Rome", "Roma"), row("c", "Bern", "Bern")]),
    "cities.csv": "id,inputs,outputs,referenceOutputs\na,q,Astana,Astana\nb,q,Rome,Roma\n",
    // Ten that were right and are wrong now, and one that is right.
    "before.jsonl": lines(Array.from({ length: 11 }, (_, i) => row(`${i}`, "yes", "yes"))),
    "after.jsonl": lines(Array.from({ length: 11 }, (_, i) => row(`${i}`, i ? "no" : "yes", "yes"))),
    "broken.jsonl": '{"inputs": 1, "outputs": 1, "referenceOutputs": 1}\n{"inputs": \n',
    "objects.jsonl": lines([row("a", { x: 1, y: 2 }, { x: 1, y: 3 })]),
    "mixed.jsonl": lines([row("a", { x: 1 }, { x: 1 }), row("b", "x", "y")]),
    "rag.jsonl": lines([
      { id: "a", inputs: { question: "When?", context: "Ada Lovelace (1815–1852)" }, outputs: "In 1815." },
    ]),
    "not-an-experiment.json": "{}",
    "no-rows.json": '{"rows": [null], "aggregates": {}}',
    "no-json.json": "{",
    "no-results.json": '{"experimentName": "none", "rows": [], "aggregates": {}, "summaryResults": []}',
    "empty.jsonl": "",
    "empty.csv": "inputs,outputs,referenceOutputs\n",
  };
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
  await mkdir(join(folder, "folder.jsonl"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const cli = (args: string[], env: Record<string, string> = {}) => runProgram(folder, args, env);

const experimentIn = async (name: string) => JSON.parse(await readFile(join(folder, name), "utf8"));
const EXACT = ["--evaluator", "exact_match"];

describe("score", () => {
  it("scores recorded answers, and prints a table without colours into a pipe", async () => {
    const { code, stdout, stderr } = await cli([
      "score",
      "cities.jsonl",
      ...EXACT,
      "--evaluator",
      "levenshtein_distance",
      "--pass-at",
      "levenshtein_distance=0.75",
    ]);
    expect(stdout).toMatch(/^cities-[0-9a-f]{8} {2}3 rows · /);
    // Two of three; one letter of four in one of three.
    expect(stdout).toMatch(/^exact_match +66\.7% /m);
    expect(stdout).toMatch(/^levenshtein_distance +0\.917 /m);
    expect(stdout).toContain(
      "✗ b  q\n  ✗ exact_match   ✓ levenshtein_distance 0.750\n    exact_match  outputs is ",
    );
    expect(stdout).not.toContain("\x1b");
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  });

  it("knows metrics of texts, and that lower error rates are better", async () => {
    const { code, stdout, stderr } = await cli([
      ...["score", "cities.jsonl", "--evaluator", "chrf++", "--evaluator", "character_error_rate"],
      ...["--fail-over", "character_error_rate=0.05", "--pass-at", "character_error_rate=0.3"],
    ]);
    expect(stdout).toMatch(/^chrf\+\+ +0\./m);
    // One letter of four in one of three.
    expect(stdout).toMatch(/^character_error_rate +0\.083 /m);
    expect(stdout).not.toContain("✗ character_error_rate");
    expect({ code, stderr }).toEqual({ code: 1, stderr: "character_error_rate is 0.083, above 0.050.\n" });
  });

  it("knows metrics of rankings, at any number of documents", async () => {
    const rows = [
      { id: "a", inputs: {}, outputs: { documents: ["x", "d1"] }, referenceOutputs: { d1: 2, x: 0 } },
      { id: "b", inputs: {}, outputs: { documents: ["d2"] }, referenceOutputs: { documents: ["d2", "d3"] } },
      { id: "c", inputs: {}, outputs: { documents: ["d2"] }, referenceOutputs: { d4: 0 } },
    ];
    await writeFile(join(folder, "rankings.jsonl"), rows.map((row) => JSON.stringify(row)).join("\n"));
    const { code, stdout, stderr } = await cli([
      ...["score", "rankings.jsonl", "--evaluator", "recall_at_2", "--evaluator", "reciprocal_rank"],
    ]);
    expect(stdout).toMatch(/^recall_at_2 +0\.750 /m);
    expect(stdout).toMatch(/^reciprocal_rank +0\.750 /m);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    const unknown = await cli(["score", "rankings.jsonl", "--evaluator", "recall_at"]);
    expect(unknown.stderr).toContain("did you mean recall_at_10?");
  });

  it("reads CSV", async () => {
    const { stdout } = await cli(["score", "cities.csv", ...EXACT]);
    expect(stdout).toMatch(/^exact_match +50\.0% /m);
  });

  it("has colours if they are forced", async () => {
    const { stdout } = await cli(["score", "cities.jsonl", ...EXACT], { FORCE_COLOR: "1" });
    expect(stdout).toContain("\x1b[31m✗\x1b[39m");
  });

  it.each(["--output", "--report"])("does not overwrite its data by %s", async (option) => {
    const data = join(folder, "cities.jsonl");
    const before = await readFile(data, "utf8");
    const link = `link${option}.json`;
    await symlink(data, join(folder, link));
    for (const path of ["cities.jsonl", "./cities.jsonl", link]) {
      const { code, stderr } = await cli(["score", "cities.jsonl", ...EXACT, option, path]);
      expect({ code, stderr }).toEqual({
        code: 2,
        stderr: expect.stringContaining(
          `${option} ${path} would overwrite cities.jsonl, which this command reads`,
        ),
      });
    }
    expect(await readFile(data, "utf8")).toBe(before);
  });

  it("does not write the experiment and its report into one file", async () => {
    const files = ["--output", "out/one.html", "--report", "./out/one.html"];
    const { code, stderr } = await cli(["score", "cities.jsonl", ...EXACT, ...files]);
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: expect.stringContaining("--output and --report both name ./out/one.html; name different files"),
    });
  });

  it("writes the experiment and its report", async () => {
    const { code, stderr } = await cli([
      ...["score", "cities.jsonl", ...EXACT],
      ...["--output", "out/experiment.json", "--report", "out/report.html"],
    ]);
    expect({ code, stderr }).toEqual({
      code: 0,
      stderr: "Experiment written to out/experiment.json\nReport written to out/report.html\n",
    });
    const experiment = await experimentIn("out/experiment.json");
    expect(experiment.rows.map((row: any) => row.evaluationResults)).toEqual([
      [{ key: "exact_match", score: true }],
      [{ key: "exact_match", score: false, comment: 'outputs is "Rome" instead of "Roma"' }],
      [{ key: "exact_match", score: true }],
    ]);
    expect(await readFile(join(folder, "out/report.html"), "utf8")).toContain(
      `<title>1 of 3 rows fails · ${experiment.experimentName}</title>`,
    );
  });

  it.each([
    [["--fail-under", "exact_match=0.6"], 0, ""],
    [["--fail-under", "exact_match=0.7"], 1, "exact_match is 66.7%, below 70.0%.\n"],
    [["--fail-under", "exact_match=0.6667"], 1, "exact_match is 66.7%, below 66.7% (-0.000033).\n"],
    [["--fail-over", "exact_match=0.7"], 0, ""],
    [["--fail-over", "exact_match=0.5"], 1, "exact_match is 66.7%, above 50.0%.\n"],
  ])("%j: exit code %i", async (options, code, stderr) => {
    expect(await cli(["score", "cities.jsonl", ...EXACT, ...options])).toMatchObject({ code, stderr });
  });

  it.each([
    ["json_match", ["json_match:x", "json_match:y"]],
    ["json_match:average", ["json_match:average"]],
    ["json_match:all", ["json_match:all"]],
  ])("%s gives %j", async (evaluator, keys) => {
    await cli([
      ...["score", "objects.jsonl", "--evaluator", evaluator],
      ...["--output", "json-match.json", "--overwrite"],
    ]);
    expect(Object.keys((await experimentIn("json-match.json")).aggregates)).toEqual(keys);
  });

  it("agents: loops, failed calls, tool calls and states", async () => {
    const call = (id: string) => ({
      role: "assistant",
      tool_calls: [{ id, function: { name: "search", arguments: '{"q":"a"}' } }],
    });
    const result = (id: string) => ({ role: "tool", tool_call_id: id, content: "none" });
    const outputs = ["1", "2", "3"].flatMap((id) => [call(id), result(id)]);
    await writeFile(join(folder, "agents.jsonl"), JSON.stringify({ outputs, referenceOutputs: [call("1")] }));
    const keys = ["no_loops", "step_status", "tool_call_metrics"].flatMap((key) => ["--evaluator", key]);
    await cli(["score", "agents.jsonl", ...keys, "--output", "agents.json", "--overwrite"]);
    const { aggregates } = await experimentIn("agents.json");
    expect(Object.entries(aggregates).map(([key, { mean }]: [string, any]) => [key, mean])).toEqual([
      ["no_loops", 0],
      ["step_status", 1],
      ["tool_call_precision", 1 / 3],
      ["tool_call_recall", 1],
      ["tool_call_f1", 0.5],
    ]);
    await writeFile(join(folder, "states.jsonl"), '{"outputs":{"n":1},"referenceOutputs":{"n":1}}');
    const { stdout } = await cli(["score", "states.jsonl", "--evaluator", "state_match"]);
    expect(stdout).toMatch(/^state_match +100/m);
  });

  it.each(["strict", "unordered", "subset", "superset"])("trajectories: %s", async (mode) => {
    const data = fileURLToPath(new URL("../data/trajectories.jsonl", import.meta.url));
    const { stdout } = await cli(["score", data, "--evaluator", `trajectory_${mode}_match`]);
    const rates = { strict: "38.5%", unordered: "46.2%", subset: "53.8%", superset: "61.5%" };
    expect(stdout).toMatch(
      new RegExp(`^trajectory_${mode}_match +${rates[mode as keyof typeof rates]}`, "m"),
    );
  });
});

describe("with a model", () => {
  let ollama: Loopback;
  beforeAll(async () => {
    ollama = await startOllama();
  });
  beforeEach(() => {
    ollama.requests.length = 0;
    ollama.script.length = 0;
  });
  afterAll(() => ollama.close());
  const model = () => ["--model", "ollama:llama3.3", "--base-url", ollama.url];

  it("asks prebuilt prompts, by their keys", async () => {
    for (let i = 0; i < 3; i++) ollama.script.push(verdict({ reasoning: "Another city.", score: false }));
    const { code, stdout } = await cli(["score", "cities.jsonl", "--evaluator", "correctness", ...model()]);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^correctness +0\.0% /m);
    expect(stdout).toContain("comment   Another city.");
    expect(stdout).toContain("360 + 90 tokens"); // 120 and 30 for each
  });

  it("reports tokens and cost in Markdown, too", async () => {
    for (let i = 0; i < 3; i++) ollama.script.push(verdict({ reasoning: "So it is.", score: true }));
    await writeFile(join(folder, "prices.json"), '{ "ollama:llama3.3": { "input": 1000, "output": 2000 } }');
    const judged = ["--evaluator", "correctness", ...model(), "--prices", "prices.json"];
    const { stdout } = await cli(["score", "cities.jsonl", ...judged, "--format", "markdown"]);
    expect(stdout).toMatch(/\(3 rows, [^,]+, 360 \+ 90 tokens, \$0\.54\)/);
    expect(stdout).toMatch(/\| correctness \| 100\.0% \| [^|]+ \| 450 \| \$0\.54 \| 3 \|/);
  });

  it("knows for which of them true is bad news", async () => {
    for (const score of [true, false, false]) ollama.script.push(verdict({ reasoning: "So it is.", score }));
    const { stdout } = await cli([
      "score",
      "cities.jsonl",
      "--evaluator",
      "toxicity",
      "--concurrency",
      "1",
      ...model(),
    ]);
    expect(stdout).toContain("1 of 3 rows fails\n\n✗ a  q\n");
  });

  it("finds the context among the inputs", async () => {
    ollama.script.push(verdict({ reasoning: "It says so.", score: true }));
    const { stdout } = await cli(["score", "rag.jsonl", "--evaluator", "rag_groundedness", ...model()]);
    expect(stdout).toMatch(/^rag_groundedness +100\.0% /m);
    expect(ollama.requests[0]?.body.messages.at(-1).content).toContain("Ada Lovelace (1815–1852)");
  });

  it("scores RAG metrics, with the context among the inputs", async () => {
    const answers = (...answers: object[]) => ollama.script.push(verdict({ answers } as never));
    answers({ index: 0, claims: ["She was born in 1815."] });
    answers({ index: 0, reason: "It says 1815.", contexts: [0], verdict: 1 });
    const { stdout } = await cli(["score", "rag.jsonl", "--evaluator", "faithfulness", ...model()]);
    expect(stdout).toMatch(/^faithfulness +1\.000 /m);
    expect(ollama.requests[1]?.body.messages.at(-1).content).toContain("Ada Lovelace (1815–1852)");
  });

  it("records answers, and replays them without asking", async () => {
    for (const score of [true, false, true]) ollama.script.push(verdict({ reasoning: "So it is.", score }));
    const judge = ["--evaluator", "correctness", "--concurrency", "1", ...model(), "--cache", "answers"];
    expect((await cli(["score", "cities.jsonl", ...judge])).stdout).toMatch(/^correctness +66\.7% /m);
    expect(ollama.requests).toHaveLength(3);
    const replay = [...judge, "--cache-mode", "replay"];
    expect((await cli(["score", "cities.jsonl", ...replay])).stdout).toMatch(/^correctness +66\.7% /m);
    const other = await cli(["score", "before.jsonl", ...replay, "--fail-under", "correctness=0"]);
    expect(other.stdout).toContain("cache_miss");
    expect(other.code).toBe(1);
    expect(ollama.requests).toHaveLength(3);
  });

  it("a threshold is not passed by errors", async () => {
    const yes = verdict({ reasoning: "Right.", score: true });
    const score = async (...more: string[]) => {
      ollama.script.push(yes, yes, failure(400, "the model is asleep"));
      const threshold = ["--fail-under", "correctness=0.5", "--concurrency", "1"];
      return cli(["score", "cities.jsonl", "--evaluator", "correctness", ...model(), ...threshold, ...more]);
    };
    const { code, stdout, stderr } = await score();
    expect(code).toBe(1);
    expect(stderr).toBe("correctness has 1 error, but 0 are allowed (--max-errors).\n");
    expect(stdout.replaceAll(/\s+/g, " ")).toContain("the model is asleep");
    expect(await score("--max-errors", "1")).toMatchObject({ code: 0, stderr: "" });
  });

  it("nor by having no scores at all", async () => {
    for (let i = 0; i < 3; i++) ollama.script.push(failure(400, "the model is asleep"));
    const options = ["--fail-under", "correctness=0", "--max-errors", "9"];
    const { code, stderr } = await cli([
      "score",
      "cities.jsonl",
      "--evaluator",
      "correctness",
      ...model(),
      ...options,
    ]);
    expect({ code, stderr }).toEqual({ code: 1, stderr: "correctness has no scores.\n" });
  });

  it("nor without a threshold", async () => {
    const none = ["score", "cities.jsonl", "--evaluator", "json_match:average"];
    expect(await cli(none)).toMatchObject({ code: 1, stderr: "json_match:average has no scores.\n" });
    const some = ["score", "mixed.jsonl", "--evaluator", "json_match:average"];
    expect((await cli([...some, "--max-errors", "1"])).code).toBe(0);
    expect(await cli(some)).toMatchObject({
      code: 1,
      stderr: "json_match:average has 1 error, but 0 are allowed (--max-errors).\n",
    });
  });

  it("shows and writes what was scored, if a threshold names a key that no result has", async () => {
    const args = [
      "score",
      "cities.jsonl",
      ...EXACT,
      "--fail-under",
      "correctness=1",
      "--output",
      "kept.json",
    ];
    const { code, stdout, stderr } = await cli(args);
    expect(code).toBe(2);
    expect(stdout).toMatch(/^exact_match +66\.7%/m);
    expect(stderr).toContain('the key "correctness", which no result has; the keys are exact_match');
    expect(JSON.parse(await readFile(join(folder, "kept.json"), "utf8")).rows).toHaveLength(3);
  });

  it("nor by a key that every object has", async () => {
    for (const key of ["constructor", "__proto__", "toString"]) {
      const { code, stderr } = await cli(["score", "cities.jsonl", ...EXACT, "--fail-under", `${key}=0.9`]);
      expect({ code, stderr }).toEqual({
        code: 2,
        stderr: expect.stringContaining("which no result has; the keys are"),
      });
    }
  });

  it("an evaluator that can score no row is known by its key", async () => {
    // Texts have no keys to be compared.
    const options = ["--fail-under", "json_match:average=0", "--max-errors", "9"];
    const run = await cli(["score", "cities.jsonl", "--evaluator", "json_match:average", ...options]);
    expect(run).toMatchObject({ code: 1, stderr: "json_match:average has no scores.\n" });
  });
});

it("shows the finished rows when it is interrupted", async () => {
  // The first row is judged; while the second one waits for its answer, the user has had enough.
  let asked = 0;
  const server = createServer((_, response) => {
    if (asked++) return child.kill("SIGINT");
    response.end(answer(JSON.stringify({ reasoning: "Right.", score: true })).body);
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const judge = ["--evaluator", "correctness", "--model", "ollama:llama3.3", "--base-url", url];
  const args = [program, "score", "cities.jsonl", ...judge, "--concurrency", "1"];
  const child = spawn(process.execPath, args, { cwd: folder });
  let stderr = "";
  child.stderr.on("data", (chunk) => {
    stderr += chunk;
  });
  let stdout = "";
  child.stdout.on("data", (chunk) => {
    stdout += chunk;
  });
  const [code] = await once(child, "close");
  server.close();
  expect(code).toBe(130);
  expect(stdout).toMatch(/1 row · .*\nStopped before the end: .*: Ctrl-C\n/);
  expect(stdout).toMatch(/^correctness +100\.0% /m);
  expect(stderr).toContain("with --output results.jsonl, --resume continues");
});

it("wants each row to pass in enough of its repetitions", async () => {
  const score = (...options: string[]) =>
    cli(["score", "cities.jsonl", "--evaluator", "exact_match", "--repeat", "3", ...options]);
  expect(await score("--each-at-least", "0.8")).toMatchObject({
    code: 1,
    stdout: expect.stringContaining("9 rows"),
    stderr: "exact_match passes in less than 80.0% of the repetitions of b (0 of 3).\n",
  });
  expect((await score()).code).toBe(0);
});

describe("compare", () => {
  beforeAll(async () => {
    for (const name of ["before", "after"])
      await cli(["score", `${name}.jsonl`, ...EXACT, "--output", `${name}.json`]);
  });

  it("fails when a key became worse by more than chance", async () => {
    const { code, stdout, stderr } = await cli([
      "compare",
      "before.json",
      "after.json",
      "--report",
      "compare.html",
    ]);
    // Ten rows went down and none up: 2 / 2 ** 10.
    expect(stdout).toMatch(/^exact_match +100\.0% +9\.1% +-90\.9 pp .* 0\.002 +11 +0 +10$/m);
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: "Report written to compare.html\nexact_match became worse.\n",
    });
    expect(await readFile(join(folder, "compare.html"), "utf8")).toContain('"comparisons"');
  });

  it("does not when it became better, or may be chance", async () => {
    expect(await cli(["compare", "after.json", "before.json"])).toMatchObject({ code: 0, stderr: "" });
    expect(await cli(["compare", "before.json", "before.json"])).toMatchObject({ code: 0, stderr: "" });
    // That nothing is worse by more than chance does not show that nothing is worse.
    expect(
      await cli(["compare", "before.json", "before.json", "--margin", "exact_match=0.02"]),
    ).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(
        /^Could not show that exact_match is at most 2 pp worse \(p = 0\.\d+\)\. 11 rows are too few, at least \d+ are needed\.\n$/,
      ),
    });
    const wide = ["--margin", "exact_match=0.5"];
    expect(await cli(["compare", "before.json", "before.json", ...wide])).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/\nexact_match is at most 50 pp worse \(p [=<] 0\.\d+\)\.\n/),
      stderr: "",
    });
    const markdown = ["--format", "markdown"];
    expect(await cli(["compare", "before.json", "before.json", ...wide, ...markdown])).toMatchObject({
      stdout: expect.stringMatching(
        /🟢 no worse, within the margin \|\n\nexact\\_match is at most 50 pp worse/,
      ),
      stderr: expect.stringMatching(/^exact_match is at most 50 pp worse \(p [=<] 0\.\d+\)\.\n$/),
    });
    const report = ["--report", "margin.html"];
    await cli(["compare", "before.json", "after.json", ...wide, ...report]);
    expect(await readFile(join(folder, "margin.html"), "utf8")).toContain(
      "<title>Worse on exact_match, by more than chance, and not shown to be within the margin;",
    );
    expect(await cli(["compare", "before.json", "after.json", ...wide])).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^Could not show that .* worse \(p = 1\.000\)\. It became worse\.\n$/),
    });
    // A percentage is not taken for a share.
    expect(await cli(["compare", "before.json", "after.json", "--margin", "exact_match=5"])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("For 5 percentage points, set 0.05"),
    });
    // It is lower by far, which is good news here.
    const lower = [...wide, "--lower-is-better", "exact_match"];
    expect((await cli(["compare", "before.json", "after.json", ...lower])).code).toBe(0);
    expect(await cli(["compare", "before.json", "after.json", "--margin", "exact=0.5"])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining(
        '--margin names the key "exact", which no experiment has; the keys are exact_match',
      ),
    });
  });

  it("fails when scores have no counterpart", async () => {
    const before = await experimentIn("before.json");
    const failed = { name: "Error", message: "no answer" };
    const crashed = before.rows.map((row: any, i: number) =>
      i < 3 ? row : { ...row, evaluationResults: [], errors: [{ key: "exact_match", error: failed }] },
    );
    const aggregates = { exact_match: { ...before.aggregates.exact_match, count: 3, errors: 8 } };
    await writeFile(join(folder, "crashed.json"), JSON.stringify({ ...before, rows: crashed, aggregates }));
    const { code, stdout, stderr } = await cli(["compare", "before.json", "crashed.json"]);
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr:
        "exact_match has 8 scores without a counterpart (8 errors in the second), but 0 are allowed " +
        "(--max-unpaired). The difference is between -0.727 and 0.000, whatever these scores would be.\n",
    });
    // Both means are over the three pairs.
    expect(stdout).toMatch(/^exact_match +100\.0% +100\.0% +0\.0 pp .* 3 +8 \+ 0 +0 +0$/m);
    const allowed = ["--max-unpaired", "8"];
    expect((await cli(["compare", "before.json", "crashed.json", ...allowed])).code).toBe(0);

    const gone = before.rows.map((row: any) => ({ ...row, evaluationResults: [] }));
    await writeFile(join(folder, "gone-key.json"), JSON.stringify({ ...before, rows: gone, aggregates: {} }));
    expect(await cli(["compare", "before.json", "gone-key.json"])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("exact_match has 11 scores without a counterpart, but 0"),
    });
    const others = before.rows.map((row: any) => ({
      ...row,
      example: { ...row.example, id: `${row.example.id}b` },
    }));
    await writeFile(join(folder, "others.json"), JSON.stringify({ ...before, rows: others }));
    expect((await cli(["compare", "before.json", "others.json"])).stderr).toContain(
      "The two experiments have no row id in common.",
    );
    // Where the only key is new, nothing is compared.
    expect(await cli(["compare", "gone-key.json", "before.json"])).toMatchObject({
      code: 2,
      stderr: "No row has a score in both gone-key.json and before.json.\n",
    });
  });

  it("fails if both have failed on all rows, and reports where both have", async () => {
    const before = await experimentIn("before.json");
    const failed = { name: "Error", message: "no key" };
    const failing = (from: number) => ({
      ...before,
      aggregates: {
        exact_match: {
          ...before.aggregates.exact_match,
          mean: from ? 1 : null,
          count: from,
          errors: 11 - from,
        },
      },
      rows: before.rows.map((row: any, i: number) =>
        i < from ? row : { ...row, evaluationResults: [], errors: [{ key: "exact_match", error: failed }] },
      ),
    });
    await writeFile(join(folder, "failed.json"), JSON.stringify(failing(0)));
    expect(await cli(["compare", "failed.json", "failed.json"])).toMatchObject({
      code: 2,
      stderr:
        "No row has a score in both failed.json and failed.json. " +
        "exact_match has no scores: 11 errors in the first, 11 in the second.\n",
    });
    await writeFile(join(folder, "partly.json"), JSON.stringify(failing(3)));
    const { code, stdout } = await cli(["compare", "partly.json", "partly.json"]);
    expect(stdout).toMatch(/ Pairs +Errors +Up +Down$/m);
    expect(stdout).toMatch(/^exact_match .* 3 +8 \+ 8 +0 +0$/m);
    expect(code).toBe(0);
  });

  it("takes the better direction from the option", async () => {
    const lower = ["--lower-is-better", "exact_match"];
    expect((await cli(["compare", "before.json", "after.json", ...lower])).code).toBe(0);
    expect((await cli(["compare", "after.json", "before.json", ...lower])).code).toBe(1);
  });

  it.each([
    ["score", "cities.jsonl", ...EXACT],
    ["compare", "before.json", "after.json"],
    ["report", "before.json", "--report", "misspelt.html"],
    ["view", "before.json"],
  ])("refuses a misspelt key of --lower-is-better: %s", async (...args) => {
    const { code, stderr } = await cli([...args, "--lower-is-better", "exact_mtach"]);
    expect([code, stderr]).toEqual([
      2,
      expect.stringMatching(
        /--lower-is-better .* key "exact_mtach", which no (result|evaluator) has; did you mean "?exact_match"?\?/,
      ),
    ]);
  });
});

describe("mistakes", () => {
  it.each([
    [[], /^openevals-wasm: The command is missing; the commands are init, score, run, /],
    [["--verison"], "Unknown option --verison; did you mean --version? See npx openevals-wasm --help."],
    [["help", "socre"], 'Unknown command "socre"; did you mean score? See npx openevals-wasm --help.'],
    [
      ["run", "cities.jsonl", "--partial"],
      "run has no option --partial, which is an option of import, merge. See npx openevals-wasm run --help.",
    ],
    [["score", "cities.jsonl", "--evaluator", "rougel"], /did you mean rougeL\?/],
    [
      ["judge"],
      'Unknown command "judge"; the commands are init, score, run, import, merge, compare, show, report, history, evaluators, mcp, view. See npx openevals-wasm --help.',
    ],
    [["constructor"], /Unknown command "constructor"; the commands are init, score/],
    [["scroe"], 'Unknown command "scroe"; did you mean score? See npx openevals-wasm --help.'],
    [["scroe", "--help"], /Unknown command "scroe"; did you mean score\?/],
    [
      ["score", "cities.jsonl", "--evaluator", "correctness", "--model", "opnai:gpt-5.4"],
      /Unknown provider "opnai" in the model "opnai:gpt-5\.4"; did you mean "openai:gpt-5\.4"\?/,
    ],
    [["score", ...EXACT], "score needs one file of data. See npx openevals-wasm score --help."],
    [["score", "before.json", ...EXACT], /before\.json has to be a list of rows, not \{/],
    [["score", "cities.jsonl"], "score needs at least one --evaluator. See npx openevals-wasm score --help."],
    [
      ["score", "cities.jsonl", "--evaluators", "x"],
      "score has no option --evaluators; did you mean --evaluator? See npx openevals-wasm score --help.",
    ],
    [["score", "cities.jsonl", "-x"], "score has no option -x. See npx openevals-wasm score --help."],
    [
      ["score", "cities.jsonl", "--evaluator"],
      "--evaluator needs a value. See npx openevals-wasm score --help.",
    ],
    [["score", "cities.jsonl", ...EXACT, "--output", "--report", "x"], /--output needs a value/],
    [
      ["score", "cities.jsonl", "--evaluator", "exact"],
      /Unknown evaluator "exact"; the evaluators are exact_match, .*correctness/,
    ],
    [
      ["score", "cities.jsonl", "--evaluator", "exactMatch"],
      'Unknown evaluator "exactMatch"; did you mean exact_match? See npx openevals-wasm score --help.',
    ],
    [["score", "cities.jsonl", "--evaluator", "constructor"], /Unknown evaluator "constructor"/],
    [
      ["score", "cities.jsonl", "--evaluator", "MRR"],
      /Unknown evaluator "MRR"; did you mean reciprocal_rank\?/,
    ],
    [
      ["score", "cities.jsonl", "--evaluator", "hit_rate@3"],
      /Unknown evaluator "hit_rate@3"; did you mean hit_rate_at_3\?/,
    ],
    [
      ["score", "cities.jsonl", "--evaluator", "map@5"],
      /Unknown evaluator "map@5"; did you mean average_precision_at_5\?/,
    ],
    [
      ["score", "cities.jsonl", "--evaluator", "answer_relevancy", "--model", "openai:x"],
      /The evaluator answer_relevancy needs embeddings; use answerRelevancy of openevals-wasm\/rag in a file for run\./,
    ],
    [
      ["score", "cities.jsonl", "--evaluator", "exact_match,state_match"],
      'Unknown evaluator "exact_match,state_match"; pass --evaluator once for each key. See npx openevals-wasm score --help.',
    ],
    [
      ["score", "cities.jsonl", "--evaluator", "correctness"],
      /correctness asks a model; name one with --model/,
    ],
    [
      [
        "score",
        "cities.jsonl",
        "--evaluator",
        "correctness",
        "--model",
        "openai:gpt-5.4",
        "--output",
        "k.jsonl",
      ],
      /^openevals-wasm: correctness: openai:gpt-5\.4 needs a key: set OPENAI_API_KEY in the environment\.\n$/,
    ],
    [["score", "cities.jsonl", ...EXACT, "--requests-per-minute", "0"], /has to be at least 1/],
    [["score", "cities.jsonl", ...EXACT, "--tokens-per-minute", "1k"], /has to be a whole number/],
    [
      ["score", "cities.jsonl", ...EXACT, "--max-tokens", "1000000000"],
      /--max-tokens is "1000000000"; it has to be at most 999999999/,
    ],
    [
      ["score", "cities.jsonl", ...EXACT, "--fail-under", "exact_match"],
      /--fail-under is "exact_match"; it has to be a key/,
    ],
    [["score", "cities.jsonl", ...EXACT, "--fail-under", "exact_match=lots"], /a key and a number/],
    [
      ["score", "cities.jsonl", ...EXACT, "--fail-under", "exact_mtach=1"],
      /which no evaluator has; did you mean exact_match\?/,
    ],
    [
      ["score", "cities.jsonl", ...EXACT, "--pass-at", "exact_mtach=1"],
      /--pass-at has the key "exact_mtach", which no evaluator has; did you mean exact_match\?/,
    ],
    [
      ["score", "cities.jsonl", ...EXACT, "--lower-is-better", "exact_mtach"],
      /--lower-is-better names the key "exact_mtach", which no evaluator has; did you mean exact_match\?/,
    ],
    [["score", "cities.jsonl", ...EXACT, "--concurrency", "-1"], /--concurrency/],
    [["score", "cities.jsonl", ...EXACT, "--cache-mode", "play"], /"auto", "record" or "replay"/],
    [["score", "cities.txt", ...EXACT], /\.jsonl, \.ndjson, \.json or \.csv/],
    [["score", "https://a:secret@b/c.jsonl", ...EXACT], /: An address \(https:\/\/…\) is not read\./],
    [["merge", "https://a:secret@b/c.jsonl"], /: An address \(https:\/\/…\) is not read\./],
    [["score", "gone.jsonl", ...EXACT], /There is no file gone\.jsonl \(in \/.+\)\.$/m],
    [
      ["score", "evals/gone.jsonl", ...EXACT],
      /There is no file evals\/gone\.jsonl \(in (?!.*evals)\/.+\)\.$/m,
    ],
    [
      ["score", "cities.jsonl", ...EXACT, "--output", "out.csv"],
      /add --format csv, or name a \.json or \.jsonl file/,
    ],
    [
      ["score", "cities.jsonl", ...EXACT, "--output", "out.txt"],
      /name a \.json or \.jsonl file, or choose another form/,
    ],
    [["run", "a.eval.mjs", "--output", "out.md"], /add --format markdown, or name a \.json file or a folder/],
    [["score", "empty.jsonl", ...EXACT], /empty\.jsonl has no rows/],
    [["score", "empty.csv", ...EXACT, "--fail-under", "exact_match=0.5"], /empty\.csv has no rows/],
    [["score", "cities.jsonl", ...EXACT, "--output", ""], /--output is empty/],
    [["score", "cities.jsonl", ...EXACT, "--cache-mode", "replay"], /--cache-mode replay needs --cache/],
    [["score", "cities.jsonl", ...EXACT, "--fail-under", "exact_match=1e400"], /a key and a number/],
    [["score", "broken.jsonl", ...EXACT], /broken\.jsonl:2 is not valid JSON/],
    [["compare", "before.json"], /compare needs two files/],
    [
      ["score", "a", "--fail-under", "x=0.9", "--fail-under", "x=0.1"],
      '--fail-under has the key "x" more than once; give it one number. See npx openevals-wasm score --help.',
    ],
    [["score", "a", "--pass-at", "x=1", "--pass-at", "x=1"], /--pass-at has the key "x" more than once/],
    [["compare", "a", "b", "--margin", "x=1", "--margin", "x=2"], /--margin has the key "x" more than once/],
    [["compare", "folder.jsonl", "folder.jsonl"], "folder.jsonl is a folder; name a file."],
    [["show", "folder.jsonl"], "folder.jsonl is a folder; name a file."],
    [
      ["show", "before.json", "q27"],
      "show needs one file of an experiment; to print one of its rows, write show before.json --row q27. See npx openevals-wasm show --help.",
    ],
    [["score", "folder.jsonl", ...EXACT], "folder.jsonl is a folder; name a file."],
    [
      ["score", "cities.jsonl", ...EXACT, "--max-cost", "1", "--prices", "folder.jsonl"],
      "folder.jsonl is a folder; name a file.",
    ],
    [
      ["score", "cities.jsonl", "--evaluator", "rougeL", "--fail-over", "rougeL=90"],
      'The mean of "rougeL" must not be above 90, but its scores are from 0 to 1. Write 0.9 for 90%. See npx openevals-wasm score --help.',
    ],
    [
      ["score", "cities.jsonl", ...EXACT, "--fail-under", "exact_match=50"],
      'The mean of "exact_match" must not be below 50, but its scores are true and false, so their mean is from 0 to 1. ' +
        "Write 0.5 for 50%. See npx openevals-wasm score --help.",
    ],
    [
      ["score", "cities.jsonl", "--evaluator", "rougeL", "--pass-at", "rougeL=90"],
      "rougeL: --pass-at is 90, but the scores are from 0 to 1.",
    ],
    [
      ["score", "cities.jsonl", "--evaluator", "smog_index", "--pass-at", "smog_index=9"],
      "smog_index: --pass-at needs --lower-is-better here: this metric has no better direction.",
    ],
    [
      ["score", "cities.jsonl", "--evaluator", "correctness", "--model", "openai:x", "--base-url", "x"],
      "--base-url has to begin with http:// or https://.",
    ],
    [
      ["score", "cities.jsonl", "--evaluator", "correctness", "--model", "openai-compatible:x"],
      "openai-compatible:x needs a --base-url, such as http://localhost:8080/v1.",
    ],
    [["compare", "a", "b", "--margin", "x=0"], /--margin is "x=0"; it has to be a number above 0/],
    [
      ["compare", "a", "b", "--key", "lo", "--margin", "hi"],
      /--margin is "hi"; it has to be a key and a number above 0, such as hi=0\.05\./,
    ],
    [
      ["compare", "a", "b", "--margin", "lo=hi"],
      /--margin is "lo=hi"; it has to be a key and a number above 0, such as lo=0\.05\./,
    ],
    [
      ["compare", "a", "b", "--margin", "0.1"],
      /--margin is "0.1"; it has to be a key and a number above 0, such as exact_match=0\.05\./,
    ],
    [
      ["score", "a", "--fail-under", "k=0x1"],
      /--fail-under is "k=0x1"; it has to be a key and a number, such as k=0\.8\./,
    ],
    [["score", "a", "--each-at-least", "0b1"], /--each-at-least is "0b1"; it has to be a number above 0/],
    [["score", "a", "--repeat", "0"], /--repeat is "0"; it has to be at least 1/],
    [
      ["score", "a", "--each-at-least", "80"],
      /--each-at-least is "80"; it has to be a number above 0, up to 1/,
    ],
    [["compare", "a", "b", "--model", "x"], /compare has no option --model/],
    [
      ["compare", "no-results.json", "no-results.json"],
      /Neither no-results\.json nor no-results\.json has results; there is nothing to compare/,
    ],
    [["compare", "gone.json", "gone.json"], /There is no file gone\.json \(in \/.+\)\.$/m],
    [
      ["compare", "no-json.json", "no-json.json"],
      /no-json\.json is not an experiment file\. Write one with score --output/,
    ],
    [
      ["compare", "no-rows.json", "no-rows.json"],
      /rows\[0\] of the experiment in no-rows\.json is not a row/,
    ],
    [
      ["compare", "not-an-experiment.json", "not-an-experiment.json"],
      /is not an experiment file\. Write one with score --output/,
    ],
  ])("%j: exit code 2, and what to do", async (args, message) => {
    const { code, stdout, stderr } = await cli(args);
    expect(code).toBe(2);
    expect(stdout).toBe("");
    expect(stderr).toMatch(/^openevals-wasm: /);
    if (typeof message === "string") expect(stderr).toBe(`openevals-wasm: ${message}\n`);
    else expect(stderr).toMatch(message);
    expect(stderr).not.toContain("    at ");
  });
});

describe.skipIf(process.platform !== "linux")("a result that cannot be written is no stack trace", () => {
  it.each([
    ["below a file", "cities.jsonl", "--output X cannot be written: [^\n]+/cities.jsonl is not a folder;"],
    // Without permissions, EACCES.
    [
      "in a file system without folders of users",
      "/proc/none",
      "(X could not be written: E(NOENT|ACCES): [^\n]+, mkdir '/proc/none'\\. The experiment was written to \\S+/results.json instead\\.\n$|--output X cannot be written: /proc is a folder without write permission;)",
    ],
  ])("%s", async (_, place, problem) => {
    const output = `${place}/results.json`;
    const { code, stderr } = await cli(["score", "cities.jsonl", ...EXACT, "--output", output], {
      TMPDIR: await mkdtemp(join(folder, "spare-")),
    });
    expect(code).toBe(2);
    expect(stderr).toMatch(new RegExp(`^openevals-wasm: ${problem.replaceAll("X", output)}`));
  });
});

it("prints its help and version", async () => {
  const all = await cli(["--help"]);
  const help = await cli(["score", "--help"]);
  for (const command of ["score", "compare", "report"])
    expect(all.stdout).toMatch(new RegExp(`^  ${command} `, "m"));
  expect([all, help]).toMatchObject([
    { code: 0, stderr: "" },
    { code: 0, stderr: "" },
  ]);
  expect(help.stdout).toContain("--each-at-least <x>");
  expect(help.stdout).not.toContain("--margin");
  for (const line of help.stdout.split("\n")) expect(line.length).toBeLessThanOrEqual(118);
  const { stderr } = await cli(["score", "cities.jsonl", "--evaluator", "none-such"]);
  const [, withoutModel = ""] = /the evaluators are (.+?), conciseness/.exec(stderr) ?? [];
  const listed = new Set(help.stdout.split(/[\s,;]+|\.\s/));
  expect(withoutModel).toContain("ngram_dice");
  expect(withoutModel.split(", ").filter((key) => !listed.has(key))).toEqual([]);
  expect((await cli(["--version"])).stdout).toBe(`${manifest.version}\n`);
});

it.skipIf(process.platform !== "linux")("says so if its result could not be written", async () => {
  const full = await open("/dev/full", "w");
  const child = spawn(process.execPath, [program, "score", "cities.jsonl", ...EXACT], {
    cwd: folder,
    stdio: ["ignore", full.fd, "pipe"],
  });
  let stderr = "";
  child.stderr?.on("data", (data) => {
    stderr += data;
  });
  const [code] = await once(child, "close");
  await full.close();
  expect({ code, stderr }).toEqual({
    code: 2,
    stderr: expect.stringMatching(/^openevals-wasm: The result could not be written: .*ENOSPC.*\n$/),
  });
});

it.skipIf(process.platform === "win32")("is silent if the reader of its result has seen enough", async () => {
  const child = spawn(process.execPath, [program, "score", "cities.jsonl", ...EXACT], { cwd: folder });
  child.stdout.destroy();
  let stderr = "";
  child.stderr.on("data", (data) => {
    stderr += data;
  });
  const [code] = await once(child, "close");
  expect({ code, stderr }).toEqual({
    code: (await cli(["score", "cities.jsonl", ...EXACT])).code,
    stderr: "",
  });
});

it("is the program that npx runs", async () => {
  await install();
  expect(await run("npx", ["--offline", "openevals-wasm", "--version"], installed)).toBe(
    `${manifest.version}\n`,
  );
});

it("has every prebuilt prompt that gives a score, but that for graphs", async () => {
  const { stderr } = await cli(["score", "cities.jsonl", "--evaluator", "none"]);
  const names = Object.keys(prompts).map((name) => name.replace("_PROMPT", "").toLowerCase());
  const others = ["language_detection", "support_intent", "graph_trajectory_accuracy"];
  expect(names.filter((name) => !stderr.includes(name)).sort()).toEqual(others.sort());
});

describe("on a terminal", () => {
  it("progress is a line on standard error, which is gone at the end", async () => {
    // Standard error is made to pass for a terminal.
    const script = join(folder, "terminal.mjs");
    await writeFile(
      script,
      `process.stderr.isTTY = true;
       process.argv.splice(1, 1, "cli");
       await import(${JSON.stringify(new URL(`file://${program}`).href)});`,
    );
    const args = [script, "score", "cities.jsonl", ...EXACT];
    const start = (env: Record<string, string>) =>
      new Promise<string>((resolve) => {
        execFile(process.execPath, args, { cwd: folder, env: { ...process.env, ...env } }, (_, __, stderr) =>
          resolve(stderr),
        );
      });
    const lines = (await start({ TERM: "xterm" })).split("\r\x1b[K");
    expect(lines[1]).toBe("0/3 rows");
    expect(lines.at(-2)).toMatch(/^3\/3 rows · [\d,.]+\/s · 0\.0 ms left$/);
    expect(lines.at(-1)).toBe("");
    expect(await start({ TERM: "dumb" })).toBe("");
  });
});
