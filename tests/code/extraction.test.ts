/** Extraction of code from outputs, observed by a judge that gets the code. */
import { AIMessage, HumanMessage } from "@langchain/core/messages";
import fc from "fast-check";
import { createCodeLLMAsJudge, type JudgeRequest, OpenEvalsError } from "openevals-wasm";
import { createPyrightEvaluator } from "openevals-wasm/code/python";
import { createTypeScriptEvaluator } from "openevals-wasm/code/typescript";
import { describe, expect, it } from "vitest";
import { errorOf } from "../api/error-of.ts";
import { reference } from "./reference.ts";

type Options = Parameters<typeof createCodeLLMAsJudge>[0];

/** The code that is found in outputs; `null` where the evaluator says that there is none. */
async function codeIn(outputs: any, options: Partial<Options>): Promise<string | null> {
  let asked: unknown = null;
  const judge = ({ messages }: JudgeRequest) => {
    asked = messages[0]?.content;
    return { score: true };
  };
  const result = await createCodeLLMAsJudge({ prompt: "{outputs}", judge, ...options } as Options)({
    outputs,
  });
  expect(result.metadata?.code_extraction_failed).toBe(asked === null ? true : undefined);
  return asked as string | null;
}

const markdown = { codeExtractionStrategy: "markdown_code_blocks" } as const;

describe("outputs", () => {
  it.each([
    ["a string", "let a;"],
    ["a message", { role: "assistant", content: "let a;" }],
    ["the last of messages", { messages: [{ content: "x" }, { content: "let a;" }] }],
    ["a message of LangChain", new AIMessage("let a;")],
    ["messages of LangChain", { messages: [new HumanMessage("x"), new AIMessage("let a;")] }],
    ["parts with text", { content: ["let ", { type: "image_url" }, { type: "text", text: "a;" }] }],
    ["content beside messages", { content: "let a;", messages: [{ content: "x" }] }],
  ])("may be %s", async (_, outputs) => {
    expect(await codeIn(outputs, {})).toBe("let a;");
  });

  it.each([
    [42],
    [{}],
    [[]],
    [{ messages: [] }],
    [{ content: null }],
    [{ messages: [{ content: 1 }] }],
  ])("of another form are an error: %j", async (outputs) => {
    for (const options of [{}, markdown]) {
      const error = await errorOf(codeIn(outputs, options));
      expect(error.code).toBe("invalid_input");
      expect(error.message).toContain("outputs have to be a string, a message");
    }
  });

  it.each([[undefined], [null]])("that are %s are an error", async (outputs) => {
    expect((await errorOf(codeIn(outputs, {}))).message).toContain("needs outputs");
  });
});

it.each<[string, Partial<Options>]>([
  ["", {}],
  [" \r\n\t", {}],
  ["Here:\n```ts\n```", markdown],
  ["```ts\n\n```\n```ts\n  \n```", markdown],
  ["x", { codeExtractor: () => "" }],
  ["x", { codeExtractor: () => "\n" }],
])("without code in them are not checked: %j", async (outputs, options) => {
  const judge = () => ({ score: true });
  const evaluators = [
    createCodeLLMAsJudge({ prompt: "{outputs}", judge, ...options }),
    createTypeScriptEvaluator(options as object),
  ];
  for (const evaluator of evaluators) {
    expect(await evaluator({ outputs })).toMatchObject({
      score: false,
      comment: "Code extraction failed: the code is empty.",
      metadata: { code_extraction_failed: true },
    });
  }
});

it.each([
  ["TypeScript", "// hi"],
  ["TypeScript", "#!/usr/bin/env node\n/* a\n */ ; // b"],
  ["TypeScript", "```ts\n// Nothing to do.\n```", markdown],
  ["Python", "# hi\n\n  # there"],
  ["Python", "```python\n# Nothing to do.\n```", markdown],
] as [
  string,
  string,
  object?,
][])("%s with only comments is not checked: %j", async (language, outputs, options) => {
  const create = language === "Python" ? createPyrightEvaluator : createTypeScriptEvaluator;
  expect(await create(options)({ outputs })).toMatchObject({
    score: false,
    comment: "Code extraction failed: the code is empty.",
    metadata: { code_extraction_failed: true },
  });
});

