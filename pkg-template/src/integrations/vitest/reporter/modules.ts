/** The experiments of a run: those of `describeEval`, and one for each file with calls of matchers. */

import { identityOf } from "../../../core/records/row-identity.js";
import { scoreOf } from "../../../core/records/score.js";
import type { Experiment, ExperimentRow } from "../../../core/records/types.js";
import type { ScoreScale } from "../../../core/types.js";
import { aggregateOf } from "../../../evaluation.js";
import type { ReportedEvaluation, TaskReport } from "../task-report.js";

/** The part of a test of Vitest 3 or 4 that the reporter reads. */
export interface ReportedTest {
  readonly fullName: string;
  meta(): object;
  result(): { readonly state: string } | undefined;
}

/** The part of a suite that the reporter reads. */
export interface ReportedSuite {
  readonly fullName: string;
  meta(): object;
}

/** The part of a test file that the reporter reads. */
export interface ReportedModule {
  readonly moduleId: string;
  readonly project?: { readonly name?: string };
  readonly children: { allTests(): Iterable<ReportedTest>; allSuites(): Iterable<ReportedSuite> };
}

/** An experiment of this run. */
export interface Evaluated {
  /** Identifies it across runs: the project, the file, and the names of its suites. */
  name: string;
  /** The path of the file, relative to the root of the project. */
  file: string;
  experiment: Experiment;
  /** The rows that failed, by `identityOf`. Other repetitions of an example may have passed. */
  failed: ReadonlySet<string>;
  /** The ids of the examples that nothing judged. */
  unjudged: ReadonlySet<string>;
  /** The ids of skipped examples, if known. */
  skipped: ReadonlySet<string>;
  /** Whether only some of its rows were run. It then does not replace the saved experiment. */
  isPart: boolean;
}

/** All experiments of test files. */
export async function experimentsIn(modules: readonly ReportedModule[], root: string, startedAt: string) {
  const all: Evaluated[] = [];
  for (const module of modules) {
    const file = relative(module.moduleId, root);
    const project = module.project?.name ? `${module.project.name} > ` : "";
    const suites = Array.from(module.children.allSuites());
    const names = uniqueNames(suites.map(({ fullName }) => fullName));
    for (const [index, suite] of suites.entries()) {
      const reported = reportOf(suite)?.experiment;
      if (!reported) continue;
      const { experiment, failed, unjudged, isPart } = reported;
      all.push({
        name: `${project}${file} > ${names[index]}`,
        file,
        experiment,
        failed: new Set(failed),
        unjudged: new Set(unjudged),
        skipped: new Set(),
        isPart,
      });
    }
    const ofMatchers = await matcherExperiment(module, `${project}${file}`, startedAt);
    if (ofMatchers) all.push({ ...ofMatchers, file });
  }
  return all;
}

/** Numbers repeated names, also those of skipped suites: with `-t`, each suite needs the same name as without. */
function uniqueNames(names: readonly string[]): string[] {
  const taken = new Set(names);
  const seen = new Set<string>();
  return names.map((name) => {
    if (!seen.has(name)) {
      seen.add(name);
      return name;
    }
    let count = 2;
    while (taken.has(`${name} (${count})`)) count++;
    taken.add(`${name} (${count})`);
    return `${name} (${count})`;
  });
}

const reportOf = (task: { meta(): object }): TaskReport | undefined =>
  (task.meta() as { openevals?: TaskReport }).openevals;

/** A path with slashes, relative to the folder if it is in it. */
function relative(path: string, root: string): string {
  const [file, folder] = [path, root].map((text) => text.replaceAll("\\", "/"));
  const start = `${folder?.replace(/\/$/, "")}/`;
  return file?.startsWith(start) ? file.slice(start.length) : (file ?? "");
}

