import { metricsEngine } from "../../core/engine/metrics.js";
import { invalidInput } from "../../core/errors.js";
import {
  aFunction,
  aListOfStrings,
  checkOptions,
  MAX_U32,
  type OptionChecks,
  oneOf,
  show,
} from "../../core/input/checks.js";
import { FLESCH_KINCAID_GRADE, FLESCH_READING_EASE, GUNNING_FOG, SMOG_INDEX } from "../../core/scales.js";
import type { ScoreScale } from "../../core/types.js";
import { callAtOnce } from "../../core/user-function.js";
import * as bindings from "../../openevals-metrics.js";
import type {
  KnownWord,
  ReadabilityFormula,
  ReadabilityLanguage,
  ReadabilityScore,
  TextMetric,
} from "../../openevals-metrics.types.js";
import { type OutputEvaluator, outputEvaluator, type TextResult } from "./evaluator.js";
import { type CrossingTexts, OUTPUT_OPTIONS, type OutputOptions } from "./texts.js";

/** The options of {@link createReadabilityEvaluator}. */
export interface ReadabilityOptions extends OutputOptions {
  /**
   * The formula: `fleschReadingEase` (the default), mostly from 0 to 100 (easy); `fleschKincaidGrade`, `gunningFog` and
   * `smogIndex`, the US school grade that a reader needs.
   */
  formula?: ReadabilityFormula | undefined;
  /**
   * The language of the texts, `en` by default. It determines the constants of Flesch's formulas, the syllables of a
   * difficult word, and how syllables are counted.
   */
  language?: ReadabilityLanguage | undefined;
  /**
   * Looks up the number of syllables of a word, in lower case without punctuation, in your own dictionary. `undefined`
   * falls back to the rule of thumb, which counts vowels.
   */
  syllables?: ((word: string) => number | undefined) | undefined;
  /** Words in lower case that `gunningFog` does not count as difficult, whatever their number of syllables. */
  easyWords?: readonly string[] | undefined;
}

const OPTIONS: OptionChecks<ReadabilityOptions> = {
  ...OUTPUT_OPTIONS,
  formula: oneOf(["fleschReadingEase", "fleschKincaidGrade", "gunningFog", "smogIndex"]),
  language: oneOf(["en", "de", "es", "fr", "hu", "it", "nl", "pl", "ru"]),
  syllables: aFunction,
  easyWords: aListOfStrings,
};

const KEYS: Record<ReadabilityFormula, string> = {
  fleschReadingEase: "flesch_reading_ease",
  fleschKincaidGrade: "flesch_kincaid_grade",
  gunningFog: "gunning_fog",
  smogIndex: "smog_index",
};

const SCALES: Record<ReadabilityFormula, ScoreScale> = {
  fleschReadingEase: FLESCH_READING_EASE,
  fleschKincaidGrade: FLESCH_KINCAID_GRADE,
  gunningFog: GUNNING_FOG,
  smogIndex: SMOG_INDEX,
};

/**
 * Makes an evaluator for readability, which depends on the lengths of sentences and words. It needs no reference.
 * Words, sentences and formulas are as in textstat 0.7. Syllables are counted by a rule of thumb, while textstat
 * uses a dictionary; both agree for 93% of the words in the CMU Pronouncing Dictionary. Pass `syllables` to use your
 * own dictionary.
 *
 * @returns An evaluator with the result `{ key, score, metadata }` and the key `flesch_reading_ease`,
 * `flesch_kincaid_grade`, `gunning_fog` or `smog_index`. The range of scores depends on the `formula`; a text without
 * words has 0. The metadata has the `signature`, `sentences`, `words`, `syllables`, `polysyllables` (words of at least
 * three syllables) and `difficultWords`.
 * @throws {@link OpenEvalsError} `invalid_config` for options that cannot work. The evaluator throws `invalid_input` if
 * the text is missing, and `callback_failed` if `syllables` fails.
 *
 * @example
 * ```ts
 * import { createReadabilityEvaluator } from "openevals-wasm/text";
 *
 * const grade = createReadabilityEvaluator({ formula: "fleschKincaidGrade" });
 * const { score } = await grade({ outputs: "The cat sat on the mat. It was a very comfortable mat." });
 * console.log(score); // 2.483…
 *
 * const dictionary = new Map([["comfortable", 3]]);
 * const own = createReadabilityEvaluator({ syllables: (word) => dictionary.get(word) });
 * console.log((await own({ outputs: "It was a very comfortable mat." })).metadata.syllables); // 9
 * ```
 */
