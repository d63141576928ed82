/** Text metrics equal their reference implementations: counts exactly, scores to 1e-12. */

import { readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import * as text from "openevals-wasm/text";
import { describe, expect, it } from "vitest";

/** The output of `python/cases.py`. */
interface Cases {
  /** For readability by language, textstat's syllables of each word, and whether it is easy. */
  words?: Record<string, Record<string, [syllables: number, isEasy: boolean]>>;
  fields: string[];
  variants: Record<string, unknown>[];
  rows: [variant: number, ...values: unknown[]][];
  corpora: [variant: number, from: number, to: number, ...values: unknown[]][];
}

type Row = [outputs: string, references: string[]];
type Result = { score: number | null; metadata: object };

const read = (name: string) =>
  JSON.parse(
    gunzipSync(readFileSync(new URL(`python/cases/${name}.json.gz`, import.meta.url))).toString("utf8"),
  );

const texts: Row[] = read("texts");

/** The tolerance of a score. */
const PRECISION = 1e-12;

/** The names of the figures that differ. */
function differences(fields: string[], expected: unknown[], { score, metadata }: Result): string[] {
  const found: Record<string, unknown> = { ...metadata, score };
  return fields.flatMap((field, index) => {
    const [ours, theirs] = [found[field], expected[index]].map((value) => [value].flat() as number[]);
    const areClose = ours!.every((figure, place) => Math.abs(figure - theirs![place]!) <= PRECISION);
    return ours!.length === theirs!.length && areClose
      ? []
      : [`${field} is ${found[field]} and not ${expected[index]}`];
  });
}

const tokenizers = {
  characters: (text: string) => [...text].filter((character) => character !== " "),
};

interface Metric {
  evaluator(options: any): text.Evaluator<Result>;
  corpus?: (options: any) => text.CorpusEvaluator<any>;
  /** The scored texts of metrics without a reference. */
  outputs?: (row: Row) => string | string[];
}

const joined = ([output, references]: Row) => [output, ...references].join(" ");
const listed = ([output, references]: Row) => [output, ...references];
const withTokenizer = ({ tokenizer, ...options }: { tokenizer?: keyof typeof tokenizers }) => ({
  ...options,
  ...(tokenizer && { tokenizer: tokenizers[tokenizer] }),
});

/** For each metric an evaluator with some options, and a summary evaluator if there is one. */
const METRICS: Record<string, Metric> = {
  bleu: { evaluator: text.createBleuEvaluator, corpus: text.corpusBleu },
  chrf: { evaluator: text.createChrfEvaluator, corpus: text.corpusChrf },
  ter: { evaluator: text.createTerEvaluator, corpus: text.corpusTer },
  rouge: {
    evaluator: (options) => text.createRougeEvaluator(withTokenizer(options)),
  },
  token_f1: {
    evaluator: ({ exact, ...options }) =>
      exact ? text.createSquadExactMatchEvaluator(options) : text.createTokenF1Evaluator(options),
  },
  error_rates: {
    evaluator({ rate, ...options }) {
      const makers = {
        words: text.createWordErrorRateEvaluator,
        matches: text.createMatchErrorRateEvaluator,
        informationLost: text.createWordInformationLostEvaluator,
        characters: text.createCharacterErrorRateEvaluator,
      };
      return makers[rate as keyof typeof makers](options);
    },
  },
  similarity: {
    evaluator({ measure, ...options }) {
      const makers: Record<string, (options: any) => text.Evaluator<Result>> = {
        jaro: text.createJaroEvaluator,
        jaroWinkler: text.createJaroWinklerEvaluator,
        damerauLevenshtein: text.createDamerauLevenshteinEvaluator,
        longestCommonSubsequence: text.createLongestCommonSubsequenceEvaluator,
      };
      return makers[measure]?.(options) ?? text.createNgramSimilarityEvaluator({ ...options, measure });
    },
  },
  readability: {
    evaluator(options) {
      const { words }: Cases = read("readability");
      const known = new Map(Object.entries(words![options.language ?? "en"]!));
      return text.createReadabilityEvaluator({
        ...options,
        syllables: (word) => known.get(word)![0],
        easyWords: [...known].flatMap(([word, [, isEasy]]) => (isEasy ? [word] : [])),
      });
    },
    // As in `cases.py`.
    outputs: (row) => joined(row).replaceAll("İ", "I"),
  },
  length: { evaluator: text.createLengthEvaluator, outputs: joined },
  diversity: {
    evaluator({ measure, ...options }) {
      const read = withTokenizer(options);
      return measure === "distinct"
        ? text.createDistinctNEvaluator(read)
        : text.createRepetitionEvaluator(read);
    },
    outputs: listed,
  },
  compression: { evaluator: text.createCompressionRatioEvaluator, outputs: listed },
};

describe.each(Object.entries(METRICS))("%s", (name, { evaluator, corpus, outputs: outputsOf }) => {
  const { fields, variants, rows, corpora }: Cases = read(name);

  it("scores of rows equal the reference", async () => {
    expect(rows.length).toBeGreaterThanOrEqual(3000);
    const wrong: unknown[] = [];
    for (const [variant, options] of variants.entries()) {
      const own = rows.flatMap(([number, ...values], index) =>
        number === variant ? [{ values, texts: texts[index]! }] : [],
      );
      const results = await evaluator(options).batch(
        own.map(({ texts }) =>
          outputsOf ? { outputs: outputsOf(texts) } : { outputs: texts[0], referenceOutputs: texts[1] },
        ),
      );
      for (const [index, { values, texts }] of own.entries()) {
        const found = differences(fields, values, results[index]!);
        if (found.length) wrong.push({ options, texts, found });
      }
    }
    expect(wrong).toEqual([]);
  });

  if (corpus) {
    it("scores of corpora equal the reference", async () => {
      expect(new Set(corpora.map(([, from]) => from)).size).toBe(3);
      for (const [variant, from, to, ...values] of corpora) {
        const own = texts.slice(from, to);
        const result = await corpus(variants[variant])({
          outputs: own.map(([outputs]) => outputs),
          referenceOutputs: own.map(([, references]) => references),
        });
        expect(differences(fields, values, result)).toEqual([]);
        const { low, high } = result.interval!;
        expect(low <= result.score! && result.score! <= high).toBe(true);
      }
    });
  }
});

it("error rates of a corpus equal jiwer's, which supports one reference", async () => {
  const { fields, variants, corpora }: Cases = read("error_rates");
  const ofWords = corpora.filter(([variant]) => variants[variant]!["rate"] === "words");
  expect(ofWords.length).toBeGreaterThan(0);
  for (const [variant, from, to, ...values] of ofWords) {
    const { rate, ...options } = variants[variant]!;
    const own = texts.slice(from, to);
    const result = await text.corpusWer(options)({
      outputs: own.map(([outputs]) => outputs),
      referenceOutputs: own.map(([, [first]]) => first),
    });
    expect(differences(fields, values, result)).toEqual([]);
  }
});

describe("corpora of 1,000 sentences", () => {
  const makers: Record<string, (options: any) => text.CorpusEvaluator<any>> = {
    bleu: text.corpusBleu,
    chrf: text.corpusChrf,
    ter: text.corpusTer,
    wer: text.corpusWer,
  };
  const corpora: {
    name: string;
    rows: Row[];
    scores: [
      metric: string,
      options: object,
      expected: { score: number /** Of its bootstrap. */; _mean?: number; _ci?: number },
    ][];
  }[] = read("corpora");
  const cases = corpora.flatMap(({ name, rows, scores }) =>
    scores.map(([metric, options, expected]) => ({ name, metric, options, rows, expected })),
  );

  it.each(cases)("$name: $metric $options", async ({ metric, options, rows, expected }) => {
    expect(rows).toHaveLength(1000);
    const { score, interval } = await makers[metric]!(options)({
      outputs: rows.map(([outputs]) => outputs),
      // jiwer supports one reference.
      referenceOutputs: rows.map(([, references]) => (metric === "wer" ? references[0] : references)),
    });
    expect(Math.abs(score! - expected.score)).toBeLessThanOrEqual(PRECISION);
    const { _mean: mean, _ci: half } = expected;
    if (mean === undefined || half === undefined) return;
    // Both intervals are sampled; theirs with 1,000 draws.
    const { low, high } = interval!;
    expect(Math.abs((low + high) / 2 - mean)).toBeLessThan(half / 5);
    expect(Math.abs((high - low) / 2 - half)).toBeLessThan(half / 5);
  });
});
