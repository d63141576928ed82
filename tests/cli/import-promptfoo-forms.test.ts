/** `import` of promptfoo configs in the forms of the published examples. */

import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { modelServer } from "./model-server.js";
import { runProgram } from "./program.js";
import { projectOf } from "./project.js";

const imported = async (files: Record<string, string>, ...more: string[]) => {
  const folder = await projectOf(files, ["yaml", "esbuild"]);
  return { folder, ...(await runProgram(folder, ["import", "c.yaml", ...more])) };
};

const experimentsIn = async (folder: string, env = {}) => {
  const { stdout, stderr } = await runProgram(folder, ["run", "evals/c.eval.ts", "--format", "json"], env);
  if (!stdout.startsWith("[") && !stdout.startsWith("{")) throw new Error(stderr);
  return [JSON.parse(stdout)].flat();
};

const written = (folder: string, file: string) => readFile(join(folder, "evals", file), "utf8");

const rowsIn = async (folder: string) =>
  (await written(folder, "c.jsonl"))
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));

it("sends messages in YAML and JSON as they are written", async () => {
  const { url, bodies } = await modelServer(() => "Valletta");
  const files = {
    "c.yaml": `
prompts:
  - |
    - role: system
      content: 'Answer "{{word}}".'
    - role: user
      content: "{{question}}"
  - file://chat.yaml
  - file://chat.json
  - "{{history}}"
providers: [{ id: openai:gpt-4.1, config: { apiBaseUrl: "${url}" } }]
tests:
  - vars:
      word: one "word"
      question: "Capital of Malta?\\n"
      history: '[{"role": "user", "content": "Where is Gozo?"}]'
    assert: [{ type: contains, value: Valletta }]
`,
    "chat.yaml": `- role: user\n  content: "YAML: {{question}}"\n`,
    "chat.json": JSON.stringify([
      { role: "assistant", content: null, tool_calls: [{ id: "1", function: { name: "look_up" } }] },
      { role: "tool", tool_call_id: "1", content: "{{word}}" },
      { role: "user", content: [{ type: "text", text: "JSON: {{question}}" }] },
    ]),
  };
  const { folder, code } = await imported(files);
  expect(code).toBe(0);
  await experimentsIn(folder, { OPENAI_API_KEY: "k" });
  const sent = bodies.map(({ messages }) => messages);
  expect(sent).toHaveLength(4);
  expect(sent).toEqual(
    expect.arrayContaining([
      [
        { role: "system", content: 'Answer "one "word"".' },
        { role: "user", content: "Capital of Malta?" },
      ],
      [{ role: "user", content: "YAML: Capital of Malta?" }],
      [
        { role: "assistant", content: null, tool_calls: [{ id: "1", function: { name: "look_up" } }] },
        { role: "tool", tool_call_id: "1", content: 'one "word"' },
        { role: "user", content: [{ type: "text", text: "JSON: Capital of Malta?" }] },
      ],
      [{ role: "user", content: "Where is Gozo?" }],
    ]),
  );
});

