/** Evaluators of several runs, in all their forms. */

import { invalidConfig, invalidInput } from "../../../core/errors.js";
import { show } from "../../../core/input/checks.js";
import { toText } from "../../../core/input/json.js";
import type { ComparativeResult } from "../../../core/records/comparative.js";
import type { Example, Run } from "../../../core/records/types.js";
import { plainFields } from "../../../evaluators/results/plain.js";
import { checkAccessOf } from "../evaluators/evaluators.js";

/** What an evaluator of several runs is called with. */
export interface ComparativeCallParams {
  /** The runs that are compared. */
  runs: Run[];
  example: Example;
  /** What was asked. */
  inputs: any;
  /** What each of the runs answered; `{}` where it has no outputs. */
  outputs: any[];
  /** What should have been answered. */
  referenceOutputs: any;
  /** The `attachments` of the example, if it has any. */
  attachments?: any;
}

/**
 * What compares runs: `({ runs, example, inputs, outputs, referenceOutputs })`, any subset of these, or `(runs, example)` as
 * older ones of LangSmith. It returns `{ key, scores: { [run.id]: score } }`; the key is the name of the function by default.
 */
export interface ComparativeEvaluator {
  (params: any, example?: any): object | Promise<object>;
  /** Whether it is called for each pair of runs, and not for all of them together. */
  comparesPairs?: boolean | undefined;
  /** What its key is until a result has told it. */
  feedbackKey?: string | undefined;
}

/** An evaluator that is ready to be called. */
export interface ReadComparative {
  /** What messages call it. */
  place: string;
  /** The key of its failures until a result has told it. */
  label: string;
  comparesPairs: boolean;
  /** Refuses a model whose key or address is missing, without asking it. */
  checkAccess(): Promise<void>;
  compare(example: Example, runs: Run[]): Promise<ComparativeResult>;
}

/** Reads a list of evaluators. */
export function readComparatives(evaluators: readonly ComparativeEvaluator[]): ReadComparative[] {
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
        // Each gets lists of its own: some put them into another order.
        const returned =
          evaluator.length === 2
            ? await evaluator([...runs], example)
            : await evaluator(paramsOf(example, [...runs]));
        return readScores(
          returned,
          label,
          runs.map(({ id }) => id),
        );
      },
    };
  });
}

function paramsOf(example: Example, runs: Run[]): ComparativeCallParams {
  const { inputs, outputs: referenceOutputs, attachments } = example;
  const outputs = runs.map((run) => run.outputs ?? {});
  return {
    runs,
    example,
    inputs,
    outputs,
    referenceOutputs,
    ...(attachments !== undefined && { attachments }),
  };
}

function readScores(returned: unknown, label: string, ids: string[]): ComparativeResult {
  const {
    key = label,
    scores,
    comment,
    metadata,
    sourceRunId,
    source_run_id,
  } = Object(returned) as Record<string, unknown>;
  if (typeof key !== "string" || !key)
    throw invalidInput(`${label} returned the key ${show(key)}; a key is a text`);
  if (typeof scores !== "object" || scores === null || Array.isArray(scores)) {
    throw invalidInput(
      `${label} returned ${show(returned)}; an evaluator of several runs returns { key, scores: { [run.id]: score } }`,
    );
  }
  const read = Object.entries(scores).map(([id, score]): [string, number | boolean | null] => {
    if (!ids.includes(id))
      throw invalidInput(`${label} returned a score for ${show(id)}, which is no run that it was given`);
    if (score == null) return [id, null];
    if (typeof score === "boolean" || Number.isFinite(score)) return [id, score];
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
