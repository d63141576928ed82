/** Equality and incomparable values, the same for every evaluator that compares values. */

import { runInNewContext } from "node:vm";
import { createLLMAsJudge, createTrajectoryMatchEvaluator, exactMatch, OpenEvalsError } from "openevals-wasm";
import { describe, expect, test } from "vitest";
import { errorOf } from "./error-of.js";

const isEqual = async (outputs: unknown, referenceOutputs: unknown) => {
  const { key, score, comment, ...rest } = await exactMatch({ outputs, referenceOutputs });
  expect(key).toBe("exact_match");
  expect(rest).toEqual({});
  expect(comment).toEqual(score ? undefined : expect.stringMatching(/^outputs/));
  // Equality is symmetric, and a batch of one is a call.
  expect((await exactMatch({ outputs: referenceOutputs, referenceOutputs: outputs })).score).toBe(score);
  expect(await exactMatch.batch([{ outputs, referenceOutputs }])).toEqual([{ key, score, comment }]);
  return score;
};

const nested = (depth: number, leaf: unknown) => {
  let value = leaf;
  for (let level = 0; level < depth; level++) value = level % 2 ? [value] : { in: value };
  return value;
};

const manyKeys = (count: number) =>
  Array.from({ length: count }, (_, index) => [`key ${index}`, index] as const);

describe("equal", () => {
  test.each<[string, unknown, unknown]>([
    ["the same object", { a: 1, b: [2, 3] }, { a: 1, b: [2, 3] }],
    ["keys in another order, at every level", { a: { x: 1, y: 2 }, b: 3 }, { b: 3, a: { y: 2, x: 1 } }],
    ["1 and 1.0", { n: 1 }, { n: 1.0 }],
    ["0 and -0", [0], [-0]],
    ["NaN and NaN", [Number.NaN], [Number.NaN]],
    ["NaN and null, which is what JSON has for it", [Number.NaN], [null]],
    ["a nested undefined and null", { a: [undefined] }, { a: [null] }],
    ["an undefined member and a null member", { a: undefined }, { a: null }],
    ["a hole in a list and null", Object.assign(new Array(3), { 0: 1, 2: 3 }), [1, null, 3]],
    ["a Date and its ISO text", { at: new Date(0) }, { at: "1970-01-01T00:00:00.000Z" }],
    [
      "objects with toJSON and what it returns",
      { url: new URL("http://a.test/") },
      { url: "http://a.test/" },
    ],
    [
      "an instance of a class and a plain object",
      new (class {
        a = 1;
      })(),
      { a: 1 },
    ],
    ["an object without prototype", Object.assign(Object.create(null), { a: 1 }), { a: 1 }],
    ["boxed primitives and primitives", [new Number(1), new String("a")], [1, "a"]],
    ["empty objects", {}, {}],
    ["empty lists", [], []],
    ["empty strings", "", ""],
    ["emoji", { e: "👩‍👩‍👧‍👦", f: 1 }, { f: 1, e: "👩‍👩‍👧‍👦" }],
    ["lone surrogates", { s: "\ud800", t: 1 }, { t: 1, s: "\ud800" }],
    ["the key __proto__", JSON.parse('{"__proto__":1,"a":2}'), JSON.parse('{"a":2,"__proto__":1}')],
    ["the key constructor", { constructor: 1, a: 2 }, { a: 2, constructor: 1 }],
    ["integer-like keys", { 10: "a", 2: "b", x: 1 }, { x: 1, 2: "b", 10: "a" }],
    [
      "10,000 keys in another order",
      Object.fromEntries(manyKeys(10_000)),
      Object.fromEntries(manyKeys(10_000).reverse()),
    ],
    ["values 1,000 levels deep", nested(999, { a: 1, b: 2 }), nested(999, { b: 2, a: 1 })],
    [
      "strings of 10,000 characters",
      ["x".repeat(10_000), 1, { a: 1, b: 2 }],
      ["x".repeat(10_000), 1, { b: 2, a: 1 }],
    ],
  ])("%s", async (_, a, b) => expect(await isEqual(a, b)).toBe(true));
});

