/** The text of `--help` as data, with the schemas of results. */

import { COMMANDS, type Command } from "../commands.js";
import { resultSchema } from "../output/result-schemas.js";
import { EXIT_CODES } from "./help.js";
import { optionName, type Table } from "./options.js";

/** All commands, or one with its options. */
export const helpJson = (only: string | undefined) => ({
  commands: Object.entries(COMMANDS)
    .filter(([name]) => only === undefined || name === only)
    .map(([name, { usage, summary, details, options }]: [string, Command]) => ({
      ...{ name, usage, about: `${summary}. ${details}` },
      options: Object.entries(options as Table).map(([option, { value, help }]) => ({
        name: `--${optionName(option)}`,
        ...(value !== undefined && { value }),
        help,
      })),
      // mcp has no --json: its results have the form of the protocol.
      ...("json" in options && { result: resultSchema(name) }),
    })),
  exitCodes: EXIT_CODES,
  result: resultSchema(),
});
