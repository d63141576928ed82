/** Checks of numbers, JSON, lengths, latency and cost: passes, failures and comments. */

import * as checks from "openevals-wasm/checks";
import { describe, expect, test } from "vitest";
import * as z from "zod";
import { errorOf } from "../error-of.ts";

const {
  cost,
  equalsNumber,
  jsonSchema,
  language,
  latency,
  length,
  validHtml,
  validJson,
  validSql,
  validXml,
} = checks;

describe("numbers", () => {
  const units = { ignoreUnits: true };
  test.each<[unknown, object, number | undefined]>([
    [42, {}, 42],
    ["42", {}, 42],
    [" 42 ", {}, 42],
    ["1,234.50", {}, 1234.5],
    ["1.234,50", {}, 1234.5],
    ["1 234,50", {}, 1234.5],
    ["1\u202f234,50", {}, 1234.5],
    ["1'234.50", {}, 1234.5],
    ["12,34,567", {}, 1234567],
    ["1_000", {}, 1000],
    ["1,234", {}, 1234],
    ["1.234", {}, 1.234],
    ["1.234", { decimalMark: "," }, 1234],
    ["1,234", { decimalMark: "," }, 1.234],
    ["0,125", {}, 0.125],
    ["1,5", {}, 1.5],
    [".5", {}, 0.5],
    ["5.", {}, 5],
    ["−3", {}, -3],
    ["- 3", {}, -3],
    ["+3", {}, 3],
    ["1e3", {}, 1000],
    ["1.5E−3", {}, 0.0015],
    ["１２３", {}, 123],
    ["€ 5", {}, undefined],
    ["€ 5", units, 5],
    ["-$1,000.50", units, -1000.5],
    ["$-5", units, -5],
    ["US$ 5", units, 5],
    ["5 €", units, 5],
    ["42 km", units, 42],
    ["42km/h", units, 42],
    ["3 m²", units, 3],
    ["3 m2", units, 3],
    ["approx. 5", units, 5],
    ["12 %", units, 12],
    ["12%", {}, undefined],
    ["5-6", units, undefined],
    ["5 of 10", units, undefined],
    ["01.02.2024", units, undefined],
    ["1.2.3", units, undefined],
    ["1,2,3", units, undefined],
    ["--5", units, undefined],
    ["", {}, undefined],
    ["∞", {}, undefined],
    ["NaN", {}, undefined],
    [Number.NaN, {}, undefined],
    [true, {}, undefined],
    ["1e999", {}, undefined],
    ["The answer is 42.", { find: "last" }, 42],
    ["From 5 to 1,234.50 €.", { find: "last" }, 1234.5],
    ["From 5 to 7", { find: "first" }, 5],
    ["On 01.02.2024: v1.2.3 costs −3", { find: "last" }, -3],
    ["5–10", { find: "last" }, 10],
    ["H2O x3", { find: "last" }, undefined],
    ["none", { find: "last" }, undefined],
    [{ price: "12" }, {}, 12],
  ])("%j with %j", async (outputs, options, read) => {
    const { metadata, score, comment } = await equalsNumber({ value: 987, ...options })({ outputs });
    expect(metadata?.read).toBe(read);
    expect(score).toBe(false);
    expect(comment).toMatch(
      read === undefined
        ? /is not a number\.$|^There is no number in /
        : /^The number is .*, not 987: it differs by /,
    );
  });

  test("integers that JavaScript cannot tell apart are an error", async () => {
    const [odd, even] = ["9007199254740993", 9007199254740992];
    for (const [outputs, referenceOutputs] of [
      [odd, even],
      [even, odd],
      [odd, String(even)],
      [{ n: odd }, { n: String(even) }],
    ]) {
      expect(await errorOf(equalsNumber()({ outputs, referenceOutputs }))).toMatchObject({
        code: "invalid_input",
        message: expect.stringContaining("as large as 9007199254740992 are equal. Set a tolerance"),
      });
    }
    expect(
      (await equalsNumber({ relativeTolerance: 0.01 })({ outputs: odd, referenceOutputs: even })).score,
    ).toBe(true);
    expect((await equalsNumber()({ outputs: odd, referenceOutputs: 1 })).score).toBe(false);
    expect((await equalsNumber()({ outputs: 1e21, referenceOutputs: 1e21 })).score).toBe(true);
  });

  test("tolerances", async () => {
    const is = async (check: checks.Check, outputs: unknown, referenceOutputs?: unknown) =>
      (await check({ outputs, referenceOutputs })).score;
    expect(await is(equalsNumber(0.01), 1.01, 1)).toBe(true);
    expect(await is(equalsNumber(0.01), 1.0101, 1)).toBe(false);
    expect(await is(equalsNumber(), "9007199254740990", 9007199254740992)).toBe(false);
    expect(await is(equalsNumber({ relativeTolerance: 0.1 }), 110, "100")).toBe(true);
    expect(await is(equalsNumber({ relativeTolerance: 0.1, tolerance: 20 }), 115, 100)).toBe(true);
    expect(await is(equalsNumber({ relativeTolerance: 0.1 }), -110, -100)).toBe(true);
    expect(await is(equalsNumber({ ignoreUnits: true }), "5 km", { distance: "5 mi" })).toBe(true);
    const { comment } = await equalsNumber(0.5)({ outputs: "2", referenceOutputs: 1 });
    expect(comment).toBe("The number is 2, not 1: it differs by 1, but only 0.5 is allowed.");
    expect(await errorOf(equalsNumber()({ outputs: 1, referenceOutputs: "one" }))).toMatchObject({
      code: "invalid_input",
    });
  });
});

