/** Tokens from the caller's tokenizer. */

import { invalidInput } from "../../core/errors.js";
import { isListOf, show } from "../../core/input/checks.js";
import { whole } from "../../core/input/counts.js";
import { callAtOnce } from "../../core/user-function.js";

/** Splits a text into tokens. */
export type Tokenizer = (text: string) => readonly string[];

/** Texts with more tokens would take too long. */
const MAX_TOKENS = 10_000_000;

/**
 * Makes a function that replaces each token of a text by a number, with spaces in between, so that the engine can treat
 * tokens as words. Equal tokens get the same number in all texts.
 */
export function tokenTexts(tokenizer: Tokenizer): (text: string) => string {
  const numbers = new Map<string, number>();
  const numberOf = (token: string) => {
    const number = numbers.get(token) ?? numbers.size;
    numbers.set(token, number);
    return number;
  };
  return (text) => tokensOf(tokenizer, text).map(numberOf).join(" ");
}

function tokensOf(tokenizer: Tokenizer, text: string): readonly string[] {
  const tokens = callAtOnce("tokenizer", () => tokenizer(text));
  if (Array.isArray(tokens) && tokens.length > MAX_TOKENS) {
    const [count, most] = [tokens.length, MAX_TOKENS].map(whole);
    throw invalidInput(`The tokenizer returned ${count} tokens; the limit is ${most}`);
  }
  if (isListOf(tokens, (token) => typeof token === "string")) return tokens;
  throw invalidInput(`The tokenizer returned ${show(tokens)}; it has to return a list of strings`);
}