it("asks as promptfoo does: with its defaults, tools and schemas", async () => {
  const call = { id: "1", type: "function", function: { name: "look_up", arguments: '{"of":"Malta"}' } };
  const { url, bodies } = await modelServer(({ tools }) =>
    tools
      ? { choices: [{ message: { content: null, tool_calls: [call] }, finish_reason: "tool_calls" }] }
      : '{ "city": "Valletta" }',
  );
  const { folder, code } = await imported({
    "c.yaml": `
prompts: ["Capital of Malta?"]
providers:
  - id: openai:gpt-4.1
    config: { apiBaseUrl: "${url}", tools: "file://tools.yaml", passthrough: { store: true } }
  - id: openai:gpt-4.1
    config: { apiBaseUrl: "${url}", temperature: 1, response_format: "file://schema.json" }
  - id: openai:responses:gpt-5.4
    config: { apiBaseUrl: "${url}", temperature: 0, max_tokens: 100, max_completion_tokens: 200 }
tests:
  - assert: [{ type: javascript, value: "(output[0]?.function?.name ?? output.city ?? output.length) !== undefined" }]
  - assert: [{ type: contains-any, value: ['"look_up"', '{"city":"Valletta"}', '{ "city": "Valletta" }'] }]
`,
    "tools.yaml": "- { type: function, function: { name: look_up } }\n",
    "schema.json": JSON.stringify({ type: "json_schema", json_schema: { name: "city", schema: {} } }),
  });
  expect(code).toBe(0);
  const experiments = await experimentsIn(folder, { OPENAI_API_KEY: "k" });
  expect(experiments.map(({ rows }: any) => rows.map(({ run }: any) => run.outputs))).toEqual([
    [[call], [call]],
    [{ city: "Valletta" }, { city: "Valletta" }],
    ['{ "city": "Valletta" }', '{ "city": "Valletta" }'],
  ]);
  for (const { aggregates } of experiments)
    expect(aggregates.assertions).toMatchObject({ mean: 1, count: 2 });
  const settings = bodies.map(({ key: _, messages: __, ...body }) => body);
  const [tool] = [{ type: "function", function: { name: "look_up" } }];
  expect(settings).toContainEqual({
    ...{ model: "gpt-4.1", temperature: 0, max_tokens: 1024, tools: [tool], store: true },
  });
  expect(settings).toContainEqual({
    ...{ model: "gpt-4.1", temperature: 1, max_tokens: 1024 },
    response_format: { type: "json_schema", json_schema: { name: "city", schema: {} } },
  });
  expect(settings).toContainEqual({ model: "gpt-5.4", max_completion_tokens: 200 });
});

it("keeps variables, metadata and repetitions", async () => {
  const files = {
    "c.yaml": `
prompts: ["{{a}}"]
providers: [echo]
evaluateOptions: { repeat: 2 }
defaultTest: file://default.yaml
tests:
  - vars: { a: [], numbers: [1, 2], people: [{ name: Ann }] }
    metadata: { topic: lists }
  - vars: { a: ["file://note.txt", "file://note.yaml", plain] }
  - vars: file://vars.yaml
  - vars: { a: ["file://photo.jpg", "file://note.mp3"] }
  - file://tests.csv
`,
    "default.yaml": `metadata: { team: blue }\nassert: [{ type: javascript, value: file://is-text.txt }]\n`,
    "is-text.txt": 'typeof output === "string"\n',
    "note.txt": "\n a note \n",
    "photo.jpg": "photo",
    "note.mp3": "sound",
    "note.yaml": "steps:\n  - one\n",
    "vars.yaml": 'a: "{{b}}"\nb: "{{c}} {{missing}}"\nc: "end\\n"\n',
    "tests.csv": "a,__metadata:topic\nx,cells\n",
  };
  const { folder, code, stderr } = await imported(files);
  expect({ code, stderr }).toEqual({
    code: 0,
    stderr: expect.stringMatching(/^Differs: defaultTest\.assert\[0\]: its JavaScript is copied\..*\n$/),
  });
  const rows = await rowsIn(folder);
  expect(rows.map(({ inputs }) => inputs)).toEqual([
    { a: [], numbers: [1, 2], people: [{ name: "Ann" }] },
    { a: "a note" },
    { a: '{"steps":["one"]}' },
    { a: "plain" },
    { a: "end {{missing}}", b: "end {{missing}}", c: "end" },
    { a: "data:image/jpeg;base64,cGhvdG8=" },
    { a: "c291bmQ=" },
    { a: "x" },
  ]);
  expect(rows.map(({ metadata: { team, topic } }) => [team, topic])).toEqual([
    ["blue", "lists"],
    ...Array(6).fill(["blue", undefined]),
    ["blue", "cells"],
  ]);
  const [{ rows: run, aggregates }] = await experimentsIn(folder);
  expect(run).toHaveLength(16);
  expect(aggregates.assertions).toMatchObject({ mean: 1 });
});

