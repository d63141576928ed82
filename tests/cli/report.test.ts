/** Reports of the program: of one experiment, of several, and of a folder of them. */
import { execFileSync } from "node:child_process";
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { evaluate, renderReport } from "openevals-wasm/evaluation";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { linkPackage } from "../package.js";
import { experimentOf, type RowData } from "../report/experiments.js";
import { runProgram } from "./program.js";
import { doubling } from "./project.js";

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "cli-report-"));
  for (const [index, name] of ["one", "two", "three"].entries())
    await writeFile(join(folder, `${name}.json`), JSON.stringify(made(`agent-0000000${index + 1}`)));
  await writeFile(
    join(folder, "rows.jsonl"),
    '{"id": "1", "inputs": 1, "outputs": 1, "referenceOutputs": 1}\n',
  );
  await writeFile(join(folder, "prices.json"), '{ "openai:gpt-5.4": { "input": 1000, "output": 0 } }');
  await writeFile(join(folder, "wrong-prices.json"), '{ "gpt-5.4": { "in": 1 } }');
  await writeFile(join(folder, "no.json"), "{");
  await mkdir(join(folder, "empty"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const judged: RowData = {
  id: "a",
  scores: { ok: true },
  told: { ok: { model: "gpt-5.4", usage: { inputTokens: 1000, outputTokens: 5 } } },
};
const made = (experimentName: string) => experimentOf([judged], { experimentName });
const cli = (...args: string[]) => runProgram(folder, args);
const text = (name: string) => readFile(join(folder, name), "utf8");
/** The data of a page. */
const dataOf = async (name: string) => JSON.parse(/id="data">([^<]*)</.exec(await text(name))?.[1] ?? "");

describe("report", () => {
  it("is that of an experiment, with its cost", async () => {
    const { code, stdout, stderr } = await cli(
      "report",
      "one.json",
      "--report",
      "out/one.html",
      "--prices",
      "prices.json",
    );
    expect({ code, stdout, stderr }).toEqual({
      code: 0,
      stdout: "",
      stderr: "Report written to out/one.html\n",
    });
    const { experiment, prices } = await dataOf("out/one.html");
    expect(experiment).toEqual(made("agent-00000001"));
    expect(prices).toEqual({ "openai:gpt-5.4": { input: 1000, output: 0 } });
  });

  it("is not that of two shards, which have no rows in common", async () => {
    const part = (index: number) =>
      JSON.stringify({ ...made(`a-0000000${index}`), shard: { index, count: 2 } });
    for (const index of [1, 2]) await writeFile(join(folder, `part-${index}.json`), part(index));
    const report = (...parts: string[]) => cli("report", ...parts, "--report", "parts.html");
    expect(await report("part-1.json", "part-2.json")).toMatchObject({
      code: 2,
      stderr: expect.stringContaining(
        "part-1.json and part-2.json are different shards, which have no rows in common; merge all shards first with npx openevals-wasm merge",
      ),
    });
    expect((await report("part-1.json", "part-1.json")).code).toBe(0);
    expect((await report("part-1.json")).code).toBe(0);
  });

  it("is that of several, the first of which is the baseline", async () => {
    expect((await cli("report", "one.json", "two.json", "three.json", "--report", "all.html")).code).toBe(0);
    const { experiment, baseline, between } = await dataOf("all.html");
    expect([baseline, between[0].experiment, experiment].map((one) => one.experimentName)).toEqual([
      "agent-00000001",
      "agent-00000002",
      "agent-00000003",
    ]);
  });

  it("comes with prices from the other commands, too", async () => {
    const prices = ["--prices", "prices.json"];
    const exact = ["--evaluator", "exact_match"];
    expect((await cli("score", "rows.jsonl", ...exact, "--report", "score.html", ...prices)).code).toBe(0);
    expect((await cli("compare", "one.json", "two.json", "--report", "compare.html", ...prices)).code).toBe(
      0,
    );
    for (const name of ["score.html", "compare.html"])
      expect(Object.keys((await dataOf(name)).prices)).toEqual(["openai:gpt-5.4"]);
  });
});

describe("a folder", () => {
  const write = (name: string, content: string) => writeFile(join(folder, "runs", name), content);
  beforeAll(async () => {
    await mkdir(join(folder, "runs"));
    await write("nightly 1.json", JSON.stringify(made("agent-00000001")));
    await write("nightly#2.json", JSON.stringify(made("agent-00000002")));
    await write("copy.json", JSON.stringify(made("agent-00000002")));
    // Existing reports: of an experiment in the folder, and of another one.
    await write(
      "mine.html",
      await renderReport(made("agent-00000001"), { compareWith: made("agent-00000000") }),
    );
    await write("old.html", await renderReport(made("agent-00000000")));
    await write("taken.json", JSON.stringify(made("agent-00000003")));
    await write("taken.html", "<p>Something else");
    await write("prices.json", "{}");
    await write("notes.txt", "");
  });

  it("gets an index, and the reports that are missing", async () => {
    const mine = await text("runs/mine.html");
    const { code, stdout, stderr } = await cli("report", "runs", "--prices", "prices.json");
    expect({ code, stdout }).toEqual({ code: 0, stdout: "" });
    expect(stderr.trimEnd().split("\n")).toEqual([
      "nightly#2.json has the experiment agent-00000002, which another file has as well; it is listed once.",
      "Skipped: runs/prices.json is not an experiment file. Write one with score --output.",
      "taken.json is listed without a report, since taken.html is another file.",
      "Index of 4 experiments written to runs/index.html",
    ]);
    const { entries, hasPrices } = await dataOf("runs/index.html");
    expect(hasPrices).toBe(true);
    const links = entries.map(({ experimentName, href, bill }: any) => [experimentName, href, bill.cost]);
    expect(Object.fromEntries(links.map(([name, href]: string[]) => [name, href]))).toEqual({
      "agent-00000000": "./old.html",
      "agent-00000001": "./mine.html",
      "agent-00000002": "./copy.html",
      "agent-00000003": undefined,
    });
    expect(links[0]?.[2]).toBe(1);
    expect((await dataOf("runs/copy.html")).experiment).toEqual(made("agent-00000002"));
    expect(await text("runs/mine.html")).toBe(mine);
    expect(await text("runs/taken.html")).toBe("<p>Something else");
  });

  it("is listed anew, the same each time", async () => {
    const before = [await text("runs/index.html"), (await readdir(join(folder, "runs"))).sort()];
    expect((await cli("report", "runs", "--prices", "prices.json")).code).toBe(0);
    expect([await text("runs/index.html"), (await readdir(join(folder, "runs"))).sort()]).toEqual(before);
  });

  it("lists experiments that a sink has written, without their rows, and leaves data alone", async () => {
    await mkdir(join(folder, "sinks"));
    await writeFile(join(folder, "sinks/data.jsonl"), '{"id": "1", "outputs": 1, "referenceOutputs": 1}\n');
    const sink = join(folder, "sinks/big.jsonl");
    const judge = () => ({ key: "ok", score: true, metadata: judged.told!.ok });
    const target = (input: number) => {
      if (input === 2) throw new Error("no power");
      return input;
    };
    const data = [1, 2, 3].map((inputs) => ({ inputs }));
    const { experimentName } = await evaluate(target, {
      data,
      evaluators: [judge],
      output: { sink },
      progress: false,
    });
    const { code, stderr } = await cli("report", "sinks", "--prices", "prices.json");
    expect({ code, stderr: stderr.trimEnd().split("\n") }).toEqual({
      code: 0,
      stderr: [
        "big.jsonl is listed without a report; npx openevals-wasm report sinks/big.jsonl --report sinks/big.html writes one.",
        "Index of 1 experiment written to sinks/index.html",
      ],
    });
    const { entries } = await dataOf("sinks/index.html");
    expect(entries).toMatchObject([
      { experimentName, rows: 3, failedRuns: 1, bill: { cost: 2, results: 2 } },
    ]);
    expect((await readdir(join(folder, "sinks"))).sort()).toEqual(["big.jsonl", "data.jsonl", "index.html"]);
    await cli("report", "sinks/big.jsonl", "--report", "sinks/big.html");
    expect((await cli("report", "sinks")).stderr).toBe("Index of 1 experiment written to sinks/index.html\n");
    expect((await dataOf("sinks/index.html")).entries[0].href).toBe("./big.html");
  });

  it("lacks half-written files, which are named with exit code 2", async () => {
    await mkdir(join(folder, "half"));
    const write = (name: string, content: string) => writeFile(join(folder, "half", name), content);
    const half = (text: string) => text.slice(0, text.length / 2);
    await write("whole.json", JSON.stringify(made("agent-00000001")));
    await write("others.json", '{ "a": 1');
    await write("cut.json", half(JSON.stringify(made("agent-00000002"))));
    await write("indented.json", half(JSON.stringify(made("agent-00000003"), null, 2)));
    await write("empty.json", "");
    await write("cut.html", half(await renderReport(made("agent-00000004"))));
    await mkdir(join(folder, "half/folder.json"));
    const sink = join(folder, "half/rows.jsonl");
    const evaluators = [() => ({ key: "ok", score: true })];
    await evaluate((x) => x, { data: [{ inputs: 1 }], evaluators, output: { sink }, progress: false });
    const lines = (await readFile(sink, "utf8")).split("\n");
    await writeFile(sink, [lines[0], half(lines[1] ?? ""), ...lines.slice(1)].join("\n"));
    const { code, stderr } = await cli("report", "half");
    expect(code).toBe(2);
    const skipped = stderr.split("\n").filter((line) => line.startsWith("Skipped: "));
    const LACKS = "The index does not list it; restore the file, or move it, and write the index again.";
    expect(skipped).toEqual([
      `Skipped: half/cut.html is not a complete report. ${LACKS}`,
      ...["cut", "empty", "indented"].map(
        (name) =>
          `Skipped: half/${name}.json is not an experiment file. Write one with score --output. ${LACKS}`,
      ),
      "Skipped: half/others.json is not an experiment file. Write one with score --output.",
      `Skipped: half/rows.jsonl:2 is not a row of an experiment: it is not valid JSON. ${LACKS}`,
    ]);
    expect((await dataOf("half/index.html")).entries).toHaveLength(1);
    const json = JSON.parse((await cli("report", "half", "--json")).stdout);
    expect([json.exitCode, json.messages.length]).toEqual([2, skipped.length + 1]);
  });

  it.skipIf(process.platform === "win32")("lacks pipes, which are not opened", async () => {
    await mkdir(join(folder, "pipes"));
    await writeFile(join(folder, "pipes/one.json"), JSON.stringify(made("agent-00000001")));
    const pipes = ["a.html", "b.json", "c.jsonl"].map((name) => `pipes/${name}`);
    execFileSync("mkfifo", pipes, { cwd: folder });
    const { code, stderr } = await cli("report", "pipes");
    expect(code).toBe(2);
    for (const pipe of pipes) expect(stderr).toContain(`Skipped: ${pipe} is not a regular file. `);
    for (const args of [["show"], ["compare", "one.json"], ["report", "--report", "x.html"], ["merge"]]) {
      const { code, stderr } = await cli(...args, "pipes/c.jsonl");
      expect(code).toBe(2);
      expect(stderr).toContain("pipes/c.jsonl is not a regular file, but a device, a pipe or a socket. Name");
    }
  });

  it("keeps an index.html that is something else", async () => {
    await mkdir(join(folder, "site"));
    await writeFile(join(folder, "site/index.html"), "<h1>Mine");
    await writeFile(join(folder, "site/one.json"), JSON.stringify(made("agent-00000001")));
    expect(await cli("report", "site")).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("site/index.html was not written by this program"),
    });
    expect(await readdir(join(folder, "site"))).toHaveLength(2);
  });
});

