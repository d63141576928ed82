/** Checks a proposed prompt before it is tried. */

import type { DataRow } from "../evaluate/data/types.js";

/** The variables of a template in order: names in single braces, as the engine reads them. */
export function variablesOf(template: string): string[] {
  const marks = template.matchAll(/\{\{|\}\}|\{([^}]*)\}/g);
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
/** Shorter texts are too common to count as quotes. */
const SHORTEST = 5;

/** Texts that only held-out rows have. A proposal with several of them was memorized, for example from a public dataset. */
export class Quotes {
  readonly #heldOut: string[][];
  readonly #known: string;

  constructor(heldOut: readonly DataRow[], training: readonly DataRow[], prompt: string) {
    this.#heldOut = heldOut.map((row) => [...new Set(piecesOf(row))]);
    this.#known = [plain(prompt), ...training.flatMap(piecesOf)].join("\n");
  }

  areIn(proposed: string): boolean {
    const text = plain(proposed);
    const isQuoted = (piece: string) => text.includes(piece) && !this.#known.includes(piece);
    return this.#heldOut.filter((pieces) => pieces.some(isQuoted)).length > MAX_QUOTED;
  }
}

/** The sentences and lines of all strings of a row, at any depth. */
function piecesOf({ inputs, outputs, referenceOutputs, reference_outputs }: DataRow): string[] {
  const pieces: string[] = [];
  JSON.stringify([inputs, outputs, referenceOutputs, reference_outputs], (_, value) => {
    if (typeof value === "string") pieces.push(...value.split(/[.!?\n]+/).map(plain));
    return value;
  });
  return pieces.filter((piece) => piece.length >= SHORTEST);
}

const plain = (text: string): string => text.toLowerCase().replace(/\s+/g, " ").trim();
