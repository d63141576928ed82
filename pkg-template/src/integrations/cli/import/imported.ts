/** The result of an importer, and helpers to write source code. */

import { basename } from "node:path";

/** An experiment that was read from a file of another tool. */
export interface Imported {
  /** The rows of the data file. */
  rows: readonly object[];
  /** The source code of the experiment, which reads the data file of this name beside it. */
  code(dataFile: string): string;
}

/** The input of an importer. */
export interface ImportSource {
  /** The path of the file in messages. */
  path: string;
  /** Its content: a document of JSON or YAML, or a list of rows. */
  content: unknown;
  /** Collects the parts that cannot be imported, or not exactly. */
  findings: Findings;
}

/** The most places in a line. */
const MAX_PLACES = 5;

/** The skipped parts of a file, and those that work differently. */
export class Findings {
  readonly #skipped = new Map<string, Set<string>>();
  readonly #different = new Map<string, Set<string>>();

  /** Records a part that is skipped. The reason says what to do instead. */
  skip(place: string, reason: string): void {
    add(this.#skipped, reason, place);
  }

  /** Records a part that is imported and works differently. */
  differ(place: string, how: string): void {
    add(this.#different, how, place);
  }

  get skipped(): string[] {
    return linesOf(this.#skipped);
  }

  get different(): string[] {
    return linesOf(this.#different);
  }
}

function add(findings: Map<string, Set<string>>, text: string, place: string): void {
  const places = findings.get(text);
  if (places) places.add(place);
  else findings.set(text, new Set([place]));
}

const linesOf = (findings: ReadonlyMap<string, ReadonlySet<string>>): string[] =>
  Array.from(findings, ([text, places]) => {
    const more = places.size - MAX_PLACES;
    return `${[...places].slice(0, MAX_PLACES).join(", ")}${more > 0 ? ` and ${more} more` : ""}: ${text}`;
  });

/** A value as source code. A plain `__proto__` key would set the prototype. */
export const code = (value: unknown): string =>
  JSON.stringify(value, null, 2)
    .replaceAll("\u2028", "\\u2028")
    .replaceAll("\u2029", "\\u2029")
    .replaceAll(/^( *)"__proto__":/gm, '$1["__proto__"]:');

/** The name of a file for a comment, without line breaks, which would end it, and other control characters. */
export const fileName = (path: string): string => basename(path).replaceAll(/[\p{Cc}\u2028\u2029]/gu, " ");

/** The import statements for names by module. */
export const importsOf = (modules: Readonly<Record<string, Iterable<string>>>): string =>
  Object.entries(modules)
    .map(([module, names]) => [module, [...new Set(names)].sort()] as const)
    .filter(([, names]) => names.length)
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([module, names]) => `import { ${names.join(", ")} } from ${JSON.stringify(module)};\n`)
    .join("");
