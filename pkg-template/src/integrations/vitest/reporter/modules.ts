/** What the test modules of a run tell: experiments of `describeEval`, and the calls of matchers, a file of them as one. */

import { scoreOf } from "../../../core/records/score.js";
import type { Experiment, ExperimentRow } from "../../../core/records/types.js";
import type { ScoreScale } from "../../../core/scale.js";
import { aggregateOf } from "../../../experiments/statistics/aggregate.js";
import type { TaskReport, ToldEvaluation } from "../task-report.js";

/** A test of Vitest 3 or 4, as far as the reporter looks at it. */
export interface ReportedTest {
  readonly fullName: string;
  meta(): object;
  result(): { readonly state: string } | undefined;
}

/** A suite, as far as the reporter looks at it. */
export interface ReportedSuite {
  readonly fullName: string;
  meta(): object;
}

/** A file of tests, as far as the reporter looks at it. */
export interface ReportedModule {
  readonly moduleId: string;
  readonly project?: { readonly name?: string };
  readonly children: { allTests(): Iterable<ReportedTest>; allSuites(): Iterable<ReportedSuite> };
}

/** An experiment of this run. */
export interface Evaluated {
  /** By what it is found again in the next run: project, file, and the names of its suites. */
  name: string;
  /** The file, seen from the root of the project. */
  file: string;
  experiment: Experiment;
  /** The ids of the examples whose tests have failed. */
  failed: ReadonlySet<string>;
  /** The ids of those that were not run, if that is known. */
  skipped: ReadonlySet<string>;
  /** Whether it is less than what there is, so that it takes the place of nothing. */
  isPart: boolean;
}

/** All experiments of some files. */
export async function evaluatedIn(modules: readonly ReportedModule[], root: string, startedAt: string) {
  const all: Evaluated[] = [];
  for (const module of modules) {
    const file = relative(module.moduleId, root);
    const project = module.project?.name ? `${module.project.name} > ` : "";
    for (const suite of module.children.allSuites()) {
      const told = toldBy(suite)?.experiment;
      if (!told) continue;
      const { experiment, failed, isPart } = told;
      const name = `${project}${file} > ${suite.fullName}`;
      all.push({
        name,
        file,
        experiment,
        failed: new Set(failed),
        skipped: new Set(),
        isPart,
      });
    }
    const ofMatchers = await matchersIn(module, `${project}${file}`, startedAt);
    if (ofMatchers) all.push({ ...ofMatchers, file });
  }
  return all;
}

const toldBy = (task: { meta(): object }): TaskReport | undefined =>
  (task.meta() as { openevals?: TaskReport }).openevals;

/** With slashes; what is not in the project is named as it is. */
function relative(path: string, root: string): string {
  const [file, folder] = [path, root].map((one) => one.replaceAll("\\", "/"));
  const start = `${folder?.replace(/\/$/, "")}/`;
  return file?.startsWith(start) ? file.slice(start.length) : (file ?? "");
}

/** The calls of matchers in a file: the results of a test are a row. */
async function matchersIn(module: ReportedModule, name: string, startedAt: string) {
  const rows: ExperimentRow[] = [];
  const failed = new Set<string>();
  const skipped = new Set<string>();
  /** How many answers the tests of a name have had: several may have the same one. */
  const answers = new Map<string, number>();
  const scales: Record<string, ScoreScale> = {};
  for (const test of module.children.allTests()) {
    const { fullName } = test;
    if (test.result()?.state === "skipped") skipped.add(fullName);
    const before = answers.get(fullName) ?? 0;
    const evaluations = toldBy(test)?.evaluations ?? [];
    for (const { evaluationResults, scale } of evaluations)
      for (const { key } of evaluationResults) scales[key] = scale;
    const own = rowsOf(fullName, evaluations, before);
    answers.set(fullName, before + new Set(own.map(({ id }) => id)).size);
    for (const { id, isPass, row } of own) {
      rows.push(row);
      if (!isPass) failed.add(id);
    }
  }
  if (!rows.length) return undefined;
  const experiment: Experiment = {
    experimentName: name,
    startedAt,
    rows,
    aggregates: await aggregatesOf(rows),
    scales,
    summaryResults: [],
    usage: null,
    durationMs: rows.reduce((sum, { run }) => sum + run.durationMs, 0),
  };
  return { name, experiment, failed, skipped, isPart: false };
}

/** The rows of a test: one for each answer that it tests, and each time that it is repeated. */
function rowsOf(name: string, evaluations: readonly ToldEvaluation[], before: number) {
  const rows: { id: string; isPass: boolean; answer: string; row: ExperimentRow }[] = [];
  for (const one of evaluations) {
    const answer = JSON.stringify([one.inputs, one.outputs]);
    const keys = [...one.evaluationResults, ...one.errors].map(({ key }) => key);
    const same = rows.find(
      ({ row, answer: before }) =>
        row.run.repetition === one.repeat &&
        before === answer &&
        ![...row.evaluationResults, ...row.errors].some(({ key }) => keys.includes(key)),
    );
    if (same) {
      same.row.evaluationResults.push(...one.evaluationResults);
      same.row.errors.push(...one.errors);
      same.row.run.durationMs += one.durationMs;
      same.isPass &&= one.isPass;
      continue;
    }
    const place = before + rows.filter(({ row }) => row.run.repetition === one.repeat).length + 1;
    const id = place === 1 ? name : `${name} (${place})`;
    const { inputs, outputs, referenceOutputs, durationMs, isPass } = one;
    const run = { id: `${id} ${one.repeat}`, startTime: 0, durationMs, repetition: one.repeat, outputs };
    const example = {
      id,
      inputs,
      ...(referenceOutputs === undefined ? undefined : { outputs: referenceOutputs }),
    };
    const { evaluationResults, errors } = one;
    rows.push({
      id,
      isPass,
      answer,
      row: { example, run, evaluationResults: [...evaluationResults], errors: [...errors] },
    });
  }
  return rows;
}

async function aggregatesOf(rows: readonly ExperimentRow[]): Promise<Experiment["aggregates"]> {
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
    aggregates[key] = await aggregateOf({ scores, errors, notApplicable: 0, exampleIds });
  }
  return aggregates;
}
