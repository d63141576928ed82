/** Messages about keys, columns and rows, in terms of the command line. */
import { readFile, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { runProgram } from "./program.js";
import { lines, projectOf } from "./project.js";

const KEY = "openai:gpt-5.4 needs a key: set OPENAI_API_KEY in the environment";

it("a missing key ends a run before its target is called", async () => {
  const folder = await projectOf({
    "a.eval.mjs": `
      import { appendFileSync } from "node:fs";
      import { createLLMAsJudge } from "openevals-wasm";
      export default {
        data: [{ inputs: "a" }],
        target: () => (appendFileSync("calls", "x"), "b"),
        evaluators: [createLLMAsJudge({ prompt: "{outputs}", model: "openai:gpt-5.4", feedbackKey: "polite" })],
      };
    `,
  });
  expect(await runProgram(folder, ["run", "a.eval.mjs"])).toEqual({
    code: 2,
    stdout: "",
    stderr: `a.eval.mjs: polite: ${KEY}, or pass apiKey.\n`,
  });
  await expect(readFile(join(folder, "calls"))).rejects.toThrow("ENOENT");
});

it("score names no option of the API", async () => {
  const folder = await projectOf({ "rows.jsonl": lines([{ inputs: "a", outputs: "b" }]) });
  const score = async (model: string, more: string[] = [], env = {}) => {
    const args = ["score", "rows.jsonl", "--evaluator", "conciseness", "--model", model, ...more];
    const { code, stderr } = await runProgram(folder, args, env);
    expect(code).toBe(2);
    return stderr;
  };
  expect(await score("openai:gpt-5.4")).toBe(`openevals-wasm: conciseness: ${KEY}.\n`);
  expect(await score("openai:gpt-5.4", ["--estimate-rows", "2"])).toBe(
    `openevals-wasm: conciseness: ${KEY}.\n`,
  );
  expect(await score("azure:mine", [], { AZURE_OPENAI_API_KEY: "k" })).toMatch(
    /^openevals-wasm: conciseness: azure:mine needs an address: set AZURE_OPENAI_ENDPOINT in the environment, or pass --base-url\.\n$/,
  );
});

it.each([
  [
    "input,outputs\na,b\n",
    'rows.csv:1 has the column "input"; columns are id, inputs, outputs, referenceOutputs, reference_outputs, metadata, attachments, or fields of these with a dot; did you mean "inputs"?',
  ],
  [
    "id,inputs,output,expected\n1,a,b,c\n",
    'rows.csv:1 has the columns "output", "expected"; columns are id, inputs, outputs, referenceOutputs, reference_outputs, metadata, attachments, or fields of these with a dot. To use this data, pass --map outputs=output,referenceOutputs=expected.',
  ],
  [
    "inputs,outputs,answer\na,b,c\n",
    'rows.csv:1 has the column "answer"; columns are id, inputs, outputs, referenceOutputs, reference_outputs, metadata, attachments, or fields of these with a dot. To use this data, pass --map referenceOutputs=answer.',
  ],
  [
    "inputs,outputs,referenceOutputs,notes\na,b,b,c\n",
    'rows.csv:1 has the column "notes"; columns are id, inputs, outputs, referenceOutputs, reference_outputs, metadata, attachments, or fields of these with a dot; to keep it, pass --map metadata.notes=notes, and to pass it to the application, --map inputs.notes=notes.',
  ],
  [
    "inputs,outputs,referenceOutputs,map: { x },y\na,b,b,c,d\n",
    'rows.csv:1 has the columns "map: { x }", "y"; columns are id, inputs, outputs, referenceOutputs, reference_outputs, metadata, attachments, or fields of these with a dot; to keep them, pass --map "metadata.<column>=<column>", and to pass them to the application, --map "inputs.<column>=<column>".',
  ],
  [
    "ticket,q,bot_answer,gold,passages\n1,a,b,c,d\n",
    'rows.csv:1 has the columns "ticket", "q", "bot_answer", "gold", "passages"; columns are id, inputs, outputs, referenceOutputs, reference_outputs, metadata, attachments, or fields of these with a dot. To use this data, pass --map "inputs=<name>,outputs=<name>,referenceOutputs=gold", with the right name for each <name>.',
  ],
  [
    "inputs,expected,mine\na,b,c\n",
    'rows.csv:1 has the columns "expected", "mine"; columns are id, inputs, outputs, referenceOutputs, reference_outputs, metadata, attachments, or fields of these with a dot. To use this data, pass --map outputs=mine,referenceOutputs=expected.',
  ],
  [
    "question,expected\na,b\n",
    'rows.csv:1 has the columns "question", "expected"; columns are id, inputs, outputs, referenceOutputs, reference_outputs, metadata, attachments, or fields of these with a dot. To use this data, pass --map inputs=question,referenceOutputs=expected.',
  ],
])("%j: the message ends as a sentence does", async (csv, message) => {
  const folder = await projectOf({ "rows.csv": csv });
  const { code, stderr } = await runProgram(folder, ["score", "rows.csv", "--evaluator", "exact_match"]);
  expect({ code, stderr }).toEqual({ code: 2, stderr: `openevals-wasm: ${message}\n` });
});

it("rows with answers that are nested too deeply have no target that could have failed", async () => {
  const deep = `{"outputs":${"[".repeat(2000)}${"]".repeat(2000)},"referenceOutputs":1}\n`;
  const folder = await projectOf({ "rows.jsonl": deep });
  const { stdout } = await runProgram(folder, ["score", "rows.jsonl", "--evaluator", "exact_match"]);
  expect(stdout).toContain("! The row: invalid_input: The row has outputs that JSON cannot represent:");
});

it("rows with other fields have no target that could have failed", async () => {
  const folder = await projectOf({ "rows.jsonl": lines([{ inputs: "a", reply: "b" }]) });
  const args = ["score", "rows.jsonl", "--evaluator", "exact_match"];
  const { code, stdout } = await runProgram(folder, args);
  expect(code).toBe(2);
  expect(stdout).toContain("Ignored fields of the rows: reply");
  expect(stdout).toContain("! The row: invalid_input: The row has no outputs.");
  expect(stdout).not.toContain("The target");
  const markdown = await runProgram(folder, [...args, "--format", "markdown"]);
  expect(markdown.stdout).toContain("The row");
  expect(markdown.stdout).not.toContain("The target");
});

it("a missing key that no cached answer makes up for is a mistake in the file", async () => {
  const folder = await projectOf({
    "a.eval.mjs": `
      import { createLLMAsJudge } from "openevals-wasm";
      export default {
        data: [{ inputs: "a" }, { inputs: "c" }],
        target: () => "b",
        evaluators: [createLLMAsJudge({ prompt: "{inputs}{outputs}", model: "openai:gpt-5.4", feedbackKey: "polite" })],
      };
    `,
  });
  const { code, stdout, stderr } = await runProgram(folder, ["run", "a.eval.mjs", "--cache", "answers"]);
  expect({ code, stderr }).toEqual({
    code: 2,
    stderr: `a.eval.mjs: Nothing was measured: polite: ${KEY}, or pass apiKey.\n`,
  });
  expect(stdout).toContain("1 distinct error, in 2 places");
});

it("errors that differ only in the answer of a judge are one", async () => {
  const folder = await projectOf({
    "a.eval.mjs": `
      import { createLLMAsJudge } from "openevals-wasm";
      const judge = ({ messages }) => messages[0].content + " is good.\\nOn the whole. " + "Really. ".repeat(30);
      export default {
        data: ["a", "b", "c"].map((inputs) => ({ id: inputs, inputs })),
        target: (inputs) => {
          if (inputs === "c") throw new Error("offline");
          return inputs;
        },
        evaluators: [createLLMAsJudge({ prompt: "{outputs}", judge, feedbackKey: "polite" })],
      };
    `,
  });
  const { stdout } = await runProgram(folder, ["run", "a.eval.mjs", "--concurrency", "1"]);
  const really = (count: number) => Array(count).fill("Really.").join(" ");
  expect(stdout.slice(stdout.indexOf("2 distinct"))).toBe(`2 distinct errors, in 3 places

! polite: invalid_judge_output: The judge was asked twice, and its answer still cannot be used:
  there is no JSON in it.
  For example, it answered: a is good.\\nOn the whole. ${really(5)}
  ${really(12)} R…
    2 times: a, b

! The target: Error: offline
    c
`);
  const markdown = await runProgram(folder, ["run", "a.eval.mjs", "--format", "markdown"]);
  expect(markdown.stdout).toMatch(/^- 2 errors in rows a, b: polite: invalid\\_judge\\_output: .*a is good/m);
  expect(markdown.stdout).toMatch(/^- 1 error in row c: The target: Error: offline$/m);
});

it.each([
  [
    "failunder: { exact_match: 1 }, evaluators: [exactMatch]",
    'x: The experiment has no option "failunder"; did you mean failUnder?',
  ],
  [
    "keepRows: false, evaluators: [exactMatch]",
    'x: The experiment has no option "keepRows"; did you mean output.keepRows?',
  ],
  ['output: "rows.jsonl", evaluators: [exactMatch]', "x: The experiment.output needs an object of options"],
  [
    "nonsense: 1, evaluators: [exactMatch]",
    'x: The experiment has no option "nonsense"; it has name, data, target, evaluators',
  ],
  ['evaluators: ["exact_match"]', 'evaluators[0] is the text "exact_match"; names are for the command line'],
  [
    "evaluators: [levenshteinDistance], failUnder: { levenshtein_distance: 90 }",
    'The mean of "levenshtein_distance" must not be below 90, but its scores are from 0 to 1. Write 0.9 for 90%.',
  ],
  [
    "evaluators: [{ evaluator: levenshteinDistance, mapInputs: (row) => row }], failOver: { levenshtein_distance: -1 }",
    'The mean of "levenshtein_distance" must not be above -1, but its scores are from 0 to 1.',
  ],
  ["evaluators: exactMatch", "x: evaluators is a function; it has to be a list, such as [exactMatch]."],
  [
    "evaluators: [exactMatch], summaryEvaluators: () => 1",
    "x: summaryEvaluators is a function; it has to be a list, such as [exactMatch].",
  ],
  ["evaluators: []", "The experiment has no evaluators; add some to evaluators or summaryEvaluators."],
  [
    'evaluators: [createLLMAsJudge({ prompt: "{outputs}", model: "opnai:gpt-5.4" })]',
    'Unknown provider "opnai" in the model "opnai:gpt-5.4"; did you mean "openai:gpt-5.4"?',
  ],
])("%s is refused before the target is called", async (options, message) => {
  const folder = await projectOf({
    "x.eval.mjs": `
      import { appendFileSync } from "node:fs";
      import { createLLMAsJudge, exactMatch, levenshteinDistance } from "openevals-wasm";
      export default { data: [{ inputs: "a" }], target: () => appendFileSync("calls", "x"), ${options} };
    `,
  });
  const { code, stderr } = await runProgram(folder, ["run", "x.eval.mjs"]);
  expect(stderr).toContain(message);
  expect(code).toBe(2);
  await expect(readFile(join(folder, "calls"))).rejects.toThrow("ENOENT");
});

it("merge and replays advise options of the command line", async () => {
  const folder = await projectOf({
    "rows.jsonl": lines([
      { inputs: "a", outputs: "b" },
      { inputs: "c", outputs: "d" },
    ]),
  });
  const score = (...more: string[]) => runProgram(folder, ["score", "rows.jsonl", ...more]);
  await score("--evaluator", "valid_json", "--shard", "1/2", "--output", "part-1.jsonl");
  expect((await runProgram(folder, ["merge", "part-1.jsonl"])).stderr).toContain("Pass --partial to merge");
  const replay = ["--cache", "answers", "--cache-mode", "replay"];
  const { stdout } = await score("--evaluator", "conciseness", "--model", "ollama:x", ...replay);
  expect(stdout.replaceAll(/\s+/g, " ")).toContain("(on the command line: --cache-mode auto)");
});

it("the program names its option for pass marks, and accepts a byte order mark in files of experiments", async () => {
  const row = { inputs: "a", outputs: "ab", referenceOutputs: "a" };
  const folder = await projectOf({ "rows.jsonl": lines([row]) });
  const score = (...more: string[]) =>
    runProgram(folder, ["score", "rows.jsonl", "--evaluator", "levenshtein_distance", ...more]);
  for (const file of ["a.json", "a.jsonl"]) {
    const { stdout } = await score("--output", file);
    const advice = "passes only at 1; score with passAt (--pass-at) to accept less\n";
    expect(stdout).toContain(advice);
    // Neither `show` nor the report can set it.
    expect(await runProgram(folder, ["show", file])).toMatchObject({
      stdout: expect.stringContaining(advice),
    });
    await writeFile(join(folder, file), `\ufeff${await readFile(join(folder, file), "utf8")}`);
    expect(await runProgram(folder, ["compare", file, file])).toMatchObject({ code: 0, stderr: "" });
  }
});

it("a limit out of range that only the results show is refused, too", async () => {
  const folder = await projectOf({
    "x.eval.mjs": `
      const close = Object.assign(() => ({ key: "own", score: 0.5 }), { scale: { min: 0, max: 1 } });
      export default { data: [{ outputs: "a" }], evaluators: [close], failOver: { own: 50 } };
    `,
  });
  expect(await runProgram(folder, ["run", "x.eval.mjs"])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining(
      'The mean of "own" must not be above 50, but its scores are from 0 to 1. Write 0.5',
    ),
  });
});

