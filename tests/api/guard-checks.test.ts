/** Guards with the checks of the package: how much they hold back, and that no failing text is released. */
import fc from "fast-check";
import {
  type Check,
  contains,
  containsAll,
  containsAny,
  firstFailing,
  guard,
  length,
  matches,
  noPII,
  noRefusal,
  startsWith,
} from "openevals-wasm/checks";
import { describe, expect, test } from "vitest";

async function* piecesOf(text: string, size: number): AsyncGenerator<string> {
  for (let at = 0; at < text.length; at += size) yield text.slice(at, at + size);
}

/** The output, piece by piece, for a text that arrives one character at a time. */
async function through(
  check: Check,
  text: string,
  size = 1,
): Promise<{ pieces: string[]; text: string; ok: boolean }> {
  const guarded = guard(piecesOf(text, size), [check]);
  const pieces: string[] = [];
  for await (const piece of guarded.answer) pieces.push(piece);
  return { pieces, text: pieces.join(""), ok: await guarded.ok };
}

const not = { negate: true };

test.each<[string, Check, string, string]>([
  ["contains, negated", contains("secret", not), "a sec, a secr, a secret.", "a sec, a secr, a "],
  ["its case", contains("Straße", { ...not, ignoreCase: true }), "die STRA, die STRASSE", "die STRA, die "],
  [
    "its case, where halves of a character arrive",
    contains("𐐀b", { ...not, ignoreCase: true }),
    "a 𐐨x 𐐨b",
    "a 𐐨x ",
  ],
  ["containsAny, negated", containsAny(["abc", "bcd"], not), "ab bc abx bcd", "ab bc abx "],
  ["containsAll, negated", containsAll(["abc", "xyz"], not), "abc xy abc xyz", "abc xy abc "],
  ["startsWith", startsWith("Dear"), "Deal with it", ""],
  ["startsWith, negated", startsWith("As an AI", not), "As an AI, I", ""],
  ["matches, negated", matches(/sk-\w{4,}!/, not), "sk-12, sk-abcd sk-abcdef! no", "sk-12, sk-abcd "],
  ["matches, which begins anywhere", matches(/a.*z/s, not), "bcd abc z", "bcd "],
  ["matches", matches(/^\d+$/), "123x", ""],
  ["length", length({ max: 5 }), "123456", "12345"],
  ["noPII, e-mail", noPII(), "Ask jane.doe@example.com now", "Ask "],
  ["noPII, phone", noPII(), "Call +49 30 1234567 today", "Call "],
  ["noPII, card", noPII(), "Card 4111 1111 1111 1111 it is", "Card "],
  ["noPII, IBAN", noPII(), "To MT84 MALT 0110 0001 2345 MTLC AST0 01S, please", "To "],
  ["noRefusal", noRefusal(), "Hm. I’m sorry, but I can’t help with that. Bye", "Hm."],
])("%s: releases nothing of a failure", async (_, check, text, sent) => {
  expect(await through(check, text)).toMatchObject({ text: sent, ok: false });
  for (const size of [2, 3, 7, 100]) {
    const found = await through(check, text, size);
    expect([sent.startsWith(found.text), found.ok]).toEqual([true, false]);
  }
});

test.each<[string, Check, string, number]>([
  ["contains, negated", contains("secret", not), "It is a section, and no sec. ", 5],
  ["startsWith", startsWith("Dear"), "Dear Ada, hello.", 4],
  ["startsWith, negated", startsWith("As an AI", not), "As anybody knows.", 7],
  ["matches, negated", matches(/sk-\w{4,}!/, not), "Ask for sk-12 or task-list.", 8],
  ["length", length({ max: 50 }), "Nothing is held back.", 1],
  ["noPII", noPII(), "Of 12 people, 7 came on foot. THE REST CAME BY CAR. It was 12:30 by then, or so.", 14],
  ["noRefusal", noRefusal(), "It is easy. It is a bit long. ", 18],
])("%s: text that is clean leaves as it comes, but for so much", async (_, check, text, most) => {
  const { pieces, text: found, ok } = await through(check, text);
  expect([found, ok]).toEqual([text, true]);
  expect(Math.max(...pieces.map(({ length }) => length))).toBeLessThanOrEqual(most);
});

describe("properties: no part of a finding gets out, wherever the text is cut", () => {
  const words = fc.constantFrom(
    "jane.doe@example.com",
    "a@b",
    "+49",
    "30",
    "1234567",
    "(030)",
    "12",
    "34",
    "56",
    "78",
    "4111",
    "1111",
    "GB29",
    "NWBK",
    "6016",
    "1331",
    "9268",
    "19",
    "Tel.",
    "phone",
    "is",
    "Zoë",
    "0171/1234567",
    "X@y.org.",
    "A",
    "€5",
    "，",
    "电话13800138000",
    "\n",
  );
  const texts = fc
    .tuple(fc.array(words, { maxLength: 14 }), fc.constantFrom(" ", " ", "-", ", ", ""))
    .map(([found, joint]) => found.join(joint));

  test("noPII", async () => {
    const check = noPII();
    await fc.assert(
      fc.asyncProperty(texts, fc.integer({ min: 1, max: 9 }), async (text, size) => {
        const { metadata } = await check({ outputs: text });
        const [first] = (metadata?.findings ?? []) as { start: number }[];
        const found = await through(check, text, size);
        expect(found.ok).toBe(first === undefined);
        expect(text.startsWith(found.text)).toBe(true);
        if (first) expect(found.text.length).toBeLessThanOrEqual(first.start);
        else expect(found.text).toBe(text);
      }),
      { numRuns: 600 },
    );
  });

  test("matches, contains", async () => {
    const text = fc.string({ unit: fc.constantFrom("a", "b", "c", " ", "🦉"), maxLength: 20 });
    const patterns = [/ab+c/, /a(b|c)*🦉/, /\bab\b/, /^ab|ca$/m, /c{2,}/, /[ab]c$/, /(?:)x|abc/, /^a.c/];
    for (const pattern of patterns) {
      const check = firstFailing([matches(pattern, not), contains("cab", not)]);
      await fc.assert(
        fc.asyncProperty(text, fc.integer({ min: 1, max: 5 }), async (text, size) => {
          const starts = [text.search(new RegExp(pattern, `${pattern.flags}u`)), text.indexOf("cab")].filter(
            (at) => at >= 0,
          );
          const found = await through(check, text, size);
          expect(found.ok).toBe(starts.length === 0);
          if (starts.length) expect(found.text.length).toBeLessThanOrEqual(Math.min(...starts));
          else expect(found.text).toBe(text);
        }),
        { numRuns: 80 },
      );
    }
  });
});

test("1 MB through all of them", async () => {
  const text = "The quick brown fox (number 12) jumps over the lazy dog. ".repeat(17_600);
  const check = firstFailing([
    contains("secret".repeat(500), not),
    matches(/sk-\w{20,}/, not),
    length({ max: 2e6 }),
    noPII(),
    startsWith("The"),
    noRefusal(),
  ]);
  const found = await through(check, text, 64);
  expect([found.text === text, found.ok]).toEqual([true, true]);
}, 20_000);
