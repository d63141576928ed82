/** The MCP server, driven by the official client: its tools, resources and prompts. */
import { cp } from "node:fs/promises";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { call, client, connected, folder, useServer } from "./mcp-client.js";
import { program, runProgram } from "./program.js";
import { projectOf } from "./project.js";

useServer();

describe("tools", () => {
  it("have schemas made from the options of the commands", async () => {
    const { tools } = await client.listTools();
    expect(tools.map(({ name, annotations }) => [name, annotations?.readOnlyHint])).toEqual([
      ["list_evaluators", true],
      ["score_rows", false],
      ["run_eval", false],
      ["compare_results", false],
      ["read_failures", true],
      ["estimate_cost", true],
    ]);
    const score = tools.find(({ name }) => name === "score_rows");
    expect(score?.inputSchema.required).toEqual(["evaluator"]);
    expect(score?.inputSchema.properties).toMatchObject({
      evaluator: { type: "array", items: { type: "string" } },
      failUnder: { type: "object", additionalProperties: { type: "number" } },
      map: { type: "object", additionalProperties: { type: "string" } },
      repeat: { type: "integer" },
    });
    // A key could be sent to any address.
    expect(score?.inputSchema.properties).not.toHaveProperty("baseUrl");
  });

  it("list_evaluators has the options of one", async () => {
    const { keys } = await call("list_evaluators");
    expect(keys).toContainEqual({ key: "exact_match", model: false });
    const { evaluators } = await call("list_evaluators", { name: "contains" });
    expect(evaluators[0].options[0].name).toBe("ignoreCase?");
  });

  it("score_rows scores a file, and rows with their own names", async () => {
    const file = await call("score_rows", { data: "answers.jsonl", evaluator: ["exact_match"] });
    expect(file.experiments[0].experiment.aggregates.exact_match.mean).toBe(0.5);
    expect(file.experiments[0].failures).toMatchObject([{ id: "b", outputs: "y" }]);
    const rows = [{ q: "1", answer: "--json", expected: "--json" }];
    const own = await call("score_rows", {
      ...{
        rows,
        evaluator: ["exact_match"],
        map: { inputs: "q", outputs: "answer", referenceOutputs: "expected" },
      },
      failUnder: { exact_match: 1 },
    });
    expect(own).toMatchObject({ exitCode: 0, isError: false });
  });

  it("run_eval, compare_results and read_failures work on kept results", async () => {
    const good = await call("run_eval", { file: "good.eval.mjs", output: "out/good.json" });
    expect(good).toMatchObject({
      exitCode: 0,
      written: [join("./out/good.json")].map((path) => `./${path}`),
    });
    // A missed threshold is a result, not an error of the call.
    const worse = await call("run_eval", { file: "worse.eval.mjs", output: "out/worse.json" });
    expect(worse).toMatchObject({ exitCode: 1, isError: false });
    const compared = await call("compare_results", { before: "out/good.json", after: "out/worse.json" });
    expect(compared.experiments[0].comparisons.exact_match).toMatchObject({ verdict: "worse", count: 12 });
    const { experiments } = await call("read_failures", { experiment: "out/worse.json", from: 8, rows: 5 });
    expect(experiments[0].failures.map(({ id }: any) => id)).toEqual(["n10", "n11"]);
    const { rows } = await call("read_failures", { experiment: "out/worse.json", row: "n11" });
    expect(rows).toMatchObject([{ id: "n11", inputs: 12, outputs: 12, referenceOutputs: 24 }]);

    const dashes = [{ id: "--row", outputs: "x", referenceOutputs: "y" }];
    await call("score_rows", { rows: dashes, evaluator: ["exact_match"], output: "out/dashes.json" });
    const dashed = await call("read_failures", { experiment: "out/dashes.json", row: "--row" });
    expect(dashed.rows).toMatchObject([{ id: "--row", outputs: "x" }]);

    // Written by another program meanwhile.
    const late = await call("run_eval", { file: "late.eval.mjs", output: "out/late.json" });
    expect(late).toMatchObject({ isError: true, exitCode: 2, written: ["out/late-2.json"] });
    expect(late.messages.at(-1)).toContain("another program wrote ./out/late.json during this call");

    const again = await call("run_eval", { file: "good.eval.mjs", output: "out/good.json" });
    expect([again.isError, again.error.message]).toEqual([
      true,
      expect.stringContaining("name another file"),
    ]);
  });

  it("estimate_cost asks nothing", async () => {
    const judge = { evaluator: ["correctness"], model: "openai:gpt-5.4" };
    const { estimates } = await call("estimate_cost", { data: "answers.jsonl", ...judge });
    expect(estimates).toMatchObject([{ rows: 2, questions: { low: 2, high: 2 } }]);
    const ofFile = await call("estimate_cost", { file: "tokens.eval.mjs" });
    expect(ofFile.estimates).toMatchObject([{ rows: 6 }]);
  });

  it("a mistake is an error that says what to do", async () => {
    const { isError, error } = await call("score_rows", { data: "answers.jsonl", evaluator: ["exact_mtch"] });
    expect([isError, error.message]).toEqual([true, expect.stringContaining("did you mean exact_match?")]);
  });

  it("output of user code is not a result", async () => {
    const { experiments } = await call("run_eval", { file: "noisy.eval.mjs" });
    expect(experiments[0].experiment.rows).toBe(12);
  });
});

