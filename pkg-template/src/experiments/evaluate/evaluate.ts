import { typedWork } from "../../core/errors.js";
import { readable } from "../../core/input/checks.js";
import { onUse } from "../../core/platform/on-use.js";
import type { Experiment, ExperimentRow } from "../../core/records/types.js";
import type { ScoreScale } from "../../core/scale.js";
import type { EstimateOptions, ExperimentEstimate } from "./budget/estimate-types.js";
import { type EvaluateOptions, type Plan, readPlan } from "./options.js";
import { RowStream } from "./rows/row-stream.js";
import { runExperiment } from "./run.js";
import type { Target } from "./target.js";

/** An experiment under way: its rows as they finish, and, awaited, what it comes to. */
export interface RunningExperiment extends Promise<Experiment>, AsyncIterable<ExperimentRow> {
  /** What the scores of the rows so far mean, by key. */
  scales(): Record<string, ScoreScale>;
}

/**
 * Runs an application over data and scores its answers.
 *
 * It has the shape of `evaluate` of `langsmith/evaluation`, and everything stays on this machine. What fails is recorded
 * and the run goes on: a target that throws becomes the `error` of its run, and its evaluators are not called; an
 * evaluator that throws stands in the `errors` of its row. Neither is ever a score: both are counted beside the scores in
 * `aggregates`.
 *
 * @param target The application: a function of the inputs, anything with `invoke`, such as a LangChain chain, or
 * `undefined` if the `outputs` of the rows are what was answered before.
 * @returns With `estimate` of {@link EstimateOptions} what it would use. Else an experiment that is under way. Iterated, it gives the rows as they finish, and all of them to each reader (where
 * rows are not kept, those that finish after it has begun to read); awaited, it gives the {@link Experiment}, whose rows are
 * in the order of the data, and which is plain data.
 * @throws {@link OpenEvalsError} `invalid_config` for options that cannot work, for a judge whose key or address is missing (before
 * the first row; with a `cache`, it is an error of the rows that the cache has no answer for), for evaluators that give the same
 * key, and a key of `calibration`, `stopWhen` or `passAt` that no result has; `invalid_input` for data that cannot be read,
 * `callback_failed` for data that throws. If rows were done by then, the `experiment` of the error has them.
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
 * @example Rows as they finish, of answers that were recorded before
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
export function evaluate(target: Target | undefined, options: EstimateOptions): Promise<ExperimentEstimate>;
export function evaluate(target: Target | undefined, options: EvaluateOptions): RunningExperiment;
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
    // Options that cannot be read are refused where they are.
    return false;
  }
}

/** What it would use, without a run or after that of a few rows. */
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
      // Who iterates is told of a failure at the end of the rows.
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
    if (!plan.keepRows) rows.letGo();
    return await typedWork("evaluate", () => runExperiment(plan, rows));
  } finally {
    rows.end();
  }
}
