/** `import` of evals of OpenAI, datasets and logs, and of hostile files. */
import { mkdir, readdir, readFile, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { modelServer } from "./model-server.js";
import { runProgram } from "./program.js";
import { lines, projectOf } from "./project.js";

const fixture = (name: string) => readFile(join(import.meta.dirname, "imports", name), "utf8");
const PACKAGES = ["yaml", "esbuild"];

const imported = async (files: Record<string, string>, file: string, ...more: string[]) => {
  const folder = await projectOf(files, PACKAGES);
  return { folder, ...(await runProgram(folder, ["import", file, ...more])) };
};

const results = async (folder: string, file: string, env = {}) => {
  const { stdout } = await runProgram(folder, ["run", `evals/${file}`, "--format", "json"], env);
  return [JSON.parse(stdout)].flat();
};

const rowsIn = async (folder: string, file: string) =>
  (await readFile(join(folder, "evals", file), "utf8"))
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));

describe("evals of OpenAI", () => {
  it("score recorded answers", async () => {
    const files = {
      "tickets.json": await fixture("openai-evals/tickets.json"),
      "tickets.jsonl": await fixture("openai-evals/tickets.jsonl"),
    };
    const { folder, code, stderr } = await imported(files, "tickets.json", "--data", "tickets.jsonl");
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    const [{ rows, scales }] = await results(folder, "tickets.eval.ts");
    const scores = rows.map(({ evaluationResults }: any) =>
      evaluationResults.map(({ key, score }: any) => [key, score]),
    );
    // "Bug" is one of two words of "bug report": ROUGE-1 is 2 · 1 · 0.5 / 1.5.
    expect(scores).toEqual([
      [
        ["Right label", true],
        ["Not spam", true],
        ["Names the label", true],
        ["Close", 1],
      ],
      [
        ["Right label", false],
        ["Not spam", true],
        ["Names the label", false],
        ["Close", expect.closeTo(2 / 3)],
      ],
      [
        ["Right label", false],
        ["Not spam", false],
        ["Names the label", false],
        ["Close", 0],
      ],
    ]);
    expect(scales.Close.passAt).toBe(0.6);
  });

  it("ask the model of a run, and judges", async () => {
    const { url, bodies } = await modelServer(({ messages }) => {
      const text = JSON.stringify(messages);
      if (text.includes("Label")) return JSON.stringify({ reasoning: "r", score: true });
      return text.includes("Grade") ? JSON.stringify({ reasoning: "r", score: 0.75 }) : "Sorry for that.";
    });
    const user = (content: string) => [{ role: "user", content }];
    const graded = { type: "score_model", model: "gpt-5.4-mini" };
    const tone = {
      name: "Tone",
      model: "gpt-5.4-mini",
      labels: ["polite", "rude"],
      passing_labels: ["polite"],
    };
    const answer = "{{sample.output_text}}";
    const run = {
      testing_criteria: [
        { type: "label_model", ...tone, input: user(`Label ${answer} on {{item.ticket}}`) },
        {
          ...graded,
          name: "Grade",
          input: user(`Grade ${answer} {curly}`),
          range: [1, 5],
          pass_threshold: 4,
        },
        { ...graded, name: "Share", input: user(`Grade ${answer}`) },
      ],
      data_source: {
        type: "completions",
        model: "gpt-5.4",
        sampling_params: { temperature: 0, max_completions_tokens: 90, seed: null },
        input_messages: {
          type: "template",
          template: [{ role: "user", content: { type: "input_text", text: "Answer {{item.ticket}}" } }],
        },
        source: { type: "file_content", content: [{ item: { ticket: "It {x} broke" } }] },
      },
    };
    const { folder, code } = await imported({ "r.json": JSON.stringify(run) }, "r.json");
    expect(code).toBe(0);
    const file = join(folder, "evals/r.eval.ts");
    await writeFile(file, (await readFile(file, "utf8")).replace("https://api.openai.com/v1", url));
    const env = { OPENAI_API_KEY: "k", OPENAI_BASE_URL: url };
    const [{ rows, scales }] = await results(folder, "r.eval.ts", env);
    expect(rows[0].run.outputs).toBe("Sorry for that.");
    // 0.75 of the way from 1 to 5.
    expect(rows[0].evaluationResults.map(({ key, score }: any) => [key, score])).toEqual([
      ["Tone", true],
      ["Grade", 4],
      ["Share", 0.75],
    ]);
    expect(scales.Grade.passAt).toBe(4);
    expect(bodies[0]).toEqual({
      key: "Bearer k",
      model: "gpt-5.4",
      temperature: 0,
      max_completion_tokens: 90,
      messages: user("Answer It {x} broke"),
    });
    const asked = bodies.map(({ messages }) => messages.at(-1).content);
    expect(asked.join("\n")).toContain("Label Sorry for that. on It {x} broke");
    expect(asked.join("\n")).toContain("Grade Sorry for that. {curly}");
  });

  it("refuse python, and other fields of samples", async () => {
    const criteria = [
      { type: "python", name: "p", source: "def grade(sample, item): return 1" },
      { type: "string_check", name: "s", input: "{{sample.output_tools}}", reference: "a", operation: "eq" },
      { type: "string_check", name: "t", input: "a", reference: "a", operation: "glob" },
    ];
    const files = {
      "e.json": JSON.stringify({ testing_criteria: criteria }),
      "e.jsonl": lines([{ item: { a: 1 }, sample: { output_text: "a" } }]),
    };
    const { code, stderr } = await imported(files, "e.json", "--data", "e.jsonl");
    expect(code).toBe(1);
    expect(stderr.split("\n").slice(0, 3)).toEqual([
      "Not imported: testing_criteria[0]: python runs code. Write it as a function in evaluators",
      "Not imported: testing_criteria[1]: of samples, only output_text is read. Write it as a function in evaluators",
      "Not imported: testing_criteria[2]: its operation has to be one of eq, ne, like, ilike",
    ]);
  });

  it("need their rows", async () => {
    const { code, stderr } = await imported({ "e.json": '{"testing_criteria":[]}' }, "e.json");
    expect(stderr).toContain("e.json has no rows. Name the file with its rows: --data rows.jsonl.");
    expect(code).toBe(2);
  });
});

