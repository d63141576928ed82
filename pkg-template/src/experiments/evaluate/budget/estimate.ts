/** Estimates the usage of an experiment. */

import { invalidConfig } from "../../../core/errors.js";
import type { Plan } from "../options/plan.js";
import type { ExperimentEstimate } from "./estimate-types.js";
import { measuredQuestions } from "./questions.js";
import { estimateFromSample } from "./sample.js";

/** Estimates the usage of a plan: from a sample of rows that are run, or only from the questions. */
export async function estimated(plan: Plan, how: true | { rows: number }): Promise<ExperimentEstimate> {
  return how === true ? measuredQuestions(plan) : estimateFromSample(plan, how.rows);
}

/** Rejects invalid estimate options. */
export function checkEstimate(estimate: unknown): void {
  if (typeof estimate === "boolean") return;
  const { rows, ...others } = Object(estimate) as { rows?: unknown };
  if (Number.isInteger(rows) && Number(rows) >= 2 && !Object.keys(others).length) return;
  throw invalidConfig(
    "estimate has to be true, or { rows } with the number of rows to run, a whole number from 2",
  );
}
