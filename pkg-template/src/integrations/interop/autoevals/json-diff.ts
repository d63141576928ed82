import { toJson } from "../../../core/input/json/json.js";
import { parseJson } from "../../../core/input/json/parse-json.js";
import { isObject, isRecord, ownValue } from "../../../core/input/objects.js";
import { checkCompared, makeScorer, type Scorer, type ScorerWithPartial } from "./scorer.js";
import { LevenshteinScorer, NumericDiff } from "./values.js";

/** The arguments of {@link JSONDiff}, besides `output` and `expected`. */
export interface JSONDiffArgs {
  /** Compares texts; {@link Levenshtein} by default. */
  stringScorer?: Scorer<string, object>;
  /** Compares numbers; {@link NumericDiff} by default. */
  numberScorer?: Scorer<number, object>;
  /** Whether texts are compared as texts even if they are JSON objects or lists. */
  preserveStrings?: boolean;
}

/**
 * Scores how similar two JSON values are. Objects score the mean over all keys of both, lists the sum over their positions divided
 * by the length of the longer one, texts and numbers what their scorers return. Two values of different kinds are compared as
 * JSON texts; a missing value equals only `null`.
 */
export const JSONDiff: ScorerWithPartial<any, JSONDiffArgs> = /* @__PURE__ */ makeScorer(
  "JSONDiff",
  async (args) => {
    checkCompared("JSONDiff", args);
    const { output, expected, ...scorers } = args;
    return { score: await similarity(output, expected, scorers) };
  },
);

async function similarity(output: unknown, expected: unknown, args: JSONDiffArgs): Promise<number | null> {
  const { stringScorer = LevenshteinScorer, numberScorer = NumericDiff, preserveStrings } = args;
  const [plain, reference] = [plainOf(output), plainOf(expected)];
  const [one, other] = preserveStrings ? [plain, reference] : [parseNested(plain), parseNested(reference)];
  if (one == null || other == null) return Number(one == null && other == null);
  if (Array.isArray(one) && Array.isArray(other)) {
    const length = Math.max(one.length, other.length);
    const common = Array.from({ length: Math.min(one.length, other.length) }, (_, index) =>
      similarity(one[index], other[index], args),
    );
    return length === 0 ? 1 : total(await Promise.all(common)) / length;
  }
  if (isRecord(one) && isRecord(other)) {
    const keys = [...new Set([...Object.keys(one), ...Object.keys(other)])];
    if (!keys.length) return 1;
    const scores = await Promise.all(
      keys.map((key) => similarity(ownValue(one, key), ownValue(other, key), args)),
    );
    const found = scores.filter((score) => score !== null);
    return found.length ? total(found) / found.length : null;
  }
  if (typeof one === "number" && typeof other === "number")
    return (await numberScorer({ output: one, expected: other })).score;
  const isText = typeof one === "string" && typeof other === "string";
  const text = (value: unknown) => (isText ? (value as string) : JSON.stringify(value, withSortedKeys));
  return (await stringScorer({ output: text(one), expected: text(other) })).score;
}

/** The value of an instance of a class, such as a `Date`, in JSON; anything else unchanged. Its fields may say nothing of its value. */
function plainOf(value: unknown): unknown {
  if (!isRecord(value)) return value;
  const prototype = Object.getPrototypeOf(value);
  if (prototype === Object.prototype || prototype === null) return value;
  const json = JSON.stringify(value);
  return json === undefined ? undefined : JSON.parse(json);
}

/** Parses a text that is a JSON object or list. Returns anything else unchanged. */
function parseNested(value: unknown): unknown {
  const json = typeof value === "string" ? parseJson(value) : undefined;
  if (!isObject(json)) return value;
  toJson(json, "the JSON in a text");
  return json;
}

const total = (scores: readonly (number | null)[]): number =>
  scores.reduce<number>((sum, score) => sum + (score ?? 0), 0);

const withSortedKeys = (_: string, value: unknown): unknown =>
  isRecord(value)
    ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : Number(a > b))))
    : value;
