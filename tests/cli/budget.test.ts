/** Budgets and estimates of the program. */
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Loopback } from "../providers/servers/loopback.js";
import { completion, startOpenAI } from "../providers/servers/openai.js";
import { runProgram } from "./program.js";
import { lines, projectOf } from "./project.js";

let folder: string;
let server: Loopback;
const cli = (...args: string[]) =>
  runProgram(folder, args, { OPENAI_API_KEY: "sk-test", OPENAI_BASE_URL: `${server.url}/v1` });
const says = (times: number) => {
  for (let n = 0; n < times; n++) server.script.push(completion('{"reasoning": "Well.", "score": true}'));
};
const judged = ["--evaluator", "conciseness", "--model", "openai:gpt-5.4", "--concurrency", "1"];

beforeAll(async () => {
  server = await startOpenAI("sk-test");
  folder = await projectOf({
    "rows.jsonl": lines(Array.from({ length: 6 }, (_, id) => ({ id: `${id}`, inputs: "a", outputs: "b" }))),
    "rows.json": '{ "openai:gpt-5.4": 1 }',
    "prices.json": '{ "openai:gpt-5.4": { "input": 100, "output": 1000 } }',
    "judged.eval.mjs": `
      export default {
        data: [1, 2, 3, 4, 5, 6].map((inputs) => ({ inputs })),
        target: (n) => n,
        evaluators: [() => ({ key: "judged", score: 1, metadata: { model: "gpt-5.4", usage: { inputTokens: 100, outputTokens: 0 } } })],
        maxConcurrency: 1,
      };
    `,
  });
});
afterAll(() => server.close());

describe("score", () => {
  it("stops when a budget is used up, and goes on with a larger one", async () => {
    says(8);
    // An answer has 120 and 30 tokens: 0.042 dollars.
    const output = ["--output", "out.jsonl", "--prices", "prices.json"];
    const { code, stdout, stderr } = await cli(
      ...["score", "rows.jsonl", ...judged, ...output, "--max-cost", "0.1"],
    );
    expect(code).toBe(2);
    expect(stdout).toMatch(/3 rows · .* · \$0\.13/);
    expect(stdout).toContain(
      "Stopped before the end: The budget is used up after 3 rows: --max-cost is $0.10",
    );
    expect(stderr).toBe(
      "out.jsonl has the finished rows; the same command with --resume and a higher limit continues.\n",
    );
    const more = await cli("score", "rows.jsonl", ...judged, ...output, "--resume", "--max-cost", "1");
    expect([more.code, more.stderr, server.requests.length]).toEqual([
      ...[0, "Experiment written to out.jsonl\n", 6],
    ]);
    expect(more.stdout).toContain("6 rows");
    const merged = await cli("score", "rows.jsonl", ...judged, "--max-tokens", "300", "--output", "two.json");
    expect([merged.code, JSON.parse(await readFile(join(folder, "two.json"), "utf8")).budget]).toEqual([
      2,
      { maxTokens: 300, tokens: 300, usedUp: "maxTokens" },
    ]);
  });

  it("sends no more in a minute than the option allows", async () => {
    says(3);
    const output = [
      "--output",
      "slow.json",
      "--requests-per-minute",
      "120",
      "--tokens-per-minute",
      "1000000",
    ];
    const three = ["rows.jsonl", "--shard", "1/2", "--evaluator", "conciseness", "--model", "openai:gpt-5.4"];
    const { code, stderr } = await cli("score", ...three, ...output);
    expect([code, stderr]).toEqual([0, "Experiment written to slow.json\n"]);
    const { durationMs, rows } = JSON.parse(await readFile(join(folder, "slow.json"), "utf8"));
    // Two a second: the third waits until the first half second is over.
    expect([rows.length, durationMs >= 500]).toEqual([3, true]);
  });

  it("estimates without asking, or after some rows", async () => {
    says(2);
    const before = server.requests.length;
    const prices = ["--prices", "prices.json"];
    const free = await cli("score", "rows.jsonl", ...judged, ...prices, "--estimate");
    expect([free.code, free.stderr, server.requests.length]).toEqual([0, "", before]);
    expect(free.stdout).toMatch(/^rows {2}6 rows, 6 measured\nQuestions +6\nTokens in +[\d,]+ to [\d,]+\n/);
    expect(free.stdout).toMatch(/^Cost +\$\S+ to \$\S+$/m);
    const paid = await cli("score", "rows.jsonl", ...judged, ...prices, "--estimate-rows", "2");
    expect([paid.code, server.requests.length]).toEqual([0, before + 2]);
    expect(paid.stdout).toMatch(
      /2 measured\nQuestions +2 to 6\nTokens in +240 to [\d,]+\nTokens out +60 to 3,000\nCost +\$0\.084 to /,
    );
    expect(paid.stdout).toContain("2 rows of 6 are too few for a reliable range");
    expect(paid.stdout).toContain("The estimate itself cost $0.084.");
  });

  it.each([
    [["--max-cost", "free"], '--max-cost is "free"; it has to be an amount in dollars above 0'],
    [["--max-cost", "0"], '--max-cost is "0"'],
    [
      ["--max-duration", "90"],
      '--max-duration is "90"; it has to be a number with a unit, such as 90s, 15m or 2h',
    ],
    [["--estimate", "--estimate-rows", "2"], "--estimate calls no model and --estimate-rows runs rows"],
    [["--estimate", "--output", "out.json"], "--estimate produces no results, so --output has no effect"],
    [["--estimate-rows", "2", "--junit", "a.xml"], "--estimate-rows produces no results, so --junit has"],
    [["--estimate", "--fail-under", "conciseness=1"], "so --fail-under has no effect"],
    [["--max-cost", "1"], "--max-cost needs --prices, a file with the prices of tokens"],
    [
      ["--max-cost", "1", "--prices", "rows.json"],
      'such as { "openai:gpt-5.4": { "input": 1.25, "output": 10 } }',
    ],
  ])("refuses %s", async (options, message) => {
    const { code, stderr } = await cli("score", "rows.jsonl", ...judged, ...options);
    expect([code, stderr]).toEqual([2, expect.stringContaining(message)]);
  });
});

