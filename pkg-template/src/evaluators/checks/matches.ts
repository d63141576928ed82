import { invalidConfig, invalidInput, reasonOf } from "../../core/errors.js";
import {
  check,
  checkOptions,
  isRow,
  makerError,
  type OptionChecks,
  readable,
  show,
} from "../../core/input/checks.js";
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
import { textsIn } from "./text.js";

/** The options of {@link matches}. */
export interface MatchesOptions extends OutputCheckOptions {
  /** The flags of a pattern given as a string: `i`, `m`, `s` or `u`. */
  flags?: string | undefined;
}

const OPTIONS: OptionChecks<MatchesOptions> = {
  ...OUTPUT_CHECK_OPTIONS,
  flags: check('flags such as "i"', (flags) => typeof flags === "string" && /^[dgimsuvy]*$/.test(flags)),
};

/** How many characters of a text a comment shows. */
const SHOWN = 80;

/**
 * Makes a check that a text matches a regular expression.
 *
 * The syntax is JavaScript's. Matching takes linear time, so no pattern can block the process. Characters are
 * code points, as with the flag `u`. The flags `i`, `m` and `s` have an effect; `g`, `y` and `d` have none.
 *
 * @param pattern A `RegExp`, or its source. Use `^` and `$` to match the whole text.
 * @returns A check with the key `matches`.
 * @throws {@link OpenEvalsError} `invalid_config` for an invalid pattern, and for features that cannot be matched in
 * linear time: lookbehind, backreferences and the flag `v`. The check throws `invalid_input` if a pattern has so many
 * lookaheads (`(?=…)`) or alternatives that matching would take more than a few seconds.
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
  const [source, flags] = readable("matches", (): [RegExp | string, string] =>
    Object.prototype.toString.call(pattern) === "[object RegExp]"
      ? [`${(pattern as RegExp).source}`, `${(pattern as RegExp).flags}`]
      : [pattern, read.flags ?? ""],
  );
  if (isRow(pattern)) throw makerError("matches");
  if (typeof source !== "string") {
    throw invalidConfig(`The pattern of matches is ${show(pattern)}; pass a RegExp or its source`);
  }
  if (source !== pattern && read.flags !== undefined) {
    throw invalidConfig("Set the flags of matches in the RegExp");
  }
  const shown = `/${source}/${flags}`.slice(0, 300);
  const compiled = patternOf(source, flags, shown);
  const commentOn = (text: string, holds: boolean) => {
    const start = text.length > SHOWN ? "The text" : `The text ${quoted(text)}`;
    return `${start} ${holds ? "matches" : "does not match"} ${shown}`;
  };
  const find = ({ outputs }: CheckedRow) => {
    const texts = textsIn(outputs, read.output);
    const found = bounded(() => texts.find((text) => compiled.test(text)), shown);
    const holds = found !== undefined;
    return { holds, comment: commentOn(found ?? texts.join("\n"), holds) };
  };
  const watch = (isWanted: boolean): Watch => {
    const reading = compiled.read();
    let start = "";
    return (piece) => {
      if (start.length <= SHOWN) start += piece;
      const verdict = bounded(() => reading.add(piece), shown);
      if (verdict === !isWanted) return commentOn(start, verdict);
      if (verdict === isWanted) return 0;
      // A wanted match may begin anywhere, so no text is released before the match is complete.
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
    // Some runtimes repeat the whole pattern in the message.
    const reason = reasonOf(error).slice(0, 300);
    throw invalidConfig(`The pattern ${shown} of matches cannot be used: ${reason}`);
  }
}

function bounded<T>(match: () => T, shown: string): T {
  try {
    return match();
  } catch (error) {
    throw invalidInput(`The pattern ${shown} cannot be matched against this text: ${reasonOf(error)}`);
  }
}
