/** `score`: evaluates recorded answers. */

import { OpenEvalsError } from "../errors.js";
import { directoryCache } from "../experiment/cache/directory.js";
import { evaluate } from "../experiment/evaluate.js";
import { scoreOf } from "../experiment/score.js";
import type { Experiment } from "../experiment/types.js";
import { counted, figure, isRate, whole } from "../presentation/numerals.js";
import { fails } from "../presentation/reading.js";
import { writeReport } from "../presentation/report/write.js";
import { formatExperiment } from "../presentation/terminal/experiment.js";
import { evaluatorsOf, mapInputs } from "./evaluators.js";
import { checkWrites, writeExperiment } from "./files.js";
import { isSink, type Options, wrong } from "./options.js";
import { readingOf } from "./reading.js";
import { look, print, process, say } from "./terminal.js";

export async function score(files: string[], options: Options): Promise<number> {
  const [data, ...more] = files;
  if (!data || more.length) throw wrong("score needs one file with data");
  await checkWrites([data], options);
  const reading = await readingOf(options);
  const { lowerIsBetter } = reading;
  const stop = new AbortController();
  const evaluators = evaluatorsOf(options, stop.signal);
  // The first Ctrl-C shows what is done; the second one ends the process.
  process.once("SIGINT", () => stop.abort());
  const experiment = await evaluate(undefined, {
    data,
    evaluators,
    mapInputs,
    maxConcurrency: options.concurrency,
    numRepetitions: options.repeat,
    experimentPrefix: data.replace(/^.*[\\/]|\.\w+$/g, ""),
    signal: stop.signal,
    cache: options.cache === undefined ? undefined : directoryCache(options.cache),
    cacheMode: options.cacheMode,
    ...(isSink(options.output) && { sink: options.output, resume: options.resume }),
    // Of a sink, only who looks at rows needs them here.
    keepRows: !isSink(options.output) || options.report !== undefined || options.eachAtLeast !== undefined,
  });
  if (!(experiment.rowCount ?? experiment.rows.length) && !experiment.stopped) {
    throw new OpenEvalsError("invalid_input", `${data} has no rows, so that there is nothing to score.`);
  }
  const problems = experiment.stopped
    ? []
    : [...thresholdProblems(experiment, options), ...rowProblems(experiment, options, lowerIsBetter)];
  print(formatExperiment(experiment, { ...look(), lowerIsBetter }));
  if (options.output && !isSink(options.output)) await writeExperiment(options.output, experiment);
  if (options.report) {
    await writeReport(experiment, options.report, reading);
    say(`The report is in ${options.report}`);
  }
  for (const problem of problems) say(problem);
  return experiment.stopped ? 2 : problems.length ? 1 : 0;
}

/** The rows that pass too seldom: an error is no pass, and what is not applicable is no repetition. */
function rowProblems(
  { rows, aggregates }: Experiment,
  { eachAtLeast }: Options,
  lowerIsBetter: readonly string[],
): string[] {
  if (eachAtLeast === undefined) return [];
  return Object.keys(aggregates).flatMap((key) => {
    const passes = new Map<string, boolean[]>();
    for (const { example, evaluationResults, errors } of rows) {
      const own = [
        ...evaluationResults.flatMap((result) =>
          result.key === key && scoreOf(result) !== undefined ? [!fails(result, { lowerIsBetter })] : [],
        ),
        ...errors.flatMap((error) => (error.key === key ? [false] : [])),
      ];
      const before = passes.get(example.id);
      if (before) before.push(...own);
      else passes.set(example.id, own);
    }
    const few = [...passes].filter(([, own]) => {
      return own.length && own.filter((pass) => pass).length < eachAtLeast * own.length;
    });
    if (!few.length) return [];
    const some = few
      .slice(0, 10)
      .map(([id, own]) => `${id} (${own.filter((pass) => pass).length} of ${own.length})`);
    const more = few.length > some.length ? ` and ${whole(few.length - some.length)} more` : "";
    return [
      `${key} passes in less than ${figure(eachAtLeast, true)} of the repetitions of ${some.join(", ")}${more}.`,
    ];
  });
}

/** What falls short, and what has no score or more errors than are allowed: a failure passes nothing. */
function thresholdProblems({ aggregates }: Experiment, options: Options): string[] {
  const { failUnder, failOver, maxErrors } = options;
  const thresholds = [
    ...Array.from(failUnder, ([key, limit]) => ({ key, limit, sign: 1, word: "below" })),
    ...Array.from(failOver, ([key, limit]) => ({ key, limit, sign: -1, word: "above" })),
  ];
  for (const { key } of thresholds) {
    if (Object.hasOwn(aggregates, key)) continue;
    throw wrong(
      `There is a threshold for "${key}", and no such key; there are ${Object.keys(aggregates).join(", ")}`,
    );
  }
  return Object.entries(aggregates).flatMap(([key, aggregate]) => {
    const { mean, errors } = aggregate;
    const own = thresholds.filter((threshold) => threshold.key === key);
    const allowed = maxErrors ?? (own.length ? 0 : Infinity);
    if (mean === null && (errors || own.length)) return [`${key} has no scores.`];
    if (errors > allowed) {
      return [`${key} has ${counted(errors, "error")}, where ${whole(allowed)} are allowed (--max-errors).`];
    }
    const rate = isRate(aggregate);
    return own.flatMap(({ limit, sign, word }) =>
      sign * (mean as number) < sign * limit
        ? [`${key} is ${figure(mean as number, rate)}, ${word} ${figure(limit, rate)}.`]
        : [],
    );
  });
}