describe("run", () => {
  it("needs prices for a cost, in the words of the command", async () => {
    const { code, stderr } = await cli("run", "judged.eval.mjs", "--max-cost", "1");
    expect([code, stderr]).toEqual([2, expect.stringContaining("--max-cost needs --prices")]);
  });

  it("rejects a limit for a misspelt evaluator before it runs a row", async () => {
    const evaluator = 'Object.assign(() => ({ score: true }), { feedbackKey: "conciseness" })';
    await writeFile(
      join(folder, "misspelt.mjs"),
      `export default {
        data: [{ inputs: 1 }],
        target: () => console.error("The target was called."),
        evaluators: [${evaluator}],
        failUnder: { concisness: 1 },
      };`,
    );
    const { code, stderr } = await cli("run", "misspelt.mjs");
    expect([code, stderr]).toEqual([2, expect.stringContaining("did you mean conciseness?")]);
    expect(stderr).not.toContain("The target was called.");
  });

  it("has a budget for each experiment, and reports why it ended", async () => {
    const { code, stderr, stdout } = await cli(
      "run",
      "judged.eval.mjs",
      "--max-tokens",
      "200",
      "--max-duration",
      "1h",
    );
    expect([code, stderr]).toEqual([
      2,
      'judged.eval.mjs: The experiment stopped early; it starts from the beginning when you run it again with a higher limit. To be able to continue, add output: { sink: "results.jsonl", resume: true } to the definition.\n',
    ]);
    expect(stdout.replaceAll(/\s+/g, " ")).toContain(
      "The budget is used up after 2 rows: --max-tokens is 200, and 200 tokens",
    );
    expect(stdout).toMatch(/2 rows/);
    const priced = await cli("run", "judged.eval.mjs", "--prices", "prices.json", "--max-cost", "5");
    expect([priced.code, priced.stdout]).toEqual([0, expect.stringContaining("· $0.06")]);
  });

  it("stops nothing if all rows are running when it is exceeded, and says so", async () => {
    await writeFile(
      join(folder, "together.mjs"),
      `import judged from "./judged.eval.mjs";
       let begun = 0;
       let start;
       const started = new Promise((resolve) => (start = resolve));
       const target = async (n) => {
         if (++begun === 6) start();
         await started;
         return n;
       };
       export default { ...judged, target };`,
    );
    const passed = await cli("run", "together.mjs", "--max-tokens", "50", "--concurrency", "8");
    expect([passed.code, passed.stdout]).toEqual([
      0,
      expect.stringContaining("The last rows exceeded the budget: maxTokens is 50, but 600 was used"),
    ]);
  });

  it("reports the running rows when the time is over", async () => {
    await writeFile(
      join(folder, "slow.eval.mjs"),
      `const slow = () => new Promise((resolve) => setTimeout(resolve, 1500, { key: "slow", score: 1 }));
       export default { data: [{ outputs: 1 }], evaluators: [slow] };`,
    );
    const { code, stderr } = await cli("run", "slow.eval.mjs", "--max-duration", "1s");
    expect([code, stderr]).toEqual([0, "The time is up; waiting for 1 row that is still running\n"]);
  });

  it("estimates each, and names those that it cannot estimate", async () => {
    await writeFile(join(folder, "empty.eval.mjs"), "export default { data: [], evaluators: [] };");
    const { code, stdout, stderr } = await cli("run", "*.eval.mjs", "--estimate-rows", "2");
    expect([code, stdout]).toEqual([
      2,
      expect.stringMatching(/^judged {2}6 rows, 2 measured\nQuestions +2 to 6\nTokens in +200 to 600\n/),
    ]);
    expect(stderr).toBe("empty.eval.mjs: The data has no rows, so there is nothing to estimate.\n");
    expect((await cli("run", "judged.eval.mjs", "--estimate")).stdout).toContain(
      "\nNot in the estimate: evaluators[0]. Evaluators that ask no model use no tokens.\n",
    );
    const watched = await cli("run", "judged.eval.mjs", "--estimate", "--watch");
    expect([watched.code, watched.stderr]).toEqual([
      2,
      expect.stringContaining("--estimate produces no results, so --watch has no effect"),
    ]);
    await writeFile(
      join(folder, "own.eval.mjs"),
      "export default { data: [{ outputs: 1 }], evaluators: [() => 1], estimate: true };",
    );
    const own = await cli("run", "own.eval.mjs");
    expect([own.code, own.stderr]).toEqual([
      2,
      "own.eval.mjs: estimate is not an option of an experiment; pass --estimate or --estimate-rows to the command instead.\n",
    ]);
  });
});
