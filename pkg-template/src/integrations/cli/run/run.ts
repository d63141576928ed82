/** `run`: runs the experiments that files export. */

import { resolve } from "node:path";
import { anySignal } from "../../../core/abort.js";
import { formatComparison, formatExperiment, formatMatrix, renderReport } from "../../../evaluation.js";
import "file:./evaluation.js";
import { rowCountOf } from "../../../core/records/row-count.js";
import type { Experiment } from "../../../core/records/types.js";
import { unknownKey } from "../../../core/records/unknown-key.js";
import { exceededBudgets } from "../../../presentation/limits/exceeded-budgets.js";
import { keysOf } from "../../../presentation/limits/score-limits.js";
import { type ComparedMatrix, matricesOf } from "../../../presentation/matrix/outcomes.js";
import type { Outcome } from "../../../presentation/outcome.js";
import { checkDirections, readingOf } from "../arguments/reading-options.js";
import { checkEstimate, requestedEstimate, showEstimate } from "../budget.js";
import { usageError } from "../cli-error.js";
import { marginsOf } from "../compare/margins.js";
import { sliceByOf } from "../compare/slices.js";
import { errorText } from "../error-text.js";
import { stopSignal } from "../exit-code.js";
import { withExitGuard } from "../exit-guard.js";
import { checkExists } from "../files.js";
import { addToHistory, checkHistory } from "../history/entries.js";
import { addToJson } from "../output/json-result.js";
import { outcomeJson } from "../output/outcome-json.js";
import { writeAll } from "../output/output-files.js";
import {
  checkExtension,
  checkResults,
  experimentsOf,
  takesOutput,
  unprintedNotes,
  writeReport,
  writeResults,
} from "../output/results.js";
import { print } from "../output/streams.js";
import { say, terminalStyle } from "../output/terminal.js";
import { checkKeys } from "../score/score-problems.js";
import { type Baselines, compareWithBaselines, readBaselines } from "./baseline.js";
import { type DeclaredExperiment, definitionsIn } from "./definitions.js";
import { declaredKeys, estimateExperiment, outcomeOf } from "./evaluating.js";
import { filesOf } from "./glob.js";
import { loadWithin } from "./load.js";
import { filesNamedBy, IMPORTED } from "./named-files.js";
import type { RunOptions } from "./options.js";
import { checkOutput, writeOutcomes } from "./output.js";

/** The paths of options are relative to it, also if the code of an experiment calls `process.chdir()`. */
const START_FOLDER = process.cwd();

export async function run(patterns: string[], given: RunOptions): Promise<number> {
  // The cache is written while the code of experiments runs.
  const options = { ...given, cache: given.cache && resolve(given.cache) };
  if (!patterns.length) throw usageError("run needs files that export experiments, such as evals/*.eval.ts");
  checkResults(options);
  checkExtension(options, "a .json file or a folder");
  if (options.history !== undefined && options.shard)
    throw usageError("--history keeps whole experiments and cannot be combined with --shard");
  checkEstimate(options);
  const files = await filesOf(patterns);
  if (options.view && !options.watch)
    throw usageError(
      "--view shows the report while --watch runs; add --watch, or use npx openevals-wasm view <file>",
    );
  if (options.watch) {
    if (options.json) throw usageError("--json writes one result and --watch never ends; use one of the two");
    const { watch } = await import("./watch.js");
    return watch(files, options);
  }
  const sources = options.overwrite ? await sourcesOf(files) : files;
  await checkOutput(sources, [], options);
  if (options.baseline !== undefined) await checkExists(options.baseline);
  if (options.history !== undefined) await checkHistory(options.history);
  const state: RunState = {
    ...{ outcomes: [], baselines: new Map(), at: undefined, waiting: [], finishing: undefined },
    ...{ ending: new AbortController(), isOver: false },
  };
  const work = async () => {
    const declared = await declaredIn(files, options, state);
    if (!declared.length && !state.outcomes.length)
      throw usageError(`No experiment has "${options.filter}" in its name`);
    if (!state.outcomes.length) checkDeclaredKeys(declared, options);
    const estimate = requestedEstimate(options);
    if (estimate) return estimateAll(declared, options, estimate, state);
    await checkOutput(sources, declared, options);
    state.baselines = await readBaselines(declared, options);
    await runAll(declared, options, state);
    state.finishing = finish(state, options);
    const exitCode = await state.finishing;
    reportWaiting(state);
    // After the results are written, because they may have taken hours.
    checkKeysOf(state.outcomes, options);
    return exitCode;
  };
  return withExitGuard(work, {
    report: (problem) => say(`${state.at?.file ?? "openevals-wasm"}: ${subjectOf(state)} ${problem}`),
    stop(problem) {
      if (state.at?.name === undefined) return false;
      state.ending.abort(`${subjectOf(state)} ${problem}`);
      return true;
    },
    async rescue(problem) {
      const mistake = `${subjectOf(state)} ${problem}`;
      state.isOver = true;
      if (state.at) {
        const { file, name = file } = state.at;
        state.outcomes.push(failure(file, name, mistake));
        const exitCode = await finish(state, options);
        reportWaiting(state);
        return exitCode;
      }
      for (const line of mistake.split("\n")) say(`openevals-wasm: ${line}`);
      // All experiments are done, and their results are being written.
      await state.finishing;
      return 2;
    },
  });
}

