/** Evaluators of several runs. */

import { invalidConfig, invalidInput } from "../../../core/errors.js";
import { checkedParams } from "../../../core/input/checked-params.js";
import { show } from "../../../core/input/checks.js";
import { isRecord } from "../../../core/input/objects.js";
import { ownCopy } from "../../../core/input/own-copy.js";
import { toText } from "../../../core/input/text.js";
import type { ComparativeResult } from "../../../core/records/comparative.js";
import { isScore } from "../../../core/records/score.js";
import type { Example, Run } from "../../../core/records/types.js";
import { plainFields } from "../../../evaluators/calls/plain.js";
import { checkNoFailure } from "../../../evaluators/calls/read-results.js";
import { checkAccessOf } from "../../../evaluators/calls/row-evaluators.js";

/** The parameters of an evaluator of several runs. */
export interface ComparativeCallParams {
  /** The runs to compare. */
  runs: Run[];
  example: Example;
  /** The input of the application. */
  inputs: any;
  /** The answer of each run; `{}` without outputs. */
  outputs: any[];
  /** The expected answer. */
  referenceOutputs: any;
  /** The `attachments` of the example, if it has any. */
  attachments?: any;
}

/**
 * A function that compares runs. It gets `{ runs, example, inputs, outputs, referenceOutputs }`, or `(runs, example)` as older
 * evaluators of LangSmith, and returns `{ key, scores: { [run.id]: score } }`. The default key is the name of the function.
 */
export interface ComparativeEvaluator {
  (params: any, example?: any): object | Promise<object>;
  /** Whether it is called for each pair of runs instead of all runs. */
  comparesPairs?: boolean | undefined;
  /** Its key before the first result. */
  feedbackKey?: string | undefined;
}

/** A checked evaluator. */
export interface CheckedComparativeEvaluator {
  /** Its name in messages. */
  place: string;
  /** The key of its failures before the first result. */
  label: string;
  comparesPairs: boolean;
  /** Rejects a model without a key or an address, before it is asked. */
  checkAccess(): Promise<void>;
  compare(example: Example, runs: Run[]): Promise<ComparativeResult>;
}

/** Reads a list of evaluators. */
export function readComparatives(evaluators: readonly ComparativeEvaluator[]): CheckedComparativeEvaluator[] {
  if (!Array.isArray(evaluators) || !evaluators.length)
    throw invalidConfig("evaluators has to be a list of at least one evaluator");
  return Array.from(evaluators as readonly ComparativeEvaluator[], (evaluator, index) => {
    const place = `evaluators[${index}]`;
    if (typeof evaluator !== "function")
      throw invalidConfig(`${place} is ${show(evaluator)}; it has to be a function of { runs, example, … }`);
    const { feedbackKey, name, comparesPairs } = evaluator;
    const label = [feedbackKey, name].find((one) => typeof one === "string" && one) ?? place;
    return {
      place,
      label,
      comparesPairs: comparesPairs === true,
      checkAccess: () => checkAccessOf(evaluator, label),
      async compare(example, runs) {
        // Each evaluator may change its arguments: some sort the runs in place.
        const own = ownCopy({ example, runs });
        const returned =
          evaluator.length === 2 ? await evaluator(own.runs, own.example) : await evaluator(paramsOf(own));
        return readScores(
          returned,
          label,
          runs.map(({ id }) => id),
        );
      },
    };
  });
}

function paramsOf({ example, runs }: { example: Example; runs: Run[] }): ComparativeCallParams {
  const { inputs, outputs: referenceOutputs, attachments } = example;
  const outputs = runs.map((run) => run.outputs ?? {});
  return checkedParams({
    runs,
    example,
    inputs,
    outputs,
    referenceOutputs,
    ...(attachments !== undefined && { attachments }),
  });
}

function readScores(returned: unknown, label: string, ids: string[]): ComparativeResult {
  const {
    key = label,
    scores,
    error,
    comment,
    metadata,
    sourceRunId,
    source_run_id,
  } = Object(returned) as Record<string, unknown>;
  if (typeof key !== "string" || !key)
    throw invalidInput(`${label} returned the key ${show(key)}; a key has to be a text`);
  checkNoFailure(error, label);
  if (!isRecord(scores)) {
    throw invalidInput(
      `${label} returned ${show(returned)}; an evaluator of several runs returns { key, scores: { [run.id]: score } }`,
    );
  }
  const read = Object.entries(scores).map(([id, score]): [string, number | boolean | null] => {
    if (!ids.includes(id))
      throw invalidInput(`${label} returned a score for ${show(id)}, which is not the id of one of its runs`);
    if (isScore(score)) return [id, score ?? null];
    throw invalidInput(
      `${label} returned the score ${typeof score === "number" ? score : show(score)}; a score is true, false or a finite number`,
    );
  });
  const found = {
    comment: comment == null ? undefined : toText(comment, `The comment of ${label}`),
    metadata: metadata ?? undefined,
    sourceRunId: sourceRunId ?? source_run_id,
  };
  return {
    key,
    runs: ids,
    scores: Object.fromEntries(read),
    ...plainFields(found, `The result of ${label}`),
  } as ComparativeResult;
}
