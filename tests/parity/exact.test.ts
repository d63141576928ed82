import fc from "fast-check";
import { exactMatch } from "openevals-wasm";
import { test } from "vitest";
import { compare, type Difference } from "./compare.ts";
import { openevals } from "./reference.ts";
import { isRecord, keys, leaves, mutate, mutations, oddLeaves, rewrite, some, values } from "./values.ts";

interface Case {
  outputs: unknown;
  referenceOutputs: unknown;
}

const names = fc.oneof(
  { weight: 12, arbitrary: keys },
  { weight: 6, arbitrary: fc.constantFrom("\u00e9", "e\u0301") },
  fc.constantFrom("__proto__", "constructor", "toString", "", "\u0000"),
);
/** Values without a JSON form, which would be dropped, or become an empty object. */
const unsupported: unknown[] = [
  new Map(),
  new Set([1]),
  Promise.resolve(),
  /x/,
  new Error("x"),
  () => 1,
  Symbol("s"),
  1n,
];
const writesItself = fc.constantFrom(new URL("https://example.com/a"), new URL("https://example.com/b"));
const ends = fc.oneof(
  { weight: 30, arbitrary: leaves },
  { weight: 20, arbitrary: oddLeaves },
  { weight: 1, arbitrary: fc.constantFrom(...unsupported) },
  { weight: 1, arbitrary: writesItself },
);
const cases: fc.Arbitrary<Case> = fc
  .tuple(values(ends, names), mutations)
  .map(([outputs, steps]) => ({ outputs, referenceOutputs: mutate(outputs, steps) }));

const either = (test: (node: unknown) => boolean) => (input: Case) =>
  some(input.outputs, test) || some(input.referenceOutputs, test);
const both = (change: (value: unknown) => unknown) => (input: Case) => ({
  outputs: change(input.outputs),
  referenceOutputs: change(input.referenceOutputs),
});

const differences: Difference<Case>[] = [
  {
    name: "a side that is missing is refused (reference: null is refused, undefined is compared as null)",
    isListed: ({ outputs, referenceOutputs }) => outputs === undefined || referenceOutputs === undefined,
    instead: "refused",
  },
  {
    name: "what is no JSON value is refused (reference: dropped, or an empty object)",
    isListed: either((node) => unsupported.includes(node)),
    instead: "refused",
  },
  {
    name: "a Date, or whatever else has toJSON(), is what that returns (reference: its own fields)",
    isListed: either((node) => node instanceof Date || node instanceof URL),
    instead: both((value) =>
      rewrite(value, (end) => (end instanceof Date || end instanceof URL ? end.toJSON() : end)),
    ),
  },
  {
    name: "keys that collate equal are different keys (reference: their order can matter)",
    isListed: either(
      (node) =>
        isRecord(node) && Object.keys(node).some((a) => Object.keys(node).some((b) => collateEqual(a, b))),
    ),
    instead: both(sortKeys),
  },
];

function collateEqual(a: string, b: string): boolean {
  return a !== b && a.localeCompare(b) === 0;
}

/** A fixed order of keys, so that the reference's stable sort keeps keys that collate equally. */
function sortKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortKeys);
  if (!isRecord(value)) return value;
  const sorted = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(sorted.map(([key, inner]) => [key, sortKeys(inner)]));
}

test("exact match agrees with the reference", async () => {
  await compare({
    name: "exact match",
    cases,
    ours: (input) => exactMatch(input),
    batch: (inputs) => exactMatch.batch(inputs),
    reference: async (input) => [await openevals.exactMatch(input)],
    differences,
    outcome: (result) => String((result as { score: boolean }).score),
    often: ["true", "false"],
  });
});