describe("JSON", () => {
  test.each<[unknown, string | undefined]>([
    ["1", undefined],
    [' {"a": [1, "\\u00e9", true, null, -1.5e+3], "b": {}} ', undefined],
    [{ a: 1 }, undefined],
    [[1], undefined],
    ["", "it is empty"],
    ["{", "it breaks off at character 1"],
    ['{"a": 1,}', 'it has "}" at character 8, where a name in quotes is expected'],
    ["[1,]", 'it has "]" at character 3, where a value is expected'],
    ["01", 'it has "1" at character 1, where nothing is expected'],
    ["nul", "it breaks off at character 3"],
    ["1 2", 'it has "2" at character 2, where nothing is expected'],
    ["```json\n{}\n```", 'it has "`" at character 0, where a value is expected'],
    ["{'a': 1}", 'it has "\'" at character 1, where a name in quotes or } is expected'],
    ['"a\nb"', 'it has "\\n" at character 2, where a value is expected'],
    ["[1 2]", 'it has "2" at character 3, where a comma or the end is expected'],
    [{ answer: "{" }, "it breaks off at character 1"],
  ])("%j", async (outputs, problem) => {
    const { score, comment } = await validJson()({ outputs });
    expect([score, comment]).toEqual([
      problem === undefined,
      problem && `The text is not valid JSON: ${problem}.`,
    ]);
  });

  test("a schema, as JSON or from a library", async () => {
    const schema = {
      type: "object",
      properties: { price: { type: "number", minimum: 0 } },
      required: ["price"],
    };
    const check = jsonSchema({ name: "order", schema });
    expect(await check('{"price": 1}')).toEqual({ key: "json_schema", score: true });
    expect(await check({ outputs: { price: 1 } })).toEqual({ key: "json_schema", score: true });
    expect((await check({ outputs: { price: -1 } })).comment).toBe(
      '"price" is -1, but has to be at least 0.',
    );
    expect((await check("nothing")).comment).toBe(
      'The text is not valid JSON: it has "o" at character 1, where a value is expected.',
    );
    const zod = jsonSchema(z.object({ price: z.number().refine((price) => price !== 13, "unlucky") }));
    expect((await zod('{"price": 1}')).score).toBe(true);
    expect((await zod('{"price": 13}')).comment).toBe("The answer does not fit the schema: price: unlucky.");
    expect((await jsonSchema(false, { negate: true })("1")).score).toBe(true);
    expect(await errorOf(jsonSchema({ type: "text" })("1"))).toMatchObject({ code: "invalid_config" });
    const pattern = { pattern: "^(a+)+$" };
    expect((await jsonSchema(pattern)(JSON.stringify(`${"a".repeat(100_000)}!`))).score).toBe(false);
  });
});

