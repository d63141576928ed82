/** The options of batches. */

import { aDuration, aString, type Checks, wholeFrom } from "../../../core/input/checks.js";

/**
 * - `direct`: judges are asked when an evaluator asks;
 * - `batch`: their questions are collected, and asked in batches, at half the price.
 */
export type JudgeMode = "direct" | "batch";

/** How the questions of judges are asked in batches. */
export interface BatchOptions {
  /**
   * The path of a file that says what was submitted, so that an experiment whose process was killed continues with its
   * batches when it is started again with the same options: nothing is asked twice. It holds the ids of batches and
   * hashes of questions, and is deleted when the experiment is done, unless batches of another one are in it. Without it,
   * nothing is resumed. One experiment at a time has a file: a `.lock` beside it says which process that is.
   */
  stateFile?: string | undefined;
  /** How long to wait between two looks at a batch; 15,000 ms by default. */
  pollMs?: number | undefined;
  /**
   * How long a batch may take. What is not answered by then is a failure of its rows, with the code `timeout`, and the
   * batch is cancelled. 25 hours by default, an hour more than the providers allow themselves.
   */
  timeLimitMs?: number | undefined;
  /** How many requests a batch may have, where that is fewer than the provider allows. */
  maxRequests?: number | undefined;
}

/** How far the batches of an experiment have come. */
export interface BatchProgress {
  /** How many questions judges have asked so far. */
  asked: number;
  /** How many of these are in batches that were submitted. */
  submitted: number;
  /** How many of these are answered, as far as the providers tell. */
  answered: number;
}

export const BATCH_OPTIONS: Checks<BatchOptions> = {
  stateFile: aString,
  pollMs: aDuration,
  timeLimitMs: aDuration,
  maxRequests: wholeFrom(1),
};