describe("experiments that cannot be shown", () => {
  const nested = `${"[".repeat(20_000)}${"]".repeat(20_000)}`;
  beforeAll(async () => {
    await mkdir(join(folder, "mixed"));
    const write = (name: string, more: object) =>
      writeFile(join(folder, "mixed", name), JSON.stringify({ ...made("agent-00000001"), ...more }));
    await write("good.json", {});
    await write("junk.json", { aggregates: { x: { mean: "z", count: 1 } } });
    await write("pwn.json", { experimentName: "esc\u001b[31m\u001b]0;pwn\u0007" });
    await write("pwn2.json", { experimentName: "esc\u001b[31m\u001b]0;pwn\u0007" });
    const deep = JSON.stringify(experimentOf([{ id: "a", inputs: "HERE" }], { experimentName: "deep" }));
    await writeFile(join(folder, "mixed/deep.json"), deep.replace('"HERE"', nested));
  });

  it("are named, and their field", async () => {
    const { code, stderr } = await cli("report", "mixed/junk.json", "--report", "x.html");
    expect(code).toBe(2);
    expect(stderr).toContain('aggregates["x"].mean of the experiment in mixed/junk.json has to be a number');
    const deep = await cli("report", "mixed/deep.json", "--report", "x.html");
    expect(deep.code).toBe(2);
    expect(deep.stderr).toContain("mixed/deep.json: ");
  });

  it("keep no others out of an index, nor have power over the terminal", async () => {
    const { code, stderr } = await cli("report", "mixed");
    expect(code).toBe(2);
    expect(stderr).toContain('aggregates["x"].mean of the experiment in mixed/junk.json has to be a number');
    expect(stderr).toContain("deep.json: ");
    expect(stderr).toContain(
      "pwn2.json has the experiment esc\\u001b[31m\\u001b]0;pwn\\u0007, which another file has as well",
    );
    for (const control of ["\u001b", "\u0007"]) expect(stderr).not.toContain(control);
    const { entries } = await dataOf("mixed/index.html");
    expect(entries).toHaveLength(3);
  });
});

