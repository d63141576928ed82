/** Finds calibrations of another judge than that of the results. */

import { invalidConfig, type OpenEvalsError } from "../../core/errors.js";
import { show } from "../../core/input/checks.js";
import type { JudgeErrors, JudgeIdentity } from "../../core/records/calibration.js";
import { type JudgedResults, JudgeModels } from "../../core/records/judge-models.js";
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
      const difference =
        judge && found && differenceOf(known(judge), found.prompts, this.#judges.resultsOf(key));
      if (difference)
        return invalidConfig(
          `The calibration of ${show(key)} is of another judge: ${difference}. Run calibrate() with the judge of these ` +
            "results, on the same labels, or evaluate these results with the calibrated judge",
        );
    }
    return undefined;
  }
}

/** A calibration may be read from a file. */
const known = ({ models, prompts, judges }: JudgeIdentity): JudgeIdentity => ({
  models: Array.isArray(models) ? models : [],
  prompts: Array.isArray(prompts) ? prompts : [],
  judges: Array.isArray(judges) ? judges : [],
});

/** How the judge of the results differs. */
function differenceOf(
  { models, prompts, judges }: JudgeIdentity,
  foundPrompts: readonly string[],
  found: readonly JudgedResults[],
): string | undefined {
  const isCalibrated = (model: string) => models.some((other) => isSameModel(model, other));
  const byOthers = found.filter((results) => models.length && !results.models.every(isCalibrated));
  if (byOthers.length) {
    const others = byOthers.flatMap((results) => results.models.filter((model) => !isCalibrated(model)));
    return differenceIn(models, others, byOthers, found);
  }
  const inOthers = found.filter((results) => judges.length && !judges.includes(results.judges));
  if (inOthers.length) {
    const others = inOthers.map((results) => results.judges);
    return differenceIn(judges.map(panelOf), others.map(panelOf), inOthers, found);
  }
  if (prompts.length && !foundPrompts.every((prompt) => prompts.includes(prompt)))
    return "its prompt, its examples or the schema of its answers is not the same";
  return undefined;
}

function differenceIn(
  calibrated: readonly string[],
  others: readonly string[],
  differing: readonly JudgedResults[],
  all: readonly JudgedResults[],
): string {
  const countOf = (results: readonly JudgedResults[]) => results.reduce((sum, { count }) => sum + count, 0);
  const listed = (names: readonly string[]) => [...new Set(names)].join(" and ");
  return `it is of ${listed(calibrated)}, and ${listed(others)} scored ${countOf(differing)} of ${countOf(all)} results`;
}

const panelOf = (judges: number): string => (judges === 1 ? "one judge" : `a jury of ${judges}`);

/** Whether two names are of the same model, perhaps one of them dated: `gpt-5.4` and `gpt-5.4-2026-03-01`. */
function isSameModel(one: string, other: string): boolean {
  const [a, b] = [partsOf(one), partsOf(other)];
  return a.name === b.name && (a.version === b.version || a.isAlias || b.isAlias);
}

/** The parts of a name, without the vendor of a gateway: `openai/gpt-5.4` is `gpt-5.4`. */
function partsOf(model: string) {
  const [, name, version = "latest"] =
    /^(?:.*\/)?(.*?)(?:[-@](latest|\d{4}-\d\d-\d\d|\d\d-\d{4}|\d\d-\d\d|\d{8}|\d{6}|\d{3,4}))?$/s.exec(
      model,
    ) ?? [];
  return { name, version, isAlias: version === "latest" };
}
