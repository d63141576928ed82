/** Scorers with the names of autoevals: the questions to models, and the use of their answers. */

import { readFileSync } from "node:fs";
import * as theirs from "autoevals";
import OpenAI from "openai";
import * as ours from "openevals-wasm/interop/autoevals";
import { afterEach, expect, test } from "vitest";
import { scripted } from "../rag/judge.ts";

afterEach(() => ours.init());

/** A judge that always makes this choice, and keeps the prompts. */
function choosing(choice: string) {
  const prompts: string[] = [];
  const client = ({ messages, schema }: { messages: { content: any }[]; schema: any }) => {
    prompts.push(messages.at(-1)?.content);
    return { ...(schema.properties.reasons && { reasons: "Because." }), choice };
  };
  return { client, prompts };
}

const args = {
  input: "THE-INPUT",
  output: "THE-OUTPUT",
  expected: "THE-EXPECTED",
  instructions: "THE-INSTRUCTIONS",
  criteria: "THE-CRITERIA",
  language: "THE-LANGUAGE",
};

test("the migration chapter names every export that is missing here", () => {
  const chapter = readFileSync(new URL("../../www/guide/migration.md", import.meta.url), "utf8");
  const missing = Object.keys(theirs).filter((name) => !(name in ours));
  expect(missing).not.toEqual([]);
  expect(missing.filter((name) => !chapter.includes(`\`${name}\``))).toEqual([]);
});

/** The classifiers, with their templates in autoevals. */
const CLASSIFIERS = {
  Battle: "battle",
  ClosedQA: "closed_q_a",
  Factuality: "factuality",
  Humor: "humor",
  Possible: "possible",
  Security: "security",
  Sql: "sql",
  Summary: "summary",
  Translation: "translation",
} as const;

test.each(
  Object.entries(CLASSIFIERS),
)("%s has the choices, scores and variables of autoevals", async (name, key) => {
  const template = theirs.templates[key];
  const scorer = (ours as any)[name];
  for (const [choice, score] of Object.entries(template.choice_scores)) {
    const { client, prompts } = choosing(choice);
    expect(await scorer({ ...args, client })).toMatchObject({
      name,
      score,
      metadata: { choice, rationale: "Because." },
    });
    for (const [variable, value] of Object.entries(args))
      expect([variable, prompts[0]?.includes(value)]).toEqual([
        variable,
        new RegExp(`\\{${variable}\\}`).test(template.prompt),
      ]);
  }
  const { client } = choosing("Neither");
  await expect(scorer({ ...args, client })).rejects.toMatchObject({ code: "invalid_judge_output" });
});

test("no sentence of the prompts is one of autoevals", async () => {
  const sentences = (text: string) =>
    text
      .split(/[.?!:\n]/)
      .map((sentence) =>
        sentence
          .toLowerCase()
          .replace(/[^a-z]+/g, " ")
          .trim(),
      )
      .filter((sentence) => sentence.split(" ").length > 3);
  for (const [name, key] of Object.entries(CLASSIFIERS)) {
    const { client, prompts } = choosing(Object.keys(theirs.templates[key].choice_scores)[0] as string);
    await (ours as any)[name]({ ...args, client });
    const known = sentences(theirs.templates[key].prompt);
    expect(sentences(prompts[0] as string).filter((sentence) => known.includes(sentence))).toEqual([]);
  }
});

test("the client of openai, its model and its key", async () => {
  const requests: any[] = [];
  const fetch = async (_: unknown, { body }: any) => {
    requests.push(JSON.parse(body));
    const content = JSON.stringify({ reasons: "Both name Oslo.", choice: "C" });
    const message = { role: "assistant", content };
    return Response.json({ model: "gpt-5.4", choices: [{ message, finish_reason: "stop" }], usage: {} });
  };
  ours.init({ client: new OpenAI({ apiKey: "sk-none", fetch: fetch as any }), defaultModel: "gpt-5.4" });
  expect(ours.getDefaultModel()).toBe("gpt-5.4");
  expect(await ours.Factuality(args)).toMatchObject({ score: 1, metadata: { choice: "C" } });
  expect(await ours.Factuality.partial({ input: "Q" })({ output: "a", expected: "b" })).toMatchObject({
    name: "Factuality",
    score: 1,
  });
  expect(requests.map(({ model }) => model)).toEqual(["gpt-5.4", "gpt-5.4"]);
});

test("templates of one's own, with paths, braces and other values", async () => {
  const { client, prompts } = choosing("Yes");
  const scorer = ours.LLMClassifierFromTemplate({
    name: "Fits",
    promptTemplate: 'Does {{output}} fit {{{input.question}}}? Think of {"a": 1} and {{expected}}.',
    choiceScores: { Yes: 1, No: 0 },
    useCoT: false,
  });
  const row = { input: { question: "How {many}?" }, output: [1, 2], expected: "two", client };
  expect(await scorer(row)).toMatchObject({ name: "Fits", score: 1, metadata: { choice: "Yes" } });
  expect(prompts[0]).toContain('Does [1,2] fit How {many}?? Think of {"a": 1} and two.');
  await expect(scorer({ ...row, expected: undefined })).rejects.toMatchObject({ code: "missing_variable" });
  expect(() =>
    ours.LLMClassifierFromTemplate({ name: "S", promptTemplate: "{{#a}}b{{/a}}", choiceScores: { Y: 1 } }),
  ).toThrow("The template of S has {{#, but only variables such as {{input}} are supported.");
});