/** The calls of matchers in a file, as an experiment. */
async function matcherExperiment(module: ReportedModule, name: string, startedAt: string) {
  const rows: ExperimentRow[] = [];
  const failed = new Set<string>();
  const skipped = new Set<string>();
  /** The number of answers by test name; several tests may have the same name. */
  const answers = new Map<string, number>();
  const scales: Record<string, ScoreScale> = {};
  for (const test of module.children.allTests()) {
    const { fullName } = test;
    if (test.result()?.state === "skipped") skipped.add(fullName);
    const before = answers.get(fullName) ?? 0;
    const evaluations = reportOf(test)?.evaluations ?? [];
    for (const { evaluationResults, scale } of evaluations)
      for (const { key } of evaluationResults) scales[key] = scale;
    const rowsOfTest = rowsOf(fullName, evaluations, before);
    answers.set(fullName, before + new Set(rowsOfTest.map(({ id }) => id)).size);
    for (const { isPass, row } of rowsOfTest) {
      rows.push(row);
      if (!isPass) failed.add(identityOf(row));
    }
  }
  if (!rows.length) return undefined;
  const experiment: Experiment = {
    experimentName: name,
    startedAt,
    rows,
    aggregates: await aggregatesOf(rows, scales),
    scales,
    summaryResults: [],
    usage: null,
    durationMs: rows.reduce((sum, { run }) => sum + run.durationMs, 0),
  };
  return { name, experiment, failed, unjudged: new Set<string>(), skipped, isPart: false };
}

/**
 * The rows of a test: one for each tested answer and repetition.
 *
 * @param answersBefore The number of answers of earlier tests with the same name.
 */
function rowsOf(name: string, evaluations: readonly ReportedEvaluation[], answersBefore: number) {
  const rows: { id: string; isPass: boolean; answer: string; row: ExperimentRow }[] = [];
  for (const evaluation of evaluations) {
    const answer = JSON.stringify([evaluation.inputs, evaluation.outputs]);
    const keys = [...evaluation.evaluationResults, ...evaluation.errors].map(({ key }) => key);
    const existing = rows.find(
      ({ row, answer: other }) =>
        row.run.repetition === evaluation.repeat &&
        other === answer &&
        ![...row.evaluationResults, ...row.errors].some(({ key }) => keys.includes(key)),
    );
    if (existing) {
      existing.row.evaluationResults.push(...evaluation.evaluationResults);
      existing.row.errors.push(...evaluation.errors);
      existing.row.run.durationMs += evaluation.durationMs;
      existing.isPass &&= evaluation.isPass;
      continue;
    }
    const number =
      answersBefore + rows.filter(({ row }) => row.run.repetition === evaluation.repeat).length + 1;
    const id = number === 1 ? name : `${name} (${number})`;
    const { inputs, outputs, referenceOutputs, durationMs, isPass } = evaluation;
    const run = {
      id: `${id} ${evaluation.repeat}`,
      startTime: 0,
      durationMs,
      repetition: evaluation.repeat,
      outputs,
    };
    const example = {
      id,
      inputs,
      ...(referenceOutputs === undefined ? undefined : { outputs: referenceOutputs }),
    };
    const { evaluationResults, errors } = evaluation;
    rows.push({
      id,
      isPass,
      answer,
      row: { example, run, evaluationResults: [...evaluationResults], errors: [...errors] },
    });
  }
  return rows;
}

async function aggregatesOf(
  rows: readonly ExperimentRow[],
  scales: Record<string, ScoreScale>,
): Promise<Experiment["aggregates"]> {
  const keys = new Set(
    rows.flatMap((row) => [...row.evaluationResults, ...row.errors].map(({ key }) => key)),
  );
  const aggregates: Experiment["aggregates"] = {};
  for (const key of keys) {
    const scores: (number | boolean)[] = [];
    const exampleIds: string[] = [];
    let errors = 0;
    for (const row of rows) {
      for (const result of row.evaluationResults) {
        const score = result.key === key ? scoreOf(result) : undefined;
        if (score === undefined) continue;
        scores.push(score);
        exampleIds.push(row.example.id);
      }
      errors += row.errors.filter((error) => error.key === key).length;
    }
    aggregates[key] = await aggregateOf(
      { scores, errors, notApplicable: 0, exampleIds },
      { scale: scales[key] },
    );
  }
  return aggregates;
}
