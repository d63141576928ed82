/** Writes results in the formats of other tools. */

import type { Experiment } from "../../../core/records/types.js";
import { formatInspectLog } from "../../../evaluation.js";
import { type CsvColumn, csvTable, rowColumns } from "../../../presentation/csv.js";
import { markdownOf } from "../../../presentation/markdown/outcomes.js";
import type { ComparedMatrix } from "../../../presentation/matrix/outcomes.js";
import type { Outcome } from "../../../presentation/outcome.js";
import { scalesIn } from "../../../presentation/reading.js";
import { verdictOf } from "../../../presentation/verdict.js";
import { usageError } from "../cli-error.js";
import { fileNameOf } from "../files.js";
import { writeToGitHub } from "./github.js";
import { addToJson } from "./json-result.js";
import { junitOf } from "./junit.js";
import { outcomeJson } from "./outcome-json.js";
import { writeAll, writeResult } from "./output-files.js";
import { printData } from "./streams.js";
import { reportWritten } from "./terminal.js";

export type ResultFormat = "json" | "markdown" | "csv" | "inspect";

interface ResultFlags {
  json?: boolean;
  format?: ResultFormat | undefined;
  output?: string | undefined;
  junit?: string | undefined;
  github?: boolean;
  comment?: string | undefined;
  overwrite?: boolean;
}

/** Whether `--format` or `--json` takes standard output, so that no table is printed. */
export const takesOutput = ({ json = false, format, output }: ResultFlags): boolean =>
  json || (format !== undefined && output === undefined);

/** The notes to print: `formatComparison()` has printed the one about different inputs, unless there was no table. */
export const unprintedNotes = ({ notes = [], differentInputs }: Outcome, flags: ResultFlags): string[] =>
  notes.filter((note) => takesOutput(flags) || note !== differentInputs);

/** Whether an option needs the rows after the run. */
export const readsRows = ({
  report,
  eachAtLeast,
  junit,
  github = false,
  comment,
  format,
}: ResultFlags & { report: string | undefined; eachAtLeast: number | undefined }): boolean =>
  [report, eachAtLeast, junit, comment, format].some((option) => option !== undefined) || github;

/** Rejects options that would both write to standard output, and a file where a folder is written. */
export function checkResults(options: ResultFlags): void {
  const { github, json, format, output } = options;
  if (format === "inspect" && /\.json$/i.test(output ?? ""))
    throw usageError(
      `--output ${output}: --format inspect writes a log for each experiment into a folder; name it`,
    );
  const writers = [
    ...(github ? ["--github"] : []),
    ...(json ? ["--json"] : []),
    ...(format !== undefined && output === undefined ? ["--format"] : []),
  ];
  if (writers.length < 2) return;
  const advice = writers.includes("--format") ? "name a file for --format with --output" : "use one of them";
  throw usageError(`${writers.join(" and ")} both write to standard output; ${advice}`);
}

/**
 * Rejects a file whose ending does not match its content.
 *
 * @param takes The files that `--output` writes without a format, for the message.
 */
export function checkExtension({ format, output = "" }: ResultFlags, takes: string): void {
  const [, kind = ""] = /\.(csv|tsv|md|markdown|txt|html?|xml|ya?ml)$/i.exec(output) ?? [];
  if (!kind || format !== undefined) return;
  const matching = /^csv$/i.test(kind) ? "csv" : /^(md|markdown)$/i.test(kind) ? "markdown" : undefined;
  const advice = matching
    ? `add --format ${matching}, or name ${takes}`
    : `name ${takes}, or choose another form with --format`;
  throw usageError(`--output ${output}: without --format, it is written as JSON; ${advice}`);
}

