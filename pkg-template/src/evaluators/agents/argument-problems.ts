/** Checks the arguments of calls against schemas. Loaded on use, because it imports the schema validator. */

import { show } from "../../core/input/checks.js";
import { toText } from "../../core/input/text.js";
import { type FindSchemaProblem, schemaProblemFinder } from "../json-schema/schema-problem.js";

/** Returns why the arguments of a call, as its message has them, do not fit a schema; `undefined` if they do. */
export type FindArgumentProblem = (args: unknown, path: string) => Promise<string | undefined>;

/**
 * Makes a function that checks arguments against a schema.
 *
 * @param owner The name of the schema's owner in errors.
 */
export function argumentProblemFinder(schema: object, owner: string): FindArgumentProblem {
  const findProblem: FindSchemaProblem = schemaProblemFinder(schema, owner, "");
  return async (args, path) => {
    const text = argumentText(args, path);
    try {
      JSON.parse(text);
    } catch {
      return "the arguments are not valid JSON";
    }
    const repeated = repeatedKey(text);
    if (repeated !== undefined) return `the arguments have the key ${show(repeated)} twice`;
    return findProblem(text);
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
