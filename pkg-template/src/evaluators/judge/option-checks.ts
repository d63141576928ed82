/** Checks of options that several kinds of judges share. */

import { check, oneOf } from "../../core/input/checks.js";

/**
 * Checks `structuredOutputMethod`.
 *
 * @internal
 */
export const aStructuredOutputMethod = oneOf(["jsonSchema", "functionCalling", "jsonMode"]);

/**
 * Checks `model`.
 *
 * @internal
 */
export const aModelName = check(
  'a string such as "openai:gpt-5.4". Pass functions and clients as judge, with the name of the model as model',
  (value) => typeof value === "string",
);