describe("datasets", () => {
  it.each<[string, object[]]>([
    [
      "deepeval.json",
      [
        {
          inputs: "Where is the lost property office?",
          outputs: "At platform 3.",
          referenceOutputs: "Platform 3",
          metadata: { source_file: "station.md", context: ["Lost property: platform 3."] },
        },
        { inputs: "When does it open?", outputs: "At 9", referenceOutputs: "At 8" },
      ],
    ],
    [
      "deepeval.csv",
      [
        {
          inputs: "Where is the lost property office?",
          outputs: "At platform 3.",
          referenceOutputs: "Platform 3",
          metadata: { context: ["Platform 3.", "Open from 8."], reference_context: ["Platform 3"] },
        },
        { inputs: "When does it open?", referenceOutputs: "At 8", metadata: { context: ["Open from 8."] } },
      ],
    ],
    [
      "langsmith.jsonl",
      [
        {
          id: "a1",
          inputs: { question: "Capital of Malta?" },
          referenceOutputs: { answer: "Valletta" },
          metadata: { dataset_split: ["base"] },
        },
        { id: "a2", inputs: { question: "Capital of Peru?" }, referenceOutputs: { answer: "Lima" } },
      ],
    ],
    [
      "langsmith.csv",
      [
        {
          inputs: { question: "Capital of Malta?" },
          outputs: { answer: "Valletta" },
          referenceOutputs: { answer: "Valletta" },
        },
        {
          inputs: { question: "Capital of Peru?" },
          outputs: { answer: "Quito" },
          referenceOutputs: { answer: "Lima" },
        },
      ],
    ],
    [
      "braintrust.jsonl",
      [
        {
          id: "b1",
          inputs: "2 + 2",
          outputs: "4",
          referenceOutputs: "4",
          metadata: { tags: ["sums"], level: 1 },
        },
        { id: "b2", inputs: "2 + 3", outputs: "6", referenceOutputs: "5", metadata: { level: 1 } },
      ],
    ],
    ["langfuse.json", [{ id: "l1", inputs: { text: "hola" }, referenceOutputs: "es" }]],
  ])("of %s become rows", async (name, rows) => {
    const { folder, code } = await imported(
      { [name]: await fixture(`datasets/${name}`) },
      name,
      "--out",
      "evals",
    );
    expect(code).toBe(0);
    expect(await rowsIn(folder, name.replace(/\..*/, ".jsonl"))).toEqual(rows);
  });

  it("with an id twice are named", async () => {
    const row = '{"id":"1","input":"q","expected":"a","output":"a"}\n';
    const { code, stderr } = await imported({ "b.jsonl": row + row }, "b.jsonl");
    expect(stderr).toContain("Not imported: row 2: an earlier row has the same id. Give each row its own\n");
    expect(code).toBe(1);
  });

  it("with recorded answers are an experiment that runs", async () => {
    const { folder } = await imported({ "b.jsonl": await fixture("datasets/braintrust.jsonl") }, "b.jsonl");
    const [{ aggregates }] = await results(folder, "b.eval.ts");
    expect(aggregates.exact_match).toMatchObject({ mean: 0.5, count: 2 });
  });

  it("without answers say where the application is called", async () => {
    const { folder } = await imported({ "l.jsonl": await fixture("datasets/langsmith.jsonl") }, "l.jsonl");
    const { code, stdout } = await runProgram(folder, ["run", "evals/l.eval.ts"]);
    expect(stdout).toContain("Call your application here, and return its answer");
    expect(code).toBe(2);
  });
});

