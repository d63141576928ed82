/** `score`: evaluates recorded answers. */

import "file:./evaluation.js";
import { anySignal } from "../../../core/abort.js";
import { isOurs, reworded } from "../../../core/errors.js";
import { withStop } from "../../../core/full-stop.js";
import { counted } from "../../../core/input/counted.js";
import { whole } from "../../../core/input/counts.js";
import { completeMap, type FieldMap } from "../../../core/input/foreign-fields.js";
import type { ScoreLimits } from "../../../core/records/mean-limits.js";
import { rowCountOf } from "../../../core/records/row-count.js";
import type { Experiment } from "../../../core/records/types.js";
import {
  directoryCache,
  evaluate,
  formatExperiment,
  readExperiment,
  renderReport,
} from "../../../evaluation.js";
import { exceededBudgets } from "../../../presentation/limits/exceeded-budgets.js";
import { nothingMeasured } from "../../../presentation/limits/nothing-measured.js";
import { scalesIn } from "../../../presentation/reading.js";
import { strictMarks } from "../../../presentation/story/strict-marks.js";
import { DistinctErrors, MAX_ERRORS } from "../../../presentation/terminal/failing-rows.js";
import { layoutOf } from "../../../presentation/terminal/style.js";
import { type ReadingFlags, readingOf } from "../arguments/reading-options.js";
import { budgetOf, checkEstimate, ProgressReporter, requestedEstimate, showEstimate } from "../budget.js";
import { CliError, usageError } from "../cli-error.js";
import { mapFlag, withCliErrors, withCliMessages, withFlags } from "../cli-messages.js";
import { errorText } from "../error-text.js";
import { stopSignal } from "../exit-code.js";
import { withExitGuard } from "../exit-guard.js";
import { lostRowsText } from "../lost-rows.js";
import { checkOutputFiles, writeExperiment } from "../output/output-files.js";
import {
  checkExtension,
  checkResults,
  readsRows,
  takesOutput,
  writeReport,
  writeResults,
} from "../output/results.js";
import { print } from "../output/streams.js";
import { reportWritten, say, terminalStyle } from "../output/terminal.js";
import { evaluatorsOf, mapInputs } from "./evaluators.js";
import { isSink, type ScoreOptions } from "./options.js";
import {
  checkKeys,
  checkRanges,
  completeNotes,
  resumedNotes,
  scoreNotes,
  scoreProblems,
  unmeasuredNotes,
} from "./score-problems.js";

export async function score(files: string[], options: ScoreOptions): Promise<number> {
  const [data, ...more] = files;
  if (!data || more.length) throw usageError("score needs one file of data");
  const report = (problem: string) => say(`${data}: The evaluation ${problem}`);
  const ending = new AbortController();
  return withExitGuard(() => scoreFile(data, options, ending.signal), {
    report,
    stop(problem) {
      ending.abort(`The evaluation ${problem}`);
      return true;
    },
    async rescue(problem) {
      report(problem);
      return 2;
    },
  });
}

/** The data of the experiment and the place of its rows. */
interface Scoring {
  data: string;
  /** The name of the experiment. */
  name: string;
  /** The file to which rows are written as they finish. */
  sink: string | undefined;
  /** Whether the experiment has its rows: with a sink, only for options that read them. */
  keepRows: boolean;
  /** Whether an earlier run has written all rows. */
  isComplete: boolean;
}

