/** `openevals-wasm run`: files that export experiments. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdir, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { readExperiment } from "openevals-wasm/evaluation";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Loopback } from "../providers/servers/loopback.js";
import { startOllama, verdict } from "../providers/servers/ollama.js";
import { program, runProgram } from "./program.js";
import { doubling, projectOf } from "./project.js";

const run = (folder: string, ...args: string[]) => runProgram(folder, ["run", ...args]);

describe("what files export", () => {
  let folder: string;
  beforeAll(async () => {
    folder = await projectOf({
      "evals/doubling.eval.mjs": doubling(9),
      "evals/deep/er/more.eval.mjs": doubling(12, 'name: "deep one",'),
      "evals/several.eval.cjs": `
        const { exactMatch } = require("openevals-wasm");
        const of = (n) => ({ data: [{ inputs: n, referenceOutputs: n }], target: (x) => x, evaluators: [exactMatch] });
        exports.one = of(1);
        exports.helper = () => of(4);
        exports.list = [of(2), { ...of(3), name: "third" }];
      `,
      "evals/node_modules/x.eval.mjs": "throw new Error('a package is no evaluation');",
      "evals/.hidden.eval.mjs": "throw new Error('nor is this');",
      "broken/import.eval.mjs": "throw new Error('ouch');",
      "broken/nothing.eval.mjs": "export const answer = 42;",
      "broken/option.eval.mjs": doubling(1, "failUnder: 0.8,"),
      "broken/unknown.eval.mjs": doubling(1, "evaluator: [],"),
      "broken/key.eval.mjs": doubling(1, "failUnder: { exact: 0.8 },"),
      "broken/same.eval.mjs": doubling(1, 'name: "good",'),
      "broken/data.eval.mjs": "export default { data: [], evaluators: [() => 1] };",
      "broken/a-good.eval.mjs": doubling(12, 'name: "good",'),
    });
  });

  it("are experiments by their names, each once, wherever patterns lead", async () => {
    const patterns = ["evals/**/*.eval.*", "evals/*.eval.mjs", "./evals/doubling.eval.mjs"];
    const { code, stdout, stderr } = await run(folder, ...patterns, "--output", "out");
    expect(code).toBe(0);
    expect(stderr).toMatch(/^(Experiment written to out\/[\w-]+\.json\n)+$/);
    expect(stdout.match(/^[\w -]+(?=-[0-9a-f]{8} {2}\d+ rows? )/gm)).toEqual([
      ...["doubling", "several-one", "several-list-1", "third", "deep one"],
    ]);
    const files = ["deep-one.json", "doubling.json", "several-list-1.json", "several-one.json", "third.json"];
    expect((await readdir(join(folder, "out"))).sort()).toEqual(files);
  });

  it("can be filtered", async () => {
    const { code, stdout } = await run(
      folder,
      "evals/**/*.eval.*",
      "--filter",
      "list",
      "--output",
      "one.json",
    );
    expect({ code, names: stdout.match(/^\S+(?=-[0-9a-f]{8} )/gm) }).toEqual({
      code: 0,
      names: ["several-list-1"],
    });
    expect(JSON.parse(await readFile(join(folder, "one.json"), "utf8")).rows).toHaveLength(1);
  });

  it("a mistake in one file is reported with its name, and does not stop others", async () => {
    const { code, stdout, stderr } = await run(folder, "broken/*.eval.mjs");
    expect(code).toBe(2);
    expect(stdout).toMatch(/^good-\w+ {2}12 rows/m);
    for (const said of [
      /^broken\/import\.eval\.mjs: Error: ouch\n.*import\.eval\.mjs: +at .*import\.eval\.mjs:1:7/m,
      /^broken\/nothing\.eval\.mjs: The file exports no experiment\. Export one, such as export default defineExperiment\(/m,
      /^broken\/option\.eval\.mjs: option: failUnder is 0\.8; it has to be a plain object of numbers, by key/m,
      /^broken\/unknown\.eval\.mjs: unknown: The experiment has no option "evaluator"; did you mean evaluators\?$/m,
      /^broken\/key\.eval\.mjs: There is a threshold for the key "exact", which no evaluator has; the keys are exact_match/m,
      /^broken\/same\.eval\.mjs: broken\/a-good\.eval\.mjs also has an experiment "good"/m,
      /^broken\/data\.eval\.mjs: The data has no rows\.$/m,
    ])
      expect(stderr).toMatch(said);
  });

  it.each([
    [[], /^openevals-wasm: run needs files that export experiments/],
    [["evals/*.eval.ts"], /^openevals-wasm: No file matches evals\/\*\.eval\.ts/],
    [["gone.mjs"], /^openevals-wasm: There is no file gone\.mjs/],
    [
      ["evals/several.eval.ts"],
      /^openevals-wasm: There is no file evals\/several\.eval\.ts; did you mean evals\/several\.eval\.cjs\?/,
    ],
    [["evals/"], /^openevals-wasm: evals\/ is a folder; name the files in it, such as evals\/\*\.eval\.ts/],
    [["evals"], /^openevals-wasm: evals is a folder; name the files in it, such as evals\/\*\.eval\.ts/],
    [["evals/*.mjs", "--filter", "x"], /^openevals-wasm: No experiment has "x" in its name/],
    [
      ["evals/*.cjs", "--output", "x.json"],
      /--output x\.json is one file, but there are 3 experiments; name a folder/,
    ],
    [
      ["evals/*.mjs", "--output", "x.jsonl"],
      /--output x\.jsonl has to be a folder, or a \.json file for a single experiment/,
    ],
    [
      ["evals/*.mjs", "--shard", "3/2"],
      /--shard is "3\/2"; it has to be the number of a part and the number of parts, such as 1\/4/,
    ],
    [["evals/*.mjs", "--view"], /--view shows the report while --watch runs; add --watch/],
    [
      ["evals/*.mjs", "--fail-under", "x=1"],
      /There is a threshold for the key "x", which no evaluator has; the keys are exact_match/,
    ],
    [
      ["evals/*.mjs", "--cache-mode", "play"],
      /--cache-mode is "play"; it has to be "auto", "record" or "replay"/,
    ],
    [["evals/*.mjs", "--format", "md"], /--format is "md"; did you mean "markdown"\?/],
    [["evals/*.mjs", "--cache-mode", "replai"], /--cache-mode is "replai"; did you mean "replay"\?/],
    [["evals/*.mjs", "--baseline", "gone"], /There is no file or folder gone/],
    [["evals/*.mjs", "--watch=yes"], /--watch takes no value/],
  ])("%j: exit code 2, and what to do", async (args, message) => {
    const { code, stderr } = await run(folder, ...args);
    expect(stderr).toMatch(message);
    expect(code).toBe(2);
  });
});

