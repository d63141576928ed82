/** Runs one experiment. */

import { anySignal } from "../../../core/abort.js";
import { OpenEvalsError } from "../../../core/errors.js";
import { withStop } from "../../../core/full-stop.js";
import { aSignal, checkValue } from "../../../core/input/checks.js";
import { counted } from "../../../core/input/counted.js";
import { duration } from "../../../core/number-text.js";
import { OPTIONAL_KEYS } from "../../../core/passing.js";
import { MAX_MS } from "../../../core/platform/deadline.js";
import { rowCountOf } from "../../../core/records/row-count.js";
import type { BudgetLimit, Experiment, Failure } from "../../../core/records/types.js";
import {
  directoryCache,
  type EstimateOptions,
  type EvaluateOptions,
  type ExperimentDefinition,
  type ExperimentEstimate,
} from "../../../evaluation.js";
import { nothingMeasured } from "../../../presentation/limits/nothing-measured.js";
import { keysOf } from "../../../presentation/limits/score-limits.js";
import type { Outcome } from "../../../presentation/outcome.js";
import { budgetOf, ProgressReporter } from "../budget.js";
import { CliError } from "../cli-error.js";
import { withFlags } from "../cli-messages.js";
import { errorText } from "../error-text.js";
import { lostRowsText } from "../lost-rows.js";
import { say } from "../output/terminal.js";
import {
  checkKeys,
  checkRanges,
  completeNotes,
  resumedNotes,
  scoreNotes,
  scoreProblems,
  unmeasuredNotes,
} from "../score/score-problems.js";
import type { DeclaredExperiment } from "./definitions.js";
import type { RunOptions } from "./options.js";
import { fileOf } from "./output.js";
import { shownOutput } from "./shown-rows.js";
import { TargetFailures } from "./target-failures.js";

/** Runs an experiment. The outcome records errors; none is thrown. */
export async function outcomeOf(
  declared: DeclaredExperiment,
  options: RunOptions,
  signal: AbortSignal,
): Promise<Outcome> {
  const { file, name, matrix, definition } = declared;
  const { lowerIsBetter } = options;
  let outcome: Outcome = { file, name, matrix, lowerIsBetter, problems: [] };
  try {
    const limits = limitsOf(definition, options);
    outcome = { ...outcome, lowerIsBetter: limits.lowerIsBetter, limits };
    checkIsScored(definition);
    checkRowsAreKept(definition, limits, options);
    const names = declaredKeys(definition);
    if (names) checkKeys({ failUnder: limits.failUnder, failOver: limits.failOver }, names, true);
    const { evaluators = [], summaryEvaluators = [] } = definition;
    for (const source of [limits, options]) checkRanges(source, [...evaluators, ...summaryEvaluators]);
    const progress = new ProgressReporter();
    const experiment = await evaluateExperiment(declared, options, signal, progress);
    outcome.experiment = experiment;
    const { stopped } = experiment;
    if (stopped) {
      stopped.message = withFlags(stopped.message, limitsByFlags(options));
      const advice = continuation(experiment, stopped, definition, fileOf(name, options));
      return { ...outcome, mistake: `${withStop(stopped.message)} ${advice}`, advice };
    }
    const { sink, resume } = definition.output ?? {};
    const isComplete = experiment.resumed === true && progress.hasRunNothing;
    const notes = [
      ...(isComplete && typeof sink === "string" ? await completeNotes(experiment, sink) : []),
      ...(resume === true ? resumedNotes(experiment, 'output.resume: "failed"') : []),
    ];
    outcome.notes = notes;
    const mistake = nothingMeasured(experiment);
    if (mistake !== undefined) return { ...outcome, mistake };
    outcome.notes = [...notes, ...unmeasuredNotes(experiment)];
    if (!rowCountOf(experiment)) return outcome;
    // A threshold of the command may be for another experiment of the run.
    for (const side of ["failUnder", "failOver"] as const)
      for (const [key, limit] of options[side])
        if (keysOf(experiment).includes(key)) limits[side].set(key, limit);
    outcome.notes = [...outcome.notes, ...scoreNotes(experiment, limits)];
    outcome.problems = scoreProblems(experiment, limits);
    return outcome;
  } catch (error) {
    const { experiment } = error as { experiment?: Experiment };
    const { sink, resume } = definition.output ?? {};
    const again = resume ? "another run" : "another run with output.resume: true in the definition";
    const lost = await lostRowsText(error, sink, again);
    const text = mistakeText(error, options);
    return {
      ...outcome,
      ...(experiment && { experiment }),
      mistake: lost ? `${withStop(text)}${lost}` : text,
    };
  }
}

