/** Cases of the JSON match test: generated options, with outputs and references that nearly agree. */
import fc from "fast-check";
import { keys, mutate, mutations } from "./values.ts";

export interface Options {
  aggregator?: "average" | "all";
  listAggregator?: "average" | "all";
  listMatchMode?: "same_elements" | "subset" | "superset" | "ordered";
  excludeKeys?: string[];
  rubric?: Record<string, string>;
  useReasoning?: boolean;
}
export type Row = Record<string, unknown>;
export interface Case {
  options: Options;
  outputs: unknown;
  referenceOutputs: unknown;
  /** Determines the judge's answers. */
  verdicts?: number;
}

/** Few values, so that equal ones are frequent, and keys in either order. */
const value = fc.oneof(
  {
    weight: 30,
    arbitrary: fc.constantFrom<unknown>(0, 1, "x", null, true, [1, 2], { k: 1, l: [2] }, { l: [2], k: 1 }),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom<unknown>(Number.NaN, undefined, new Date(0), new Date(1), { k: Number.NaN }),
  },
);
const name = fc.oneof(
  { weight: 40, arbitrary: fc.constantFrom("a", "b", "c", "a_1") },
  { weight: 20, arbitrary: keys },
  { weight: 1, arbitrary: fc.constantFrom("", "constructor", "toString", "__proto__") },
);
const row: fc.Arbitrary<Row> = fc
  .array(fc.tuple(name, value), { maxLength: 5 })
  .map((entries) => Object.fromEntries(entries));

const options: fc.Arbitrary<Options> = fc.record(
  {
    aggregator: fc.constantFrom("average", "all", undefined),
    listAggregator: fc.constantFrom("average", "all"),
    listMatchMode: fc.constantFrom("same_elements", "subset", "superset", "ordered"),
    excludeKeys: fc.array(fc.constantFrom("a", "b", "a_1", "missing"), { maxLength: 2 }),
  },
  { requiredKeys: [] },
);

const objects = fc
  .tuple(row, fc.oneof({ weight: 5, arbitrary: mutations }, fc.constant(undefined)), row)
  .map(([outputs, edits, stranger]) => ({
    outputs,
    referenceOutputs: edits ? mutate(outputs, edits) : stranger,
  }));

/**
 * Whether each `{}` certainly has a partner. The JavaScript package ignores an unmatched one, while Python's
 * counts it; so do we (tests/api/json-match.test.ts).
 */
const hasPartners = ({ outputs, referenceOutputs }: { outputs: object[]; referenceOutputs: object[] }) =>
  outputs.length === referenceOutputs.length ||
  [...outputs, ...referenceOutputs].every((one) => Object.keys(one).length > 0);

/** Lists whose elements nearly agree, in another order, with additional and missing ones. */
const rows = fc.array(row, { maxLength: 4 });
const lists = rows.chain((outputs) =>
  fc
    .record({
      order: fc.shuffledSubarray(outputs, { minLength: Math.max(0, outputs.length - 1) }),
      edits: fc.array(mutations, { minLength: outputs.length, maxLength: outputs.length }),
      extra: fc.oneof({ weight: 3, arbitrary: fc.constant([]) }, fc.array(row, { maxLength: 1 })),
    })
    .map(({ order, edits, extra }) => {
      const referenceOutputs = [...order.map((element, i) => mutate(element, edits[i] ?? [])), ...extra];
      return { outputs, referenceOutputs };
    })
    .filter(hasPartners),
);

const misshapen = fc.constantFrom<Omit<Case, "options">>(
  { outputs: [{ a: 1 }], referenceOutputs: { a: 1 } },
  { outputs: { a: 1 }, referenceOutputs: [{ a: 1 }] },
  { outputs: ["x"], referenceOutputs: ["x"] },
  { outputs: [{ a: 1 }, null], referenceOutputs: [{ a: 1 }] },
  { outputs: "x", referenceOutputs: "x" },
  { outputs: 1, referenceOutputs: { a: 1 } },
  { outputs: null, referenceOutputs: {} },
);

export const cases: fc.Arbitrary<Case> = fc
  .tuple(
    options,
    fc.oneof(
      { weight: 8, arbitrary: objects },
      { weight: 20, arbitrary: lists },
      { weight: 1, arbitrary: misshapen },
    ),
  )
  .map(([chosen, pair]) => ({ options: chosen, ...pair }));

/** The same, with keys that a judge compares. */
export const judgedCases: fc.Arbitrary<Case> = fc
  .record({
    plain: cases,
    keys: fc.uniqueArray(fc.constantFrom("a", "b", "c", "a_1"), { minLength: 2 }),
    useReasoning: fc.boolean(),
    verdicts: fc.nat(3),
  })
  .map(({ plain, keys: judged, useReasoning, verdicts }) => {
    const rubric = Object.fromEntries(judged.map((key) => [key, `Is ${key} alike?`]));
    return { ...plain, options: { ...plain.options, rubric, useReasoning }, verdicts };
  });
