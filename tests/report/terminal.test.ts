/** Experiments as text. */
import {
  type Aggregate,
  aggregateOf,
  formatComparison,
  formatExperiment,
  terminalOptions,
} from "openevals-wasm/evaluation";
import { describe, expect, it } from "vitest";
import { experimentOf, type RowData } from "./experiments.js";

const rows: RowData[] = [
  { id: "kazakhstan", outputs: "Astana", reference: "Astana", scores: { exact: true, close: 1 } },
  { id: "light", outputs: "299,792.548", reference: "299,792.458", scores: { exact: false, close: 0.75 } },
  {
    id: "moon",
    inputs: { question: "When?" },
    outputs: "July 20",
    reference: "20 July",
    scores: { exact: false, close: 0.25, tone: false },
    comments: { tone: "Too curt for a question that was asked so kindly." },
  },
  {
    id: "meninas",
    scores: { exact: true, close: null },
    errors: {
      tone: {
        name: "OpenEvalsError",
        code: "provider_error",
        message: "503",
        cause: { name: "TypeError", message: "fetch failed" },
      },
    },
  },
  { id: "river", failed: { name: "Error", message: "out of turns" } },
];

describe("an experiment", () => {
  it("is a table, the rows that failed, and the errors", () => {
    const text = formatExperiment(
      experimentOf(rows, {
        usage: { inputTokens: 1200, outputTokens: 34 },
        summaryResults: [
          { key: "f1", score: 0.8, interval: { low: 0.7, high: 0.9, level: 0.95 } },
          { key: "kappa", error: { name: "Error", message: "one label only" } },
        ],
      }),
      { columns: 90 },
    );
    expect(text.split("\n")).toEqual([
      "capitals-1a2b3c4d  5 rows · 1.5 s · 1,200 + 34 tokens",
      "",
      "Key     Mean     95% interval              n  Errors  N/A",
      "─────────────────────────────────────────────────────────",
      "exact  50.0%   40.0% to 60.0%  █████░░░░░  4       0    0",
      // One score each from 0.2, from 0.7 and from 0.9 on.
      "close  0.667   0.567 to 0.767    █    █ █  3       0    1",
      "tone    0.0%  -10.0% to 10.0%  ░░░░░░░░░░  1       1    0",
      "",
      "Summary  Score    95% interval",
      "──────────────────────────────────────────────",
      "f1       0.800  0.700 to 0.900",
      "kappa    error                  one label only",
      "",
      "2 of 5 rows fail",
      "",
      "✗ light  question light",
      "  ✗ exact   ✓ close 0.750",
      "    expected  299,792.458",
      "    actual    299,792.548",
      "                      ^",
      "",
      "✗ moon  When?",
      "  ✗ exact   ✗ close 0.250   ✗ tone",
      "    expected  20 July",
      "    actual    July 20",
      "              ^",
      "    tone      Too curt for a question that was asked so kindly.",
      "",
      "2 errors",
      "",
      "! tone: provider_error: 503",
      "    caused by TypeError: fetch failed",
      "    meninas",
      "",
      "! The target: Error: out of turns",
      "    river",
      "",
    ]);
  });

  it("says the pass mark of graded keys that pass only with the best score", () => {
    const graded = [
      { id: "a", scores: { close: 0.8, recall: 0.5, ter: 0.25, binary: 0, marked: 0.4, exact: false } },
      { id: "b", scores: { close: 1, recall: 1, ter: 0, binary: 1, marked: 0.9, exact: true } },
    ];
    const share = { min: 0, max: 1, direction: "higher", passAt: 1 } as const;
    const text = formatExperiment(
      experimentOf(graded, {
        scales: {
          ...{ close: share, recall: share, binary: share, exact: { direction: "higher", passAt: 1 } },
          ter: { min: 0, direction: "lower", passAt: 0 },
          marked: { ...share, passAt: 0.5 },
        },
      }),
    );
    expect(text).toContain(`
1 of 2 rows fails
close, recall pass only at 1; score with passAt (--pass-at) to accept less
ter passes only at 0; score with passAt (--pass-at) to accept more

✗ a`);
    expect(formatExperiment(experimentOf(graded.slice(1)))).not.toContain("passAt");
  });

  it.each([40, 60, 80, 120])("fits %i columns", (columns) => {
    const long = "a_key_that_is_a_good_deal_longer_than_one_would_wish";
    const text = formatExperiment(
      experimentOf([
        ...rows,
        {
          id: "an-id-without-any-place-to-break-it-that-goes-on-and-on-and-on",
          inputs: "中国最长的河流是哪一条?".repeat(9),
          outputs: "b".repeat(500),
          reference: `${"b".repeat(400)}c`,
          scores: { [long]: false, exact: false },
          comments: { exact: "x".repeat(3000) },
        },
      ]),
      { columns },
    );
    const wide = (line: string) => [...line].reduce((sum, c) => sum + (/[\u2e80-\uff60]/.test(c) ? 2 : 1), 0);
    for (const line of text.split("\n")) expect(wide(line), line).toBeLessThanOrEqual(columns);
  });

  it("cuts a long key before it leaves out the intervals of all keys", () => {
    const long = "a_key_that_is_longer_than_the_names_of_usual_keys_are";
    const experiment = experimentOf([{ id: "a", scores: { [long]: 0.5, exact: true } }]);
    const [titles, , cut] = formatExperiment(experiment, { columns: 80, maxFailing: 0 })
      .split("\n\n")[1]!
      .split("\n");
    expect(titles).toContain("95% interval");
    expect(cut).toMatch(/^a_key_that_is_\S*…\S*usual_keys_are +0\.500 /);
  });

  it.each([24, 30, 36])("keeps the ends of keys that begin alike in %i columns", (columns) => {
    const keys = ["strict", "lenient", "好的"].map(
      (end) => `faithfulness_of_the_answer_to_its_context_${end}`,
    );
    const scores = Object.fromEntries(keys.map((key) => [key, 0.5]));
    const shown = formatExperiment(experimentOf([{ id: "a", scores }]), { columns, maxFailing: 0 })
      .split("\n\n")[1]!
      .split("\n")
      .flatMap((line) => /^f\S*…\S+/.exec(line) ?? []);
    expect(shown.map((key) => key.slice(-2))).toEqual(["ct", "nt", "好的"]);
    expect(new Set(shown).size).toBe(3);
  });

  it("names the columns that it leaves out, and why intervals are missing", () => {
    const judge = { usage: { inputTokens: 1200, outputTokens: 34 }, cost: { total: 0.42 } };
    const whole = experimentOf([
      { id: "1", scores: { answer_relevancy: 0.5, once: 0.2, same: 0.7 } },
      { id: "2", scores: { answer_relevancy: 0.9, same: 0.7 } },
    ]);
    const { answer_relevancy, once, same } = whole.aggregates as Record<string, Aggregate>;
    const aggregates = {
      answer_relevancy: { ...answer_relevancy!, ...judge },
      once: { ...once!, interval: null },
      same: { ...same!, interval: null },
    };
    const tableOf = (columns: number) =>
      formatExperiment({ ...whole, aggregates }, { columns, maxFailing: 0 })
        .trimEnd()
        .split("\n\n")[1]!
        .split("\n");
    const notes = ["No interval for once: there is one score", "No interval for same: all scores are equal"];
    expect(tableOf(100).slice(5)).toEqual(notes);
    expect(tableOf(64)).toEqual([
      "Key                Mean    95% interval               Cost  n",
      "─────────────────────────────────────────────────────────────",
      // In ten bins: one score each from 0.5 and from 0.9 on.
      "answer_relevancy  0.700  0.600 to 0.800       █   █  $0.42  2",
      "once              0.200                    █                1",
      "same              0.700                         █           2",
      ...notes,
      "Left out in 64 columns: Tokens",
    ]);
    // The notes on intervals go with their column.
    expect(tableOf(40).slice(5)).toEqual(["Left out in 40 columns: 95% interval,", "Tokens, Cost"]);
  });

  it("says which mean has no interval because one cluster or example has most of the scores", async () => {
    const whole = experimentOf([{ id: "1", scores: { rate: true, grade: 4 } }]);
    const missing = { errors: 0, notApplicable: 0 };
    const aggregates = {
      rate: await aggregateOf({ scores: [true, true, true], clusters: ["a", "a", "b"], ...missing }),
      grade: await aggregateOf({ scores: [4, 5, 4], exampleIds: ["a", "a", "b"], ...missing }),
    };
    const text = formatExperiment({ ...whole, aggregates }, { columns: 100, maxFailing: 0 });
    expect(text).toContain("No interval for rate: one cluster has more than half of the scores");
    expect(text).toContain("No interval for grade: one example has more than half of the scores");
  });

  it("marks scores that neither pass nor fail", () => {
    const text = formatExperiment(
      experimentOf([{ id: "1", scores: { exact: false, close: 1, grade: 36.6 } }], {
        scales: {
          exact: { direction: "higher", passAt: 1 },
          close: { direction: "higher", passAt: 1 },
          grade: { unit: "grade" },
        },
      }),
    );
    expect(text).toMatch(/✗ exact {2,}✓ close 1\.0+ {2,}· grade 36\.60/);
  });

  it("shows two digits of small numbers", () => {
    const scores = { dollars: 0.00042, loss: -0.000136, error: 2e-17, tiny: 7.31e-9 };
    const text = formatExperiment(experimentOf([{ id: "1", scores }]));
    for (const shown of ["dollars +0.00042 ", "loss +-0.00014 ", "error +0.000 ", "tiny +7.3e-9 "])
      expect(text).toMatch(new RegExp(`^${shown}`, "m"));
  });

  it("aligns wide characters", () => {
    const text = formatExperiment(
      experimentOf([{ id: "1", scores: { 富士山: true, "👨‍👩‍👧": true, cafe\u0301: true } }]),
    );
    const lines = text.split("\n").filter((line) => line.includes("100.0%"));
    // Six columns, two, and four.
    expect(lines.map((line) => line.slice(0, line.indexOf("100.0%")))).toEqual([
      "富士山  ",
      "👨‍👩‍👧      ",
      "cafe\u0301    ",
    ]);
  });

  it("makes control characters visible", () => {
    const evil = "\x1b[31mred\x9b0m\x07\u202e\u200f\u061c\r\n\ud800";
    const failed = { name: evil, message: evil, cause: { name: evil, message: evil } };
    const text = formatExperiment(
      experimentOf(
        [
          { id: evil, inputs: evil, outputs: { [evil]: evil }, reference: evil, scores: { [evil]: false } },
          { id: "2", scores: { good: false }, comments: { good: evil }, errors: { [evil]: failed } },
          { id: "3", failed },
        ],
        {
          experimentName: evil,
          summaryResults: [{ key: evil, score: 1, comment: evil }],
          stopped: failed,
        },
      ),
    );
    expect(text.replaceAll("\n", "")).not.toMatch(/[\p{Cc}\p{Cs}\p{Bidi_Control}]/u);
    expect(text).toContain("\\u001b[31mred\\u009b0m\\u0007\\u202e\\u200f\\u061c\\r\\n\\ud800");
  });

  it("wraps texts with several lines, and shows the first line in a table", () => {
    const said = "\r\nOne city is wrong:\n\n- Rome\x1b\n- Oslo\n";
    const failed = { name: "Error", message: said.trim() };
    const text = formatExperiment(
      experimentOf(
        [
          { id: "1", scores: { good: false }, comments: { good: said } },
          { id: "2", failed },
        ],
        {
          summaryResults: [
            { key: "cities", score: 1, comment: said },
            { key: "words", score: 1, comment: "one\n" },
            { key: "none", error: failed },
          ],
        },
      ),
    );
    const lines = text.split("\n").map((line) => line.trimEnd());
    expect(lines).toContain("cities   1.000  One city is wrong: …");
    expect(lines).toContain("words    1.000  one");
    expect(lines).toContain("none     error  One city is wrong: …");
    const at = lines.indexOf("    comment   One city is wrong:");
    expect(lines.slice(at, at + 3)).toEqual([
      "    comment   One city is wrong:",
      "              - Rome\\u001b",
      "              - Oslo",
    ]);
    expect(text).toContain("! The target: Error: One city is wrong:\n  - Rome\\u001b\n  - Oslo\n    2\n");
  });

  it("reports ignored fields of the rows", () => {
    const text = formatExperiment(experimentOf([{ id: "1" }], { ignoredFields: ["question", "level"] }));
    expect(text.split("\n")[1]).toBe("Ignored fields of the rows: question, level");
  });

  it("shows the output of a failing row without a reference", () => {
    const text = formatExperiment(
      experimentOf([
        { id: "1", outputs: "Lyon\u001b", scores: { good: false }, comments: { good: "Not a capital." } },
      ]),
      { columns: 60 },
    );
    expect(text).toContain("    output    Lyon\\u001b\n    comment   Not a capital.\n");
  });

  it("shows the output beside a comment that does not quote it", () => {
    const scores = { polite: false };
    const conversation = [
      { role: "user", content: "Hello?" },
      { role: "assistant", content: "What?" },
    ];
    const text = formatExperiment(
      experimentOf([
        { id: "rude", outputs: "Go away.", reference: "Hello.", scores, comments: { polite: "It is rude." } },
        { id: "short", outputs: "No", reference: "Yes", scores, comments: { polite: "Not polite." } },
        { id: "quoted", outputs: "Go.", reference: "Hi.", scores, comments: { polite: 'It is "Go.".' } },
        { id: "field", outputs: { answer: "Go!" }, scores, comments: { polite: "It is rude." } },
        { id: "talk", outputs: { messages: conversation, state: {} }, scores },
      ]),
      { columns: 60 },
    );
    expect(text.split("\n").slice(8)).toEqual([
      ...["✗ rude  question rude", "  ✗ polite", "    output    Go away.", "    comment   It is rude.", ""],
      ...["✗ short  question short", "  ✗ polite", "    output    No", "    comment   Not polite.", ""],
      ...["✗ quoted  question quoted", "  ✗ polite", '    comment   It is "Go.".', ""],
      ...["✗ field  question field", "  ✗ polite", "    output    Go!", "    comment   It is rude.", ""],
      ...["✗ talk  question talk", "  ✗ polite", "    output    What?", ""],
    ]);
  });

  it("shows files by hand, whose ids may be numbers, or missing", () => {
    const failed = { name: "Error", message: "no network" };
    const experiment = experimentOf([
      { id: 7 as never, scores: { good: false } },
      { id: undefined as never, errors: { good: failed } },
    ]);
    const text = formatExperiment(experiment);
    expect(text).toContain("✗ 7  question 7");
    expect(text).toContain("! good: Error: no network");
  });

  it("names the code points of characters that look alike", () => {
    const twins = (outputs: string, reference: string) =>
      formatExperiment(experimentOf([{ id: "1", outputs, reference, scores: { exact: false } }]));
    expect(twins("e\u0301cole", "\u00e9cole")).toContain("^ U+00E9 and U+0065 U+0301 look alike\n");
    expect(twins("a b", "a\u00a0b")).toContain("^ U+00A0 and U+0020 look alike\n");
  });

  it("shows the stretch around a difference where the whole does not fit", () => {
    const text = formatExperiment(
      experimentOf([
        {
          id: "1",
          outputs: `${"0123456789".repeat(20_000)}A${"y".repeat(200_000)}`,
          reference: `${"0123456789".repeat(20_000)}B${"y".repeat(200_000)}`,
          scores: { exact: false },
        },
      ]),
      { columns: 44 },
    );
    const lines = text.split("\n");
    // 30 columns: an ellipsis, a third of them before the difference, and the rest behind it.
    expect(lines).toContain("    expected  …0123456789Byyyyyyyyyyyyyyyyy…");
    expect(lines).toContain("    actual    …0123456789Ayyyyyyyyyyyyyyyyy…");
    expect(lines).toContain(`${" ".repeat(14 + 11)}^`);
  });

  it("shows a reference beside the field of the outputs that it is about, and beside nothing else", () => {
    const messages = [{ role: "assistant", content: "Done.".repeat(50) }];
    const text = formatExperiment(
      experimentOf([
        {
          id: "state",
          outputs: { messages, state: { refunded: [8] } },
          reference: { refunded: [7] },
          scores: { right: false },
        },
        { id: "other", outputs: { messages }, reference: { refunded: [7] }, scores: { right: false } },
        { id: "empty", outputs: {}, reference: {}, scores: { right: false } },
        { id: "kind", outputs: { messages: [] }, reference: "yes", scores: { right: false } },
      ]),
      { columns: 60 },
    );
    expect(text.split("\n").slice(8)).toEqual([
      "✗ state  question state",
      "  ✗ right",
      '    expected  {"refunded":[7]}',
      '    actual    {"refunded":[8]}',
      "                           ^",
      "",
      "✗ other  question other",
      "  ✗ right",
      `    output    ${"Done.".repeat(9)}…`,
      "",
      "✗ empty  question empty",
      "  ✗ right",
      "    output    {}",
      "",
      "✗ kind  question kind",
      "  ✗ right",
      "    expected  yes",
      '    actual    {"messages":[]}',
      "              ^",
      "",
    ]);
  });

  it("compares no outputs with a reference of another shape, of which evaluators got parts", () => {
    const text = formatExperiment(
      experimentOf([
        {
          id: "parts",
          outputs: { documents: [{ id: "d1" }], answer: "Nine." },
          reference: { answer: "At nine.", relevant: ["d1"] },
          scores: { right: false },
        },
        { id: "less", outputs: { a: 1 }, reference: { a: 1, b: 2 }, scores: { right: false } },
      ]),
      { columns: 60 },
    );
    expect(text.split("\n").slice(8)).toEqual([
      "✗ parts  question parts",
      "  ✗ right",
      "    output    Nine.",
      "",
      "✗ less  question less",
      "  ✗ right",
      '    expected  {"a":1,"b":2}',
      '    actual    {"a":1}',
      "                    ^",
      "",
    ]);
  });

  it("aligns labels, and names the key of a single score once", () => {
    const key = "polite_enough";
    const rude = { outputs: "Go away.", comments: { [key]: "It is rude." } };
    const text = formatExperiment(
      experimentOf([
        { id: "two", ...rude, scores: { [key]: false, short: true } },
        { id: "one", ...rude, scores: { [key]: false } },
      ]),
    );
    expect(text.split("\n").slice(9)).toEqual([
      "✗ two  question two",
      "  ✗ polite_enough   ✓ short",
      "    output         Go away.",
      "    polite_enough  It is rude.",
      "",
      "✗ one  question one",
      "  ✗ polite_enough",
      "    output    Go away.",
      "    comment   It is rude.",
      "",
    ]);
  });

  it("shows the first failing rows, and counts the others", () => {
    const many = Array.from(
      { length: 30 },
      (_, i): RowData => ({ id: `row-${i}`, scores: { exact: false } }),
    );
    const experiment = experimentOf(many);
    expect(formatExperiment(experiment).match(/^✗ /gm)).toHaveLength(10);
    expect(formatExperiment(experiment)).toContain("… and 20 more\n");
    expect(formatExperiment(experiment, { maxFailing: 2 }).match(/^✗ /gm)).toHaveLength(2);
    expect(formatExperiment(experiment, { maxFailing: 0 })).not.toContain("✗");
  });

  it("counts the failing rows that were not kept", async () => {
    const { rows, ...rest } = experimentOf([
      { id: "a", scores: { exact: false } },
      { id: "b", scores: { exact: true } },
    ]);
    const withoutRows = { ...rest, rows: [], rowCount: 2, failingRowCount: 1 };
    expect(rows).toHaveLength(2);
    expect(formatExperiment(withoutRows)).toContain(
      "1 of 2 rows fails\nThe rows were not kept. If the sink is a file, readExperiment() reads them.\n",
    );
    expect(formatExperiment({ ...withoutRows, failingRowCount: 0 })).not.toContain("The rows");
    expect(formatExperiment({ ...withoutRows, sink: "out.jsonl" })).toContain(
      '1 of 2 rows fails\nThe rows were not kept. readExperiment("out.jsonl") reads them.\n',
    );
  });

  it("knows the keys for which true is bad news", () => {
    const experiment = experimentOf([
      { id: "rude", scores: { swears: true } },
      { id: "kind", scores: { swears: false } },
    ]);
    expect(formatExperiment(experiment)).toContain("✗ kind");
    const other = formatExperiment(experiment, { lowerIsBetter: ["swears"] });
    expect(other).toContain("✗ rude");
    expect(other).not.toContain("✗ kind");
  });

  it("does not round failures away", () => {
    const many = Array.from({ length: 5_000 }, (_, i): RowData => ({ id: `${i}`, scores: { exact: i > 0 } }));
    expect(formatExperiment(experimentOf(many))).toMatch(/^exact +99\.9%/m);
    const close = Array.from(
      { length: 5_000 },
      (_, i): RowData => ({ id: `${i}`, scores: { close: i ? 1 : 0.5 } }),
    );
    expect(formatExperiment(experimentOf(close))).toMatch(/^close +0\.999/m);
  });

  it("folds the repetitions of an example", () => {
    const text = formatExperiment(
      experimentOf([
        { id: "a", scores: { exact: true } },
        { id: "a", repetition: 1, scores: { exact: false } },
        { id: "b", scores: { exact: false } },
        { id: "b", repetition: 1, scores: { exact: false } },
      ]),
    );
    expect(text).toContain("3 of 4 rows fail");
    expect(text.match(/^✗ .*/gm)).toEqual(["✗ a passes 1 of 2  question a", "✗ b passes 0 of 2  question b"]);
  });

  it("without rows is a heading", () => {
    expect(formatExperiment(experimentOf([]))).toBe("capitals-1a2b3c4d  0 rows · 1.5 s\n");
  });

  it("is the same after JSON", () => {
    const experiment = experimentOf(rows);
    expect(formatExperiment(JSON.parse(JSON.stringify(experiment)))).toBe(formatExperiment(experiment));
  });
});

