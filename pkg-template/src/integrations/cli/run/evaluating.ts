/** Runs one experiment. */

import { anySignal } from "../../../core/abort.js";
import { aSignal, checkValue } from "../../../core/input/checks.js";
import { counted } from "../../../core/records/numerals.js";
import { rowCountOf } from "../../../core/records/row-count.js";
import type { Experiment, Failure } from "../../../core/records/types.js";
import { OPTIONAL_KEYS } from "../../../core/scale.js";
import {
  directoryCache,
  type EstimateOptions,
  type EvaluateOptions,
  type ExperimentDefinition,
  type ExperimentEstimate,
} from "../../../evaluation.js";
import type { Outcome } from "../../../experiments/presentation/outcome.js";
import { emptyShard, nothingMeasured } from "../../shared/nothing-measured.js";
import { keysOf } from "../../shared/score-limits.js";
import { budgetOf, showingProgress } from "../budget.js";
import { explained, Mistake } from "../mistake.js";
import { written } from "../options.js";
import { checkRanges, checkThresholds, scoreNotes, scoreProblems } from "../score-problems.js";
import { say } from "../terminal.js";
import type { DeclaredExperiment } from "./definitions.js";
import type { RunOptions } from "./options.js";
import { fileOf } from "./output.js";
import { shownOutput } from "./shown-rows.js";
import { TargetFailures } from "./target-failures.js";

/** Runs an experiment. Errors are recorded in the outcome. */
export async function outcomeOf(
  declared: DeclaredExperiment,
  options: RunOptions,
  signal: AbortSignal,
): Promise<Outcome> {
  const { file, name, matrix, definition } = declared;
  const { lowerIsBetter, failUnder, failOver } = limitsOf({}, options);
  let outcome: Outcome = { file, name, matrix, lowerIsBetter, failUnder, failOver, problems: [] };
  try {
    const limits = limitsOf(definition, options);
    const { lowerIsBetter, failUnder, failOver } = limits;
    outcome = { ...outcome, lowerIsBetter, failUnder, failOver };
    checkIsScored(definition);
    checkRowsAreKept(definition, limits, options);
    const names = declaredKeys(definition);
    if (names) checkThresholds(limits, names);
    const { evaluators = [], summaryEvaluators = [] } = definition;
    for (const side of [limits, options]) checkRanges(side, [...evaluators, ...summaryEvaluators]);
    const experiment = await evaluated(declared, options, signal);
    outcome.experiment = experiment;
    const { stopped } = experiment;
    if (stopped) {
      stopped.message = inFlags(stopped.message, options);
      const advice = continuation(experiment, stopped, definition, fileOf(name, options));
      return { ...outcome, mistake: `${stopped.message.replace(/\.?$/, ".")} ${advice}`, advice };
    }
    const mistake = nothingMeasured(experiment);
    if (mistake !== undefined) return { ...outcome, mistake };
    if (!rowCountOf(experiment)) {
      say(`${name}: ${emptyShard(experiment)}`);
      return outcome;
    }
    // Thresholds of the command may name keys of other experiments.
    for (const side of ["failUnder", "failOver"] as const)
      for (const [key, limit] of options[side])
        if (keysOf(experiment).includes(key)) limits[side].set(key, limit);
    outcome.notes = scoreNotes(experiment, limits);
    outcome.problems = scoreProblems(experiment, limits);
    return outcome;
  } catch (error) {
    const { experiment } = error as { experiment?: Experiment };
    return { ...outcome, ...(experiment && { experiment }), mistake: explained(error) };
  }
}

/** The message of a budget, with the option of the command if that set the limit. */
function inFlags(message: string, options: RunOptions): string {
  for (const name of ["maxCost", "maxTokens", "maxDuration"] as const)
    if (options[name] !== undefined)
      message = message.replace(new RegExp(`: ${name}(Ms)? is `), `: --${written(name)} is `);
  return message;
}

/** The advice for continuing, with the place of the finished rows. */
function continuation(
  experiment: Experiment,
  { code }: Failure,
  { output: { sink, resume } = {} }: ExperimentDefinition,
  file: string | undefined,
): string {
  const limit = code === "budget_exceeded" ? " with a higher limit" : "";
  if (typeof sink === "string") {
    const how = resume ? "run it again" : "run it again with output.resume: true in its definition";
    return `${sink} has the finished rows; to continue, ${how}${limit}.`;
  }
  const rows = counted(rowCountOf(experiment), "row");
  const kept =
    file === undefined
      ? `The experiment stopped early; it starts from the beginning when you run it again${limit}`
      : `${file} has the ${rows} that finished; to start from the beginning, run it again with --overwrite${limit && " and a higher limit"}`;
  return `${kept}. To be able to continue, add output: { sink: "results.jsonl", resume: true } to the definition.`;
}

