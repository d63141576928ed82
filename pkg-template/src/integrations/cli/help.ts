/** The text of `--help`. */

import { COMMANDS, type Command } from "./commands.js";
import { HOMEPAGE } from "./homepage.js";
import { type Table, written } from "./options.js";

/** The longest line, in characters. */
const WIDTH = 116;
/** Where the second column begins, in characters. */
const COLUMN = 26;

const EXIT_CODES =
  "Exit codes: 0 passed; 1 a threshold was missed, a key became worse, or scores are missing; 2 the arguments or the data are wrong, the run stopped early (budget used up, Ctrl-C), or the result could not be written.";

const GUIDE = `The guide is in docs/ of the package, and at ${HOMEPAGE}guide/`;

/** All commands, or one with its options. */
export function help(name: string | undefined): string {
  const lines = name === undefined ? overview() : partOf(COMMANDS[name] as Command);
  return `${[...lines, "", ...wrapped(EXIT_CODES, WIDTH), "", GUIDE].join("\n")}\n`;
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

function partOf(command: Command): string[] {
  const { summary, about, options } = command;
  return [
    "Usage:",
    ...usageOf(command),
    "",
    ...wrapped(`${summary.charAt(0).toUpperCase()}${summary.slice(1)}. ${about}`, WIDTH),
    "",
    ...Object.entries(options as Table).flatMap(([name, { value, help }]) =>
      entry(`--${written(name)}${value === undefined ? "" : ` ${value}`}`, help),
    ),
  ];
}

const usageOf = ({ usage }: Command): string[] => usage.map((line) => `  openevals-wasm ${line}`);

/** A name with its description: beside it, or below if the name is long. */
function entry(name: string, said: string): string[] {
  const [first = "", ...rest] = wrapped(said, WIDTH - COLUMN).map((line) => " ".repeat(COLUMN) + line);
  const start = `  ${name}`;
  return start.length < COLUMN ? [start + first.slice(start.length), ...rest] : [start, first, ...rest];
}

function wrapped(text: string, width: number): string[] {
  const lines: string[] = [];
  for (const word of text.split(/\s+/)) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + 1 + word.length <= width)
      lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines;
}
