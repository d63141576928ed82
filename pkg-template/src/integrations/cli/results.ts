/** What commands came to, in the forms that others read. */

import type { Experiment } from "../../core/records/types.js";
import { type CsvColumn, csvTable, rowColumns } from "../../experiments/presentation/csv.js";
import { junitOf } from "../../experiments/presentation/junit.js";
import { markdownOf } from "../../experiments/presentation/markdown/outcomes.js";
import type { Outcome } from "../../experiments/presentation/outcome.js";
import { scalesIn } from "../../experiments/presentation/reading.js";
import { verdictOf } from "../../experiments/presentation/verdict.js";
import { writeText } from "./files.js";
import { tellGitHub } from "./github.js";
import { wrong } from "./mistake.js";
import { print } from "./streams.js";

export type Format = "json" | "markdown" | "csv";

interface ResultFlags {
  format?: Format | undefined;
  output?: string | undefined;
  junit?: string | undefined;
  github?: boolean;
  comment?: string | undefined;
}

/** Whether standard output is for the format, and not for people. */
export const takesOutput = ({ format, output }: ResultFlags): boolean =>
  format !== undefined && output === undefined;

/** Whether rows are looked at once they are done. */
export const readsRows = ({
  report,
  eachAtLeast,
  junit,
  github = false,
  comment,
  format,
}: ResultFlags & { report: string | undefined; eachAtLeast: number | undefined }): boolean =>
  [report, eachAtLeast, junit, comment, format].some((option) => option !== undefined) || github;

/** Refuses what would mix two things on standard output. */
export function checkResults(options: ResultFlags): void {
  if (options.github && takesOutput(options))
    throw wrong("--github writes to standard output, as --format does; name a file with --output");
}

/**
 * Refuses a file that would not hold what its name says.
 *
 * @param takes What `--output` writes without a format.
 */
export function checkExtension({ format, output = "" }: ResultFlags, takes: string): void {
  const [, kind = ""] = /\.(csv|tsv|md|markdown|txt|html?|xml|ya?ml)$/i.exec(output) ?? [];
  if (!kind || format !== undefined) return;
  const form = /^csv$/i.test(kind) ? "csv" : /^(md|markdown)$/i.test(kind) ? "markdown" : undefined;
  const advice = form
    ? `add --format ${form}, or name ${takes}`
    : `name ${takes}, or choose another form with --format`;
  throw wrong(`--output ${output}: without --format, it is written as JSON; ${advice}`);
}

/** Writes all that was asked for. `json` is what there is to be written as that. */
export async function writeResults(
  outcomes: readonly Outcome[],
  options: ResultFlags,
  json: unknown,
): Promise<void> {
  const { format, output, junit, comment, github } = options;
  if (format !== undefined) {
    const text = formatted(outcomes, format, json);
    if (output === undefined) print(text);
    else await writeText(output, text);
  }
  if (junit !== undefined) await writeText(junit, junitOf(outcomes));
  if (comment !== undefined) await writeText(comment, markdownOf(outcomes));
  if (github) await tellGitHub(outcomes, comment);
}

function formatted(outcomes: readonly Outcome[], format: Format, json: unknown): string {
  if (format === "json") return `${JSON.stringify(json)}\n`;
  if (format === "markdown") return markdownOf(outcomes);
  return outcomes.some(({ comparisons }) => comparisons) ? comparisonsAsCsv(outcomes) : rowsAsCsv(outcomes);
}

function rowsAsCsv(outcomes: readonly Outcome[]): string {
  const experiments = outcomes.flatMap(({ name, experiment }) => (experiment ? [{ name, experiment }] : []));
  const keys = [...new Set(experiments.flatMap(({ experiment }) => Object.keys(experiment.aggregates)))];
  const rows = experiments.flatMap(({ name, experiment }) => experiment.rows.map((row) => ({ name, row })));
  type Row = (typeof rows)[number];
  const columns = rowColumns(keys).map(([title, cell]): CsvColumn<Row> => [title, ({ row }) => cell(row)]);
  return csvTable<Row>([["experiment", ({ name }) => name], ...columns], rows);
}

function comparisonsAsCsv(outcomes: readonly Outcome[]): string {
  const rows = outcomes.flatMap(({ name, experiment, comparisons = {}, lowerIsBetter }) => {
    const scaleOf = scalesIn(experiment ?? {}, { lowerIsBetter });
    return Object.entries(comparisons).map(([key, comparison]) => ({
      ...{ name, key, comparison, verdict: verdictOf(key, comparison, scaleOf) },
    }));
  });
  return csvTable(
    [
      ["experiment", ({ name }) => name],
      ["key", ({ key }) => key],
      ["before", ({ comparison }) => comparison.means.first ?? undefined],
      ["now", ({ comparison }) => comparison.means.second ?? undefined],
      ["difference", ({ comparison }) => comparison.difference ?? undefined],
      ["low", ({ comparison }) => comparison.interval?.low],
      ["high", ({ comparison }) => comparison.interval?.high],
      ["p", ({ comparison }) => comparison.adjustedPValue ?? undefined],
      ["pairs", ({ comparison }) => comparison.count],
      ["verdict", ({ verdict }) => verdict],
    ],
    rows,
  );
}

/** The experiments of some outcomes. */
export const experimentsOf = (outcomes: readonly Outcome[]): Experiment[] =>
  outcomes.flatMap(({ experiment }) => experiment ?? []);
