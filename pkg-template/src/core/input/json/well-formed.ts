/**
 * Replaces lone surrogates, which cannot be passed to the engine. The replacement has the same length, so positions
 * stay correct.
 */
export const wellFormed = (text: string): string => text.replace(/\p{Surrogate}/gu, "\uFFFD");