it("score names the columns of the data if a metric lacks a value", async () => {
  const folder = await projectOf({ "rows.jsonl": lines([{ inputs: "a", outputs: "b" }]) });
  const said = async (...more: string[]) => {
    const { stdout } = await runProgram(folder, ["score", "rows.jsonl", ...more]);
    return stdout.replaceAll(/\s+/g, " ");
  };
  const columns =
    "Add the column or field to the data: inputs, outputs, referenceOutputs, or metadata.context";
  const bleu = await said("--evaluator", "bleu");
  expect(bleu).toContain(`BLEU needs referenceOutputs. ${columns}`);
  const faithful = await said("--evaluator", "faithfulness", "--model", "ollama:x");
  expect(faithful).toContain(`faithfulness needs context. ${columns}`);
  for (const text of [bleu, faithful]) expect(text).not.toContain("Call it with");
});

it.each([
  ["--pass-at other=1", '--pass-at has the key "other", which no result has'],
  [
    "--evaluator bleu --each-at-least 1 --evaluator word_count --pass-at word_count=1",
    "word_count: --pass-at needs",
  ],
  ["--map inputs=inputs,inputs.x=outputs", '--map has both "inputs" and one of its fields.'],
])("score %s is refused in terms of the command line", async (args, message) => {
  const folder = await projectOf({
    "rows.jsonl": lines([{ inputs: "a", outputs: "b", referenceOutputs: "b" }]),
  });
  const all = ["score", "rows.jsonl", "--evaluator", "exact_match", ...args.split(" ")];
  const { code, stderr } = await runProgram(folder, all);
  expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining(message) });
});

