/** The text functions behind the report of `npm start`. */
import { describe, expect, it } from "vitest";
import { ollamaURL } from "../../xtask/start/judge.mjs";
import { compare, padEnd, truncate, visible, width, wrap } from "../../xtask/start/text.mjs";

describe("width", () => {
  it.each([
    ["", 0],
    ["plain", 5],
    ["Café", 4],
    ["Cafe\u0301", 4], // a combining accent takes no column
    ["富士山", 6],
    ["한국어", 6],
    ["ﾊﾝｶｸ", 4], // half-width katakana
    ["👨‍👩‍👧", 2], // one picture out of five code points
    ["🇨🇭", 2],
    ["☀️", 2],
    ["a\u200bb", 2],
  ])("of %j is %i", (text, columns) => {
    expect(width(text)).toBe(columns);
  });
});

it("pads to columns, not to characters", () => {
  expect(padEnd("富士", 6)).toBe("富士  ");
});

it("cuts between characters", () => {
  expect(truncate("富士山", 6)).toBe("富士山");
  expect(truncate("富士山", 5)).toBe("富士…");
  expect(truncate("富士山", 4)).toBe("富…");
  expect(truncate("a👨‍👩‍👧b", 3)).toBe("a…");
});

it("wraps between words, and inside one that is too long", () => {
  expect(wrap("one two  three", 7)).toEqual(["one two", "three"]);
  expect(wrap("a abcdefgh b", 4)).toEqual(["a", "abcd", "efgh", "b"]);
  expect(wrap("一二三四", 4)).toEqual(["一二", "三四"]);
  expect(wrap(" ", 4)).toEqual([]);
});

it("makes visible what a terminal would act upon", () => {
  expect(visible("a\nb\tc\r")).toBe("a\\nb\\tc\\r");
  expect(visible("\x1b[31mred\x9b0m")).toBe("\\u001b[31mred\\u009b0m");
  expect(visible("\ud800 \u202eabc")).toBe("\\ud800 \\u202eabc");
  expect(visible("Zoë 😀")).toBe("Zoë 😀");
});

describe("compare", () => {
  it("points at the first difference", () => {
    expect(compare("abc", "abd", 20)).toEqual({ expected: "abc", actual: "abd", column: 2, note: "" });
    expect(compare("富士山", "富士川", 20).column).toBe(4);
    expect(compare("abc", "abcd", 20).column).toBe(3);
    expect(compare("", "x", 20).column).toBe(0);
  });

  it("shows the stretch around it where the whole does not fit", () => {
    // 9 columns: an ellipsis, a third of them before the difference, and the rest after it.
    expect(compare("0123456789abcdefghi", "0123456789Abcdefghi", 9)).toEqual({
      expected: "…789abcd…",
      actual: "…789Abcd…",
      column: 4,
      note: "",
    });
  });

  it("names twins", () => {
    expect(compare("\u00e9", "e\u0301", 9).note).toBe("U+00E9 and U+0065 U+0301 look alike");
    expect(compare("a\u00a0b", "a b", 9).note).toBe("U+00A0 and U+0020 look alike");
  });
});

it.each([
  [undefined, "http://localhost:11434"],
  ["", "http://localhost:11434"],
  ["127.0.0.1", "http://127.0.0.1:11434"],
  ["gpu.local:8080", "http://gpu.local:8080"],
  [":8080", "http://localhost:8080"],
  ["0.0.0.0:11434", "http://localhost:11434"],
  ["https://ollama.example.com/", "https://ollama.example.com"],
  ["http://10.0.0.5:8080", "http://10.0.0.5:8080"],
])("OLLAMA_HOST %j is %s", (host, url) => {
  expect(ollamaURL(host)).toBe(url);
});
