/** Runs the judge with one prompt on some of the rows. */

import { inPlace, invalidInput, type OpenEvalsErrorDetails } from "../../core/errors.js";
import type { CalibrationReport } from "../../core/records/calibration.js";
import { identityOf } from "../../core/records/row-identity.js";
import type { MapInputs, RowEvaluator } from "../../evaluators/calls/row-evaluators.js";
import { type CalibrationColumns, columnsOf } from "../calibration/columns.js";
import { type Observations, observe } from "../calibration/observations.js";
import type { CalibrateOptions, LabelledRow } from "../calibration/options.js";
import { reportOf } from "../calibration/report.js";
import { judgeRows } from "../calibration/rows.js";
import type { Losses } from "./compare.js";
import type { Spent } from "./usage.js";

/** The results of the judge with one prompt. */
export interface Trial {
  prompt: string;
  observed: Observations;
  /** How far the verdicts are from the labels: for classes, 0 if they are equal and 1 if not; for scores, the absolute difference. */
  losses: Losses;
  /** The arguments of the judge for each example, by its id. */
  shown: Map<string, unknown>;
  report(): Promise<CalibrationReport>;
}

/** Makes a judge with a prompt. */
export type MakeJudge = (prompt: string) => RowEvaluator;

export async function tryPrompt(
  judge: MakeJudge,
  prompt: string,
  rows: readonly LabelledRow[],
  calibration: CalibrateOptions,
  spent: Spent,
): Promise<Trial> {
  const shown = new Map<string, unknown>();
  const mapInputs: MapInputs = async (params) => {
    const mapped = calibration.mapInputs ? await calibration.mapInputs(params) : {};
    shown.set(params.example.id, { ...params, ...mapped });
    return mapped;
  };
  const options = { ...calibration, mapInputs };
  let evaluator: RowEvaluator;
  try {
    evaluator = judge(prompt);
  } catch (error) {
    throw inPlace("judge", error);
  }
  const judged = await judgeRows(evaluator, rows, options).catch((error: unknown) => {
    spent.add("judges", (error as OpenEvalsErrorDetails).experiment?.usage);
    throw error;
  });
  spent.add("judges", judged.experiment.usage);
  const observed = await observe(judged, options);
  if (!observed.list.length) throw invalidInput("The judge has no verdict for any row");
  const columns = await columnsOf(observed, options);
  const losses = lossesOf(observed, columns);
  return {
    prompt,
    observed,
    shown,
    losses: new Map(
      observed.list.map(({ row }, index) => [
        identityOf(row),
        { exampleId: row.example.id, loss: losses[index] as number },
      ]),
    ),
    report: () => reportOf(observed, options),
  };
}

function lossesOf({ kind }: Observations, { classes, truths, numbers }: CalibrationColumns): number[] {
  const named = kind === "classes" ? classes : truths;
  if (named) return named.verdicts.map((verdict, index) => Number(verdict !== named.labels[index]));
  return (numbers?.verdicts ?? []).map((score, index) =>
    Math.abs(score - (numbers?.labels[index] as number)),
  );
}
