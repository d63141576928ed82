/** The intended differences of JSON match, and the rewritten cases for the reference. */
import type { Difference } from "./compare.ts";
import type { Case, Options, Row } from "./json-match.cases.ts";
import { bestPairings, compareWorth, greedyPairing, type Pair, worth } from "./json-match.pairing.ts";
import { openevals } from "./reference.ts";
import { asJson, isRecord, some } from "./values.ts";

/** A case for the reference: possibly with paired lists, possibly with single keys. */
export interface Question extends Case {
  /** Equally good optimal matchings; element i is paired with element i. */
  paired?: Pair[];
  eachKeyAlone?: boolean;
  /** Whether `all` is computed as "the average is 1". */
  allByAverage?: boolean;
}

const MARK = "\u0000"; // ends the names that the reference could not handle; sorts as if it were not there

export const differences: Difference<Question>[] = [
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
    // Equally good ones have the same scores, but may differ in the judge's comments.
    isListed: (input) => isRows(input) && (input.options.rubric !== undefined || !greedyIsBest(input)),
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

/** The matching of the elements; by default, the reference's greedy one. */
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

/** Where the reference divides zero by zero, and returns 0. */
function isAveraged({ options: { aggregator, listAggregator }, outputs }: Question): boolean {
  return Array.isArray(outputs)
    ? aggregator !== undefined && listAggregator === "average"
    : aggregator === "average";
}

/** Judged keys are compared, but do not influence the matching. */
function isEmpty({ options }: Question, pair: Pair): boolean {
  const { equal, unequal } = worth({ ...options, rubric: {} }, pair);
  return equal + unequal === 0;
}

/** The results, and the names in each request to the judge. */
export interface Answer {
  results: { key: string; score: unknown; comment?: string }[];
  asked: string[][];
}

/** The reference's results: one for each optimal matching. */
export async function reference(input: Question): Promise<Answer[]> {
  const options: Options = { ...input.options };
  if (input.allByAverage) options.listAggregator = "average";
  if (input.paired) options.listMatchMode = "ordered";
  const answers = (input.paired ?? [input]).map((pair) =>
    input.eachKeyAlone
      ? askEachKeyAlone(options, pair as Pair, input.verdicts)
      : ask(options, pair, input.verdicts),
  );
  const wholly = (result: Answer["results"][0]) => ({ ...result, score: Number(result.score === 1) });
  return (await Promise.all(answers)).map(({ results, asked }) => {
    return { results: input.allByAverage ? results.map(wholly) : results, asked };
  });
}

async function ask(
  options: Options,
  { outputs, referenceOutputs }: Pick<Case, "outputs" | "referenceOutputs">,
  verdicts = 0,
): Promise<Answer> {
  const asked: string[][] = [];
  const create = async (request: { response_format?: any }) => {
    const names = Object.keys(request.response_format.json_schema.schema.properties);
    asked.push(names);
    const content = JSON.stringify(verdictsOn(names, verdicts, options));
    return { choices: [{ message: { role: "assistant" as const, content } }] };
  };
  const judge = options.rubric && { judge: { chat: { completions: { create } } }, model: "stub" };
  const results = await openevals.createJsonMatchEvaluator({ ...options, ...judge })({
    outputs,
    referenceOutputs,
  });
  return {
    results: [results].flat().map((result) => ({ ...result, key: result.key.replace(MARK, "") })),
    asked,
  };
}

/** The judge's answers, to us and to the reference: some true, some false, determined by the names. */
export function verdictsOn(names: string[], verdicts: number, { useReasoning = true }: Options) {
  const score = (name: string) =>
    ([...name].reduce((sum, letter) => sum + letter.charCodeAt(0), verdicts) & 3) > 0;
  const verdict = (name: string) =>
    useReasoning ? { reasoning: `On ${name}.`, score: score(name) } : score(name);
  return Object.fromEntries(names.map((name) => [name, verdict(name)]));
}

async function askEachKeyAlone(options: Options, { outputs, referenceOutputs }: Pair, verdicts?: number) {
  const only = (key: string) => (row: Row) => (Object.hasOwn(row, key) ? { [key]: row[key] } : {});
  const names = new Set([...outputs, ...referenceOutputs].flatMap((row) => Object.keys(row)));
  const answers = [...names].sort().map((key) => {
    const pair = { outputs: outputs.map(only(key)), referenceOutputs: referenceOutputs.map(only(key)) };
    return ask(options, pair, verdicts);
  });
  const all = await Promise.all(answers);
  return { results: all.flatMap(({ results }) => results), asked: all.flatMap(({ asked }) => asked) };
}
