/** Checks of answers: cheap gates that need no model. */

export type { FieldSource } from "../input/field.js";
export type { Check, CheckOptions, CheckParams, CheckResult, OutputCheckOptions } from "./check.js";
