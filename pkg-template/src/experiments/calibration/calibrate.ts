import { OpenEvalsError, typedWork } from "../../core/errors.js";
import { checkOptions, show } from "../../core/input/checks.js";
import type { CalibrationReport } from "../../core/records/calibration.js";
import type { Experiment } from "../../core/records/types.js";
import type { RowEvaluator } from "../evaluate/evaluators/evaluators.js";
import { checkRows } from "../stored/check.js";
import { observe } from "./observations.js";
import { type CalibrateOptions, OPTIONS } from "./options.js";
import { reportOf } from "./report.js";
import { judgedRows, judgeRows } from "./rows.js";

/**
 * Compares a judge with people who have labelled rows: how often it is right, how far it agrees with them beyond chance,
 * what its confidence is worth, and whom it favours. Each figure comes with an interval, which exists at complete agreement,
 * too; what cannot be told is `null`, and `notes` say why.
 *
 * Rates have Wilson's interval. Coefficients of agreement have that of their disagreement, taken as a share of so many rows
 * as its variance by the jackknife amounts to; where nothing disagrees, it is the rule of three. Repetitions of an example
 * are one observation. Rows without a label, and those on which the judge failed, are counted in `leftOut`, and are never a
 * score.
 *
 * @param judge An evaluator of rows, or an experiment in which it has run.
 * @returns A report, which is plain data: keep it as JSON, and give it to {@link correctRate} or to `evaluate()`.
 * @throws {@link OpenEvalsError} `invalid_config` for options that cannot work, `invalid_input` for rows that cannot be
 * read, and where the judge gave no result at all.
 *
 * @example
 * ```ts
 * import { calibrate } from "openevals-wasm/judges";
 *
 * const polite = async ({ outputs }: { outputs: string }) => ({ key: "polite", score: outputs.includes("please") });
 * const report = await calibrate(polite, {
 *   data: [
 *     { outputs: "Wait, please.", human: true },
 *     { outputs: "Wait!", human: false },
 *     { outputs: "Would you mind waiting?", human: true },
 *   ],
 *   label: "human",
 * });
 * console.log(report.accuracy.value, report.disagreements[0]?.exampleId); // 0.666… 3
 * ```
 */
export async function calibrate(
  judge: RowEvaluator | Experiment,
  options: CalibrateOptions,
): Promise<CalibrationReport> {
  const read = checkOptions("calibrate", options, OPTIONS);
  if (typeof judge !== "function" && (typeof judge !== "object" || judge === null)) {
    throw new OpenEvalsError(
      "invalid_config",
      `The judge is ${show(judge)}; it has to be an evaluator, or an experiment that has run.`,
    );
  }
  return typedWork("calibrate", async () => {
    const judged = isExperiment(judge) ? await judgedRows(judge, read) : await judgeRows(judge, read);
    return reportOf(await observe(judged, read), read);
  });
}

function isExperiment(judge: RowEvaluator | Experiment): judge is Experiment {
  if (typeof judge === "function" || !("rows" in judge)) return false;
  checkRows(judge, "experiment");
  return true;
}
