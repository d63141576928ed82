/** How Node reads arguments. What is wrong with them is said elsewhere: Node says it in its own way. */

import { parseArgs } from "node:util";
import { type Table, written } from "./options.js";

/** The options of tables, as Node reads them. */
export const parsingOf = (tables: readonly Table[]): Record<string, Parsing> =>
  Object.fromEntries(
    tables.flatMap((table) =>
      Object.entries(table).map(([name, { value, isMany = false }]) => [
        written(name),
        value === undefined ? { type: "boolean" } : { type: "string", multiple: isMany },
      ]),
    ),
  );

export interface Parsing {
  type: "string" | "boolean";
  short?: string;
  multiple?: boolean;
}

/** Reads arguments, whatever they are. */
export const parse = (args: string[], options: Record<string, Parsing>) =>
  parseArgs({ args, options, allowPositionals: true, strict: false, tokens: true });

/** The options of a call, but one, as they may be passed on to another process. */
export const optionsOnly = (args: string[], table: Table, without: string): string[] =>
  parse(args, parsingOf([table])).tokens.flatMap(({ kind, name, value }) => {
    if (kind !== "option" || name === without) return [];
    return [value === undefined ? `--${name}` : `--${name}=${value}`];
  });
