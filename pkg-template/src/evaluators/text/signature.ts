/** The spelling of options in signatures, as in sacrebleu. */

export const caseOf = (lowercase: boolean): string => (lowercase ? "lc" : "mixed");

export const yesOrNo = (flag: boolean): string => (flag ? "yes" : "no");
