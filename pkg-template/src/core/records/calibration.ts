/** The calibration of a judge, as plain data that can be stored as JSON. */

import type { Estimate, VerdictCounts } from "../../openevals-statistics.types.js";

/** A figure and its interval. If one is `null`, `notes` has the reason. */
export type Figure = Estimate;

/** Krippendorff's alpha by the distance between labels. */
export interface Alpha {
  /** All disagreements count the same. */
  nominal: Figure;
  /** Disagreements count by the number of ratings in between. */
  ordinal: Figure;
  /** Disagreements count by the squared difference. */
  interval: Figure;
}

/** A row on which the judge and people disagree. */
export interface Disagreement {
  exampleId: string;
  /** The repetition of the example, from 0. */
  repetition: number;
  /** The label: the majority of several people's labels; of grades, the median; of scores with more than ten values, the mean. */
  label: unknown;
  /** The verdict of the judge. */
  verdict: unknown;
  /**
   * The confidence of the judge, from 0 to 1: `confidence` in its `metadata`, or the distance of a score from the threshold; `null`
   * if neither is known.
   */
  confidence: number | null;
  /** The distance between score and label; 1 for classes. */
  distance: number;
  /** The comment of the judge. */
  comment?: string;
  /** The beginning of the inputs, up to 200 characters; JSON unless they are a text. Missing if the row has none. */
  inputs?: string;
  /** The beginning of the outputs. */
  outputs?: string;
}

/** An error of the judge, and the rows on which it occurred. */
export interface JudgeFailure {
  /** The code and the message of the first such error, up to 500 characters. Errors that differ only in a quoted answer are one. */
  message: string;
  /** The number of times that it occurred. */
  count: number;
  /** The ids of the first five examples. */
  exampleIds: string[];
}

/** The agreement between people. A judge that agrees with them to the same degree is as good as one of them. */
export interface Ceiling {
  /** The number of people. */
  annotators: number;
  /** The number of rows with labels of at least two people. */
  count: number;
  /** The mean share of equal pairs of labels of a row, from 0 to 1; `null` for scores with many values. */
  agreement: Figure;
  alpha: Alpha;
  ac1: Figure;
}

/** What identifies a judge: two with other models, another prompt or another vote do not make the same errors. */
export interface JudgeIdentity {
  /** The models in the `metadata` of its results. */
  models: string[];
  /** The hashes of its prompts there, `promptHash`. Empty if there are more than ten: it writes one for each row. */
  prompts: string[];
  /** The numbers of judges that voted on a result: 1 without a jury. */
  judges: number[];
  /** The numbers of samples of a judge: 1 without `samples`. */
  samples: number[];
  /** The rules by which a jury or samples voted, `voteRule` in the `metadata`. Empty without a vote. */
  voteRules: string[];
}

/** The result of `calibrate()`, as plain data. */
export interface CalibrationReport {
  /** The key of the judge's results. */
  key: string;
  /** The judge, as far as its results identify it. Missing if they have neither a model nor a `promptHash`. */
  judge?: JudgeIdentity;
  /**
   * The kind of comparison: `verdicts` that are true or false (or scores with a threshold), `scores`, or `classes`.
   */
  kind: "verdicts" | "scores" | "classes";
  /** The score from which on a row passes, or up to which if lower is better: the option, or the recorded pass mark. */
  threshold?: number;
  /**
   * Set if lower scores of the key are better. The report is about scores: a label of `true`, which says that a row passes, counts
   * as a score of `false`, and true positives are failing rows.
   */
  lowerIsBetter?: true;
  /** The number of results with a label. */
  count: number;
  /** The number of their examples; repetitions of an example are one observation. */
  examples: number;
  /** With `clusterBy`, the number of clusters. The rows of a cluster are not independent. */
  clusters?: number;
  /** The numbers of results and labels that were not compared. */
  leftOut: {
    /** The example has no label. The judge was not asked about it. */
    unlabelled: number;
    /** The labels of people are tied. */
    undecided: number;
    /** The judge failed. */
    errors: number;
    /** The judge's result was not applicable. */
    notApplicable: number;
    /** The label has an id that the experiment does not have. Missing if there is no such label. */
    unmatched?: number;
  };
  /** The first ten distinct errors of the judge. Missing if it never failed. */
  failures?: JudgeFailure[];
  /** The share of results that equal the label. */
  accuracy: Figure;
  /** The true positive rate. */
  sensitivity: Figure;
  /** The true negative rate. */
  specificity: Figure;
  /** Cohen's kappa. */
  kappa: Figure;
  /** Cohen's weighted kappa, which counts the distance between scores. */
  weightedKappa: Figure;
  /** Krippendorff's alpha. */
  alpha: Alpha;
  /** Gwet's AC1. */
  ac1: Figure;
  /** Spearman's rank correlation. */
  spearman: Figure;
  /** Kendall's tau-b. */
  kendall: Figure;
  /** The mean absolute difference between scores and labels, in the unit of the scores. */
  meanAbsoluteError: Figure;
  /** The expected calibration error of the judge's confidence, in ten bins. It has no interval. */
  expectedCalibrationError: Figure;
  /** The Brier score of the judge's confidence: 0 is best, and a constant confidence of 0.5 has 0.25. */
  brier: Figure;
  /** The confusion matrix: labels are rows, and the judge's classes are columns. */
  confusion: { labels: unknown[]; matrix: number[][] } | null;
  /** The confusion counts of true and false, with repetitions and clusters as one observation, for `correctRate`. */
  verdicts: VerdictCounts | null;
  /** The rows on which the judge and people disagree, those with the highest confidence first. */
  disagreements: Disagreement[];
  /** The probability, from 0 to 1, that two runs on the same example return different verdicts. */
  flipRate: Figure;
  /** Biases of the judge relative to the labels. */
  bias: {
    /** How much more the first answer's score exceeds its label than the scores of other answers do. */
    position: Figure;
    /** Spearman's correlation between the length of an answer and the excess of its score over its label. */
    verbosity: Figure;
    /** How much more scores of the judge's own model exceed their labels than scores of other models do. */
    selfPreference: Figure;
  };
  /** The agreement between people; `null` for one person. */
  people: Ceiling | null;
  /** The reasons for `null` and missing intervals, by the name of the figure, such as `alpha.ordinal`. */
  notes: Record<string, string>;
}

/** The part of a report that corrects rates and differences. */
export type JudgeErrors = Pick<CalibrationReport, "verdicts" | "threshold" | "lowerIsBetter" | "judge">;
