/** Checks for texts within a text. */

import { invalidConfig } from "../../core/errors.js";
import {
  aFlag,
  type Checks,
  checkOptions,
  isListOf,
  isMaker,
  isRow,
  readable,
  show,
} from "../../core/input/checks.js";
import { fold, WholeCharacters } from "./case.js";
import {
  type Check,
  type CheckedRow,
  type Finding,
  makeCheck,
  OUTPUT_CHECK_OPTIONS,
  type OutputCheckOptions,
  type Watch,
} from "./check.js";
import { listed, quoted } from "./comment-text.js";
import { textIn, textsOfReference } from "./text.js";

/** The options of {@link contains} and the like. */
export interface ContainsOptions extends OutputCheckOptions {
  /** Whether case does not count; `false` by default. */
  ignoreCase?: boolean | undefined;
}

const OPTIONS: Checks<ContainsOptions> = { ...OUTPUT_CHECK_OPTIONS, ignoreCase: aFlag };

/** How many of the texts have to be there. */
type Wanted = "all" | "any";

/**
 * Makes a check that a text contains another one.
 *
 * @param text What it has to contain. By default that is the text of the reference outputs; of several, all.
 * @returns A check with the key `contains`.
 * @throws {@link OpenEvalsError} `invalid_config` for options that cannot work. The check throws `invalid_input` where there
 * is nothing to look in, or to look for.
 *
 * @example
 * ```ts
 * import { contains } from "openevals-wasm/checks";
 *
 * const { score, comment } = await contains("42")({ outputs: "The answer is 41." });
 * console.log(score, comment); // false The text does not contain "42".
 * ```
 */
export function contains(text?: string, options: ContainsOptions = {}): Check {
  if (text !== undefined) aText("contains", text);
  return containing("contains", "contains", text === undefined ? undefined : [text], "all", options);
}

/**
 * Makes a check that a text contains all of some texts.
 *
 * @param texts What it has to contain; by default the texts of the reference outputs.
 * @returns A check with the key `contains_all`; its comment names those that are missing.
 * @throws {@link OpenEvalsError} as {@link contains} does.
 *
 * @example
 * ```ts
 * import { containsAll } from "openevals-wasm/checks";
 *
 * const cites = containsAll(["Sources:", "https://"], { ignoreCase: true });
 * const { comment } = await cites({ outputs: "SOURCES: none" });
 * console.log(comment); // The text does not contain "https://".
 * ```
 */
export function containsAll(texts?: readonly string[], options: ContainsOptions = {}): Check {
  return containing("containsAll", "contains_all", listOfTexts("containsAll", texts), "all", options);
}

/**
 * Makes a check that a text contains one of some texts.
 *
 * @param texts What it may contain; by default the texts of the reference outputs.
 * @returns A check with the key `contains_any`.
 * @throws {@link OpenEvalsError} as {@link contains} does.
 *
 * @example
 * ```ts
 * import { containsAny } from "openevals-wasm/checks";
 *
 * const namesNobody = containsAny(["Acme", "Initech"], { negate: true });
 * const { key, comment } = await namesNobody({ outputs: "Try Initech." });
 * console.log(key, comment); // not_contains_any The text contains "Initech".
 * ```
 */
export function containsAny(texts?: readonly string[], options: ContainsOptions = {}): Check {
  return containing("containsAny", "contains_any", listOfTexts("containsAny", texts), "any", options);
}

/**
 * Makes a check that a text starts with another one.
 *
 * @param text What it has to start with. By default that is the text of the reference outputs; of several, one.
 * @returns A check with the key `starts_with`.
 * @throws {@link OpenEvalsError} as {@link contains} does.
 *
 * @example
 * ```ts
 * import { startsWith } from "openevals-wasm/checks";
 *
 * const { score, comment } = await startsWith("{")({ outputs: "Sure! { }" });
 * console.log(score, comment); // false The text starts with "S", not with "{".
 * ```
 */
