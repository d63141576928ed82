/** Tests of the harness: it reads the comments, and finds values that differ from them. */
import { describe, expect, it } from "vitest";
import { examples } from "./blocks.ts";
import { isPrinted, readExpected } from "./expected.ts";
import { instrument } from "./instrument.ts";

describe("a value in a comment", () => {
  it.each<[comment: string, fits: unknown[], differs: unknown[]]>([
    [
      '{ key: "a", score: true }',
      [{ key: "a", score: true }],
      [{ key: "a" }, { key: "a", score: true, comment: "" }],
    ],
    [
      "{ score: 0.57…, metadata, … }",
      [{ score: 0.571, metadata: {}, x: 1 }],
      [{ score: 0.571 }, { score: 0.5 }],
    ],
    ["[{ a: 1 }, …]", [[{ a: 1 }], [{ a: 1 }, 2]], [[], [{ a: 2 }]]],
    ["[1, 2]: prose", [[1, 2]], [[1], [1, 2, 3]]],
    ['"a …, b": prose', ["a x, b"], ["a b"]],
    ["-1.5", [-1.5], [1.5, "-1.5"]],
    ["undefined", [undefined], [null]],
  ])("%s", (comment, fits, differs) => {
    const expected = readExpected(comment);
    for (const value of fits) expect(expected?.(value)).toBe(true);
    for (const value of differs) expect(expected?.(value)).toBe(false);
  });

  it("is distinguished from prose", () => {
    for (const comment of ["OPENAI_API_KEY", "the default", "…"])
      expect(readExpected(comment)).toBeUndefined();
    expect(() => readExpected("{ key: }")).toThrow(SyntaxError);
  });
});

it("compares output, ignoring white space", () => {
  expect(isPrinted([["a", 1]], "a 1")).toBe(true);
  expect(isPrinted([["a\n  b"], ["c"]], "a b\nc")).toBe(true);
  expect(isPrinted([["a", 2]], "a 1")).toBe(false);
  expect(isPrinted([[{ a: [1] }]], "{ a: [1] }")).toBe(true);
});

it("finds the values that comments describe", () => {
  const code = `const a = await f(1); // { a: 1 }
f(2); // prose
f(3);
// 3
if (a) console.log(a, 4); // 1 4
f(5);

// { a: 5 }
f(6);`;
  const { checks } = instrument(code);
  expect(checks.map(({ comment }) => comment.trim()).sort()).toEqual(["1 4", "3", "{ a: 1 }"]);
});

it("has much to look at", () => {
  const checks = examples.filter(({ runs }) => runs).flatMap(({ code }) => instrument(code).checks);
  expect(checks.length).toBeGreaterThan(80);
});
