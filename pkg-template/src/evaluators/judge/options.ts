/** Checks of options that several kinds of judges have. */

import { oneOf } from "../../core/input/checks.js";

/**
 * The names that `structuredOutputMethod` has.
 *
 * @internal
 */
export const aStructuredOutputMethod = oneOf(["jsonSchema", "functionCalling", "jsonMode"]);