describe("different", () => {
  test.each<[string, unknown, unknown]>([
    ["lists in another order", [1, 2], [2, 1]],
    ["a null member and a missing one", { a: null }, {}],
    ["null and false", [null], [false]],
    ["1 and '1'", [1], ["1"]],
    ["an empty object and an empty list", {}, []],
    ["an empty list and an empty string", [], ""],
    ["precomposed and combining accents", "é", "e\u0301"],
    ["two lone surrogates", "\ud800", "\ud801"],
    ["a lone surrogate and the replacement character", "\ud800", "\ufffd"],
    ["a lone surrogate and its escape as text", ["\ud800"], ["\\ud800"]],
    ["neighbouring doubles", [0.1 + 0.2], [0.3]],
    ["dates", [new Date(0)], [new Date(1)]],
    ["the key __proto__ and none", JSON.parse('{"__proto__":1}'), {}],
    ["values 1,000 levels deep", nested(1_000, 1), nested(1_000, 2)],
    [
      "one of 10,000 keys",
      Object.fromEntries(manyKeys(10_000)),
      Object.fromEntries([...manyKeys(9_999), ["key 9999", -1]]),
    ],
  ])("%s", async (_, a, b) => expect(await isEqual(a, b)).toBe(false));
});

describe("a cycle", () => {
  /** Nested lists, of which the innermost contains the one at a depth. */
  function cyclic(depth: number, back: number): unknown {
    const lists: unknown[][] = Array.from({ length: depth }, () => []);
    for (const [index, list] of lists.entries()) list.push(lists[index + 1] ?? lists[back]);
    return lists[0];
  }

  test.each([
    [15, 14],
    [16, 15],
    [17, 15],
    [17, 16],
    [18, 16],
    [18, 0],
    [1000, 999],
  ])("of %i levels, back to level %i", async (depth, back) => {
    const error = await errorOf(exactMatch({ outputs: cyclic(depth, back), referenceOutputs: 1 }));
    expect(error.message).toContain(`${"[0]".repeat(Math.min(depth, 20))} is a reference back`);
  });

  test("a shared object is not a cycle, at any depth", async () => {
    let [one, other]: unknown[] = [{}, {}];
    for (let level = 0; level < 40; level++)
      [one, other] = [
        [one, level],
        [other, level],
      ];
    expect(await isEqual([one, one, { one }], [other, other, { one: other }])).toBe(true);
    expect(await isEqual([one, one, { one }], [other, other, { one: [other] }])).toBe(false);
  });
});

/** JSON has nothing of it. */
class Secretive {
  readonly #secret: number;

  constructor(secret: number) {
    this.#secret = secret;
  }

  get secret(): number {
    return this.#secret;
  }
}

describe("refused, with the path and instructions", () => {
  const cycle: Record<string, unknown> = { list: [{}] };
  (cycle.list as object[])[0] = { back: cycle };

  test.each<[string, unknown, string]>([
    [
      "a cycle",
      cycle,
      "outputs.list[0].back is a reference back to a value that holds it, which JSON cannot represent; break the cycle",
    ],
    [
      "a BigInt",
      { ids: [1n] },
      "outputs.ids[0] is a BigInt, which JSON cannot represent; pass it as a number or a string",
    ],
    [
      "a function",
      { "a key": () => 1 },
      'outputs["a key"] is a function, which JSON cannot represent; pass what it returns',
    ],
    ["a symbol", [Symbol("s")], "outputs[0] is a symbol, which JSON cannot represent; pass a string"],
    [
      "a Promise",
      { a: Promise.resolve(1) },
      "outputs.a is a Promise, which JSON cannot represent; await it first",
    ],
    [
      "a Map",
      { a: new Map([[1, 2]]) },
      "outputs.a is a Map, which JSON cannot represent; convert it to plain data first",
    ],
    ["a Set", new Set([1]), "outputs is a Set, which JSON cannot represent; convert it to plain data first"],
    [
      "an instance with private fields only",
      { a: new Secretive(1) },
      "outputs.a is a class instance, which JSON cannot represent; convert it to plain data first",
    ],
    ["values 1,001 levels deep", nested(1_001, 1), "is too large or has over 1000 levels"],
  ])("%s", async (_, outputs, message) => {
    const error = await exactMatch({ outputs, referenceOutputs: {} }).catch((error: unknown) => error);
    expect(error).toBeInstanceOf(OpenEvalsError);
    expect(error).toMatchObject({ code: "invalid_input", message: expect.stringContaining(message) });
  });

  test("class instances without fields, also as arguments of tools and in prompts", async () => {
    const call = (secret: number) => [
      { role: "assistant", content: "", tool_calls: [{ name: "f", args: new Secretive(secret) }] },
    ];
    const judge = createLLMAsJudge({ prompt: "{outputs}", judge: () => ({ score: true }) });
    for (const scored of [
      createTrajectoryMatchEvaluator()({ outputs: call(1), referenceOutputs: call(2) }),
      judge({ outputs: new Secretive(1) }),
    ])
      await expect(scored).rejects.toMatchObject({
        code: "invalid_input",
        message: expect.stringContaining("is a class instance, which JSON cannot represent"),
      });
    const empty = runInNewContext("({ a: {} })");
    expect(await isEqual({ a: {} }, empty)).toBe(true);
    expect(await isEqual({ a: Object.create(null) }, { a: {} })).toBe(true);
  });

  test("values that occur twice are not a cycle", async () => {
    const shared = { a: true };
    expect(await isEqual({ x: shared, y: [shared], z: undefined }, { x: shared, y: [shared], z: null })).toBe(
      true,
    );
  });

  test("the row of a batch", async () => {
    const rows = [
      { outputs: 1, referenceOutputs: 1 },
      { outputs: 1, referenceOutputs: { big: 1n } },
    ];
    await expect(exactMatch.batch(rows)).rejects.toMatchObject({
      code: "invalid_input",
      message: expect.stringContaining("rows[1].referenceOutputs.big is a BigInt"),
    });
  });
});