it("a string with the sign of a comment is code", async () => {
  expect((await createTypeScriptEvaluator()({ outputs: '"//"' })).score).toBe(true);
  expect((await createPyrightEvaluator()({ outputs: '"#"' })).score).toBe(true);
  // The language is not known here, and this is code in C.
  expect(await codeIn("#define ONE 1", {})).toBe("#define ONE 1");
});

describe("markdown_code_blocks", () => {
  it("joins the blocks, and leaves out commands and data", async () => {
    const text =
      "Do\n```bash\nnpm i x\n```\nthen\n```ts\nlet a;\n```\nand\n```\nlet b;\n```\n```json\n{}\n```";
    expect(await codeIn(text, markdown)).toBe("let a;\n\nlet b;\n");
  });

  it.each([
    ["an indented fence", "1. Do\n\n   ```ts\n   if (a) {\n     b();\n   }\n   ```", "if (a) {\n  b();\n}\n"],
    ["tildes", "~~~ts\na\n~~~", "a\n"],
    ["more than a language", '```ts title="a.ts"\na\n```', "a\n"],
    ["c++", "```c++\na\n```", "a\n"],
    ["line ends of Windows", "```ts\r\na\r\n```\r\n", "a\r\n"],
    ["no end", "```ts\na\n", "a\n"],
    ["a shorter fence in it", "````md\n```ts\na\n```\n````", "```ts\na\n```\n"],
    ["blanks behind its fences", "``` ts  \na\n```  ", "a\n"],
    ["a language in capitals", "```JSON\n{}\n```", null],
    ["JSON with comments", "```jsonc\n{}\n```\n```json5\n{}\n```\n```jsonl\n{}\n```", null],
  ])("finds a block with %s", async (_, text, expected) => {
    expect(await codeIn(text, markdown)).toBe(expected);
  });

  it("keeps every character", async () => {
    const code = 'const s = "\ud83d \u{1f600} e\u0301 \0 \\n `${1}`";\n';
    expect(await codeIn(`\`\`\`ts\n${code}\`\`\``, markdown)).toBe(code);
  });

  it("says so where nothing is found", async () => {
    const judge = () => {
      throw new Error("nobody is to be asked");
    };
    for (const outputs of ["Sorry, I cannot.", "", "```sh\nls\n```", { content: "`a`" }]) {
      expect(await createCodeLLMAsJudge({ prompt: "{outputs}", judge, ...markdown })({ outputs })).toEqual({
        key: "code_correctness",
        score: false,
        comment: "Code extraction failed: the outputs have no code block.",
        metadata: { code_extraction_failed: true },
      });
    }
  });

  it("finds the same code as the reference, in texts with plain blocks", async () => {
    const line = fc.constantFrom("", "let a;", "  b();", "é😀 `c`", "``", "- d", "// ~~");
    const lines = fc.array(line, { maxLength: 4 }).map((lines) => lines.map((text) => `${text}\n`).join(""));
    const language = fc.constantFrom("", "ts", "typescript", "python", "bash", "sh", "json", "console");
    const block = fc.tuple(language, lines).map(([name, code]) => `\`\`\`${name}\n${code}\`\`\`\n`);
    const text = fc.array(fc.oneof(lines, block), { maxLength: 6 }).map((parts) => parts.join(""));
    const property = fc.asyncProperty(text, async (text) => {
      // The reference also finds code in blocks without any.
      const code = reference.codeInMarkdown(text);
      expect(await codeIn(text, markdown)).toBe(code?.trim() ? code : null);
    });
    await fc.assert(property, { numRuns: 500 });
  });
});

