/** Schemas of other libraries for judges' answers. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { toStandardJsonSchema } from "@valibot/to-json-schema";
import { type } from "arktype";
import { createLLMAsJudge } from "openevals-wasm";
import { evaluate } from "openevals-wasm/evaluation";
import * as v from "valibot";
import { afterAll, describe, expect, expectTypeOf, it } from "vitest";
import { z } from "zod";
import * as mini from "zod/mini";
import { z as z3 } from "zod3";
import { errorOf } from "./error-of.ts";

/** The schema in a judge's request, and the result of its answer. */
async function judged(outputSchema: object, answer: object) {
  let schema: any;
  const judge = createLLMAsJudge({
    prompt: "",
    outputSchema,
    judge: (request) => {
      schema = request.schema;
      return answer;
    },
  });
  const result = await judge({});
  delete schema.$schema;
  return { schema, result };
}

enum Level {
  Low,
  High,
}
enum Tone {
  Kind = "kind",
  Cold = "cold",
}

/** The same schema in both versions. */
const review = (zod: typeof z | typeof z3) => {
  const { object, string, number, boolean, array, union, literal, record } = zod as typeof z;
  return object({
    tone: (zod as typeof z).enum(["kind", "cold"]).describe("How it sounds."),
    score: number().min(0).max(1),
    stars: number().int(),
    remarks: array(object({ text: string().min(1), line: number().optional() })),
    author: string().nullable(),
    kind: union([literal("a"), literal(2)]),
    counts: record(string(), number()),
    final: boolean().default(true),
    level: (zod as typeof z).nativeEnum(Level),
    mood: (zod as typeof z).nativeEnum(Tone),
  });
};

const ANSWER = {
  tone: "kind",
  score: 0.5,
  stars: 4,
  remarks: [{ text: "Good." }],
  author: null,
  kind: 2,
  counts: { words: 3 },
  final: false,
  level: 1,
  mood: "cold",
};

/** The answers of a judge and the data of an experiment follow one rule for numbers. */
describe("numbers in an answer, and in a file", () => {
  const outputSchema = { type: "object", properties: { id: { type: "integer" } }, required: ["id"] };
  const idOf = (id: string) =>
    createLLMAsJudge({
      prompt: "",
      outputSchema,
      judge: () => `\`\`\`json\n{"id": 1, "list": [{"id": ${id}}]}\n\`\`\``,
    })({});

  const folder = mkdtempSync(join(tmpdir(), "numbers-"));
  afterAll(() => rmSync(folder, { recursive: true }));
  const read = async (number: string) => {
    const data = join(folder, "data.jsonl");
    writeFileSync(data, `{"inputs": ${number}, "outputs": 1}\n`);
    return (await evaluate(undefined, { data, progress: false })).rows[0]?.example.inputs;
  };

  it.each([
    "12345678901234567890",
    "-9007199254740993",
    "9007199254740993",
    "1180591620717411303425",
    "100000000000000000000000",
    `1${"0".repeat(400)}`,
    "1e400",
    "-1.5e999",
  ])("%s, which JavaScript would change, is an error", async (id) => {
    expect((await errorOf(read(id))).message).toContain("which JavaScript cannot represent");
    expect(await errorOf(idOf(id))).toMatchObject({
      code: "invalid_judge_output",
      attempts: 2,
      message: expect.stringContaining(`it has ${id}, which JavaScript cannot represent`),
    });
  });

  it.each([
    "9007199254740992",
    "100000000000000000000",
    "-9007199254740994",
    "1180591620717411303424",
    "9007199254740993.0",
    "9007199254740993e0",
    "1e23",
    "1e-999",
    "0.1000000000000000055",
    "0",
  ])("%s is kept", async (id) => {
    expect(await idOf(id)).toEqual({ id: 1, list: [{ id: Number(id) }] });
    expect(await read(id)).toBe(Number(id));
  });
});