it("splits only texts at lines of hyphens", async () => {
  const { folder } = await imported({
    "c.yaml": `
prompts: [file://a.txt, file://b.md, file://c.jsonl, file://d.j2]
providers: [echo]
tests: [{ assert: [{ type: contains, value: x }] }]
`,
    "a.txt": "one x\r\n---\r\ntwo x\n",
    "b.md": "three\n---\nx\n",
    "c.jsonl": '[{"content":"four x"}]\n[{"content":"five x"}]\n',
    "d.j2": "six x",
  });
  const outputs = (await experimentsIn(folder)).map(({ rows: [row] }: any) => row.run.outputs);
  const json = (content: string) => JSON.stringify([{ content }], null, 2);
  expect(outputs).toEqual(["one x", "two x", "three\n---\nx\n", json("four x"), json("five x"), "six x"]);
});

it("keeps providers of the same name apart, and takes no agent for a model", async () => {
  const providers = [
    { id: "openai:gpt-4.1", config: { temperature: 0 } },
    { id: "openai:gpt-4.1", config: { temperature: 1 } },
    ...["openai:codex-sdk", "openai:agents:guide", "openai:embeddings:text-3", "anthropic:claude-agent-sdk"],
    { id: "azure:chat:ours", config: { apiHost: "ours.openai.azure.com", apiVersion: "2025-01-01" } },
    "azure:chat:without-host",
    { id: "openai:gpt-4.1", config: { response_format: "file://schema.js", temperature: "{{ env.T }}" } },
  ];
  const config = { prompts: ["a"], providers, tests: [{ assert: [{ type: "contains", value: "a" }] }] };
  const { folder, code, stderr } = await imported({ "c.yaml": JSON.stringify(config) }, "--partial");
  expect(code).toBe(0);
  for (const [index, id] of [
    [2, "openai:codex-sdk"],
    [3, "openai:agents:guide"],
    [5, "anthropic:claude-agent-sdk"],
  ])
    expect(stderr).toContain(`providers[${index}]: the provider ${id} is not supported`);
  expect(stderr).toContain("providers[7].config: it has no apiHost");
  expect(stderr).toContain(
    "providers[8].config.response_format: it is in a file that is neither JSON nor YAML",
  );
  expect(stderr).toContain("providers[8].config.temperature: it has a template");
  const source = await written(folder, "c.eval.ts");
  for (const name of [
    '"openai:gpt-4.1": {',
    '"openai:gpt-4.1 2": {',
    '"https://ours.openai.azure.com/openai/v1"',
  ])
    expect(source).toContain(name);
});

it("lists what is missing also where no row is left", async () => {
  const red = await imported({ "c.yaml": "targets: [echo]\nredteam: { plugins: [pii] }\n" });
  expect(red.code).toBe(2);
  expect(red.stderr).toContain("Not imported: redteam: ");
  expect(red.stderr).toContain("c.yaml has no rows to import.");
  const elsewhere = await imported({
    "c.yaml": "prompts: [a]\nproviders: [echo]\ntests: huggingface://datasets/x\n",
  });
  expect(elsewhere.stderr).toContain("Not imported: tests[0]: tests can be in a file that ends in");
});

it("leaves a place for the application where no prompt is left", async () => {
  const { folder, code } = await imported(
    {
      "c.yaml":
        "prompts: [file://prompt.py]\nproviders: [openai:gpt-4.1, openai:gpt-5.4]\ntests: [{ assert: [{ type: contains, value: a }] }]\n",
    },
    "--partial",
  );
  expect(code).toBe(0);
  const [{ rows }] = await experimentsIn(folder);
  expect(rows[0].run.error.message).toContain("Call your application here");
});