export function startsWith(text?: string, options: ContainsOptions = {}): Check {
  if (text !== undefined) aText("startsWith", text);
  const read = checkOptions("startsWith", options, OPTIONS);
  const { ignoreCase = false, output } = read;
  const folded = (value: string) => (ignoreCase ? fold(value) : value);
  const find = (row: CheckedRow) => {
    const texts = text === undefined ? textsOfReference("startsWith", row) : [text];
    const own = textIn(row.outputs, output);
    const found = texts.find((one) => folded(own).startsWith(folded(one)));
    return found === undefined
      ? { holds: false, says: startsOtherwise(own, texts) }
      : { holds: true, says: startsWithIt(found) };
  };
  const watch = (isWanted: boolean): Watch => {
    const wanted = folded(text as string);
    const whole = new WholeCharacters();
    let start = "";
    return (piece) => {
      if (start.length < wanted.length) start += ignoreCase ? fold(whole.take(piece)) : piece;
      if (start.startsWith(wanted)) return isWanted ? 0 : startsWithIt(text as string);
      // Nothing leaves before it is decided.
      if (wanted.startsWith(start)) return Number.POSITIVE_INFINITY;
      return isWanted ? startsOtherwise(start, [text as string]) : 0;
    };
  };
  return makeCheck(
    { name: "startsWith", key: "starts_with", find, watch: text === undefined ? undefined : watch },
    read,
  );
}

function containing(
  name: string,
  key: string,
  texts: readonly string[] | undefined,
  wanted: Wanted,
  options: ContainsOptions,
): Check {
  const read = checkOptions(name, options, OPTIONS);
  const { ignoreCase = false, output } = read;
  const folded = (value: string) => (ignoreCase ? fold(value) : value);
  const find = (row: CheckedRow) => {
    const looked = texts ?? textsOfReference(name, row);
    const own = folded(textIn(row.outputs, output));
    return finding(
      looked,
      looked.map((text) => own.includes(folded(text))),
      wanted,
    );
  };
  // What is not there yet may come.
  const watch = (isWanted: boolean): Watch | undefined => {
    if (isWanted || !texts) return undefined;
    const looked = texts.map(folded);
    const found = looked.map(() => false);
    const longest = Math.max(0, ...looked.map(({ length }) => length));
    const whole = new WholeCharacters();
    let end = "";
    return (piece) => {
      const text = end + (ignoreCase ? fold(whole.take(piece)) : piece);
      looked.forEach((one, index) => {
        found[index] ||= text.includes(one);
      });
      end = text.slice(text.length - Math.min(text.length, longest));
      const { holds, says } = finding(texts, found, wanted);
      if (holds) return says;
      // Folded, a text is no shorter than it was.
      const begun = Math.max(0, ...looked.map((one, index) => (found[index] ? 0 : begunAt(text, one))));
      return begun + whole.half.length;
    };
  };
  return makeCheck({ name, key, find, watch }, read);
}

/** How many characters at the end of a text are the beginning of another one. */
function begunAt(text: string, other: string): number {
  let length = Math.min(text.length, other.length - 1);
  while (length > 0 && !text.endsWith(other.slice(0, length))) length--;
  return length;
}

function finding(texts: readonly string[], isThere: readonly boolean[], wanted: Wanted): Finding {
  const found = texts.filter((_, index) => isThere[index]);
  const missing = texts.filter((_, index) => !isThere[index]);
  const holds = wanted === "all" ? missing.length === 0 : found.length > 0;
  const says = holds
    ? `The text contains ${listed(found, "and")}`
    : `The text does not contain ${listed(missing, "or")}`;
  return { holds, says };
}

const startsWithIt = (text: string): string => `The text starts with ${quoted(text)}`;

function startsOtherwise(own: string, texts: readonly string[]): string {
  const longest = Math.max(...texts.map(({ length }) => length));
  const start = own ? `starts with ${quoted(own.slice(0, longest))}` : "is empty";
  return `The text ${start}, not with ${listed(texts, "or")}`;
}

function aText(name: string, text: unknown): void {
  if (isRow(text)) throw isMaker(name);
  if (typeof text !== "string")
    throw invalidConfig(`What ${name} looks for is ${show(text)}; it has to be a string`);
}

function listOfTexts(name: string, texts: readonly string[] | undefined): readonly string[] | undefined {
  if (texts === undefined) return undefined;
  if (isRow(texts)) throw isMaker(name);
  const isList = readable(name, () => isListOf(texts, (text) => typeof text === "string"));
  if (isList && texts.length) return Array.from(texts);
  throw invalidConfig(`What ${name} looks for is ${show(texts)}; it has to be a list of strings`);
}
