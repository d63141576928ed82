/** `--json` of every command: one line, as the schema of `--help --json` describes it, and the exit codes. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { Ajv2020 } from "ajv/dist/2020.js";
import { beforeAll, describe, expect, it } from "vitest";
import { program, runProgram } from "./program.js";
import { doubling, lines, projectOf } from "./project.js";

let folder: string;
/** The content of `--help --json`. */
let help: any;
const ajv = new Ajv2020({ strict: true, allowUnionTypes: true, allErrors: true });

/** Runs the program with `--json`, and checks that the line fits the schema of its command. */
async function json(...args: string[]): Promise<any> {
  const { code, stdout, stderr } = await runProgram(folder, [...args, "--json"]);
  expect(stdout, stderr).toMatch(/^\{.*\}\n$/);
  const result = JSON.parse(stdout);
  expect(result.exitCode).toBe(code);
  const isValid = ajv.getSchema(result.command ?? "none");
  expect(isValid, result.command).toBeDefined();
  isValid?.(result);
  expect(isValid?.errors ?? null).toBeNull();
  return result;
}

const COMMANDS = [
  "init",
  "score",
  "run",
  "import",
  "merge",
  "compare",
  "show",
  "report",
  "history",
  "evaluators",
  "view",
];

beforeAll(async () => {
  folder = await projectOf({
    "rows.jsonl": lines([
      { id: "a", inputs: "q", outputs: "x", referenceOutputs: "x" },
      { id: "b", inputs: "q", outputs: "y", referenceOutputs: "x" },
      { id: "c", inputs: "q", outputs: "z".repeat(5000), referenceOutputs: "x" },
    ]),
    "good.eval.mjs": doubling(12),
    "worse.eval.mjs": `console.log("noise");\n${doubling(2, 'name: "good", failUnder: { exact_match: 0.5 },')}`,
    "exits.eval.mjs": doubling(12, "onProgress: () => process.exit(0),"),
    "throws.eval.mjs": "throw new Error('no');",
    "prices.json": '{ "openai:gpt-5.4": { "input": 1, "output": 2 } }',
    "deepeval.json": '[{ "input": "q", "expected_output": "a" }]',
    "promptfoo.json": '{ "prompts": ["a"], "tests": [{ "assert": [{ "type": "guardrails" }] }] }',
  });
  const { stdout } = await runProgram(folder, ["--help", "--json"]);
  help = JSON.parse(stdout).help;
  for (const { name, result } of help.commands) if (result) ajv.addSchema(result, name);
});

it("the help has all commands, options and exit codes", async () => {
  const names = help.commands.flatMap(({ name, result }: any) => (result ? [name] : []));
  expect(names.sort()).toEqual([...COMMANDS].sort());
  expect(help.exitCodes).toMatch(/^Exit codes: 0 /);
  const { options } = help.commands.find(({ name }: any) => name === "score");
  expect(options).toContainEqual({ name: "--evaluator", value: "<key>", help: expect.any(String) });
  const fits = ajv.compile(help.result);
  for (const args of [["--help"], ["show", "--help"], ["--version"]]) {
    const { stdout } = await runProgram(folder, [...args, "--json"]);
    expect(fits(JSON.parse(stdout)), JSON.stringify(fits.errors)).toBe(true);
  }
});

it("the guide names all fields, and its example fits", async () => {
  const guide = await readFile(join(dirname(program), "../docs/exit-codes.md"), "utf8");
  const [, example = ""] = /^```json\n([\s\S]*?)^```$/m.exec(guide) ?? [];
  expect(ajv.validate("run", JSON.parse(example)), JSON.stringify(ajv.errors)).toBe(true);
  const results = help.commands.flatMap(({ result }: any) => (result ? [result.properties] : []));
  const names = [
    ...results,
    ...results.flatMap(({ experiments }: any) => experiments?.items.properties ?? []),
  ];
  const fields = new Set(names.flatMap((properties: object) => Object.keys(properties)));
  expect(fields.size).toBeGreaterThan(20);
  expect([...fields].filter((name) => !guide.includes(`\`${name}\``))).toEqual([]);
});

