/** The transfer of values to the engine: complete for any value, and within known limits. */
import { isDeepStrictEqual } from "node:util";
import fc from "fast-check";
import {
  createJsonMatchEvaluator,
  exactMatch,
  graphTrajectoryStrictMatch,
  levenshteinDistance,
} from "openevals-wasm";
import { evaluate } from "openevals-wasm/evaluation";
import { rougeL } from "openevals-wasm/text";
import { describe, expect, test } from "vitest";
import { errorOf } from "./error-of.ts";

const isEqual = async (outputs: unknown, referenceOutputs: unknown) =>
  (await exactMatch({ outputs, referenceOutputs })).score;
const jsonMatch = createJsonMatchEvaluator({ aggregator: "all" });
/** The other evaluator that compares values, which has no fast path. */
const isMatch = async (outputs: unknown, referenceOutputs: unknown) =>
  (await jsonMatch({ outputs: { it: outputs }, referenceOutputs: { it: referenceOutputs } }))[0]?.score === 1;

/** The result of `JSON.parse`, so that the oracle compares plain data without -0. */
const asJson = (value: unknown) => JSON.parse(JSON.stringify(value));

const letters = [..."aé€😀", '"', "\\", "/", "\n", "\t", "\b", "\u0000", "\u001f", "\u007f", "\u2028"];
const hostile = ["\ud800", "\udfff", "\ud83d", "\ufffd", "\uffff", "\u{10ffff}", "\\ud800", "\\u0000"];
const texts = fc.oneof(
  fc.string({ unit: "binary", maxLength: 12 }),
  fc.array(fc.constantFrom(...letters, ...hostile), { maxLength: 90 }).map((parts) => parts.join("")),
  fc.constantFrom("__proto__", "constructor", "toString", "toJSON", "length", "0", "01", "-1", ""),
);
const numbers = fc.oneof(
  fc.integer(),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.constantFrom(0, -0, -1, 9, 10, 99, 100, 2 ** 31 - 1, 2 ** 31, -(2 ** 31), 2 ** 53, 1e21, 1e-7, 5e-324),
);
const values = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: "small", maxDepth: 4 },
    fc.oneof(texts, numbers, fc.boolean(), fc.constant(null)),
    fc.array(tie("value"), { maxLength: 5 }),
    fc.array(fc.tuple(texts, tie("value")), { maxLength: 6 }).map((members) => Object.fromEntries(members)),
  ),
})).value;

/** The same value with members in the opposite order. */
function reordered(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reordered);
  if (typeof value !== "object" || value === null) return value;
  const members = Object.entries(value).map(([key, member]) => [key, reordered(member)]);
  return Object.fromEntries(members.reverse());
}

/** An instance with `toJSON`, which disables the fast path. */
const written = (value: unknown) => ({ toJSON: () => value });

describe("any JSON value", () => {
  const options = { numRuns: 400 };
  const present = values.filter((value) => value !== null);

  test("equals the parse of its own JSON text, in every argument style", () =>
    fc.assert(
      fc.asyncProperty(present, async (value) => {
        const other = reordered(asJson(value));
        expect(await isEqual(value, other)).toBe(true);
        expect(await isEqual(written(value), other)).toBe(true);
        expect(await isMatch(value, other)).toBe(true);
        const rows = [value, written(value)].map((outputs) => ({ outputs, referenceOutputs: other }));
        expect((await exactMatch.batch(rows)).map(({ score }) => score)).toEqual([true, true]);
      }),
      options,
    ));

  test("equals another value if and only if an independent comparison says so", () =>
    fc.assert(
      fc.asyncProperty(present, present, fc.boolean(), async (a, b, isNear) => {
        const other = isNear ? [asJson(a), b] : b;
        const one = isNear ? [a, a] : a;
        const expected = isDeepStrictEqual(asJson(one), asJson(other));
        expect(await isEqual(one, other)).toBe(expected);
        expect(await isEqual(written(one), other)).toBe(expected);
        expect(await isMatch(one, other)).toBe(expected);
      }),
      options,
    ));

  test("differs from itself with one code unit changed", () =>
    fc.assert(
      fc.asyncProperty(texts, fc.nat(), fc.integer({ min: 1, max: 65_535 }), async (text, at, by) => {
        const units = `${text}x`.split("");
        const place = at % units.length;
        units[place] = String.fromCharCode(units[place]!.charCodeAt(0) ^ by);
        const other = units.join("");
        expect(await isEqual([`${text}x`, 1], [other, 1])).toBe(false);
        expect(await isEqual({ [`${text}x`]: 1 }, { [other]: 1 })).toBe(false);
        expect(await isMatch(`${text}x`, other)).toBe(false);
      }),
      options,
    ));
});