it("writes to the folder that it was started in, also if a target changes it", async () => {
  const folder = await projectOf({
    "evals/a.mjs": doubling(12, 'name: "a", maxConcurrency: 1,'),
    "evals/b.mjs": doubling(12, 'name: "b", maxConcurrency: 1,').replace(
      "target: (n) =>",
      "target: (n) => process.chdir(import.meta.dirname) ??",
    ),
  });
  const written = ["out", "a.xml", "comment.md", "history"];
  const [output, junit, comment, history] = written as [string, string, string, string];
  const options = ["--output", output, "--junit", junit, "--comment", comment, "--history", history];
  expect(await run(folder, "evals/b.mjs", "evals/a.mjs", ...options)).toMatchObject({ code: 0 });
  expect(await readdir(folder)).toEqual(expect.arrayContaining(written));
  expect(await readdir(join(folder, "evals"))).toEqual(["a.mjs", "b.mjs"]);
  // A later run reads the baseline and writes the report there, too.
  const compared = ["--baseline", "out", "--report", "report.html"];
  expect(await run(folder, "evals/b.mjs", ...compared)).toMatchObject({ code: 0 });
  expect(await readdir(folder)).toContain("report.html");
});

it.each([
  ["rows.jsonl", "The file has data. run takes files that export experiments; score takes data."],
  [
    "rows.sh",
    "A file ending with .sh is not JavaScript or TypeScript. run takes files that export experiments.",
  ],
])("%s is no file of experiments", async (name, message) => {
  expect(await run(await projectOf({ [name]: "{}" }), name)).toMatchObject({
    code: 2,
    stderr: `${name}: ${message}\n`,
  });
});

