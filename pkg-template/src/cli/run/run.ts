/** `run`: the experiments that files declare. */

import "file:./evaluation.js";
import type { Outcome } from "../../presentation/outcome.js";
import { formatComparison } from "../../presentation/terminal/comparison.js";
import { formatExperiment } from "../../presentation/terminal/experiment.js";
import { checkWrites } from "../files.js";
import { keep } from "../history/entries.js";
import { wrong } from "../mistake.js";
import { checkResults, experimentsOf, takesOutput, writeResults } from "../results.js";
import { print, process } from "../streams.js";
import { look, say } from "../terminal.js";
import { compareWithBaselines } from "./baseline.js";
import { type Declared, definitionsIn } from "./definitions.js";
import { explained, outcomeOf } from "./evaluating.js";
import { filesOf } from "./glob.js";
import { load } from "./load.js";
import type { RunOptions } from "./options.js";
import { checkOutput, writeOutcomes } from "./output.js";

export async function run(patterns: string[], options: RunOptions): Promise<number> {
  if (!patterns.length) throw wrong("run needs files that export experiments, such as evals/*.eval.ts");
  checkResults(options);
  if (options.history !== undefined && options.shard)
    throw wrong("--history keeps whole experiments, and --shard makes parts of them");
  const files = await filesOf(patterns);
  if (options.watch) {
    const { watch } = await import("./watch.js");
    return watch(files, options);
  }
  await checkWrites(files, options);
  const { declared, failed } = await declaredIn(files, options.filter);
  if (!declared.length && !failed.length) throw wrong(`No experiment has "${options.filter}" in its name`);
  checkOutput(declared, options);
  const outcomes = [...failed, ...(await runAll(declared, options))];
  await compareWithBaselines(outcomes, options);
  if (!takesOutput(options)) show(outcomes);
  await writeOutcomes(outcomes, options);
  await writeResults(outcomes, options, experimentsOf(outcomes));
  if (options.history !== undefined) await keep(options.history, wholeOnes(outcomes));
  for (const { name, file, problems, mistake } of outcomes) {
    for (const problem of problems) say(`${name}: ${problem}`);
    for (const line of mistake?.split("\n") ?? []) say(`${file}: ${line}`);
  }
  if (outcomes.some(({ mistake }) => mistake !== undefined)) return 2;
  return outcomes.some(({ problems }) => problems.length) ? 1 : 0;
}

/** The experiments in files, and what is wrong with files: one that cannot be loaded stops no other. */
async function declaredIn(files: readonly string[], filter: string | undefined) {
  const declared: Declared[] = [];
  const failed: Outcome[] = [];
  const byName = new Map<string, Declared>();
  const fail = (file: string, name: string, mistake: string) =>
    failed.push({
      file,
      name,
      mistake,
      problems: [],
      lowerIsBetter: [],
      failUnder: new Map(),
      failOver: new Map(),
    });
  for (const file of files) {
    let found: Declared[] = [];
    try {
      found = definitionsIn(await load(file), file);
    } catch (error) {
      fail(file, file, explained(error));
    }
    for (const one of found) {
      const namesake = byName.get(one.name);
      if (namesake)
        fail(
          file,
          one.name,
          `It has an experiment "${one.name}", as ${namesake.file} has; give one of them another name.`,
        );
      else {
        byName.set(one.name, one);
        if (filter === undefined || one.name.includes(filter)) declared.push(one);
      }
    }
  }
  return { declared, failed };
}

/** Runs one after the other. The first Ctrl-C ends with what is done; the second one ends the process. */
async function runAll(declared: readonly Declared[], options: RunOptions): Promise<Outcome[]> {
  const stop = new AbortController();
  process.once("SIGINT", () => stop.abort());
  const outcomes: Outcome[] = [];
  for (const one of declared) {
    if (stop.signal.aborted) break;
    outcomes.push(await outcomeOf(one, options, stop.signal));
  }
  const unknown = [...options.failUnder.keys(), ...options.failOver.keys()].find(
    (key) => !outcomes.some(({ experiment }) => Object.hasOwn(experiment?.aggregates ?? {}, key)),
  );
  if (unknown !== undefined && outcomes.every(({ mistake }) => mistake === undefined))
    throw wrong(`There is a threshold for "${unknown}", and no experiment has such a key`);
  return outcomes;
}

/** The experiments that came to their end. */
const wholeOnes = (outcomes: readonly Outcome[]) =>
  outcomes.flatMap(({ name, experiment, mistake }) =>
    experiment && mistake === undefined ? [{ name, experiment }] : [],
  );

function show(outcomes: readonly Outcome[]): void {
  let isFirst = true;
  for (const { experiment, baseline, comparisons, lowerIsBetter } of outcomes) {
    if (!experiment) continue;
    if (!isFirst) print("\n");
    isFirst = false;
    print(formatExperiment(experiment, { ...look(), lowerIsBetter }));
    if (baseline && comparisons)
      print(`\n${formatComparison(baseline, experiment, comparisons, { ...look(), lowerIsBetter })}`);
  }
}
