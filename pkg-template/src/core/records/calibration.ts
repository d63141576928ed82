/** What is known of a judge, once it has been compared with people: plain data, which can be kept as JSON. */

import type { Estimate, VerdictCounts } from "../../openevals-statistics.types.js";

/** A figure, and where it may well be, given so many rows. What cannot be told is `null`; the `notes` say why. */
export type Figure = Estimate;

/** Krippendorff's alpha, by what makes a disagreement larger than another. */
export interface Alpha {
  /** Nothing does. */
  nominal: Figure;
  /** How many ratings lie between. */
  ordinal: Figure;
  /** The square of the difference. */
  interval: Figure;
}

/** A row that the judge and people see differently. */
export interface Disagreement {
  exampleId: string;
  /** Which repetition of the example it is, from 0. */
  repetition: number;
  /** What people said: of several, what most did, or the mean of their scores. */
  label: unknown;
  /** What the judge said. */
  verdict: unknown;
  /**
   * How sure the judge was, from 0 to 1: the `confidence` in its `metadata`, or how far a score is from the threshold. `null`
   * where nothing tells.
   */
  confidence: number | null;
  /** How far a score is from the label; 1 for classes. */
  distance: number;
  /** What the judge said of it. */
  comment?: string;
}

/** How far people agree with each other: a judge that agrees with them as much is as good as one of them. */
export interface Ceiling {
  /** How many people there are. */
  annotators: number;
  /** How many rows two of them or more have labelled. */
  count: number;
  /** The share of pairs of their labels that are equal; `null` for scores of many values. */
  agreement: Figure;
  alpha: Alpha;
  ac1: Figure;
}

/** What `calibrate()` comes to. Plain data. */
export interface CalibrationReport {
  /** The key of the results of the judge. */
  key: string;
  /**
   * What was compared: `verdicts` that are true or false (or scores beside a threshold), `scores` from 0 to 1, or `classes`.
   */
  kind: "verdicts" | "scores" | "classes";
  /** From which score on a row passes, if that was said. */
  threshold?: number;
  /** How many results were compared with a label. */
  count: number;
  /** How many examples they are of; repetitions of an example are one observation. */
  examples: number;
  /** How many were not. */
  leftOut: {
    /** Nobody has labelled the example. */
    unlabelled: number;
    /** As many people said one thing as another. */
    undecided: number;
    /** The judge failed. */
    errors: number;
    /** The judge had nothing to say. */
    notApplicable: number;
  };
  /** The share of results that are what people said. */
  accuracy: Figure;
  /** Of what people call true, the share that the judge does. */
  sensitivity: Figure;
  /** Of what people call false, the share that the judge does. */
  specificity: Figure;
  /** Cohen's kappa. */
  kappa: Figure;
  /** Cohen's weighted kappa, where it counts how far apart two scores are. */
  weightedKappa: Figure;
  /** Krippendorff's alpha. */
  alpha: Alpha;
  /** Gwet's AC1. */
  ac1: Figure;
  /** Spearman's rank correlation. */
  spearman: Figure;
  /** Kendall's tau-b. */
  kendall: Figure;
  /** How far scores are from the labels on average. */
  meanAbsoluteError: Figure;
  /** How far the judge's confidence is from how often it is right, in ten bins. It never has an interval. */
  expectedCalibrationError: Figure;
  /** The mean of the squares of the same, row by row: 0 at best, 0.25 for a judge that always says 0.5. */
  brier: Figure;
  /** How often each label (row) was judged as each class (column). */
  confusion: { labels: unknown[]; matrix: number[][] } | null;
  /** The same of true and false, with repetitions counted as one: what `correctRate` goes by. */
  verdicts: VerdictCounts | null;
  /** What the judge and people see differently: what it was surest of first. */
  disagreements: Disagreement[];
  /** How likely two runs on the same example come to different verdicts. */
  flicker: Figure;
  /** Whom the judge favours, beside what people say. */
  bias: {
    /** By how much more what stands first exceeds its label than what stands elsewhere. */
    position: Figure;
    /** How the length of an answer correlates with by how much its score exceeds its label (Spearman). */
    verbosity: Figure;
    /** By how much more what the model of the judge wrote exceeds its label than what others wrote. */
    selfPreference: Figure;
  };
  /** How far people agree with each other; `null` for one person. */
  people: Ceiling | null;
  /** Why a figure is `null`, or has no interval, by its name, such as `alpha.ordinal`. */
  notes: Record<string, string>;
}