describe("codeExtractor", () => {
  it("gets outputs as they were passed, and may take its time", async () => {
    const outputs = { files: ["a", "b"] };
    expect(await codeIn(outputs, { codeExtractor: async ({ files }: any) => files.join("\n") })).toBe("a\nb");
    const codeExtractor = (given: unknown) => String(given === outputs);
    expect(await codeIn(outputs, { codeExtractor, codeExtractionStrategy: "none" })).toBe("true");
  });

  it("says with null that there is no code", async () => {
    expect(await codeIn("x", { codeExtractor: () => null })).toBe(null);
  });

  it("that fails is an error with the cause", async () => {
    const cause = new RangeError("boom");
    for (const codeExtractor of [
      () => Promise.reject(cause),
      () => {
        throw cause;
      },
    ]) {
      const error = await errorOf(codeIn("x", { codeExtractor }));
      expect(error).toMatchObject({ code: "callback_failed", message: "codeExtractor failed: boom", cause });
    }
    const error = await errorOf(codeIn("x", { codeExtractor: (() => {}) as never }));
    expect(error).toMatchObject({ code: "callback_failed" });
    expect(error.message).toContain("returned undefined");
  });
});

describe("llm", () => {
  it("asks a model for the code", async () => {
    const requests: JudgeRequest[] = [];
    const client = (request: JudgeRequest) => {
      requests.push(request);
      return { code: "let a: {b: 1};\n" };
    };
    const llm = { codeExtractionStrategy: "llm", client } as const;
    expect(await codeIn({ content: "Run npm i, then {x}: let a: {b: 1};" }, llm)).toBe("let a: {b: 1};\n");
    const [{ messages, schema }] = requests as [JudgeRequest];
    expect(messages.map(({ role }) => role)).toEqual(["system", "user"]);
    expect(messages[1]?.content).toContain("Run npm i, then {x}: let a: {b: 1};");
    expect(schema).toMatchObject({ properties: { code: { type: ["string", "null"] } }, required: ["code"] });
  });

  it.each([[null], [""], [" \n"]])("finds nothing where the model answers %j", async (code) => {
    expect(await codeIn("x", { codeExtractionStrategy: "llm", client: () => ({ code }) })).toBe(null);
  });

  it("uses the judge where there is no client", async () => {
    const evaluator = createCodeLLMAsJudge({
      prompt: "{outputs}",
      codeExtractionStrategy: "llm",
      judge: ({ messages, schema }) =>
        "code" in (schema as any).properties ? { code: "a" } : { score: messages[0]?.content === "a" },
    });
    expect((await evaluator({ outputs: "x" })).score).toBe(true);
  });

  it("that fails is an error, and not a score", async () => {
    const failing = () => {
      throw new Error("offline");
    };
    const llm = { codeExtractionStrategy: "llm" } as const;
    expect(await errorOf(codeIn("x", { ...llm, client: failing }))).toMatchObject({
      code: "callback_failed",
    });
    const error = await errorOf(codeIn("x", { ...llm, client: () => ({ script: "a" }) }));
    expect(error).toMatchObject({ code: "invalid_judge_output", attempts: 2 });
  });
});

it.each([
  [{ codeExtractionStrategy: "regex" }, 'codeExtractionStrategy is "regex"; it has to be "none", "llm" or'],
  [{ codeExtractor: "x" }, 'codeExtractor is "x"; it has to be a function'],
  [{ codeExtractor: () => "", ...markdown }, "exclude each other"],
  [{ codeExtractor: () => "", codeExtractionStrategy: "llm" }, "exclude each other"],
])("options that cannot work are refused: %j", (options, words) => {
  const make = () => createCodeLLMAsJudge({ prompt: "", judge: () => ({}), ...options } as Options);
  expect(make).toThrow(OpenEvalsError);
  expect(make).toThrow(words);
});
