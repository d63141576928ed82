/** Outcomes of experiments as JUnit XML, which Jenkins, GitLab and other CI systems show as tests. */

import { firstLine } from "../../../core/input/first-line.js";
import { decimal } from "../../../core/number-text.js";
import { boundOf, isPassing } from "../../../core/passing.js";
import type { ScoreLimits } from "../../../core/records/mean-limits.js";
import { hasValue, scoreOf } from "../../../core/records/score.js";
import type { Aggregate, Experiment, ExperimentRow, SummaryResult } from "../../../core/records/types.js";
import { escapeMarkup } from "../../../presentation/escape-markup.js";
import { unmeasuredShard } from "../../../presentation/limits/nothing-measured.js";
import {
  hasTooManyErrors,
  passesByExample,
  passesTooSeldom,
} from "../../../presentation/limits/score-limits.js";
import { evaluatorsWithoutResults } from "../../../presentation/limits/without-results.js";
import type { Outcome } from "../../../presentation/outcome.js";
import { failureText, rowName, type ScaleOf, scalesIn } from "../../../presentation/reading.js";

/** A test case: the result of a row for a key, or a check of all rows. */
interface Case {
  name: string;
  kind?: "failure" | "error" | "skipped";
  /** One line. */
  message?: string;
  body?: string;
  /** Text that a passing test shows. */
  output?: string;
}

/**
 * A suite for each experiment, with a test for each row and key. It fails only where the exit code says so, too: a score below its
 * pass mark with `eachAtLeast`, and an error if the key has more than `maxErrors` allows. Otherwise, a low score is the output of a
 * test that passes, and an error is skipped, as is a result that is not applicable. The test `all rows` has the problems of the
 * whole experiment.
 */
