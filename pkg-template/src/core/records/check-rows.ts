/** Validates the rows of experiments before they are compared: they may be written by hand, or by another version. */

import { invalidInput, type OpenEvalsError } from "../errors.js";
import { isListOf, show } from "../input/checks.js";
import { isObject } from "../input/objects.js";
import { isScore } from "./score.js";
import type { Experiment } from "./types.js";

/**
 * Rejects an experiment whose rows cannot be compared.
 *
 * @param name The name of the experiment in messages, such as `first experiment`.
 * @throws {@link OpenEvalsError} `invalid_input` with the place of the problem.
 */
export function checkRows(experiment: unknown, name: string): void {
  const { rowCount, rows } = (experiment ?? {}) as Partial<Experiment>;
  if (rowCount && Array.isArray(rows) && !rows.length) {
    throw invalidInput(
      `The ${name} did not keep its ${rowCount} rows. Read them from its sink with readExperiment(), or set output: { keepRows: true }`,
    );
  }
  checkEach(experiment, name);
}

/** Rejects values that are not rows of an experiment, and invalid results. */
export function checkEach(experiment: unknown, name: string): void {
  const rows = rowsOf(experiment, name);
  const hasClusters = rows[0]?.cluster !== undefined;
  for (const [index, { example, cluster, run, evaluationResults, errors }] of rows.entries()) {
    const place = `rows[${index}]`;
    if (!isObject(example) || !isObject(run) || !Array.isArray(evaluationResults)) {
      throw invalidInput(
        `${place} of the ${name} is not a row of an experiment: it needs example, run and evaluationResults`,
      );
    }
    const { id } = example as { id?: unknown };
    // Files by hand may have none, or numbers.
    if (id != null && typeof id !== "string" && typeof id !== "number")
      throw invalidInput(`${place}.example.id of the ${name} has to be a text`);
    if (cluster !== undefined && typeof cluster !== "string")
      throw invalidInput(`${place}.cluster of the ${name} has to be a text`);
    if ((cluster !== undefined) !== hasClusters)
      throw invalidInput(
        `${place} of the ${name} has ${hasClusters ? "no" : "a"} cluster, unlike rows[0]. Give each row its cluster, or none`,
      );
    checkResults(evaluationResults, `${place}.evaluationResults`, name);
    // Rows written by hand may have none.
    if (errors != null && !isListOf(errors, isFailure)) throw withoutErrors(place, name);
  }
}

/** The error for a row whose errors are missing or invalid. */
export const withoutErrors = (place: string, name: string): OpenEvalsError =>
  invalidInput(`${place} of the ${name} needs errors, a list of { key, error }`);

const isFailure = (failure: unknown): boolean => {
  const { key, error } = Object(failure) as { key?: unknown; error?: unknown };
  return typeof key === "string" && isObject(error);
};

/** Rejects summary results without a key, or with another score than results of rows have. */
export function checkSummaries(summaryResults: unknown, name: string): void {
  if (!Array.isArray(summaryResults)) throw invalidInput(`The ${name} needs summaryResults, a list`);
  checkResults(summaryResults, "summaryResults", name);
}

/** The rows of an experiment, which may be anything. */
export function rowsOf(experiment: unknown, name: string): Record<string, unknown>[] {
  const { rows } = (experiment ?? {}) as { rows?: unknown };
  if (!Array.isArray(rows)) {
    let problem = experiment instanceof Promise ? "is a promise; await it" : "has no rows";
    if (typeof experiment === "string") problem = "is a text; read a file with readExperiment()";
    throw invalidInput(
      `The ${name} ${problem}. An experiment is the result of evaluate(), or its JSON, parsed`,
    );
  }
  // Array.from turns gaps into undefined.
  return Array.from(rows, (row) => row ?? {});
}

function checkResults(results: readonly unknown[], place: string, name: string): void {
  for (const [index, result] of Array.from(results).entries()) {
    const { key, score, comment } = (result ?? {}) as Record<string, unknown>;
    const isResult = typeof key === "string" && (comment == null || typeof comment === "string");
    if (isResult && isScore(score)) continue;
    const problem = isResult
      ? `has the score ${show(score)}; a score is true, false, a finite number or null`
      : "is not a result: it needs a key, and its comment has to be a string";
    throw invalidInput(`${place}[${index}] of the ${name} ${problem}`);
  }
}
