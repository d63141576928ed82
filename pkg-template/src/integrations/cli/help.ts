/** What the program says of itself. */

import { COMMANDS, type Command } from "./commands.js";
import { type Table, written } from "./options.js";

/** How long lines are at most. */
const WIDTH = 116;
/** Where the second column begins. */
const COLUMN = 26;

const EXIT_CODES =
  "Exit codes: 0 fine; 1 a threshold was missed, a key became worse, or scores are missing; 2 the call or the data is wrong, it was stopped early (a budget was used up, Ctrl-C), or the result could not be written.";

/** All commands, or one with its options. */
export function help(name: string | undefined): string {
  const lines = name === undefined ? overview() : partOf(COMMANDS[name] as Command);
  return `${[...lines, "", ...wrapped(EXIT_CODES, WIDTH)].join("\n")}\n`;
}

function overview(): string[] {
  return [
    "Usage:",
    ...Object.values(COMMANDS).flatMap(usageOf),
    "",
    ...Object.entries(COMMANDS).flatMap(([name, { summary }]) => entry(name, summary)),
    "",
    ...entry("<command> --help", "says which options it has"),
    ...entry("--version", "says which version this is"),
  ];
}

function partOf(command: Command): string[] {
  const { summary, about, options } = command;
  return [
    "Usage:",
    ...usageOf(command),
    "",
    ...wrapped(`It ${summary}. ${about}`, WIDTH),
    "",
    ...Object.entries(options as Table).flatMap(([name, { value, help }]) =>
      entry(`--${written(name)}${value === undefined ? "" : ` ${value}`}`, help),
    ),
  ];
}

const usageOf = ({ usage }: Command): string[] => usage.map((line) => `  openevals-wasm ${line}`);

/** A name and what is said of it, beside it or, if it is long, below. */
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