describe("zod 4", () => {
  it("provides its JSON schema", async () => {
    const { schema, result } = await judged(review(z), ANSWER);
    expect(schema).toMatchObject({
      type: "object",
      properties: {
        tone: { type: "string", enum: ["kind", "cold"], description: "How it sounds." },
        remarks: { type: "array", items: { required: ["text"], additionalProperties: false } },
      },
      additionalProperties: false,
    });
    expect(schema.required).toEqual(Object.keys(ANSWER));
    expect(result).toEqual(ANSWER);
  });

  it("gives the result the type and shape of the schema", async () => {
    const judge = createLLMAsJudge({
      prompt: "",
      judge: () => ({ score: 0.5, at: "2026-01-01" }),
      outputSchema: z.object({ score: z.number(), at: z.string().transform((text) => text.length) }),
    });
    const result = await judge({});
    expect(result).toEqual({ score: 0.5, at: 10 });
    expectTypeOf(result).toEqualTypeOf<{ score: number; at: number }>();
  });

  it("converts an answer that has the type before the conversion", async () => {
    const outputSchema = z.object({ on: z.stringbool(), n: z.string().pipe(z.coerce.number()) });
    const { schema, result } = await judged(outputSchema, { on: "yes", n: "5" });
    expect(schema.properties).toEqual({ on: { type: "string" }, n: { type: "string" } });
    expect(result).toEqual({ on: true, n: 5 });
  });

  it("has its own rules validated", async () => {
    const outputSchema = z.object({ words: z.array(z.string().refine((word) => word !== "no", "not that")) });
    const judge = createLLMAsJudge({ prompt: "", outputSchema, judge: () => ({ words: ["yes", "no"] }) });
    expect(await errorOf(judge({}))).toMatchObject({
      code: "invalid_judge_output",
      message: expect.stringContaining("words.1: not that"),
      raw: '{"words":["yes","no"]}',
    });
  });
});

describe("zod 3", () => {
  it("has its JSON schema derived from its definition", async () => {
    const { schema, result } = await judged(review(z3), ANSWER);
    expect(schema).toEqual({
      type: "object",
      properties: {
        tone: { type: "string", enum: ["kind", "cold"], description: "How it sounds." },
        score: { type: "number", minimum: 0, maximum: 1 },
        stars: { type: "integer" },
        remarks: {
          type: "array",
          items: {
            type: "object",
            properties: { text: { type: "string" }, line: { type: "number" } },
            required: ["text"],
            additionalProperties: false,
          },
        },
        author: { anyOf: [{ type: "string" }, { type: "null" }] },
        kind: {
          anyOf: [
            { type: "string", enum: ["a"] },
            { type: "number", enum: [2] },
          ],
        },
        counts: { type: "object", additionalProperties: { type: "number" } },
        final: { type: "boolean", default: true },
        level: { type: "number", enum: [0, 1] },
        mood: { type: "string", enum: ["kind", "cold"] },
      },
      required: Object.keys(ANSWER),
      additionalProperties: false,
    });
    expect(result).toEqual(ANSWER);
  });

  it("has its own rules validated", async () => {
    const outputSchema = z3.object({ n: z3.number().refine((n) => n % 2 === 0, "not even") });
    const answering = (n: number) => createLLMAsJudge({ prompt: "", outputSchema, judge: () => ({ n }) })({});
    expect(await answering(2)).toEqual({ n: 2 });
    expect((await errorOf(answering(3))).message).toContain("n: not even");
  });

  it("supports discriminated unions, effects and wrappers, but not recursion", async () => {
    const shape = z3.discriminatedUnion("kind", [
      z3.object({ kind: z3.literal("a"), at: z3.string().readonly() }),
      z3.object({ kind: z3.literal("b"), any: z3.unknown(), nil: z3.null() }).strict(),
    ]);
    const { schema } = await judged(z3.object({ shape: shape.refine(() => true) }), {
      shape: { kind: "a", at: "b" },
    });
    expect(schema.properties.shape).toEqual({
      anyOf: [
        {
          type: "object",
          properties: { kind: { type: "string", enum: ["a"] }, at: { type: "string" } },
          required: ["kind", "at"],
          additionalProperties: false,
        },
        {
          type: "object",
          properties: { kind: { type: "string", enum: ["b"] }, any: {}, nil: { type: "null" } },
          required: ["kind", "nil"],
          additionalProperties: false,
        },
      ],
    });
  });

  it("without a JSON schema is refused", async () => {
    const judge = createLLMAsJudge({
      prompt: "",
      judge: () => "",
      outputSchema: z3.object({ at: z3.lazy(() => z3.string()) }),
    });
    for (const time of ["first", "second"]) {
      const error = await errorOf(judge({}));
      expect([time, error.code]).toEqual([time, "invalid_config"]);
      expect(error.message).toBe(
        "outputSchema has no JSON schema: z.lazy() cannot be converted. Use types that JSON has, such as an ISO string for " +
          "a date, or pass a JSON schema.",
      );
    }
  });
});