/** The files and the files that they import, which `--overwrite` must not replace. */
async function sourcesOf(files: readonly string[]): Promise<string[]> {
  const imported = await Promise.all(files.map((file) => filesNamedBy(file, IMPORTED)));
  return [...files, ...imported.flatMap((found) => [...found])];
}

/** The progress of a run. */
interface RunState {
  /** The outcomes so far. */
  outcomes: Outcome[];
  baselines: Baselines;
  /** The file that is being loaded, or the experiment that is running. */
  at: { file: string; name?: string } | undefined;
  /** The experiments that have not started. */
  waiting: DeclaredExperiment[];
  /** Prints and writes the outcomes, once all experiments are done. */
  finishing: Promise<number> | undefined;
  /** Stops the running experiment. The reason is what its code did. */
  ending: AbortController;
  /** Whether the outcomes were reported without waiting for it. */
  isOver: boolean;
}

/** The code at fault, as the subject of a sentence. */
const subjectOf = ({ at }: RunState): string => (at ? (at.name ?? "It") : "The code of an experiment");

/** Prints and writes all outcomes, and returns the exit code. */
async function finish({ outcomes, baselines }: RunState, options: RunOptions): Promise<number> {
  process.chdir(START_FOLDER);
  await compareWithBaselines(outcomes, baselines, options);
  const matrices = await matricesOf(outcomes);
  if (!takesOutput(options)) show(outcomes, matrices);
  const failure = await writeFiles(outcomes, options, matrices).then(
    () => undefined,
    (error: unknown) => ({ error }),
  );
  for (const outcome of outcomes) {
    const { name, file, problems, mistake, advice, experiment } = outcome;
    for (const note of unprintedNotes(outcome, options)) say(`${name}: ${note}`);
    for (const problem of problems) say(`${name}: ${problem}`);
    if (takesOutput(options) && experiment)
      for (const passed of exceededBudgets(experiment)) say(`${name}: ${passed}`);
    const message = takesOutput(options) ? mistake : (advice ?? mistake);
    for (const line of message?.split("\n") ?? []) say(`${file}: ${line}`);
  }
  if (failure) throw failure.error;
  if (outcomes.some(({ mistake }) => mistake !== undefined)) return 2;
  return outcomes.some(({ problems }) => problems.length) ? 1 : 0;
}

/** Writes the files of all options. */
const writeFiles = (
  outcomes: readonly Outcome[],
  options: RunOptions,
  matrices: readonly ComparedMatrix[],
): Promise<void> =>
  writeAll([
    () => writeOutcomes(outcomes, options),
    () => (options.history === undefined ? undefined : addToHistory(options.history, finished(outcomes))),
    ...outcomes.map(({ experiment, baseline, lowerIsBetter }) => () => {
      const render = async (experiment: Experiment) =>
        renderReport(experiment, {
          ...(await readingOf(options)),
          lowerIsBetter,
          ...(baseline && {
            compareWith: baseline,
            margin: marginsOf(options.margin, baseline, experiment),
            ...sliceByOf(options.sliceBy, baseline, experiment),
          }),
        });
      return experiment && writeReport(options, () => render(experiment));
    }),
    () => writeResults(outcomes, options, experimentsOf(outcomes), matrices),
  ]);

/** The experiments in files. A file that cannot be loaded becomes a failed outcome and does not stop the others. */
async function declaredIn(
  files: readonly string[],
  { filter, maxDuration }: RunOptions,
  state: RunState,
): Promise<DeclaredExperiment[]> {
  const declared: DeclaredExperiment[] = [];
  const byName = new Map<string, DeclaredExperiment>();
  const fail = (file: string, name: string, mistake: string) =>
    state.outcomes.push(failure(file, name, mistake));
  for (const file of files) {
    state.at = { file };
    let found: DeclaredExperiment[] = [];
    try {
      found = definitionsIn(await loadWithin(maxDuration, resolve(START_FOLDER, file), file), file);
    } catch (error) {
      fail(file, file, errorText(error));
    }
    for (const experiment of found) {
      const { name } = experiment;
      const namesake = byName.get(name);
      if (namesake)
        fail(file, name, `${namesake.file} also has an experiment "${name}"; give one of them another name.`);
      else {
        byName.set(name, experiment);
        if (filter === undefined || name.includes(filter)) declared.push(experiment);
      }
    }
  }
  return declared;
}

const failure = (file: string, name: string, mistake: string): Outcome => ({
  ...{ file, name, mistake, problems: [], lowerIsBetter: [] },
});

