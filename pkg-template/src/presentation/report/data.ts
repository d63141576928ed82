import type { ComparativeExperiment } from "../../core/records/comparative.js";
import type { ModelPrices } from "../../core/records/prices.js";
import type { Comparison, Experiment } from "../../core/records/types.js";
import type { Bill } from "../../experiments/stored/account.js";
import type { MatrixTable } from "../matrix/table.js";

/** The data of a report, embedded in it as JSON. */
export interface ReportData {
  experiment: Experiment;
  /** Keys for which lower scores are better. */
  lowerIsBetter: readonly string[];
  prices?: ModelPrices | undefined;
  /** The experiment to compare with. Its rows have only what is compared. */
  baseline?: Experiment;
  /** The comparisons with the baseline, by key. */
  comparisons?: Record<string, Comparison>;
  /** The experiments between the baseline and the last one, in order; in a matrix, the other combinations. */
  between: ReportedExperiment[];
  /** The combinations, if the experiments belong to a matrix. There is no baseline then. */
  matrix?: MatrixTable;
}

/** An experiment, and its comparison with the baseline. */
export interface ReportedExperiment {
  experiment: Experiment;
  comparisons: Record<string, Comparison>;
}

/** The data of the report of a comparative experiment. */
export interface ComparativeData {
  experiment: ComparativeExperiment;
  prices?: ModelPrices | undefined;
}

/** The data of an index. */
export interface IndexData {
  title: string;
  hasPrices: boolean;
  entries: IndexEntry[];
}

/** An experiment without its rows. */
export interface IndexEntry extends Omit<Experiment, "rows" | "rowCount"> {
  /** The URL of its report. */
  href?: string | undefined;
  rows: number;
  failedRuns: number;
  bill?: Bill | undefined;
}

/** A line of a label file. */
export interface LabelLine {
  /** The id of the example. */
  id: string;
  repetition: number;
  /** Whether the row passes, or its score; `null` if it is unlabelled, or its label was cleared. */
  label: boolean | number | null;
  note?: string;
  /** When it was labelled, in ISO 8601. */
  time: string;
}

/** The data of the page of `view`, at first and with each update. */
export interface ViewData {
  report: ReportData;
  /** The version of the file. The page asks for newer ones. */
  version: string;
  /** If rows can be labelled: the labels so far. */
  labels?: LabelLine[];
}