/** @param ending Aborts if the code of an evaluator ends the evaluation; the reason is what it did. */
async function scoreFile(data: string, options: ScoreOptions, ending: AbortSignal): Promise<number> {
  const { output, resumeFailed, overwrite } = options;
  const sink = isSink(output) && !options.format ? output : undefined;
  const resume = resumeFailed ? "failed" : options.resume;
  checkScore(options, sink);
  const budget = await budgetOf(options);
  await checkFiles(data, sink, options);
  const reading = await readingOf(options);
  const name = data.replace(/^.*[\\/]|\.\w+$/g, "");
  const signal = anySignal(stopSignal(), ending);
  const evaluators = (await withCliErrors(evaluatorsOf(options, signal))).map(withCliMessages);
  checkRanges(options, evaluators, true);
  const progress = new ProgressReporter();
  const evaluateOptions = {
    ...{ data, map: options.map, evaluators, mapInputs, budget, signal },
    // Judges of the package declare their own direction.
    lowerIsBetter: options.lowerIsBetter,
    passAt: Object.fromEntries(options.passAt),
    maxConcurrency: options.concurrency ?? 4,
    numRepetitions: options.repeat,
    shard: options.shard,
    experimentPrefix: name,
    judges: {
      cache: options.cache === undefined ? undefined : directoryCache(options.cache),
      cacheMode: options.cacheMode,
    },
    progress: true,
    onProgress: progress.report,
  };
  const estimate = requestedEstimate(options);
  if (estimate) {
    showEstimate(name, await withCliErrors(evaluate(undefined, { ...evaluateOptions, estimate })));
    return 0;
  }
  const keepRows = sink === undefined || readsRows(options);
  const running = evaluate(undefined, {
    ...evaluateOptions,
    output: { keepRows, ...(sink !== undefined && { sink, resume, overwrite }) },
  });
  const experiment = await (sink === undefined ? finished(running) : written(running, sink));
  if (experiment.stopped)
    experiment.stopped.message = ending.aborted ? ending.reason : withFlags(experiment.stopped.message);
  const isComplete = experiment.resumed === true && progress.hasRunNothing;
  return conclude(experiment, { data, name, sink, keepRows, isComplete }, reading, options);
}

/** Checks options before anything is paid for. */
function checkScore(options: ScoreOptions, sink: string | undefined): void {
  checkEstimate(options);
  checkResults(options);
  const { evaluator, resumeFailed } = options;
  if ((resumeFailed || options.resume) && sink === undefined)
    throw usageError(
      `--resume${resumeFailed ? "-failed" : ""} continues the experiment in --output, which has to end in .jsonl`,
    );
  if (options.cacheMode === "replay" && options.cache === undefined)
    throw usageError("--cache-mode replay needs --cache, the folder with the answers");
  checkKeys(options, evaluator, false);
}

/** Checks that the files can be written. The evaluation itself checks the rows in a sink. */
async function checkFiles(data: string, sink: string | undefined, options: ScoreOptions): Promise<void> {
  if (sink === undefined) await checkOutputFiles([data], options);
  else
    await checkOutputFiles([data], { ...options, output: undefined }, [
      { option: "--output", path: sink, isProtected: true },
    ]);
  checkExtension(options, "a .json or .jsonl file");
}

/** Prints and writes the results, and returns the exit code. */
async function conclude(
  experiment: Experiment,
  scoring: Scoring,
  reading: ReadingFlags,
  options: ScoreOptions,
): Promise<number> {
  const { data, name, sink, isComplete } = scoring;
  const { stopped } = experiment;
  const { output, format } = options;
  const { lowerIsBetter } = reading;
  const limits = { ...options, lowerIsBetter };
  const unmapped = unmappedFields(experiment);
  if (Object.keys(unmapped).length) say(`Some ignored fields can be read with ${mapFlag(unmapped)}`);
  const isEmpty = !rowCountOf(experiment) && !stopped;
  const { problems, mistake } = isEmpty
    ? { problems: [], mistake: undefined }
    : failuresOf(experiment, limits);
  if (!takesOutput(options)) await show(experiment, scoring, lowerIsBetter);
  if (output && !format && !(sink !== undefined && stopped))
    await reportWritten(
      "Experiment",
      output,
      sink === undefined && writeExperiment(output, experiment, options),
    );
  await writeReport(options, () => renderReport(experiment, reading));
  const outcome = {
    ...{ file: data, name, experiment, lowerIsBetter, limits, problems },
    notes: [
      ...(isComplete && sink !== undefined ? await completeNotes(experiment, sink) : []),
      ...(options.resumeFailed ? [] : resumedNotes(experiment, "--resume-failed")),
      ...(stopped || mistake !== undefined ? [] : unmeasuredNotes(experiment)),
      ...scoreNotes(experiment, options),
    ],
    ...(mistake !== undefined && { mistake }),
  };
  await writeResults([outcome], options, experiment);
  for (const note of outcome.notes) say(note);
  for (const problem of mistake === undefined || stopped ? problems : [mistake]) say(problem);
  // After a mistake in the options, no row is missing.
  if (stopped && stopped.code !== "invalid_config") say(continuation(experiment, sink));
  if (takesOutput(options)) for (const passed of exceededBudgets(experiment)) say(passed);
  return mistake !== undefined ? 2 : problems.length ? 1 : 0;
}

