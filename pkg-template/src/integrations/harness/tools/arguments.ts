/** The arguments of calls as texts that can be compared. */

import { sortedJson } from "../../../core/input/json/sorted-json.js";
import { toText } from "../../../core/input/text.js";

/**
 * Arguments as JSON with sorted keys. Members that are `undefined` count as missing.
 *
 * @param tool The name of the tool, for errors.
 * @throws {@link OpenEvalsError} `invalid_input` for arguments that JSON cannot represent.
 */
export function canonicalArguments(args: unknown, tool: string): string {
  if (typeof args === "string") return JSON.stringify(args);
  return sortedJson(JSON.parse(toText(args, `the arguments of ${tool}`)));
}
