import { invalidInput } from "../../../core/errors.js";
import { bestAssignment } from "./assignment.js";
import { expectedIn, makeScorer, type Scorer, type ScorerWithPartial } from "./scorer.js";
import { Levenshtein } from "./values.js";

/** The arguments of {@link ListContains}, besides `output` and `expected`. */
export interface ListContainsArgs {
  /** Compares two elements; {@link Levenshtein} by default. */
  pairwiseScorer?: Scorer<string, object>;
  /** Whether elements of the output that are not expected cost nothing. */
  allowExtraEntities?: boolean;
}

/**
 * Scores how far two lists of texts overlap: elements are paired so that the sum of their scores is highest, and the sum is divided
 * by the length of the longer list. `metadata.pairs` has the pairs.
 */
export const ListContains: ScorerWithPartial<string[], ListContainsArgs> = /* @__PURE__ */ makeScorer(
  "ListContains",
  async (args) => {
    const expected = expectedIn("ListContains", args);
    const { output, pairwiseScorer = Levenshtein, allowExtraEntities = false } = args;
    if (!Array.isArray(output) || !Array.isArray(expected))
      throw invalidInput("ListContains compares lists of texts: `output` and `expected` have to be lists");
    if (!output.length || !expected.length) return { score: Number(output.length === expected.length) };
    const scores = await Promise.all(
      output.map((one) =>
        Promise.all(
          expected.map(async (other) => {
            const { name, score } = await pairwiseScorer({ output: one, expected: other });
            if (score !== null) return score;
            throw invalidInput(`${name} has no score for two elements, so ListContains has none`);
          }),
        ),
      ),
    );
    const isWide = output.length <= expected.length;
    const assigned = bestAssignment(isWide ? scores : transposed(scores));
    const pairs = assigned
      .map((to, from) => (isWide ? ([from, to] as const) : ([to, from] as const)))
      .sort(([a], [b]) => a - b)
      .map(([from, to]) => ({
        output: output[from],
        expected: expected[to],
        score: scores[from]?.[to] as number,
      }));
    const length = allowExtraEntities ? expected.length : Math.max(output.length, expected.length);
    const score = pairs.reduce((sum, pair) => sum + pair.score, 0) / length;
    return { score: Math.min(1, Math.max(0, score)), metadata: { pairs } };
  },
);

const transposed = (rows: readonly (readonly number[])[]): number[][] =>
  (rows[0] ?? []).map((_, column) => rows.map((row) => row[column] as number));
