/** Why a prompt that was proposed is not tried. */

import type { LabelledRow } from "../calibration/options.js";

/** The variables of a template, in its order: what stands in single braces, as the engine reads it. */
export function variablesOf(template: string): string[] {
  const marks = template.matchAll(/\{\{|\}\}|\{([^}]*)\}/g);
  return [...new Set(Array.from(marks, ([, name]) => name).filter((name) => name !== undefined))];
}

/** How long the proposals for a prompt may be. */
export const longestFor = (prompt: string): number => prompt.length + 20_000;

/** Why a proposal is refused; `undefined` if it is not. */
export function refusalOf(proposed: string, best: string, quotes: Quotes): string | undefined {
  const most = longestFor(best);
  if (!proposed.trim()) return "It is empty.";
  if (proposed.length > most) return `It has ${proposed.length} characters, and may have ${most}.`;
  if (proposed.trim() === best.trim()) return "It is the prompt that there is.";
  const [has, needs] = [variablesOf(proposed), variablesOf(best)];
  const missing = needs.filter((name) => !has.includes(name));
  if (missing.length) return `It has lost ${named(missing)}.`;
  const more = has.filter((name) => !needs.includes(name));
  if (more.length)
    return `It has ${named(more)}, for which rows have nothing; other braces have to be doubled.`;
  if (quotes.areIn(proposed)) return "It quotes rows that are held out, which the model was not shown.";
  return undefined;
}

const named = (variables: readonly string[]): string =>
  variables
    .map((name) => `{${name.slice(0, 100)}}`)
    .slice(0, 10)
    .join(", ");

/** So many rows that are held out may be quoted by chance. */
const MOST_QUOTED = 2;
/** Shorter texts stand anywhere. */
const SHORTEST = 5;

/** What stands in the rows that are held out and nowhere else: a model that knows it all the same has not found a rule. */
export class Quotes {
  readonly #heldOut: string[][];
  readonly #known: string;

  constructor(heldOut: readonly LabelledRow[], finding: readonly LabelledRow[], prompt: string) {
    this.#heldOut = heldOut.map((row) => [...new Set(piecesOf(row))]);
    this.#known = [plain(prompt), ...finding.flatMap(piecesOf)].join("\n");
  }

  areIn(proposed: string): boolean {
    const text = plain(proposed);
    const isQuoted = (piece: string) => text.includes(piece) && !this.#known.includes(piece);
    return this.#heldOut.filter((pieces) => pieces.some(isQuoted)).length > MOST_QUOTED;
  }
}

/** The sentences and lines of all texts of a row, however deep they stand. */
function piecesOf({ inputs, outputs, referenceOutputs, reference_outputs }: LabelledRow): string[] {
  const pieces: string[] = [];
  JSON.stringify([inputs, outputs, referenceOutputs, reference_outputs], (_, value) => {
    if (typeof value === "string") pieces.push(...value.split(/[.!?\n]+/).map(plain));
    return value;
  });
  return pieces.filter((piece) => piece.length >= SHORTEST);
}

const plain = (text: string): string => text.toLowerCase().replace(/\s+/g, " ").trim();
