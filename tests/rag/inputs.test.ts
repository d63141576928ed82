/** Contexts, answers and options in all forms, and the errors for others. */
import * as rag from "openevals-wasm/rag";
import { contextRelevance, faithfulness, lastToolResult, ragSuite } from "openevals-wasm/rag";
import { describe, expect, it } from "vitest";
import { errorOf } from "../api/error-of.ts";
import { scripted } from "./judge.ts";

const relevance = () => {
  const { judge, asked } = scripted({ relevant: {} });
  return { evaluator: contextRelevance({ judge }), asked };
};

it("reads contexts of search libraries", async () => {
  const { evaluator, asked } = relevance();
  const context = [
    "text",
    { id: 7, content: "with an id", metadata: { page: 1 } },
    { pageContent: "LangChain", metadata: {} },
    { page_content: "LangChain in Python", id: null, metadata: {} },
    { text: "LlamaIndex, old" },
    { getContent: (mode?: string) => `LlamaIndex ${mode}` },
    { node: { getContent: () => "LlamaIndex with a score" }, score: 0.5 },
    { originalIndex: 0, score: 0.9, document: "AI SDK" },
    { document: { text: "AI SDK, an object" } },
  ];
  await evaluator({ inputs: "q", context });
  expect(asked[0]?.items).toEqual([
    "text",
    "with an id",
    "LangChain",
    "LangChain in Python",
    "LlamaIndex, old",
    "LlamaIndex NONE",
    "LlamaIndex with a score",
    "AI SDK",
    "AI SDK, an object",
  ]);
  await evaluator({ inputs: "q", context: "only one" });
  expect(asked[1]?.items).toEqual(["only one"]);
});

it("ignores parts that the metric does not read, such as a label as the reference", async () => {
  const { evaluator, asked } = relevance();
  await evaluator({ inputs: "q", context: ["text"], outputs: { a: "x", b: "y" }, referenceOutputs: 1 });
  expect(asked[0]?.items).toEqual(["text"]);
});

