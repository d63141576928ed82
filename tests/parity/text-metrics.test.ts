/** Metrics of texts come to what their reference implementations do: counts exactly, scores to 1e-12. */

import { readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import * as text from "openevals-wasm/text";
import { describe, expect, it } from "vitest";

/** What `python/cases.py` has written. */
interface Cases {
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

/** How far off a score may be. */
const PRECISION = 1e-12;

/** The figures that differ, by their names. */
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

/** For each metric an evaluator with some options, and a summary evaluator where there is one. */
const METRICS: Record<
  string,
  { evaluator(options: any): text.Evaluator<Result>; corpus?: (options: any) => text.CorpusEvaluator<any> }
> = {
  bleu: { evaluator: text.createBleuEvaluator, corpus: text.corpusBleu },
  chrf: { evaluator: text.createChrfEvaluator, corpus: text.corpusChrf },
  ter: { evaluator: text.createTerEvaluator, corpus: text.corpusTer },
  rouge: {
    evaluator: ({ tokenizer, ...options }) =>
      text.createRougeEvaluator({
        ...options,
        ...(tokenizer && { tokenizer: tokenizers[tokenizer as keyof typeof tokenizers] }),
      }),
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
};

describe.each(Object.entries(METRICS))("%s", (name, { evaluator, corpus }) => {
  const { fields, variants, rows, corpora }: Cases = read(name);

  it("rows", async () => {
    expect(rows.length).toBeGreaterThanOrEqual(3000);
    const wrong: unknown[] = [];
    for (const [variant, options] of variants.entries()) {
      const own = rows.flatMap(([number, ...values], index) =>
        number === variant ? [{ values, texts: texts[index]! }] : [],
      );
      const results = await evaluator(options).batch(
        own.map(({ texts: [outputs, referenceOutputs] }) => ({ outputs, referenceOutputs })),
      );
      for (const [index, { values, texts }] of own.entries()) {
        const found = differences(fields, values, results[index]!);
        if (found.length) wrong.push({ options, texts, found });
      }
    }
    expect(wrong).toEqual([]);
  });

  if (corpus) {
    it("corpora", async () => {
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

it("error rates of a corpus are those of jiwer, which knows one reference", async () => {
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