export function junitOf(outcomes: readonly Outcome[]): string {
  const suites = outcomes.map((outcome) => ({ outcome, cases: casesOf(outcome) }));
  const all = suites.flatMap(({ cases }) => cases);
  const time = suites.reduce((sum, { outcome }) => sum + (outcome.experiment?.durationMs ?? 0), 0);
  const lines = [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites${attributes({ name: "openevals-wasm", ...counts(all, false), time: seconds(time) })}>`,
    ...suites.flatMap(({ outcome, cases }) => suite(outcome, cases)),
    "</testsuites>",
  ];
  return `${lines.join("\n")}\n`;
}

const seconds = (milliseconds: number): string => (milliseconds / 1000).toFixed(3);

function counts(cases: readonly Case[], withSkipped: boolean): Record<string, number> {
  const countOf = (kind: Case["kind"]) => cases.filter((test) => test.kind === kind).length;
  const skipped = withSkipped ? { skipped: countOf("skipped") } : undefined;
  return { tests: cases.length, failures: countOf("failure"), errors: countOf("error"), ...skipped };
}

function suite({ name, file, experiment }: Outcome, cases: readonly Case[]): string[] {
  const fields = {
    name,
    ...counts(cases, true),
    time: seconds(experiment?.durationMs ?? 0),
    // Some readers accept only whole seconds without a time zone.
    ...(experiment && { timestamp: experiment.startedAt.slice(0, 19) }),
    file,
  };
  return [
    `  <testsuite${attributes(fields)}>`,
    ...cases.map(({ name: caseName, kind, message = "", body = "", output }) => {
      const test = `    <testcase${attributes({ name: caseName, classname: name })}`;
      if (!kind && output === undefined) return `${test}/>`;
      if (!kind) return `${test}>\n      <system-out>${escaped(output ?? "")}</system-out>\n    </testcase>`;
      return `${test}>\n      <${kind}${attributes({ message })}>${escaped(body)}</${kind}>\n    </testcase>`;
    }),
    "  </testsuite>",
  ];
}

function casesOf(outcome: Outcome): Case[] {
  const { experiment, limits, problems, mistake, file } = outcome;
  const all: Case[] = experiment && limits ? casesOfRows(experiment, limits) : [];
  if (mistake !== undefined)
    all.push({ name: file, kind: "error", message: firstLine(mistake), body: mistake });
  all.push(...(experiment?.summaryResults ?? []).map(caseOfSummary));
  for (const key of evaluatorsWithoutResults(experiment ?? { aggregates: {} }))
    all.push({ name: `all rows › ${key}`, kind: "skipped", message: "no result for any row" });
  const unmeasured = experiment && unmeasuredShard(experiment);
  const whole: Case = {
    name: "all rows",
    ...(unmeasured !== undefined && { kind: "skipped", message: unmeasured }),
  };
  if (experiment && !mistake)
    all.push(
      problems.length
        ? { ...whole, kind: "failure", message: problems[0] ?? "", body: problems.join("\n") }
        : whole,
    );
  return all;
}

/** The test of a summary score. It fails only by an error; a missed threshold is a problem of all rows. */
function caseOfSummary({ key, score, error, comment }: SummaryResult): Case {
  const name = `all rows › ${key}`;
  if (!error) return score == null ? { name, kind: "skipped", message: comment ?? "no score" } : { name };
  const text = failureText(error);
  return { name, kind: "error", message: firstLine(text), body: text };
}

function casesOfRows(experiment: Experiment, limits: ScoreLimits): Case[] {
  const { rows, aggregates } = experiment;
  const { failUnder, failOver, eachAtLeast } = limits;
  const scaleOf = scalesIn(experiment, limits);
  const passes = new Map(Object.keys(aggregates).map((key) => [key, passesByExample(rows, key, scaleOf)]));
  return rows.flatMap((row) => {
    const passesOf = (key: string) => passes.get(key)?.get(row.example.id) ?? [];
    return casesOfRow(row, {
      scaleOf,
      isLimited: (key) => failUnder.has(key) || failOver.has(key),
      fails: (key) => eachAtLeast !== undefined && passesTooSeldom(passesOf(key), eachAtLeast),
      countsErrors: (key) => hasTooManyErrors(aggregates[key] as Aggregate, limits),
    });
  });
}

/** What decides on the tests of a row. */
interface RowRules {
  scaleOf: ScaleOf;
  /** Whether the mean of the key is limited. */
  isLimited(key: string): boolean;
  /** Whether the row passes in too few of its repetitions. */
  fails(key: string): boolean;
  /** Whether the errors of the key fail the experiment. */
  countsErrors(key: string): boolean;
}

function casesOfRow(row: ExperimentRow, { scaleOf, isLimited, fails, countsErrors }: RowRules): Case[] {
  const nameOf = (key: string) => `${rowName(row)} › ${key}`;
  return [
    ...row.evaluationResults.map((result): Case => {
      const name = nameOf(result.key);
      const score = scoreOf(result);
      if (score === undefined) {
        const why = hasValue(result) ? "a value without a score" : "not applicable";
        return { name, kind: "skipped", message: result.comment ?? why };
      }
      const verdict = isPassing(score, scaleOf(result.key));
      if (verdict === undefined && !isLimited(result.key))
        return {
          name,
          kind: "skipped",
          message: `The score is ${decimal(Number(score))}, and has no pass mark`,
        };
      if (verdict !== false) return { name };
      const message =
        typeof score === "number"
          ? `The score is ${decimal(score)}, it should be ${boundOf(scaleOf(result.key))}`
          : `The score is ${score}`;
      const body = bodyOf(row, result.comment);
      return fails(result.key)
        ? { name, kind: "failure", message, body }
        : { name, output: `${message}\n${body}` };
    }),
    ...row.errors.map(({ key, error }): Case => {
      const text = failureText(error);
      const kind = fails(key) || countsErrors(key) ? "error" : "skipped";
      return { name: nameOf(key), kind, message: firstLine(text), body: `${text}\n${bodyOf(row)}` };
    }),
  ];
}

/** The comment and the values of the row. */
function bodyOf({ example, run }: ExperimentRow, comment?: string): string {
  const shown = { inputs: example.inputs, outputs: run.outputs, expected: example.outputs };
  const lines = Object.entries(shown).flatMap(([name, value]) =>
    value === undefined ? [] : [`${name}: ${typeof value === "string" ? value : JSON.stringify(value)}`],
  );
  return [...(comment ? [comment] : []), ...lines].join("\n");
}

const attributes = (fields: Record<string, string | number>): string =>
  Object.entries(fields)
    .map(([name, value]) => ` ${name}="${escaped(String(value)).replaceAll("\n", "&#10;")}"`)
    .join("");

/** Escapes text for XML 1.0. Characters that it forbids, such as control characters and lone surrogates, become visible. */
const escaped = (text: string): string =>
  escapeMarkup(
    text.replaceAll(
      /[^\t\n\x20-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu,
      (character) => `\\u${(character.codePointAt(0) as number).toString(16).padStart(4, "0")}`,
    ),
  );