describe("lengths", () => {
  const flag = "🇩🇪";
  test.each<[checks.LengthOptions, string, number]>([
    [{ unit: "characters", max: 0 }, `a${flag}`, 3],
    [{ max: 0 }, "\ud83d", 1],
    [{ unit: "graphemes", max: 0 }, `a${flag}e\u0301`, 3],
    [{ unit: "words", max: 0 }, "I can't, really.", 3],
    [{ unit: "words", locale: "ja", max: 0 }, "今日は雨です", 4],
    [{ unit: "sentences", max: 0 }, "One. Two! Three?", 3],
    [{ unit: "lines", max: 0 }, "a\nb\n", 2],
    [{ unit: "tokens", count: (text) => text.length / 2, max: 0 }, "abcd", 2],
    [{ count: async () => 5, max: 0 }, "abcd", 5],
    [{ unit: "graphemes", max: 0 }, flag.repeat(2_000), 2_000],
    [{ unit: "words", max: 0 }, "word ".repeat(2_000), 2_000],
    [{ unit: "words", max: 0 }, "w".repeat(20_000), 1],
    [{ unit: "sentences", max: 0 }, "It is. ".repeat(2_000), 2_000],
  ])("%j", async (options, text, count) => {
    const result = await length(options)(text);
    expect(result).toMatchObject({ score: false, metadata: { count } });
    expect((await length({ ...options, min: count, max: count })(text)).score).toBe(true);
  });

  test("say what is wrong", async () => {
    expect((await length({ min: 3 })("ab")).comment).toBe(
      "The text has 2 characters, but at least 3 are required.",
    );
    expect((await length({ max: 1, unit: "words" })("a b")).comment).toBe(
      "The text has 2 words, but at most 1 is allowed.",
    );
    expect(await errorOf(length({ max: 1, count: () => "1" as never })("a"))).toMatchObject({
      code: "invalid_input",
    });
    const failing = () => {
      throw new Error("no tokens");
    };
    expect(await errorOf(length({ max: 1, count: failing })("a"))).toMatchObject({
      code: "callback_failed",
      message: "count of length failed: no tokens",
    });
  });
});

describe("with other packages", () => {
  test("language", async () => {
    const english = "The weather is nice today, and we will go for a long walk along the river.";
    expect((await language("en")(english)).score).toBe(true);
    expect(await language(["de", "fr"])(english)).toEqual({
      key: "language",
      score: false,
      comment: 'The text is in "en", not in "de" or "fr".',
      metadata: { language: "en" },
    });
    expect((await language("en-GB", { detect: async () => "eng" })("colour")).score).toBe(true);
    expect((await language("en", { detect: () => "und" })("?")).comment).toBe(
      'The language of the text is unknown; it has to be "en".',
    );
  });

  test.each<[checks.Check, string, string | undefined]>([
    [validXml(), "<a><b/></a>", undefined],
    [validXml(), "<a><b></a>", "The text is not well-formed XML: 1:10: unexpected close tag."],
    [validXml(), "<a/><b/>", "The text is not well-formed XML: 1:7: documents may contain only one root."],
    [validXml({ fragment: true }), "<a/>and<b/>", undefined],
    [validXml(), "<x:a/>", 'The text is not well-formed XML: 1:6: unbound namespace prefix: "x".'],
    [validXml(), "", "The text is not well-formed XML: 1:0: document must contain a root element."],
    [validXml({ negate: true }), "<a/>", "The text is well-formed XML."],
    [
      validXml({ parser: (text) => (text ? undefined : "it is empty") }),
      "",
      "The text is not well-formed XML: it is empty.",
    ],
    [validHtml(), "<p>Some <b>text</b></p>", undefined],
    [validHtml(), "<!doctype html><title>A</title><p>Text", undefined],
    [validHtml(), '<a id="1" id="2">', "The text is not valid HTML: 1:13: duplicate-attribute."],
    [validHtml(), "<p>Some <b>text</p>", "The text is not valid HTML: 1:9: the element b is not closed."],
    [validHtml(), "<ul><li>a<li>b</ul><br><svg><path/></svg>", undefined],
    [validHtml({ fragment: false }), "<p>Text</p>", "The text is not valid HTML: 1:1: missing-doctype."],
    [validSql(), "SELECT a FROM b WHERE c = 1", undefined],
    [validSql(), "SELECT a FROM b WHERE", "The text is not SQL: 1:22: it breaks off."],
    [validSql({ database: "MySQL" }), "SELECT `a` FROM `b`", undefined],
    [validSql(), "", "The text is not SQL: it is empty."],
  ])("%#", async (check, text, comment) => {
    const result = await check(text);
    expect([result.score, result.comment]).toEqual([comment === undefined, comment]);
  });

  test("passed as modules", async () => {
    expect((await validXml({ parser: await import("saxes") })("<a/>")).score).toBe(true);
    expect((await validHtml({ parser: await import("parse5") })("<b>a</b>")).score).toBe(true);
    const { default: sql } = await import("node-sql-parser");
    expect((await validSql({ parser: sql })("SELECT 1")).score).toBe(true);
  });

  test("that fail", async () => {
    const parser = () => {
      throw new Error("broken");
    };
    expect(await errorOf(validXml({ parser })("<a/>"))).toMatchObject({
      code: "callback_failed",
      message: "parser of validXml failed: broken",
    });
    expect(await errorOf(validSql({ database: "dBase" })("SELECT 1"))).toMatchObject({
      code: "invalid_config",
    });
  });
});

