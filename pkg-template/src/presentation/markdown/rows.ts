/** The rows behind the figures, in Markdown: scores that fail, and scores that became worse. */

import { whole } from "../../core/input/counts.js";
import { figure } from "../../core/number-text.js";
import { identity, identityOf } from "../../core/records/row-identity.js";
import type { Comparison, Experiment, ExperimentRow } from "../../core/records/types.js";
import type { Outcome } from "../outcome.js";
import { rowName, scalesIn } from "../reading.js";
import { failingExamples } from "../story/failures.js";
import { type Flip, flipName, worseFlips } from "../story/flips.js";
import { strictMarks } from "../story/strict-marks.js";
import { table, text, value } from "./text.js";

/** A score to show. */
interface NotableScore {
  key: string;
  score: string;
  row: ExperimentRow;
  /** The name of the row, or of all repetitions that it represents. */
  name: string;
}

/** The scores of the first rows in a `<details>` element, each row with all of its scores, and its inputs and outputs once. */
function folded([one, many]: [string, string], scores: readonly NotableScore[], most: number): string[] {
  const byName = new Map<string, NotableScore[]>();
  for (const score of scores) byName.set(score.name, [...(byName.get(score.name) ?? []), score]);
  const shown = Array.from(byName, ([name, own]) => ({ name, row: own[0]!.row, own })).slice(0, most);
  const rest =
    shown.length < byName.size ? `, ${whole(shown.length)} of ${whole(byName.size)} rows shown` : "";
  const lines = (own: readonly NotableScore[], cell: (one: NotableScore) => string) =>
    own.map(cell).filter(Boolean).join("<br>");
  return [
    `<details><summary>${whole(scores.length)} ${scores.length === 1 ? one : many}${rest}</summary>`,
    "",
    ...table(shown, [
      { title: "Row", cell: ({ name }) => text(name) },
      { title: "Key", cell: ({ own }) => lines(own, ({ key }) => text(key)) },
      { title: "Score", right: true, cell: ({ own }) => lines(own, ({ score }) => score) },
      { title: "Inputs", cell: ({ row }) => value(row.example.inputs) },
      { title: "Outputs", cell: ({ row }) => value(row.run.outputs) },
      {
        title: "Expected",
        hidden: shown.every(({ row }) => row.example.outputs === undefined),
        cell: ({ row }) => value(row.example.outputs),
      },
      {
        title: "Why",
        cell: ({ own }) =>
          lines(own, ({ row, key }) => {
            const why = value(row.evaluationResults.find((one) => one.key === key)?.comment);
            return why && own.length > 1 ? `${text(key)}: ${why}` : why;
          }),
      },
    ]),
    "",
    "</details>",
  ];
}

const scoreText = (score: unknown, rate = false): string =>
  typeof score === "number" ? figure(score, rate) : String(score);

/** The scores that became worse, the largest change first. The repetitions of an example are one row, that of its largest change. */
export function flips(
  { lowerIsBetter }: Outcome,
  { rows, scales }: Experiment,
  comparisons: Record<string, Comparison>,
  most: number,
): string[] {
  const scaleOf = scalesIn({ scales }, { lowerIsBetter });
  const byIdentity = new Map(rows.map((row) => [identityOf(row), row]));
  const worse = worseFlips(comparisons, scaleOf).flatMap(({ key, flips }) => {
    const largest = flips.reduce((one, other) => (sizeOf(other) > sizeOf(one) ? other : one));
    const { exampleId, repetition, from, to } = largest;
    const row = byIdentity.get(identity(exampleId, repetition));
    const score = `${scoreText(from)} → ${scoreText(to)}`;
    return row ? [{ key, score, row, name: flipName(flips), by: sizeOf(largest) }] : [];
  });
  if (!worse.length) return [];
  worse.sort((a, b) => b.by - a.by);
  return folded(["score that became worse", "scores that became worse"], worse, most);
}

const sizeOf = ({ from, to }: Flip): number => Math.abs(Number(to) - Number(from));

/** The scores that fail. The repetitions of an example are one row: `0 of 3`. */
export function failing({ lowerIsBetter }: Outcome, experiment: Experiment, most: number): string[] {
  const scaleOf = scalesIn(experiment, { lowerIsBetter });
  const all = failingExamples(experiment.rows, scaleOf).flatMap(({ row, runs, keys }) =>
    keys.map(
      ({ key, score }): NotableScore => ({ key, score, row, name: runs > 1 ? row.example.id : rowName(row) }),
    ),
  );
  if (!all.length) return [];
  const marks = strictMarks(experiment, scaleOf).flatMap((mark) => [`${text(mark)}.`, ""]);
  return [...marks, ...folded(["score that fails", "scores that fail"], all, most)];
}