/** The limits of its scores, from the definition and the command. */
function limitsOf(definition: Partial<ExperimentDefinition>, options: RunOptions) {
  return {
    failUnder: new Map(Object.entries(definition.failUnder ?? {})),
    failOver: new Map(Object.entries(definition.failOver ?? {})),
    maxErrors: options.maxErrors ?? definition.maxErrors,
    eachAtLeast: options.eachAtLeast ?? definition.eachAtLeast,
    lowerIsBetter: [...(definition.lowerIsBetter ?? []), ...options.lowerIsBetter],
  };
}

/** Rejects an experiment without evaluators before its target is called. */
function checkIsScored({ evaluators = [], summaryEvaluators = [] }: ExperimentDefinition): void {
  if (evaluators.length || summaryEvaluators.length) return;
  throw new Mistake("The experiment has no evaluators; add some to evaluators or summaryEvaluators.");
}

/** The keys of the evaluators; `undefined` if one of them does not declare its key. */
function declaredKeys({
  evaluators = [],
  summaryEvaluators = [],
}: ExperimentDefinition): string[] | undefined {
  const keys = [...evaluators, ...summaryEvaluators].map((evaluator) => Object(evaluator).feedbackKey);
  return keys.every((key) => typeof key === "string") ? keys : undefined;
}

/** Rejects options that need rows if the experiment does not keep them. */
function checkRowsAreKept(
  { output }: ExperimentDefinition,
  { eachAtLeast }: Pick<RunOptions, "eachAtLeast">,
  { baseline, eachAtLeast: asked }: RunOptions,
): void {
  if (output?.keepRows ?? true) return;
  const reader =
    asked !== undefined
      ? "--each-at-least"
      : eachAtLeast !== undefined
        ? "eachAtLeast"
        : baseline !== undefined
          ? "--baseline"
          : undefined;
  if (reader === undefined) return;
  throw new Mistake(
    `${reader} needs the rows, which the experiment does not keep; remove output.keepRows: false or ${reader}.`,
  );
}

/** Estimates an experiment. */
export async function estimateOf(
  declared: DeclaredExperiment,
  options: RunOptions,
  estimate: EstimateOptions["estimate"],
  signal: AbortSignal,
): Promise<ExperimentEstimate> {
  const { target, asked } = await askedOf(declared, options, signal);
  return declared.evaluate(target, { ...asked, estimate });
}

async function evaluated(
  declared: DeclaredExperiment,
  options: RunOptions,
  signal: AbortSignal,
): Promise<Experiment> {
  const { target, asked } = await askedOf(declared, options, signal);
  const failures = new TargetFailures();
  try {
    return await declared.evaluate(target && failures.watch(target), {
      ...asked,
      output: shownOutput(declared.name, asked.output),
    });
  } finally {
    for (const line of failures.lines()) say(line);
  }
}

/** The arguments of `evaluate()`. */
async function askedOf({ name, definition }: DeclaredExperiment, options: RunOptions, signal: AbortSignal) {
  const { target, name: _, failUnder, failOver, maxErrors, eachAtLeast, ...own } = definition;
  if ((own as Partial<EstimateOptions>).estimate) {
    throw new Mistake(
      "estimate is not an option of an experiment; pass --estimate or --estimate-rows to the command instead.",
    );
  }
  const { concurrency, repeat, shard, cache, cacheMode, overwrite } = options;
  const tell = showingProgress();
  const asked: EvaluateOptions & { [OPTIONAL_KEYS]: readonly string[] } = {
    maxConcurrency: 4,
    ...own,
    judges: {
      ...own.judges,
      ...(cache !== undefined && { cache: directoryCache(cache) }),
      ...(cacheMode !== undefined && { cacheMode }),
    },
    output: {
      // Also with a sink, since reports and other formats are made from rows.
      keepRows: true,
      ...own.output,
      ...(overwrite && typeof own.output?.sink === "string" && !own.output.resume && { overwrite }),
    },
    budget: await budgetOf(options, own.budget),
    lowerIsBetter: limitsOf(definition, options).lowerIsBetter,
    [OPTIONAL_KEYS]: options.lowerIsBetter,
    ...(concurrency !== undefined && { maxConcurrency: concurrency }),
    ...(repeat !== undefined && { numRepetitions: repeat }),
    ...(shard && { shard }),
    experimentPrefix: name,
    progress: own.progress ?? own.onProgress === undefined,
    onProgress(progress) {
      tell(progress);
      return own.onProgress?.(progress);
    },
    signal: withOwn(signal, own.signal),
  };
  return { target, asked };
}

function withOwn(signal: AbortSignal, own: AbortSignal | undefined): AbortSignal {
  checkValue("signal", own, aSignal);
  return own ? anySignal(signal, own) : signal;
}