it("logs of Inspect keep their scores", async () => {
  const { folder } = await imported({ "log.json": await fixture("datasets/inspect.json") }, "log.json");
  const [{ rows, aggregates }] = await results(folder, "log.eval.ts");
  expect(aggregates.includes).toMatchObject({ mean: 0.5, count: 2 });
  expect(rows[1].example.inputs).toEqual({ messages: [{ role: "user", content: "Capital of Malta?" }] });
  expect(rows.map(({ example, run }: any) => [example.id, example.outputs, run.outputs])).toEqual([
    ["1", "Valletta", "Valletta"],
    ["1 (epoch 2)", ["Valletta", "Il-Belt"], "Mdina"],
  ]);
});

it("logs of Inspect name samples that occur twice, and a run that ended early", async () => {
  const log = JSON.parse(await fixture("datasets/inspect.json"));
  const text = JSON.stringify({ ...log, status: "error", samples: [...log.samples, ...log.samples] });
  const { folder, code, stderr } = await imported({ "log.json": text }, "log.json");
  const [first, second] = [log.samples.length, log.samples.length + 1];
  expect(stderr).toContain('Differs: status: the run ended with "error", so the log may lack samples\n');
  expect(stderr).toContain(
    `Not imported: samples[${first}], samples[${second}]: an earlier row has the same id. Give each row its own\n`,
  );
  expect(code).toBe(1);
  await runProgram(folder, ["import", "log.json", "--partial"]);
  expect(await rowsIn(folder, "log.jsonl")).toHaveLength(2);
});

