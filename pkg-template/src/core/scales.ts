/** What the scores of metrics mean. Generated from the `SCALES` tables of the engine: `UPDATE_SCALES=1 cargo test scales`. */

import type { ScoreScale } from "./types.js";

/** `true` or `false`. Also the default for functions that declare no scale. */
export const VERDICT: ScoreScale = { direction: "higher", passAt: 1 };

/** From 0 to 1; 1 is best. */
export const SHARE: ScoreScale = { min: 0, max: 1, direction: "higher", passAt: 1 };

/** From 0 to 1; 0 is best. */
export const LOSS: ScoreScale = { min: 0, max: 1, direction: "lower", passAt: 0 };

/** From -1 to 1, as correlations are; 1 is best. */
export const CORRELATION: ScoreScale = { min: -1, max: 1, direction: "higher", passAt: 1 };

/** From 0 to 100; 100 is best. */
export const PERCENTAGE: ScoreScale = { min: 0, max: 100, direction: "higher", passAt: 100, unit: "points" };

export const TER: ScoreScale = { min: 0, direction: "lower", passAt: 0, unit: "edits per word" };

export const CORPUS_TER: ScoreScale = { min: 0, direction: "lower", passAt: 0, unit: "edits per word" };

export const WORD_ERROR_RATE: ScoreScale = { min: 0, direction: "lower", passAt: 0, unit: "errors per word" };

export const CORPUS_WER: ScoreScale = { min: 0, direction: "lower", passAt: 0, unit: "errors per word" };

export const CHARACTER_ERROR_RATE: ScoreScale = {
  min: 0,
  direction: "lower",
  passAt: 0,
  unit: "errors per character",
};

export const FLESCH_READING_EASE: ScoreScale = { unit: "points" };

export const FLESCH_KINCAID_GRADE: ScoreScale = { unit: "grade" };

export const GUNNING_FOG: ScoreScale = { unit: "grade" };

export const SMOG_INDEX: ScoreScale = { unit: "grade" };

export const CHARACTER_COUNT: ScoreScale = { min: 0, unit: "characters" };

export const LETTER_COUNT: ScoreScale = { min: 0, unit: "letters" };

export const WORD_COUNT: ScoreScale = { min: 0, unit: "words" };

export const SENTENCE_COUNT: ScoreScale = { min: 0, unit: "sentences" };

export const COMPRESSION_RATIO: ScoreScale = { min: 0 };

export const EMBEDDING_DOT_PRODUCT: ScoreScale = { direction: "higher" };

export const G_EVAL: ScoreScale = { min: 0, max: 1, direction: "higher" };