describe.each([
  ["zod 4", z.object({ score: z.boolean().default(true) })],
  ["zod 4 with a transform", z.object({ score: z.boolean().default(true).transform(Number) })],
  ["zod/mini", mini.object({ score: mini._default(mini.boolean(), true) })],
  ["zod 3", z3.object({ score: z3.boolean().default(true) })],
  ["zod 3 with a nullable default", z3.object({ score: z3.boolean().nullable().default(true) })],
])("a default of %s", (_, outputSchema: object) => {
  it("is not the verdict of an answer without one", async () => {
    const { schema } = await judged(outputSchema, { score: false });
    expect(schema.required).toEqual(["score"]);
    for (const answer of [
      {},
      { error: { message: "overloaded" } },
      { Score: false },
      "I cannot judge {} this",
    ]) {
      const error = await errorOf(judged(outputSchema, answer as object));
      expect(error.code).toBe("invalid_judge_output");
    }
  });
});

describe("the scale of a score", () => {
  const scaleWith = (outputSchema: object) =>
    createLLMAsJudge({ prompt: "", judge: () => "", outputSchema }).scale;
  const upTo10 = { min: 0, max: 10, direction: "higher", passAt: 10 };
  const verdict = { direction: "higher", passAt: 1 };
  const score = (schema: object | boolean, ...more: object[]) =>
    Object.assign({ type: "object", properties: { score: schema } }, ...more);
  const tenAtMost = { type: "number", maximum: 10 };
  const { object, number } = z;

  it.each<[string, object]>([
    ["a JSON schema", score(tenAtMost)],
    ["OpenAI's form", { name: "own", schema: score(tenAtMost) }],
    ["a list of types", score({ type: ["number", "null"], maximum: 10 })],
    [
      "a union",
      score({ anyOf: [{ type: "null" }, { type: "integer", maximum: 5 }, { oneOf: [tenAtMost] }] }),
    ],
    ["allOf", score({ allOf: [{ type: "number", maximum: 20 }, { maximum: 10 }] })],
    ["a reference", score({ $ref: "#/$defs/ten" }, { $defs: { ten: tenAtMost } })],
    ["a schema that is referenced", { $ref: "#/$defs/all", $defs: { all: score(tenAtMost) } }],
    ["schemas for the answer", { anyOf: [score(tenAtMost), { properties: { error: { type: "string" } } }] }],
    ["an enum", score({ enum: [0, 5, 10] })],
    ["constants", score({ anyOf: [{ const: 0 }, { const: 10 }, { const: null }] })],
    ["an integer up to a fraction", score({ type: "integer", maximum: 10.5 })],
    ["an exclusive limit of integers", score({ type: "integer", exclusiveMaximum: 11 })],
    ["zod 4", object({ score: number().max(10) })],
    ["zod 4, nullish", object({ score: number().max(10).nullish() })],
    ["zod 4, an integer", object({ score: z.int().max(10) })],
    ["zod 4 with an id", object({ score: number().max(10).meta({ id: "ten" }) })],
    [
      "zod 4, discriminated",
      z.discriminatedUnion("kind", [
        object({ kind: z.literal("ok"), score: number().max(10) }),
        object({ kind: z.literal("bad"), reason: z.string() }),
      ]),
    ],
    [
      "zod 4 with a transform elsewhere",
      object({ score: number().max(10), at: z.string().transform(Number) }),
    ],
    ["zod 4, piped", object({ score: z.string().transform(Number).pipe(number().max(10)) })],
    ["zod 3", z3.object({ score: z3.number().max(10) })],
    ["zod 3, nullish", z3.object({ score: z3.number().int().min(0).max(10).nullish() })],
    ["ArkType", type({ score: "number <= 10 | null" })],
    ["Valibot", toStandardJsonSchema(v.object({ score: v.pipe(v.number(), v.maxValue(10)) }))],
  ])("ends at the highest number: %s", (_, outputSchema) => {
    expect(scaleWith(outputSchema)).toEqual(upTo10);
  });

  it("begins at the lowest number", () => {
    expect(scaleWith(score({ enum: [1, 2, 3] }))).toEqual({ ...upTo10, min: 1, max: 3, passAt: 3 });
    expect(scaleWith(object({ score: number().min(-1).max(0) }))).toEqual({
      ...upTo10,
      min: -1,
      max: 0,
      passAt: 0,
    });
    expect(scaleWith(z3.object({ score: z3.number().min(1).max(5) }))).toMatchObject({ min: 1, max: 5 });
  });

  it.each<[string, object]>([
    ["a boolean", score({ type: "boolean" })],
    ["a boolean or null", score({ anyOf: [{ type: "boolean" }, { type: "null" }] })],
    ["true and false", score({ enum: [true, false, null] })],
    ["zod 4, a boolean", object({ score: z.boolean().nullable().default(null) })],
    ["zod 3, a boolean", z3.object({ score: z3.boolean().nullable() })],
  ])("is that of verdicts: %s", (_, outputSchema) => {
    expect(scaleWith(outputSchema)).toEqual(verdict);
  });

  it.each<[string, object]>([
    ["below a limit", score({ type: "number", exclusiveMaximum: 10 })],
    ["a number without a limit", score({ type: "number" })],
    ["any value", score(true)],
    ["no limit in a choice", score({ anyOf: [{ type: "number" }, tenAtMost] })],
    ["anything in a choice", score({ anyOf: [{}, tenAtMost] })],
    ["no score", { type: "object", properties: { tone: { type: "string" } } }],
    ["a limit of all fields", { type: "object", additionalProperties: tenAtMost }],
    ["a list", { type: "array", items: score(tenAtMost) }],
    ["zod 4, an integer", object({ score: z.int() })],
    [
      "zod 4, decoded",
      object({ score: z.codec(number().max(5), number(), { decode: (n) => n * 20, encode: Number }) }),
    ],
    ["ArkType, piped", type({ score: type("number <= 10").pipe((n) => n * 10) })],
    ["zod 3, a number", z3.object({ score: z3.number() })],
    ["zod 3 without a score", z3.object({ tone: z3.string() })],
    ["zod 3 with a rule for the whole", z3.object({ score: z3.number().max(10) }).refine(() => true)],
    ["another document", score({ $ref: "https://example.com/score.json" })],
    [
      "a cycle",
      score({ $ref: "#/$defs/a" }, { $defs: { a: { anyOf: [{ $ref: "#/$defs/a" }, tenAtMost] } } }),
    ],
    [
      "zod 4, transformed",
      object({
        score: number()
          .max(10)
          .transform((n) => n / 10),
      }),
    ],
    ["zod/mini", mini.object({ score: mini.number().check(mini.maximum(10)) })],
    [
      "zod 3, transformed",
      z3.object({
        score: z3
          .number()
          .max(10)
          .transform((n) => n / 10),
      }),
    ],
    ["zod 3, a union", z3.object({ score: z3.union([z3.literal(1), z3.literal(2)]) })],
  ])("has no pass mark: %s", (_, outputSchema) => {
    expect(scaleWith(outputSchema)).toEqual({ direction: "higher" });
  });

  it("takes the user's mark", () => {
    const outputSchema = mini.object({ score: mini.number().check(mini.maximum(10)) });
    const { scale } = createLLMAsJudge({ prompt: "", judge: () => "", outputSchema, passAt: 7 });
    expect(scale).toEqual({ direction: "higher", passAt: 7 });
  });

  it("is not sought in a schema of which the engine says what is wrong", async () => {
    for (const schema of [score({ anyOf: "x" }), score({ enum: 5 }), { properties: [], allOf: {} }]) {
      expect((await errorOf(judged(schema, {}))).code).toBe("invalid_config");
    }
  });
});

