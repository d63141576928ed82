/** Reads the arguments of the program. */

import { didYouMean, nearest } from "../../../core/input/near.js";
import { setCommand, usageError } from "../cli-error.js";
import { COMMANDS, type Command } from "../commands.js";
import { addToJson } from "../output/json-result.js";
import { optionName, type Table } from "./options.js";
import { type Parsing, parse, parsingOf } from "./parsing.js";

/** The request that the arguments make. */
export type CommandCall =
  | { kind: "version" }
  | { kind: "help"; command: string | undefined }
  | { kind: "command"; command: Command; files: string[]; options: Record<string, unknown> };

/** The options of all commands. */
const ALL: Record<string, Parsing> = {
  ...parsingOf(Object.values(COMMANDS).map(({ options }) => options)),
  help: { type: "boolean", short: "h" },
  version: { type: "boolean", short: "v" },
};

/** Reads the arguments; throws {@link usageError} if they are not valid. */
export function readArguments(args: string[]): CommandCall {
  const { values, positionals, tokens } = parse(args, ALL);
  const isHelp = positionals[0] === "help";
  const [name = "", ...files] = isHelp ? positionals.slice(1) : positionals;
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  if ((values.help || isHelp) && (command || !name)) return { kind: "help", command: command && name };
  if (values.version) return { kind: "version" };
  if (!command) throw usageError(name ? unknownCommand(name) : missingCommand(values));
  setCommand(name);
  addToJson({ command: name });
  const table = command.options as Table;
  const allowed = Object.keys(table).map(optionName);
  for (const [option, value] of Object.entries(values)) {
    if (!allowed.includes(option))
      throw usageError(`${name} has no option ${unknownOption(option, allowed, commandsWith(option))}`);
    if (ALL[option]?.type === "boolean") {
      if (value !== true) throw usageError(`--${option} takes no value`);
      continue;
    }
    // After an equals sign, a value may begin with hyphens.
    const isMissing = tokens.some(
      (token) =>
        token.kind === "option" &&
        token.name === option &&
        (token.value === undefined || (!token.inlineValue && token.value.startsWith("--"))),
    );
    if (isMissing) throw usageError(`--${option} needs a value`);
    if ([value].flat().includes("")) throw usageError(`--${option} is empty`);
  }
  const options = Object.fromEntries(
    Object.entries(table).map(([key, { read }]) => {
      const given = values[optionName(key)];
      return [key, read(given === undefined ? [] : [given].flat().map(String), optionName(key))];
    }),
  );
  return { kind: "command", command, files, options };
}

function unknownCommand(name: string): string {
  const names = Object.keys(COMMANDS);
  return `Unknown command "${name}"; ${didYouMean(name, names, `the commands are ${names.join(", ")}`)}`;
}

function missingCommand(values: object): string {
  const unknown = Object.keys(values).find((option) => !Object.hasOwn(ALL, option));
  if (unknown !== undefined) return `Unknown option ${unknownOption(unknown, Object.keys(ALL))}`;
  return `The command is missing; the commands are ${Object.keys(COMMANDS).join(", ")}`;
}

/** The commands that have an option. */
const commandsWith = (option: string): string[] =>
  Object.entries(COMMANDS).flatMap(([name, { options }]) =>
    Object.keys(options).map(optionName).includes(option) ? [name] : [],
  );

function unknownOption(name: string, allowed: readonly string[], others: readonly string[] = []): string {
  const meant = nearest(name, allowed);
  const option = `${name.length > 1 ? "--" : "-"}${name}`;
  if (others.length) return `${option}, which is an option of ${others.join(", ")}`;
  return `${option}${meant ? `; did you mean --${meant}?` : ""}`;
}
