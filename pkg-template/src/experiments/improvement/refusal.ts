/** Checks a proposed prompt before it is tried. */

import type { DataRow } from "../evaluate/data/types.js";

/** The variables of a judge's prompt in order: names in single braces, as the engine reads them. */
export function judgeVariables(prompt: string): string[] {
  const marks = prompt.matchAll(/\{\{|\}\}|\{([^}]*)\}/g);
  return [...new Set(Array.from(marks, ([, name]) => name).filter((name) => name !== undefined))];
}

/** The largest length of a proposal, in UTF-16 code units. */
export const longestFor = (prompt: string): number => prompt.length + 20_000;

/**
 * Why a proposal is refused; `undefined` if it is not.
 *
 * @param best The prompt that it is made from.
 * @param namesIn The variables of a prompt.
 */
export function refusalOf(
  proposed: string,
  best: string,
  quotes: Quotes,
  namesIn: (prompt: string) => string[],
): string | undefined {
  const most = longestFor(best);
  if (!proposed.trim()) return "It is empty.";
  if (proposed.length > most) return `It has ${proposed.length} characters; the limit is ${most}.`;
  if (proposed.trim() === best.trim()) return "It is the same as the prompt that it improves.";
  const [has, needs] = [namesIn(proposed), namesIn(best)];
  const missing = needs.filter((name) => !has.includes(name));
  if (missing.length) return `It has lost ${named(missing)}.`;
  const more = has.filter((name) => !needs.includes(name));
  if (more.length) return `It has the unknown variables ${named(more)}, or braces that are not doubled.`;
  if (quotes.areIn(proposed)) return "It quotes held-out rows, which the model was not shown.";
  return undefined;
}

const named = (variables: readonly string[]): string =>
  variables
    .map((name) => `{${name.slice(0, 100)}}`)
    .slice(0, 10)
    .join(", ");

/** A proposal may contain the text of this many held-out rows by chance. */
const MAX_QUOTED = 2;
/** Shorter sentences are too common to count as quotes. */
const SHORTEST = 5;
/** So many words in a row are a quote, even if they are only a part of a sentence. */
const RUN = 6;

/** Texts that only held-out rows have. A proposal with several of them was memorized, for example from a public dataset. */
export class Quotes {
  readonly #heldOut: string[][];
  readonly #known: string;

  constructor(heldOut: readonly DataRow[], training: readonly DataRow[], prompt: string) {
    this.#heldOut = heldOut.map(textsOf);
    this.#known = [prompt, ...training.flatMap(textsOf)].map(plain).join("\n");
  }

  areIn(proposed: string): boolean {
    const text = plain(proposed);
    const runs = new Set(runsOf(proposed));
    const isNew = (quote: string) => !this.#known.includes(quote);
    const isQuoted = (value: string) =>
      sentencesOf(value).some((sentence) => text.includes(sentence) && isNew(sentence)) ||
      runsOf(value).some((run) => runs.has(run) && isNew(run));
    return this.#heldOut.filter((texts) => texts.some(isQuoted)).length > MAX_QUOTED;
  }
}

/** All strings of a row, at any depth. */
function textsOf({ inputs, outputs, referenceOutputs, reference_outputs }: DataRow): string[] {
  const texts = new Set<string>();
  JSON.stringify([inputs, outputs, referenceOutputs, reference_outputs], (_, value) => {
    if (typeof value === "string") texts.add(value);
    return value;
  });
  return [...texts];
}

const sentencesOf = (text: string): string[] =>
  text
    .split(/[.!?。！？\n]+/)
    .map(plain)
    .filter((sentence) => sentence.trim().length >= SHORTEST);

function runsOf(text: string): string[] {
  const words = wordsOf(text);
  return words.slice(RUN - 1).map((_, start) => joined(words.slice(start, start + RUN)));
}

/** The words of a text, so that punctuation and markup hide no quote. */
const plain = (text: string): string => joined(wordsOf(text));
/** Spaces at both ends keep "row 1" from being found in "row 12". */
const joined = (words: readonly string[]): string => ` ${words.join(" ")} `;
/** Characters of scripts without spaces are words. */
const wordsOf = (text: string): string[] =>
  text.toLowerCase().match(/[\p{Ideographic}\p{sc=Hira}\p{sc=Kana}\p{sc=Thai}]|[\p{L}\p{M}\p{N}]+/gu) ?? [];