it("rejects unsupported contexts, and too many", async () => {
  const { evaluator } = relevance();
  for (const [context, message] of [
    [[1], /^context\[0\] is 1; a context is a text, or an object with its text as content/],
    [["a", { url: "https://a.test" }], /^context\[1\] is \{"url"/],
    [Array(1001).fill("a"), /^context has 1001 entries; the limit is 1000\./],
    [["a".repeat(2_000_001)], /^context has 2,000,001 characters; the limit is 2,000,000\./],
  ] as const) {
    const error = await errorOf(evaluator({ inputs: "q", context: context as never }));
    expect(error).toMatchObject({ code: "invalid_input" });
    expect(error.message).toMatch(message);
  }
});

it("rejects a list that is written as a text, which would be one context", async () => {
  const { evaluator, asked } = relevance();
  const context = "['Our founder likes tea.', \"Store 2's door closes at 12.\"]";
  const row = { inputs: "q", metadata: { context } };
  for (const params of [
    { inputs: "q", context },
    { inputs: "q", example: row },
  ])
    expect(await errorOf(evaluator(params))).toMatchObject({
      code: "invalid_input",
      message: `context is the text ${JSON.stringify(context)}, a list as Python prints it. Lists have to be JSON: in Python, json.dumps() writes them. If the text is one context, pass it in a list.`,
    });
  for (const json of ['["It opens at 9.", "It closes at 6."]', ' [ {"content": "a"} ]\n'])
    expect(await errorOf(evaluator({ inputs: "q", context: json }))).toMatchObject({
      code: "invalid_input",
      message: `context is the text ${JSON.stringify(json)}, a list in JSON. Pass the list itself, as JSON.parse() returns it. If the text is one context, pass it in a list.`,
    });
  // numpy has no commas.
  expect((await errorOf(evaluator({ inputs: "q", context: "[\"a\"\n 'b']\n" }))).code).toBe("invalid_input");
  const accepted = ['["a", "b"] are letters', "[1] It opens at 9.", "['a'] is a list", [context]];
  for (const one of accepted) await evaluator({ inputs: "q", context: one });
  const { judge } = scripted({ relevant: {} });
  await contextRelevance({ judge, contextFrom: () => context })({ inputs: "q" });
  expect(asked.map(({ items }) => items)).toEqual(accepted.map((one) => [one].flat()));
});

it("names the parts that a row lacks", async () => {
  const { judge } = scripted({});
  const error = await errorOf(faithfulness({ judge })({ inputs: "q" }));
  expect(error).toMatchObject({
    code: "invalid_input",
    message:
      "faithfulness needs outputs and context. Call it with { outputs, context }; in evaluate() and online(), rows have metadata.context, or mapInputs returns context.",
  });
  const misspelt = { outputs: "a", contexts: ["c"] };
  expect((await errorOf(faithfulness({ judge })(misspelt as never))).message).toBe(
    "faithfulness needs context. Did you mean context instead of contexts? Call it with { outputs, context }; in evaluate() and online(), rows have metadata.context, or mapInputs returns context.",
  );
  expect((await errorOf(rag.contextPrecision({ judge })({ context: ["c"] }))).message).toBe(
    "context_precision needs referenceOutputs or outputs.",
  );
  expect((await errorOf(faithfulness({ judge })(null as never))).message).toBe(
    "faithfulness was called with null. Call it with { outputs, … }.",
  );
  const row = { outputs: { answer: "a", sources: [] }, context: ["c"] };
  expect((await errorOf(faithfulness({ judge })(row))).message).toMatch(/^outputs is .* mapInputs selects/);
});

it("an empty reference is a missing one", async () => {
  const { judge, asked } = scripted({ useful: ["c"] });
  const options = { judge, embeddings: () => [1] };
  const row = { inputs: "q", outputs: "It is.", context: ["c"] };
  for (const referenceOutputs of ["", " \n", { answer: "" }, [{ role: "assistant", content: "" }]]) {
    for (const [name, evaluator] of [
      ["noise_sensitivity", rag.noiseSensitivity({ judge })],
      ["context_recall", rag.contextRecall({ judge })],
      ["context_entity_recall", rag.contextEntityRecall({ judge })],
      ["factual_correctness", rag.factualCorrectness({ judge })],
      ["answer_correctness", rag.answerCorrectness(options)],
      ["context_precision", rag.contextPrecision({ judge, usefulFor: "reference" })],
    ] as const) {
      const error = await errorOf(evaluator({ ...row, referenceOutputs }));
      expect(error.code).toBe("invalid_input");
      expect(error.message).toMatch(
        RegExp(`^${name} needs referenceOutputs\\. The text of referenceOutputs is empty\\. Call it with`),
      );
    }
    expect(asked).toEqual([]);
    const { metadata } = await rag.contextPrecision({ judge })({ ...row, referenceOutputs });
    expect(metadata.usefulFor).toBe("outputs");
    asked.length = 0;
  }
});

it("reads answers from messages and from an object with one text", async () => {
  const { judge, asked } = scripted({ claims: { "It is.": [] } });
  const faithful = faithfulness({ judge });
  const messages = [
    { role: "user", content: "Is it?" },
    { role: "assistant", content: [{ type: "text", text: "It is." }] },
  ];
  await faithful({ inputs: messages, outputs: { messages }, context: [] });
  await faithful({ inputs: { question: "Is it?" }, outputs: { answer: "It is." }, context: [] });
  for (const { prompt } of asked) {
    expect(prompt).toContain("<question>\nIs it?\n</question>");
    expect(prompt).toContain("<text>\nIt is.\n</text>");
  }
});

it("positions are right in texts with lone surrogates", async () => {
  const { judge } = scripted({ claims: { "\uFFFDis.": ["c"] } });
  const { metadata } = await faithfulness({ judge })({ outputs: "\uD800is.", context: [] });
  expect(metadata.claims?.[0]).toMatchObject({ start: 0, end: 4 });
});

describe("options", () => {
  it("are checked when the evaluator is made", () => {
    const judge = () => "";
    for (const [make, message] of [
      [() => faithfulness({}), /needs a model/],
      [() => faithfulness({ judge, extracton: "fast" } as never), /no option "extracton"; did you mean/],
      [() => faithfulness({ judge, extraction: "slow" as never }), /"fast" or "thorough"/],
      [() => faithfulness({ judge, instructions: { claim: "" } as never }), /texts for claims, support/],
      [() => faithfulness({ judge, passAt: 2 }), /passAt is 2/],
      [() => rag.answerRelevancy({ judge } as never), /answerRelevancy needs embeddings/],
      [() => rag.answerCorrectness({ judge, embeddings: () => [1], weights: [0, 0] }), /not both 0/],
      [() => rag.factualCorrectness({ judge, beta: 0 }), /a number above 0/],
      [() => ragSuite({ judge, samples: 2 } as never), /ragSuite has no option "samples"/],
      [() => lastToolResult(""), /needs the name of a tool/],
      [() => rag.eachTurn((() => 1) as never), /eachTurn needs an evaluator/],
    ] as [() => unknown, RegExp][]) {
      expect(make, String(make)).toThrow(message);
      expect(make).toThrow(expect.objectContaining({ code: "invalid_config" }));
    }
  });

  it("replace the instructions, and keep the form of the answer", async () => {
    const systems: string[] = [];
    const { judge } = scripted({ claims: { "It is.": ["c"] }, support: { c: [] } });
    const instructions = { support: "Be strict." };
    const evaluator = faithfulness({
      judge: (request) => {
        systems.push(request.messages[0]?.content as string);
        return judge(request);
      },
      instructions,
      feedbackKey: "grounded",
    });
    expect((await evaluator({ outputs: "It is.", context: ["c"] })).key).toBe("grounded");
    expect(systems[0]).toContain(rag.RAG_INSTRUCTIONS.claims);
    expect(systems[1]).toMatch(/^Be strict\.\n\nGive exactly one answer for each index\./);
  });

  it("set the scale and the pass mark", () => {
    const judge = () => "";
    const best = { min: 0, max: 1, direction: "higher", passAt: 1 };
    expect(faithfulness({ judge }).scale).toEqual(best);
    expect(faithfulness({ judge, passAt: 0.8 }).scale).toEqual({ ...best, passAt: 0.8 });
    expect(rag.noiseSensitivity({ judge }).scale).toEqual({ ...best, direction: "lower", passAt: 0 });
  });
});
