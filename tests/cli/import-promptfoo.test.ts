/** `import` of promptfoo configs. */

import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { modelServer } from "./model-server.js";
import { runProgram } from "./program.js";
import { projectOf } from "./project.js";

const fixture = (name: string) => readFile(join(import.meta.dirname, "imports/promptfoo", name), "utf8");
const PACKAGES = ["yaml", "esbuild"];

const imported = async (files: Record<string, string>, file: string, ...more: string[]) => {
  const folder = await projectOf(files, PACKAGES);
  return { folder, ...(await runProgram(folder, ["import", file, ...more])) };
};

const results = async (folder: string, file: string, env = {}) => {
  const { stdout, stderr } = await runProgram(folder, ["run", `evals/${file}`, "--format", "json"], env);
  if (!stdout.startsWith("[") && !stdout.startsWith("{")) throw new Error(stderr);
  return [JSON.parse(stdout)].flat();
};

const written = (folder: string, file: string) => readFile(join(folder, "evals", file), "utf8");

it("gives each test the verdict of promptfoo", async () => {
  const { folder, code, stdout } = await imported(
    { "assertions.yaml": await fixture("assertions.yaml") },
    "assertions.yaml",
  );
  expect({ code, stdout }).toEqual({
    code: 0,
    stdout: "created evals/assertions.jsonl\ncreated evals/assertions.eval.ts\n",
  });
  const [experiment] = await results(folder, "assertions.eval.ts");
  const { verdicts } = JSON.parse(await fixture("verdicts.json"));
  const own = experiment.rows.map(({ example, evaluationResults: [assertions, ...metrics] }: any) => ({
    description: example.metadata.description,
    pass: assertions.score,
    score: Math.round(assertions.metadata.score * 1e3) / 1e3,
    metrics: Object.fromEntries(metrics.map(({ key, score }: any) => [key, score])),
  }));
  expect(own).toEqual(
    verdicts.map((verdict: any) => ({ ...verdict, score: Math.round(verdict.score * 1e3) / 1e3 })),
  );
});

it("reads JSON, files of prompts, tests in CSV, and lists of values", async () => {
  const { folder, code, stderr } = await imported(
    {
      "promptfooconfig.json": JSON.stringify({
        prompts: ["file://prompts.txt"],
        providers: ["echo"],
        tests: [
          "file://tests.csv",
          { vars: { word: ["a", "b"], other: ["c", "d"] }, assert: [{ type: "equals", value: "x" }] },
        ],
      }),
      "prompts.txt": "say {{word}}\n---\nplease say {{ word }}\n",
      "tests.csv":
        'word,__expected1,__expected2,__metric\nhi,"contains-any: hi, ""ho, he""",levenshtein(3): say hi,close\n',
    },
    "promptfooconfig.json",
  );
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  const rows = (await written(folder, "promptfooconfig.jsonl"))
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  expect(rows[0]).toEqual({
    id: "1",
    inputs: { word: "hi" },
    metadata: {
      assert: [
        { type: "contains-any", value: ["hi", "ho, he"], metric: "close" },
        { type: "levenshtein", value: "say hi", threshold: 3, metric: "close" },
      ],
    },
  });
  expect(rows.slice(1).map(({ inputs }) => `${inputs.word}${inputs.other}`)).toEqual([
    "ac",
    "ad",
    "bc",
    "bd",
  ]);
  const experiments = await results(folder, "promptfooconfig.eval.ts");
  expect(
    experiments.map(({ rows: [row] }: any) => [row.run.outputs, row.evaluationResults[0].score]),
  ).toEqual([
    ["say hi", true],
    ["please say hi", false],
  ]);
});

it("takes a prompt that ends like a file for a prompt", async () => {
  const prompts = ["Explain it in node.js", "Summarize notes.txt"];
  const config = { prompts, providers: ["echo"], tests: [{ assert: [{ type: "contains", value: "." }] }] };
  const { folder, code } = await imported({ "c.json": JSON.stringify(config) }, "c.json");
  expect(code).toBe(0);
  const experiments = await results(folder, "c.eval.ts");
  expect(experiments.map(({ rows: [row] }: any) => row.run.outputs)).toEqual(prompts);
  // Of prompts without a label, the text is too long for a name.
  expect(experiments.map(({ metadata }: any) => metadata.matrix)).toEqual([
    { prompt: "prompt-1" },
    { prompt: "prompt-2" },
  ]);
});

