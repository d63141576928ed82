/** What an importer returns. */

import { basename } from "node:path";

/** An experiment that was read from a file of another tool. */
export interface Imported {
  /** The rows of the data file. */
  rows: readonly object[];
  /** The text of the experiment's file; gets the name of the data file beside it. */
  code(dataFile: string): string;
}

/** The files of a tool, and what is noticed while they are read. */
export interface ImportSource {
  /** The path of the file in messages. */
  path: string;
  /** Its content: a document of JSON or YAML, or a list of rows. */
  content: unknown;
  findings: Findings;
}

/** The most places that a line lists. */
const MAX_PLACES = 5;

/** The parts that were not imported, and those that work differently. */
export class Findings {
  readonly #left = new Map<string, Set<string>>();
  readonly #different = new Map<string, Set<string>>();

  /** Something is not taken, for a reason that says what to do. */
  leave(place: string, reason: string): void {
    add(this.#left, reason, place);
  }

  /** Something is taken and works differently. */
  differ(place: string, how: string): void {
    add(this.#different, how, place);
  }

  get left(): string[] {
    return listed(this.#left);
  }

  get different(): string[] {
    return listed(this.#different);
  }
}

function add(findings: Map<string, Set<string>>, what: string, place: string): void {
  const places = findings.get(what);
  if (places) places.add(place);
  else findings.set(what, new Set([place]));
}

const listed = (findings: ReadonlyMap<string, ReadonlySet<string>>): string[] =>
  Array.from(findings, ([what, places]) => {
    const more = places.size - MAX_PLACES;
    return `${[...places].slice(0, MAX_PLACES).join(", ")}${more > 0 ? ` and ${more} more` : ""}: ${what}`;
  });

/** A value as source code. In a literal, the name `__proto__` would set the prototype. */
export const code = (value: unknown): string =>
  JSON.stringify(value, null, 2)
    .replaceAll("\u2028", "\\u2028")
    .replaceAll("\u2029", "\\u2029")
    .replaceAll(/^( *)"__proto__":/gm, '$1["__proto__"]:');

/** The name of a file in a comment, in which line breaks would end it. */
export const fileName = (path: string): string => basename(path).replaceAll(/[\r\n\u2028\u2029]/g, " ");

/** The import statements of a file, from names by module. */
export const importsOf = (modules: Readonly<Record<string, Iterable<string>>>): string =>
  Object.entries(modules)
    .map(([module, names]) => [module, [...new Set(names)].sort()] as const)
    .filter(([, names]) => names.length)
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([module, names]) => `import { ${names.join(", ")} } from ${JSON.stringify(module)};\n`)
    .join("");