/** Prints the scores, and of rows that are only in the file, how many fail. */
async function show(
  experiment: Experiment,
  { sink, keepRows }: Scoring,
  lowerIsBetter: readonly string[],
): Promise<void> {
  const isInSink = sink !== undefined && !keepRows;
  const shown = { ...terminalStyle(), lowerIsBetter, ...(isInSink && { maxFailing: 0 }) };
  print(formatExperiment(experiment, shown));
  if (isInSink) print(await failureSummary(sink, experiment, lowerIsBetter));
}

/** The experiment; one that fails after rows were paid for, such as at a key that no row has, counts as stopped. */
async function finished(running: Promise<Experiment>): Promise<Experiment> {
  try {
    return await withCliErrors(running);
  } catch (error) {
    const { experiment } = error as { experiment?: Experiment };
    if (!experiment?.stopped || !rowCountOf(experiment)) throw error;
    const message = errorText(error);
    experiment.stopped.message = message;
    say(message);
    return experiment;
  }
}

/** The experiment; the error of one whose file has not all of its rows says so. */
async function written(running: Promise<Experiment>, sink: string): Promise<Experiment> {
  try {
    return await withCliErrors(running);
  } catch (error) {
    const lost = await lostRowsText(error, sink, "the same command with --resume");
    throw isOurs(error) && lost ? reworded(error, `${withStop(error.message)}${lost}`) : error;
  }
}

/** The reasons why the command fails: missed limits, or an error that only the results show. Results are written anyway. */
function failuresOf(
  experiment: Experiment,
  limits: ScoreLimits,
): { problems: string[]; mistake: string | undefined } {
  const mistake = experiment.stopped?.message ?? nothingMeasured(experiment);
  if (mistake !== undefined) return { problems: [], mistake };
  try {
    return { problems: scoreProblems(experiment, limits), mistake };
  } catch (error) {
    if (!(error instanceof CliError)) throw error;
    return { problems: [], mistake: error.message };
  }
}

/** The number of failing rows in a file, and their first errors, including those of an earlier run. */
async function failureSummary(
  sink: string,
  experiment: Experiment,
  lowerIsBetter: readonly string[],
): Promise<string> {
  const { failingRowCount: failing = 0, aggregates } = experiment;
  const hint = `${whole(failing)} of ${counted(rowCountOf(experiment), "row")} ${failing === 1 ? "fails" : "fail"}: npx openevals-wasm show ${sink}`;
  const marks = strictMarks(experiment, scalesIn(experiment, { lowerIsBetter }));
  const lines = failing ? [hint, ...marks] : [];
  // The experiment does not count errors by message, so the file is read again.
  if (Object.values(aggregates).some(({ errors }) => errors)) {
    const met = new DistinctErrors(MAX_ERRORS);
    await readExperiment(sink, { keepRows: false, onRow: (row) => met.add(row) });
    lines.push(...met.lines(layoutOf(terminalStyle())));
  }
  return lines.length ? `\n${lines.join("\n")}\n` : "";
}

/** How to continue an experiment that a signal or its budget stopped. */
function continuation({ stopped }: Experiment, sink: string | undefined): string {
  const limit = stopped?.code === "budget_exceeded" ? " and a higher limit" : "";
  return sink === undefined
    ? `To score the missing rows, start again; with --output results.jsonl, --resume${limit} continues a stopped run.`
    : `${sink} has the finished rows; the same command with --resume${limit} continues.`;
}

/** Ignored fields that are probably the answers, the expected ones or the context. */
function unmappedFields({ rows, ignoredFields = [] }: Experiment): FieldMap {
  const [row] = rows;
  if (!row || !ignoredFields.length) return {};
  const values = {
    inputs: row.example.inputs,
    outputs: row.run.outputs,
    referenceOutputs: row.example.outputs,
  };
  const read = Object.entries(values).flatMap(([field, value]) => (value == null ? [] : [field]));
  return completeMap([...read, ...ignoredFields], false);
}