it("a field named properties is a field", async () => {
  const outputSchema = z.object({
    score: z.number().transform(Number),
    properties: z.object({ tone: z.string().default("kind") }),
    stars: z.number().default(3),
  });
  const { schema } = await judged(outputSchema, { score: 1, stars: 3, properties: { tone: "cold" } });
  expect(Object.keys(schema.properties)).toEqual(["score", "properties", "stars"]);
  expect(schema.required).toEqual(["score", "properties", "stars"]);
  expect(schema.properties.properties.required).toEqual(["tone"]);
});

it("zod/mini has its JSON schema derived from its definition", async () => {
  const outputSchema = mini.object({
    score: mini.number().check(mini.gt(0), mini.maximum(10)),
    stars: mini.optional(mini.int()),
    why: mini._default(mini.string(), ""),
  });
  const { schema } = await judged(outputSchema, { score: 1, why: "" });
  expect(schema).toEqual({
    type: "object",
    properties: {
      score: { type: "number", exclusiveMinimum: 0, maximum: 10 },
      stars: { type: "integer" },
      why: { type: "string", default: "" },
    },
    required: ["score", "why"],
    additionalProperties: false,
  });
});

it("ArkType provides its JSON schema", async () => {
  const { schema, result } = await judged(type({ tone: "'kind' | 'cold'", "line?": "number" }), {
    tone: "kind",
  });
  expect(schema.required).toEqual(["tone"]);
  expect(result).toEqual({ tone: "kind" });
});

