/** Checks that search a text for others. */

import { invalidConfig } from "../../core/errors.js";
import {
  aFlag,
  checkOptions,
  isListOf,
  isRow,
  makerError,
  type OptionChecks,
  readable,
  show,
} from "../../core/input/checks.js";
import { fold } from "./case.js";
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
import { isSearched, SEARCHED, textIn, textsIn, textsOfReference } from "./text.js";

/** The options of {@link contains}, {@link containsAll}, {@link containsAny} and {@link startsWith}. */
export interface ContainsOptions extends OutputCheckOptions {
  /** Whether case is ignored; `false` by default. */
  ignoreCase?: boolean | undefined;
}

const OPTIONS: OptionChecks<ContainsOptions> = { ...OUTPUT_CHECK_OPTIONS, ignoreCase: aFlag };

/** Whether all of the texts or one of them has to occur. */
type Wanted = "all" | "any";

/**
 * Makes a check that a text contains another text.
 *
 * @param text The text to find. By default, the text of the reference outputs; if they have several, all of them.
 * @returns A check with the key `contains`.
 * @throws {@link OpenEvalsError} `invalid_config` for options that cannot work. The check throws `invalid_input` if the
 * outputs or the text to find are missing or the text to find is empty.
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
 * Makes a check that a text contains all texts of a list.
 *
 * @param texts The texts to find; by default, those of the reference outputs.
 * @returns A check with the key `contains_all`. The comment names the missing texts.
 * @throws {@link OpenEvalsError} The same errors as {@link contains}.
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
 * Makes a check that a text contains at least one text of a list.
 *
 * @param texts The texts to find; by default, those of the reference outputs.
 * @returns A check with the key `contains_any`.
 * @throws {@link OpenEvalsError} The same errors as {@link contains}.
 *
 * @example
 * ```ts
 * import { containsAny } from "openevals-wasm/checks";
 *
 * const namesNoRival = containsAny(["Acme", "Initech"], { negate: true });
 * const { key, comment } = await namesNoRival({ outputs: "Try Initech." });
 * console.log(key, comment); // not_contains_any The text contains "Initech".
 * ```
 */
export function containsAny(texts?: readonly string[], options: ContainsOptions = {}): Check {
  return containing("containsAny", "contains_any", listOfTexts("containsAny", texts), "any", options);
}

/**
 * Makes a check that a text starts with another text.
 *
 * @param text The expected start. By default, the text of the reference outputs; if they have several, one of them.
 * @returns A check with the key `starts_with`.
 * @throws {@link OpenEvalsError} The same errors as {@link contains}.
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
    const actual = textIn(row.outputs, output);
    const found = texts.find((expected) => folded(actual).startsWith(folded(expected)));
    return found === undefined
      ? { holds: false, comment: describeWrongStart(actual, texts) }
      : { holds: true, comment: describeStart(found) };
  };
  const watch = (isWanted: boolean): Watch => {
    const wanted = folded(text as string);
    let start = "";
    return (piece) => {
      if (start.length < wanted.length) start += ignoreCase ? fold(piece) : piece;
      if (start.startsWith(wanted)) return isWanted ? 0 : describeStart(text as string);
      // Undecided: hold back everything.
      if (wanted.startsWith(start)) return Number.POSITIVE_INFINITY;
      return isWanted ? describeWrongStart(start, [text as string]) : 0;
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
    const searched = texts ?? textsOfReference(name, row);
    const actual = textsIn(row.outputs, output).map(folded);
    return finding(
      searched,
      searched.map(folded).map((text) => actual.some((found) => found.includes(text))),
      wanted,
    );
  };
  // Only the negated check can be decided early: a missing text may still follow.
  const watch = (isWanted: boolean): Watch | undefined => {
    if (isWanted || !texts) return undefined;
    const searched = texts.map(folded);
    const found = searched.map(() => false);
    const longest = Math.max(0, ...searched.map(({ length }) => length));
    let end = "";
    return (piece) => {
      const text = end + (ignoreCase ? fold(piece) : piece);
      searched.forEach((wantedText, index) => {
        found[index] ||= text.includes(wantedText);
      });
      end = text.slice(text.length - Math.min(text.length, longest));
      const { holds, comment } = finding(texts, found, wanted);
      if (holds) return comment;
      // Folding never shortens a text, so this holds back enough.
      return Math.max(
        0,
        ...searched.map((wantedText, index) => (found[index] ? 0 : begunLength(text, wantedText))),
      );
    };
  };
  return makeCheck({ name, key, find, watch }, read);
}

/** How many characters at the end of a text may be the beginning of another one. */
function begunLength(text: string, other: string): number {
  let length = Math.min(text.length, other.length - 1);
  while (length > 0 && !text.endsWith(other.slice(0, length))) length--;
  return length;
}

function finding(texts: readonly string[], isThere: readonly boolean[], wanted: Wanted): Finding {
  const found = texts.filter((_, index) => isThere[index]);
  const missing = texts.filter((_, index) => !isThere[index]);
  const holds = wanted === "all" ? missing.length === 0 : found.length > 0;
  const comment = holds
    ? `The text contains ${listed(found, "and")}`
    : `The text does not contain ${listed(missing, "or")}`;
  return { holds, comment };
}

const describeStart = (text: string): string => `The text starts with ${quoted(text)}`;

function describeWrongStart(actual: string, texts: readonly string[]): string {
  const longest = Math.max(...texts.map(({ length }) => length));
  const start = actual ? `starts with ${quoted(actual.slice(0, longest))}` : "is empty";
  return `The text ${start}, not with ${listed(texts, "or")}`;
}

function aText(name: string, text: unknown): void {
  if (isRow(text)) throw makerError(name);
  if (!isSearched(text))
    throw invalidConfig(`The text that ${name} looks for is ${show(text)}; it has to be ${SEARCHED}`);
}

function listOfTexts(name: string, texts: readonly string[] | undefined): readonly string[] | undefined {
  if (texts === undefined) return undefined;
  if (isRow(texts)) throw makerError(name);
  const isList = readable(name, () => isListOf(texts, isSearched));
  if (isList && texts.length) return Array.from(texts);
  throw invalidConfig(
    `The texts that ${name} looks for are ${show(texts)}; they have to be a list of strings that are not empty`,
  );
}
