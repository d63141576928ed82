/** Whether what is shown or compared is an experiment: it may have been written by hand, or by another version. */

import { invalidInput, OpenEvalsError } from "../errors.js";
import type { Experiment } from "./types.js";

/**
 * Refuses what has no rows that can be compared.
 *
 * @param name What messages call it, such as `first experiment`.
 * @throws {@link OpenEvalsError} `invalid_input`, which says where it is wrong.
 */
export function checkRows(experiment: unknown, name: string): void {
  for (const [index, { example, run, evaluationResults }] of rowsOf(experiment, name).entries()) {
    const place = `rows[${index}]`;
    if (!isObject(example) || !isObject(run) || !Array.isArray(evaluationResults)) {
      throw invalidInput(
        `${place} of the ${name} is no row of an experiment: it needs example, run and evaluationResults`,
      );
    }
    checkResults(evaluationResults, `${place}.evaluationResults`, name);
  }
}

/** Refuses what cannot be shown; as {@link checkRows} does. */
export function checkExperiment(experiment: unknown, name: string): void {
  checkRows(experiment, name);
  for (const [index, { errors }] of rowsOf(experiment, name).entries()) {
    const areErrors = Array.isArray(errors) && Array.from(errors).every((one) => isObject(one?.error));
    if (!areErrors)
      throw invalidInput(`rows[${index}] of the ${name} needs errors, a list of { key, error }`);
  }
  const { experimentName, aggregates, summaryResults } = experiment as Experiment;
  if (typeof experimentName !== "string") throw invalidInput(`The ${name} needs experimentName, a text`);
  const areAggregates = isObject(aggregates) && Object.values(aggregates).every(isObject);
  if (!areAggregates) throw invalidInput(`The ${name} needs aggregates, an object with one for each key`);
  if (!Array.isArray(summaryResults)) throw invalidInput(`The ${name} needs summaryResults, a list`);
  checkResults(summaryResults, "summaryResults", name);
}

function rowsOf(experiment: unknown, name: string): Record<string, unknown>[] {
  const { rows } = (experiment ?? {}) as { rows?: unknown };
  if (!Array.isArray(rows)) {
    const problem = experiment instanceof Promise ? "is a promise, to be awaited" : "has no rows";
    throw invalidInput(
      `The ${name} ${problem}; an experiment is what evaluate() comes to, or what JSON.parse makes of it`,
    );
  }
  // Gaps become undefined, and what is no object has none of the fields.
  return Array.from(rows, (row) => row ?? {});
}

function checkResults(results: readonly unknown[], place: string, name: string): void {
  for (const [index, result] of Array.from(results).entries()) {
    const { key, comment } = (result ?? {}) as Record<string, unknown>;
    if (typeof key === "string" && (comment == null || typeof comment === "string")) continue;
    throw invalidInput(
      `${place}[${index}] of the ${name} is no result: it needs a key, and its comment has to be a text`,
    );
  }
}

const isObject = (value: unknown): value is object => typeof value === "object" && value !== null;
