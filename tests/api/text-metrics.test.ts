/** Text metrics as evaluators. `tests/parity/text-metrics.test.ts` checks their figures. */

import { OpenEvalsError } from "openevals-wasm";
import { evaluate, formatExperiment } from "openevals-wasm/evaluation";
import * as text from "openevals-wasm/text";
import { describe, expect, test } from "vitest";
import { errorOf } from "./error-of.js";
import { unhandledIn } from "./unhandled.js";

/** Every ready-made evaluator, with the score of equal texts. */
const READY: [string, text.Evaluator<{ key: string; score: number; metadata: object }>, number][] = [
  ["bleu", text.bleu, 1],
  ["chrf", text.chrf, 1],
  ["ter", text.ter, 0],
  ["rouge1", text.rouge1, 1],
  ["rouge2", text.rouge2, 1],
  ["rougeL", text.rougeL, 1],
  ["rougeLsum", text.rougeLsum, 1],
  ["token_f1", text.tokenF1, 1],
  ["squad_exact_match", text.squadExactMatch, 1],
  ["word_error_rate", text.wordErrorRate, 0],
  ["match_error_rate", text.matchErrorRate, 0],
  ["word_information_lost", text.wordInformationLost, 0],
  ["character_error_rate", text.characterErrorRate, 0],
  ["jaro", text.jaro, 1],
  ["jaro_winkler", text.jaroWinkler, 1],
  ["damerau_levenshtein", text.damerauLevenshtein, 1],
  ["longest_common_subsequence", text.longestCommonSubsequence, 1],
  ["ngram_dice", text.ngramSimilarity, 1],
];

const SIMILARITIES = READY.slice(-5).map(([, evaluator]) => evaluator);

/** Reproducible texts with few distinct words. */
const sentences = Array.from({ length: 40 }, (_, index) =>
  Array.from(
    { length: 1 + (index % 9) },
    (_, at) => "the cat sat on mats today".split(" ")[(index * at + at) % 6],
  ).join(" "),
);
const pairs = sentences.map((one, index) => [one, sentences[(index * 7 + 3) % sentences.length]!] as const);

describe.each(READY)("%s", (key, evaluator, best) => {
  test("accepts all argument styles, and batches", async () => {
    const outputs = "the cat sat on the mat";
    const referenceOutputs = "a cat sat on my mat";
    const result = await evaluator({ outputs, referenceOutputs });
    expect(result).toMatchObject({
      key,
      score: expect.any(Number),
      metadata: { signature: expect.stringMatching(/^nrefs:1\|/) },
    });
    expect(await evaluator(outputs, referenceOutputs)).toEqual(result);
    expect(await evaluator({ outputs, reference_outputs: referenceOutputs })).toEqual(result);
    expect(
      await evaluator({ outputs: { answer: outputs }, referenceOutputs: { text: referenceOutputs } }),
    ).toEqual(result);
    const [first, second] = await evaluator.batch([
      { outputs, referenceOutputs },
      { outputs, reference_outputs: [referenceOutputs, outputs] },
    ]);
    expect(first).toEqual(result);
    expect(second).toMatchObject({ key, metadata: { signature: expect.stringMatching(/^nrefs:2\|/) } });
    expect(second!.score).toBeCloseTo(key === "ter" ? 0 : best, 15);
    expect(await evaluator.batch([])).toEqual([]);
  });

  test("equal texts have the best score; others are within the range, for any order of references", async () => {
    const equal = await evaluator.batch(sentences.map((one) => ({ outputs: one, referenceOutputs: one })));
    const short = key === "rouge2" ? 2 : 1;
    for (const [index, { score }] of equal.entries()) {
      if (sentences[index]!.split(" ").length >= short) expect(score).toBeCloseTo(best, 15);
    }
    for (const { score } of await evaluator.batch(
      pairs.map(([outputs, referenceOutputs]) => ({ outputs, referenceOutputs })),
    )) {
      expect(score).toBeGreaterThanOrEqual(0);
      if (best === 1) expect(score).toBeLessThanOrEqual(1);
    }
    const [there, back] = [
      await evaluator.batch(
        pairs.map(([outputs, other]) => ({ outputs, referenceOutputs: [other, "the mat"] })),
      ),
      await evaluator.batch(
        pairs.map(([outputs, other]) => ({ outputs, referenceOutputs: ["the mat", other] })),
      ),
    ];
    expect(there.map(({ score }) => score)).toEqual(back.map(({ score }) => score));
  });

  test("incomparable values are errors that name their place", async () => {
    expect(await errorOf(evaluator({ outputs: "a" } as any))).toMatchObject({ code: "invalid_input" });
    expect(await errorOf(evaluator({ outputs: "a", referenceOutputs: [] }))).toMatchObject({
      code: "invalid_input",
      message: "referenceOutputs is an empty list; it needs at least one text.",
    });
    const row = { outputs: "a", referenceOutputs: ["a", null] };
    expect(await errorOf(evaluator.batch([{ outputs: "a", referenceOutputs: "b" }, row]))).toMatchObject({
      code: "invalid_input",
      message: expect.stringContaining("rows[1].referenceOutputs[1] is null; it has to be a string"),
    });
    expect(await errorOf(evaluator({ outputs: { a: "x", b: "y" }, referenceOutputs: "x" }))).toMatchObject({
      code: "invalid_input",
      message: expect.stringContaining("Set output to the key of the text"),
    });
  });
});

