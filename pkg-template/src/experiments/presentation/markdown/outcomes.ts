/** What became of experiments, as Markdown: for the summary of a job and the comment of a pull request. */

import {
  costText,
  counted,
  difference,
  differenceRange,
  factsOf,
  figure,
  intervalTitle,
  isRate,
  meanText,
  pValue,
  rangeText,
  testTitles,
  whole,
} from "../../../core/records/numerals.js";
import type { Comparison, Experiment, ExperimentRow } from "../../../core/records/types.js";
import type { Outcome } from "../outcome.js";
import { failedPart, fails, failureText, ownErrors, rowName, scalesIn } from "../reading.js";
import { verdictOf } from "../verdict.js";
import { table, text, value } from "./text.js";

/** How long a comment on GitHub may be. */
const LONGEST = 65_000;
/** How many rows are shown of each experiment. */
const MOST_ROWS = 10;
/** How many errors. */
const MOST_ERRORS = 5;

/** All of them under one heading. Where that would be too long for a comment, the rows are left out. */
export function markdownOf(outcomes: readonly Outcome[]): string {
  const long = document(outcomes, MOST_ROWS);
  if (long.length <= LONGEST) return long;
  return `${document(outcomes, 0).slice(0, LONGEST)}\nThe rows are left out, since there is too much to show.\n`;
}

function document(outcomes: readonly Outcome[], rows: number): string {
  const bad = outcomes.filter(isBad).length;
  const title = bad
    ? `✗ Evaluations: ${whole(bad)} of ${whole(outcomes.length)} failed`
    : "✓ Evaluations passed";
  return `${[`## ${title}`, ...outcomes.map((outcome) => section(outcome, rows).join("\n"))].join("\n\n")}\n`;
}

const isBad = ({ problems, mistake }: Outcome): boolean => mistake !== undefined || problems.length > 0;

function section(outcome: Outcome, rows: number): string[] {
  const { name, file, experiment, baseline, comparisons, problems, mistake, notes = [] } = outcome;
  const about = experiment ? ` (${factsOf(experiment).join(", ")})` : "";
  const said = [...problems, ...(mistake === undefined ? [] : [`${file}: ${mistake}`])];
  const parts = [
    [`### ${isBad(outcome) ? "✗" : "✓"} ${text(name)}${about}`],
    [...said.map((one) => `- ${text(one)}`), ...notes.map((note) => `- ⚠ ${text(note)}`)],
    experiment && (baseline && comparisons ? compared(outcome, experiment, comparisons) : means(experiment)),
    experiment && rows
      ? comparisons
        ? flips(outcome, experiment, comparisons, rows)
        : failing(outcome, experiment, rows)
      : [],
    experiment && rows ? errors(experiment) : [],
  ];
  return parts.flatMap((lines) => (lines?.length ? [lines.join("\n"), ""] : [])).slice(0, -1);
}

function means({ aggregates }: Experiment): string[] {
  const rows = Object.entries(aggregates).map(([key, aggregate]) => ({ key, ...aggregate }));
  return table(rows, [
    { title: "Key", cell: ({ key }) => text(key) },
    { title: "Mean", right: true, cell: (row) => meanText(row.mean, row) },
    {
      title: intervalTitle(rows.map(({ interval }) => interval)),
      right: true,
      cell: (row) => (row.interval ? rangeText(row.interval, isRate(row)) : ""),
    },
    {
      title: "Tokens",
      right: true,
      hidden: rows.every(({ usage }) => !usage),
      cell: ({ usage }) => (usage ? whole(usage.inputTokens + usage.outputTokens) : ""),
    },
    {
      title: "Cost",
      right: true,
      hidden: rows.every(({ cost }) => !cost),
      cell: ({ cost }) => (cost ? costText(cost) : ""),
    },
    { title: "n", right: true, cell: ({ count }) => whole(count) },
    {
      title: "Errors",
      right: true,
      hidden: rows.every(({ errors }) => !errors),
      cell: ({ errors }) => whole(errors),
    },
    {
      title: "N/A",
      right: true,
      hidden: rows.every(({ notApplicable }) => !notApplicable),
      cell: ({ notApplicable }) => whole(notApplicable),
    },
  ]);
}

const ICONS: Partial<Record<ReturnType<typeof verdictOf>, string>> = {
  worse: "🔴 **worse**",
  "may be worse by the margin": "🔴 **may be worse by the margin**",
  better: "🟢 better",
  "not worse by the margin": "🟢 not worse by the margin",
};