describe("long texts", () => {
  // Long texts are written in parts. An emoji has two code units, so it can cross the end of a part.
  test.each([
    ["plain", "a"],
    ["accents", "é"],
    ["emoji", "😀"],
    ["an emoji across the parts", "😀", "x"],
    ["quotes", '"'],
    ["control characters", "\u0001"],
    ["lone surrogates", "\ud83d"],
  ])("%s", async (_, letter, before = "") => {
    for (const length of [63, 64, 65, 65_535, 65_536, 65_537, 200_000]) {
      const text = before + letter.repeat(length);
      expect(await isEqual({ a: written(text), b: 1 }, { b: 1, a: text })).toBe(true);
      expect(await isEqual({ a: text, b: 1 }, { b: 1, a: `${text.slice(0, -1)}\u{e000}` })).toBe(false);
    }
  });

  test.each<[string, unknown]>([
    ["values of all kinds", [[[["é"]]], 1234567890, -1.5, {}, true, null]],
    ["a text of quotes", '"'.repeat(64)],
    ["a key of backslashes", { ["\\".repeat(64)]: [] }],
    ["a long text", "é".repeat(100)],
  ])("wherever the buffer ends: %s", async (_, value) => {
    for (let length = 16_000; length < 16_400; length++) {
      // After a failure, the next call starts with a small buffer of 16,384 bytes; each element of the list
      // takes two.
      await errorOf(exactMatch({ outputs: 1n, referenceOutputs: 1n }));
      const before = [...new Array(length >> 1).fill(1), "x".repeat(length & 1)];
      expect(await isEqual(written([before, value]), [before, value])).toBe(true);
    }
  });
});

describe("values with custom behaviour", () => {
  const boom = new TypeError("boom");
  const fails = () => {
    throw boom;
  };
  test.each<[string, unknown, string]>([
    [
      "a getter",
      {
        list: [
          {
            get it() {
              return fails();
            },
          },
        ],
      },
      "outputs.list[0].it cannot be read: boom",
    ],
    ["a toJSON", { a: { toJSON: fails } }, "outputs.a cannot be read: boom"],
    [
      "a toJSON that a getter holds",
      [
        {
          get toJSON() {
            return fails();
          },
        },
      ],
      "outputs[0] cannot be read: boom",
    ],
    ["the keys of a proxy", { a: new Proxy({}, { ownKeys: fails }) }, "outputs.a cannot be read: boom"],
    [
      "an element of a proxy",
      [new Proxy([1], { get: (list, key) => (key === "0" ? fails() : Reflect.get(list, key)) })],
      "outputs[0][0] cannot be read: boom",
    ],
  ])("%s that throws", async (_, outputs, message) => {
    // On both sides, so that the fast path does not apply.
    for (const referenceOutputs of [{}, outputs]) {
      const error = await errorOf(exactMatch({ outputs, referenceOutputs }));
      expect(error).toMatchObject({ code: "invalid_input", message, cause: boom });
    }
    const calls = [
      exactMatch.batch([
        { outputs: 1, referenceOutputs: 1 },
        { outputs, referenceOutputs: 1 },
      ]),
      jsonMatch({ outputs, referenceOutputs: {} }),
      levenshteinDistance({ outputs, referenceOutputs: "" }),
      graphTrajectoryStrictMatch({
        outputs: { results: [], steps: outputs as [] },
        referenceOutputs: { results: [], steps: [] },
      }),
    ];
    for (const call of calls) {
      expect(await errorOf(call)).toMatchObject({
        code: "invalid_input",
        message: expect.stringContaining("cannot be read: boom"),
        cause: boom,
      });
    }
  });

  test.each<[string, unknown, string]>([
    ["a text", "no", "no"],
    ["nothing", undefined, "undefined"],
    ["null", null, "null"],
    ["a symbol", Symbol("s"), "Symbol(s)"],
    [
      "an error whose message throws",
      {
        get message() {
          return fails();
        },
      },
      "it cannot be shown",
    ],
    [
      "a proxy that throws whatever is asked",
      new Proxy({}, { get: fails, getPrototypeOf: fails, has: fails, ownKeys: fails }),
      "it cannot be shown",
    ],
  ])("%s that is thrown", async (_, thrown, reason) => {
    const outputs = {
      get a() {
        throw thrown;
      },
    };
    const error = await errorOf(exactMatch({ outputs, referenceOutputs: outputs }));
    expect(error.code).toBe("invalid_input");
    expect(error.message).toBe(`outputs.a cannot be read: ${reason}`);
    expect(Object.is(error.cause, thrown)).toBe(true);
  });

  test("unreadable parameters are errors", async () => {
    const { proxy, revoke } = Proxy.revocable({ outputs: 1, referenceOutputs: 1 }, {});
    revoke();
    expect(await errorOf(exactMatch(proxy))).toMatchObject({
      code: "invalid_input",
      message: expect.stringContaining("The arguments of exactMatch cannot be read"),
    });
  });

  test("a getter may call an evaluator", async () => {
    let inner: Promise<{ score: unknown }> | undefined;
    const outputs = {
      before: "outer",
      get it() {
        inner = exactMatch({
          outputs: { s: ["inner"], n: [1, 2] },
          referenceOutputs: { n: [1, 3], s: ["inner"] },
        });
        return 1;
      },
      after: written("outer"),
    };
    expect(await isEqual(outputs, { before: "outer", it: 1, after: "outer" })).toBe(true);
    expect((await inner)?.score).toBe(false);
  });

  test("inherited and hidden members are ignored", async () => {
    expect(await isEqual(Object.create({ a: 1 }), {})).toBe(true);
    expect(await isEqual(Object.assign(Object.create({ a: 1 }), { b: 2 }), { b: 2 })).toBe(true);
    const hidden = (key: string, value: object) => Object.defineProperty(value, key, { value: 1 });
    expect(await isEqual(hidden("a", {}), {})).toBe(true);
    expect(await isEqual({ a: 1, b: 1 }, hidden("b", { a: 1, c: 1 }))).toBe(false);
    expect(await isEqual(hidden("b", { a: 1, c: 1 }), hidden("c", { a: 1, b: 1 }))).toBe(false);
  });

  test("own values do not equal inherited ones", async () => {
    const own = JSON.parse('{"__proto__": {}}');
    expect(await isEqual(own, {})).toBe(false);
    expect(await isEqual({}, own)).toBe(false);
    expect(await isEqual(own, JSON.parse('{"a": {}}'))).toBe(false);
    expect(await isEqual({ a: undefined }, { b: undefined })).toBe(false);
  });

  test("arrays and boxed strings do not equal objects with the same members", async () => {
    expect(await isEqual({ 0: "a" }, ["a"])).toBe(false);
    expect(await isEqual(["a"], { 0: "a" })).toBe(false);
    expect(await isEqual({ 0: "a" }, new String("a"))).toBe(false);
    expect(await isEqual(new String("a"), new String("a"))).toBe(true);
    expect(await isEqual(Object.assign(["a"], { toJSON: () => "b" }), ["a"])).toBe(false);
  });
});