test("similarities are symmetric", async () => {
  for (const evaluator of SIMILARITIES) {
    const [there, back] = [
      await evaluator.batch(pairs.map(([outputs, referenceOutputs]) => ({ outputs, referenceOutputs }))),
      await evaluator.batch(pairs.map(([referenceOutputs, outputs]) => ({ outputs, referenceOutputs }))),
    ];
    for (const [index, { score }] of there.entries()) expect(score).toBeCloseTo(back[index]!.score, 15);
  }
});

test("signatures equal those of sacrebleu", async () => {
  const signature = async (evaluator: text.Evaluator<{ key: string; score: number; metadata: object }>) =>
    ((await evaluator("a", "b")).metadata as { signature: string }).signature;
  expect(await signature(text.createBleuEvaluator({ effectiveOrder: false }))).toBe(
    "nrefs:1|case:mixed|eff:no|tok:13a|smooth:exp",
  );
  expect(
    await signature(text.createBleuEvaluator({ smoothMethod: "add-k", lowercase: true, tokenize: "zh" })),
  ).toBe("nrefs:1|case:lc|eff:yes|tok:zh|smooth:add-k[1.00]");
  expect(await signature(text.createChrfEvaluator({ wordOrder: 2 }))).toBe(
    "nrefs:1|case:mixed|eff:yes|nc:6|nw:2|space:no",
  );
  expect(await signature(text.createTerEvaluator({ noPunct: true }))).toBe(
    "nrefs:1|case:lc|tok:tercom|norm:no|punct:no|asian:no",
  );
});

test("the metadata has the parts of the score", async () => {
  expect((await text.bleu("the cat sat on the mat", "the cat sat on a mat")).metadata).toEqual({
    signature: "nrefs:1|case:mixed|eff:yes|tok:13a|smooth:exp",
    precisions: [5 / 6, 3 / 5, 2 / 4, 1 / 3],
    brevityPenalty: 1,
    counts: [5, 3, 2, 1],
    totals: [6, 5, 4, 3],
    outputLength: 6,
    referenceLength: 6,
  });
  expect((await text.wordErrorRate("it is nice day", "it is a nice day")).metadata).toMatchObject({
    hits: 4,
    substitutions: 0,
    deletions: 1,
    insertions: 0,
  });
});

/** Every ready-made evaluator without references, with the score of `SPEECH`. */
const ALONE: [string, text.OutputEvaluator<{ key: string; score: number; metadata: object }>, number][] = [
  ["flesch_reading_ease", text.fleschReadingEase, 206.835 - 1.015 * 6 - 84.6 * (15 / 12)],
  ["flesch_kincaid_grade", text.fleschKincaidGrade, 0.39 * 6 + 11.8 * (15 / 12) - 15.59],
  ["gunning_fog", text.gunningFog, 0.4 * (6 + 100 / 12)],
  ["smog_index", text.smogIndex, 1.043 * Math.sqrt(30 / 2) + 3.1291],
  ["character_count", text.characterCount, 52],
  ["word_count", text.wordCount, 12],
  ["sentence_count", text.sentenceCount, 2],
  ["compression_ratio", text.compressionRatio, 52 / 57],
  ["distinct_1", text.distinct1, 8 / 12],
  ["distinct_2", text.distinct2, 8 / 11],
  ["repetition", text.repetition, 1 / 9],
];
const SPEECH = "The cat sat on the mat. The cat sat on a dictionary.";