/** The text without colour codes. */
const stripped = (text: string) =>
  text
    .split("\x1b[")
    .map((part, i) => (i ? part.replace(/^\d+m/, "") : part))
    .join("");

describe("colours", () => {
  it("are there if asked for, and do not change the text", () => {
    const plain = formatExperiment(experimentOf(rows));
    const coloured = formatExperiment(experimentOf(rows), { color: true });
    expect(plain).not.toContain("\x1b");
    expect(coloured).toContain("\x1b[31m✗\x1b[39m");
    expect(stripped(coloured)).toBe(plain);
  });

  const terminal = { isTTY: true, columns: 100 };
  it.each([
    [terminal, {}, true],
    [terminal, { NO_COLOR: "1" }, false],
    [terminal, { NO_COLOR: "" }, true],
    [terminal, { TERM: "dumb" }, false],
    [terminal, { FORCE_COLOR: "0" }, false],
    [terminal, { FORCE_COLOR: "1", NO_COLOR: "1" }, true],
    [{}, {}, false],
    [{}, { FORCE_COLOR: "1" }, true],
    [{}, { FORCE_COLOR: "" }, true],
  ])("%j with %j: %j", (stream, env, color) => {
    expect(terminalOptions(stream, env).color).toBe(color);
  });

  it("lines are as wide as the terminal, within reason", () => {
    expect(terminalOptions({ columns: 90 }, {}).columns).toBe(90);
    expect(terminalOptions({ columns: 90, isTTY: true })).toEqual({ columns: 90, color: true });
    expect(terminalOptions({ columns: 500 }, {}).columns).toBe(140);
    expect(terminalOptions({ columns: 10 }, {}).columns).toBe(60);
    expect(terminalOptions({}, {}).columns).toBe(100);
  });
});

