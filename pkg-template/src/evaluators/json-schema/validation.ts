/** Validates values with the schemas of libraries. */

import { callbackFailed } from "../../core/errors.js";
import { show } from "../../core/input/checks.js";
import type { StandardSchema } from "./standard-schema.js";

/**
 * Validates a value with a library's schema: returns its problems, or its output.
 *
 * @param name The name of the validation in messages.
 */
export async function validation(
  standard: StandardSchema["~standard"],
  answer: unknown,
  name: string,
): Promise<{ problems?: string[]; value?: unknown }> {
  try {
    const result = await standard.validate(answer);
    const issues = result?.issues;
    const isResult = issues ? Array.isArray(issues) && issues.every(Boolean) : "value" in Object(result);
    if (!isResult) throw new Error(`it returned ${show(result)}`);
    if (!issues) return { value: result.value };
    const problems = issues.map(({ message, path }) => {
      const place = path?.map((key) => String((key as { key?: unknown })?.key ?? key)).join(".");
      return place ? `${place}: ${message}` : `${message}`;
    });
    return { problems };
  } catch (error) {
    throw callbackFailed(name, error);
  }
}
