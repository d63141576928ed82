/** Metrics of texts as evaluators; that their figures are right, `tests/parity/text-metrics.test.ts` asserts. */

import { OpenEvalsError } from "openevals-wasm";
import { compareExperiments, evaluate, formatComparison, formatExperiment } from "openevals-wasm/evaluation";
import * as text from "openevals-wasm/text";
import { describe, expect, test } from "vitest";
import { errorOf } from "./error-of.js";

/** Every ready evaluator, with the score of equal texts. */
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

/** Texts out of few words, always the same. */
const sentences = Array.from({ length: 40 }, (_, index) =>
  Array.from(
    { length: 1 + (index % 9) },
    (_, at) => "the cat sat on mats today".split(" ")[(index * at + at) % 6],
  ).join(" "),
);
const pairs = sentences.map((one, index) => [one, sentences[(index * 7 + 3) % sentences.length]!] as const);

describe.each(READY)("%s", (key, evaluator, best) => {
  test("in all forms of arguments, and as a batch", async () => {
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

  test("equal texts have the best score, all others one within its range, whatever the order of references", async () => {
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

  test("what cannot be compared is an error that says where", async () => {
    expect(await errorOf(evaluator({ outputs: "a" } as any))).toMatchObject({ code: "invalid_input" });
    expect(await errorOf(evaluator({ outputs: "a", referenceOutputs: [] }))).toMatchObject({
      code: "invalid_input",
      message: "referenceOutputs has no text: a list needs one at least.",
    });
    const row = { outputs: "a", referenceOutputs: ["a", null] };
    expect(await errorOf(evaluator.batch([{ outputs: "a", referenceOutputs: "b" }, row]))).toMatchObject({
      code: "invalid_input",
      message: expect.stringContaining("rows[1].referenceOutputs[1] is null; it has to be a string"),
    });
    expect(await errorOf(evaluator({ outputs: { a: "x", b: "y" }, referenceOutputs: "x" }))).toMatchObject({
      code: "invalid_input",
      message: expect.stringContaining("say with the option output where the text stands"),
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

test("signatures are those of sacrebleu", async () => {
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

test("parts stand in the metadata", async () => {
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

/** Every ready evaluator of texts alone, with the score of `SPEECH`. */
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
  test("needs no reference, in all forms of arguments", async () => {
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

  test("what is no text is an error that says where", async () => {
    for (const call of [evaluator({} as any), evaluator(null), evaluator(undefined)]) {
      expect(await errorOf(call)).toMatchObject({
        code: "invalid_input",
        message: expect.stringContaining("needs outputs and got undefined. Call it with { outputs }."),
      });
    }
    expect(await errorOf(evaluator.batch([{ outputs: "a" }, { outputs: { text: [{}] } }]))).toMatchObject({
      code: "invalid_input",
      message: expect.stringContaining("rows[1].outputs"),
    });
    expect(await errorOf(evaluator.batch("a" as any))).toMatchObject({ code: "invalid_input" });
  });
});

test("diversity of several texts together, whose n-grams do not cross from one to the next", async () => {
  const outputs = ["a b", "a b", "c"];
  expect((await text.distinct2({ outputs })).metadata).toMatchObject({ distinct: 1, total: 2 });
  expect((await text.distinct1(outputs)).score).toBe(3 / 5);
  expect((await text.compressionRatio(outputs)).metadata).toMatchObject({ bytes: 9 });
  expect(await errorOf(text.distinct1({ outputs: [] }))).toMatchObject({ code: "invalid_input" });
  expect(await errorOf(text.wordCount({ outputs }))).toMatchObject({ code: "invalid_input" });
});

test("what a function says of syllables", async () => {
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

test("reports know which figures are no news, and that repetition is bad news", async () => {
  const data = [{ id: "1", inputs: {} }];
  const evaluators = [text.repetition, text.compressionRatio, text.smogIndex];
  const experiment = await evaluate(async () => "no no no no no no no", { data, evaluators });
  const shown = formatExperiment(experiment);
  expect(shown).toContain("✗ repetition");
  expect(shown).not.toMatch(/✗ (compression_ratio|smog_index)/);
});

test("n-grams of texts that are too short for any", async () => {
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

test("texts are found by a key or a function", async () => {
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

test("a tokenizer of one's own", async () => {
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
  ["no order", () => text.createChrfEvaluator({ charOrder: 0 }), "charOrder and wordOrder are 0"],
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

test("texts that would take long are refused, and the row is named", async () => {
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
});

test.each<[string, text.Evaluator]>([
  ["ter", text.ter],
  ["damerauLevenshtein", text.damerauLevenshtein],
  ["characterErrorRate", text.characterErrorRate],
])("%s says what its limit is", async (_, evaluator) => {
  const long = (from: number) => Array.from({ length: 15_000 }, (_, index) => (index * from) % 97).join(" ");
  expect(await errorOf(evaluator({ outputs: long(31), referenceOutputs: long(53) }))).toMatchObject({
    code: "invalid_input",
    message: expect.stringMatching(/ too long to be aligned; they need \d+ cells, and the limit is \d+:/),
  });
});

test("TER of long texts takes a moment", { timeout: 10_000 }, async () => {
  const words = (from: number) => Array.from({ length: 2000 }, (_, index) => (index * index * from) % 1009);
  const row = { outputs: words(31).join(" "), referenceOutputs: words(53).join(" ") };
  expect((await text.ter(row)).score).toBeGreaterThan(0.5);
});

test("a tokenizer that gives a promise is refused, and what that rejects with is not left over", async () => {
  const left: unknown[] = [];
  const hear = (reason: unknown) => left.push(reason);
  process.on("unhandledRejection", hear);
  const tokenizer: any = async () => {
    throw new Error("no tokens");
  };
  const evaluator = text.createRougeEvaluator({ tokenizer });
  expect(await errorOf(evaluator({ outputs: "a", referenceOutputs: "a" }))).toMatchObject({
    code: "invalid_input",
    message: "The tokenizer returned {}; it has to return a list of strings.",
  });
  await new Promise((resolve) => setImmediate(resolve));
  process.off("unhandledRejection", hear);
  expect(left).toEqual([]);
});

test("a tokenizer that gives too many tokens is refused at once", async () => {
  const evaluator = text.createRougeEvaluator({ tokenizer: () => new Array(1e9) });
  expect(await errorOf(evaluator({ outputs: "a", referenceOutputs: "a" }))).toMatchObject({
    code: "invalid_input",
    message: "The tokenizer returned 1,000,000,000 tokens; the limit is 10,000,000.",
  });
});

test("texts of all kinds cross as they are", async () => {
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

describe("a corpus", () => {
  const outputs = ["the cat sat on the mat", "it is raining today", "yes", "a long walk home"];
  const referenceOutputs = [
    "the cat sat on a mat",
    ["it rains today", "it is raining now"],
    "yes",
    "the long way home",
  ];

  test("has a score, an interval and counts", async () => {
    const summary = text.corpusBleu({ seed: 3 });
    const result = await summary({ outputs, referenceOutputs });
    expect(result).toMatchObject({
      key: "corpus_bleu",
      interval: { level: 0.95 },
      metadata: {
        signature: "nrefs:var|case:mixed|eff:no|tok:13a|smooth:exp",
        count: 4,
        errors: 0,
        outputLength: 15,
      },
    });
    expect(result.interval!.low).toBeLessThan(result.score!);
    expect(result.interval!.high).toBeGreaterThan(result.score!);
    expect(await summary({ outputs, reference_outputs: referenceOutputs })).toEqual(result);
  });

  test("leaves out what failed, and draws the repetitions of an example together", async () => {
    const failed = await text.corpusWer()({
      outputs: [...outputs, undefined],
      referenceOutputs: [...referenceOutputs, "nothing"],
      errors: 2,
    });
    expect(failed.metadata).toMatchObject({ count: 4, errors: 3 });
    const once = await text.corpusChrf()({ outputs, referenceOutputs });
    const ids = ["a", "b", "c", "d", "a", "b", "c", "d"].map((id) => ({ id }));
    const twice = await text.corpusChrf()({
      outputs: [...outputs, ...outputs],
      referenceOutputs: [...referenceOutputs, ...referenceOutputs],
      examples: ids,
    });
    expect(twice.score).toBeCloseTo(once.score!, 15);
    expect(twice.interval!.low).toBeCloseTo(once.interval!.low, 12);
    expect(twice.interval!.high).toBeCloseTo(once.interval!.high, 12);
  });

  test("without rows has no score", async () => {
    expect(await text.corpusTer()({ outputs: [], referenceOutputs: [] })).toEqual({
      key: "corpus_ter",
      score: null,
      comment: "Not defined: there are no rows.",
      metadata: { count: 0, errors: 0 },
    });
    expect(await errorOf(text.corpusTer()({ outputs: ["a"], referenceOutputs: [] }))).toMatchObject({
      code: "invalid_input",
    });
  });
});

test("evaluate() takes them, and reports know that lower error rates are better", async () => {
  const run = (answer: string) =>
    evaluate(() => answer, {
      data: Array.from({ length: 12 }, (_, row) => ({
        inputs: { row },
        referenceOutputs: { text: "it is a nice day" },
      })),
      evaluators: [text.wordErrorRate, text.bleu],
      summaryEvaluators: [text.corpusWer()],
    });
  const [good, bad] = [await run("it is a nice day"), await run("no")];
  expect(good.aggregates["word_error_rate"]!.mean).toBe(0);
  expect(good.summaryResults).toMatchObject([{ key: "corpus_wer", score: 0 }]);
  expect(formatExperiment(good)).not.toContain("✗ word_error_rate");
  expect(formatExperiment(bad)).toContain("✗ word_error_rate");
  // Good news is green.
  const comparison = formatComparison(bad, good, await compareExperiments(bad, good), { color: true });
  const green = comparison.split("\u001b[32m").map((part) => part.split("\u001b")[0]!.trim());
  expect(green).toEqual(expect.arrayContaining(["-1.000", "+1.000"]));
});

describe("two systems over a corpus", () => {
  const referenceOutputs = Array.from({ length: 30 }, (_, row) => `the cat number ${row} sat on the mat`);
  const cut = referenceOutputs.map((text, row) => (row % 2 ? text : text.replace("the mat", "mats")));
  const worse = referenceOutputs.map((text, row) => (row % 3 ? text : "a dog"));

  test("have scores, an interval and a p-value", async () => {
    const summary = text.corpusBleu();
    const found = await summary.compare({ first: worse, second: cut, referenceOutputs });
    const [first, second] = [
      (await summary({ outputs: worse, referenceOutputs })).score!,
      (await summary({ outputs: cut, referenceOutputs })).score!,
    ];
    expect(found).toMatchObject({
      key: "corpus_bleu",
      first,
      second,
      difference: second - first,
      interval: { level: 0.95 },
      test: "paired_permutation",
      count: 30,
      signature: "nrefs:1|case:mixed|eff:no|tok:13a|smooth:exp",
    });
    const { low, high } = found.interval!;
    expect(low < found.difference! && found.difference! < high).toBe(true);
    const back = await summary.compare({ first: cut, second: worse, referenceOutputs });
    expect(back.difference).toBe(-found.difference!);
    expect(back.pValue).toBe(found.pValue);
    expect(back.interval!.low).toBeCloseTo(-high, 12);
    const others = { level: 0.5, seed: 4, test: "paired_bootstrap" } as const;
    const other = await summary.compare({ first: worse, second: cut, referenceOutputs, ...others });
    expect(other).toMatchObject({ test: "paired_bootstrap", interval: { level: 0.5 } });
    expect(other.interval!.high - other.interval!.low).toBeLessThan(high - low);
    expect(
      await text.corpusBleu({ level: 0.5 }).compare({ first: worse, second: cut, referenceOutputs }),
    ).toMatchObject({
      interval: { level: 0.5 },
    });
  });

  test("that answer alike do not differ", async () => {
    for (const test of ["paired_permutation", "paired_bootstrap"] as const) {
      expect(
        await text.corpusTer().compare({ first: cut, second: cut, referenceOutputs, test }),
      ).toMatchObject({
        difference: 0,
        interval: null,
        pValue: 1,
      });
    }
    expect(await text.corpusChrf().compare({ first: [], second: [], referenceOutputs: [] })).toMatchObject({
      first: null,
      difference: null,
      pValue: null,
      count: 0,
    });
  });

  test("count repetitions of an example for what they tell", async () => {
    const examples = cut.map((_, row) => ({ id: row % 5 }));
    const params = { first: worse, second: cut, referenceOutputs };
    const [alone, together] = [
      await text.corpusTer().compare(params),
      await text.corpusTer().compare({ ...params, examples }),
    ];
    expect(together.difference).toBeCloseTo(alone.difference!, 12);
    expect(together.pValue).toBeGreaterThan(alone.pValue!);
  });

  test("what cannot be compared is refused", async () => {
    const params = { first: ["a"], second: ["a"], referenceOutputs: ["a"] };
    const { compare } = text.corpusWer();
    expect(await errorOf(compare({ ...params, second: [] }))).toMatchObject({ code: "invalid_input" });
    expect(await errorOf(compare({ ...params, second: [undefined] }))).toMatchObject({
      code: "invalid_input",
    });
    expect(await errorOf(compare({ ...params, second: [{ a: 1, b: 2 }] }))).toMatchObject({
      code: "invalid_input",
    });
    expect(await errorOf(compare({ ...params, test: "t" as any }))).toMatchObject({ code: "invalid_config" });
    expect(await errorOf(compare(undefined as any))).toMatchObject({ code: "invalid_config" });
  });

  test("compareExperiments() compares corpora", async () => {
    const run = (answers: readonly string[], fails = -1) =>
      evaluate(
        ({ row }: { row: number }) => {
          if (row === fails) throw new Error("no answer");
          return { answer: answers[row]! };
        },
        {
          data: referenceOutputs.map((text, row) => ({ inputs: { row }, referenceOutputs: { text } })),
          evaluators: [text.chrf],
          summaryEvaluators: [text.corpusBleu()],
        },
      );
    const [before, after] = [await run(worse, 2), JSON.parse(JSON.stringify(await run(cut, 5)))];
    const summaryEvaluators = [text.corpusBleu(), text.corpusTer({ feedbackKey: "edits" })];
    const comparisons = await compareExperiments(before, after, { summaryEvaluators, level: 0.9 });
    expect(Object.keys(comparisons)).toEqual(["chrf", "corpus_bleu", "edits"]);
    const { corpus_bleu } = comparisons;
    expect(corpus_bleu).toMatchObject({
      test: "paired_permutation",
      interval: { level: 0.9 },
      count: 28,
      unpaired: { first: 1, second: 1 },
      errors: { first: 1, second: 1 },
      bounds: null,
      flipped: [],
    });
    const { first, second } = corpus_bleu!.means;
    expect(corpus_bleu!.difference).toBe(second! - first!);
    expect(corpus_bleu!.adjustedPValue).toBeGreaterThanOrEqual(corpus_bleu!.pValue!);
    expect(formatComparison(before, after, comparisons)).toMatch(/^corpus_bleu +0\.\d+ +0\.\d+ +\+0\.\d+ /m);
    const bootstrap = await compareExperiments(before, after, {
      summaryEvaluators,
      corpusTest: "paired_bootstrap",
    });
    expect(bootstrap["edits"]!.test).toBe("paired_bootstrap");
    const same = [text.corpusBleu({ feedbackKey: "chrf" })];
    expect(await errorOf(compareExperiments(before, after, { summaryEvaluators: same }))).toMatchObject({
      code: "invalid_config",
    });
    after.rows[0].example.outputs = { text: "another one" };
    expect(await errorOf(compareExperiments(before, after, { summaryEvaluators }))).toMatchObject({
      code: "invalid_input",
      message: expect.stringContaining("is not the same in both experiments"),
    });
  });
});
