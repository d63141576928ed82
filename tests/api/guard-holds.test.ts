/** Guards of streams never release failures longer than the hold-back, or more units than allowed. */

import fc from "fast-check";
import { OpenEvalsError } from "openevals-wasm";
import * as checks from "openevals-wasm/checks";
import {
  contains,
  equalsNumber,
  type GuardOptions,
  guard,
  length,
  noPII,
  not,
  unless,
} from "openevals-wasm/checks";
import { describe, expect, test } from "vitest";

async function* iterableOf(pieces: Iterable<string>): AsyncGenerator<string> {
  yield* pieces;
}

async function sentOf(pieces: Iterable<string>, check: checks.Check, options: GuardOptions = {}) {
  const { answer, failures } = guard(iterableOf(pieces), [check], options);
  let sent = "";
  for await (const piece of answer) sent += piece;
  return { sent, failures: await failures };
}

const thrownBy = (work: () => unknown): OpenEvalsError => {
  try {
    work();
  } catch (error) {
    if (error instanceof OpenEvalsError) return error;
    throw error;
  }
  throw new Error("nothing was thrown");
};

describe("personal data that keeps growing", () => {
  test.each([
    [`Write to jane.doe@example.com${".abc".repeat(200)} now`, "Write to "],
    [`Call +49 30 1234567${"-1".repeat(300)} and more`, "Call "],
    [`+49 30 1234567${"-0000".repeat(110)} tail`, ""],
    [`see a@${"abc.".repeat(200)}com ok`, "see "],
  ])("nothing of it leaves: %#", async (text, before) => {
    expect((await noPII()(text)).score).toBe(false);
    const { sent, failures } = await sentOf(text, noPII());
    expect(before.startsWith(sent.trimEnd()) && sent.length <= before.length).toBe(true);
    expect(failures[0]?.key).toBe("no_pii");
  });

  const begun = fc.constantFrom(
    "jane.doe@example.com",
    "a@b.co",
    "see a@",
    "+49 30 1234567",
    "0049 30 1234567",
    "(030) 12 34 56 78",
    "415-555-0132",
    "tel: 1234567",
    "4111 1111 1111 1111",
    "DE89370400440532013000",
    "gb29 nwbk 6016 1331 9268 19",
    "git@host.com:8",
    "猫 ",
  );
  const tail = fc
    .tuple(
      fc.constantFrom(".abc", "-1", "-0000", "abc.", " 12", ".a-b", ":", ".x1", "/", "9", "a", ". "),
      fc.nat(120),
    )
    .map(([piece, times]) => piece.repeat(times));
  const text = fc
    .array(fc.oneof(begun, tail, fc.constantFrom(" ", ", ", "com", ".", "@")), { maxLength: 8 })
    .map((parts) => parts.join(""));

  test("the output never contains a finding of the whole", async () => {
    await fc.assert(
      fc.asyncProperty(text, fc.integer({ min: 1, max: 40 }), async (whole, size) => {
        const { metadata } = await noPII()(whole);
        const pieces = Array.from({ length: Math.ceil(whole.length / size) }, (_, index) =>
          whole.slice(index * size, index * size + size),
        );
        const { sent } = await sentOf(pieces, noPII());
        const found = (metadata?.findings ?? []) as { start: number; end: number }[];
        for (const { start } of found) expect(sent.length).toBeLessThanOrEqual(start);
        if (!found.length) expect(sent).toBe(whole);
      }),
      { numRuns: 400 },
    );
  });

  test("letters cost next to nothing", async () => {
    const start = performance.now();
    for (const letter of ["İ", "猫"]) await sentOf(letter.repeat(2_000), noPII());
    await noPII()("猫".repeat(200_000));
    expect(performance.now() - start).toBeLessThan(2_000);
  });
});

test.each([
  ["It rains. ", "sentences", 2],
  ["word ", "words", 3],
  ["a\n", "lines", 2],
  ["e\u0301🇩🇪", "graphemes", 3],
  ["今日は雨です", "words", 3],
] as const)("no more units leave than are allowed: %s", async (piece, unit, max) => {
  for (const size of [1, 3, 7]) {
    const text = piece.repeat(9);
    const pieces = Array.from({ length: Math.ceil(text.length / size) }, (_, index) =>
      text.slice(index * size, index * size + size),
    );
    const { sent } = await sentOf(pieces, length({ max, unit }));
    expect((await length({ max, unit })(sent)).score).toBe(true);
  }
});