describe("score", () => {
  it("has the means, the failing rows and the files", async () => {
    const { experiments, written } = await json(
      "score",
      "rows.jsonl",
      "--evaluator",
      "exact_match",
      "--output",
      "s.json",
    );
    expect(written).toEqual(["s.json"]);
    const [{ experiment, statuses, failures, passed }] = experiments;
    expect([passed, experiment.rows, experiment.aggregates.exact_match.mean]).toEqual([true, 3, 1 / 3]);
    expect(statuses).toEqual({ passes: 1, fails: 2, error: 0, unjudged: 0 });
    expect(failures[0]).toMatchObject({ id: "b", outputs: "y", referenceOutputs: "x", status: "fails" });
    // A long value is cut.
    expect(failures[1].outputs).toBe(`${"z".repeat(1000)}… (5000 characters)`);
  });

  it("says which threshold is missed", async () => {
    const result = await json(
      "score",
      "rows.jsonl",
      "--evaluator",
      "exact_match",
      "--fail-under",
      "exact_match=0.5",
    );
    expect(result.exitCode).toBe(1);
    expect(result.experiments[0]).toMatchObject({
      passed: false,
      problems: ["exact_match is 33.3%, below 50.0%."],
    });
  });

  it("estimates", async () => {
    const judge = ["--evaluator", "correctness", "--model", "openai:gpt-5.4", "--prices", "prices.json"];
    const { estimates } = await json("score", "rows.jsonl", ...judge, "--estimate");
    expect(estimates).toEqual([
      expect.objectContaining({ name: "rows", rows: 3, questions: { low: 3, high: 3 } }),
    ]);
    expect(estimates[0].cost.low).toBeGreaterThan(0);
  });
});

describe("run", () => {
  it("keeps output of user code off standard output", async () => {
    const result = await json("run", "worse.eval.mjs");
    expect(result.exitCode).toBe(1);
    expect(result.experiments[0].problems).toEqual(["exact_match is 16.7%, below 50.0%."]);
  });

  it("has mistakes beside results", async () => {
    const { exitCode, experiments } = await json("run", "good.eval.mjs", "throws.eval.mjs");
    expect(exitCode).toBe(2);
    expect(experiments.map(({ file, passed }: any) => [file, passed])).toEqual([
      ["throws.eval.mjs", false],
      ["good.eval.mjs", true],
    ]);
    expect(experiments[0].mistake).toMatch(/^Error: no/);
  });

  it("has a result even if the code ends the process", async () => {
    const { exitCode, messages } = await json("run", "exits.eval.mjs");
    expect(exitCode).toBe(2);
    expect(messages.join()).toContain("ended the process with code 0 before the evaluation was finished");
  });

  it("keeps a history", async () => {
    await json("run", "good.eval.mjs", "--history", ".evals");
    const { histories } = await json("history");
    expect(histories).toEqual([{ name: "good", runs: [expect.objectContaining({ rows: 12 })] }]);
  });
});

it("compare has the verdict of each key", async () => {
  await json("run", "good.eval.mjs", "--output", "good.json");
  await json("run", "worse.eval.mjs", "--output", "worse.json");
  const { exitCode, experiments } = await json("compare", "good.json", "worse.json");
  expect(exitCode).toBe(1);
  // Ten rows became wrong and none right: p is 2 / 2^10.
  expect(experiments[0].comparisons.exact_match).toMatchObject({
    ...{ verdict: "worse", count: 12, flippedCount: 10, pValue: expect.closeTo(2 / 2 ** 10, 12) },
  });
  expect(experiments[0].problems).toEqual(["exact_match became worse."]);
});

it("show has pages of failing rows, and a row in full", async () => {
  await json("score", "rows.jsonl", "--evaluator", "exact_match", "--output", "shown.json");
  const ids = async (...page: string[]) =>
    (await json("show", "shown.json", ...page)).experiments[0].failures.map(({ id }: any) => id);
  expect(await ids()).toEqual(["b", "c"]);
  expect(await ids("--rows", "1")).toEqual(["b"]);
  expect(await ids("--from", "1")).toEqual(["c"]);
  const { rows } = await json("show", "shown.json", "--row", "c");
  expect(rows).toMatchObject([{ id: "c", outputs: "z".repeat(5000) }]);
  expect((await json("show", "none.json")).error).toMatchObject({ code: "invalid_input" });
  expect((await json("show", "shown.json", "--row", "nine")).error.message).toContain('has no row "nine"');

  const text = await runProgram(folder, ["show", "shown.json", "--rows", "1"]);
  expect(text.stdout).toMatch(/^exact_match +33\.3%/m);
  expect(text.stdout).toContain("… and 1 more");
  const row = await runProgram(folder, ["show", "shown.json", "--row", "b"]);
  expect(row.stdout.split("\n")).toEqual([
    "b",
    "inputs",
    "    q",
    "outputs",
    "    y",
    "referenceOutputs",
    "    x",
    "✗ exact_match false",
    '    outputs is "y" instead of "x"',
    "",
  ]);
});

it("view has the address as soon as it serves", async () => {
  await json("score", "rows.jsonl", "--evaluator", "exact_match", "--output", "viewed.json");
  const viewing = spawn(process.execPath, [program, "view", "viewed.json", "--json"], { cwd: folder });
  const [line] = await once(viewing.stdout.setEncoding("utf8"), "data");
  const result = JSON.parse(line);
  expect(ajv.validate("view", result), JSON.stringify(ajv.errors)).toBe(true);
  expect((await fetch(result.url)).status).toBe(200);
  viewing.kill("SIGINT");
  expect(await once(viewing, "close")).toEqual([0, null]);
});

