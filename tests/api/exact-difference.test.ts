/** The comments of exactMatch: the first difference and its path. */
import fc from "fast-check";
import { exactMatch } from "openevals-wasm";
import { describe, expect, it } from "vitest";

const commentOf = async (outputs: unknown, referenceOutputs: unknown) => {
  const { key, score, comment, ...rest } = await exactMatch({ outputs, referenceOutputs });
  expect([key, score, rest]).toEqual(["exact_match", false, {}]);
  return comment;
};

const deep = (leaf: unknown) => Array.from({ length: 400 }).reduce((inner) => ({ in: inner }), leaf);

describe("the comment of a mismatch", () => {
  it.each<[string, unknown, unknown, string]>([
    ["primitives", 1, "1", 'outputs is 1 instead of "1"'],
    ["texts", "299,792.548", "299,792.458", 'outputs is "299,792.548" instead of "299,792.458"'],
    ["a member", { a: [{ b: 1 }] }, { a: [{ b: 2 }] }, "outputs.a[0].b is 1 instead of 2"],
    [
      "a name that is no identifier",
      { "a b": true },
      { "a b": null },
      'outputs["a b"] is true instead of null',
    ],
    ["a missing member", { a: 1 }, { b: 2, a: 1 }, "outputs.b is missing instead of 2"],
    ["one too many", { a: 1, b: [1] }, { a: 1 }, "outputs.b is [1], which the reference does not have"],
    ["a missing key beside undefined", {}, { a: undefined }, "outputs.a is missing instead of null"],
    ["a shorter list", [1], [1, 2], "outputs[1] is missing instead of 2"],
    ["a longer list", [1, { a: 2 }], [1], 'outputs[1] is {"a":2}, which the reference does not have'],
    ["a list and an object", { a: [] }, { a: {} }, "outputs.a is [] instead of {}"],
    ["the order of the reference", { x: 1, y: 1 }, { y: 2, x: 2 }, "outputs.y is 1 instead of 2"],
    ["NaN", [Number.NaN], [0], "outputs[0] is null instead of 0"],
    [
      "dates",
      new Date(0),
      new Date(1),
      'outputs is "1970-01-01T00:00:00.000Z" instead of "1970-01-01T00:00:00.001Z"',
    ],
    ["boxed numbers", [Object(1)], [Object(2)], "outputs[0] is 1 instead of 2"],
    [
      "what looks alike",
      "caf\u00e9",
      "cafe\u0301",
      'outputs is "caf\u00e9" instead of "cafe\u0301"; U+00E9 and U+0065 U+0301 look alike',
    ],
    [
      "a __proto__",
      JSON.parse('{"__proto__":1}'),
      JSON.parse('{"__proto__":2}'),
      "outputs.__proto__ is 1 instead of 2",
    ],
  ])("%s", async (_, outputs, referenceOutputs, comment) => {
    expect(await commentOf(outputs, referenceOutputs)).toBe(comment);
    const rows = [
      { outputs: 1, referenceOutputs: 1 },
      { outputs, referenceOutputs },
    ];
    expect(await exactMatch.batch(rows)).toEqual([
      { key: "exact_match", score: true },
      { key: "exact_match", score: false, comment },
    ]);
  });

  it("shows the relevant part of long values", async () => {
    const text = "0123456789".repeat(200);
    expect(await commentOf(`${text}a${text}`, `${text}b${text}`)).toBe(
      `outputs is "…${text.slice(-30)}a${text.slice(0, 69)}…" instead of "…${text.slice(-30)}b${text.slice(0, 69)}…", ` +
        "from character 2,001 on",
    );
    // Both have the same first code unit of a surrogate pair.
    expect(await commentOf(`${text}😀`, `${text}😁`)).toBe(
      `outputs is "…${text.slice(-30)}😀" instead of "…${text.slice(-30)}😁", from character 2,001 on`,
    );
    const list = Array.from({ length: 2000 }, (_, id) => ({ id }));
    expect(await commentOf({}, { list })).toBe("outputs.list is missing instead of a list of 2,000");
    expect(await commentOf({ a: text }, { a: 1 })).toBe(`outputs.a is "${text.slice(0, 100)}…" instead of 1`);
    const path = await commentOf(deep(1), deep(2));
    expect(path).toMatch(/^outputs\.in\.in.*….*\.in is 1 instead of 2$/);
    expect(path?.length).toBeLessThan(200);
  });

  it("exists for every difference, and never for equal values", async () => {
    const value = fc.jsonValue({ maxDepth: 3 });
    const property = fc.asyncProperty(value, value, async (outputs, referenceOutputs) => {
      const { score, comment } = await exactMatch({
        outputs: [outputs],
        referenceOutputs: [referenceOutputs],
      });
      expect(comment).toEqual(score ? undefined : expect.stringMatching(/^outputs.* (is|instead) /s));
    });
    await fc.assert(property, { numRuns: 500 });
  });

  it("survives a getter that throws the second time", async () => {
    let reads = 0;
    const outputs = {
      get a() {
        if (reads++ > 3) throw new Error("enough");
        return reads;
      },
    };
    expect(await exactMatch({ outputs, referenceOutputs: { a: -1 } })).toMatchObject({ score: false });
  });
});
