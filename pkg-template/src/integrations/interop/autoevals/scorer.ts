/** Makes the scorers of this entry point. */

import { invalidInput, typed } from "../../../core/errors.js";
import { toJson } from "../../../core/input/json/json.js";
import { isObject } from "../../../core/input/objects.js";
import { named } from "../../../core/tracing/hook.js";
import type { Score } from "../scorers.js";

/** The arguments of a scorer. */
export type ScorerArgs<Output, Extra> = { output: Output; expected?: Output } & Extra;

/** A scorer. */
export type Scorer<Output, Extra> = (args: ScorerArgs<Output, Extra>) => Score | Promise<Score>;

/** A scorer of this entry point. All of them are asynchronous. */
export interface ScorerWithPartial<Output, Extra> {
  (args: ScorerArgs<Output, Extra>): Promise<Score>;
  /** The same scorer with some of its arguments set. */
  partial<Name extends keyof Extra>(
    args: Pick<Extra, Name>,
  ): (args: ScorerArgs<Output, Omit<Extra, Name> & Partial<Pick<Extra, Name>>>) => Promise<Score>;
}

/** Makes a scorer from a function that returns the score, or the score with metadata. */
export function makeScorer<Output, Extra>(
  name: string,
  score: (args: ScorerArgs<Output, Extra>) => Promise<Omit<Score, "name">>,
): ScorerWithPartial<Output, Extra> {
  const scorer = async (args: ScorerArgs<Output, Extra>): Promise<Score> => {
    if (typeof args !== "object" || args === null)
      throw invalidInput(`${name} needs an object of arguments. Call it with { output, expected }`);
    try {
      return { name, ...(await score(args)) };
    } catch (thrown) {
      throw typed(name, thrown);
    }
  };
  const partial = (set: object) => named(name, (args: any) => scorer({ ...set, ...args }));
  return Object.assign(named(name, scorer), { partial });
}

/** The `expected` argument of a scorer that requires it. */
export function expectedIn<Output>(name: string, { expected }: { expected?: Output | undefined }): Output {
  if (expected !== undefined) return expected;
  throw invalidInput(`${name} compares with an expected value, and got none. Pass \`expected\``);
}

/**
 * Rejects arguments without the values to compare, since two missing ones would be equal, and values that JSON cannot represent, such
 * as a `Map`, or that are nested too deeply.
 *
 * @throws {@link OpenEvalsError} `invalid_input`
 */
export function checkCompared(
  name: string,
  { output, expected }: { output: unknown; expected?: unknown },
): void {
  if (output === undefined && expected === undefined)
    throw invalidInput(`${name} compares \`output\` with \`expected\`, and got neither`);
  for (const [path, value] of Object.entries({ output, expected })) if (isObject(value)) toJson(value, path);
}
