/** `score`: evaluates recorded answers. */

import "file:./evaluation.js";
import { isOurs, OpenEvalsError, reworded } from "../../../core/errors.js";
import { rowCountOf } from "../../../core/records/row-count.js";
import type { Experiment } from "../../../core/records/types.js";
import { directoryCache } from "../../../experiments/evaluate/cache/directory.js";
import { evaluate } from "../../../experiments/evaluate/evaluate.js";
import { readSink } from "../../../experiments/evaluate/sink/read.js";
import { nothingMeasured } from "../../../experiments/presentation/nothing-measured.js";
import { passedLimits } from "../../../experiments/presentation/passed-limits.js";
import { writeReport } from "../../../experiments/presentation/report/write.js";
import { formatExperiment } from "../../../experiments/presentation/terminal/experiment.js";
import { ErrorsMet, MOST_ERRORS } from "../../../experiments/presentation/terminal/failing-rows.js";
import { lookOf } from "../../../experiments/presentation/terminal/style.js";
import { budgetOf, checkEstimate, estimateOf, estimateText, tellingOvertime } from "../budget.js";
import { toItsEnd } from "../exit-guard.js";
import { writeExperiment } from "../files.js";
import { wrong } from "../mistake.js";
import { readingOf } from "../reading.js";
import { checkExtension, checkResults, readsRows, takesOutput, writeResults } from "../results.js";
import { emptyShard, scoreProblems } from "../score-problems.js";
import { print, process } from "../streams.js";
import { look, say } from "../terminal.js";
import { checkWrites } from "../writes.js";
import { evaluatorsOf, mapInputs } from "./evaluators.js";
import { isSink, type ScoreOptions } from "./options.js";

export async function score(files: string[], options: ScoreOptions): Promise<number> {
  const [data, ...more] = files;
  if (!data || more.length) throw wrong("score needs one file with data");
  const tell = (how: string) => say(`${data}: Its evaluation ${how}`);
  return toItsEnd(() => scored(data, options), {
    tell,
    async rescue(how) {
      tell(how);
      return 2;
    },
  });
}

async function scored(data: string, options: ScoreOptions): Promise<number> {
  checkEstimate(options);
  checkResults(options);
  const { output, resumeFailed, format } = options;
  const resume = resumeFailed ? "failed" : options.resume;
  const sink = isSink(output) && !format ? output : undefined;
  if (resume && sink === undefined)
    throw wrong(
      `--resume${resumeFailed ? "-failed" : ""} continues what stands in an --output that ends in .jsonl`,
    );
  if (options.maxCost !== undefined && options.prices === undefined)
    throw wrong("--max-cost needs --prices, a file with what tokens cost");
  await checkWrites([data], { ...options, checksOutput: sink !== undefined });
  checkExtension(options, "a .json or .jsonl file");
  const reading = await readingOf(options);
  const { lowerIsBetter } = reading;
  const name = data.replace(/^.*[\\/]|\.\w+$/g, "");
  const stop = new AbortController();
  const evaluators = await evaluatorsOf(options, stop.signal);
  // The first Ctrl-C shows what is done; the second one ends the process.
  process.once("SIGINT", () => stop.abort("Ctrl-C"));
  const asked = {
    data,
    evaluators,
    mapInputs,
    lowerIsBetter,
    passAt: Object.fromEntries(options.passAt),
    maxConcurrency: options.concurrency ?? 4,
    numRepetitions: options.repeat,
    shard: options.shard,
    experimentPrefix: name,
    signal: stop.signal,
    cache: options.cache === undefined ? undefined : directoryCache(options.cache),
    cacheMode: options.cacheMode,
    ...(await budgetOf(options)),
    progress: true,
    onProgress: tellingOvertime(),
  };
  const estimate = estimateOf(options);
  if (estimate) {
    print(estimateText(name, await inItsWords(evaluate(undefined, { ...asked, estimate }))));
    return 0;
  }
  // Of a sink, only who looks at rows needs them here.
  const keepRows = sink === undefined || readsRows(options);
  const experiment = await inItsWords(
    evaluate(undefined, {
      ...asked,
      ...(sink !== undefined && { sink, resume, overwrite: options.overwrite }),
      keepRows,
    }),
  );
  const isEmpty = !rowCountOf(experiment) && !experiment.stopped;
  if (isEmpty && !options.shard)
    throw new OpenEvalsError("invalid_input", `${data} has no rows, so that there is nothing to score.`);
  if (isEmpty) say(emptyShard(experiment));
  const unmeasured = experiment.stopped ? undefined : nothingMeasured(experiment);
  const mistake = experiment.stopped?.message ?? unmeasured;
  const problems =
    isEmpty || mistake !== undefined ? [] : scoreProblems(experiment, { ...options, lowerIsBetter });
  if (!takesOutput(options)) {
    print(formatExperiment(experiment, { ...look(), lowerIsBetter }));
    if (sink !== undefined && !keepRows) print(await errorsIn(sink, experiment));
  }
  if (output && !format && sink === undefined) await writeExperiment(output, experiment);
  if (options.report) {
    await writeReport(experiment, options.report, reading);
    say(`The report is in ${options.report}`);
  }
  const { failUnder, failOver } = options;
  const outcome = {
    ...{ file: data, name, experiment, lowerIsBetter, failUnder, failOver, problems },
    ...(mistake !== undefined && { mistake }),
  };
  await writeResults([outcome], options, experiment);
  for (const problem of unmeasured === undefined ? problems : [unmeasured]) say(problem);
  if (experiment.stopped) say(continuation(experiment, sink));
  if (takesOutput(options)) for (const passed of passedLimits(experiment)) say(passed);
  return mistake !== undefined ? 2 : problems.length ? 1 : 0;
}

/** The errors of rows that were not kept, those of an earlier run included, as far as they are shown. */
async function errorsIn(sink: string, { aggregates }: Experiment): Promise<string> {
  if (!Object.values(aggregates).some(({ errors }) => errors)) return "";
  const met = new ErrorsMet(MOST_ERRORS);
  await readSink(sink, (row) => met.add(row));
  return `\n${met.lines(lookOf(look())).join("\n")}\n`;
}

/** How to go on with an experiment that Ctrl-C or its budget has stopped. */
function continuation({ stopped }: Experiment, sink: string | undefined): string {
  const limit = stopped?.code === "budget_exceeded" ? " and a higher limit" : "";
  return sink === undefined
    ? `The rows that are missing can only be scored by starting again; with --output results.jsonl, --resume${limit} continues.`
    : `${sink} has what is done; the same command with --resume${limit} continues it.`;
}

/** What `evaluate` refuses, in terms of the command: with its options, and without those that it does not have. */
async function inItsWords<T>(running: Promise<T>): Promise<T> {
  try {
    return await running;
  } catch (error) {
    if (!isOurs(error)) throw error;
    const message = error.message
      .replace("resume: true", "--resume")
      .replace("overwrite: true", "--overwrite")
      .replace(", or pass baseURL", ", or pass --base-url")
      .replace(/, or pass (apiKey( or credentials)?|region|project|location)(?=\.$)/, "");
    throw reworded(error, message);
  }
}
