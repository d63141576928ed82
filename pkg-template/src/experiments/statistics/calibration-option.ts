/** The option `calibration`. Apart from the correction, which loads on use. */

import { check, isRecordOf } from "../../core/input/checks.js";

const isCalibration = (report: any): boolean => typeof report?.verdicts?.truePositives === "number";

/** Calibration reports of judges, by key. */
export const CALIBRATION_OPTION = check("an object with a report of calibrate() for each key", (reports) => {
  return isRecordOf(reports, isCalibration);
});