describe("requirements for keys", () => {
  it("is said in the file, or for all of them in the call", async () => {
    const folder = await projectOf({ "a.mjs": doubling(9, "failUnder: { exact_match: 0.7 },") });
    expect(await run(folder, "a.mjs")).toMatchObject({ code: 0, stderr: "" });
    expect(await run(folder, "a.mjs", "--fail-under", "exact_match=0.8")).toMatchObject({
      code: 1,
      stderr: "a: exact_match is 75.0%, below 80.0%.\n",
    });
    expect(
      await run(folder, "a.mjs", "--lower-is-better", "exact_match", "--fail-over", "exact_match=0.5"),
    ).toMatchObject({
      code: 1,
      stderr: "a: exact_match is 75.0%, above 50.0%.\n",
    });
    expect(await run(folder, "a.mjs", "--lower-is-better", "exact_mtach")).toMatchObject({
      code: 2,
      stderr: expect.stringContaining(
        'the key "exact_mtach", which no evaluator has; did you mean exact_match?',
      ),
    });
    const { stdout } = await run(folder, "a.mjs", "--repeat", "2", "--each-at-least", "1");
    expect(stdout).toMatch(/^a-\w+ {2}24 rows/);
  });

  it("that look like a misspelt evaluator end the call before anything is asked", async () => {
    const folder = await projectOf({ "a.mjs": doubling(9, "onProgress: () => process.exit(7),") });
    expect(await run(folder, "a.mjs", "--fail-under", "exact_mtach=0.5")).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('key "exact_mtach", which no evaluator has; did you mean exact_match?'),
    });
  });

  it("that no evaluator has end the call before anything is asked, if all evaluators declare theirs", async () => {
    const evaluators = `
      import { exactMatch } from "openevals-wasm";
      import { createConversationJudges, createToolCallMetrics } from "openevals-wasm/agents";
      import { ragSuite } from "openevals-wasm/rag";
      const judge = () => process.exit(7);
      const evaluator = createConversationJudges({ judge, metrics: ["completeness"] });
      const evaluators = [createToolCallMetrics(), ragSuite({ judge }), { evaluator, mapInputs: () => ({}) }];
      export default { data: [{ outputs: [] }], target: () => process.exit(7), evaluators };`;
    const folder = await projectOf({ "a.mjs": evaluators, "b.mjs": doubling(9) });
    const keys = [
      ...["tool_call_precision", "tool_call_recall", "tool_call_f1", "faithfulness", "context_precision"],
      ...["context_recall", "context_entity_recall", "context_relevance", "factual_correctness"],
      ...["completeness", "exact_match"],
    ].join(", ");
    for (const [option, what] of [
      ["--fail-under", "There is a threshold for"],
      ["--pass-at", "--pass-at has"],
    ])
      expect(
        await run(folder, "a.mjs", "b.mjs", option!, "safety=1", "--fail-over", "completeness=1"),
      ).toEqual({
        code: 2,
        stdout: "",
        stderr: `openevals-wasm: ${what} the key "safety", which no evaluator has; the keys are ${keys}. See npx openevals-wasm run --help.\n`,
      });
  });

  it("that scores of true and false cannot reach fail before the first row", async () => {
    const file = `
      import { exactMatch, trajectorySubset } from "openevals-wasm";
      import { allOf, contains } from "openevals-wasm/checks";
      import { createJury } from "openevals-wasm/judges";
      const stars = () => 4;
      export default {
        name: "a",
        data: [{ inputs: 1 }],
        target: () => console.log("It was called."),
        evaluators: [
          exactMatch, trajectorySubset, contains("a"), allOf([contains("b")]),
          createJury({ judges: [stars], vote: "mean" }),
        ],
      };`;
    const folder = await projectOf({ "a.mjs": file });
    for (const key of ["exact_match", "trajectory_subset", "contains", "all_of"])
      expect(await run(folder, "a.mjs", "--fail-under", `${key}=50`)).toEqual({
        code: 2,
        stdout: "",
        stderr:
          `a.mjs: The mean of "${key}" must not be below 50, but its scores are true and false, so their mean ` +
          "is from 0 to 1. Write 0.5 for 50%. See npx openevals-wasm run --help.\n",
      });
    // Functions may return any number.
    const { stdout } = await run(folder, "a.mjs", "--fail-under", "jury=5");
    expect(stdout).toContain("It was called.");
  });

  it("that turn out to be unknown fail the call after its results are written", async () => {
    const own =
      "evaluators: [({ outputs, referenceOutputs }) => ({ key: 'right', score: outputs === referenceOutputs })],";
    const folder = await projectOf({ "a.mjs": doubling(9, own) });
    const files = ["--output", "a.json", "--junit", "a.xml", "--report", "a.html"];
    for (const option of [
      ["--fail-under", "safety=1"],
      ["--lower-is-better", "safety"],
    ]) {
      const { code, stdout, stderr } = await run(folder, "a.mjs", ...option, ...files);
      expect(code).toBe(2);
      expect(stderr).toMatch(/^openevals-wasm: .*the key "safety".*the keys are right/m);
      expect(stdout).toContain("75.0%");
      for (const name of ["a.json", "a.xml", "a.html"]) await rm(join(folder, name));
    }
  });

  it("a better direction of the call is recorded, also for a function without a name", async () => {
    const code = `export default { data: [{ id: "1", inputs: 1, outputs: 1 }], evaluators: [() => ({ key: "errs", score: 0 })] };`;
    const folder = await projectOf({ "a.mjs": code });
    await run(folder, "a.mjs", "--lower-is-better", "errs", "--output", "a.json");
    const { scales } = JSON.parse(await readFile(join(folder, "a.json"), "utf8"));
    expect(scales.errs).toMatchObject({ direction: "lower", passAt: 0 });
  });

  it("a better direction of the call also counts for a baseline that was recorded without it", async () => {
    const code = `export default { data: [{ id: "1", inputs: 1, outputs: 1 }], evaluators: [() => ({ key: "errs", score: true })] };`;
    const folder = await projectOf({ "a.mjs": code });
    await run(folder, "a.mjs", "--output", "old.json");
    const compared = await run(folder, "a.mjs", "--baseline", "old.json", "--lower-is-better", "errs");
    expect(compared.stdout).toMatch(/^errs +100\.0% +100\.0% +0\.0 pp/m);
    expect(compared.code).toBe(0);
  });

  it("a better direction of the call counts while it runs: in summaries, sinks and shards", async () => {
    const folder = await projectOf({
      "a.mjs": `
        import { passRate } from "openevals-wasm/evaluation";
        export const one = {
          data: [1, 2, 3, 4].map((outputs) => ({ inputs: outputs, outputs })),
          evaluators: [({ outputs }) => ({ key: "errs", score: outputs > 3 })],
          summaryEvaluators: [passRate({ key: "errs" })],
          output: { sink: "sink.jsonl" },
        };`,
      // The key of one experiment is no mistake in another.
      "b.mjs": doubling(9),
    });
    const lower = ["--lower-is-better", "errs"];
    expect(await run(folder, "a.mjs", "b.mjs", ...lower, "--output", "kept")).toMatchObject({ code: 0 });
    const { summaryResults } = JSON.parse(await readFile(join(folder, "kept/a-one.json"), "utf8"));
    // Three of four have no errors.
    expect(summaryResults).toMatchObject([{ key: "errs:pass_rate", score: 0.75 }]);
    expect((await readExperiment(join(folder, "sink.jsonl"))).scales?.errs).toMatchObject({
      direction: "lower",
    });
    await rm(join(folder, "sink.jsonl"));
    for (const part of ["1", "2"]) {
      await run(folder, "a.mjs", ...lower, "--shard", `${part}/2`, "--output", `${part}.json`);
      await rm(join(folder, "sink.jsonl"));
    }
    const merged = await runProgram(folder, ["merge", "1.json", "2.json"]);
    expect(merged.stdout).toContain("1 of 4 rows fails");
  });

  it("the name of a key says nothing about its better direction", async () => {
    const code = `export default { data: [{ outputs: 5 }], evaluators: [() => ({ key: "audio_quality", score: 1 })] };`;
    const folder = await projectOf({ "a.mjs": code });
    const { code: exit } = await run(folder, "a.mjs", "--each-at-least", "1", "--junit", "a.xml");
    expect(exit).toBe(0);
    expect(await readFile(join(folder, "a.xml"), "utf8")).toContain('failures="0"');
  });

  it("a baseline shows which keys became worse by more than chance", async () => {
    const folder = await projectOf({
      "good/a.mjs": doubling(12),
      "good/b.mjs": doubling(12),
      "bad/a.mjs": doubling(2),
      "bad/b.mjs": doubling(11),
      "bad/c.mjs": doubling(1),
    });
    expect((await run(folder, "good/*.mjs", "--output", "main")).code).toBe(0);
    const { code, stdout, stderr } = await run(folder, "bad/*.mjs", "--baseline", "main");
    // Ten of twelve: 2 / 2 ** 10; of two keys that are compared, the smaller counts twice. One of twelve may be chance.
    expect(stdout).toMatch(/^exact_match +100\.0% +16\.7% +-83\.3 pp .* 0\.004 +12 +0 +10$/m);
    expect(stdout).toMatch(/^exact_match +100\.0% +91\.7% +-8\.3 pp .* 1\.000 +12 +0 +1$/m);
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: "a: exact_match became worse.\nc: It is not in main, so it is not compared.\n",
    });
    const markdown = await run(folder, "bad/c.mjs", "--baseline", "main", "--format", "markdown");
    expect(markdown).toMatchObject({
      code: 0,
      stdout: expect.stringContaining("\n- ⚠ It is not in main, so it is not compared.\n"),
    });
    const one = await run(folder, "bad/b.mjs", "--baseline", "main/b.json", "--margin", "exact_match=0.02");
    expect(one.stderr).toMatch(/^b: Could not show that exact_match is at most 2 pp worse \(p = /);
    expect((await run(folder, "bad/*.mjs", "--baseline", "main/b.json")).stderr).toContain(
      "--baseline main/b.json is one experiment, but 3 are run; name a folder that --output wrote",
    );
  });
});

