import type { Comparison, Experiment } from "../../experiment/types.js";

/** What is embedded in a report, as JSON, and drawn by its page. */
export interface ReportData {
  experiment: Experiment;
  /** Keys for which `true` and high numbers are bad news. */
  lowerIsBetter: readonly string[];
  /** The experiment to compare with. */
  baseline?: Experiment;
  /** By key; there if `baseline` is. */
  comparisons?: Record<string, Comparison>;
}