it("score gives no advice on arguments of functions", async () => {
  const folder = await projectOf({ "rows.jsonl": lines([{ inputs: "a", outputs: "b" }]) });
  const said = async (...args: string[]) => {
    const { stdout, stderr } = await runProgram(folder, ["score", ...args]);
    return `${stdout}${stderr}`.replaceAll(/\s+/g, " ");
  };
  await symlink("/dev/null", join(folder, "null.jsonl"));
  expect(await said("null.jsonl", "--evaluator", "valid_json")).toContain(
    "data null.jsonl is not a regular file, but a device, a pipe or a socket. Name a file. ",
  );
  const judged = ["rows.jsonl", "--evaluator", "plan_adherence", "--model"];
  expect(await said(...judged, "bedrock:x")).toContain(
    "AWS_REGION or AWS_DEFAULT_REGION in the environment. ",
  );
  expect(await said(...judged, "ollama:x")).toContain(
    "(passed: inputs, outputs). Add the column or field to the data: inputs, outputs,",
  );
});

it("a syntax error has its line and the code", async () => {
  const folder = await projectOf({ "a.eval.mjs": "export default {\n  data: [],\n  const x = 3\n};\n" });
  const { code, stderr } = await runProgram(folder, ["run", "a.eval.mjs"]);
  expect(code).toBe(2);
  expect(stderr).toMatch(/a\.eval\.mjs:3: SyntaxError: Unexpected .*\n.* const x = 3\n.*\^\n$/);
});

