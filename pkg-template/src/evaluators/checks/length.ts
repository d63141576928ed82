import { invalidConfig, invalidInput } from "../../core/errors.js";
import {
  aFunction,
  aString,
  checkOptions,
  type OptionChecks,
  oneOf,
  show,
  wholeFrom,
} from "../../core/input/checks.js";
import { counted, countedAre } from "../../core/input/counted.js";
import { callUserFunction } from "../../core/user-function.js";
import {
  type Check,
  type CheckedRow,
  type Finding,
  makeCheck,
  OUTPUT_CHECK_OPTIONS,
  type OutputCheckOptions,
  type Watch,
} from "./check.js";
import { textIn } from "./text.js";

/** The unit of {@link length}. */
export type LengthUnit = "characters" | "graphemes" | "words" | "sentences" | "lines" | "tokens";

/** The options of {@link length}. */
export interface LengthOptions extends OutputCheckOptions {
  /** The smallest count that passes; 0 by default. */
  min?: number | undefined;
  /** The largest count that passes; no limit by default. */
  max?: number | undefined;
  /**
   * The counted unit; `characters` (code points, as for `maxLength` in a JSON schema) by default. `graphemes` are
   * characters as readers see them, such as a flag or a letter with its accents. `Intl.Segmenter` finds these, `words`
   * and `sentences`, also in languages without spaces. `tokens` need `count`.
   */
  unit?: LengthUnit | undefined;
  /** Your own function that counts a text, for example in tokens: `count: (text) => encode(text).length`. */
  count?: ((text: string) => number | Promise<number>) | undefined;
  /** The language for words and sentences, such as `ja`; by default, that of the system. */
  locale?: string | undefined;
}

const UNITS: LengthUnit[] = ["characters", "graphemes", "words", "sentences", "lines", "tokens"];

const OPTIONS: OptionChecks<LengthOptions> = {
  ...OUTPUT_CHECK_OPTIONS,
  min: wholeFrom(0),
  max: wholeFrom(0),
  unit: oneOf(UNITS),
  count: aFunction,
  locale: aString,
};

/**
 * Makes a check of how long a text is.
 *
 * @returns A check with the key `length`. `metadata.count` is the length in the given unit.
 * @throws {@link OpenEvalsError} `invalid_config` for options that cannot work, such as a `unit` that this runtime
 * cannot count. The check throws `callback_failed` if `count` throws, and `invalid_input` if it does not return a
 * number.
 *
 * @example
 * ```ts
 * import { length } from "openevals-wasm/checks";
 *
 * const { score, comment } = await length({ max: 3, unit: "words" })({ outputs: "今日は雨です" });
 * console.log(score, comment); // false The text has 4 words, but at most 3 are allowed.
 * ```
 */
export function length(options: LengthOptions): Check {
  const read = checkOptions("length", options, OPTIONS);
  const { min = 0, max = Number.POSITIVE_INFINITY, count, output } = read;
  const { unit = count ? "tokens" : "characters" } = read;
  if (read.min === undefined && read.max === undefined) throw invalidConfig("length needs min or max");
  if (min > max) throw invalidConfig(`min is ${min}, and max is ${max}; min must not exceed max`);
  if (unit === "tokens" && !count)
    throw invalidConfig('unit "tokens" needs a function that counts them: pass count');
  const counter = count ? undefined : counterOf(unit, read.locale);
  const finding = (found: number): Finding => {
    const holds = found >= min && found <= max;
    const limit = found > max ? `at most ${countedAre(max)} allowed` : `at least ${countedAre(min)} required`;
    const comment = `The text has ${counted(found, unit.slice(0, -1))}${holds ? "" : `, but ${limit}`}`;
    return { holds, comment, metadata: { count: found } };
  };
  const find = async ({ outputs }: CheckedRow): Promise<Finding> => {
    const text = textIn(outputs, output);
    if (!count) return finding((counter as MakeCounter)().end(text));
    const found: unknown = await callUserFunction("count of length", () => count(text));
    if (typeof found === "number" && found >= 0) return finding(found);
    throw invalidInput(`count of length returned ${show(found)}; it has to return a number from 0`);
  };
  // A streaming text only gets longer, so it can exceed `max` early. A negated check can fail early only at `min`, if
  // there is no `max`.
  const watch = (isWanted: boolean): Watch | undefined => {
    if (!counter || (isWanted ? max : min) === Number.POSITIVE_INFINITY) return undefined;
    if (!isWanted && read.max !== undefined) return undefined;
    const { add, over } = counter();
    return (piece) => {
      const found = add(piece);
      const { comment } = finding(found);
      if (isWanted ? found <= max : found < min) return isWanted ? over(max) : 0;
      return comment.replace(/^The text has/, "The text has at least");
    };
  };
  return makeCheck({ name: "length", key: "length", find, watch }, read);
}