test("onFail that never settles is not awaited", async () => {
  const options: GuardOptions = { timeoutMs: 20, onFail: () => new Promise<string>(() => {}) };
  const { ok, answer, failures } = await guard("a", [contains("b")], options);
  expect({ ok, answer }).toEqual({ ok: false, answer: "" });
  expect(failures.map(({ key, error }) => [key, error?.code])).toEqual([
    ["contains", undefined],
    ["onFail", "timeout"],
  ]);
  const stream = await sentOf("ab", contains("b", { negate: true }), options);
  expect(stream.failures.at(-1)?.key).toBe("onFail");
});

test("checks get the inputs and the reference", async () => {
  const rows: unknown[] = [];
  const spy = (row: object) => {
    rows.push(row);
    return true;
  };
  await guard("a", [spy], { inputs: "q", referenceOutputs: "r" });
  await guard("a", [spy]);
  expect(rows).toEqual([{ inputs: "q", referenceOutputs: "r", outputs: "a" }, { outputs: "a" }]);
});

test("endlessly nested XML", async () => {
  const check = checks.validXml();
  expect((await check("<a>".repeat(66_666))).comment).toBe(
    "The text is not well-formed XML: its elements are nested deeper than 1,000.",
  );
  expect((await check("<a>".repeat(1_000) + "</a>".repeat(1_000))).score).toBe(true);
});

describe("invalid options are errors that name them", () => {
  const anything = undefined as any;

  test("of a guard", async () => {
    for (const wrong of [contains("a") as any, [], undefined as any])
      await expect(guard("x", wrong)).rejects.toThrow(/^checks is /);
  });

  test("of combinations", () => {
    expect(thrownBy(() => unless(contains("a"), anything)).message).toBe(
      "judge is missing; it has to be an evaluator.",
    );
    expect(thrownBy(() => not(1 as any)).message).toBe("evaluator is 1; it has to be an evaluator.");
  });

  test("of numbers", async () => {
    await expect(equalsNumber(42)("42")).rejects.toThrow(
      /a bare number is the tolerance\. Pass { value: 42 }/,
    );
  });

  test("unreadable sources", () => {
    const { proxy, revoke } = Proxy.revocable({}, {});
    revoke();
    const revoked = proxy as any;
    for (const make of [
      () => guard(revoked, [contains("a")]),
      () => checks.matches(revoked),
      () => checks.jsonSchema(revoked),
      () => checks.containsAny(revoked),
      () => checks.containsAll(revoked),
      () => checks.language(revoked),
    ])
      expect(thrownBy(make).code).toMatch(/^invalid_/);
  });

  test.each([[new Map()], [new Date()], [new ArrayBuffer(1)], [[]]])("invalid options: %s", (options) => {
    expect(thrownBy(() => noPII(options as any)).message).toBe("noPII needs an object of options.");
  });
});

describe("surrogates that are never completed", () => {
  test.each<[string, checks.Check, string]>([
    ["words", length({ max: 1, unit: "words" }), "one two\ud83d\ud83d three"],
    ["characters", length({ max: 3 }), "abc\ud83d\ud83d"],
    ["graphemes", length({ max: 2, unit: "graphemes" }), "ab\ud83d\ud83dc"],
    ["a text in any case", contains("ab\ud83dx", { negate: true, ignoreCase: true }), "12ab\ud83dx"],
  ])("%s", async (_, check, text) => {
    expect((await check(text)).score).toBe(false);
    for (let cut = 1; cut < text.length; cut++) {
      for (let next = cut; next <= text.length; next++) {
        const { sent } = await sentOf([text.slice(0, cut), text.slice(cut, next), text.slice(next)], check);
        expect((await check(sent)).score).toBe(true);
        expect(sent.includes("t") || sent.includes("a\ud83d")).toBe(false);
      }
    }
  });
});
