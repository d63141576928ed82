/** How signatures spell options, as sacrebleu does. */

export const caseOf = (lowercase: boolean): string => (lowercase ? "lc" : "mixed");

export const yes = (flag: boolean): string => (flag ? "yes" : "no");
