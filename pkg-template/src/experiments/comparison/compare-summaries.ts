/** Compares the recorded scores of summary evaluators. */

import type { Comparison, Experiment, SummaryResult } from "../../core/records/types.js";

type Summarized = Partial<Pick<Experiment, "summaryResults">>;

/** The difference of each summary score. Without the scores of rows, nothing says whether it is chance. */
export function compareSummaries(first: Summarized, second: Summarized): Map<string, Comparison> {
  const [before, after] = [byKey(first), byKey(second)];
  const keys = new Set([...before.keys(), ...after.keys()]);
  return new Map(
    Array.from(keys, (key) => [key, compareSummary(before.get(key), after.get(key))] as const).filter(
      ([, { count, unpaired, errors }]) =>
        count + unpaired.first + unpaired.second + errors.first + errors.second,
    ),
  );
}

const byKey = ({ summaryResults = [] }: Summarized): Map<string, SummaryResult> =>
  new Map(summaryResults.map((result) => [result.key, result]));

function compareSummary(before: SummaryResult | undefined, after: SummaryResult | undefined): Comparison {
  const means = { first: scoreIn(before), second: scoreIn(after) };
  const { first, second } = means;
  const isPair = first !== null && second !== null;
  return {
    isSummary: true,
    difference: isPair ? second - first : null,
    interval: null,
    standardError: null,
    pValue: null,
    adjustedPValue: null,
    test: null,
    count: Number(isPair),
    means,
    unpaired: { first: Number(!isPair && first !== null), second: Number(!isPair && second !== null) },
    errors: { first: Number(Boolean(before?.error)), second: Number(Boolean(after?.error)) },
    bounds: null,
    flipped: [],
  };
}

const scoreIn = (result: SummaryResult | undefined): number | null =>
  result?.score == null ? null : Number(result.score);