it("a syntax error at the end of a file has only its line", async () => {
  const folder = await projectOf({ "a.eval.mjs": "export default {\n" });
  const { stderr } = await runProgram(folder, ["run", "a.eval.mjs"]);
  expect(stderr).toMatch(/^a\.eval\.mjs: \S*a\.eval\.mjs:2: SyntaxError: Unexpected end of input\n$/);
});

it("a target that fails with other messages at the same place has one line", async () => {
  const target = "(n) => {\n  throw new Error(`no ${n}`);\n}";
  const experiment = `data: [{ inputs: 1 }, { inputs: 2 }, { inputs: 3 }], target: ${target}, evaluators: [() => 1]`;
  const folder = await projectOf({ "a.eval.mjs": `export default { ${experiment} };` });
  const { stderr } = await runProgram(folder, ["run", "a.eval.mjs"]);
  expect(stderr.match(/The target failed at .*/g)).toEqual([
    "The target failed at a.eval.mjs:2:9: Error: no 1 (3 rows, with other messages, too)",
  ]);
});

it("keys in errors of a user's code are in no message and in no file", async () => {
  const key = "sk-test-ABCDEFGHIJKLMNOP1234567890";
  const folder = await projectOf({
    "target.eval.mjs": `export default { data: [{ inputs: 1 }], target: () => { throw new Error("wrong key ${key}") }, evaluators: [() => 1] };`,
    "data.eval.mjs": `export default { data: (async function* () { throw new Error("wrong key ${key}") })(), evaluators: [() => 1] };`,
    "import.eval.mjs": `throw new Error("wrong key ${key}");`,
  });
  const files = ["a.xml", "a.html", "a.json"];
  const options = ["--junit", "a.xml", "--report", "a.html", "--output", "a.json", "--json", "--overwrite"];
  for (const name of ["target", "data", "import"]) {
    const { stdout, stderr } = await runProgram(folder, ["run", `${name}.eval.mjs`, ...options]);
    const written = await Promise.all(
      files.map((file) => readFile(join(folder, file), "utf8").catch(() => "")),
    );
    const all = [stdout, stderr, ...written].join("\n");
    expect(all).toContain("wrong key [redacted]");
    expect(all).not.toContain(key);
  }
});