it("repetitions of a row that became worse are one row of a comment", async () => {
  const folder = await projectOf({
    "good.mjs": doubling(12, 'name: "a",'),
    "bad.mjs": doubling(11, 'name: "a",'),
  });
  const repeated = ["--repeat", "3"];
  await run(folder, "good.mjs", ...repeated, "--output", "main.json");
  const compared = ["--baseline", "main.json", "--format", "markdown"];
  const { stdout } = await run(folder, "bad.mjs", ...repeated, ...compared);
  expect(stdout).toContain("<summary>1 score that became worse</summary>");
  expect(stdout).toMatch(/^\| n11 ×3 \| exact\\_match \| true → false \|/m);
});

it("a shard and an experiment need not have the key of a pass mark of the command", async () => {
  const keysOf = (keys: string) => `
    import { defineExperiment } from "openevals-wasm/evaluation";
    export default defineExperiment({
      data: [{ outputs: "a" }, { outputs: "b" }],
      evaluators: [({ outputs }) => ${keys}.map((key) => ({ key, score: 0.5 }))],
    });`;
  const folder = await projectOf({
    "some.mjs": keysOf('(outputs === "b" ? ["all", "some"] : ["all"])'),
    "other.mjs": keysOf('["all"]'),
  });
  for (const index of [1, 2]) {
    const part = ["--shard", `${index}/2`, "--pass-at", "some=0.5", "--output", `part-${index}`];
    expect(await run(folder, "some.mjs", "other.mjs", ...part)).toMatchObject({ code: 0 });
  }
  for (const name of ["some", "other"]) {
    const merged = await runProgram(folder, [
      "merge",
      `part-1/${name}.json`,
      `part-2/${name}.json`,
      "--json",
    ]);
    expect(merged).toMatchObject({ code: 0, stderr: "" });
    const { scales } = JSON.parse(merged.stdout).experiments[0].experiment;
    expect(scales.some?.passAt).toBe(name === "some" ? 0.5 : undefined);
  }
  // Without shards, all keys are known.
  const whole = await run(folder, "other.mjs", "--pass-at", "some=0.5");
  expect(whole).toMatchObject({ code: 2, stderr: expect.stringContaining('--pass-at has the key "some"') });
});

