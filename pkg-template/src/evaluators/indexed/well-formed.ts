/** Lone surrogates cannot cross into the engine; their replacement has the same length, so places stay right. */
export const wellFormed = (text: string): string => text.replace(/\p{Surrogate}/gu, "\uFFFD");