/** The difference of each key, and whether it is more than noise. */
function compared(
  { baseline, lowerIsBetter }: Outcome,
  experiment: Experiment,
  comparisons: Record<string, Comparison>,
): string[] {
  const { aggregates } = experiment;
  const scaleOf = scalesIn(experiment, { lowerIsBetter });
  const rows = Object.entries(comparisons).map(([key, comparison]) => ({ key, ...comparison }));
  const rate = ({ key }: { key: string }) => isRate(aggregates[key]);
  const titles = testTitles(rows);
  return table(rows, [
    { title: "Key", cell: ({ key }) => text(key) },
    {
      title: "Before",
      right: true,
      cell: ({ key, means }) => meanText(means.first, baseline?.aggregates[key]),
    },
    { title: "Now", right: true, cell: ({ key, means }) => meanText(means.second, aggregates[key]) },
    {
      title: "Difference",
      right: true,
      cell: (row) => (row.difference === null ? "–" : difference(row.difference, rate(row))),
    },
    {
      title: titles.interval,
      right: true,
      cell: (row) => (row.interval ? differenceRange(row.interval, rate(row)) : ""),
    },
    {
      title: titles.p,
      right: true,
      cell: ({ adjustedPValue }) => pValue(adjustedPValue).replace("<", "&lt;"),
    },
    { title: "Pairs", right: true, cell: ({ count }) => whole(count) },
    {
      title: "Unpaired",
      right: true,
      hidden: rows.every(({ unpaired }) => !unpaired.first && !unpaired.second),
      cell: ({ unpaired }) => `${whole(unpaired.first)} + ${whole(unpaired.second)}`,
    },
    {
      title: "Verdict",
      cell: (row) => {
        const verdict = verdictOf(row.key, row, scaleOf);
        return ICONS[verdict] ?? verdict;
      },
    },
  ]);
}

/** A row for which there is something to say of a key. */
interface NotableRow {
  key: string;
  score: string;
  row: ExperimentRow;
}

/** Rows, folded. */
function folded(title: string, shown: readonly NotableRow[], scoreTitle: string): string[] {
  return [
    `<details><summary>${title}</summary>`,
    "",
    ...table(shown, [
      { title: "Row", cell: ({ row }) => text(rowName(row)) },
      { title: "Key", cell: ({ key }) => text(key) },
      { title: scoreTitle, right: true, cell: ({ score }) => score },
      { title: "Inputs", cell: ({ row }) => value(row.example.inputs) },
      { title: "Outputs", cell: ({ row }) => value(row.run.outputs) },
      {
        title: "Expected",
        hidden: shown.every(({ row }) => row.example.outputs === undefined),
        cell: ({ row }) => value(row.example.outputs),
      },
      {
        title: "Why",
        cell: ({ row, key }) => value(row.evaluationResults.find((one) => one.key === key)?.comment),
      },
    ]),
    "",
    "</details>",
  ];
}

const scoreText = (score: unknown, rate = false): string =>
  typeof score === "number" ? figure(score, rate) : String(score);

/** The rows that flipped for the worse, the largest change first. */
function flips(
  { lowerIsBetter }: Outcome,
  { rows, scales }: Experiment,
  comparisons: Record<string, Comparison>,
  most: number,
): string[] {
  const scaleOf = scalesIn({ scales }, { lowerIsBetter });
  const identity = (id: string, repetition: number) => JSON.stringify([id, repetition]);
  const byIdentity = new Map(rows.map((row) => [identity(row.example.id, row.run.repetition), row]));
  const worse = Object.entries(comparisons).flatMap(([key, { flipped }]) =>
    flipped.flatMap(({ exampleId, repetition, from, to }) => {
      const row = byIdentity.get(identity(exampleId, repetition));
      const { direction } = scaleOf(key);
      const isWorse = direction && Number(to) < Number(from) === (direction === "higher");
      return row && isWorse
        ? [
            {
              key,
              score: `${scoreText(from)} → ${scoreText(to)}`,
              row,
              by: Math.abs(Number(to) - Number(from)),
            },
          ]
        : [];
    }),
  );
  if (!worse.length) return [];
  const shown = worse.sort((a, b) => b.by - a.by).slice(0, most);
  return folded(
    titled("score that became worse", "scores that became worse", worse.length, shown.length),
    shown,
    "Score",
  );
}

/** The results that are bad news. */
function failing({ lowerIsBetter }: Outcome, { rows, scales }: Experiment, most: number): string[] {
  const scaleOf = scalesIn({ scales }, { lowerIsBetter });
  const all = rows.flatMap((row) =>
    row.evaluationResults.flatMap((result) =>
      fails(result, scaleOf) ? [{ key: result.key, score: scoreText(result.score), row }] : [],
    ),
  );
  if (!all.length) return [];
  const shown = all.slice(0, most);
  return folded(titled("score that fails", "scores that fail", all.length, shown.length), shown, "Score");
}

function titled(one: string, many: string, all: number, shown: number): string {
  const rest = shown < all ? `, ${whole(shown)} of them here` : "";
  return `${whole(all)} ${all === 1 ? one : many}${rest}`;
}

/** What could not be scored, each failure once. */
function errors({ rows }: Experiment): string[] {
  const met = new Map<string, number>();
  for (const row of rows) {
    const own = row.run.error ? [{ key: failedPart(row.run.error), error: row.run.error }] : ownErrors(row);
    for (const { key, error } of own) {
      const said = `${key}: ${failureText(error)}`;
      met.set(said, (met.get(said) ?? 0) + 1);
    }
  }
  const lines = Array.from(met, ([said, count]) => `- ${counted(count, "error")}: ${text(said)}`);
  const more = lines.length - MOST_ERRORS;
  return more > 0 ? [...lines.slice(0, MOST_ERRORS), `- … and ${whole(more)} more`] : lines;
}
