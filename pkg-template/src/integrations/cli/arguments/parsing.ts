/** Splits arguments with Node's parser in lenient mode. `arguments.ts` checks them, with our own messages. */

import { parseArgs } from "node:util";
import { optionName, type Table } from "./options.js";

/** The options of tables in the form that `parseArgs` of Node takes. */
export const parsingOf = (tables: readonly Table[]): Record<string, Parsing> =>
  Object.fromEntries(
    tables.flatMap((table) =>
      Object.entries(table).map(([name, { value, isMany = false }]) => [
        optionName(name),
        value === undefined ? { type: "boolean" } : { type: "string", multiple: isMany },
      ]),
    ),
  );

export interface Parsing {
  type: "string" | "boolean";
  short?: string;
  multiple?: boolean;
}

/** Splits arguments into options and positionals. */
export const parse = (args: string[], options: Record<string, Parsing>) =>
  parseArgs({ args, options, allowPositionals: true, strict: false, tokens: true });

/** The options of a call, except for those in `without`, as arguments for another process. */
export const optionsOnly = (args: string[], table: Table, without: readonly string[]): string[] =>
  parse(args, parsingOf([table])).tokens.flatMap((token) => {
    if (token.kind !== "option" || without.includes(token.name)) return [];
    const { name, value } = token;
    return [value === undefined ? `--${name}` : `--${name}=${value}`];
  });
