/** `import` of files that are made to leak keys, or to take all time and memory. */
import { readdir, readFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { runProgram } from "./program.js";
import { lines, projectOf } from "./project.js";

const imported = async (config: object, ...more: string[]) => {
  const folder = await projectOf({ "c.json": JSON.stringify(config) }, ["esbuild"]);
  return { folder, ...(await runProgram(folder, ["import", "c.json", ...more])) };
};

const results = async (folder: string, env = {}) => {
  const { stdout, stderr } = await runProgram(folder, ["run", "evals/c.eval.ts", "--format", "json"], env);
  return { stderr, text: stdout, experiments: [JSON.parse(stdout)].flat() };
};

const written = (folder: string, file: string) => readFile(join(folder, "evals", file), "utf8");
const asserts = (...assert: object[]) => ({ prompts: ["a"], providers: ["echo"], tests: [{ assert }] });

it("an answer with the key does not put it into the experiment", async () => {
  const server = createServer((request, response) => {
    const message = `Incorrect API key provided: ${request.headers.authorization}`;
    const isRefused = request.url?.startsWith("/refused");
    response.writeHead(isRefused ? 401 : 200, { "content-type": "application/json" });
    response.end(JSON.stringify({ error: { message } }));
  }).listen(0, "127.0.0.1");
  afterAll(() => void server.close());
  await new Promise((resolve) => server.once("listening", resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const config = { ...asserts({ type: "contains", value: "a" }), providers: ["openai:gpt-5.4"] };
  const { folder } = await imported(config);
  const key = "sk-live-0123456789";
  for (const [path, message] of [
    ["refused", "401 "],
    ["empty", "No complete answer"],
  ]) {
    const env = { OPENAI_API_KEY: `${key}\n`, OPENAI_BASE_URL: `${url}/${path}` };
    const { experiments, text, stderr } = await results(folder, env);
    const [{ rows }] = experiments;
    expect(rows[0].run.error.message).toContain(message);
    expect(rows[0].run.error.message).toContain("Incorrect API key provided: Bearer [key]");
    expect(text + stderr).not.toContain(key);
  }
  const { experiments, text } = await results(folder, { OPENAI_API_KEY: `${key}\nx`, OPENAI_BASE_URL: url });
  expect(experiments[0].rows[0].run.error.message).toContain("No valid API key: set OPENAI_API_KEY");
  expect(text).not.toContain(key);
});

it("secrets of addresses and requests are not copied", async () => {
  const apiBaseUrl = "https://user:sk-secret-password@models.example/v1?api_key=sk-live-123";
  const config = { apiBaseUrl, passthrough: { api_key: "sk-live-456", max_output_tokens: 9 } };
  const { folder, code, stderr } = await imported({
    ...asserts({ type: "contains", value: "a" }),
    providers: [{ id: "openai:gpt-5.4", config }],
  });
  expect(code).toBe(0);
  expect(stderr.trim().split("\n")).toEqual([
    "Differs: providers[0].config.apiBaseUrl: its user, password and query are not copied, because they may be secrets",
    "Differs: providers[0].config.api_key: secrets are not copied; set the environment variable of the provider",
  ]);
  const file = await written(folder, "c.eval.ts");
  expect(file).toContain('"url": "https://models.example/v1"');
  expect(file).toContain('"max_output_tokens": 9');
  expect(file).not.toMatch(/sk-|user:/);
});

it("a text that is not an address is not copied", async () => {
  const providers = [{ id: "openai:gpt-5.4", config: { apiBaseUrl: "user:sk-secret@models.example/v1" } }];
  const { code, stderr } = await imported({ ...asserts({ type: "contains", value: "a" }), providers });
  expect(code).toBe(1);
  expect(stderr).toContain("it is not an address that begins with http:// or https://");
});

const doubled = (name: (depth: number) => string, reference: (depth: number) => unknown) =>
  Object.fromEntries(Array.from({ length: 26 }, (_, depth) => [name(depth), reference(depth + 1)]));
const template = (name: string) => ({ $ref: `#/assertionTemplates/${name}` });
const set = (...names: string[]) => ({ type: "assert-set", assert: names.map(template) });
const megabyte = "x".repeat(1_000_000);

it.each([
  [
    "a template that refers to itself",
    { assertionTemplates: { a: set("a") }, ...asserts(template("a")) },
    "assert-set is in itself",
  ],
  [
    "a template that refers to itself twice",
    { assertionTemplates: { a: set("a", "a") }, ...asserts(template("a")) },
    "with its templates, the list has more than 10000 assertions",
  ],
  [
    "templates that each name the next one twice",
    {
      assertionTemplates: doubled(
        (depth) => `t${depth}`,
        (next) => set(`t${next}`, `t${next}`),
      ),
      ...asserts(template("t0")),
    },
    "with its templates, the list has more than 10000 assertions",
  ],
  [
    "a long variable in many values",
    {
      ...asserts(),
      tests: [
        { vars: { a: megabyte }, assert: [{ type: "contains-any", value: Array(1000).fill("{{a}}") }] },
      ],
    },
    "its variables are too long, or are in too many values",
  ],
  [
    "a long variable many times in a value",
    {
      ...asserts(),
      tests: [{ vars: { a: megabyte }, assert: [{ type: "contains", value: "{{a}}".repeat(1000) }] }],
    },
    "its variables are too long, or are in too many values",
  ],
  [
    "variables that each name the next one twice",
    {
      ...asserts(),
      tests: [
        {
          vars: {
            ...doubled(
              (depth) => `v${depth}`,
              (next) => `{{v${next}}}{{v${next}}}`,
            ),
            v26: "long text",
          },
        },
      ],
    },
    "its variables are too long, or name each other too often",
  ],
  [
    "a long variable in a row for each of many values",
    {
      ...asserts(),
      tests: [{ vars: { a: megabyte, b: Array.from({ length: 1000 }, (_, n) => `b${n}`) } }],
    },
    "there are more than 100000 rows, or 200 million characters in them. Split the tests",
  ],
])("%s is a finding", async (_, config, message) => {
  const { code, stderr } = await imported(config);
  expect(stderr).toContain(message);
  expect(stderr).not.toMatch(/\n\s+at /);
  expect(code).toBeGreaterThan(0);
});

it("a long variable that few values name is taken", async () => {
  const vars = { a: "b", image: megabyte.repeat(10) };
  const assert = Array(10).fill({ type: "contains", value: "{{a}}" });
  const { code, stderr } = await imported({ ...asserts(), tests: [{ vars, assert }] });
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
});

it("200,000 rows that are left out are counted in seconds", async () => {
  const folder = await projectOf({ "d.jsonl": lines(Array(200_000).fill({ expected: "a" })) });
  const start = performance.now();
  const { code, stderr } = await runProgram(folder, ["import", "d.jsonl", "--from", "braintrust"]);
  expect(stderr).toContain(
    "Not imported: row 1, row 2, row 3, row 4, row 5 and 199995 more: it has no inputs",
  );
  expect(code).toBe(2);
  // It took 97 s when each row searched the list of all rows before it.
  expect(performance.now() - start).toBeLessThan(40_000);
}, 60_000);

it("10,000 equal prompts get names in seconds", async () => {
  const start = performance.now();
  const { folder, code } = await imported({
    ...asserts({ type: "contains", value: "a" }),
    prompts: Array(10_000).fill({ raw: "a", label: "a" }),
  });
  expect(code).toBe(0);
  expect(await written(folder, "c.eval.ts")).toContain('"a 10000": "a"');
  // Cubic time would be minutes.
  expect(performance.now() - start).toBeLessThan(30_000);
}, 60_000);

it("takes a prompt with the name __proto__", async () => {
  const prompts = ["__proto__", "other"].map((label) => ({ label, raw: label }));
  const { folder, code } = await imported({ ...asserts({ type: "contains", value: "proto" }), prompts });
  expect(code).toBe(0);
  const { experiments } = await results(folder);
  expect(experiments.map(({ rows }: any) => rows[0].run.outputs)).toEqual(["__proto__", "other"]);
});

it("of two imports at once, one writes both files", async () => {
  // Large, so that both write at the same time.
  const text = (name: string) => name + "x".repeat(1000);
  const rows = (name: string) => lines(Array(10_000).fill({ input: text(name), expected: name }));
  const folder = await projectOf({ "one/d.jsonl": rows("one"), "two/d.jsonl": rows("two") });
  const ended = await Promise.all(
    ["one", "two"].map((name) => runProgram(folder, ["import", `${name}/d.jsonl`])),
  );
  expect(ended.map(({ code }) => code).sort()).toEqual([0, 2]);
  const winner = ended[0]?.code === 0 ? "one" : "two";
  const own = lines(Array(10_000).fill({ inputs: text(winner), referenceOutputs: winner }));
  expect((await written(folder, "d.jsonl")) === own).toBe(true);
  expect((await readdir(join(folder, "evals"))).sort()).toEqual(["d.eval.ts", "d.jsonl"]);
});

it("looks for JSON in answers with many braces in bounded time", async () => {
  const answers = {
    open: "{ ".repeat(80_000),
    nested: "{ ".repeat(80_000) + "}".repeat(80_000),
    found: `${"{ ".repeat(10_000)} {"a": 1} {"a": "b"}`,
    invalid: '{a} {"a": 1',
  };
  const { folder } = await imported({
    prompts: ["{{text}}"],
    providers: ["echo"],
    tests: Object.values(answers).map((text) => ({
      vars: { text },
      assert: [
        {
          type: "contains-json",
          value: { type: "object", properties: { a: { type: "string" } }, required: ["a"] },
        },
      ],
    })),
  });
  const start = performance.now();
  const { experiments } = await results(folder);
  const found = experiments[0].rows.map(
    ({ evaluationResults: [result], errors }: any) => errors[0]?.error.message ?? result.score,
  );
  expect(found).toEqual([false, expect.stringContaining("too many braces in braces"), true, false]);
  expect(performance.now() - start).toBeLessThan(20_000);
}, 60_000);

it("a test whose variables are left out is no row", async () => {
  const test = (vars: unknown) => ({ vars, assert: [{ type: "contains", value: "a" }] });
  const config = { ...asserts(), tests: [test({ q: "a" }), test("file://vars.py"), test(["a"])] };
  const { folder, code, stderr } = await imported(config, "--partial");
  expect(stderr).toContain(
    "Not imported: tests[1].vars, tests[2].vars: its variables are not in JSON or YAML",
  );
  expect(code).toBe(0);
  expect((await written(folder, "c.jsonl")).trim().split("\n")).toHaveLength(1);
});

it("a criterion that fails has its name", async () => {
  const criteria = ["Tone", "__proto__"].map((name) => ({
    type: "score_model",
    name,
    model: "gpt-5.4-mini",
    input: [{ role: "user", content: "Grade {{sample.output_text}}" }],
    pass_threshold: 0.5,
  }));
  const rows = [{ item: { a: 1 }, sample: { output_text: "b" } }];
  const config = {
    testing_criteria: criteria,
    data_source: { source: { type: "file_content", content: rows } },
  };
  const { folder, code } = await imported(config);
  expect(code).toBe(0);
  const { stderr } = await runProgram(folder, ["run", "evals/c.eval.ts"], {});
  expect(stderr).toContain("Tone");
  expect(stderr).not.toContain("evaluators[");
});

it.each([
  ["openai:chat:gpt-4o", "openai:gpt-4o", ""],
  [{ id: "anthropic:messages:claude-sonnet-5" }, "anthropic:claude-sonnet-5", ""],
  [
    { id: "openai:gpt-4o", config: { seed: 1 } },
    "openai:gpt-4o",
    "all judges ask the model in JUDGE, without its config",
  ],
  ["exec:./judge.sh", "openai:gpt-5.4-mini", "all judges ask the model in JUDGE instead of exec:./judge.sh"],
])("takes the judge %j of the config", async (provider, model, difference) => {
  const { folder, code, stderr } = await imported({
    ...asserts({ type: "llm-rubric", value: "It rhymes" }),
    defaultTest: { options: { provider } },
  });
  expect(code).toBe(0);
  expect(await written(folder, "c.eval.ts")).toContain(`const JUDGE = "${model}";`);
  const lines = stderr.split("\n").filter((line) => line.includes("options.provider"));
  expect(lines).toEqual(difference ? [`Differs: defaultTest.options.provider: ${difference}`] : []);
});
