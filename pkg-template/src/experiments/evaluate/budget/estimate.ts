/** An estimate of what an experiment would use. */

import { invalidConfig } from "../../../core/errors.js";
import type { Plan } from "../options.js";
import type { ExperimentEstimate } from "./estimate-types.js";
import { measuredQuestions } from "./questions.js";
import { sampled } from "./sample.js";

/** Estimates what a plan would use, from so many rows that are run, or from the questions alone. */
export async function estimated(plan: Plan, how: true | { rows: number }): Promise<ExperimentEstimate> {
  return how === true ? measuredQuestions(plan) : sampled(plan, how.rows);
}

/** Rejects invalid estimate options. */
export function checkEstimate(estimate: unknown): void {
  if (typeof estimate === "boolean") return;
  const { rows, ...others } = Object(estimate) as { rows?: unknown };
  if (Number.isInteger(rows) && Number(rows) >= 2 && !Object.keys(others).length) return;
  throw invalidConfig(
    "estimate has to be true, or { rows } with a whole number from 2, which says how many rows to run",
  );
}
