import type { ComparativeExperiment } from "../../../core/records/comparative.js";
import type { ModelPrices } from "../../../core/records/prices.js";
import type { Comparison, Experiment } from "../../../core/records/types.js";
import type { Bill } from "../../stored/account.js";

/** What is embedded in a report, as JSON, and drawn by its page. */
export interface ReportData {
  experiment: Experiment;
  /** Keys for which `true` and high numbers are bad news. */
  lowerIsBetter: readonly string[];
  prices?: ModelPrices | undefined;
  /** The experiment to compare with; its rows have no more than is compared. */
  baseline?: Experiment;
  /** By key; there if `baseline` is. */
  comparisons?: Record<string, Comparison>;
  /** Those between the baseline and the experiment, in their order. */
  between: ReportedExperiment[];
}

/** An experiment, and what became of the baseline in it. */
export interface ReportedExperiment {
  experiment: Experiment;
  comparisons: Record<string, Comparison>;
}

/** What is embedded in the report of a comparative experiment. */
export interface ComparativeData {
  experiment: ComparativeExperiment;
  prices?: ModelPrices | undefined;
}

/** What is embedded in an index. */
export interface IndexData {
  title: string;
  hasPrices: boolean;
  entries: IndexEntry[];
}

/** An experiment without its rows. */
export interface IndexEntry extends Omit<Experiment, "rows" | "rowCount"> {
  /** The address of its report. */
  href?: string | undefined;
  rows: number;
  failedRuns: number;
  bill?: Bill | undefined;
}

/** A line of a file of labels. */
export interface LabelLine {
  /** The id of the example. */
  id: string;
  repetition: number;
  /** Whether it passes; `null` if that was not said, or taken back. */
  label: boolean | null;
  note?: string;
  /** In ISO 8601. */
  time: string;
}

/** What the page of `view` is made with, and what it asks for while it is open. */
export interface ViewData {
  report: ReportData;
  /** Of the file, which is asked for what is newer. */
  version: string;
  /** Where rows are labelled: what was said of each so far. */
  labels?: LabelLine[];
}