it("asks models and judges as the config says, and copies no key", async () => {
  const { url, bodies } = await modelServer(({ model, messages }) =>
    JSON.stringify(messages).includes("rubric")
      ? JSON.stringify({ reasoning: "It rhymes.", score: true })
      : `A poem by ${model}`,
  );
  const config = `
prompts:
  - label: brief
    raw: '[{"role": "system", "content": "Be brief."}, {"role": "user", "content": "A poem on {{topic}}"}]'
providers:
  - id: openai:chat:gpt-4.1-mini
    label: small
    config: { temperature: 0.5, apiBaseUrl: "${url}", apiKeyEnvar: MY_KEY, apiKey: sk-secret-of-the-config }
  - id: openai:gpt-5.4
    config: { apiBaseUrl: "${url}" }
  - echo
tests:
  - vars: { topic: "{{weather}} {{unknown}}", weather: rain }
    assert: [{ type: llm-rubric, value: "It is a poem on {{weather}}", provider: "openai:gpt-5.4-nano" }]
`;
  const { folder, code, stderr } = await imported({ "poems.yaml": config }, "poems.yaml");
  expect(code).toBe(0);
  expect(stderr).toContain("Differs: providers[0].config.apiKey: secrets are not copied");
  expect(stderr).toContain("all judges ask the model in JUDGE instead of openai:gpt-5.4-nano");
  expect(await written(folder, "poems.eval.ts")).not.toContain("sk-secret");
  const env = { MY_KEY: "mine", OPENAI_API_KEY: "theirs", OPENAI_BASE_URL: url };
  const experiments = await results(folder, "poems.eval.ts", env);
  expect(
    experiments.map(({ rows: [row] }: any) => [row.run.outputs, row.evaluationResults[0].score]),
  ).toEqual([
    ["A poem by gpt-4.1-mini", true],
    ["A poem by gpt-5.4", true],
    [expect.stringContaining('"A poem on rain {{unknown}}"'), true],
  ]);
  const asked = bodies.filter(({ messages }) => messages[0].content === "Be brief.");
  expect(asked).toEqual([
    {
      key: "Bearer mine",
      model: "gpt-4.1-mini",
      temperature: 0.5,
      max_tokens: 1024,
      messages: [
        { role: "system", content: "Be brief." },
        { role: "user", content: "A poem on rain {{unknown}}" },
      ],
    },
    expect.objectContaining({ key: "Bearer theirs", model: "gpt-5.4" }),
  ]);
  const [judged] = bodies.filter(({ messages }) => JSON.stringify(messages).includes("rubric"));
  expect(JSON.stringify(judged.messages)).toContain("It is a poem on rain");
});

it("checks the latency of the target", async () => {
  const { url } = await modelServer(() => "Valletta");
  const config = {
    prompts: ["Capital of {{country}}?"],
    providers: [{ id: "openai:gpt-5.4", config: { apiBaseUrl: url } }],
    tests: [60_000, 1e-6].map((threshold) => ({
      vars: { country: "Malta" },
      assert: [
        { type: "contains", value: "Valletta" },
        { type: "latency", threshold },
      ],
    })),
  };
  const { folder } = await imported({ "c.json": JSON.stringify(config) }, "c.json");
  const [{ rows }] = await results(folder, "c.eval.ts", { OPENAI_API_KEY: "k" });
  expect(rows.map(({ evaluationResults: [{ score }], errors }: any) => [score, errors])).toEqual([
    [true, []],
    [false, []],
  ]);
});

it("scores only complete answers", async () => {
  const choice = (content: string | null, finish_reason: string) => ({
    choices: [{ message: { role: "assistant", content }, finish_reason }],
  });
  const answers: Record<string, string | object> = {
    whole: "null and void",
    filtered: choice(null, "content_filter"),
    censored: choice("null, and", "content_filter"),
    cut: choice("null, bec", "length"),
    refused: { error: { message: "overloaded" } },
    empty: choice("", "stop"),
  };
  const { url, bodies } = await modelServer(({ messages }) => answers[messages[0].content] as string);
  const config = {
    prompts: ["{{kind}}"],
    providers: ["openai:gpt-5.4"],
    tests: Object.keys(answers).map((kind) => ({
      vars: { kind },
      assert: [{ type: "contains", value: "null" }],
    })),
  };
  const { folder } = await imported({ "c.json": JSON.stringify(config) }, "c.json");
  // The provider's own variable, as for judges.
  const [{ rows }] = await results(folder, "c.eval.ts", { OPENAI_API_KEY: "k", OPENAI_BASE_URL: `${url}/` });
  const found = rows.map(({ run, evaluationResults: [result] }: any) => [
    run.error?.message ?? run.outputs,
    result?.score,
  ]);
  expect(found).toEqual([
    ["null and void", true],
    [expect.stringContaining("No complete answer (finish_reason content_filter)"), undefined],
    [expect.stringContaining("No complete answer (finish_reason content_filter)"), undefined],
    [expect.stringContaining("No complete answer (finish_reason length)"), undefined],
    [expect.stringContaining("overloaded"), undefined],
    ["", false],
  ]);
  const asked = bodies.length;
  const [unasked] = await results(folder, "c.eval.ts", { OPENAI_BASE_URL: url });
  expect(unasked.rows.map(({ run }: any) => run.error.message)).toEqual(
    Array(6).fill("No valid API key: set OPENAI_API_KEY"),
  );
  expect(bodies.length).toBe(asked);
});

