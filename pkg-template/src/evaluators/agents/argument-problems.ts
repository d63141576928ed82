/** Checks the arguments of calls with schemas. Loaded on use, since it brings the validator of judges along. */

import { show } from "../../core/input/checks.js";
import { toText } from "../../core/input/text.js";
import { type FindSchemaProblem, readSchema } from "../json-schema/schema-problem.js";
import type { AgentCall } from "./trajectory.js";

/** Returns why the arguments of a call do not fit a schema; `undefined` if they do. */
export type FindArgumentProblem = (call: AgentCall, path: string) => Promise<string | undefined>;

/**
 * Reads a schema of arguments.
 *
 * @param owner What has the schema, in messages.
 */
export function argumentProblems(schema: object, owner: string): FindArgumentProblem {
  const problem: FindSchemaProblem = readSchema(schema, owner, "");
  return async ({ args }, path) => {
    const text = argumentText(args, path);
    try {
      JSON.parse(text);
    } catch {
      return "they are not valid JSON";
    }
    const repeated = repeatedKey(text);
    return repeated === undefined ? problem(text) : `they have the key ${show(repeated)} twice`;
  };
}

/**
 * The first key that an object of a valid JSON text has twice. Parsers differ in which one counts, so the tool may get a
 * value that was not checked.
 */
function repeatedKey(json: string): string | undefined {
  // The keys of the objects around a token; none for lists.
  const open: (Set<string> | undefined)[] = [];
  let isKeyNext = false;
  for (const [token] of json.matchAll(/"(?:[^"\\]|\\.)*"|[{}[\],:]/g)) {
    if (token === "{" || token === "[") open.push(token === "{" ? new Set() : undefined);
    else if (token === "}" || token === "]") open.pop();
    else if (isKeyNext && token.startsWith('"')) {
      const key: string = JSON.parse(token);
      const keys = open.at(-1);
      if (keys?.has(key)) return key;
      keys?.add(key);
    }
    isKeyNext = token === "{" || token === ",";
  }
  return undefined;
}

/** Missing arguments are `{}`, as in the engine. */
const argumentText = (args: unknown, path: string): string => {
  const text = toText(args ?? {}, path).trim();
  return text === "" || text === "null" ? "{}" : text;
};
