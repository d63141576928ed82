/** The rows of a batch. */

import { inPlace, invalidInput, isOurs } from "../errors.js";
import { type ComparedValues, readOutputParams, readParams } from "./params.js";

/** Reads every row of a batch. Messages name the row. */
export function readRows(evaluator: string, rows: readonly unknown[]): ComparedValues[] {
  if (!Array.isArray(rows))
    throw invalidInput(`${evaluator}.batch needs a list of { outputs, referenceOutputs }`);
  // Holes count as rows, so that the results keep the order.
  return Array.from(rows, (row, index) => readParams(`rows[${index}]: ${evaluator}`, row));
}

/** The same for an evaluator without a reference: the outputs of every row. */
export function readOutputRows(evaluator: string, rows: readonly unknown[]): NonNullable<unknown>[] {
  if (!Array.isArray(rows)) throw invalidInput(`${evaluator}.batch needs a list of { outputs }`);
  return Array.from(rows, (row, index) => readOutputParams(`rows[${index}]: ${evaluator}`, row));
}

/** Scores the rows of a batch in parallel. An error names its row. */
export async function scoreBatch<Row, T>(
  evaluator: string,
  rows: readonly Row[],
  score: (row: Row) => Promise<T>,
): Promise<T[]> {
  if (!Array.isArray(rows)) throw invalidInput(`${evaluator}.batch needs a list of rows`);
  return allRows(rows, score);
}

/** Scores all rows in parallel. An error names its row. */
export function allRows<Row, T>(rows: readonly Row[], score: (row: Row) => Promise<T>): Promise<T[]> {
  const failed = (index: number, error: unknown) =>
    Promise.reject(isOurs(error) ? inPlace(`rows[${index}]`, error) : error);
  return Promise.all(Array.from(rows, (row, index) => score(row).catch((error) => failed(index, error))));
}
