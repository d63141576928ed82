/** Streamed text: for any split, an early verdict of a check is that of the whole text. */

import fc from "fast-check";
import * as checks from "openevals-wasm/checks";
import { describe, expect, test } from "vitest";

type Watched = checks.Check & { watch?(): (piece: string) => string | number | undefined };

/** Watches a text, and returns why it fails. How much to hold back is up to guards. */
function watching(check: Watched): (piece: string) => string | undefined {
  const watch = check.watch?.();
  return (piece) => {
    const seen = watch?.(piece);
    return typeof seen === "string" ? seen : undefined;
  };
}

const {
  contains,
  containsAll,
  containsAny,
  jsonSchema,
  latency,
  length,
  matches,
  noPII,
  noRefusal,
  startsWith,
  validJson,
} = checks;

const WATCHED: [string, Watched][] = [
  ["contains", contains("ab", { negate: true })],
  ["contains, any case", contains("ß1", { negate: true, ignoreCase: true })],
  ["containsAll", containsAll(["a", "1 1"], { negate: true })],
  ["containsAny", containsAny(["zz", "😀a"], { negate: true })],
  ["startsWith", startsWith("a1")],
  ["startsWith, any case", startsWith("ßA", { ignoreCase: true })],
  ["startsWith, negated", startsWith("a", { negate: true })],
  ["matches", matches(/^[a-z ]*\d$/)],
  ["matches, negated", matches(/a\b.?1/, { negate: true })],
  ["matches, lines", matches(/^1$/m, { negate: true })],
  ["matches, end", matches(/b$/, { negate: true })],
  ["matches, border", matches(/\Ba\b/, { negate: true })],
  ["matches, characters", matches(/^.{0,3}$/u)],
  ["characters", length({ max: 5 })],
  ["characters, at least", length({ min: 5, negate: true })],
  ["graphemes", length({ max: 4, unit: "graphemes" })],
  ["words", length({ max: 2, unit: "words" })],
  ["sentences", length({ max: 2, unit: "sentences" })],
  ["lines", length({ max: 2, unit: "lines" })],
  ["validJson", validJson()],
  ["noPII", noPII()],
  ["noRefusal", noRefusal()],
];

const TOKENS = [
  ...'ab1 .,\n{}[]":-+eßẞσΣς😀\u0301\u200d🇩🇪今。',
  "\ud83d",
  "\ude00",
  "a@b.com",
  "a@b.co",
  ".uk",
  ".png",
  "+49 30 1234567",
  "030 1234567",
  "4111 1111 1111 1111",
  "DE89370400440532013000",
  "gb29 nwbk 6016 1331 9268 19",
  "4111\u202f1111\u202f1111\u202f1111",
  "415-555-0132",
  "I can't help with that",
  "Mr. ",
  "can't",
  "true",
  "null",
  "1e5",
  '"a":',
];

const texts = fc.array(fc.constantFrom(...TOKENS), { maxLength: 14 }).map((tokens) => tokens.join(""));

/** The text cut at these characters: a guard joins surrogate pairs before it passes pieces on. */
const cutAt = (text: string, places: readonly number[]): string[] => {
  const characters = [...text];
  const cuts = [...new Set(places.map((place) => place % (characters.length + 1)))].sort((a, b) => a - b);
  return [...cuts, characters.length].map((cut, index) =>
    characters.slice(cuts[index - 1] ?? 0, cut).join(""),
  );
};

describe.each(WATCHED)("%s", (_, check) => {
  test("an early failure is also a failure of the whole text", async () => {
    await fc.assert(
      fc.asyncProperty(texts, fc.array(fc.nat(), { maxLength: 6 }), async (text, places) => {
        const said = cutAt(text, places).map(watching(check));
        const { score } = await check(text);
        if (score) expect(said.filter((one) => one !== undefined)).toEqual([]);
        // The verdict does not change afterwards.
        const first = said.findIndex((one) => one !== undefined);
        if (first >= 0) expect(new Set(said.slice(first)).size).toBe(1);
      }),
      { numRuns: 400 },
    );
  });

  test("the result is the same character by character", async () => {
    await fc.assert(
      fc.asyncProperty(texts, async (text) => {
        const said = [...text].map(watching(check));
        const { score } = await check(text);
        if (score) expect(said.filter((one) => one !== undefined)).toEqual([]);
      }),
      { numRuns: 300 },
    );
  });
});

/** The shortest prefix that is known to fail. */
function failsAfter(check: Watched, text: string): number | undefined {
  const watch = watching(check);
  const at = text.split("").findIndex((unit) => watch(unit) !== undefined);
  return at < 0 ? undefined : at + 1;
}

test.each<[Watched, string, number | undefined]>([
  [contains("cd", { negate: true }), "abcdef", 4],
  [contains("CD", { negate: true, ignoreCase: true }), "abcdef", 4],
  [startsWith("abc"), "abx", 3],
  [startsWith("ab", { negate: true }), "abc", 2],
  [matches(/^\d+$/), "12a4", 3],
  [matches(/foo/, { negate: true }), "a foo!", 5],
  [matches(/foo\b/, { negate: true }), "a foo!", 6],
  [matches(/foo\b/, { negate: true }), "a food", undefined],
  [length({ max: 3 }), "abcdef", 4],
  [length({ max: 2, unit: "words" }), "one two three four", 14],
  [length({ min: 3, negate: true }), "abcdef", 3],
  [validJson(), '{"a" 1}', 6],
  [noPII(), "Mail jane@acme.com, please", 19],
  [noPII(), "4111 1111 1111 1111.", 20],
  [noPII(), "Call +49 30 1234567 now", 21],
  [noRefusal(), "I can't help with that. But", 23],
])("reports a failure as soon as it is certain: %#", (check, text, at) => {
  expect(failsAfter(check, text)).toBe(at);
});

test.each<[string, Watched]>([
  ["what may still come", contains("a")],
  ["what the row tells", contains(undefined, { negate: true })],
  ["a schema", jsonSchema({})],
  ["the time", latency({ max: 1 })],
  ["tokens", length({ max: 1, count: () => 1 })],
  ["at least so long", length({ min: 1 })],
  ["personal data that has to be there", noPII({ negate: true })],
  ["what looks ahead", matches(/^(?!a)/)],
  ["what a function makes of the text", startsWith("a", { output: (text) => text.trim() })],
])("does not watch for %s", (_, check) => {
  expect(check.watch).toBeUndefined();
});

test("a megabyte in pieces", async () => {
  const text = "The quick brown fox jumps over the lazy dog on 2024-01-02. ".repeat(17_000);
  const pieces = Array.from({ length: Math.ceil(text.length / 100) }, (_, index) =>
    text.slice(index * 100, index * 100 + 100),
  );
  for (const check of [
    contains("cat", { negate: true }),
    matches(/\bcat\b|dogs/i, { negate: true }),
    length({ max: 10_000_000, unit: "words" }),
    noPII(),
    noRefusal(),
  ] as Watched[]) {
    expect(pieces.map(watching(check)).filter((said) => said !== undefined)).toEqual([]);
    expect((await check(text)).score).toBe(true);
  }
});
