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
    const { code, stdout } = await cli("score", "rows.jsonl", ...judged, ...output, "--max-cost", "0.1");
    expect(code).toBe(2);
    expect(stdout).toMatch(/3 rows · .* · \$0\.13/);
    expect(stdout).toContain("Stopped before the end: The budget is used up after 3 rows: maxCost is $0.10");
    const more = await cli("score", "rows.jsonl", ...judged, ...output, "--resume", "--max-cost", "1");
    expect([more.code, more.stderr, server.requests.length]).toEqual([0, "", 6]);
    expect(more.stdout).toContain("6 rows");
    const merged = await cli("score", "rows.jsonl", ...judged, "--max-tokens", "300", "--output", "two.json");
    expect([merged.code, JSON.parse(await readFile(join(folder, "two.json"), "utf8")).budget]).toEqual([
      2,
      { maxTokens: 300, tokens: 300, usedUp: "maxTokens" },
    ]);
  });

  it("sends no more in a minute than it is told", async () => {
    says(3);
    const output = [
      "--output",
      "slow.json",
      "--requests-per-minute",
      "600",
      "--tokens-per-minute",
      "1000000",
    ];
    const three = ["rows.jsonl", "--shard", "1/2", "--evaluator", "conciseness", "--model", "openai:gpt-5.4"];
    const { code, stderr } = await cli("score", ...three, ...output);
    expect([code, stderr]).toEqual([0, ""]);
    const { durationMs, rows } = JSON.parse(await readFile(join(folder, "slow.json"), "utf8"));
    // The first goes at once, the others a tenth of a second after each other.
    expect([rows.length, durationMs >= 190]).toEqual([3, true]);
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
    expect(paid.stdout).toMatch(/2 measured\nQuestions +6\nTokens in +720\nTokens out +180\nCost +\$0\.25\n/);
    expect(paid.stdout).toContain("The estimate has cost $0.084.");
  });

  it.each([
    [["--max-cost", "free"], '--max-cost is "free"; it has to be an amount above 0'],
    [["--max-cost", "0"], '--max-cost is "0"'],
    [
      ["--max-duration", "90"],
      '--max-duration is "90"; it has to be a time with its unit, such as 90s, 15m or 2h',
    ],
    [["--max-cost", "1"], "--max-cost needs --prices, a file with what tokens cost"],
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
  it("has a budget for each experiment, and tells why it ended", async () => {
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
      "judged.eval.mjs: The budget is used up after 2 rows: maxTokens is 200, and 200 tokens were used.\n",
    ]);
    expect(stdout).toMatch(/2 rows/);
    const priced = await cli("run", "judged.eval.mjs", "--prices", "prices.json", "--max-cost", "5");
    expect([priced.code, priced.stdout]).toEqual([0, expect.stringContaining("· $0.06")]);
  });

  it("estimates each, and tells which cannot be", async () => {
    await writeFile(join(folder, "empty.eval.mjs"), "export default { data: [], evaluators: [] };");
    const { code, stdout, stderr } = await cli("run", "*.eval.mjs", "--estimate-rows", "2");
    expect([code, stdout]).toEqual([
      2,
      expect.stringMatching(/^judged {2}6 rows, 2 measured\nQuestions +6\nTokens in +600\n/),
    ]);
    expect(stderr).toBe("empty.eval.mjs: The data has no rows, so that there is nothing to estimate.\n");
    const watched = await cli("run", "judged.eval.mjs", "--estimate", "--watch");
    expect([watched.code, watched.stderr]).toEqual([
      2,
      expect.stringContaining("--watch has nothing to watch"),
    ]);
  });
});
