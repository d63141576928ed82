/** Finds calibrations of another judge than that of the results. */

import { invalidConfig, type OpenEvalsError } from "../../core/errors.js";
import { show } from "../../core/input/checks.js";
import type { JudgeErrors, JudgeIdentity } from "../../core/records/calibration.js";
import {
  isSameModel,
  type JudgedResults,
  JudgeModels,
  listIn,
  panelText,
  samplesText,
  voteText,
} from "../../core/records/judge-models.js";
import type { ExperimentRow } from "../../core/records/types.js";

type Row = Pick<ExperimentRow, "evaluationResults">;

/** Compares the judges of rows with those of calibrations, by key. Calibrations without a `judge` are of any judge. */
export class CalibratedJudges {
  readonly #calibration: Readonly<Record<string, JudgeErrors>>;
  readonly #judges: JudgeModels;

  constructor(calibration: Readonly<Record<string, JudgeErrors>>, rows: readonly Row[] = []) {
    this.#calibration = calibration;
    this.#judges = new JudgeModels(rows);
  }

  add(row: Row): void {
    this.#judges.add(row);
  }

  /** The error for a calibration of another judge: the true rate would be wrong. */
  problem(): OpenEvalsError | undefined {
    for (const [key, { judge }] of Object.entries(this.#calibration)) {
      const found = this.#judges.of(key);
      const difference = judge && found && differenceOf(judge, found.prompts, this.#judges.resultsOf(key));
      if (difference)
        return invalidConfig(
          `The calibration of ${show(key)} is of another judge: ${difference}. Run calibrate() with the judge of these ` +
            "results, on the same labels, or evaluate these results with the calibrated judge",
        );
    }
    return undefined;
  }
}

/** How the judge of the results differs. */
function differenceOf(
  { models, prompts, judges, samples, voteRules }: JudgeIdentity,
  foundPrompts: readonly string[],
  found: readonly JudgedResults[],
): string | undefined {
  const knownPrompts = listIn(prompts);
  return (
    differenceIn(found, listIn(models), (results) => results.models, String, isSameModel) ??
    differenceIn(found, listIn(judges), (results) => [results.judges], panelText) ??
    differenceIn(found, listIn(samples), (results) => results.samples, samplesText) ??
    differenceIn(found, listIn(voteRules), ({ voteRule }) => (voteRule ? [voteRule] : []), voteText) ??
    (knownPrompts.length && !foundPrompts.every((prompt) => knownPrompts.includes(prompt))
      ? "its prompt, its examples or the schema of its answers is not the same"
      : undefined)
  );
}

/** How the results differ in one part of the identity. An empty list of calibrated ones is not compared. */
function differenceIn<Part>(
  found: readonly JudgedResults[],
  calibrated: readonly Part[],
  partsOf: (results: JudgedResults) => readonly Part[],
  wordsOf: (part: Part) => string,
  areSame: (one: Part, other: Part) => boolean = Object.is,
): string | undefined {
  const isOther = (part: Part) => calibrated.length && !calibrated.some((one) => areSame(part, one));
  const differing = found.filter((results) => partsOf(results).some(isOther));
  if (!differing.length) return undefined;
  const others = differing.flatMap(partsOf).filter(isOther);
  const countOf = (results: readonly JudgedResults[]) => results.reduce((sum, { count }) => sum + count, 0);
  const listed = (parts: readonly Part[]) => [...new Set(parts.map(wordsOf))].join(" and ");
  return `it is of ${listed(calibrated)}, and ${listed(others)} scored ${countOf(differing)} of ${countOf(found)} results`;
}
