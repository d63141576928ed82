/** The text of `--help`. */

import { wrap } from "../../../core/terminal-text.js";
import { COMMANDS, type Command } from "../commands.js";
import { HOMEPAGE } from "../homepage.js";
import { entry, WIDTH } from "./columns.js";
import { optionName, type Table } from "./options.js";

export const EXIT_CODES =
  "Exit codes: 0 passed; 1 a threshold was missed, a key became worse, or scores are missing; 2 the arguments or the data are wrong, the run stopped early, such as by its budget, or the result could not be written; 129, 130 and 143 a hangup, Ctrl-C or SIGTERM stopped it.";

const GUIDE = `The guide is in docs/ of the package, and at ${HOMEPAGE}guide/`;

/** All commands, or one with its options. */
export function help(name: string | undefined): string {
  const lines = name === undefined ? overview() : commandHelp(COMMANDS[name] as Command);
  return `${[...lines, "", ...wrap(EXIT_CODES, WIDTH), "", ...wrap(GUIDE, WIDTH)].join("\n")}\n`;
}

function overview(): string[] {
  return [
    "Usage:",
    ...Object.values(COMMANDS).flatMap(usageOf),
    "",
    ...Object.entries(COMMANDS).flatMap(([name, { summary }]) => entry(name, summary)),
    "",
    ...entry("<command> --help", "prints the options of a command"),
    ...entry("--version", "prints the version"),
  ];
}

function commandHelp(command: Command): string[] {
  const { summary, details, options } = command;
  return [
    "Usage:",
    ...usageOf(command),
    "",
    ...wrap(`${summary.charAt(0).toUpperCase()}${summary.slice(1)}. ${details}`, WIDTH),
    "",
    ...Object.entries(options as Table).flatMap(([name, { value, help }]) =>
      entry(`--${optionName(name)}${value === undefined ? "" : ` ${value}`}`, help),
    ),
  ];
}

const usageOf = ({ usage }: Command): string[] => usage.map((line) => `  openevals-wasm ${line}`);