it("experiments come back from logs of Inspect", async () => {
  const rows = [
    { id: "a", inputs: "Capital of Malta?", outputs: "Valletta", referenceOutputs: "Valletta" },
    {
      id: "b",
      inputs: { messages: [{ role: "user", content: "And of Oman?" }] },
      outputs: "Nizwa",
      referenceOutputs: ["Muscat", "Maskat"],
      metadata: { topic: "Asia" },
    },
  ];
  const folder = await projectOf({ "rows.jsonl": lines(rows) }, PACKAGES);
  const score = ["score", "rows.jsonl", "--evaluator", "exact_match"];
  const { code, stdout } = await runProgram(folder, [...score, "--format", "inspect"]);
  expect(code).toBe(0);
  await writeFile(join(folder, "log.json"), stdout);
  const written = await runProgram(folder, ["import", "log.json"]);
  expect(written).toMatchObject({ code: 0, stderr: "" });
  expect(await rowsIn(folder, "log.jsonl")).toEqual(
    rows.map(({ metadata, ...row }) => ({
      ...row,
      metadata: { ...metadata, scores: { exact_match: expect.objectContaining({ score: row.id === "a" }) } },
    })),
  );
  const [{ aggregates }] = await results(folder, "log.eval.ts");
  expect(aggregates.exact_match).toMatchObject({ mean: 0.5, count: 2 });
});

it("each experiment is a log of Inspect, with a name that its viewer lists", async () => {
  const file = (answer: string) =>
    `export default { data: [{ inputs: "a", outputs: "a" }], target: () => "${answer}", evaluators: [() => 1] };`;
  const folder = await projectOf({ "a.eval.mjs": file("a"), "b.eval.mjs": file("b") });
  const run = (output: string) =>
    runProgram(folder, ["run", "a.eval.mjs", "b.eval.mjs", "--format", "inspect", "--output", output]);
  expect((await run("logs")).code).toBe(0);
  const names = (await readdir(join(folder, "logs"))).sort();
  expect(names).toHaveLength(2);
  for (const name of names) expect(name).toMatch(/^\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d_.+\.json$/);
  const answers = names.map(async (name) => {
    const { samples } = JSON.parse(await readFile(join(folder, "logs", name), "utf8"));
    return samples[0].messages[1].content;
  });
  expect((await Promise.all(answers)).sort()).toEqual(["a", "b"]);
  expect(await run("log.json")).toMatchObject({ code: 2, stderr: expect.stringContaining("into a folder") });
});

