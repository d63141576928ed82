/** Tokens that a function of the caller's finds. */

import { callbackFailed, OpenEvalsError } from "../../core/errors.js";
import { isListOf, show } from "../../core/input/checks.js";

/** Finds the tokens of a text. */
export type Tokenizer = (text: string) => readonly string[];

/** More tokens of a text would take long to be read. */
const MOST_TOKENS = 10_000_000;

/**
 * Texts in which a number stands in the place of each token, with spaces between them: to the engine, these are words like
 * others. Equal tokens have the same number in all of them.
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
  let tokens: readonly string[];
  try {
    tokens = tokenizer(text);
  } catch (error) {
    throw callbackFailed("tokenizer", error);
  }
  // A promise is no list, and nobody waits for it: what it rejects with must not end the process.
  new Promise((resolve) => resolve(tokens)).catch(() => {});
  if (Array.isArray(tokens) && tokens.length > MOST_TOKENS) {
    const [count, most] = [tokens.length, MOST_TOKENS].map((number) => number.toLocaleString("en"));
    throw new OpenEvalsError(
      "invalid_input",
      `The tokenizer returned ${count} tokens; the limit is ${most}.`,
    );
  }
  if (isListOf(tokens, (token) => typeof token === "string")) return tokens;
  throw new OpenEvalsError(
    "invalid_input",
    `The tokenizer returned ${show(tokens)}; it has to return a list of strings.`,
  );
}
