/**
 * Runs generated cases through this package and the published reference, and requires the same result.
 *
 * Each intended difference has a name, a predicate for the cases that have it, and a rewrite of such a case
 * for which the reference gives our result. So even for differences, the reference decides, not a second
 * implementation in the tests.
 */
import { isDeepStrictEqual } from "node:util";
import fc from "fast-check";
import { OpenEvalsError } from "openevals-wasm";
import { expect } from "vitest";

/** `PARITY_SEED=… PARITY_RUNS=…` select other cases, or more of them. */
export const seed = Number(process.env.PARITY_SEED ?? 20_261_120);
export const runs = Number(process.env.PARITY_RUNS ?? 5_000);

export interface Difference<Case> {
  name: string;
  isListed(input: Case): boolean;
  /** The case for the reference, or "refused" if ours throws an OpenEvalsError. */
  instead: "refused" | ((input: Case) => Case);
}

export interface Family<Case> {
  name: string;
  cases: fc.Arbitrary<Case>;
  ours(input: Case): Promise<unknown>;
  /** Our results of many cases through `batch()`, which have to equal those of single calls. */
  batch?(inputs: Case[]): Promise<unknown[]>;
  /** The accepted results: several only if several matchings are equally good. */
  reference(input: Case): Promise<unknown[]>;
  differences: Difference<Case>[];
  /** The kind of result, for counting. */
  outcome(answer: unknown): string;
  /** The kinds of results that at least a tenth of the cases must have. */
  often: string[];
  runs?: number;
}

const REFUSED = "refused";
const REFUSALS: string[] = ["invalid_input", "missing_variable", "invalid_config"];

/** Runs all cases of a family. Prints the counts, and on a failure the minimal case of fast-check. */
export async function compare<Case>(family: Family<Case>): Promise<void> {
  const total = family.runs ?? runs;
  const outcomes = new Map<string, number>();
  const differing = new Map<string, number>();
  const scored: [Case, unknown][] = [];
  const property = fc.asyncProperty(family.cases, async (input) => {
    const got = await answer(() => family.ours(input));
    const theirs = await accepted(() => family.reference(input));
    const { listed, question } = rewritten(family.differences, input);
    const wanted =
      question === input ? theirs : question ? await accepted(() => family.reference(question)) : [REFUSED];
    if (!wanted.some((each) => isDeepStrictEqual(each, got))) {
      throw new Error(
        `ours ${show(got)}, wanted ${wanted.map(show).join(" or ")}; listed: ${listed.join(", ") || "-"}`,
      );
    }
    count(outcomes, got === REFUSED ? REFUSED : family.outcome(got));
    if (got !== REFUSED) scored.push([input, got]);
    if (!theirs.some((each) => isDeepStrictEqual(each, got))) {
      for (const name of listed) count(differing, name);
    }
  });
  await fc.assert(property, { seed, numRuns: total });
  if (family.batch) {
    const answers = await family.batch(scored.map(([input]) => input));
    expect(answers.map(plain)).toEqual(scored.map(([, got]) => got));
  }

  const tally = (counts: Map<string, number>) =>
    [...counts].map(([name, times]) => `${name} ${times}`).join(", ");
  const summary = `${family.name}: ${total} cases (seed ${seed}): ${tally(outcomes)}`;
  console.info(differing.size > 0 ? `${summary}\n  listed differences: ${tally(differing)}` : summary);

  for (const name of family.often) {
    expect(outcomes.get(name) ?? 0, `${family.name}: "${name}" hardly occurs`).toBeGreaterThan(total / 10);
  }
  for (const { name } of family.differences) {
    expect(differing.get(name) ?? 0, `${family.name}: "${name}" never occurs`).toBeGreaterThan(0);
  }
}

/**
 * Runs a batch for each group of cases, such as those with the same options. Results are in the order of the
 * cases.
 */
export async function inGroups<Case>(
  inputs: Case[],
  groupOf: (input: Case) => unknown,
  run: (group: Case[]) => Promise<unknown[]>,
): Promise<unknown[]> {
  const groups = new Map<string, number[]>();
  for (const [index, input] of inputs.entries()) {
    const name = JSON.stringify(groupOf(input));
    groups.set(name, [...(groups.get(name) ?? []), index]);
  }
  const answers: unknown[] = [];
  for (const indexes of groups.values()) {
    const results = await run(indexes.map((index) => inputs[index] as Case));
    for (const [position, index] of indexes.entries()) answers[index] = results[position];
  }
  return answers;
}

/** The differences that a case has, and the case for the reference; none if ours has to refuse it. */
function rewritten<Case>(
  differences: Difference<Case>[],
  input: Case,
): { listed: string[]; question?: Case } {
  const listed: string[] = [];
  let question = input;
  for (const { name, isListed, instead } of differences) {
    if (!isListed(question)) continue;
    listed.push(name);
    if (instead === REFUSED) return { listed };
    question = instead(question);
  }
  return { listed, question };
}

/**
 * Our result. Only an error about the data counts as a refusal: others, such as an internal TypeError, are
 * bugs.
 */
async function answer(call: () => Promise<unknown>): Promise<unknown> {
  try {
    return plain(await call());
  } catch (error) {
    if (error instanceof OpenEvalsError && REFUSALS.includes(error.code)) return REFUSED;
    throw error;
  }
}

async function accepted(call: () => Promise<unknown[]>): Promise<unknown[]> {
  try {
    return (await call()).map(plain);
  } catch {
    return [REFUSED];
  }
}

/** Key and score only: the reference has no comments, and has `undefined` fields. */
function plain(result: unknown): unknown {
  if (Array.isArray(result)) return result.map(plain);
  const { key, score } = result as { key: string; score: unknown };
  return { key, score: Object.is(score, -0) ? 0 : score };
}

function show(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}

function count(counts: Map<string, number>, name: string): void {
  counts.set(name, (counts.get(name) ?? 0) + 1);
}
