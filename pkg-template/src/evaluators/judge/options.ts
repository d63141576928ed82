/** Checks of options that several kinds of judges share. */

import { oneOf } from "../../core/input/checks.js";

/**
 * Checks `structuredOutputMethod`.
 *
 * @internal
 */
export const aStructuredOutputMethod = oneOf(["jsonSchema", "functionCalling", "jsonMode"]);