describe("Valibot", () => {
  const schema = v.object({ tone: v.picklist(["kind", "cold"]), why: v.optional(v.string(), "none") });

  it("is converted by its own package", async () => {
    const { result } = await judged(toStandardJsonSchema(schema), { tone: "kind", why: "so" });
    expect(result).toEqual({ tone: "kind", why: "so" });
  });

  it("without the converter is refused with instructions", () => {
    const make = () => createLLMAsJudge({ prompt: "", judge: () => "", outputSchema: schema });
    expect(make).toThrow("toStandardJsonSchema() of @valibot/to-json-schema");
  });
});

describe("a schema whose validation", () => {
  const answering = (validate: () => unknown) =>
    createLLMAsJudge<any>({
      prompt: "",
      judge: () => ({ a: 1 }),
      outputSchema: {
        "~standard": {
          vendor: "own",
          version: 1,
          validate,
          jsonSchema: { input: () => ({}), output: () => ({ type: "object" }) },
        },
      },
    });

  it("throws is callback_failed", async () => {
    const cause = new Error("no");
    const throwing = () => {
      throw cause;
    };
    for (const validate of [throwing, async () => throwing()]) {
      expect(await errorOf(answering(validate)({}))).toMatchObject({
        code: "callback_failed",
        message: "The validation of outputSchema failed: no",
        cause,
      });
    }
  });

  it.each([
    undefined,
    null,
    5,
    {},
    "text",
    { issues: 5 },
    { issues: [null] },
    { issues: 5, value: 1 },
  ])("gives %j is one, too", async (given) => {
    expect(await errorOf(answering(() => given)({}))).toMatchObject({
      code: "callback_failed",
      message: `The validation of outputSchema failed: it returned ${JSON.stringify(given)}`,
    });
  });

  it("returns a value that throws when it is read is an error, too", async () => {
    const cause = new Error("no");
    const thrower = {
      get message() {
        throw cause;
      },
    };
    const results = [
      { issues: [thrower] },
      { issues: [{ message: "no", path: [{ key: { toString: () => thrower.message } }] }] },
      Object.defineProperty({}, "value", { get: () => thrower.message }),
    ];
    for (const result of results) {
      expect(await errorOf(answering(() => result)({}))).toMatchObject({ code: "callback_failed", cause });
    }
  });

  it("returns a value or issues is applied", async () => {
    expect(await answering(() => ({ value: undefined }))({})).toBe(undefined);
    expect(await answering(() => ({ value: 1, issues: undefined }))({})).toBe(1);
  });
});

