import { invalidConfig, invalidInput, reasonOf } from "../../core/errors.js";
import { type Checks, check, checkOptions, isMaker, isRow, readable, show } from "../../core/input/checks.js";
import { Pattern } from "../pattern/pattern.js";
import {
  type Check,
  type CheckedRow,
  makeCheck,
  OUTPUT_CHECK_OPTIONS,
  type OutputCheckOptions,
  type Watch,
} from "./check.js";
import { quoted } from "./comment-text.js";
import { textIn } from "./text.js";

/** The options of {@link matches}. */
export interface MatchesOptions extends OutputCheckOptions {
  /** The flags of a pattern that is a text: `i`, `m`, `s` or `u`. */
  flags?: string | undefined;
}

const OPTIONS: Checks<MatchesOptions> = {
  ...OUTPUT_CHECK_OPTIONS,
  flags: check('flags such as "i"', (flags) => typeof flags === "string" && /^[dgimsuvy]*$/.test(flags)),
};

/** How much of a text a comment shows, in characters. */
const SHOWN = 80;

/**
 * Makes a check that a text has a match of a pattern in it.
 *
 * Patterns are those of JavaScript, and are matched in linear time, so that no pattern and no text makes a check go on without
 * end. Characters are code points, as with the flag `u`. The flags `i`, `m` and `s` count; `g`, `y` and `d` do not.
 *
 * @param pattern A `RegExp`, or its text. Use `^` and `$` for a pattern of the whole text.
 * @returns A check with the key `matches`.
 * @throws {@link OpenEvalsError} `invalid_config` for what is no pattern, and for what cannot be matched in linear time: a
 * pattern that looks behind, or refers back to a group; or one with the flag `v`. The check throws `invalid_input` where a
 * pattern looks ahead (`(?=…)`) so often, or branches so much, that matching would take more than a few seconds.
 *
 * @example
 * ```ts
 * import { matches } from "openevals-wasm/checks";
 *
 * const isDate = matches(/^\d{4}-\d{2}-\d{2}$/);
 * const { score, comment } = await isDate({ outputs: "tomorrow" });
 * console.log(score, comment); // false The text "tomorrow" does not match /^\d{4}-\d{2}-\d{2}$/.
 * ```
 */
export function matches(pattern: RegExp | string, options: MatchesOptions = {}): Check {
  const read = checkOptions("matches", options, OPTIONS);
  const isExpression = readable(
    "matches",
    () => Object.prototype.toString.call(pattern) === "[object RegExp]",
  );
  if (isRow(pattern)) throw isMaker("matches");
  if (!isExpression && typeof pattern !== "string") {
    throw invalidConfig(
      `The pattern of matches is ${show(pattern)}; it has to be a RegExp, or the text of one`,
    );
  }
  const { source, flags } = isExpression
    ? (pattern as RegExp)
    : { source: pattern as string, flags: read.flags ?? "" };
  if (isExpression && read.flags !== undefined) {
    throw invalidConfig("matches has flags twice: those of the RegExp are enough");
  }
  const shown = `/${source}/${flags}`.slice(0, 300);
  const compiled = patternOf(source, flags, shown);
  const says = (text: string, holds: boolean) => {
    const start = text.length > SHOWN ? "The text" : `The text ${quoted(text)}`;
    return `${start} ${holds ? "matches" : "does not match"} ${shown}`;
  };
  const find = ({ outputs }: CheckedRow) => {
    const text = textIn(outputs, read.output);
    const holds = bounded(() => compiled.test(text), shown);
    return { holds, says: says(text, holds) };
  };
  const watch = (isWanted: boolean): Watch => {
    const reading = compiled.read();
    let start = "";
    return (piece) => {
      if (start.length <= SHOWN) start += piece;
      const known = bounded(() => reading.add(piece), shown);
      if (known === !isWanted) return says(start, known);
      if (known === isWanted) return 0;
      // What is wanted is only there when all of it is.
      return isWanted ? undefined : reading.begun;
    };
  };
  return makeCheck(
    { name: "matches", key: "matches", find, watch: compiled.canWatch ? watch : undefined },
    read,
  );
}

function patternOf(source: string, flags: string, shown: string): Pattern {
  try {
    if (flags.includes("v")) throw new Error("the flag v is not supported");
    return new Pattern(source, flags.replace(/[^ims]/g, ""));
  } catch (error) {
    // Runtimes repeat the pattern.
    const reason = reasonOf(error).slice(0, 300);
    throw invalidConfig(`The pattern ${shown} of matches cannot be used: ${reason}`);
  }
}

function bounded<T>(match: () => T, shown: string): T {
  try {
    return match();
  } catch (error) {
    throw invalidInput(`The pattern ${shown} cannot be looked for in this text: ${reasonOf(error)}`);
  }
}
