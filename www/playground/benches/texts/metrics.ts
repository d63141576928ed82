/** Metrics of texts: loaded when somebody wants to see them, since they have a binary of their own. */

import type { ShownScore } from "../../../shared/scores.js";

type Metric = Exclude<
  {
    [Name in keyof typeof import("openevals-wasm/text")]: typeof import("openevals-wasm/text")[Name] extends (params: {
      outputs: string;
      referenceOutputs: string;
    }) => Promise<unknown>
      ? Name
      : never;
  }[keyof typeof import("openevals-wasm/text")],
  `corpus${string}`
>;

/** Their names; of some, 0 is best. */
const METRICS: Partial<Record<Metric, { name: string; lowerIsBetter?: boolean }>> = {
  tokenF1: { name: "Token F1" },
  squadExactMatch: { name: "Exact match, as SQuAD" },
  bleu: { name: "BLEU" },
  chrf: { name: "chrF" },
  rouge1: { name: "ROUGE-1" },
  rouge2: { name: "ROUGE-2" },
  rougeL: { name: "ROUGE-L" },
  rougeLsum: { name: "ROUGE-Lsum" },
  jaroWinkler: { name: "Jaro-Winkler" },
  damerauLevenshtein: { name: "Damerau-Levenshtein" },
  longestCommonSubsequence: { name: "Longest common subsequence" },
  ngramSimilarity: { name: "N-grams in common" },
  ter: { name: "TER", lowerIsBetter: true },
  wordErrorRate: { name: "Word error rate", lowerIsBetter: true },
  characterErrorRate: { name: "Character error rate", lowerIsBetter: true },
  matchErrorRate: { name: "Match error rate", lowerIsBetter: true },
  wordInformationLost: { name: "Word information lost", lowerIsBetter: true },
};

/** All of them, of one pair of texts; what cannot be computed says why in its place. */
export async function scoreMetrics(pair: {
  outputs: string;
  referenceOutputs: string;
}): Promise<ShownScore[]> {
  const metrics = await import("openevals-wasm/text");
  return Promise.all(
    Object.entries(METRICS).map(async ([metric, { name, lowerIsBetter }]) => {
      try {
        const { key, score } = await metrics[metric as Metric](pair);
        const comment = lowerIsBetter ? "0 is best" : undefined;
        return { key, name, score: score as number, comment, lowerIsBetter };
      } catch (error) {
        return { key: metric, name, comment: (error as Error).message };
      }
    }),
  );
}

/** The same in an application. */
export const METRICS_CODE = `
import { bleu, chrf, rougeL, tokenF1, wordErrorRate } from "openevals-wasm/text";

for (const metric of [bleu, chrf, rougeL, tokenF1, wordErrorRate]) {
  const { key, score } = await metric({ outputs, referenceOutputs });
  console.log(key, score);
}
`;