it("shards are all rows together, with the ids that they have among all", async () => {
  const folder = await projectOf({ "a.mjs": doubling(9) });
  const shards = [];
  for (const index of [1, 2, 3, 4, 5]) {
    await run(folder, "a.mjs", "--shard", `${index}/5`, "--output", "shard.json", "--overwrite");
    shards.push(JSON.parse(await readFile(join(folder, "shard.json"), "utf8")));
  }
  expect(shards.map(({ shard }) => shard)).toEqual([1, 2, 3, 4, 5].map((index) => ({ index, count: 5 })));
  expect(shards.map(({ rows }) => rows.map(({ example }: any) => example.id))).toEqual([
    ["n0", "n5", "n10"],
    ["n1", "n6", "n11"],
    ["n2", "n7"],
    ["n3", "n8"],
    ["n4", "n9"],
  ]);
});

describe("judges", () => {
  let ollama: Loopback;
  beforeAll(async () => {
    ollama = await startOllama();
  });
  afterAll(() => ollama.close());

  it("find the cache, in modules and in CommonJS, also if one changes the working directory", async () => {
    const judged = `export default {
      data: [{ inputs: "q", outputs: "a", referenceOutputs: "a" }],
      evaluators: [createLLMAsJudge({
        prompt: CORRECTNESS_PROMPT,
        feedbackKey: "correct",
        judge: initChatModel("ollama:llama3.3", { baseURL: ${JSON.stringify(ollama.url)} }),
      })],
    };`;
    const names = "{ createLLMAsJudge, CORRECTNESS_PROMPT, initChatModel }";
    const folder = await projectOf({
      "a.mjs": `import ${names} from "openevals-wasm"; process.chdir("node_modules"); ${judged}`,
      "b.cjs": `const ${names} = require("openevals-wasm"); ${judged.replace("export default", "module.exports =")}`,
    });
    ollama.script.push(verdict({ reasoning: "So it is.", score: true }));
    expect((await run(folder, "a.mjs", "--cache", "answers")).stdout).toMatch(/^correct +100\.0%/m);
    const replayed = await run(folder, "a.mjs", "b.cjs", "--cache", "answers", "--cache-mode", "replay");
    expect(replayed.stdout.match(/^correct +100\.0%/gm)).toHaveLength(2);
    expect(ollama.requests).toHaveLength(1);
    expect(await readdir(folder)).toContain("answers");
  });
});

