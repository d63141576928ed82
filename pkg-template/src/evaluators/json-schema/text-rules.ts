/** Checks the patterns and formats in a schema; the engine checks everything else. Loaded only if a schema has some. */

import { invalidConfig, reasonOf } from "../../core/errors.js";
import type { TextRule } from "../../openevals.types.js";
import type { FitsTextRule } from "../../openevals-judges.types.js";
import { Pattern } from "../pattern/pattern.js";
import { FORMATS } from "./format.js";

/**
 * Reads the rules of a schema.
 *
 * @param option The name of the schema in errors.
 * @throws {@link OpenEvalsError} `invalid_config` for a rule that cannot be checked.
 */
export function readTextRules(rules: readonly TextRule[], option: string): FitsTextRule {
  const tests = new Map<string, (text: string) => boolean>();
  const nameOf = (keyword: string, rule: string) => `${keyword} ${rule}`;
  for (const { keyword, rule, place } of rules) {
    try {
      tests.set(nameOf(keyword, rule), keyword === "format" ? formatOf(rule) : patternOf(rule));
    } catch (error) {
      // Some runtimes repeat the whole pattern in the message.
      const [what, reason] = [nameOf(keyword, rule), reasonOf(error)].map(shortened);
      throw invalidConfig(`${option}: ${place}: ${what} is not supported: ${reason}`);
    }
  }
  return (keyword, rule, text) => tests.get(nameOf(keyword, rule))?.(text) ?? true;
}

function patternOf(source: string): (text: string) => boolean {
  const pattern = new Pattern(source);
  return (text) => pattern.test(text);
}

const shortened = (text: string): string =>
  text.length > 300 ? `${text.slice(0, 150)}…${text.slice(-100)}` : text;

function formatOf(name: string): (text: string) => boolean {
  if (!Object.hasOwn(FORMATS, name)) return () => true;
  const format = FORMATS[name];
  if (!format) throw new Error("internationalised names cannot be checked; use hostname");
  return format;
}