it("names the missing package for running TypeScript", async () => {
  const config = {
    prompts: ["a"],
    providers: ["echo"],
    tests: [{ assert: [{ type: "contains", value: "a" }] }],
  };
  const folder = await projectOf({ "c.json": JSON.stringify(config) });
  const { code, stdout, stderr } = await runProgram(folder, ["import", "c.json"]);
  expect({ code, stdout }).toEqual({ code: 0, stdout: "created evals/c.jsonl\ncreated evals/c.eval.ts\n" });
  const ran = await runProgram(folder, ["run", "evals/c.eval.ts"]);
  // Node runs it from 22.18 on.
  expect(stderr.includes("npm install --save-dev esbuild")).toBe(ran.code === 2);
});

const PARTIAL = {
  prompts: ["{{q}}", "file://prompt.js", "{% if q %}x{% endif %}", "langfuse://greeting@production"],
  providers: ["echo", "exec:./ask.sh"],
  transform: 1,
  defaultTest: { options: { transform: "file://transform.js" } },
  tests: [
    {
      vars: { q: "a" },
      assert: [
        { type: "javascript", value: "file://check.js" },
        { type: "javascript", value: "output ===" },
        { type: "javascript", value: "context.logProbs.length > 3" },
        { type: "javascript", value: "require('fs').existsSync(output)" },
        { type: "python", value: "True" },
        { type: "contains", value: "a", config: {} },
        { type: "similar", value: 7 },
        { type: "no-such-type" },
        { type: "contains", value: "{{ q | upper }}" },
        { type: "contains", value: "file://secret.js" },
        { type: "contains", value: "file://missing.txt" },
        { type: "regex", value: "(" },
        { type: "contains-any", value: ["a", ""] },
        { type: "contains", value: "a" },
      ],
    },
    { vars: { q: "{{ r | upper }}" }, assert: [{ type: "contains", value: "a" }] },
    { vars: { q: "file://paper.pdf" }, assert: [{ type: "contains", value: "a" }] },
    { vars: { q: ["a", "file://missing.txt"] }, assert: [{ type: "contains", value: "a" }] },
  ],
};

it("lists what it cannot take, and writes the rest only with --partial", async () => {
  const files = { "c.json": JSON.stringify(PARTIAL) };
  const { folder, code, stdout, stderr } = await imported(files, "c.json");
  expect(code).toBe(1);
  expect(stdout).toBe("");
  expect(stderr.trim().split("\n")).toEqual([
    "Not imported: transform: it is not supported. Change the experiment instead",
    "Not imported: providers[1]: the provider exec:./ask.sh is not supported. Call your application in the target",
    "Not imported: defaultTest.options.transform: its code is in another file. Write it as a function in evaluators",
    "Not imported: tests[0].assert[0]: javascript reads its value from a program or a list of files. Write it into the config",
    "Not imported: tests[0].assert[1]: its JavaScript has a syntax error. Write it as a function in evaluators",
    "Not imported: tests[0].assert[2]: its JavaScript reads more of context than vars. Write it as a function in evaluators",
    "Not imported: tests[0].assert[3]: its JavaScript uses Node's require or process. Write it as a function in evaluators",
    "Not imported: tests[0].assert[4]: python runs Python. Write it as a function in evaluators",
    "Not imported: tests[0].assert[5]: contains has config, which is not supported. Write it as a function in evaluators",
    "Not imported: tests[0].assert[6]: the value of similar has to be a text or a list of texts",
    "Not imported: tests[0].assert[7]: no-such-type is not supported. Write it as a function in evaluators",
    "Not imported: tests[0].assert[8]: contains has a template with more than variables. Write the value out",
    "Not imported: tests[0].assert[9]: contains reads its value from a program or a list of files. Write it into the config",
    expect.stringMatching(
      /^Not imported: tests\[0\]\.assert\[10\], tests\[3\]\.vars\.q: There is no file .*missing\.txt\.$/,
    ),
    "Not imported: tests[0].assert[11]: the value of regex has to be a valid pattern",
    "Not imported: tests[0].assert[12]: the value of contains-any has to be a list of texts that are not empty",
    "Not imported: tests[1].vars.q: its template has more than variables. The test is left out",
    "Not imported: tests[2].vars.q: its value is in a file that is neither a text nor an image or a recording. The test is left out",
    "Not imported: prompts[1]: the prompt is a program. Call it in the target",
    "Not imported: prompts[2]: the prompt has a template with more than variables. Build it in render()",
    "Not imported: prompts[3]: the prompt is kept by another service. Write it into the config",
    "Nothing was written. To import the rest, add --partial.",
  ]);
  await expect(written(folder, "c.jsonl")).rejects.toThrow("ENOENT");
  expect((await runProgram(folder, ["import", "c.json", "--partial"])).code).toBe(0);
  const [experiment] = await results(folder, "c.eval.ts");
  expect(experiment.aggregates.assertions).toMatchObject({ mean: 1, count: 2 });
});