export function createReadabilityEvaluator(
  options: ReadabilityOptions = {},
): OutputEvaluator<TextResult<ReadabilityScore>> {
  const read = checkOptions("createReadabilityEvaluator", options, OPTIONS);
  const { formula = "fleschReadingEase", language = "en", syllables, easyWords } = read;
  const easy = new Set(easyWords);
  const metricOf = (knownWords: KnownWord[]): TextMetric => ({
    readability: { formula, language, knownWords },
  });
  const spec = {
    name: "Readability",
    key: KEYS[formula],
    scale: SCALES[formula],
    metric:
      syllables || easy.size
        ? async (texts: CrossingTexts) => metricOf(await knownWords(texts, syllables, easy))
        : metricOf([]),
    lowercase: false,
    variant: `lang:${language}|syllables:${syllables ? "custom" : "rule"}|easy:${easy.size}`,
  };
  return outputEvaluator(spec, read, false);
}

/**
 * The Flesch reading ease of an English text, with the defaults of {@link createReadabilityEvaluator}.
 *
 * @returns `{ key: "flesch_reading_ease", score, metadata }` with `score` mostly from 0 to 100 (easy).
 * @throws {@link OpenEvalsError} `invalid_input` if the text is missing.
 *
 * @example
 * ```ts
 * import { fleschReadingEase } from "openevals-wasm/text";
 *
 * console.log((await fleschReadingEase("The cat sat on the mat.")).score); // 116.145…
 * ```
 */
export const fleschReadingEase: OutputEvaluator<TextResult<ReadabilityScore>> =
  /* @__PURE__ */ createReadabilityEvaluator();

/**
 * The Flesch-Kincaid grade of an English text, with the defaults of {@link createReadabilityEvaluator}.
 *
 * @returns `{ key: "flesch_kincaid_grade", score, metadata }`, whose score is a US school grade.
 * @throws {@link OpenEvalsError} `invalid_input` if the text is missing.
 */
export const fleschKincaidGrade: OutputEvaluator<TextResult<ReadabilityScore>> =
  /* @__PURE__ */ createReadabilityEvaluator({ formula: "fleschKincaidGrade" });

/**
 * The Gunning fog index of an English text, with the defaults of {@link createReadabilityEvaluator}.
 *
 * @returns `{ key: "gunning_fog", score, metadata }`, whose score is a US school grade.
 * @throws {@link OpenEvalsError} `invalid_input` if the text is missing.
 */
export const gunningFog: OutputEvaluator<TextResult<ReadabilityScore>> =
  /* @__PURE__ */ createReadabilityEvaluator({ formula: "gunningFog" });

/**
 * The SMOG index of an English text, with the defaults of {@link createReadabilityEvaluator}. It is meant for texts of
 * at least 30 sentences.
 *
 * @returns `{ key: "smog_index", score, metadata }`, whose score is a US school grade.
 * @throws {@link OpenEvalsError} `invalid_input` if the text is missing.
 */
export const smogIndex: OutputEvaluator<TextResult<ReadabilityScore>> =
  /* @__PURE__ */ createReadabilityEvaluator({ formula: "smogIndex" });

/** Looks up the distinct words of the texts in the caller's options. */
async function knownWords(
  { texts, lengths, references }: CrossingTexts,
  syllables: ReadabilityOptions["syllables"],
  easy: ReadonlySet<string>,
): Promise<KnownWord[]> {
  const words = await metricsEngine.run("Readability", texts.length, () =>
    bindings.distinctWords(texts, lengths, references),
  );
  return words.map((word) => {
    const lower = word.toLowerCase();
    return { word, syllables: syllables && syllablesOf(syllables, lower), isEasy: easy.has(lower) };
  });
}

function syllablesOf(
  syllables: NonNullable<ReadabilityOptions["syllables"]>,
  word: string,
): number | undefined {
  const count = callAtOnce("syllables", () => syllables(word));
  if (count === undefined || (Number.isInteger(count) && count >= 0 && count <= MAX_U32)) return count;
  throw invalidInput(
    `The function syllables returned ${show(count)} for "${word}"; it has to return a whole number, or undefined`,
  );
}