describe("limits", () => {
  it("a client can ask for less, not for more", async () => {
    const limited = await connected("--max-tokens", "1000", "--max-duration", "30s");
    const more = await call("run_eval", { file: "tokens.eval.mjs", maxTokens: 1001 }, limited);
    expect([more.isError, more.text]).toEqual([
      true,
      expect.stringMatching(/at most 1000\. .* higher --max-tokens\.$/),
    ]);
    const longer = await call("run_eval", { file: "tokens.eval.mjs", maxDuration: "1m" }, limited);
    expect(longer.text).toContain("at most 30s");
    const less = await call("run_eval", { file: "tokens.eval.mjs", maxTokens: 150 }, limited);
    expect(less).toMatchObject({ exitCode: 2, isError: true });
    expect(less.experiments[0].experiment).toMatchObject({ rows: 2, stopped: { code: "budget_exceeded" } });
    await limited.close();
  });

  it("the server's do not replace lower ones of the file", async () => {
    // Three rows have 300 tokens.
    const { experiments } = await call("run_eval", { file: "tokens.eval.mjs" });
    expect(experiments[0].experiment).toMatchObject({ rows: 3, budget: { maxTokens: 250 } });
  });

  it("end a call with the results so far", async () => {
    const limited = await connected("--max-duration", "1s");
    const ended = await call("run_eval", { file: "slow-matrix.eval.mjs", output: "out/ended" }, limited);
    // Each of 40 experiments has a row that never finishes, so each takes two seconds.
    expect(ended).toMatchObject({ isError: true, exitCode: 143 });
    const { rows } = await call("read_failures", { experiment: ended.written[0], row: "done" });
    expect(rows).toMatchObject([{ id: "done", outputs: 2 }]);
    await limited.close();
  }, 60_000);

  it("are there without options", async () => {
    const { experiments } = await call("run_eval", { file: "good.eval.mjs" });
    expect(experiments[0].experiment.budget).toMatchObject({ maxTokens: 200_000, maxDurationMs: 600_000 });
  });
});

it("progress", async () => {
  const seen: { progress: number; total?: number | undefined }[] = [];
  const params = { name: "run_eval", arguments: { file: "slow.eval.mjs" } };
  await client.callTool(params, undefined, { onprogress: (progress) => void seen.push(progress) });
  expect(seen.length).toBeGreaterThan(1);
  expect(seen.every(({ total }) => total === 8)).toBe(true);
  const figures = seen.map(({ progress }) => progress);
  expect(figures).toEqual([...figures].sort((a, b) => a - b));
});

describe("resources", () => {
  it("chapters of the guide", async () => {
    const { resources } = await client.listResources();
    const uris = resources.map(({ uri }) => uri);
    expect(uris).toContain("openevals-wasm://guide/judges");
    const { contents } = await client.readResource({ uri: "openevals-wasm://guide/judges" });
    expect((contents[0] as { text: string }).text).toMatch(/^# /);
  });

  it("reports of experiments that calls wrote", async () => {
    await call("score_rows", { data: "answers.jsonl", evaluator: ["exact_match"], output: "out/a b.json" });
    const { resources } = await client.listResources();
    const report = resources.find(({ name }) => name.endsWith("a b.json"));
    const { contents } = await client.readResource({ uri: report?.uri ?? "" });
    expect((contents[0] as { text: string }).text).toContain("exact\\_match");
    const { resourceTemplates } = await client.listResourceTemplates();
    expect(resourceTemplates.map(({ name }) => name)).toEqual(["report"]);
  });
});

it("prompts", async () => {
  const { prompts } = await client.listPrompts();
  expect(prompts.map(({ name }) => name)).toEqual(["write_eval", "explain_failure"]);
  const prompt = async (name: string, given: Record<string, string>) => {
    const { messages } = await client.getPrompt({ name, arguments: given });
    return (messages[0]?.content as { text: string }).text;
  };
  const write = await prompt("write_eval", { file: "app.mjs", function: "double" });
  expect(write).toContain("export const double = (n) => 2 * n;");
  expect(await prompt("explain_failure", { experiment: "answers.jsonl", row: "b" })).toContain('the row "b"');
  // The tools that prompts name exist.
  const { tools } = await client.listTools();
  const names = tools.map(({ name }) => name);
  const named = write.match(/\b(?:list|run|read|compare|score|estimate)_\w+/g) ?? [];
  expect(named.filter((name) => !names.includes(name))).toEqual([]);
});

it("without the package of the protocol, says how to install it", async () => {
  const alone = await projectOf({});
  const copy = join(alone, "copy");
  await cp(join(dirname(program), ".."), copy, { recursive: true, dereference: true });
  const { code, stderr } = await runProgram(alone, ["mcp"], {}, join(copy, "dist/cli.cjs"));
  expect([code, stderr]).toEqual([
    2,
    expect.stringContaining("npm install --save-dev @modelcontextprotocol/sdk"),
  ]);
  const nowhere = await runProgram(folder, ["mcp", "--root", "nowhere"]);
  expect([nowhere.code, nowhere.stderr]).toEqual([2, expect.stringContaining("There is no folder nowhere")]);
});
