/** Prompts: those of the package, and what variables one has. */

import * as exported from "openevals-wasm/prompts";

/** The prompts of the package, by their names. */
export const PROMPTS: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(exported)
    .filter((entry): entry is [string, string] => typeof entry[1] === "string")
    .sort(([a], [b]) => a.localeCompare(b, "en")),
);

export interface Variable {
  name: string;
  /** Its block vanishes without it. */
  isOptional: boolean;
}

/** The variables of a prompt, in their order. */
export function variablesOf(prompt: string): Variable[] {
  const bare = prompt.replaceAll(/\{\{|\}\}/g, "  ");
  const optional = new Set(
    Array.from(prompt.matchAll(/<([\w-]+) optional>([\s\S]*?)<\/\1>/g)).flatMap(([, , inside = ""]) =>
      namesIn(inside),
    ),
  );
  return namesIn(bare).map((name) => ({ name, isOptional: optional.has(name) }));
}

const namesIn = (text: string): string[] => [
  ...new Set(Array.from(text.matchAll(/\{(\w+)\}/g), ([, name = ""]) => name)),
];

/** What the evaluator calls a variable. */
export const paramOf = (variable: string): string =>
  variable === "reference_outputs" ? "referenceOutputs" : variable;