describe("an error on either side is an error on both", () => {
  const cycle: Record<string, unknown> = { a: 1 };
  cycle.self = cycle;
  const wide: Record<string, unknown> = {};
  for (let index = 0; index < 20; index++) wide[`key${index}`] = [wide];
  const run = () => 1;

  test.each<[string, unknown, string]>([
    ["a cycle", cycle, "outputs.self is a reference back"],
    ["many cycles", wide, "outputs.key0[0] is a reference back"],
    ["a BigInt", { id: 1n }, "outputs.id is a BigInt"],
    ["a function", { run }, "outputs.run is a function"],
    ["a symbol", [Symbol.iterator], "outputs[0] is a symbol"],
    ["a Map", { a: new Map() }, "outputs.a is a Map"],
    ["an object with a tag of its own", { [Symbol.toStringTag]: "Secret" }, "outputs is a Secret"],
    ["an object that writes itself", { a: { toJSON: () => 1n } }, "outputs.a is a BigInt"],
  ])("%s", async (_, value, message) => {
    for (const referenceOutputs of [value, { different: true }]) {
      const error = await errorOf(exactMatch({ outputs: value, referenceOutputs }));
      expect(error).toMatchObject({ code: "invalid_input", message: expect.stringContaining(message) });
    }
    // Also after an earlier difference.
    const [outputs, referenceOutputs] = [
      [1, value],
      [2, value],
    ];
    expect((await errorOf(exactMatch({ outputs, referenceOutputs }))).code).toBe("invalid_input");
  });
});

