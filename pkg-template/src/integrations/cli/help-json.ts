/** The text of `--help` as data, with the schemas of results. */

import { COMMANDS, type Command } from "./commands.js";
import { EXIT_CODES } from "./help.js";
import { type Table, written } from "./options.js";
import { resultSchema } from "./result-schemas.js";

/** All commands, or one with its options. */
export const helpJson = (only: string | undefined) => ({
  commands: Object.entries(COMMANDS)
    .filter(([name]) => only === undefined || name === only)
    .map(([name, { usage, summary, about, options }]: [string, Command]) => ({
      ...{ name, usage, about: `${summary}. ${about}` },
      options: Object.entries(options as Table).map(([option, { value, help }]) => ({
        name: `--${written(option)}`,
        ...(value !== undefined && { value }),
        help,
      })),
      // The server has the protocol's own form of results.
      ...("json" in options && { result: resultSchema(name) }),
    })),
  exitCodes: EXIT_CODES,
  result: resultSchema(),
});
