/** The parts of the program that a test runs: what all commands share, the commands, and groups of evaluators of `score`. */

import { existsSync, readdirSync, readFileSync } from "node:fs";
import { program } from "./entries.mjs";
import { path } from "./run.mjs";

const sources = path("target/sources");
const cli = `${sources}/integrations/cli`;

/** The modules that the program loads on use. */
const COMMAND = /^\.\/(\w+)\/\1\.js$/;
const GROUP = /^\.\/(?:agents|checks|[\w-]+-metrics)\.js$/;

/** The source of each part. */
export function programParts() {
  const commands = readdirSync(cli).filter((name) => existsSync(`${cli}/${name}/${name}.ts`));
  const groups = readdirSync(`${cli}/score`).filter((name) => GROUP.test(`./${name.replace(/ts$/, "js")}`));
  return new Map([
    ["commands", `${sources}/${program.source}.ts`],
    ...commands.map((name) => [`command ${name}`, `${cli}/${name}/${name}.ts`]),
    ...groups.map((name) => [`group ${name}`, `${cli}/score/${name}`]),
  ]);
}

/**
 * The parts that texts name. The name of a command begins a string, or follows that of the program; texts without one may run
 * all commands. A group is named by the key of one of its evaluators, and loaded by `score`.
 */
export function programPartsIn(text, parts = programParts()) {
  // Also `ndcg` of `ndcg_at_10`.
  const words = new Set(
    (text.match(/[\w:+]+/g) ?? []).flatMap((word) => [word, word.replace(/_at_\w+$/, "")]),
  );
  const isNamed = ([part, file]) => {
    const [kind, name] = part.split(" ");
    if (kind === "command") return isCommandIn(text, name);
    return kind === "group" ? isCommandIn(text, "score") && keysIn(file).some((key) => words.has(key)) : true;
  };
  const named = Array.from(parts).filter(isNamed);
  const all = named.some(([part]) => part.startsWith("command ")) ? named : Array.from(parts);
  return all.map(([part]) => part);
}

const isCommandIn = (text, name) => new RegExp(`(?:["'\`]|\\bopenevals-wasm )${name}["'\`\\s]`).test(text);

/** The keys of the evaluators of a group. */
const keysIn = (file) =>
  Array.from(readFileSync(file, "utf8").matchAll(/^ {2}"?([\w:+]+)"?: /gm), ([, key]) => key);

/** Keeps what is loaded on use out of the code of a part. */
export const withoutParts = {
  name: "without other parts",
  setup: (build) =>
    build.onResolve({ filter: /^\.\// }, ({ path: name, kind, importer }) =>
      kind === "dynamic-import" && importer.startsWith(cli) && (COMMAND.test(name) || GROUP.test(name))
        ? { path: name, external: true }
        : undefined,
    ),
};
