import { invalidConfig, typedWork } from "../../core/errors.js";
import { show } from "../../core/input/checks.js";
import type { CalibrationReport } from "../../core/records/calibration.js";
import { checkRows } from "../../core/records/check-rows.js";
import type { Experiment } from "../../core/records/types.js";
import type { RowEvaluator } from "../../evaluators/calls/row-evaluators.js";
import { withFinished } from "../evaluate/with-finished.js";
import { observe } from "./observations.js";
import { type CalibrateOptions, checkCalibration } from "./options.js";
import { reportOf } from "./report.js";
import { judgedRows, judgeRows, readLabelledRows } from "./rows.js";

/**
 * Compares a judge with human labels: accuracy, agreement beyond chance, calibration of its confidence, and biases. Each figure
 * has a confidence interval, even at complete agreement. A figure that cannot be computed is `null`; `notes` has the reason.
 *
 * Rates have Wilson's interval. Agreement coefficients have a Wilson interval of their disagreement, with the sample size that
 * matches its jackknife variance; without any disagreement, the rule of three applies. Repetitions of an example are one
 * observation. The judge is not asked about rows without a label. They, rows on which it failed, and rows on which the labels of
 * people are tied are not compared; `leftOut` counts them, and `failures` has the errors.
 *
 * A label of `true` says that the row passes. If lower scores of the key are better, as for a judge with `lowerIsBetter` or an
 * experiment that records it, that is a score of `false`. All figures are about scores.
 *
 * @param judge A row evaluator, which is run on the rows, or an experiment in which it has run.
 * @returns The report, as plain data. Keep it as JSON, and pass it to {@link correctRate} or to `evaluate()`.
 * @throws {@link OpenEvalsError} `invalid_config` for invalid options, `invalid_input` for invalid rows, for a field of labels
 * that no row has, for labels that match no row of the experiment, for labels that equal no verdict because one of them is a text
 * or an object, and if the judge returned no result for any row. If the judge has been asked, the error has the `experiment`: pass
 * that in place of the judge to correct the options.
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
  const read = checkCalibration(options);
  if (typeof judge !== "function" && (typeof judge !== "object" || judge === null)) {
    throw invalidConfig(`The judge is ${show(judge)}; it has to be an evaluator or an experiment`);
  }
  return typedWork("calibrate", async () => {
    if (isExperiment(judge)) return reportOf(await observe(await judgedRows(judge, read), read), read);
    const judged = await judgeRows(judge, await readLabelledRows(read), read);
    try {
      return await reportOf(await observe(judged, read), read);
    } catch (error) {
      throw withFinished("calibrate", error, { experiment: judged.experiment });
    }
  });
}

function isExperiment(judge: RowEvaluator | Experiment): judge is Experiment {
  if (typeof judge === "function" || !("rows" in judge)) return false;
  checkRows(judge, "experiment");
  return true;
}