describe("hostile and broken files", () => {
  const bomb = Array.from(
    { length: 9 },
    (_, level) => `a${level}: &a${level} [${level ? Array(9).fill(`*a${level - 1}`) : Array(9).fill("x")}]`,
  ).join("\n");

  it.each<[string, string, string, string]>([
    ["JSON that is cut", "a.json", '{"prompts": [', "a.json is not valid JSON: "],
    ["a broken line", "a.jsonl", '{"input":1}\n{"input":', "a.jsonl:2 is not valid JSON: "],
    ["broken YAML", "a.yaml", "prompts: [a\ntests: }", "a.yaml is not valid YAML: "],
    ["aliases that unfold", "a.yaml", bomb, "a.yaml is not valid YAML: Excessive alias count"],
    ["an alias of itself", "a.yaml", "prompts: &p [*p]\ntests: []", "a.yaml "],
    [
      "a second document",
      "a.yaml",
      "tests: []\n---\ntests: []",
      "a.yaml is not valid YAML: Source contains multiple",
    ],
    ["a tag that is not known", "a.yaml", "tests: !secret x", "a.yaml is not valid YAML: Unresolved tag"],
    [
      "a number that is rounded",
      "a.yaml",
      "tests: 12345678901234567890",
      "a.yaml has the number 12345678901234567000",
    ],
    ["a number that JSON lacks", "a.yaml", "tests: .nan", "a.yaml has the number NaN, which"],
    ["a set", "a.yaml", "tests: !!set {a, b}", "a.yaml "],
    [
      "a quote that is open",
      "a.csv",
      'input,expected\n"a,b',
      "a.csv has a quote that is not closed, or text beside a quoted cell, in line 2.",
    ],
    [
      "a row that is too short",
      "a.csv",
      "input,expected\na\n",
      "a.csv has 1 cells in row 1, and the header has 2.",
    ],
    [
      "deep JSON",
      "a.json",
      `${"[".repeat(300)}${"]".repeat(300)}`,
      "a.json is nested more than 200 levels deep.",
    ],
    [
      "other JSON",
      "a.json",
      '{"hello":1}',
      "a.json is not recognised: it has hello. Name the tool with --from",
    ],
    [
      "traces",
      "a.json",
      '{"resourceSpans":[]}',
      "a.json has traces, not rows. Read it in code, with trajectoriesFromOtlp",
    ],
    ["a text", "a.txt", "hello", "a.txt is not recognised. Name the tool with --from"],
    ["a config without rows", "a.json", '{"prompts":[],"tests":[]}', "a.json has no rows to import."],
  ])("%s is an error with its place", async (_, name, text, message) => {
    const { code, stderr } = await imported({ [name]: text }, name);
    expect(stderr).toContain(message);
    expect(stderr).not.toMatch(/\n\s+at /);
    expect(code).toBe(2);
  });

  it("files outside of the folder of the config are not read", async () => {
    const folder = await projectOf({ "secret.txt": "secret" }, PACKAGES);
    await mkdir(join(folder, "evals-of-us"));
    await symlink(join(folder, "secret.txt"), join(folder, "evals-of-us/link.txt"));
    for (const path of ["../secret.txt", join(folder, "secret.txt"), "link.txt"]) {
      const config = { prompts: [`file://${path}`], providers: ["echo"], tests: [{ vars: {} }] };
      await writeFile(join(folder, "evals-of-us/c.json"), JSON.stringify(config));
      const { code, stderr } = await runProgram(folder, ["import", "evals-of-us/c.json"]);
      expect(stderr).toContain("which is outside of its folder. Copy the file into it.");
      expect(code).toBe(1);
    }
  });

  it("existing files stay", async () => {
    const text = await fixture("datasets/braintrust.jsonl");
    const { folder, code, stderr } = await imported(
      { "b.jsonl": text, "evals/b.eval.ts": "mine" },
      "b.jsonl",
    );
    expect(stderr).toContain(
      "evals/b.eval.ts exists already. Move it, or name another folder with --out. Nothing was written.",
    );
    expect(code).toBe(2);
    expect(await readFile(join(folder, "evals/b.eval.ts"), "utf8")).toBe("mine");
    await expect(readFile(join(folder, "evals/b.jsonl"))).rejects.toThrow("ENOENT");
  });

  it("code in names and texts stays text", async () => {
    const text = '`${process.exit(7)}`"); process.exit(8); //';
    const config = {
      prompts: [
        { label: text, raw: text },
        { label: "b", raw: "b" },
      ],
      providers: ["echo"],
      tests: [{ vars: { [text]: text }, assert: [{ type: "contains", value: text, metric: text }] }],
    };
    const { folder, code } = await imported({ "c.json": JSON.stringify(config) }, "c.json");
    expect(code).toBe(0);
    const [first] = await results(folder, "c.eval.ts");
    expect(first.rows[0].evaluationResults[0].score).toBe(true);
  });

  it("names its options", async () => {
    const folder = await projectOf({ "b.jsonl": await fixture("datasets/braintrust.jsonl") });
    const refused = await runProgram(folder, ["import", "b.jsonl", "--data", "c.jsonl"]);
    expect(refused.stderr).toContain("--data applies only to evals of OpenAI");
    expect((await runProgram(folder, ["import"])).stderr).toContain("import needs one file of another tool.");
  });
});

it("keeps letters of all languages in the names of files", async () => {
  for (const [file, stem] of [
    ["ünï.jsonl", "ünï"],
    ["質問 1.jsonl", "質問-1"],
    ["..jsonl", "imported"],
  ]) {
    const text = lines([{ input: "q", expected: "a" }]);
    const { stdout } = await imported({ [file as string]: text }, file as string, "--from", "braintrust");
    expect(stdout).toContain(`created evals/${stem}.eval.ts\n`);
  }
});
