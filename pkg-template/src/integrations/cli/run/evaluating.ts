/** One experiment, run. */

import { aSignal, checkValue } from "../../../core/input/checks.js";
import { counted } from "../../../core/records/numerals.js";
import { rowCountOf } from "../../../core/records/row-count.js";
import type { Experiment, Failure } from "../../../core/records/types.js";
import type { EstimateOptions } from "../../../experiments/evaluate/budget/estimate-types.js";
import { directoryCache } from "../../../experiments/evaluate/cache/directory.js";
import type { ExperimentDefinition } from "../../../experiments/evaluate/define.js";
import type { EvaluateOptions } from "../../../experiments/evaluate/options.js";
import { nothingMeasured } from "../../../experiments/presentation/nothing-measured.js";
import type { Outcome } from "../../../experiments/presentation/outcome.js";
import { budgetOf, estimateText, tellingOvertime } from "../budget.js";
import { explained, Mistake } from "../mistake.js";
import { BAD_NEWS } from "../score/judged.js";
import { emptyShard, keysOf, scoreProblems } from "../score-problems.js";
import { say } from "../terminal.js";
import type { Declared } from "./definitions.js";
import type { RunOptions } from "./options.js";
import { fileOf } from "./output.js";

/** Runs it; what it fails with stands in what becomes of it. */
export async function outcomeOf(
  declared: Declared,
  options: RunOptions,
  signal: AbortSignal,
): Promise<Outcome> {
  const { file, name, definition } = declared;
  const { lowerIsBetter, failUnder, failOver } = limitsOf({}, options);
  let outcome: Outcome = { file, name, lowerIsBetter, failUnder, failOver, problems: [] };
  try {
    const limits = limitsOf(definition, options);
    const { lowerIsBetter, failUnder, failOver } = limits;
    outcome = { ...outcome, lowerIsBetter, failUnder, failOver };
    checkIsScored(definition);
    checkRowsAreKept(definition, limits, options);
    const experiment = await evaluated(declared, options, signal);
    outcome.experiment = experiment;
    const { stopped } = experiment;
    if (stopped) {
      const advice = continuation(experiment, stopped, definition, fileOf(name, options));
      return { ...outcome, mistake: `${stopped.message.replace(/\.?$/, ".")} ${advice}`, advice };
    }
    const mistake = nothingMeasured(experiment);
    if (mistake !== undefined) return { ...outcome, mistake };
    if (!rowCountOf(experiment)) {
      say(`${name}: ${emptyShard(experiment)}`);
      return outcome;
    }
    // Those of the command are for the keys of all experiments together.
    for (const side of ["failUnder", "failOver"] as const)
      for (const [key, limit] of options[side])
        if (keysOf(experiment).includes(key)) limits[side].set(key, limit);
    outcome.problems = scoreProblems(experiment, limits);
    return outcome;
  } catch (error) {
    const { experiment } = error as { experiment?: Experiment };
    return { ...outcome, ...(experiment && { experiment }), mistake: explained(error) };
  }
}

/** Where the rows are that are done, and how to go on. */
function continuation(
  experiment: Experiment,
  { code }: Failure,
  { sink, resume }: ExperimentDefinition,
  file: string | undefined,
): string {
  const limit = code === "budget_exceeded" ? " with a higher limit" : "";
  if (typeof sink === "string") {
    const how = resume ? "run it again" : "run it again with resume: true in its definition";
    return `${sink} has what is done; to continue, ${how}${limit}.`;
  }
  const rows = counted(rowCountOf(experiment), "row");
  const kept =
    file === undefined
      ? `It was stopped early; it begins anew when you run it again${limit}`
      : `${file} has the ${rows} that ${rows === "1 row" ? "is" : "are"} done; to run all of them from the beginning, run it again with --overwrite${limit && " and a higher limit"}`;
  return `${kept}. To be able to continue where it was stopped, add sink: "results.jsonl" and resume: true to its definition.`;
}

