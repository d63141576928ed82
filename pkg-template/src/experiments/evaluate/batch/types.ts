/** The common interface of the providers' batch APIs. */

import type { OpenEvalsError } from "../../../core/errors.js";
import type { Connection } from "./connection.js";

/** A question for a batch: the body of a request, as the engine would post it. */
export interface BatchQuestion {
  /** Its id in a batch: a hash of the question, its address, and the number of the repetition. */
  id: string;
  provider: string;
  model: string;
  connection: Connection;
  body: string;
  /** Answers it with an HTTP status and a body, as the provider would. */
  answer(status: number, body: string): void;
  fail(error: OpenEvalsError): void;
}

/** A batch that is or will be submitted. */
export interface Submission {
  provider: string;
  /** A random key that identifies it in the account before its id is known. */
  key: string;
  /** The start of the submission, in ISO 8601. */
  createdAt: string;
  /** The id of the file with its questions, once that is uploaded. */
  file?: string;
  /** The provider's id, once it is known. */
  batch?: string;
  /** Whether it is only assumed to be ours, by its time and size. */
  isGuess?: boolean;
  /** The ids of its questions. */
  requests: string[];
}

/** The state of a batch. */
export interface Status {
  isOver: boolean;
  /** The number of its questions with an answer or an error. */
  answered: number;
  /** Why it ended, unless all questions are answered. */
  end?: "expired" | "cancelled" | undefined;
  /** The reason of its failure. */
  problem?: string | undefined;
  /** The provider's response, which has the place of the results. */
  response: any;
}

/** The outcome of a question: a response of the API, or why there is none. */
export type Result = { id: string } & (
  | { status: number; body: unknown }
  | { end: "expired" | "cancelled" }
  | { problem: string }
);

/** The batches of a provider. */
export interface BatchApi {
  /** The limits of a batch. */
  limits: { requests: number; bytes: number };
  /** The JSON text of a question in a batch, on one line. */
  entry(question: BatchQuestion): string;
  /** Submits a batch; resolves to its id. */
  submit(connection: Connection, submission: Submission, entries: readonly string[]): Promise<string>;
  /** Looks for a submitted batch without a known id; `known` has the ids of our other batches. */
  find(
    connection: Connection,
    submission: Submission,
    known: ReadonlySet<string>,
  ): Promise<{ batch: string; file?: string; isGuess?: true } | undefined>;
  status(connection: Connection, batch: string): Promise<Status>;
  /** The outcomes of the questions, in any order. */
  results(connection: Connection, batch: string, status: Status): AsyncIterable<Result>;
  cancel(connection: Connection, batch: string): Promise<unknown>;
  /** Deletes what was uploaded for a batch that is over, or was not submitted. */
  discard?(connection: Connection, submission: Submission): Promise<unknown>;
}