describe("latency and cost of an answer", () => {
  const usage = { inputTokens: 1_000, outputTokens: 100, cachedInputTokens: 400 };
  const prices = { input: 2, output: 10, cachedInput: 0.5 };
  test("latency", async () => {
    expect((await latency({ max: 100 })({ outputs: "a", metadata: { latencyMs: 100 } })).score).toBe(true);
    expect(await latency({ max: 100 })({ outputs: { text: "a", metadata: { latencyMs: 1_234 } } })).toEqual({
      key: "latency",
      score: false,
      comment: "It took 1,234 ms, but only 100 are allowed.",
      metadata: { latencyMs: 1_234 },
    });
    const own = latency({ max: 100, value: ({ inputs }) => (inputs as { ms: number }).ms });
    expect((await own({ inputs: { ms: 3 }, outputs: "a" })).score).toBe(true);
    const run = { start_time: "2026-01-01T00:00:00Z", end_time: "2026-01-01T00:00:01Z" };
    expect((await latency({ max: 100 })({ outputs: "a", run })).metadata).toEqual({ latencyMs: 1_000 });
    expect(await errorOf(latency({ max: 100 })("a"))).toMatchObject({
      code: "invalid_input",
      message: "The row does not have latencyMs in its metadata, which latency needs.",
    });
  });

  test.each<[string, object, number]>([
    [
      "Anthropic",
      {
        input_tokens: 100,
        cache_read_input_tokens: 5_000,
        cache_creation_input_tokens: 200,
        output_tokens: 20,
      },
      100 * 2 + 5_000 * 0.5 + 200 * 4 + 20 * 10,
    ],
    [
      "Bedrock",
      { inputTokens: 100, cacheReadInputTokens: 5_000, cacheWriteInputTokens: 200, outputTokens: 20 },
      100 * 2 + 5_000 * 0.5 + 200 * 4 + 20 * 10,
    ],
    [
      "OpenAI, Chat",
      { prompt_tokens: 5_000, completion_tokens: 20, prompt_tokens_details: { cached_tokens: 4_000 } },
      1_000 * 2 + 4_000 * 0.5 + 20 * 10,
    ],
    [
      "a proxy that adds Anthropic's names",
      { prompt_tokens: 5_000, completion_tokens: 20, cache_read_input_tokens: 4_000 },
      1_000 * 2 + 4_000 * 0.5 + 20 * 10,
    ],
    [
      "OpenAI, Responses",
      { input_tokens: 5_000, output_tokens: 20, input_tokens_details: { cached_tokens: 4_000 } },
      1_000 * 2 + 4_000 * 0.5 + 20 * 10,
    ],
    [
      "LangChain",
      {
        input_tokens: 5_000,
        output_tokens: 20,
        input_token_details: { cache_read: 4_000, cache_creation: 500 },
      },
      500 * 2 + 4_000 * 0.5 + 500 * 4 + 20 * 10,
    ],
    [
      "the AI SDK",
      {
        inputTokens: 5_000,
        outputTokens: 20,
        inputTokenDetails: { cacheReadTokens: 4_000, cacheWriteTokens: 500 },
      },
      500 * 2 + 4_000 * 0.5 + 500 * 4 + 20 * 10,
    ],
    [
      "the AI SDK up to version 5, with Anthropic",
      { inputTokens: 4, outputTokens: 20, cachedInputTokens: 4_000 },
      4 * 2 + 4_000 * 0.5 + 20 * 10,
    ],
    [
      "Gemini",
      {
        promptTokenCount: 5_000,
        candidatesTokenCount: 5,
        thoughtsTokenCount: 15,
        cachedContentTokenCount: 4_000,
      },
      1_000 * 2 + 4_000 * 0.5 + 20 * 10,
    ],
  ])("cost, with the usage of %s", async (_name, usage, expected) => {
    const check = cost({ max: 1, prices: { ...prices, cacheWrite: 4 } });
    const { metadata } = await check({ outputs: "a", metadata: { usage } });
    expect(metadata?.cost).toBeCloseTo(expected / 1e6, 12);
  });

  test("cost", async () => {
    const spent = { metadata: { cost: (600 * 2 + 400 * 0.5 + 100 * 10) / 1e6 } };
    expect(await cost({ max: 1, prices })({ outputs: "a", metadata: { usage } })).toMatchObject({
      score: true,
      ...spent,
    });
    const byModel = cost({ max: 0.001, prices: { small: prices } });
    expect(await byModel({ outputs: "a", metadata: { usage, model: "small" } })).toMatchObject({
      score: false,
      comment: "It cost 0.0024, but only 0.001 is allowed.",
      ...spent,
    });
    expect(await errorOf(byModel({ outputs: "a", metadata: { usage, model: "big" } }))).toMatchObject({
      code: "invalid_input",
      message: 'cost has no price for the model "big"; it has those of "small".',
    });
    expect(await errorOf(byModel({ outputs: "a" }))).toMatchObject({ code: "invalid_input" });
  });
});