/** The text of an error, which names `--pass-at` if that has the mark at fault. */
function mistakeText(error: unknown, { passAt }: RunOptions): string {
  const text = errorText(error);
  const isOfCommand = [...passAt.keys()].some((key) => text.startsWith(`${key}: passAt `));
  return isOfCommand ? withFlags(text, ["passAt"]) : text;
}

/** The limits of the budget that the command sets. A definition may set the others. */
function limitsByFlags({ maxCost, maxTokens, maxDuration: maxDurationMs }: RunOptions): BudgetLimit[] {
  const limits = { maxCost, maxTokens, maxDurationMs };
  return (Object.keys(limits) as BudgetLimit[]).filter((name) => limits[name] !== undefined);
}

/** How to continue a stopped experiment, and where its finished rows are. */
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

/** The limits of scores, from the definition and the command. */
function limitsOf(definition: Partial<ExperimentDefinition>, options: RunOptions) {
  return {
    failUnder: new Map(Object.entries(definition.failUnder ?? {})),
    failOver: new Map(Object.entries(definition.failOver ?? {})),
    maxErrors: options.maxErrors ?? definition.maxErrors,
    eachAtLeast: options.eachAtLeast ?? definition.eachAtLeast,
    lowerIsBetter: [...(definition.lowerIsBetter ?? []), ...options.lowerIsBetter],
  };
}

/** The pass marks of the definition, overridden by those of the command. */
function passMarksOf({ passAt }: ExperimentDefinition, options: RunOptions): ExperimentDefinition["passAt"] {
  const [first] = options.passAt;
  if (!first) return passAt;
  if (typeof passAt === "number")
    throw new CliError(
      `passAt is ${passAt} for all keys, so --pass-at cannot set it for "${first[0]}"; write it by key in the definition, such as passAt: { ${JSON.stringify(first[0])}: ${passAt} }.`,
    );
  return { ...passAt, ...Object.fromEntries(options.passAt) };
}

/** Rejects an experiment without evaluators before its target is called. */
function checkIsScored({ evaluators = [], summaryEvaluators = [] }: ExperimentDefinition): void {
  if (evaluators.length || summaryEvaluators.length) return;
  throw new CliError("The experiment has no evaluators; add some to evaluators or summaryEvaluators.");
}

/** The keys of the evaluators; `undefined` if one of them does not declare its keys. */
export function declaredKeys({
  evaluators = [],
  summaryEvaluators = [],
}: ExperimentDefinition): string[] | undefined {
  const keys = [...evaluators, ...summaryEvaluators].flatMap((entry) => {
    const { evaluator = entry } = Object(entry);
    const { feedbackKey, resultKeys = [feedbackKey] } = Object(evaluator);
    return resultKeys;
  });
  return keys.every((key) => typeof key === "string") ? keys : undefined;
}

/** Rejects options that need rows if the experiment does not keep them. */
function checkRowsAreKept(
  { output }: ExperimentDefinition,
  { eachAtLeast }: Pick<RunOptions, "eachAtLeast">,
  options: RunOptions,
): void {
  if (output?.keepRows ?? true) return;
  const needed = {
    "--each-at-least": options.eachAtLeast,
    eachAtLeast,
    "--baseline": options.baseline,
    "--report": options.report,
  };
  const [option] = Object.entries(needed).find(([, value]) => value !== undefined) ?? [];
  if (option === undefined) return;
  throw new CliError(
    `${option} needs the rows, which the experiment does not keep; remove output.keepRows: false or ${option}.`,
  );
}