it("shows the finished rows when it is interrupted, and starts nothing more", async () => {
  const folder = await projectOf({
    "a.mjs": `export default {
      data: [{ inputs: 1 }, { inputs: 2 }],
      target: (n) => {
        if (n === 1) return n;
        process.kill(process.pid, "SIGINT");
        return new Promise(() => setTimeout(() => {}, 60_000));
      },
      evaluators: [({ outputs }) => ({ key: "one", score: outputs === 1 })],
      maxConcurrency: 1,
    };`,
    "b.mjs": doubling(1),
  });
  const child = spawn(process.execPath, [program, "run", "a.mjs", "b.mjs"], { cwd: folder });
  let said = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (text) => (said += text));
  child.stderr.on("data", () => child.kill());
  await once(child, "close");
  expect(said).toMatch(/^a-\w+ {2}1 row · /m);
  expect(said).toMatch(/^one +100\.0% /m);
  expect(said).toContain("Stopped before the end: The experiment was stopped by its signal: Ctrl-C");
  expect(said).not.toMatch(/^b-/m);
});

it("ends with the correct call if a maker is passed instead of an evaluator", async () => {
  const folder = await projectOf({
    "a.mjs": `import { noPII } from "openevals-wasm/checks";
      export default {
        data: [{ inputs: { question: "?" } }, { inputs: { question: "!" } }],
        target: () => { console.log("called"); return "a"; },
        evaluators: [noPII],
        maxConcurrency: 1,
      };`,
  });
  const { code, stdout, stderr } = await run(folder, "a.mjs");
  expect(code).toBe(2);
  expect(stderr).toContain("write noPII(), with its options");
  expect(stdout.match(/called/g)).toHaveLength(1);
});

it("a mean that equals its limit passes, in spite of rounding errors", async () => {
  const folder = await projectOf({
    "a.mjs": `
      // The mean of 0.1 and 0.2 exceeds 0.15 by 3e-17.
      export default {
        data: [0.2, 0.1].map((score) => ({ inputs: score, outputs: score })),
        evaluators: [({ outputs }) => ({ key: "tox", score: outputs })],
        failOver: { tox: 0.15 },
      };
    `,
  });
  expect(await runProgram(folder, ["run", "a.mjs"])).toMatchObject({ code: 0, stderr: "" });
});
