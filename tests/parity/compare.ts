/**
 * Sends generated cases through our package and the published reference, and demands the same answer.
 *
 * Where we differ on purpose, the difference has a name and says which cases have it and how such a case has to be
 * rewritten so that the reference gives the answer that we give to the original. So even there the reference, not a
 * second implementation in the tests, says what is right.
 */
import { isDeepStrictEqual } from "node:util";
import fc from "fast-check";
import { OpenEvalsError } from "openevals-wasm";
import { expect } from "vitest";

/** `PARITY_SEED=… PARITY_RUNS=…` try other cases, or more of them. */
export const seed = Number(process.env.PARITY_SEED ?? 20_261_120);
export const runs = Number(process.env.PARITY_RUNS ?? 5_000);

export interface Difference<Case> {
  name: string;
  isListed(input: Case): boolean;
  /** The case that the reference is asked instead, or "refused" where ours raises an OpenEvalsError. */
  instead: "refused" | ((input: Case) => Case);
}

export interface Family<Case> {
  name: string;
  cases: fc.Arbitrary<Case>;
  ours(input: Case): Promise<unknown>;
  /** Our answers to many cases through `batch()`, which have to be those of single calls. */
  batch?(inputs: Case[]): Promise<unknown[]>;
  /** The answers that count as right: one, but where several matchings are equally good. */
  reference(input: Case): Promise<unknown[]>;
  differences: Difference<Case>[];
  /** What kind of answer it is, to count how often each occurs. */
  outcome(answer: unknown): string;
  /** Outcomes that have to occur often, each in at least a tenth of the cases. */
  often: string[];
  runs?: number;
}

const REFUSED = "refused";
const REFUSALS: string[] = ["invalid_input", "missing_variable", "invalid_config"];

/** Runs all cases of a family; prints what it saw, and on a failure the smallest case that fast-check finds. */
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

/** Runs a batch for each group of cases, such as those with the same options; the answers come in the order of cases. */
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

/** Which differences a case has, and the case that the reference is asked instead: none if ours has to refuse it. */
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

/** Our answer. Only an error about the data is a refusal: any other, like a TypeError from inside, is a bug. */
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

/** Key and score only: the reference has no comments, and carries `undefined` fields. */
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