it("a misspelt keyword is refused before the judge is asked", async () => {
  for (const form of [(schema: object) => schema, (schema: object) => ({ name: "own", schema })]) {
    let calls = 0;
    const outputSchema = form({ type: "object", propertis: { tone: { type: "string" } } });
    const judge = createLLMAsJudge({ prompt: "", outputSchema, judge: () => `${++calls}` });
    expect(await errorOf(judge({}))).toMatchObject({
      code: "invalid_config",
      message:
        'The schema of the option outputSchema has the unknown keyword "propertis"; did you mean "properties"?',
    });
    expect(calls).toBe(0);
  }
});

it("fields without an enclosing schema are refused", async () => {
  const error = await errorOf(judged({ a: z.string() }, {}));
  expect(error).toMatchObject({
    code: "invalid_config",
    message: "outputSchema.a is a schema, but outputSchema is not; wrap its fields, as with z.object().",
  });
});

it("a mismatch in a union is reported for the branch with the matching discriminator", async () => {
  const outputSchema = z.object({
    v: z.discriminatedUnion("kind", [
      z.object({ kind: z.literal("ok"), value: z.number() }),
      z.object({ kind: z.literal("bad"), reason: z.string() }),
    ]),
  });
  const error = await errorOf(judged(outputSchema, { v: { kind: "bad", reson: "x" } }));
  expect(error.message).toContain('"v.reason" is missing');
});

describe("a schema of zod that changes scores without a trace", () => {
  const isOk = (score: number) => score !== 0.3;
  it.each<[string, object]>([
    ["a score", z.object({ score: z.number().refine(isOk).catch(1) })],
    ["a score of zod 3", z3.object({ score: z3.number().refine(isOk).catch(1) })],
    ["the answer", z.object({ score: z.number().refine(isOk) }).catch({ score: 1 })],
    ["a part of a union", z.object({ score: z.union([z.boolean(), z.number().refine(isOk).catch(1)]) })],
    [
      "a score that is transformed",
      z.object({
        score: z
          .number()
          .catch(1)
          .transform((score) => score / 2),
      }),
    ],
    ["scores in a list", z.array(z.object({ key: z.string(), score: z.number().catch(1) }))],
    ["an intersection", z.object({ score: z.number().catch(1) }).and(z.object({ reasoning: z.string() }))],
    ["a lazy schema", z.object({ score: z.lazy(() => z.number().catch(1)) })],
    ["a record", z.record(z.string(), z.number().catch(1))],
    ["further fields", z.object({ tone: z.string() }).catchall(z.number().catch(1))],
    [
      "a field that becomes the score",
      z.object({ v: z.number().catch(1) }).transform(({ v }) => ({ score: v })),
    ],
    [
      "a field of zod 3 that becomes the score",
      z3.object({ v: z3.number().catch(1) }).transform(({ v }) => ({ score: v })),
    ],
  ])("catch() of %s is an error before the judge is asked", async (_, schema) => {
    const error = await errorOf(judged(schema, { score: 0.3 }));
    expect(error).toMatchObject({
      code: "invalid_config",
      message: "outputSchema has catch(), which would make a score of an answer that fails; leave it out.",
    });
  });

  it.each<[string, object]>([
    [
      "a score",
      z.object({
        score: z
          .number()
          .max(10)
          .overwrite((score) => score / 10),
      }),
    ],
    [
      "a lazy score",
      z.object({
        score: z.lazy(() =>
          z
            .number()
            .max(10)
            .overwrite((score) => score / 10),
        ),
      }),
    ],
    ["the answer", z.object({ score: z.number().max(10) }).overwrite(() => ({ score: 50 }))],
  ])("overwrite() of %s is an error, since the range of scores is unknown", async (_, schema) => {
    expect(await errorOf(judged(schema, { score: 10 }))).toMatchObject({
      code: "invalid_config",
      message: "outputSchema has overwrite(), so its range of scores is unknown; use transform() instead.",
    });
  });

  it("other fields may have both, and a transform may follow overwrite()", async () => {
    const trimmed = z.object({ score: z.number(), tone: z.string().trim() }).transform((answer) => answer);
    expect((await judged(trimmed, { score: 1, tone: " cold " })).result).toEqual({ score: 1, tone: "cold" });
    const schema = z.object({ score: z.number(), tone: z.string().trim().catch("kind") });
    expect((await judged(schema, { score: 1, tone: " cold " })).result).toEqual({ score: 1, tone: "cold" });
  });
});