it("a target that fails has the line of the code that failed, once for each", async () => {
  const folder = await projectOf({
    "app.mjs": "export const app = (order) => {\n  return order.customer.name;\n};\n",
    "a.eval.mjs": `
      import { app } from "./app.mjs";
      export default { data: [{ inputs: {} }, { inputs: {} }], target: app, evaluators: [() => 1] };
    `,
  });
  const { stderr } = await runProgram(folder, ["run", "a.eval.mjs"]);
  expect(stderr).toContain(
    "The target failed at app.mjs:2:25: TypeError: Cannot read properties of undefined (reading 'name') (2 rows)\n",
  );
});

it("files that a command writes are announced", async () => {
  const folder = await projectOf({ "rows.jsonl": lines([{ outputs: "b", referenceOutputs: "b" }]) });
  const said = async (...more: string[]) =>
    (await runProgram(folder, ["score", "rows.jsonl", "--evaluator", "exact_match", ...more])).stderr;
  expect(await said("--output", "out/a.json", "--report", "a.html")).toBe(
    "Experiment written to out/a.json\nReport written to a.html\n",
  );
  expect(await said("--output", "b.jsonl")).toBe("Experiment written to b.jsonl\n");
  expect(await said("--format", "markdown", "--output", "c.md", "--junit", "d.xml")).toBe(
    "Results written to c.md\nJUnit XML written to d.xml\n",
  );
});