describe("mistakes", () => {
  it.each([
    [["report"], "report needs files that score --output or run --output wrote, or a folder of them"],
    [["report", "one.json"], "report needs --report"],
    [["report", "./nothere"], "There is no file or folder ./nothere"],
    [["report", "runs", "one.json"], "either files or one folder"],
    [["report", "runs", "--report", "x.html"], "whose index is runs/index.html"],
    [["report", "empty"], "empty has no experiments"],
    [["report", "gone.json", "--report", "x.html"], "There is no file or folder gone.json"],
    [["report", "one.json", "--report", "./one.json"], "./one.json would overwrite one.json"],
    [["compare", "one.json", "two.json", "--report", "two.json"], "would overwrite two.json"],
    [["report", "one.json", "--output", "x"], "report has no option --output"],
    [["report", "one.json", "--report", "x.html", "--prices", "gone.json"], "gone.json cannot be read"],
    [["report", "one.json", "--report", "x.html", "--prices", "no.json"], "no.json is not valid JSON"],
    [["report", "one.json", "--report", "x.html", "--prices", "wrong-prices.json"], "wrong-prices.json is {"],
    [["compare", "one.json", "two.json", "--prices", "prices.json"], "--prices applies only to a report"],
  ])("%j: exit code 2, and what to do", async (args, words) => {
    const { code, stdout, stderr } = await cli(...args);
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toMatch(/^openevals-wasm: /);
    expect(stderr).toContain(words);
    expect(stderr).not.toContain("    at ");
  });
});