/** Writes all requested formats. `json` is the value for `--format json`. */
export async function writeResults(
  outcomes: readonly Outcome[],
  options: ResultFlags,
  json: unknown,
  matrices: readonly ComparedMatrix[] = [],
): Promise<void> {
  const { format, output, junit, comment, github } = options;
  if (options.json) addToJson({ experiments: outcomes.map((outcome) => outcomeJson(outcome)) });
  const markdown = () => markdownOf(outcomes, matrices);
  const write = (what: string, path: string | undefined, text: () => string) => async () =>
    path === undefined ? undefined : reportWritten(what, path, writeResult(path, text(), options));
  const writeFormat = async () => {
    if (format === "inspect") return writeLogs(experimentsOf(outcomes), output, options);
    if (format === undefined) return;
    const text = () => (format === "markdown" ? markdown() : formatted(outcomes, format, json));
    if (output === undefined) printData(text());
    else await write("Results", output, text)();
  };
  await writeAll([
    writeFormat,
    write("JUnit XML", junit, () => junitOf(outcomes)),
    write("Comment", comment, markdown),
    async () => (github ? writeToGitHub(outcomes, markdown, comment) : undefined),
  ]);
}

/** Writes the report of `--report`, if that is set. */
export async function writeReport(
  { report, ...options }: { report: string | undefined; overwrite: boolean },
  render: () => Promise<string>,
): Promise<void> {
  if (report !== undefined)
    await reportWritten("Report", report, writeResult(report, await render(), options));
}

/** A log for each experiment. Inspect's viewer lists only those whose names begin with a time. */
async function writeLogs(
  experiments: readonly Experiment[],
  folder: string | undefined,
  options: { overwrite?: boolean },
): Promise<void> {
  for (const experiment of experiments) {
    const text = formatInspectLog(experiment);
    const { startedAt, experimentName } = experiment;
    const file = `${folder}/${fileNameOf(`${(startedAt ?? "").slice(0, 19)}_${experimentName}`)}`;
    if (folder === undefined) printData(text);
    else await reportWritten("Log of Inspect", file, writeResult(file, text, options));
  }
}

function formatted(outcomes: readonly Outcome[], format: "json" | "csv", json: unknown): string {
  if (format === "json") return `${JSON.stringify(json)}\n`;
  return outcomes.some(({ comparisons }) => comparisons) ? comparisonsAsCsv(outcomes) : rowsAsCsv(outcomes);
}

function rowsAsCsv(outcomes: readonly Outcome[]): string {
  const experiments = outcomes.flatMap(({ name, experiment }) => (experiment ? [{ name, experiment }] : []));
  const keys = [...new Set(experiments.flatMap(({ experiment }) => Object.keys(experiment.aggregates)))];
  const rows = experiments.flatMap(({ name, experiment }) => experiment.rows.map((row) => ({ name, row })));
  type ResultRow = (typeof rows)[number];
  const columns = rowColumns(keys).map(
    ([title, cell]): CsvColumn<ResultRow> => [title, ({ row }) => cell(row)],
  );
  return csvTable<ResultRow>([["experiment", ({ name }) => name], ...columns], rows);
}

function comparisonsAsCsv(outcomes: readonly Outcome[]): string {
  const rows = outcomes.flatMap(({ name, experiment, comparisons = {}, lowerIsBetter }) => {
    const scaleOf = scalesIn(experiment ?? {}, { lowerIsBetter });
    return Object.entries(comparisons).flatMap(([key, comparison]) =>
      [{ ...comparison, by: undefined, value: undefined }, ...(comparison.slices ?? [])].map((one) => ({
        ...{ name, key, slice: one.by === undefined ? undefined : `${one.by}: ${one.value}` },
        ...{ comparison: one, verdict: verdictOf(key, one, scaleOf) },
      })),
    );
  });
  return csvTable(
    [
      ["experiment", ({ name }) => name],
      ["key", ({ key }) => key],
      ["slice", ({ slice }) => slice],
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

/** The experiments of outcomes that have one. */
export const experimentsOf = (outcomes: readonly Outcome[]): Experiment[] =>
  outcomes.flatMap(({ experiment }) => experiment ?? []);
