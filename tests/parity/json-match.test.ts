import { createJsonMatchEvaluator } from "openevals-wasm";
import { test } from "vitest";
import { compare, type Difference, inGroups } from "./compare.ts";
import { type Case, cases, type Options, type Row } from "./json-match.cases.ts";
import { bestPairings, compareWorth, greedyPairing, type Pair, worth } from "./json-match.pairing.ts";
import { openevals } from "./reference.ts";
import { asJson, isRecord, some } from "./values.ts";

/** A case as the reference is asked: perhaps with its lists already paired, perhaps each key on its own. */
interface Question extends Case {
  /** Pairings that are all as good as can be; element i belongs to element i. */
  paired?: Pair[];
  eachKeyAlone?: boolean;
}

const MARK = "\u0000"; // ends the names that the reference could not handle; sorts as if it were not there

const differences: Difference<Question>[] = [
  {
    name: "only objects, or lists of objects, are compared",
    isListed: (input) => !(isRows(input) || (isRecord(input.outputs) && isRecord(input.referenceOutputs))),
    instead: "refused",
  },
  {
    name: "values are compared as JSON: NaN and undefined are null, a Date is its ISO string",
    isListed: (input) =>
      some([input.outputs, input.referenceOutputs], (node) => {
        return (
          node === undefined || node instanceof Date || (typeof node === "number" && !Number.isFinite(node))
        );
      }),
    instead: (input) => ({
      ...input,
      outputs: asJson(input.outputs),
      referenceOutputs: asJson(input.referenceOutputs),
    }),
  },
  {
    name: "keys that every object inherits are ordinary keys",
    isListed: (input) => rowsOf(input).some((row) => Object.keys(row).some((key) => key in Object.prototype)),
    instead: (input) => rename(input, (key) => (key in Object.prototype ? key + MARK : key)),
  },
  {
    name: 'the key "" in lists keeps its name',
    isListed: (input) => isRows(input) && rowsOf(input).some((row) => "" in row),
    instead: (input) => rename(input, (key) => (key === "" ? MARK : key)),
  },
  {
    name: "list elements are paired as well as can be, equal ones first (reference: greedily)",
    isListed: (input) => isRows(input) && !greedyIsBest(input),
    instead: (input) => ({
      ...input,
      paired: bestPairings(input.options, input.outputs as Row[], input.referenceOutputs as Row[]),
    }),
  },
  {
    name: "an element that lacks a key on both sides does not count for that key",
    isListed: (input) =>
      input.options.aggregator === undefined && isRows(input) && pairings(input).some(isSparse),
    instead: (input) => ({ ...input, paired: pairings(input), eachKeyAlone: true }),
  },
  {
    name: 'nothing to compare scores 1 with "average" as with "all"',
    isListed: (input) => isAveraged(input) && pairings(input).some((pair) => isEmpty(input, pair)),
    instead: (input) => ({
      ...input,
      paired: pairings(input).map((pair) => (isEmpty(input, pair) ? ONE_EQUAL_KEY : pair)),
    }),
  },
];
const ONE_EQUAL_KEY: Pair = { outputs: [{ equal: 1 }], referenceOutputs: [{ equal: 1 }] };

function isRows({ outputs, referenceOutputs }: Case): boolean {
  const rows = (value: unknown) => Array.isArray(value) && value.every(isRecord);
  return rows(outputs) && rows(referenceOutputs);
}

/** All rows of a case; an object is one row. */
function rowsOf({ outputs, referenceOutputs }: Case): Row[] {
  return [outputs, referenceOutputs].flat() as Row[];
}

function rename(input: Question, name: (key: string) => string): Question {
  const row = (value: unknown) =>
    Object.fromEntries(Object.entries(value as Row).map(([key, v]) => [name(key), v]));
  const renamed = (value: unknown) => (Array.isArray(value) ? value.map(row) : row(value));
  return { ...input, outputs: renamed(input.outputs), referenceOutputs: renamed(input.referenceOutputs) };
}

/** How the elements of a case are paired; the reference's own greedy way if nothing else was settled. */
function pairings({ paired, options, outputs, referenceOutputs }: Question): Pair[] {
  if (paired) return paired;
  if (isRecord(outputs)) return [{ outputs: [outputs], referenceOutputs: [referenceOutputs as Row] }];
  return [greedyPairing(options, outputs as Row[], referenceOutputs as Row[])];
}

function greedyIsBest({ options, outputs, referenceOutputs }: Question): boolean {
  const greedy = greedyPairing(options, outputs as Row[], referenceOutputs as Row[]);
  const [best] = bestPairings(options, outputs as Row[], referenceOutputs as Row[]);
  return compareWorth(worth(options, greedy), worth(options, best as Pair)) === 0;
}

function isSparse({ outputs, referenceOutputs }: Pair): boolean {
  const length = Math.max(outputs.length, referenceOutputs.length);
  const groups = Array.from(
    { length },
    (_, i) => new Set(Object.keys({ ...outputs[i], ...referenceOutputs[i] })),
  );
  return groups.some((group) => [...group].some((key) => groups.some((other) => !other.has(key))));
}

/** Where the reference divides zero by zero and takes 0. */
function isAveraged({ options: { aggregator, listAggregator }, outputs }: Question): boolean {
  return Array.isArray(outputs)
    ? aggregator !== undefined && listAggregator === "average"
    : aggregator === "average";
}

function isEmpty({ options }: Question, pair: Pair): boolean {
  const { equal, unequal } = worth(options, pair);
  return equal + unequal === 0;
}

/** The reference's answers: one for each pairing that is as good as can be. */
async function reference(input: Question): Promise<unknown[]> {
  if (!input.paired) return [await ask(input.options, input)];
  const options: Options = { ...input.options, listMatchMode: "ordered" };
  return Promise.all(
    input.paired.map((pair) => (input.eachKeyAlone ? askEachKeyAlone(options, pair) : ask(options, pair))),
  );
}

async function ask(options: Options, { outputs, referenceOutputs }: Omit<Case, "options">) {
  const results = await openevals.createJsonMatchEvaluator(options)({ outputs, referenceOutputs });
  return [results].flat().map((result) => ({ ...result, key: result.key.replace(MARK, "") }));
}

async function askEachKeyAlone(options: Options, { outputs, referenceOutputs }: Pair) {
  const only = (key: string) => (row: Row) => (Object.hasOwn(row, key) ? { [key]: row[key] } : {});
  const names = new Set([...outputs, ...referenceOutputs].flatMap((row) => Object.keys(row)));
  const answers = [...names].sort().map((key) => {
    return ask(options, {
      outputs: outputs.map(only(key)),
      referenceOutputs: referenceOutputs.map(only(key)),
    });
  });
  return (await Promise.all(answers)).flat();
}

test("json match agrees with the reference", async () => {
  await compare<Question>({
    name: "json match",
    cases,
    ours: async ({ options, outputs, referenceOutputs }) => {
      return createJsonMatchEvaluator(options)({ outputs, referenceOutputs });
    },
    batch: (inputs) =>
      inGroups(
        inputs,
        ({ options }) => options,
        async (group) => {
          return createJsonMatchEvaluator(group[0]?.options).batch(group);
        },
      ),
    reference,
    differences,
    outcome: (results) => {
      const scores = (results as { score: number }[]).map(({ score }) => score);
      if (scores.length === 0) return "no key";
      return scores.every((score) => score === 1)
        ? "all 1"
        : scores.every((score) => score === 0)
          ? "all 0"
          : "mixed";
    },
    often: ["all 1", "all 0", "mixed"],
  });
});
