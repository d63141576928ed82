/** Validates comparative experiments before they are shown: they may be written by hand, or by another version. */

import { invalidInput } from "../../core/errors.js";
import { isObject } from "../../core/input/objects.js";
import type { ComparativeExperiment } from "../../core/records/comparative.js";
import { isPrice } from "../../core/records/prices.js";

/** Whether it is a comparative experiment instead of an experiment. */
export const isComparative = (value: unknown): boolean => Array.isArray(Object(value).experiments);

/**
 * Rejects a comparative experiment that cannot be shown.
 *
 * @throws {@link OpenEvalsError} `invalid_input` with the field that is wrong.
 */
export function checkComparative(value: unknown): asserts value is ComparativeExperiment {
  const { experimentName, experiments, rows, aggregates, unpaired, prices } = Object(
    value,
  ) as ComparativeExperiment;
  need(typeof experimentName === "string", "needs experimentName, a text");
  need(
    isList(experiments, (one) => typeof one?.experimentName === "string"),
    "needs experiments, a list of { experimentName }",
  );
  need(
    isList(rows, ({ example, runs, evaluationResults, errors }) => {
      return (
        isObject(example) &&
        isList(runs, (run) => run === null || isObject(run)) &&
        isList(evaluationResults, ({ key, scores }) => typeof key === "string" && isObject(scores)) &&
        isList(errors, (one) => isObject(one?.error) && Array.isArray(one.runs))
      );
    }),
    "needs rows, a list of { example, runs, evaluationResults, errors }",
  );
  need(
    isObject(aggregates) &&
      Object.values(aggregates).every(({ pairs, ranking, positionBias }) => {
        return (
          isList(
            pairs,
            (pair) =>
              COUNTS.every((name) => Number.isFinite(pair[name])) &&
              isEstimate(pair) &&
              Number.isFinite(pair.unscored ?? 0),
          ) &&
          isList(ranking, (one) => typeof one?.name === "string" && isEstimate(one)) &&
          (positionBias == null || (Number.isFinite(positionBias.value) && isEstimate(positionBias)))
        );
      }),
    "needs aggregates, by key, with pairs and ranking",
  );
  need(prices === undefined || Object.values(Object(prices)).every(isPrice), "needs valid prices by model");
  need(
    isList(unpaired, (row) => [row.missing, row.failed, row.different].every(Array.isArray)),
    "needs unpaired, a list of { exampleId, missing, failed, different }",
  );
}

const COUNTS = ["wins", "ties", "losses", "count", "errors"] as const;

function need(isValid: boolean, what: string): void {
  if (!isValid)
    throw invalidInput(`The comparative experiment ${what}; it is the result of evaluateComparative()`);
}

const isList = <T>(value: readonly T[], test: (element: T) => boolean): boolean =>
  Array.isArray(value) && Array.from(value).every((element) => element !== undefined && test(element));

/** Figures are numbers, or null if they are unknown. */
function isEstimate(value: object): boolean {
  const { winRate, strength, pValue, adjustedPValue, interval } = value as Record<string, any>;
  const figures = [winRate, strength, pValue, adjustedPValue, interval?.low, interval?.high, interval?.level];
  return figures.every((figure) => figure == null || Number.isFinite(figure));
}