describe("arguments", () => {
  test("positional, and reference_outputs", async () => {
    expect(await exactMatch({ a: 1 }, { a: 1 })).toEqual({ key: "exact_match", score: true });
    expect(await exactMatch("a", "b")).toEqual({
      key: "exact_match",
      score: false,
      comment: 'outputs is "a" instead of "b"',
    });
    expect(await exactMatch({ outputs: 1, reference_outputs: 1 })).toEqual({
      key: "exact_match",
      score: true,
    });
  });

  test("as a callback of map, which also passes an index", async () => {
    const rows = [
      { outputs: 1, referenceOutputs: 1 },
      { outputs: 1, referenceOutputs: 2 },
    ];
    const results = await Promise.all(
      rows.map(exactMatch as (row: (typeof rows)[0]) => ReturnType<typeof exactMatch>),
    );
    expect(results.map(({ score }) => score)).toEqual([true, false]);
  });

  test.each<[string, unknown, string]>([
    ["no outputs", { referenceOutputs: 1 }, "exactMatch needs outputs and got undefined"],
    ["null outputs", { outputs: null, referenceOutputs: 1 }, "exactMatch needs outputs and got null"],
    ["a reference of null", { outputs: 1, referenceOutputs: null }, "needs referenceOutputs and got null"],
    ["the same", { outputs: 1, reference_outputs: null }, "needs referenceOutputs and got null"],
    ["no reference", { outputs: 1 }, "exactMatch needs referenceOutputs and got undefined"],
    [
      "a misspelling",
      { output: 1, referenceOutputs: 1 },
      "exactMatch needs outputs and got output (did you mean outputs?). Call it with { outputs, referenceOutputs }.",
    ],
    [
      "a misspelt reference",
      { outputs: 1, referenceOutput: 1 },
      "needs referenceOutputs and got referenceOutput (did you mean referenceOutputs?). Call",
    ],
    ["nothing", undefined, "exactMatch needs outputs and was called with undefined"],
    [
      "outputs alone",
      "a",
      "exactMatch needs outputs and was called with a string. Call it with { outputs, referenceOutputs }.",
    ],
  ])("%s", async (_, params, message) => {
    await expect(exactMatch(params as never)).rejects.toMatchObject({
      code: "invalid_input",
      message: expect.stringContaining(message),
    });
  });

  test("inputs are ignored, whatever they contain", async () => {
    expect(await exactMatch({ inputs: { big: 1n }, outputs: 1, referenceOutputs: 1 })).toEqual({
      key: "exact_match",
      score: true,
    });
  });

  // Slow if memory grows in small steps, or values take many times the size of their text.
  test("values of many megabytes", async () => {
    const pairs = (last: number) =>
      Array.from({ length: 800_000 }, (_, index) => [index < 799_999 ? index % 7 : last, "x"]);
    expect((await exactMatch({ outputs: pairs(1), referenceOutputs: pairs(2) })).score).toBe(false);
    const wide = pairs(1).map(([a, b]) => ({ a, b }));
    const swapped = pairs(1).map(([a, b]) => ({ b, a }));
    expect((await exactMatch({ outputs: wide, referenceOutputs: swapped })).score).toBe(true);
  });

  test("an empty batch has no results", async () => expect(await exactMatch.batch([])).toEqual([]));
});
