/** Matchings of list elements: the reference's greedy one, and the optimal ones by exhaustive search. */
import { isDeepStrictEqual } from "node:util";
import type { Options, Row } from "./json-match.cases.ts";
import { asJson } from "./values.ts";

/** Replaces a missing partner; the reference sees an element without keys. */
const NOBODY: Row = Object.freeze({});

/** Lists in which element i is paired with element i. */
export interface Pair {
  outputs: Row[];
  referenceOutputs: Row[];
}
/** For each element of the leading list, the index of its partner in the other list. */
type Partners = (number | undefined)[];

/** The quality of a matching: its equal and unequal keys, and its pairs of equal elements. */
export interface Worth {
  equal: number;
  unequal: number;
  perfect: number;
}

/** Keys that do not influence the matching. */
const ignored = ({ excludeKeys = [], rubric = {} }: Options) => [...excludeKeys, ...Object.keys(rubric)];

export function worth(options: Options, { outputs, referenceOutputs }: Pair): Worth {
  const total: Worth = { equal: 0, unequal: 0, perfect: 0 };
  for (let i = 0; i < Math.max(outputs.length, referenceOutputs.length); i++) {
    const [output, reference] = [outputs[i] ?? NOBODY, referenceOutputs[i] ?? NOBODY];
    const keys = new Set([...Object.keys(output), ...Object.keys(reference)]);
    for (const key of ignored(options)) keys.delete(key);
    const equal = [...keys].filter((key) => isEqualKey(output, reference, key)).length;
    total.equal += equal;
    total.unequal += keys.size - equal;
    total.perfect += Number(output !== NOBODY && reference !== NOBODY && equal === keys.size);
  }
  return total;
}

/**
 * Positive if `a` is better: by more equal keys, then fewer unequal keys, then more pairs of equal elements.
 */
export function compareWorth(a: Worth, b: Worth): number {
  return a.equal - b.equal || b.unequal - a.unequal || a.perfect - b.perfect;
}

/** Each element of the leading list takes the first of the elements with the most equal keys. */
export function greedyPairing(options: Options, outputs: Row[], referenceOutputs: Row[]): Pair {
  if (options.listMatchMode === "ordered") return { outputs, referenceOutputs };
  const [leading, others] = sides(options, outputs, referenceOutputs);
  const free = new Set(others.keys());
  const partners = leading.map((element) => {
    const shared = [...free].map((index) => sharedKeys(options, element, others[index] as Row));
    const chosen = [...free][shared.indexOf(Math.max(...shared))];
    if (chosen !== undefined) free.delete(chosen);
    return chosen;
  });
  return pair(options, leading, others, partners);
}

/** All optimal matchings. */
export function bestPairings(options: Options, outputs: Row[], referenceOutputs: Row[]): Pair[] {
  if (options.listMatchMode === "ordered") return [{ outputs, referenceOutputs }];
  const [leading, others] = sides(options, outputs, referenceOutputs);
  const missing = Math.max(0, leading.length - others.length);
  const choices: Partners = [...others.keys(), ...Array<undefined>(missing).fill(undefined)];
  let best: Pair[] = [];
  let record: Worth = { equal: -1, unequal: 0, perfect: 0 };
  for (const partners of arrangements(choices, leading.length)) {
    const candidate = pair(options, leading, others, partners);
    const value = worth(options, candidate);
    const gain = compareWorth(value, record);
    if (gain > 0) [best, record] = [[], value];
    if (gain >= 0) best.push(candidate);
  }
  return best;
}

/** All permutations of `length` items. */
export function arrangements<T>(items: T[], length = items.length): T[][] {
  if (length === 0) return [[]];
  return items.flatMap((first, i) =>
    arrangements(items.toSpliced(i, 1), length - 1).map((rest) => [first, ...rest]),
  );
}

/** Puts the list that leads the matching first: the outputs, but in "superset" mode the reference. */
function sides({ listMatchMode }: Options, outputs: Row[], referenceOutputs: Row[]): [Row[], Row[]] {
  return listMatchMode === "superset" ? [referenceOutputs, outputs] : [outputs, referenceOutputs];
}

/** Aligns the partners. Unmatched elements count only if both lists must have the same elements. */
function pair(
  { listMatchMode = "same_elements" }: Options,
  leading: Row[],
  others: Row[],
  partners: Partners,
): Pair {
  const beside = partners.map((index) => (index === undefined ? NOBODY : (others[index] as Row)));
  const left = others.filter((_, index) => !partners.includes(index));
  if (listMatchMode === "superset") return { outputs: beside, referenceOutputs: leading };
  return { outputs: leading, referenceOutputs: listMatchMode === "subset" ? beside : [...beside, ...left] };
}

function sharedKeys(options: Options, a: Row, b: Row): number {
  const without = ignored(options);
  return Object.keys(a).filter((key) => !without.includes(key) && isEqualKey(a, b, key)).length;
}

function isEqualKey(a: Row, b: Row, key: string): boolean {
  return Object.hasOwn(a, key) && Object.hasOwn(b, key) && isDeepStrictEqual(asJson(a[key]), asJson(b[key]));
}