test("Moderation reads the verdict, or the scores beside a threshold", async () => {
  const results = [{ flagged: true, category_scores: { hate: 0.4, violence: 0.1 } }];
  const fetch = async () => Response.json({ id: "1", model: "m", results });
  const client = new OpenAI({ apiKey: "sk-none", fetch: fetch as any }) as any;
  for (const more of [{}, { threshold: 0.3 }, { threshold: 0.5 }]) {
    const given = { output: "text", client, ...more };
    expect((await ours.Moderation(given)).score).toBe((await theirs.Moderation(given)).score);
  }
  await expect(ours.Moderation({ output: "text" })).rejects.toMatchObject({ code: "invalid_config" });
});

test("Faithfulness is the share of the claims that the context supports", async () => {
  const sentence = "Oslo has a harbour and a castle.";
  const [harbour, castle] = ["Oslo has a harbour.", "Oslo has a castle."];
  const context = ["Ships come to the harbour of Oslo."];
  const { judge: client } = scripted({
    claims: { [sentence]: [harbour, castle] },
    support: { [harbour]: context, [castle]: [] },
  });
  const given: any = { input: "Oslo?", output: sentence, context, client };
  expect(await ours.Faithfulness(given)).toMatchObject({ name: "Faithfulness", score: 0.5 });
  await expect(ours.Faithfulness({ ...given, context: undefined })).rejects.toThrow(/context/);
});

test("failures are errors, where autoevals scores them", async () => {
  await expect(ours.Levenshtein({ output: "a" })).rejects.toMatchObject({
    code: "invalid_input",
    message: "Levenshtein compares with an expected value, and got none. Pass `expected`.",
  });
  await expect(ours.NumericDiff({ output: Number.NaN, expected: 1 })).rejects.toMatchObject({
    code: "invalid_input",
  });
  const missing: any = () => ({ name: "Missing", score: null });
  const lists = { output: ["a"], expected: ["b"] };
  await expect(ours.ListContains({ ...lists, pairwiseScorer: missing })).rejects.toThrow(
    "Missing has no score for two elements",
  );
  const invalid = { output: "{}", schema: { type: "objekt" } };
  expect((await theirs.ValidJSON(invalid)).score).toBe(0);
  await expect(ours.ValidJSON(invalid)).rejects.toMatchObject({ name: "OpenEvalsError" });
  for (const scorer of [ours.ExactMatch, ours.JSONDiff]) {
    const { name } = scorer;
    await expect(scorer({ ouput: "x", expectd: "y" } as any)).rejects.toMatchObject({
      code: "invalid_input",
      message: `${name} compares \`output\` with \`expected\`, and got neither.`,
    });
    expect((await scorer({ output: undefined, expected: null })).score).toBe(1);
    const [one, other] = ["2020-01-01", "2026-01-01"].map((day) => ({ due: new Date(day) }));
    expect((await (theirs as any)[name]({ output: one?.due, expected: other?.due })).score).toBe(
      name === "JSONDiff" ? 1 : 0,
    );
    expect((await scorer({ output: one, expected: { due: new Date("2020-01-01") } })).score).toBe(1);
    expect((await scorer({ output: one, expected: other })).score).toBeLessThan(1);
    await expect(scorer({ output: new Map([["a", 1]]), expected: {} })).rejects.toMatchObject({
      code: "invalid_input",
      message: expect.stringContaining("output is a Map"),
    });
  }
  const text = "[".repeat(3_000) + "]".repeat(3_000);
  const deep = JSON.parse(text);
  for (const scorer of [ours.ExactMatch, ours.JSONDiff])
    await expect(scorer({ output: deep, expected: "a" })).rejects.toThrow(
      "is too large or has over 1000 levels",
    );
  await expect(ours.JSONDiff({ output: text, expected: text })).rejects.toThrow(
    "is too large or has over 1000",
  );
  expect(await ours.JSONDiff({ output: { toString: 1 }, expected: {} })).toEqual({
    name: "JSONDiff",
    score: 0,
  });
  await expect(
    ours.Humor({ output: "Ha.", reasoningEffort: "low", client: () => ({}) } as any),
  ).rejects.toThrow("Humor does not take reasoningEffort. Make the model with initChatModel()");
  await expect(ours.Humor({ output: "Ha.", temperature: 0, client: () => ({}) })).rejects.toThrow(
    "Humor has a client, so temperature has no effect.",
  );
});
