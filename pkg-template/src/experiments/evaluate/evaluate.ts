import { invalidConfig, typedWork } from "../../core/errors.js";
import { readable } from "../../core/input/checks.js";
import { onUse } from "../../core/platform/on-use.js";
import type { Experiment, ExperimentRow } from "../../core/records/types.js";
import type { ScoreScale } from "../../core/types.js";
import type { EstimateOptions, ExperimentEstimate } from "./budget/estimate-types.js";
import type { EvaluateOptions } from "./options/evaluate-options.js";
import { type Plan, readPlan } from "./options/plan.js";
import { RowStream } from "./rows/row-stream.js";
import { runExperiment } from "./run.js";
import type { Target } from "./target.js";

/** A running experiment: iterate it for rows as they finish, await it for the result. */
export interface RunningExperiment extends Promise<Experiment>, AsyncIterable<ExperimentRow> {
  /** The scales of the scores so far, by key. */
  scales(): Record<string, ScoreScale>;
}

/**
 * Runs an application over data and scores its answers.
 *
 * It has the signature of `evaluate` of `langsmith/evaluation`, and runs locally. Failures are recorded and the run continues: the
 * error of a target becomes the `error` of its run, and its evaluators are not called; the error of an evaluator is in the
 * `errors` of its row. A failure is never a score; `aggregates` count failures separately.
 *
 * @param target The application: a function of the inputs, or an object with `invoke`, such as a LangChain chain. `undefined` if
 * the `outputs` of the rows are recorded answers.
 * @returns A running experiment. Iterate it for the rows as they finish; each reader gets all rows, or, if rows are not
 * kept, those that finish after it started to read. Await it for the {@link Experiment}: plain data, with the rows in
 * the order of the data. With `estimate` of {@link EstimateOptions}, a promise of the estimated usage of the judges.
 * @throws {@link OpenEvalsError} `invalid_config` for options that do not work; for a judge without a key or an address, before the
 * first row (with a `cache`, as an error of the rows without an answer in it); for two evaluators with the same key; and for a key
 * of `calibration`, `stopWhen` or `passAt` without results. `invalid_input` for data that cannot be read or has no rows,
 * `callback_failed` for data that throws. The `experiment` of the error has the finished rows.
 *
 * @example
 * ```ts
 * import { exactMatch } from "openevals-wasm";
 * import { evaluate } from "openevals-wasm/evaluation";
 *
 * const capital = async ({ country }: { country: string }) => (country === "France" ? "Paris" : "I do not know");
 * const experiment = await evaluate(capital, {
 *   data: [
 *     { inputs: { country: "France" }, referenceOutputs: "Paris" },
 *     { inputs: { country: "Kenya" }, referenceOutputs: "Nairobi" },
 *   ],
 *   evaluators: [exactMatch],
 *   maxConcurrency: 8,
 * });
 * console.log(experiment.aggregates.exact_match?.mean); // 0.5
 * ```
 *
 * @example Rows as they finish, from recorded answers
 * ```ts
 * import { createLLMAsJudge, RAG_GROUNDEDNESS_PROMPT } from "openevals-wasm";
 * import { evaluate } from "openevals-wasm/evaluation";
 *
 * export async function print() {
 *   const grounded = createLLMAsJudge({ prompt: RAG_GROUNDEDNESS_PROMPT, model: "ollama:llama3.3" });
 *   const experiment = evaluate(undefined, {
 *     data: "answers.jsonl",
 *     evaluators: [grounded],
 *     mapInputs: ({ outputs }) => ({ context: outputs.documents, outputs: outputs.answer }),
 *   });
 *   for await (const { example, evaluationResults, errors } of experiment) {
 *     console.log(example.id, evaluationResults[0]?.score ?? errors[0]?.error.message);
 *   }
 *   return (await experiment).aggregates;
 * }
 * ```
 */
export function evaluate(
  target: Target | undefined,
  options: EvaluateOptions & { estimate?: undefined },
): RunningExperiment;
export function evaluate(target: Target | undefined, options: EstimateOptions): Promise<ExperimentEstimate>;
export function evaluate(
  target: Target | undefined,
  options: EvaluateOptions | EstimateOptions,
): RunningExperiment | Promise<ExperimentEstimate> {
  return asksForEstimate(options) ? estimateOf(target, options) : running(target, options);
}

function asksForEstimate(options: EvaluateOptions | EstimateOptions): options is EstimateOptions {
  try {
    return Boolean((options as Partial<EstimateOptions> | null)?.estimate);
  } catch {
    // Unreadable options are rejected when they are checked.
    return false;
  }
}

/** The estimated usage of the judges, from their questions or from a run of a few rows. */
async function estimateOf(target: Target | undefined, options: EstimateOptions): Promise<ExperimentEstimate> {
  const { estimate, plan } = readable("evaluate", () => {
    const { estimate, ...rest } = options;
    return { estimate, plan: readPlan(target, rest) };
  });
  return typedWork("evaluate", async () => {
    const { checkEstimate, estimated } = await onUse("The estimate", () => import("./budget/estimate.js"));
    checkEstimate(estimate);
    return estimated(plan, estimate);
  });
}

function running(target: Target | undefined, options: EvaluateOptions): RunningExperiment {
  const rows = new RowStream();
  const experiment = start(target, options, rows);
  return Object.assign(experiment, {
    scales: () => rows.scales(),
    async *[Symbol.asyncIterator]() {
      // An iterator throws the failure after the last row.
      experiment.catch(() => {});
      yield* rows;
      await experiment;
    },
  });
}

async function start(
  target: Target | undefined,
  options: EvaluateOptions,
  rows: RowStream,
): Promise<Experiment> {
  try {
    const plan: Plan = readable("evaluate", () => readPlan(target, options));
    if (options.evaluators && !plan.evaluators.length && !plan.summaryEvaluators.length) {
      throw invalidConfig(
        "evaluators is empty, so nothing would be measured. Add an evaluator, or leave evaluators out to collect outputs only",
      );
    }
    if (!plan.keepRows) rows.dropRows();
    return await typedWork("evaluate", () => runExperiment(plan, rows));
  } finally {
    rows.end();
  }
}
