/** `ListContains` with lists and texts of any size. */

import * as theirs from "autoevals";
import { ListContains } from "openevals-wasm/interop/autoevals";
import { expect, test } from "vitest";

const listOf = (length: number, text: string) => Array.from({ length }, (_, index) => `${text}${index}`);

test("pairs the best of 1,000,000 pairs", async () => {
  // A text and its counterpart differ in one letter; all others differ in more.
  const { score, metadata } = await ListContains({
    output: listOf(1000, "item"),
    expected: listOf(1000, "itex"),
  });
  expect(score).toBeCloseTo((10 * (4 / 5) + 90 * (5 / 6) + 900 * (6 / 7)) / 1000, 10);
  expect((metadata as any).pairs[7]).toEqual({ output: "item7", expected: "itex7", score: 0.8 });
});

test("refuses more pairs, and texts that are too long", async () => {
  await expect(
    ListContains({ output: listOf(3000, "item"), expected: listOf(3000, "itex") }),
  ).rejects.toMatchObject({
    code: "invalid_input",
    message:
      "ListContains got lists of 3000 and 3000 elements, which have 9000000 pairs; the limit is 1000000. Compare parts of them.",
  });
  const [output, expected] = ["a", "b"].map((letter) => [letter.repeat(400_000)]) as [string[], string[]];
  await expect(ListContains({ output, expected })).rejects.toMatchObject({
    code: "invalid_input",
    message:
      "ListContains got texts that are too long to compare each with all others: they need 160051204096 cells, and the limit is 100000000000. Compare parts of them.",
  });
});

test("long texts are compared part by part", async () => {
  const output = listOf(200, "a".repeat(1000));
  const { score } = await ListContains({ output, expected: [...output.slice(1), "b"] });
  expect(score).toBeCloseTo(199 / 200, 10);
});

test("lists of any size, if all elements of one are in the other", async () => {
  const output = listOf(100_000, "item");
  const expected = output.filter((_, index) => index % 2).reverse();
  expect((await ListContains({ output, expected })).score).toBe(0.5);
  expect((await ListContains({ output, expected, allowExtraEntities: true })).score).toBe(1);
  expect((await ListContains({ output: expected, expected: output })).score).toBe(0.5);
  expect((await ListContains({ output, expected: [...output] })).score).toBe(1);
});

test("equal texts are no partners if other pairs score more in total", async () => {
  // 2/3 for ab and aba, and for aba and ba; 0 for ab and ba.
  const lists = { output: ["aba", "ab"], expected: ["aba", "ba"] };
  const { score } = await ListContains(lists);
  expect(score).toBeCloseTo(2 / 3, 10);
  expect(score).toBeCloseTo((await theirs.ListContains(lists)).score as number, 10);
});

test("all pairs are scored by a scorer of one's own, also where they are equal", async () => {
  const calls: string[] = [];
  const first = ({ output, expected }: any) => {
    calls.push(output + expected);
    return { name: "First", score: Number(output[0] === expected[0]) };
  };
  const { score } = await ListContains({ output: ["ab", "b"], expected: ["b"], pairwiseScorer: first });
  expect([score, calls]).toEqual([0.5, ["abb", "bb"]]);
});

test.each([Number.NaN, Infinity, undefined, null])("a scorer that returns %s has no score", async (score) => {
  const pairwiseScorer: any = () => ({ name: "None", score });
  await expect(
    ListContains({ output: ["a", "b"], expected: ["a", "b"], pairwiseScorer }),
  ).rejects.toMatchObject({
    code: "invalid_input",
    message: "None has no score for two elements, so ListContains has none.",
  });
});