/** What is wanted of it. */
function limitsOf(definition: Partial<ExperimentDefinition>, options: RunOptions) {
  return {
    failUnder: new Map(Object.entries(definition.failUnder ?? {})),
    failOver: new Map(Object.entries(definition.failOver ?? {})),
    maxErrors: options.maxErrors ?? definition.maxErrors,
    eachAtLeast: options.eachAtLeast ?? definition.eachAtLeast,
    lowerIsBetter: [...BAD_NEWS, ...(definition.lowerIsBetter ?? []), ...options.lowerIsBetter],
  };
}

/** Refuses an experiment that nothing scores, before its target is called. */
function checkIsScored({ evaluators = [], summaryEvaluators = [] }: ExperimentDefinition): void {
  if (evaluators.length || summaryEvaluators.length) return;
  throw new Mistake("It has no evaluators: add some to evaluators or summaryEvaluators.");
}

/** Refuses what needs rows of an experiment that has thrown them away. */
function checkRowsAreKept(
  { keepRows = true }: ExperimentDefinition,
  { eachAtLeast }: Pick<RunOptions, "eachAtLeast">,
  { baseline }: RunOptions,
): void {
  if (keepRows) return;
  const reader =
    eachAtLeast !== undefined ? "eachAtLeast" : baseline !== undefined ? "--baseline" : undefined;
  if (reader === undefined) return;
  throw new Mistake(
    `${reader} looks at all rows, and these are not kept; leave keepRows: false out, or ${reader}.`,
  );
}

/** What it would use, as text. */
export async function estimateOf(
  declared: Declared,
  options: RunOptions,
  estimate: EstimateOptions["estimate"],
  signal: AbortSignal,
): Promise<string> {
  const { target, asked } = await askedOf(declared, options, signal);
  return estimateText(declared.name, await declared.evaluate(target, { ...asked, estimate }));
}

async function evaluated(declared: Declared, options: RunOptions, signal: AbortSignal): Promise<Experiment> {
  const { target, asked } = await askedOf(declared, options, signal);
  return declared.evaluate(target, asked);
}

/** What `evaluate` is called with. */
async function askedOf({ name, definition }: Declared, options: RunOptions, signal: AbortSignal) {
  const { target, name: _, failUnder, failOver, maxErrors, eachAtLeast, ...own } = definition;
  if ((own as Partial<EstimateOptions>).estimate) {
    throw new Mistake(
      "estimate is no option of an experiment that is run; pass --estimate or --estimate-rows to the command.",
    );
  }
  const { concurrency, repeat, shard, cache, cacheMode, overwrite } = options;
  const tell = tellingOvertime();
  const asked: EvaluateOptions = {
    maxConcurrency: 4,
    // With a sink, too: what is written for others is made of rows.
    keepRows: true,
    ...own,
    lowerIsBetter: limitsOf(definition, options).lowerIsBetter,
    ...(concurrency !== undefined && { maxConcurrency: concurrency }),
    ...(repeat !== undefined && { numRepetitions: repeat }),
    ...(cache !== undefined && { cache: directoryCache(cache) }),
    ...(cacheMode !== undefined && { cacheMode }),
    ...(await budgetOf(options)),
    ...(shard && { shard }),
    ...(overwrite && !own.resume && { overwrite }),
    experimentPrefix: name,
    progress: own.progress ?? own.onProgress === undefined,
    onProgress(progress) {
      tell(progress);
      return own.onProgress?.(progress);
    },
    signal: own.signal === undefined ? signal : firstOf(signal, own.signal),
  };
  return { target, asked };
}

/** A signal that says what the first of both says; `AbortSignal.any` is not in all versions of Node 20. */
function firstOf(...signals: AbortSignal[]): AbortSignal {
  const first = new AbortController();
  for (const signal of signals) {
    checkValue("signal", signal, aSignal);
    if (signal.aborted) first.abort(signal.reason);
    else signal.addEventListener("abort", () => first.abort(signal.reason), { once: true });
  }
  return first.signal;
}
