/** Summary evaluators, which score all rows together. */

import { unlessAborted } from "../../core/abort.js";
import { invalidConfig, invalidInput } from "../../core/errors.js";
import { checkedParams } from "../../core/input/checked-params.js";
import { check, isListOf, show } from "../../core/input/checks.js";
import { ownCopy } from "../../core/input/own-copy.js";
import { toText } from "../../core/input/text.js";
import type { Signal } from "../../core/platform/globals.js";
import type { Experiment, Failure, SummaryEvaluatorParams, SummaryResult } from "../../core/records/types.js";
import { plainFields } from "../../evaluators/calls/plain.js";
import { checkNoFailure, readScore, withoutScore } from "../../evaluators/calls/read-results.js";
import type { EvaluatorReturn } from "../../evaluators/calls/row-evaluators.js";
import { scopeWith } from "../../models/chat/signals/signal-scope.js";
import { recordedFailure } from "./recorded-failure.js";

/**
 * A function over all rows: `({ inputs, outputs, referenceOutputs, runs, examples, … })`, any subset of these, or
 * `(runs, examples)` as older ones of LangSmith. It returns `{ key, score }`, a list of these, `{ results }` with such
 * a list, or a score, whose key is then the name of the function. `{ name, score }`, as on some pages of LangSmith, is
 * the same as `{ key, score }`; `key` takes precedence.
 */
export type SummaryEvaluator = (params: any, examples?: any) => EvaluatorReturn | Promise<EvaluatorReturn>;

export const aListOfSummaryEvaluators = check("a list of functions", (list) => {
  return isListOf(list, (evaluator) => typeof evaluator === "function");
});

/** Rejects summary evaluators of an experiment that does not keep its rows. */
export function checkRowsAreKept(evaluators: readonly SummaryEvaluator[], keepRows: boolean): void {
  if (!evaluators.length || keepRows) return;
  throw invalidConfig("summaryEvaluators need the rows. Set output.keepRows to true, or leave them out");
}

/** Calls summary evaluators in order, and yields the results of each. */
export async function* summaries(
  evaluators: readonly SummaryEvaluator[],
  found: () => Pick<Experiment, "rows" | "scales">,
  signal?: Signal,
): AsyncGenerator<SummaryResult[]> {
  if (!evaluators.length) return;
  const experiment = found();
  const inScope = await scopeWith(signal);
  const keys = new Set<string>();
  for (const [index, evaluator] of evaluators.entries()) {
    // Each may change its arguments.
    const params = summaryParams(ownCopy(experiment));
    const results = await unlessAborted(signal, () => inScope(() => summarise(evaluator, index, params)));
    const own: SummaryResult[] = [];
    for (const result of results) {
      const { key } = result;
      own.push(keys.has(key) ? { key, error: await repeated(key) } : result);
      keys.add(key);
    }
    yield own;
  }
}

/** Limits and comparisons could not tell two results with the same key apart. */
const repeated = (key: string): Promise<Failure> =>
  recordedFailure(
    invalidConfig(`Another summary result has the key ${show(key)}; give one of them another feedbackKey`),
  );

/** The parameters of summary evaluators. */
function summaryParams({ rows, scales }: Pick<Experiment, "rows" | "scales">): SummaryEvaluatorParams {
  const answered = rows.filter(({ run }) => !run.error);
  return checkedParams({
    inputs: answered.map(({ example }) => example.inputs),
    outputs: answered.map(({ run }) => run.outputs ?? {}),
    referenceOutputs: answered.map(({ example }) => example.outputs ?? {}),
    runs: answered.map(({ run }) => run),
    examples: answered.map(({ example }) => example),
    ...(answered[0]?.cluster !== undefined && { clusters: answered.map(({ cluster }) => cluster as string) }),
    evaluationResults: answered.map(({ evaluationResults }) => evaluationResults),
    evaluationErrors: answered.map(({ errors }) => errors),
    ...(scales && { scales }),
    errors: rows.length - answered.length,
  });
}

/** Calls a summary evaluator. If it throws, the result has an `error`. */
async function summarise(
  evaluator: SummaryEvaluator,
  index: number,
  params: SummaryEvaluatorParams,
): Promise<SummaryResult[]> {
  const label = evaluator.name || `summaryEvaluators[${index}]`;
  try {
    const { runs, examples } = params;
    const returned = await (evaluator.length === 2 ? evaluator(runs, examples) : evaluator(params));
    const { results = returned } = (returned ?? {}) as { results?: unknown };
    return Array.from(Array.isArray(results) ? results : [results], (result) => readResult(result, label));
  } catch (error) {
    return [{ key: label, error: await recordedFailure(error) }];
  }
}

function readResult(returned: unknown, label: string): SummaryResult {
  const isScore = typeof returned === "number" || typeof returned === "boolean";
  const result = isScore ? { score: returned } : returned;
  if (typeof result !== "object" || result === null) {
    throw invalidInput(`${label} returned ${show(result)}; a summary evaluator returns { key, score }`);
  }
  const fields = result as Record<string, unknown>;
  const { name, key = name ?? label, error, score, value, interval, comment, metadata } = fields;
  checkNoFailure(error, label);
  if (typeof key !== "string" || !key)
    throw invalidInput(`${label} returned the key ${show(key)}; a key is a text`);
  if (score === undefined && value === undefined) throw withoutScore(label, key, fields);
  if (score != null) readScore(score, label, result);
  const said = comment == null ? undefined : toText(comment, `The comment of ${label}`);
  const known = { key, score, value, interval, comment: said, metadata };
  return plainFields(known, `The result of ${label}`) as SummaryResult;
}
