/** What the program is called with. */

import { parseArgs } from "node:util";
import { COMMANDS, type Command } from "./commands.js";
import { wrong } from "./mistake.js";
import { type Table, written } from "./options.js";

/** What is to be done. */
export type Call =
  | { kind: "version" }
  | { kind: "help"; command: string | undefined }
  | { kind: "command"; command: Command; files: string[]; options: Record<string, unknown> };

/** Every option of any command, as Node reads them. */
const ALL = Object.fromEntries([
  ...Object.values(COMMANDS).flatMap(({ options }) =>
    Object.entries(options as Table).map(([name, { value, isMany = false }]) => [
      written(name),
      value === undefined ? { type: "boolean" } : { type: "string", multiple: isMany },
    ]),
  ),
  ["help", { type: "boolean", short: "h" }],
  ["version", { type: "boolean", short: "v" }],
]);

/** Reads the arguments; throws a {@link wrong}, with what to do, for what makes no sense. */
export async function readArguments(args: string[]): Promise<Call> {
  // What is wrong with them is said below: Node says it in its own way.
  const { values, positionals } = parseArgs({ args, options: ALL, allowPositionals: true, strict: false });
  const [name = "", ...files] = positionals;
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  if (values.help) return { kind: "help", command: command && name };
  if (values.version) return { kind: "version" };
  if (!command) throw wrong(name ? `There is no command "${name}"` : "A command is missing");
  const table = command.options as Table;
  const allowed = Object.keys(table).map(written);
  for (const [option, value] of Object.entries(values)) {
    if (!allowed.includes(option)) throw wrong(`${name} has no option ${await unknown(option, allowed)}`);
    if (ALL[option]?.type === "boolean") {
      if (value !== true) throw wrong(`--${option} has no value`);
      continue;
    }
    const isMissing = [value].flat().some((text) => typeof text !== "string" || text.startsWith("--"));
    if (isMissing) throw wrong(`--${option} needs a value`);
    if ([value].flat().includes("")) throw wrong(`--${option} is empty`);
  }
  const options = Object.fromEntries(
    Object.entries(table).map(([own, { read }]) => {
      const given = values[written(own)];
      return [own, read(given === undefined ? [] : [given].flat(), written(own))];
    }),
  );
  return { kind: "command", command, files, options };
}

async function unknown(name: string, allowed: readonly string[]): Promise<string> {
  const { nearest } = await import("../input/near.js");
  const meant = nearest(name, allowed);
  return `${name.length > 1 ? "--" : "-"}${name}${meant ? `; did you mean --${meant}?` : ""}`;
}

/** The options of a call, but one, as they may be passed on to another process. */
export function optionsOnly(args: string[], without: string): string[] {
  const { tokens } = parseArgs({ args, options: ALL, allowPositionals: true, strict: false, tokens: true });
  return tokens.flatMap(({ kind, name, value }) => {
    if (kind !== "option" || name === without) return [];
    return [value === undefined ? `--${name}` : `--${name}=${value}`];
  });
}
