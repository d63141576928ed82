/** The judge of code: the example of the documentation, at a server on loopback, and its options. */
import { createCodeLLMAsJudge, initChatModel, OpenEvalsError } from "openevals-wasm";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { errorOf } from "../api/error-of.ts";
import type { Loopback } from "../providers/servers/loopback.ts";
import { completion, failure, startOpenAI } from "../providers/servers/openai.ts";

const verdict = (value: object) => completion(JSON.stringify(value));

let server: Loopback;
let model: ReturnType<typeof initChatModel>;
beforeAll(async () => {
  server = await startOpenAI("sk-test");
  model = initChatModel("openai:gpt-5.4", { apiKey: "sk-test", baseURL: `${server.url}/v1`, maxRetries: 0 });
});
beforeEach(() => {
  server.requests.length = 0;
  server.script.length = 0;
});
afterAll(() => server.close());

const inputs = `Add proper TypeScript types to the following code:

\`\`\`typescript
function add(a, b) { return a + b; }
\`\`\`
`;

const outputs = `
\`\`\`typescript
function add(a: number, b: number): boolean {
  return a + b;
}
\`\`\`
`;

const PROMPT = "Is this code right?\n<input>{inputs}</input>\n<output>{outputs}</output>";

describe("the example of the documentation", () => {
  it("asks about the outputs as they are", async () => {
    server.script.push(verdict({ reasoning: "The type is wrong.", score: false }));
    const evaluator = createCodeLLMAsJudge({ prompt: PROMPT, judge: model });
    expect(await evaluator({ inputs, outputs })).toEqual({
      key: "code_correctness",
      score: false,
      comment: "The type is wrong.",
      metadata: {
        model: "gpt-5.4",
        usage: { inputTokens: 120, outputTokens: 30 },
        latencyMs: expect.any(Number),
        attempts: 1,
        promptHash: expect.any(String),
      },
    });
    const content = `Is this code right?\n<input>${inputs}</input>\n<output>${outputs}</output>`;
    expect(server.requests[0]?.body.messages).toEqual([{ role: "user", content }]);
  });

  it("asks about the code, with a strategy", async () => {
    const code = "function add(a: number, b: number): boolean {\n  return a + b;\n}\n";
    const asked = async (strategy: "llm" | "markdown_code_blocks") => {
      const options = { prompt: "{outputs}", judge: model, codeExtractionStrategy: strategy };
      await createCodeLLMAsJudge(options)({ inputs, outputs });
      return server.requests.at(-1)?.body.messages;
    };
    server.script.push(verdict({ reasoning: "", score: false }));
    expect(await asked("markdown_code_blocks")).toEqual([{ role: "user", content: code }]);
    server.script.push(verdict({ code }), verdict({ reasoning: "", score: false }));
    expect(await asked("llm")).toEqual([{ role: "user", content: code }]);
    // The server checks that the schema keeps OpenAI's strict rules.
    const { json_schema } = server.requests[1]?.body.response_format ?? {};
    expect(json_schema).toMatchObject({ name: "extracted_code", strict: true });
  });
});

it("a request for the code that fails is an error", async () => {
  server.script.push(failure(500, "down"));
  const evaluator = createCodeLLMAsJudge({ prompt: PROMPT, judge: model, codeExtractionStrategy: "llm" });
  expect(await errorOf(evaluator({ inputs, outputs }))).toMatchObject({
    code: "provider_error",
    status: 500,
  });
  expect(server.requests.length).toBe(1);
});

it("client takes out the code, judge judges; client alone does both", async () => {
  const llm = { prompt: "{outputs}", codeExtractionStrategy: "llm" } as const;
  const client = ({ schema }: { schema: any }) => (schema.properties.code ? { code: "a" } : { score: true });
  server.script.push(verdict({ reasoning: "", score: false }));
  expect((await createCodeLLMAsJudge({ ...llm, client, judge: model })({ outputs })).score).toBe(false);
  expect(server.requests[0]?.body.messages).toEqual([{ role: "user", content: "a" }]);
  expect((await createCodeLLMAsJudge({ ...llm, client })({ outputs })).score).toBe(true);
});

it("has the options of a judge, and its variables", async () => {
  let asked: unknown;
  const evaluator = createCodeLLMAsJudge({
    prompt: "{inputs}|{outputs}|{reference_outputs}|{style}",
    feedbackKey: "style",
    continuous: true,
    useReasoning: false,
    judge: ({ messages }) => {
      asked = messages.at(-1)?.content;
      return { score: 0.25 };
    },
  });
  const params = { outputs: { content: "a" }, referenceOutputs: "b", style: "terse" };
  expect(await evaluator(params)).toMatchObject({ key: "style", score: 0.25 });
  expect(asked).toBe("|a|b|terse");
});

it("answers in the form of an outputSchema", async () => {
  const evaluator = createCodeLLMAsJudge<{ lines: number }>({
    prompt: "{outputs}",
    outputSchema: { type: "object", properties: { lines: { type: "integer" } }, required: ["lines"] },
    codeExtractionStrategy: "markdown_code_blocks",
    judge: () => ({ lines: 3 }),
  });
  expect(await evaluator({ outputs })).toEqual({ lines: 3 });
  expect(await evaluator({ outputs: "none" })).toMatchObject({ key: "code_correctness", score: false });
});

it("batch keeps the order, and names the row that failed", async () => {
  const evaluator = createCodeLLMAsJudge({
    prompt: "{outputs}",
    judge: ({ messages }) => ({ score: messages[0]?.content === "a" }),
  });
  const results = await evaluator.batch([{ outputs: "a" }, { outputs: "b" }]);
  expect(results.map(({ score }) => score)).toEqual([true, false]);
  const error = await errorOf(evaluator.batch([{ outputs: "a" }, { outputs: {} }]));
  expect(error.code).toBe("invalid_input");
  expect(error.message).toMatch(/^rows\[1\]: outputs have to be/);
});

it("needs something that judges", () => {
  const make = () => createCodeLLMAsJudge({ prompt: "", codeExtractor: () => "" });
  expect(make).toThrow(OpenEvalsError);
  expect(make).toThrow("A judge needs a model");
});
