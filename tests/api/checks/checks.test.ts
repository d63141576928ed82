/** Checks in general, and checks of text: passes, failures and comments. */

import * as checks from "openevals-wasm/checks";
import { evaluate } from "openevals-wasm/evaluation";
import { describe, expect, test } from "vitest";
import { errorOf } from "../error-of.ts";

const {
  contains,
  containsAll,
  containsAny,
  cost,
  equalsNumber,
  jsonSchema,
  language,
  latency,
  length,
  matches,
  noPII,
  noRefusal,
  startsWith,
  validJson,
  validXml,
} = checks;

/** An expression with a property that throws. */
const expressionWith = (property: "source" | "flags") =>
  Object.defineProperty(/a/, property, {
    get() {
      throw new Error("no luck");
    },
  });

describe("all checks", () => {
  test("accept all argument styles, and batches", async () => {
    const check = contains("42");
    const failed = { key: "contains", score: false, comment: 'The text does not contain "42".' };
    expect(await check({ outputs: "41" })).toEqual(failed);
    expect(await check("41")).toEqual(failed);
    expect(await check("41", "42")).toEqual(failed);
    expect(await check({ outputs: "42" })).toEqual({ key: "contains", score: true });
    expect(await check.batch([{ outputs: "41" }, { outputs: "42" }])).toEqual([
      failed,
      { key: "contains", score: true },
    ]);
    const error = await errorOf(check.batch([{ outputs: "42" }, {} as never]));
    expect(error).toMatchObject({
      code: "invalid_input",
      message: expect.stringMatching(/^rows\[1\]: contains needs outputs/),
    });
  });

  test("can be negated and renamed", async () => {
    const negated = contains("secret", { negate: true });
    expect(negated.key).toBe("not_contains");
    expect(await negated("a secret")).toEqual({
      key: "not_contains",
      score: false,
      comment: 'The text contains "secret".',
    });
    const named = contains("a", { negate: true, feedbackKey: "no_a" });
    expect([named.key, (await named("b")).key]).toEqual(["no_a", "no_a"]);
  });

  test("read texts, messages, and objects", async () => {
    const check = contains("Paris");
    const said = [
      { role: "user", content: "Paris?" },
      { role: "assistant", content: [{ type: "text", text: "Rome." }] },
    ];
    expect((await check(said)).score).toBe(false);
    expect((await check({ outputs: said })).score).toBe(false);
    expect(
      (await check({ outputs: { messages: [...said, { role: "assistant", content: "Paris." }] } })).score,
    ).toBe(true);
    expect((await check({ outputs: { answer: "Paris." } })).score).toBe(true);
    expect((await check({ outputs: { city: "Paris", country: "France" } })).score).toBe(true);
    const pointed = contains("Paris", { output: "country" });
    expect((await pointed({ outputs: { city: "Paris", country: "France" } })).score).toBe(false);
    const found = contains("Paris", { output: ({ cities }) => cities[1] });
    expect((await found({ outputs: { cities: ["Rome", "Paris"] } })).score).toBe(true);
    const refused = { role: "assistant", content: null, refusal: "I'm sorry, but I can't help with that." };
    expect((await noRefusal()({ outputs: refused })).score).toBe(false);
  });

  const mail = "jane@acme.com";
  const textPart = { type: "text", text: mail };

  test.each<[string, object]>([
    ["the AI SDK's user interface", { parts: [{ type: "step-start" }, textPart] }],
    ["the same with empty content", { content: "", parts: [textPart] }],
    ["the Responses API", { type: "message", content: [{ type: "output_text", text: mail }] }],
    ["a transcript", { content: null, audio: { id: "a", transcript: mail } }],
    ["text beside a call", { content: [textPart, { type: "tool_use", id: "1", name: "f", input: {} }] }],
  ])("read the text of a message: %s", async (_, fields) => {
    const message = { role: "assistant", ...fields };
    for (const outputs of [message, [message], { messages: [message] }]) {
      expect((await noPII()({ outputs })).score).toBe(false);
      expect((await contains("jane", { negate: true })({ outputs })).score).toBe(false);
      expect((await length({ max: mail.length })({ outputs })).metadata).toEqual({ count: mail.length });
    }
  });

  test.each<[string, object]>([
    ["of Mastra", { role: "assistant", content: { format: 2, parts: [textPart] } }],
    ["with its text in another field", { role: "assistant", text: mail }],
    ["with a misspelt field", { role: "assistant", Content: mail }],
    ["with parts in another form", { role: "assistant", parts: [{ part_kind: "text", content: mail }] }],
    ["with an empty list of calls", { role: "assistant", text: mail, tool_calls: [] }],
    ["with null", { role: "assistant", content: null }],
    ["with an empty list", { role: "assistant", content: [] }],
    ["with only reasoning", { role: "assistant", content: [{ type: "thinking", thinking: mail }] }],
    ["with only an image", { role: "assistant", content: [{ type: "image_url", image_url: { url: "a" } }] }],
  ])("refuse a message whose text they do not read: %s", async (_, message) => {
    const outputs = [{ role: "user", content: "Hi" }, message];
    for (const check of [
      noPII(),
      noRefusal(),
      contains("jane", { negate: true }),
      length({ max: 5 }),
      language("en", { detect: () => "en" }),
      matches("jane", { negate: true }),
      validJson({ negate: true }),
    ]) {
      expect(await errorOf(check({ outputs }))).toMatchObject({
        code: "invalid_input",
        message: expect.stringMatching(
          /^outputs has no message of the assistant with text: \{.*\}\. Pass a string as content\.$/,
        ),
      });
    }
  });

  test("refuse a part of an unknown type instead of a text", async () => {
    const outputs = [{ role: "assistant", content: [{ type: "custom_text", body: mail }] }];
    expect(await errorOf(noPII()({ outputs }))).toMatchObject({
      code: "invalid_input",
      message: expect.stringContaining('{"type":"custom_text","body":"jane@acme.com"}'),
    });
  });

  test.each<[string, object]>([
    ["an empty text", { content: "" }],
    ["an empty text as a part", { content: [{ type: "text", text: "" }] }],
    ["calls and an empty list", { content: [], tool_calls: [{ name: "f", args: {} }] }],
    ["calls and no content", { tool_calls: [{ name: "f", args: {} }] }],
    ["calls and null", { content: null, tool_calls: [{ name: "f", args: {} }] }],
    ["an older call", { content: null, function_call: { name: "f", arguments: "{}" } }],
    ["a call as a part", { content: [{ type: "tool_use", id: "1", name: "f", input: {} }] }],
  ])("read a message without a text as an empty text: %s", async (_, fields) => {
    const outputs = [{ role: "assistant", ...fields }];
    expect(await length({ max: 5 })({ outputs })).toMatchObject({ score: true, metadata: { count: 0 } });
  });

  test("of several texts search each of them unchanged, also in keys and inside", async () => {
    const found = async (check: checks.Check, text: string) => {
      const objects = [{ a: text, b: 1 }, { a: [{ b: text }], c: null }, { [text]: 1, b: 2 }, [text, "b"]];
      const results = await check.batch(objects.map((outputs) => ({ outputs })));
      return results.map(({ score }) => score);
    };
    const all = [true, true, true, true];
    const none = all.map(() => false);
    for (const text of ['I say "hi"', "a\tb \\ é"]) {
      expect(await found(contains(text), text)).toEqual(all);
      expect(await found(contains(text, { negate: true }), text)).toEqual(none);
    }
    expect(await found(containsAll(["x", "b"]), "x")).toEqual(all);
    expect(await found(matches(/^secret$/), "secret")).toEqual(all);
    expect(await found(matches(/\bsecret\b/, { negate: true }), "x\nsecret")).toEqual(none);
    expect(await found(noRefusal(), "\nI'm sorry, but I can't help with that.")).toEqual(none);
    for (const gap of [" ", "\n", "\t", "\r\n"])
      for (const data of ["4111 1111 1111 1111", "DE89370400440532013000", "+49 170 1234567"])
        expect(await found(noPII(), `Data:${gap}${data}`)).toEqual(none);
    expect(await found(noPII({ allow: [mail] }), `Mail:\n${mail}`)).toEqual(all);
    const { comment } = await matches("x")({ outputs: { a: "b", c: 1 } });
    expect(comment).toBe('The text "b\\n1\\na\\nc" does not match /x/.');
    const { metadata } = await noPII()({ outputs: { a: "b", c: mail } });
    expect(metadata).toEqual({ findings: [{ kind: "email", start: 2, end: 15 }] });
  });

  test("of a single text name the option that selects it", async () => {
    for (const check of [
      startsWith("a"),
      length({ max: 9 }),
      language("en", { detect: () => "en" }),
      equalsNumber(1),
    ]) {
      for (const outputs of [{ a: "a", b: "b" }, ["a", "b"]]) {
        expect(await errorOf(check({ outputs, referenceOutputs: 1 }))).toMatchObject({
          code: "invalid_input",
          message: `outputs has no single text: ${JSON.stringify(outputs)}. Set output to the key of the text, or a function.`,
        });
      }
    }
    expect(await errorOf(startsWith("a")({ outputs: { answer: { text: "a" } } }))).toMatchObject({
      message:
        'outputs has no single text: {"answer":{"text":"a"}}. Set output to the key of the text, or a function.',
    });
    expect((await startsWith("a", { output: "a" })({ outputs: { a: "a", b: "b" } })).score).toBe(true);
  });

  test.each([
    [contains("a"), undefined],
    [contains("null"), { answer: null }],
    [noPII(), { answer: null, documents: [] }],
    [noRefusal(), { answer: undefined }],
    [matches("a", { negate: true }), {}],
    [length({ max: 9 }), []],
    [noRefusal(), Number.NaN],
    [contains("a"), null],
    [contains("a"), [{ role: "user", content: "a" }]],
    [contains(), "a"],
    [validJson(), undefined],
    [equalsNumber(), "1"],
  ])("without anything to look at, that is an error: %#", async (check, outputs) => {
    expect(await errorOf(check({ outputs }))).toMatchObject({ code: "invalid_input" });
  });

  test.each<[() => unknown, string]>([
    [
      () => contains(1 as never),
      "The text that contains looks for is 1; it has to be a string that is not empty.",
    ],
    [
      () => contains(Promise.resolve("a") as never),
      "The text that contains looks for is a promise (await it); it has to be a string that is not empty.",
    ],
    [
      () => containsAll([]),
      "The texts that containsAll looks for are []; they have to be a list of strings that are not empty.",
    ],
    [
      () => contains("", { negate: true }),
      'The text that contains looks for is ""; it has to be a string that is not empty.',
    ],
    [
      () => startsWith(""),
      'The text that startsWith looks for is ""; it has to be a string that is not empty.',
    ],
    [
      () => containsAny(["a", ""]),
      'The texts that containsAny looks for are ["a",""]; they have to be a list of strings that are not empty.',
    ],
    [
      () => contains("a", { negated: true } as never),
      'contains has no option "negated"; did you mean negate?',
    ],
    [() => matches("("), "The pattern /(/ of matches cannot be used: Invalid regular expression: /(/"],
    [() => matches(/(a)\1/), "The pattern /(a)\\1/ of matches cannot be used: it has a backreference."],
    [
      () => matches(/(?<=a)b/),
      "The pattern /(?<=a)b/ of matches cannot be used: it has a lookbehind, or changes flags.",
    ],
    [() => matches(/a/v), "The pattern /a/v of matches cannot be used: the flag v is not supported."],
    [() => matches(/a/, { flags: "i" }), "Set the flags of matches in the RegExp."],
    [() => matches(3 as never), "The pattern of matches is 3; pass a RegExp or its source."],
    [() => matches(expressionWith("source")), "The arguments of matches"],
    [() => matches(expressionWith("flags")), "The arguments of matches"],
    [() => equalsNumber(-1), "tolerance is -1; it has to be a number from 0."],
    [() => equalsNumber(Infinity), "tolerance is Infinity; it has to be a number from 0."],
    [
      () => equalsNumber({ relativeTolerance: Infinity }),
      "relativeTolerance is Infinity; it has to be a number from 0.",
    ],
    [() => equalsNumber({ value: Number.NaN }), "value is NaN; it has to be a number."],
    [() => length({}), "length needs min or max."],
    [() => length({ min: 3, max: 2 }), "min is 3, and max is 2; min must not exceed max."],
    [
      () => length({ max: 2, unit: "tokens" }),
      'unit "tokens" needs a function that counts them: pass count.',
    ],
    [
      () => length({ max: 2, unit: "words", locale: "?" }),
      'locale is "?"; it has to be a language, such as "ja".',
    ],
    [() => language([]), 'The language is []; it has to be a code such as "en", or a list of codes.'],
    [() => noPII({ kinds: [] }), 'kinds is []; it has to be a list of "email", "phone", "card" and "iban".'],
    [() => noPII({ kinds: ["emial"] as never }), 'kinds is ["emial"]; did you mean "email"?'],
    [() => latency({} as never), "max is missing; it has to be a number from 0."],
    [
      () => cost({ max: 1, prices: { input: 1 } as never }),
      'prices is {"input":1}; it has to be { input, output } for a million tokens, or such prices by the names of models.',
    ],
    [() => jsonSchema([] as never), "The schema of jsonSchema is []; it has to be a JSON schema."],
    [() => validXml({ parser: {} as never }), "parser is {}; it has to be the package saxes, or a function."],
  ])("options that cannot work: %#", async (make, message) => {
    const error = await errorOf((async () => make())());
    expect(error).toMatchObject({ code: "invalid_config" });
    expect(error.message.startsWith(message)).toBe(true);
  });

  test("work in an experiment, with the run's duration and the row's data", async () => {
    const { rows } = await evaluate(({ question }) => ({ answer: `${question}!` }), {
      data: [{ inputs: { question: "Hi" }, outputs: "Hi", metadata: { cost: 0.2 } }],
      evaluators: [contains(), latency({ max: 60_000 }), cost({ max: 0.1 })],
    });
    expect(rows[0]?.evaluationResults.map(({ key, score }) => [key, score])).toEqual([
      ["contains", true],
      ["latency", true],
      ["cost", false],
    ]);
  });
});