describe.each(ALONE)("%s", (key, evaluator, score) => {
  test("needs no reference, and accepts all argument styles", async () => {
    const result = await evaluator({ outputs: SPEECH });
    expect(result).toMatchObject({ key, metadata: { signature: expect.not.stringMatching("nrefs") } });
    expect(await evaluator(SPEECH)).toEqual(result);
    expect(await evaluator({ outputs: { text: SPEECH }, referenceOutputs: "else" })).toEqual(result);
    expect(await evaluator.batch([{ outputs: "a" }, { outputs: SPEECH }])).toEqual([
      await evaluator("a"),
      result,
    ]);
    expect(await evaluator.batch([])).toEqual([]);
    expect(result.score).toBeCloseTo(score, 12);
  });

  test("values that are not text are errors that name their place", async () => {
    for (const call of [evaluator({} as any), evaluator(null), evaluator(undefined)]) {
      expect(await errorOf(call)).toMatchObject({
        code: "invalid_input",
        message: expect.stringContaining("needs outputs and got undefined. Call it with { outputs }."),
      });
    }
    expect((await errorOf(evaluator({ output: "a" } as any))).message).toContain(
      "needs outputs and got output (did you mean outputs?). Call it with { outputs }.",
    );
    expect(await errorOf(evaluator.batch([{ outputs: "a" }, { outputs: { text: [{}] } }]))).toMatchObject({
      code: "invalid_input",
      message: expect.stringContaining("rows[1].outputs"),
    });
    expect(await errorOf(evaluator.batch("a" as any))).toMatchObject({ code: "invalid_input" });
  });
});

test("diversity of several texts, without n-grams across texts", async () => {
  const outputs = ["a b", "a b", "c"];
  expect((await text.distinct2({ outputs })).metadata).toMatchObject({ distinct: 1, total: 2 });
  expect((await text.distinct1(outputs)).score).toBe(3 / 5);
  expect((await text.compressionRatio(outputs)).metadata).toMatchObject({ bytes: 9 });
  expect(await errorOf(text.distinct1({ outputs: [] }))).toMatchObject({ code: "invalid_input" });
  expect(await errorOf(text.wordCount({ outputs }))).toMatchObject({ code: "invalid_input" });
});

test("a syllable function is used", async () => {
  const asked: string[] = [];
  const evaluator = text.createReadabilityEvaluator({
    syllables: (word) => {
      asked.push(word);
      return word === "iguana" ? 7 : undefined;
    },
  });
  const { metadata } = await evaluator({ outputs: "Iguana! An iguana, it's a green iguana." });
  expect(metadata).toMatchObject({ syllables: 25, words: 7, polysyllables: 3, difficultWords: 3 });
  expect(asked).toEqual(["iguana", "an", "iguana", "it's", "a", "green"]);
  const easy = text.createReadabilityEvaluator({ formula: "gunningFog", easyWords: ["iguana"] });
  expect((await easy({ outputs: "An iguana is green." })).score).toBeCloseTo(0.4 * 4, 12);
  for (const wrong of [-1, 1.5, "2", Promise.reject(new Error("late"))]) {
    const failing = text.createReadabilityEvaluator({ syllables: (() => wrong) as any });
    expect(await errorOf(failing({ outputs: "word" }))).toMatchObject({
      code: "invalid_input",
      message: expect.stringMatching(/^The function syllables returned .* for "word"; it has to return/),
    });
  }
  const throwing = text.createReadabilityEvaluator({
    syllables: () => {
      throw new Error("no dictionary");
    },
  });
  expect(await errorOf(throwing({ outputs: "word" }))).toMatchObject({ code: "callback_failed" });
});

test("reports know which metrics have no direction, and that less repetition is better", async () => {
  const data = [{ id: "1", inputs: {} }];
  const evaluators = [text.repetition, text.compressionRatio, text.smogIndex];
  const experiment = await evaluate(async () => "no no no no no no no", { data, evaluators });
  const shown = formatExperiment(experiment);
  expect(shown).toContain("✗ repetition");
  expect(shown).not.toMatch(/✗ (compression_ratio|smog_index)/);
});

test("texts that are too short for n-grams", async () => {
  const scores = async (evaluator: text.Evaluator<{ score: number }>) =>
    (
      await evaluator.batch([
        { outputs: "a", referenceOutputs: "b" },
        { outputs: "a", referenceOutputs: "a" },
        { outputs: "", referenceOutputs: "" },
        { outputs: "", referenceOutputs: "ab" },
      ])
    ).map(({ score }) => score);
  for (const measure of ["dice", "jaccard", "cosine"] as const) {
    expect(await scores(text.createNgramSimilarityEvaluator({ measure }))).toEqual([0, 1, 1, 0]);
  }
});

