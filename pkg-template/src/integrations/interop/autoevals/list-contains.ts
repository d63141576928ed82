import { levenshteinDistance } from "../../../api.js";
import { invalidInput } from "../../../core/errors.js";
import { bestAssignment } from "./assignment.js";
import { expectedIn, makeScorer, type Scorer, type ScorerWithPartial } from "./scorer.js";
import { Levenshtein } from "./values.js";

/** The arguments of {@link ListContains}, besides `output` and `expected`. */
export interface ListContainsArgs {
  /** Compares two elements; {@link Levenshtein} by default. */
  pairwiseScorer?: Scorer<string, object>;
  /** Whether unexpected elements of the output do not lower the score. */
  allowExtraEntities?: boolean;
}

/** The most pairs of elements. Matching them takes up to 5 seconds and cannot be interrupted. */
const MAX_PAIRS = 1_000_000;

/** The most cells in the Levenshtein tables of all pairs, which take about as long, and the overhead of a text in characters. */
const [MAX_CELLS, TEXT_OVERHEAD] = [1e11, 64];

/** The most pairs that are scored together, and the most characters of their texts. */
const [BATCH_PAIRS, BATCH_CHARACTERS] = [10_000, 4_000_000];

/**
 * Scores how far two lists of texts overlap: elements are paired so that the sum of their scores is highest, and the sum is divided
 * by the length of the longer list. `metadata.pairs` has the pairs.
 *
 * @throws {@link OpenEvalsError} `invalid_input` if there are more than 1,000,000 pairs of elements, or if the total lengths of
 * the texts of both lists have a product above about 100,000,000,000. There is no limit if every element of the shorter
 * list has an equal partner in the longer one.
 */
export const ListContains: ScorerWithPartial<string[], ListContainsArgs> = /* @__PURE__ */ makeScorer(
  "ListContains",
  async (args) => {
    const expected = expectedIn("ListContains", args);
    const { output, pairwiseScorer = Levenshtein, allowExtraEntities = false } = args;
    if (!Array.isArray(output) || !Array.isArray(expected))
      throw invalidInput("ListContains compares lists of texts: `output` and `expected` have to be lists");
    if (!output.length || !expected.length) return { score: Number(output.length === expected.length) };
    const isWide = output.length <= expected.length;
    const [rows, columns] = isWide ? [output, expected] : [expected, output];
    const matches =
      pairwiseScorer === Levenshtein
        ? await matchTexts(Array.from(rows, String), Array.from(columns, String))
        : await match(rows, columns, (pairs) =>
            Promise.all(
              pairs.map(async ([row, column]) => {
                const [one, other] = isWide ? [row, column] : [column, row];
                const { name, score } = await pairwiseScorer({ output: one, expected: other });
                if (Number.isFinite(score)) return score as number;
                throw invalidInput(`${name} has no score for two elements, so ListContains has none`);
              }),
            ),
          );
    const pairs = matches
      .map(({ row, column, score }) => {
        const [from, to] = isWide ? [row, column] : [column, row];
        return { from, pair: { output: output[from], expected: expected[to], score } };
      })
      .sort((a, b) => a.from - b.from)
      .map(({ pair }) => pair);
    const length = allowExtraEntities ? expected.length : Math.max(output.length, expected.length);
    const score = pairs.reduce((sum, { score }) => sum + score, 0) / length;
    return { score: Math.min(1, Math.max(0, score)), metadata: { pairs } };
  },
);

/** A row, the column that it is paired with, and the score of the pair. */
interface Match {
  row: number;
  column: number;
  score: number;
}

/** A row and a column. */
type Pair = readonly [string, string];

/** Pairs texts by their Levenshtein distances. */
async function matchTexts(rows: string[], columns: string[]): Promise<Match[]> {
  const equal = equalColumns(rows, columns);
  if (equal) return equal.map((column, row) => ({ row, column, score: 1 }));
  const cells = sizeOf(rows) * sizeOf(columns);
  if (cells > MAX_CELLS)
    throw invalidInput(
      `ListContains got texts that are too long to compare each with all others: they need ${cells} cells, and the limit is ${MAX_CELLS}. Compare parts of them`,
    );
  return match(rows, columns, similarities);
}

const sizeOf = (texts: readonly string[]): number =>
  texts.reduce((sum, { length }) => sum + length + TEXT_OVERHEAD, 0);

async function similarities(pairs: Pair[]): Promise<number[]> {
  if (pairs.length > 1 && sizeOf(pairs.flat()) > BATCH_CHARACTERS) {
    const half = Math.ceil(pairs.length / 2);
    return [...(await similarities(pairs.slice(0, half))), ...(await similarities(pairs.slice(half)))];
  }
  const rows = pairs.map(([outputs, referenceOutputs]) => ({ outputs, referenceOutputs }));
  return (await levenshteinDistance.batch(rows)).map(({ score }) => Number(score));
}

/**
 * An equal column for each row, or `undefined` if a row has none. In that case the best pairs need not be the equal ones, because
 * the similarity of texts does not satisfy the triangle inequality.
 */
function equalColumns(rows: string[], columns: string[]): number[] | undefined {
  const free = new Map<string, number[]>();
  for (const [column, text] of columns.entries()) {
    const same = free.get(text);
    if (same) same.push(column);
    else free.set(text, [column]);
  }
  const found: number[] = [];
  for (const text of rows) {
    const column = free.get(text)?.pop();
    if (column === undefined) return undefined;
    found.push(column);
  }
  return found;
}

/** Pairs each row with a column so that the sum of the scores is highest. */
async function match(
  rows: string[],
  columns: string[],
  score: (pairs: Pair[]) => Promise<number[]>,
): Promise<Match[]> {
  const count = rows.length * columns.length;
  if (count > MAX_PAIRS)
    throw invalidInput(
      `ListContains got lists of ${rows.length} and ${columns.length} elements, which have ${count} pairs; the limit is ${MAX_PAIRS}. Compare parts of them`,
    );
  const scores = new Float64Array(count);
  for (let start = 0; start < count; start += BATCH_PAIRS) {
    const pairs = Array.from({ length: Math.min(BATCH_PAIRS, count - start) }, (_, index): Pair => {
      const pair = start + index;
      return [rows[Math.floor(pair / columns.length)] as string, columns[pair % columns.length] as string];
    });
    scores.set(await score(pairs), start);
  }
  return bestAssignment(scores, columns.length).map((column, row) => ({
    row,
    column,
    score: scores[row * columns.length + column] as number,
  }));
}
