/** `score`: evaluates recorded answers. */

import "file:./evaluation.js";
import { OpenEvalsError } from "../../errors.js";
import { directoryCache } from "../../experiment/cache/directory.js";
import { evaluate } from "../../experiment/evaluate.js";
import { rowCountOf } from "../../experiment/row-count.js";
import { writeReport } from "../../presentation/report/write.js";
import { formatExperiment } from "../../presentation/terminal/experiment.js";
import { budgetOf, estimateOf, estimateText } from "../budget.js";
import { checkWrites, writeExperiment } from "../files.js";
import { wrong } from "../mistake.js";
import { readingOf } from "../reading.js";
import { checkResults, readsRows, takesOutput, writeResults } from "../results.js";
import { emptyShard, scoreProblems } from "../score-problems.js";
import { print, process } from "../streams.js";
import { look, say } from "../terminal.js";
import { toItsEnd } from "../to-its-end.js";
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
  checkResults(options);
  const { output, resume, format } = options;
  const sink = isSink(output) && !format ? output : undefined;
  if (resume && sink === undefined)
    throw wrong("--resume continues what stands in an --output that ends in .jsonl");
  await checkWrites([data], options);
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
    maxConcurrency: options.concurrency ?? 4,
    numRepetitions: options.repeat,
    shard: options.shard,
    experimentPrefix: name,
    signal: stop.signal,
    cache: options.cache === undefined ? undefined : directoryCache(options.cache),
    cacheMode: options.cacheMode,
    ...(await budgetOf(options)),
  };
  const estimate = estimateOf(options);
  if (estimate) {
    print(estimateText(name, await evaluate(undefined, { ...asked, estimate })));
    return 0;
  }
  const experiment = await evaluate(undefined, {
    ...asked,
    ...(sink !== undefined && { sink, resume }),
    // Of a sink, only who looks at rows needs them here.
    keepRows: sink === undefined || readsRows(options),
  });
  const isEmpty = !rowCountOf(experiment) && !experiment.stopped;
  if (isEmpty && !options.shard)
    throw new OpenEvalsError("invalid_input", `${data} has no rows, so that there is nothing to score.`);
  if (isEmpty) say(emptyShard(experiment));
  const problems =
    isEmpty || experiment.stopped ? [] : scoreProblems(experiment, { ...options, lowerIsBetter });
  if (!takesOutput(options)) print(formatExperiment(experiment, { ...look(), lowerIsBetter }));
  if (output && !format && sink === undefined) await writeExperiment(output, experiment);
  if (options.report) {
    await writeReport(experiment, options.report, reading);
    say(`The report is in ${options.report}`);
  }
  const { failUnder, failOver } = options;
  const mistake = experiment.stopped && { mistake: experiment.stopped.message };
  const outcome = { file: data, name, experiment, lowerIsBetter, failUnder, failOver, problems, ...mistake };
  await writeResults([outcome], options, experiment);
  for (const problem of problems) say(problem);
  return experiment.stopped ? 2 : problems.length ? 1 : 0;
}
