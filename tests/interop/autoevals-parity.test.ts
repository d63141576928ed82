/** The scorers that need no model agree with autoevals 0.3 on 2,000 random cases each. */

import * as theirs from "autoevals";
import * as ours from "openevals-wasm/interop/autoevals";
import { expect, test } from "vitest";
import { seeded } from "../random.ts";

const CASES = 2_000;
const random = seeded(31);
const below = (end: number) => Math.floor(random() * end);
const pick = <T>(list: readonly T[]): T => list[below(list.length)] as T;
const listOf = <T>(most: number, make: () => T): T[] => Array.from({ length: below(most + 1) }, make);

const LETTERS = ["a", "b", "c", " ", "é", "例", "\u{1f600}", '"', "{", "1"];
const text = () => listOf(12, () => pick(LETTERS)).join("");
const number = () => pick([0, -0, 1, -1, below(100), random() * 10 - 5, 1e300, 1e-300]);
const leaf = (): unknown => pick([text, number, () => true, () => false, () => null])();
const value = (depth = 3): unknown => {
  if (depth === 0 || random() < 0.35) return leaf();
  if (random() < 0.4) return listOf(4, () => value(depth - 1));
  if (random() < 0.1) return JSON.stringify(value(depth - 1));
  return Object.fromEntries(listOf(4, () => [pick(["a", "b", "c", "7", "d e"]), value(depth - 1)]));
};
/** The value with some parts replaced, so that most cases are partly equal. */
const changed = (given: unknown): unknown => {
  if (random() < 0.12) return value(1);
  if (Array.isArray(given)) return given.map(changed).slice(0, random() < 0.1 ? 1 : undefined);
  if (typeof given !== "object" || given === null) return given;
  const entries = Object.entries(given).map(([key, part]) => [key, changed(part)]);
  return Object.fromEntries(random() < 0.2 ? entries.reverse() : entries);
};
const pair = () => {
  const output = value();
  return { output, expected: random() < 0.8 ? changed(output) : value() };
};
const words = () => listOf(5, () => pick(["Oslo", "Bergen", "Berlin", "Bern", "oslo", "", text()]));
const schemas = [
  { type: "object" },
  { type: "array", minItems: 2 },
  { type: "object", properties: { a: { type: "number" } }, required: ["a"] },
  { anyOf: [{ type: "string", minLength: 3 }, { type: "number", minimum: 0 }, { type: "boolean" }] },
  { type: "array", items: { type: "number", maximum: 50 } },
];
const asText = (given: unknown) => (random() < 0.5 ? JSON.stringify(given) : given);

type Make = () => Record<string, unknown>;
const SCORERS: Record<string, Make> = {
  Levenshtein: () => ({ output: pick([text, number])(), expected: pick([text, text, number])() }),
  NumericDiff: () => ({ output: number(), expected: number() }),
  ExactMatch: () => {
    const { output, expected } = pair();
    return { output: asText(output), expected: random() < 0.3 ? asText(output) : expected };
  },
  JSONDiff: () => ({ ...pair(), ...(random() < 0.2 && { preserveStrings: true }) }),
  ValidJSON: () => ({
    output: random() < 0.2 ? pick(["{", "{}", "[1, 2]", "1", "null", "{'a': 1}", ""]) : asText(value()),
    // autoevals compiles a schema in each call, which takes long.
    ...(random() < 0.2 && { schema: pick(schemas) }),
  }),
  ListContains: () => ({ output: words(), expected: words(), allowExtraEntities: random() < 0.3 }),
};

test.each(Object.entries(SCORERS))("%s", async (name, make) => {
  const [own, reference] = [ours, theirs].map((module) => (module as any)[name]);
  const scores: number[] = [];
  for (let at = 0; at < CASES; at++) {
    const args = make();
    const [score, expected] = [await own(args), await reference(args)];
    if (Math.abs(score.score - expected.score) <= 1e-12) scores.push(score.score);
    else expect({ args, score }).toEqual({ args, score: expected });
    expect(score.name).toBe(expected.name);
  }
  expect(scores).toHaveLength(CASES);
  // Cases that all score the same would prove nothing.
  expect(scores.filter((score) => score === 1).length).toBeGreaterThan(CASES / 50);
  expect(scores.filter((score) => score < 1).length).toBeGreaterThan(CASES / 50);
});

test("EmbeddingSimilarity and AnswerSimilarity, with the same client", async () => {
  const embed = (input: string) => [input.length, 3, input.charCodeAt(0) || 1];
  const client: any = {
    chat: { completions: { create() {} } },
    embeddings: { create: async ({ input }: any) => ({ data: [{ embedding: embed(input) }] }) },
  };
  for (let at = 0; at < CASES; at++) {
    const args = { output: text(), expected: text(), expectedMin: pick([0, 0.7, 0.95]), client };
    for (const [own, reference] of [
      [ours.EmbeddingSimilarity, theirs.EmbeddingSimilarity],
      [ours.AnswerSimilarity, theirs.AnswerSimilarity],
    ] as const)
      expect((await own(args)).score).toBeCloseTo((await reference(args)).score as number, 10);
  }
});
