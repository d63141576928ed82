/** What the batch APIs of providers have in common. */

import type { OpenEvalsError } from "../../../core/errors.js";
import type { Connection } from "./connection.js";

/** A question on its way into a batch: the body of a request, as the engine would have posted it. */
export interface BatchQuestion {
  /** What it is known by in a batch: a hash of what is asked, where, and for which time. */
  id: string;
  provider: string;
  model: string;
  connection: Connection;
  body: string;
  /** Answers it as the provider would have: with an HTTP status and a body. */
  answer(status: number, body: string): void;
  fail(error: OpenEvalsError): void;
}

/** A batch that was submitted, or is about to be. */
export interface Submission {
  provider: string;
  /** What tells it from other batches of the account, before its id is known: random. */
  key: string;
  /** When it was begun, in ISO 8601. */
  createdAt: string;
  /** The id that the provider gave it; unknown until it is told. */
  batch?: string;
  /** Whether it was only taken for ours, by its time and size. */
  isGuess?: boolean;
  /** The ids of its questions. */
  requests: string[];
}

/** How far a batch has come. */
export interface Status {
  isOver: boolean;
  /** How many of its questions have an answer or an error. */
  answered: number;
  /** Why it is over, if not because all is answered. */
  end?: "expired" | "cancelled" | undefined;
  /** What it failed with. */
  problem?: string | undefined;
  /** What the provider told, where its results can be found. */
  told: any;
}

/** What came of a question: an answer of the API, or why there is none. */
export type Result = { id: string } & (
  | { status: number; body: unknown }
  | { end: "expired" | "cancelled" }
  | { problem: string }
);

/** The batches of a provider. */
export interface BatchApi {
  /** How much goes into one. */
  limits: { requests: number; bytes: number };
  /** A question as it stands in a batch: JSON text on one line. */
  entry(question: BatchQuestion): string;
  /** Submits a batch; resolves to its id. */
  submit(connection: Connection, key: string, entries: readonly string[]): Promise<string>;
  /** Looks for a batch that was submitted without having been told its id; `known` are the ids of others of ours. */
  find(
    connection: Connection,
    submission: Submission,
    known: ReadonlySet<string>,
  ): Promise<{ batch: string; isGuess?: true } | undefined>;
  status(connection: Connection, batch: string): Promise<Status>;
  /** What came of the questions, in any order. */
  results(connection: Connection, batch: string, status: Status): AsyncIterable<Result>;
  cancel(connection: Connection, batch: string): Promise<unknown>;
}
