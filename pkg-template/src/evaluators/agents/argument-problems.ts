/** Checks the arguments of calls with schemas. Loaded on use, since it brings the validator of judges along. */

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
    return problem(text);
  };
}

/** Missing arguments are `{}`, as in the engine. */
const argumentText = (args: unknown, path: string): string => {
  const text = toText(args ?? {}, path).trim();
  return text === "" || text === "null" ? "{}" : text;
};