it("evaluators has the keys of score, and options from the declarations", async () => {
  const { keys, evaluators } = await json("evaluators");
  expect(keys).toContainEqual({ key: "exact_match", model: false });
  expect(keys).toContainEqual({ key: "faithfulness", model: true });
  expect(evaluators.length).toBeGreaterThan(100);
  for (const { name, from, about } of evaluators) expect([name, from, about], name).not.toContain("");
  const [contains] = (await json("evaluators", "contains")).evaluators;
  expect(contains).toMatchObject({
    from: "openevals-wasm/checks",
    declaration: "function contains(text?: string, options?: ContainsOptions): Check;",
  });
  expect(contains.options[0]).toEqual({
    ...{ name: "ignoreCase?", type: "boolean", about: "Whether case is ignored; `false` by default." },
  });
  // An option that its interface inherits.
  expect(contains.options.map(({ name }: any) => name)).toContain("feedbackKey?");
  expect((await json("evaluators", "contain")).error.message).toContain("did you mean contains?");
});

it("evaluators takes the keys of score", async () => {
  const named = {
    no_pii: ["noPII"],
    no_loops: ["loops"],
    ngram_dice: ["ngramSimilarity"],
    tau_reward: ["createTauReward"],
    "json_match:all": ["createJsonMatchEvaluator"],
    trajectory_subset_match: ["createTrajectoryMatchEvaluator"],
    bleu: ["bleu"],
    "chrf++": ["createChrfEvaluator", "chrf"],
    ndcg_at_10: ["createNdcgEvaluator", "ndcg"],
    precision_at_10: ["createPrecisionAtKEvaluator", "precisionAtK"],
    task_completion: ["createLLMAsJudge"],
    tool_selection: ["createTrajectoryLLMAsJudge"],
    context_recall: ["contextRecall"],
  };
  for (const [key, names] of Object.entries(named)) {
    const { evaluators } = await json("evaluators", key);
    expect(evaluators.map(({ name }: any) => name).sort(), key).toEqual(names.sort());
  }
  expect((await json("evaluators", "no_pi")).error.message).toContain("did you mean noPII?");
  const { stdout } = await runProgram(folder, ["evaluators", "toxicity"]);
  expect(stdout).toMatch(
    /^toxicity is a judge with this prompt:\n\nimport \{ TOXICITY_PROMPT \} from "openevals-wasm";\nimport \{ createLLMAsJudge \} from "openevals-wasm";\n/,
  );
});

it("merge, report, import and init list the files that they wrote", async () => {
  for (const index of [1, 2])
    await json(
      ..."score rows.jsonl --evaluator exact_match --shard".split(" "),
      `${index}/2`,
      "--output",
      `p${index}.json`,
    );
  const merged = await json("merge", "p1.json", "p2.json", "--output", "merged.json");
  expect([merged.written, merged.experiments[0].experiment.rows]).toEqual([["merged.json"], 3]);
  expect(await json("report", "merged.json", "--report", "m.html")).toMatchObject({ written: ["m.html"] });
  expect((await json("import", "deepeval.json")).written).toEqual([
    ...["evals/deepeval.jsonl", "evals/deepeval.eval.ts"].map((name) => join(name)),
  ]);
  const refused = await json("import", "promptfoo.json");
  expect([refused.exitCode, refused.left.length, refused.written]).toEqual([
    1,
    expect.any(Number),
    undefined,
  ]);
  expect((await json("init", "--agents")).written).toEqual(["AGENTS.md"]);
});

describe("mistakes", () => {
  it.each([
    [["score", "rows.jsonl"], /^score needs at least one --evaluator/],
    [["score", "rows.jsonl", "--evaluator", "exact_mtch"], /did you mean exact_match\?/],
    [["score", "rows.jsonl", "--nothing"], /^score has no option --nothing/],
    [["run", "good.eval.mjs", "--watch"], /--watch never ends/],
    [["run", "good.eval.mjs", "--github"], /^--github and --json both write to standard output/],
    [["compare", "good.eval.mjs"], /^compare needs two files/],
  ])("%j", async (args, message) => {
    const { exitCode, error } = await json(...args);
    expect([exitCode, error.message]).toEqual([2, expect.stringMatching(message)]);
  });

  it("of a call without a command", async () => {
    const { code, stdout } = await runProgram(folder, ["shw", "--json"]);
    expect([code, JSON.parse(stdout)]).toEqual([
      2,
      expect.objectContaining({
        ...{ command: null, exitCode: 2, error: { message: expect.stringMatching(/did you mean show\?/) } },
      }),
    ]);
  });
});
