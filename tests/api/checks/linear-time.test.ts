/** Checks of texts take linear time, whatever the text is. */

import {
  type Check,
  contains,
  equalsNumber,
  guard,
  length,
  matches,
  noPII,
  noRefusal,
  startsWith,
  validJson,
} from "openevals-wasm/checks";
import { describe, expect, test } from "vitest";

/** Texts of a megabyte that take long where a search begins anew at each of their characters. */
const HOSTILE: Record<string, string> = {
  "spaces in a refusal": `I${" ".repeat(1e6)}cannot`,
  "spaces at the beginning": `${" ".repeat(1e6)}x`,
  tabs: `I am${"\t".repeat(1e6)}sorry`,
  "no-break spaces": `I${"\u00a0".repeat(1e6)}`,
  letters: "a".repeat(1e6),
  digits: "1".repeat(1e6),
  "groups of digits": "1,".repeat(5e5),
  quotes: '"'.repeat(1e6),
  "opening quotes": "“".repeat(1e6),
  brackets: "[".repeat(1e6),
  "combining marks": `e${"\u0301".repeat(1e6)}`,
  "at signs": "a@".repeat(5e5),
};

describe.each(Object.entries(HOSTILE))("a megabyte of %s", (_, text) => {
  test.each<[string, Check]>([
    ["contains", contains("zq", { ignoreCase: true })],
    ["startsWith", startsWith("  x", { ignoreCase: true })],
    ["matches", matches(/a\s+$/)],
    ["length", length({ max: 5 })],
    ["lines", length({ max: 5, unit: "lines" })],
    ["words", length({ max: 5, unit: "words" })],
    ["validJson", validJson()],
    ["equalsNumber", equalsNumber({ value: 5, ignoreUnits: true })],
    ["equalsNumber in a text", equalsNumber({ value: 5, find: "last" })],
    ["noPII", noPII()],
    ["noRefusal", noRefusal()],
  ])("takes %s linear time", async (_, check) => {
    const before = process.cpuUsage();
    await check({ outputs: text });
    const { user, system } = process.cpuUsage(before);
    // Linear time is 10 to 1,500 ms on a busy core; a quadratic check takes minutes.
    expect((user + system) / 1e6).toBeLessThan(10);
  });
});

test("noRefusal takes linear time for spaces, in a stream as well", async () => {
  const text = `I${" ".repeat(8e6)}cannot`;
  async function* pieces() {
    for (let at = 0; at < text.length; at += 1e6) yield text.slice(at, at + 1e6);
  }
  const before = process.cpuUsage();
  expect(await noRefusal()({ outputs: text })).toMatchObject({ score: true });
  const { answer, ok } = guard(pieces(), [noRefusal()]);
  let sent = 0;
  for await (const piece of answer as AsyncIterable<string>) sent += piece.length;
  expect([await ok, sent]).toEqual([true, text.length]);
  const { user, system } = process.cpuUsage(before);
  expect((user + system) / 1e6).toBeLessThan(10);
});