/** Runs experiments one after the other, until a signal asks the program to end. */
async function runAll(
  declared: readonly DeclaredExperiment[],
  options: RunOptions,
  state: RunState,
): Promise<void> {
  const ending = state.ending.signal;
  const signal = anySignal(stopSignal(), ending);
  for (const [index, experiment] of declared.entries()) {
    if (signal.aborted || state.isOver) break;
    state.at = experiment;
    state.waiting = declared.slice(index + 1);
    const outcome = await outcomeOf(experiment, options, signal);
    state.outcomes.push(ending.aborted ? endedBy(ending.reason, outcome) : outcome);
  }
  state.at = undefined;
  // The exit guard reports the outcomes.
  if (state.isOver) return new Promise(() => {});
}

/** Names the experiments that will not start, because a signal or the code of another one has ended the run. */
function reportWaiting({ waiting }: RunState): void {
  for (const { file, name } of waiting) say(`${file}: ${name} was not started.`);
}

/** The outcome of an experiment whose code ended it: the finished rows, if there are any. */
function endedBy(mistake: string, { file, name, experiment, advice, ...outcome }: Outcome): Outcome {
  if (!experiment || !rowCountOf(experiment)) return failure(file, name, mistake);
  if (experiment.stopped) experiment.stopped.message = mistake;
  return { ...outcome, file, name, experiment, mistake: advice ? `${mistake} ${advice}` : mistake };
}

/** Rejects options of the command for a key that no experiment has, before anything is paid for, if all keys are declared. */
function checkDeclaredKeys(declared: readonly DeclaredExperiment[], options: RunOptions): void {
  const names = declared.map(({ definition }) => declaredKeys(definition));
  if (names.every((keys) => keys !== undefined)) checkKeys(options, names.flat(), true);
}

/** Rejects options of the command for a key that no experiment has, if all keys are known. */
function checkKeysOf(outcomes: readonly Outcome[], options: RunOptions): void {
  const ran = outcomes.filter(({ mistake }) => mistake === undefined);
  const keys = [...new Set(ran.flatMap(({ experiment }) => (experiment ? keysOf(experiment) : [])))];
  const unknown = [...options.failUnder.keys(), ...options.failOver.keys()].find(
    (key) => !keys.includes(key),
  );
  // The keys of a failed experiment are unknown, and other shards may have more keys.
  const areKeysKnown =
    !options.shard &&
    ran.length === outcomes.length &&
    ran.every(({ experiment }) => experiment && rowCountOf(experiment));
  if (!areKeysKnown) return;
  if (unknown !== undefined)
    throw usageError(
      `There is a threshold for the key "${unknown}", which no experiment has; the keys are ${keys.join(", ")}`,
    );
  const aggregates = Object.assign({}, ...ran.map(({ experiment }) => experiment?.aggregates));
  const unmarked = unknownKey("--pass-at", [...options.passAt.keys()], aggregates);
  if (unmarked) throw unmarked;
  checkDirections(
    options,
    ran.flatMap(({ experiment }) => experiment ?? []),
  );
}

/** Prints the estimate of each experiment, and returns the exit code. */
async function estimateAll(
  declared: readonly DeclaredExperiment[],
  options: RunOptions,
  estimate: true | { rows: number },
  state: RunState,
): Promise<number> {
  const signal = stopSignal();
  for (const experiment of declared) {
    if (signal.aborted) break;
    state.at = experiment;
    try {
      showEstimate(experiment.name, await estimateExperiment(experiment, options, estimate, signal));
    } catch (error) {
      state.outcomes.push(failure(experiment.file, experiment.name, errorText(error)));
    }
  }
  state.at = undefined;
  if (state.outcomes.length)
    addToJson({ experiments: state.outcomes.map((outcome) => outcomeJson(outcome)) });
  for (const { file, mistake } of state.outcomes)
    for (const line of mistake?.split("\n") ?? []) say(`${file}: ${line}`);
  return state.outcomes.length ? 2 : 0;
}

/** The experiments that finished without an error. */
const finished = (outcomes: readonly Outcome[]) =>
  outcomes.flatMap(({ name, experiment, mistake }) =>
    experiment && mistake === undefined ? [{ name, experiment }] : [],
  );

/** Prints each matrix as one table, and all other experiments one by one. */
function show(outcomes: readonly Outcome[], matrices: readonly ComparedMatrix[]): void {
  const texts = matrices.map(({ experiments, pairs, lowerIsBetter }) =>
    formatMatrix(experiments, pairs, { ...terminalStyle(), lowerIsBetter }),
  );
  for (const { experiment, matrix, baseline, comparisons, lowerIsBetter } of outcomes) {
    if (!experiment) continue;
    if (!matrices.some(({ name }) => name === matrix))
      texts.push(formatExperiment(experiment, { ...terminalStyle(), lowerIsBetter }));
    if (baseline && comparisons)
      texts.push(formatComparison(baseline, experiment, comparisons, { ...terminalStyle(), lowerIsBetter }));
  }
  if (texts.length) print(texts.join("\n"));
}
