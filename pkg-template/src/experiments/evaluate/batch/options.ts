/** The options of batches. */

import { aDuration, aString, type OptionChecks, wholeFrom } from "../../../core/input/checks.js";

/**
 * - `direct`: questions are sent at once;
 * - `batch`: questions are collected and sent in batches, at half the price.
 */
export type JudgeMode = "direct" | "batch";

/** How the questions of judges are asked in batches. */
export interface BatchOptions {
  /**
   * The path of a file with the submitted batches. If the process is killed, start the experiment again with the same options: it
   * continues with its batches and asks nothing twice. The file has ids of batches and hashes of questions, and is deleted when
   * the experiment is done, unless it has batches of another experiment. Only one experiment at a time can use a file; a `.lock`
   * beside it names the process.
   */
  stateFile?: string | undefined;
  /** The interval between two requests for the state of a batch, in milliseconds; 15,000 by default. */
  pollMs?: number | undefined;
  /**
   * The longest time for a batch, in milliseconds; 25 hours by default, an hour more than the limit of providers. After that the
   * batch is cancelled, and questions without an answer are failures of their rows, with the code `timeout`.
   */
  timeLimitMs?: number | undefined;
  /** The largest number of requests in a batch; by default the limit of the provider. */
  maxRequests?: number | undefined;
}

/** The progress of the batches of an experiment. */
export interface BatchProgress {
  /** The number of questions so far. */
  asked: number;
  /** The number of questions in submitted batches. */
  submitted: number;
  /** The number of answered questions, as reported by the providers. */
  answered: number;
}

export const BATCH_OPTIONS: OptionChecks<BatchOptions> = {
  stateFile: aString,
  pollMs: aDuration,
  timeLimitMs: aDuration,
  maxRequests: wholeFrom(1),
};