test("combinations refuse parts with the parameters of other libraries", async () => {
  const part: any = ({ output, expected }: any) => ({ key: "match", score: output === expected });
  for (const all of [checks.allOf([part]), checks.anyOf([part])]) {
    const row: any = { outputs: "a", referenceOutputs: "b" };
    expect((await errorOf(all(row))).message).toContain("has no parameter output");
  }
});

describe("contains and similar checks", () => {
  test.each<[checks.Check, string, string | undefined]>([
    [containsAll(["a", "b", "c"]), "a", 'The text does not contain "b" or "c".'],
    [containsAll(["a", "b"]), "ba", undefined],
    [containsAll(["a", "b"], { negate: true }), "ba", 'The text contains "a" and "b".'],
    [containsAny(["a", "b"]), "c", 'The text does not contain "a" or "b".'],
    [containsAny(["a", "b"]), "b", undefined],
    [contains("Yes, until noon"), "No", 'The text does not contain "Yes, until noon".'],
    [containsAll(["a, b", "c, d"]), "e", 'The text does not contain "a, b" or "c, d".'],
    [containsAll(["a", "b", "c, d"], { negate: true }), "abc, d", 'The text contains "a", "b" and "c, d".'],
    [startsWith("Yes, sir"), "No, sir", 'The text starts with "No, sir", not with "Yes, sir".'],
    [contains("STRASSE", { ignoreCase: true }), "Lange Straße", undefined],
    [contains("ΟΔΟΣ", { ignoreCase: true }), "η οδος", undefined],
    [contains("Straße"), "Strasse", 'The text does not contain "Straße".'],
    [startsWith("Dear "), "Hello", 'The text starts with "Hello", not with "Dear ".'],
    [startsWith("dear", { ignoreCase: true }), "Dear", undefined],
    [startsWith("a"), "", 'The text is empty, not with "a".'],
    [startsWith("a", { negate: true }), "ab", 'The text starts with "a".'],
    [contains("\ud83d"), "😀", undefined],
  ])("%#", async (check, text, comment) => {
    const result = await check(text);
    expect([result.score, result.comment]).toEqual([comment === undefined, comment]);
  });

  test("the reference is the expected text, or several", async () => {
    const row = { outputs: "Paris and Rome", referenceOutputs: { cities: ["Paris", "Oslo"] } };
    expect((await contains()(row)).score).toBe(false);
    expect((await containsAny()(row)).score).toBe(true);
    expect((await startsWith()(row)).score).toBe(true);
    expect((await contains()({ outputs: "It is 42.", reference_outputs: 42 })).score).toBe(true);
  });

  test.each([
    ["contains", contains()],
    ["containsAll", containsAll()],
    ["containsAny", containsAny()],
    ["startsWith", startsWith()],
    ["contains", contains(undefined, { negate: true })],
  ])("an empty reference, which is in every text, is an error: %s", async (name, check) => {
    for (const referenceOutputs of ["", [""], ["a", ""], { answer: "" }]) {
      expect(await errorOf(check({ outputs: "anything", referenceOutputs }))).toMatchObject({
        code: "invalid_input",
        message: `${name} looks for the text of referenceOutputs, which is ""; it has to be a string that is not empty.`,
      });
    }
  });
});