test("texts come from a key or a function", async () => {
  const picks = text.createTokenF1Evaluator({ output: "answer", reference: ({ answers }) => answers });
  const row = {
    outputs: { answer: "Paris", steps: 3 },
    referenceOutputs: { answers: ["paris.", "the city"] },
  };
  expect((await picks(row)).score).toBe(1);
  const shared = text.createTokenF1Evaluator({ output: "answer", feedbackKey: "f1" });
  expect(
    await shared({ outputs: { answer: 42, steps: 3 }, referenceOutputs: { answer: "42", source: "x" } }),
  ).toMatchObject({ key: "f1", score: 1 });
  const fails = text.createTokenF1Evaluator({
    output: () => {
      throw new Error("no such field");
    },
  });
  expect(await errorOf(fails("a", "b"))).toMatchObject({ code: "callback_failed" });
});

test("a custom tokenizer", async () => {
  const characters = text.createRougeEvaluator({ type: "rouge1", tokenizer: (text) => [...text] });
  expect((await characters("猫坐在垫子上", "猫坐垫子上")).score).toBeCloseTo(10 / 11, 15);
  expect((await text.rouge1("猫坐在垫子上", "猫坐垫子上")).score).toBe(0);
  const wrong = text.createRougeEvaluator({ tokenizer: () => "a" as any });
  expect(await errorOf(wrong("a", "b"))).toMatchObject({
    code: "invalid_input",
    message: 'The tokenizer returned "a"; it has to return a list of strings.',
  });
  const failing = text.createRougeEvaluator({
    tokenizer: () => {
      throw new Error("no tokens");
    },
  });
  expect(await errorOf(failing("a", "b"))).toMatchObject({ code: "callback_failed" });
});

test.each<[string, () => unknown, string]>([
  ["a tokenizer", () => text.createBleuEvaluator({ tokenize: "ja-mecab" as any }), "tokenize is"],
  ["an order", () => text.createChrfEvaluator({ charOrder: -1 }), "charOrder is -1"],
  ["no order", () => text.createChrfEvaluator({ charOrder: 0 }), "charOrder and wordOrder are both 0"],
  [
    "a value",
    () => text.createBleuEvaluator({ smoothMethod: "floor", smoothValue: 1.5 }),
    "smoothValue is 1.5",
  ],
  ["a formula", () => text.createReadabilityEvaluator({ formula: "ari" as any }), "formula is"],
  ["a unit", () => text.createLengthEvaluator({ unit: "bytes" as any }), "unit is"],
  ["a length of n-grams", () => text.createDistinctNEvaluator({ n: 0 }), "n is 0"],
  ["a vocabulary", () => text.createDistinctNEvaluator({ vocabularySize: 0 }), "vocabularySize is 0"],
  [
    "a tokenizer of texts",
    () => text.createRepetitionEvaluator({ tokenizer: "none" as any }),
    "tokenizer is",
  ],
  ["a type", () => text.createRougeEvaluator({ type: "rouge0" as any }), "type is"],
  ["a weight", () => text.createJaroWinklerEvaluator({ prefixWeight: 1 }), "prefixWeight is 1"],
  ["a flag", () => text.createWordErrorRateEvaluator({ lowercase: 1 as any }), "lowercase is 1"],
  ["an unknown option", () => text.corpusBleu({ smoothing: "exp" } as any), 'no option "smoothing"'],
])("%s that cannot work is refused at once", (_, make, message) => {
  expect(make).toThrow(OpenEvalsError);
  expect(make).toThrow(message);
});

test("long computations are refused, with the row", async () => {
  const long = (word: string) => `${word} `.repeat(20_100);
  const row = { outputs: long("a"), referenceOutputs: long("b") };
  expect(await errorOf(text.wordErrorRate(row))).toMatchObject({
    code: "invalid_input",
    message: expect.stringMatching(/^texts of \d+ and 20100 units are too long to be aligned/),
  });
  expect(await errorOf(text.rougeL.batch([{ outputs: "a", referenceOutputs: "a" }, row]))).toMatchObject({
    code: "invalid_input",
    message: expect.stringMatching(/^rows\[1\]: texts of/),
  });
  // Short sentences, but many of them.
  const lines = (word: string) => `${word} `.repeat(10).concat("\n").repeat(2_010);
  const summary = { outputs: lines("a"), referenceOutputs: lines("b") };
  expect(await errorOf(text.rougeLsum(summary))).toMatchObject({
    code: "invalid_input",
    message: expect.stringMatching(/^texts of 20100 and 20100 units are too long to be aligned/),
  });
});