/** Estimates the tokens and the cost of an experiment. */
export async function estimateExperiment(
  declared: DeclaredExperiment,
  options: RunOptions,
  estimate: EstimateOptions["estimate"],
  signal: AbortSignal,
): Promise<ExperimentEstimate> {
  const progress = new ProgressReporter();
  const { target, evaluateOptions } = await evaluateArguments(declared, options, signal, progress);
  return declared.evaluate(target, { ...evaluateOptions, estimate });
}

/** Runs `evaluate()`, and reports where in the user's code the target failed. */
async function evaluateExperiment(
  declared: DeclaredExperiment,
  options: RunOptions,
  signal: AbortSignal,
  progress: ProgressReporter,
): Promise<Experiment> {
  const { target, evaluateOptions } = await evaluateArguments(declared, options, signal, progress);
  const failures = new TargetFailures();
  try {
    return await declared.evaluate(target && failures.watch(target), {
      ...evaluateOptions,
      output: shownOutput(declared.name, evaluateOptions.output),
    });
  } finally {
    for (const line of failures.lines()) say(line);
  }
}

/** The target and the options for `evaluate()`. */
async function evaluateArguments(
  { name, definition }: DeclaredExperiment,
  options: RunOptions,
  signal: AbortSignal,
  reporter: ProgressReporter,
) {
  const { target, name: _, failUnder, failOver, maxErrors, eachAtLeast, ...defined } = definition;
  if ((defined as Partial<EstimateOptions>).estimate) {
    throw new CliError(
      "estimate is not an option of an experiment; pass --estimate or --estimate-rows to the command instead.",
    );
  }
  const { concurrency, repeat, shard, cache, cacheMode, overwrite } = options;
  const budget = await budgetOf(options, defined.budget);
  const evaluateOptions: EvaluateOptions & { [OPTIONAL_KEYS]: readonly string[] } = {
    maxConcurrency: 4,
    ...defined,
    judges: {
      ...defined.judges,
      ...(cache !== undefined && { cache: directoryCache(cache) }),
      ...(cacheMode !== undefined && { cacheMode }),
    },
    output: {
      // Also with a sink: reports and other formats need the rows.
      keepRows: true,
      ...defined.output,
      ...(overwrite && typeof defined.output?.sink === "string" && !defined.output.resume && { overwrite }),
    },
    budget,
    lowerIsBetter: limitsOf(definition, options).lowerIsBetter,
    passAt: passMarksOf(definition, options),
    [OPTIONAL_KEYS]: [...options.lowerIsBetter, ...options.passAt.keys()],
    ...(concurrency !== undefined && { maxConcurrency: concurrency }),
    ...(repeat !== undefined && { numRepetitions: repeat }),
    ...(shard && { shard }),
    experimentPrefix: name,
    progress: defined.progress ?? defined.onProgress === undefined,
    onProgress(progress) {
      reporter.report(progress);
      return defined.onProgress?.(progress);
    },
    signal: combinedSignal(anySignal(signal, overtimeOf(budget.maxDurationMs)), defined.signal),
  };
  return { target, evaluateOptions };
}

/** The longest time that an experiment has to end after its time limit. */
const MAX_OVERTIME_MS = 30_000;

/** A signal that ends an experiment which still runs after as much time again, at most half a minute. */
function overtimeOf(limitMs = MAX_MS): AbortSignal {
  const ending = new AbortController();
  const ms = Math.min(limitMs, MAX_OVERTIME_MS);
  const end = () => {
    const [limit, more] = [limitMs, ms].map(duration);
    const message = `The budget is used up: maxDurationMs is ${limit}, and the experiment was still running ${more} later.`;
    ending.abort(new OpenEvalsError("budget_exceeded", message));
  };
  // A process with nothing left to do ends, whatever the limit.
  if (limitMs + ms < MAX_MS) setTimeout(end, limitMs + ms).unref();
  return ending.signal;
}

function combinedSignal(signal: AbortSignal, defined: AbortSignal | undefined): AbortSignal {
  checkValue("signal", defined, aSignal);
  return defined ? anySignal(signal, defined) : signal;
}