describe("slow packages", () => {
  test("SQL that would take minutes to parse is refused at once, without a verdict", async () => {
    const deep = (levels: number) => `SELECT ${"(".repeat(levels)}1${")".repeat(levels)}`;
    expect((await validSql()(deep(6))).score).toBe(true);
    expect((await validSql()(`SELECT ${"f(".repeat(40)}1${")".repeat(40)}`)).score).toBe(true);
    expect((await validSql()(`SELECT '${"(".repeat(40)}', "((((((((" -- (((((((`)).score).toBe(true);
    const query =
      "SELECT CASE WHEN a THEN 1 ELSE CASE WHEN b THEN 2 END END FROM t WHERE c IN (SELECT CAST(d AS int) FROM u)";
    expect((await validSql()(Array(20).fill(query).join(" UNION "))).score).toBe(true);
    expect((await validSql()(Array(20).fill(query).join("; "))).score).toBe(true);
    for (const text of [
      deep(7),
      "SELECT CASE WHEN ".repeat(15),
      "SELECT ".repeat(20),
      "BEGIN ".repeat(20),
      `SELECT ${"CASE WHEN ".repeat(20)}`,
      `SELECT ${"CAST(".repeat(10)}`,
      `SELECT ${"EXISTS (SELECT ".repeat(10)}`,
      "WITH a AS (".repeat(20),
      `SELECT ${"EXTRACT(year FROM ".repeat(20)}`,
      `SELECT ${"ARRAY[".repeat(20)}`,
      deep(20_000),
      `SELECT ${"((((a".repeat(40)}`,
      `SELECT ${"(NOT ".repeat(40)}a b`,
      `SELECT 1${" + 1".repeat(50_000)}`,
    ]) {
      expect(await errorOf(validSql()(text))).toMatchObject({
        code: "invalid_input",
        message: expect.stringMatching(/ for node-sql-parser, so validSql cannot tell/),
      });
    }
    const seen: number[] = [];
    const parser = (text: string) => void seen.push(text.length);
    await validSql({ parser })(deep(40_000));
    expect(seen).toEqual([80_008]);
  });

  test("language detection takes as long for a long text as for a short one", async () => {
    const check = language("en");
    const timed = async (length: number) => {
      const start = performance.now();
      await check("word ".repeat(length / 5));
      return performance.now() - start;
    };
    await timed(4_000);
    const short = Math.min(await timed(4_000), await timed(4_000), await timed(4_000));
    const long = Math.min(await timed(4_000_000), await timed(4_000_000), await timed(4_000_000));
    // The text is a thousand times as long; without a limit it would take a million times as long.
    expect(long).toBeLessThan(20 * short + 50);
    const german = "Das ist ein ganz gewöhnlicher Satz, und es gibt viele davon. ".repeat(1_000);
    expect((await language("de")(german)).score).toBe(true);
    const seen: number[] = [];
    await language("en", { detect: (text) => void seen.push(text.length) })(german);
    expect(seen).toEqual([german.length]);
  });
});