describe("patterns", () => {
  test.each<[RegExp | string, string, boolean]>([
    [/^\d+$/, "123", true],
    [/^\d+$/, "123\n", false],
    [/^b$/m, "a\nb\nc", true],
    [/^b$/, "a\nb\nc", false],
    [/a.b/, "a\nb", false],
    [/a.b/s, "a\nb", true],
    [/STRASSE/i, "strasse", true],
    [/\bcat\b/, "a cat.", true],
    [/\bcat\b/, "concat", false],
    [/\Bcat\b/, "concat", true],
    [/^.$/, "😀", true],
    [/\p{Script=Greek}/u, "α", true],
    [/^(?!.*secret).*$/s, "a secret", false],
    [/^(?=.*\d)(?=.*[a-z])/, "a1", true],
    [/a{2,3}/gy, "xxaa", true],
    ["^[\\w.-]+@", "a@b", true],
    ["", "", true],
    [/(?:)/, "a", true],
    [/a|/, "b", true],
    ["[^]$", "\n", true],
    [/^$/, "", true],
    [/^$/, "a", false],
  ])("%s in %j", async (pattern, text, isThere) => {
    expect((await matches(pattern)(text)).score).toBe(isThere);
    expect((await matches(pattern, { negate: true })(text)).score).toBe(!isThere);
  });

  test("flags are a string", async () => {
    expect((await matches("^PASS", { flags: "im" })("so:\npass")).score).toBe(true);
  });

  test("with catastrophic backtracking elsewhere take linear time on a megabyte", async () => {
    for (const pattern of [
      /^(a+)+$/,
      /(a|aa)+$/,
      /(a*)*b/,
      /^(?:a?){50}a{50}b/,
      /(x+x+)+y/,
      /^([a-z]+)*\d$/i,
    ]) {
      expect((await matches(pattern)(`${"a".repeat(1_000_000)}!`)).score).toBe(false);
    }
  });

  test("are bounded if linear time is not enough", async () => {
    const text = "ab c".repeat(250_000);
    expect(await errorOf(matches(/(?=.*x)y/)(text))).toMatchObject({
      code: "invalid_input",
      message: "The pattern /(?=.*x)y/ cannot be matched against this text: it takes too many steps.",
    });
    expect(await errorOf((async () => matches(/((a{1,100}){1,100}){1,100}/))())).toMatchObject({
      code: "invalid_config",
      message:
        "The pattern /((a{1,100}){1,100}){1,100}/ of matches cannot be used: it has too many repetitions.",
    });
  });
});
