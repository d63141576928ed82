/** Finds pairs of rows with different inputs: rows are paired by id, by default their position, and the data may have changed. */

import { show } from "../input/checks.js";
import { counted } from "../input/counted.js";
import { whole } from "../input/counts.js";
import { same } from "../input/same.js";
import type { Example, Experiment } from "./types.js";

/** The same example in two experiments. */
export type ExamplePair = readonly [earlier: Example, later: Example];

/** Pairs of rows with different inputs. */
export interface DifferentInputs {
  /** The number of these pairs, the first of them, and what to do. */
  note: string;
  /** Whether most pairs are wrong: more than half of the inputs differ. */
  isMismatch: boolean;
}

/** The pairs of two experiments with different inputs, if there are any. Rows without inputs are not compared. */
export function differentInputs(
  before: Pick<Experiment, "rows">,
  after: Pick<Experiment, "rows">,
): DifferentInputs | undefined {
  const examples = examplesOf(before);
  return differentPairs(
    [...examplesOf(after).values()].flatMap((example): ExamplePair[] => {
      const earlier = examples.get(example.id);
      return earlier ? [[earlier, example]] : [];
    }),
  );
}

/** The pairs with different inputs, if there are any. */
export function differentPairs(pairs: readonly ExamplePair[]): DifferentInputs | undefined {
  const withInputs = pairs.filter((pair) => pair.every(({ inputs }) => inputs !== undefined));
  const different = withInputs.filter(([earlier, { inputs }]) => !areEqual(earlier.inputs, inputs));
  const compared = withInputs.length;
  const [first] = different;
  if (!first) return undefined;
  const [one, other] = first.map(({ inputs }) => short(inputs));
  return {
    note:
      `${whole(different.length)} of ${counted(compared, "paired row")} ${different.length === 1 ? "has" : "have"} different inputs, ` +
      `such as row ${first[0].id}: ${one} and ${other}. Rows are paired by id, which is their position by default. ` +
      "Give each row an id that stays with its inputs.",
    isMismatch: different.length * 2 > compared,
  };
}

const examplesOf = ({ rows }: Pick<Experiment, "rows">): Map<string, Example> =>
  new Map(rows.map(({ example }) => [example.id, example]));

/** Recorded inputs are JSON. The text decides where values are too deep or too large. */
const areEqual = (one: unknown, other: unknown): boolean =>
  same(one, other) === true || JSON.stringify(one) === JSON.stringify(other);

const LONGEST = 60;

function short(value: unknown): string {
  const shown = show(value);
  return shown.length > LONGEST ? `${shown.slice(0, LONGEST)}…` : shown;
}