test.each<[string, text.Evaluator]>([
  ["ter", text.ter],
  ["damerauLevenshtein", text.damerauLevenshtein],
  ["characterErrorRate", text.characterErrorRate],
])("%s names its limit", async (_, evaluator) => {
  const long = (from: number) => Array.from({ length: 15_000 }, (_, index) => (index * from) % 97).join(" ");
  expect(await errorOf(evaluator({ outputs: long(31), referenceOutputs: long(53) }))).toMatchObject({
    code: "invalid_input",
    message: expect.stringMatching(/ too long to be aligned; they need \d+ cells, and the limit is \d+:/),
  });
});

test.each<[string, text.Evaluator]>([
  ["characterErrorRate", text.characterErrorRate],
  ["jaro", text.jaro],
  ["damerauLevenshtein", text.damerauLevenshtein],
])("%s names more cells than fit into 32 bits", async (_, evaluator) => {
  const { message } = await errorOf(
    evaluator({ outputs: "ab".repeat(146_000), referenceOutputs: "cd".repeat(147_000) }),
  );
  const [, rows, columns, cells] =
    /^texts of (\d+) and (\d+) units are too long to be aligned; they need (\d+) cells/.exec(message) ?? [];
  expect(Number(cells)).toBe(Number(rows) * Number(columns));
  expect(Number(cells)).toBeGreaterThan(2 ** 36);
});

test("TER of long texts takes a moment", { timeout: 10_000 }, async () => {
  const words = (from: number) => Array.from({ length: 2000 }, (_, index) => (index * index * from) % 1009);
  const row = { outputs: words(31).join(" "), referenceOutputs: words(53).join(" ") };
  expect((await text.ter(row)).score).toBeGreaterThan(0.5);
});

test("a tokenizer that returns a promise is refused, and no rejection is left unhandled", async () => {
  const tokenizer: any = async () => {
    throw new Error("no tokens");
  };
  const evaluator = text.createRougeEvaluator({ tokenizer });
  const unhandled = await unhandledIn(async () => {
    expect(await errorOf(evaluator({ outputs: "a", referenceOutputs: "a" }))).toMatchObject({
      code: "invalid_input",
      message: "The tokenizer returned a promise (await it); it has to return a list of strings.",
    });
  });
  expect(unhandled).toEqual([]);
});

test("a tokenizer that gives too many tokens is refused at once", async () => {
  const evaluator = text.createRougeEvaluator({ tokenizer: () => new Array(1e9) });
  expect(await errorOf(evaluator({ outputs: "a", referenceOutputs: "a" }))).toMatchObject({
    code: "invalid_input",
    message: "The tokenizer returned 1,000,000,000 tokens; the limit is 10,000,000.",
  });
});

test("texts of all kinds cross unchanged", async () => {
  const texts = [
    "",
    "\n",
    "a\nb",
    "\u0000",
    "😀👩‍👩‍👧",
    "\ud83d",
    "\ude00",
    "é\u{10ffff}",
    "x".repeat(100_000),
  ];
  const rows = texts.flatMap((outputs) => [
    { outputs, referenceOutputs: outputs },
    { outputs, referenceOutputs: ["other", outputs] },
  ]);
  for (const { score } of await text.longestCommonSubsequence.batch(rows)) expect(score).toBe(1);
});

test.each([
  "猫が座った",
  "قطة تجلس",
  "кошка сидит",
  "แมวนั่ง",
  "😀😀",
])("a score of ROUGE says that %s has no token", async (written) => {
  const same = { outputs: written, referenceOutputs: written };
  const tokenless = (side: string) =>
    `The ${side} has no token: ROUGE reads only ASCII letters and digits. For other scripts, pass a tokenizer to createRougeEvaluator.`;
  for (const metric of [text.rouge1, text.rouge2, text.rougeL, text.rougeLsum]) {
    expect(await metric(same)).toMatchObject({ score: 0, comment: tokenless("output") });
  }
  const rows = [
    { outputs: "a cat", referenceOutputs: ["a cat", written] },
    { outputs: "a cat", referenceOutputs: [written, written] },
    { outputs: "a cat", referenceOutputs: "no dog" },
    { outputs: "", referenceOutputs: "a cat" },
    same,
  ];
  expect((await text.rougeL.batch(rows)).map(({ comment }) => comment)).toEqual([
    undefined,
    tokenless("reference"),
    undefined,
    undefined,
    tokenless("output"),
  ]);
});

test("a score of ROUGE-2 says that a text is a single word", async () => {
  expect(await text.rouge2("Yes.", "Yes.")).toMatchObject({
    score: 0,
    comment: "The output has fewer than 2 tokens, so rouge2 finds nothing to compare.",
  });
});