describe("limits", () => {
  const megabytes = (count: number) => "x".repeat(count * 1_000_000);

  test("of JSON are errors that name the side", async () => {
    const error = await errorOf(
      exactMatch({ outputs: [megabytes(150)], referenceOutputs: [megabytes(149), megabytes(1)] }),
    );
    expect(error).toMatchObject({
      code: "invalid_input",
      message:
        "With referenceOutputs, there are more than 299,000,004 bytes of JSON, and the engine takes at most " +
        "200,000,000 at once: compare smaller parts, or fewer rows at a time.",
    });
  });

  test("of JSON in a batch are errors that name the row", async () => {
    const row = { outputs: megabytes(90), referenceOutputs: written("x") };
    expect(await errorOf(exactMatch.batch([row, row, row]))).toMatchObject({
      code: "invalid_input",
      message: expect.stringContaining("With rows[2].outputs, there are more than 270,000,0"),
    });
  });

  test("apply to an object that is referenced very often", async () => {
    const towers = [1, 2].map(() => {
      let tower: unknown = "x".repeat(1_000);
      for (let floor = 0; floor < 60; floor++) tower = [tower, tower];
      return tower;
    });
    const error = await errorOf(exactMatch({ outputs: towers[0], referenceOutputs: towers[1] }));
    expect(error).toMatchObject({
      code: "invalid_input",
      message: expect.stringContaining("With outputs, there are"),
    });
  });

  test("apply to texts and records of an object that is referenced very often", async () => {
    let tower: unknown = ["a", "b"];
    for (let floor = 0; floor < 60; floor++)
      tower = floor % 2 ? [tower, tower] : { one: tower, other: tower };
    const outputs = { tower };
    expect(await errorOf(levenshteinDistance({ outputs, referenceOutputs: "a" }))).toMatchObject({
      code: "invalid_input",
      message: expect.stringMatching(
        /^outputs is too large or has over 1000 levels at outputs\.tower\[0\]\.one\[0\]/,
      ),
    });
    expect(await errorOf(rougeL({ outputs, referenceOutputs: "a" }))).toMatchObject({
      code: "invalid_input",
      message: expect.stringMatching(/^The text of outputs is \[\{"one":\[\{"one":.*; it has to be a string/),
    });
    const evaluators = [exactMatch];
    const { rows } = await evaluate(() => outputs, { data: [{ inputs: 1 }], evaluators, progress: false });
    expect(rows[0]?.run.error?.message).toContain("With outputs, there are more than 200,000,");
  });

  test("end endless lists", async () => {
    const error = await errorOf(exactMatch({ outputs: new Array(2 ** 32 - 1), referenceOutputs: [] }));
    expect(error).toMatchObject({
      code: "invalid_input",
      message: expect.stringContaining("With outputs, there are"),
    });
  });

  test("of lists are errors before they are written", async () => {
    const holes = (count: number) => new Array(count);
    const tooLong: [unknown, string][] = [
      [holes(1e8), "outputs"],
      [holes(4e7), "outputs"],
      [[1, holes(5e7)], "outputs[1]"],
      [{ a: holes(3e7) }, "outputs.a"],
    ];
    for (const [outputs, place] of tooLong)
      expect(await errorOf(levenshteinDistance({ outputs, referenceOutputs: "a" }))).toMatchObject({
        code: "invalid_input",
        message: `outputs is too large or has over 1000 levels at ${place}.`,
      });
    expect(await errorOf(exactMatch({ outputs: holes(1e8), referenceOutputs: [1] }))).toMatchObject({
      code: "invalid_input",
      message: expect.stringContaining("With outputs, there are"),
    });
    // Writing them took a minute.
  }, 2_000);

  test("do not apply to single texts, which do not have to cross", async () => {
    expect(await isEqual(megabytes(201), megabytes(201))).toBe(true);
    expect(await isEqual(megabytes(201), `${megabytes(200)}y`)).toBe(false);
  }, 60_000);

  test("of Levenshtein are errors", async () => {
    const long = `${megabytes(100)}y`;
    expect((await levenshteinDistance({ outputs: long, referenceOutputs: `${long}` })).score).toBe(1);
    expect(await errorOf(levenshteinDistance({ outputs: "x", referenceOutputs: long }))).toMatchObject({
      code: "invalid_input",
      message:
        "referenceOutputs is 100,000,001 UTF-16 code units long, and the engine takes at most 100,000,000: compare parts of it.",
    });
    const rows = [
      { outputs: "a", referenceOutputs: "b" },
      { outputs: long, referenceOutputs: "b" },
    ];
    expect(await errorOf(levenshteinDistance.batch(rows))).toMatchObject({
      code: "invalid_input",
      message: expect.stringContaining("rows[1].outputs is 100,000,001 UTF-16 code units long"),
    });
  });

  test("leave the next call working", async () => {
    expect(await isEqual({ a: [1], b: written("two") }, { b: "two", a: [1] })).toBe(true);
    expect(await isEqual({ a: [1], b: written("two") }, { b: "two", a: [2] })).toBe(false);
  });
});