/** Counts units in a streaming text. */
interface Counter {
  /** Takes a piece; returns the count that is certain, whatever follows. */
  add(piece: string): number;
  /** How many characters at the end may still raise the count above `most`. */
  over(most: number): number;
  /** The count of a whole text. */
  end(text: string): number;
}

type MakeCounter = () => Counter;

function counterOf(unit: LengthUnit, locale: string | undefined): MakeCounter {
  if (unit === "characters") return characters;
  if (unit === "lines") return lines;
  const segmenter = segmenterOf(unit, locale);
  // The last segments may grow with the next piece.
  const open = unit === "graphemes" ? 1 : 2;
  return () => segments(segmenter, unit, open);
}

function characters(): Counter {
  const countOf = (text: string) => {
    let count = 0;
    for (const _ of text) count++;
    return count;
  };
  let count = 0;
  return {
    add: (piece) => {
      count += countOf(piece);
      return count;
    },
    over: () => 0,
    end: countOf,
  };
}

function lines(): Counter {
  let count = 0;
  let isOpen = false;
  const breaks = (text: string) => text.split("\n").length - 1;
  return {
    add: (piece) => {
      count += breaks(piece);
      if (piece) isOpen = !piece.endsWith("\n");
      return count + Number(isOpen);
    },
    over: () => 0,
    end: (text) => (text === "" ? 0 : breaks(text.replace(/\n$/, "")) + 1),
  };
}

function segments(segmenter: Intl.Segmenter, unit: LengthUnit, open: number): Counter {
  const isCounted = ({ segment, isWordLike }: Intl.SegmentData) =>
    unit === "words" ? isWordLike === true : unit !== "sentences" || segment.trim() !== "";
  const countOf = (text: string) => {
    let count = 0;
    for (const segment of segmenter.segment(text)) if (isCounted(segment)) count++;
    return count;
  };
  const cutOf = (text: string) =>
    (unit === "words" && lastBreak(text) + 1) || lastStart(segmenter.segment(text), open);
  let count = 0;
  let rest = "";
  let searchedLength = 0;
  return {
    add: (piece) => {
      rest += piece;
      // Do not search a long segment without an end again for each piece.
      if (rest.length < searchedLength * 1.5) return count;
      const cut = unit === "words" ? lastBreak(rest) + 1 : cutOf(rest);
      count += countAll(rest.slice(0, cut), countOf, cutOf);
      rest = rest.slice(cut);
      searchedLength = rest.length > WINDOW ? rest.length : 0;
      return count;
    },
    over: (most) => {
      const isBelow = count + rest.length <= most || (!searchedLength && count + countOf(rest) <= most);
      return isBelow ? 0 : rest.length;
    },
    end: (text) => countAll(text, countOf, cutOf),
  };
}

/** The size of the parts that are segmented: in some runtimes, each step takes longer the longer the text is. */
const WINDOW = 500;

function countAll(text: string, countOf: (text: string) => number, cutOf: (text: string) => number): number {
  let count = 0;
  let size = WINDOW;
  let at = 0;
  while (at + size < text.length) {
    const part = text.slice(at, at + size);
    const cut = cutOf(part);
    if (cut) {
      count += countOf(part.slice(0, cut));
      at += cut;
      size = WINDOW;
    } else size *= 2;
  }
  return count + countOf(text.slice(at));
}

/** Characters that end every word. */
const BREAKS = [" ", "\n", "\t", "\r", "\u3000", "\u3001", "\u3002", "\uff01", "\uff1f"];

const lastBreak = (text: string): number =>
  Math.max(...BREAKS.map((character) => text.lastIndexOf(character)));

/** The start of the last `open` segments, which the next piece may change. */
function lastStart(found: Iterable<Intl.SegmentData>, open: number): number {
  const starts: number[] = [];
  for (const { index } of found) {
    starts.push(index);
    if (starts.length > open) starts.shift();
  }
  return starts.length < open ? 0 : (starts[0] ?? 0);
}

function segmenterOf(unit: LengthUnit, locale: string | undefined): Intl.Segmenter {
  const granularity = unit.slice(0, -1) as "grapheme" | "word" | "sentence";
  if (typeof Intl === "undefined" || !Intl.Segmenter) {
    throw invalidConfig(`This runtime has no Intl.Segmenter, which finds ${unit}: pass count`);
  }
  try {
    return new Intl.Segmenter(locale, { granularity });
  } catch {
    throw invalidConfig(`locale is ${show(locale)}; it has to be a language, such as "ja"`);
  }
}