describe("a comparison", () => {
  const before = experimentOf([
    { id: "a", scores: { exact: false, close: 0.5 } },
    { id: "b", scores: { exact: true, close: 0.5 } },
  ]);
  const after = experimentOf(
    [
      { id: "a", scores: { exact: true, close: 0.25 } },
      { id: "b", scores: { exact: true, close: 0.5 } },
    ],
    { experimentName: "capitals-5e6f7a8b" },
  );
  const interval = (low: number, high: number) => ({ low, high, level: 0.95 });
  const complete = {
    unpaired: { first: 0, second: 0 },
    errors: { first: 0, second: 0 },
    bounds: { worst: 0, best: 0 },
  };
  const comparisons = {
    exact: {
      difference: 0.5,
      interval: interval(-0.193, 1),
      pValue: 1,
      adjustedPValue: 1,
      test: "mcnemar_exact" as const,
      count: 2,
      means: { first: 0.5, second: 1 },
      ...complete,
      flipped: [{ exampleId: "a", repetition: 0, from: false, to: true }],
    },
    close: {
      difference: -0.125,
      interval: interval(-0.25, 0),
      pValue: 0.0004,
      adjustedPValue: 0.0008,
      test: "paired_permutation" as const,
      count: 2,
      means: { first: 0.5, second: 0.375 },
      ...complete,
      flipped: [{ exampleId: "a", repetition: 1, from: 0.5, to: 0.25 }],
    },
    gone: {
      difference: null,
      interval: null,
      pValue: null,
      adjustedPValue: null,
      test: null,
      count: 0,
      means: { first: null, second: null },
      ...complete,
      unpaired: { first: 2, second: 0 },
      flipped: [],
    },
  };

  it("is a table, and the rows that flipped", () => {
    expect(formatComparison(before, after, comparisons, { columns: 100 }).split("\n")).toEqual([
      "before  capitals-1a2b3c4d",
      "after   capitals-5e6f7a8b",
      "",
      "Worse on 1 of 2 keys, by more than chance; 1 of 2 rows fails.",
      "",
      "Key    Before   After  Difference  95% interval, unadj.   p adj.  Pairs  Unpaired  Up  Down",
      "───────────────────────────────────────────────────────────────────────────────────────────",
      "exact   50.0%  100.0%    +50.0 pp       -19.3 to +100.0    1.000      2     0 + 0   1     0",
      "close   0.500   0.375      -0.125       -0.250 to 0.000  < 0.001      2     0 + 0   0     1",
      "gone        –       –           –                              –      0     2 + 0   0     0",
      "Before and After are the means of the paired rows.",
      "",
      "exact",
      "  ↑ a",
      "",
      "close",
      "  ↓ a #2",
      "",
    ]);
  });

  it("shows the true difference that a calibration gives", () => {
    const { exact, close } = comparisons;
    const corrected = { value: 0.327, interval: interval(-0.1, 0.7542) };
    const found = { exact: { ...exact, corrected }, close };
    const lines = formatComparison(before, after, found, { columns: 140 }).split("\n");
    expect(lines[5]).toMatch(/ p adj\. +True difference +Pairs /);
    expect(lines[7]).toMatch(/ 1\.000 +\+32\.7 pp \(-10\.0 to \+75\.4\) +2 /);
    expect(formatComparison(before, after, comparisons)).not.toContain("True difference");
  });

  it("keeps the intervals in 80 columns, and gives the level of each if some are adjusted", () => {
    const { exact, close } = comparisons;
    const found = { exact, close: { ...close, adjustedInterval: { ...interval(-0.3, 0.05), level: 0.975 } } };
    const lines = formatComparison(before, after, found, { columns: 80 }).split("\n");
    expect(lines.slice(5, 10)).toEqual([
      "Key    Before   After  Difference                       Interval   p adj.  Pairs",
      "────────────────────────────────────────────────────────────────────────────────",
      "exact   50.0%  100.0%    +50.0 pp          -19.3 to +100.0 (95%)    1.000      2",
      "close   0.500   0.375      -0.125  -0.300 to +0.050 (97.5% adj.)  < 0.001      2",
      "Left out in 80 columns: Up, Down",
    ]);
  });

  it("says why a difference has no interval", () => {
    const { exact, close } = comparisons;
    const found = { exact, close: { ...close, interval: null, clusters: 3, note: "One of 3 clusters …" } };
    const why = "A difference has no interval if one cluster has more than half of the pairs.";
    expect(formatComparison(before, after, found)).toContain(why);
    expect(formatComparison(before, after, comparisons)).not.toContain("no interval");
  });

  it("says of the rows that changed if lower is better", () => {
    const { close } = comparisons;
    const shown = (lowerIsBetter: string[]) =>
      formatComparison(before, after, { close }, { lowerIsBetter }).trimEnd().split("\n").slice(-2);
    expect(shown(["close"])).toEqual(["close: lower is better", "  ↓ a #2"]);
    expect(shown([])).toEqual(["close", "  ↓ a #2"]);
  });

  it("names the repetitions of a row that changed alike once", () => {
    const flip = (exampleId: string, repetition: number, to: boolean) => ({
      ...{ exampleId, repetition, from: !to, to },
    });
    const flipped = [flip("a", 0, true), flip("b", 1, true), flip("a", 1, false), flip("a", 2, true)];
    const text = formatComparison(before, after, { exact: { ...comparisons.exact, flipped } });
    expect(text.split("\nexact\n")[1]).toBe("  ↑ a ×2   ↑ b #2   ↓ a #2\n");
  });

  it("says how many paired rows have different inputs", () => {
    const [first, ...others] = after.rows;
    const other = { ...first!, example: { ...first!.example, inputs: "another question" } };
    const text = formatComparison(before, { ...after, rows: [other, ...others] }, comparisons);
    expect(text.replaceAll("\n", " ")).toMatch(/ paired rows? has different inputs, such as row a: /);
    expect(formatComparison(before, after, comparisons)).not.toContain("inputs");
  });

  it("does not speak of adjusting a single p-value", () => {
    const [, , , verdict, , titles] = formatComparison(
      before,
      after,
      { exact: comparisons.exact },
      { columns: 100 },
    ).split("\n");
    expect(verdict).toBe("No difference by more than chance on exact; 1 of 2 rows fails.");
    expect(titles).toMatch(/ 95% interval +p +Pairs /);
  });

  it("colours differences beyond chance, by their direction", () => {
    const options = { color: true };
    expect(formatComparison(before, after, comparisons, options)).toContain("\x1b[31m    -0.125\x1b[39m");
    expect(formatComparison(before, after, comparisons, { ...options, lowerIsBetter: ["close"] })).toContain(
      "\x1b[32m    -0.125\x1b[39m",
    );
    // p is 1.
    expect(formatComparison(before, after, comparisons, options)).toContain("  +50.0 pp");
    // p is 0.0008, which is not below one minus this level.
    const close = { ...comparisons.close, interval: { low: -0.25, high: 0, level: 0.9995 } };
    expect(formatComparison(before, after, { close }, options)).toContain("      -0.125");
    expect(formatComparison(before, after, { close })).toContain(
      "No difference by more than chance on close",
    );
  });
});