describe("run --report", () => {
  beforeAll(async () => {
    const evals = (right: number, more = "") => doubling(right, `name: "doubling", ${more}`);
    const files = { "bad.mjs": evals(4), "good.mjs": evals(12), "rowless.mjs": evals(12, ROWLESS) };
    for (const [name, code] of Object.entries(files)) await writeFile(join(folder, name), code);
    linkPackage(folder);
  });
  const ROWLESS = 'output: { sink: "rows.jsonl", keepRows: false }';

  it("is that of the experiment", async () => {
    expect(await cli("run", "good.mjs", "--report", "good.html", "--output", "good.json")).toMatchObject({
      code: 0,
      stderr: "Experiment written to good.json\nReport written to good.html\n",
    });
    const { experiment } = await dataOf("good.html");
    expect(experiment.aggregates.exact_match.mean).toBe(1);
  });

  it("shows what changed since the baseline", async () => {
    const run = await cli("run", "bad.mjs", "--baseline", "good.json", "--report", "bad.html");
    // 8 of 12 rows became wrong.
    expect(run.code).toBe(1);
    const data = await dataOf("bad.html");
    expect(data.experiment.aggregates.exact_match.mean).toBe(1 / 3);
    expect(JSON.stringify(data)).toContain(JSON.parse(await text("good.json")).experimentName);
  });

  it("is refused for several experiments, and without rows", async () => {
    await writeFile(join(folder, "other.mjs"), doubling(12, 'name: "other"'));
    expect(await cli("run", "good.mjs", "other.mjs", "--report", "x.html")).toMatchObject({
      code: 2,
      stderr: expect.stringContaining(
        "--report x.html shows one experiment, but there are 2; write them into",
      ),
    });
    expect(await cli("run", "rowless.mjs", "--report", "x.html")).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("--report needs the rows, which the experiment does not keep"),
    });
    expect(await readdir(folder)).not.toContain("x.html");
  });
});
