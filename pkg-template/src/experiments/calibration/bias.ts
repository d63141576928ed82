/** Biases of a judge: how much more its scores exceed the labels on some rows than on others. */

import type { CalibrationReport, Figure } from "../../core/records/calibration.js";
import * as bindings from "../../openevals-statistics.js";
import type { Settings } from "../../openevals-statistics.types.js";
import { groupsOf } from "../statistics/clusters.js";
import type { CalibrationColumns } from "./columns.js";
import type { Notes } from "./notes.js";
import { type ScoreBounds, times } from "./verdicts.js";

export function biasOf(
  columns: CalibrationColumns,
  range: ScoreBounds,
  settings: Settings,
  notes: Notes,
): CalibrationReport["bias"] {
  const { observations, origins, truths, numbers } = columns;
  const scores = truths
    ? { verdicts: truths.verdicts.map(Number), labels: truths.labels.map(Number) }
    : numbers;
  const span = truths ? 1 : range.max - range.min;
  const noScores =
    "Labels or verdicts are classes, not numbers. Set positive, the class that counts as true.";
  const ofRows = (rows: readonly number[], column: readonly number[]) =>
    Float64Array.from(rows, (row) => column[row] as number);
  /** @param favoured `undefined` for a row without the position or the author. */
  const favour = (name: string, favoured: (boolean | undefined)[], why: string): Figure => {
    if (!scores) return notes.figure(name, undefined, noScores);
    const rows = favoured.flatMap((isFavoured, row) => (isFavoured === undefined ? [] : [row]));
    const { examples, clusters } = groupsOf(rows.map((row) => origins[row]!));
    const figure = bindings.favourOf(
      ofRows(rows, scores.verdicts),
      ofRows(rows, scores.labels),
      Float64Array.from(rows, (row) => Number(favoured[row])),
      examples,
      clusters,
      settings,
    );
    return notes.figure(name, figure && times(span, figure), why);
  };
  const groups = groupsOf(origins);
  const lengths = observations.map(({ row }) => textOf(row.run.outputs).length);
  const excess = scores?.verdicts.map((verdict, row) => verdict - (scores.labels[row] as number));
  return {
    position: favour(
      "bias.position",
      observations.map(({ labelled }) => isFirst(labelled.position)),
      "It needs rows with answers that were shown first, and rows with other answers. Set position to their field.",
    ),
    verbosity: notes.figure(
      "bias.verbosity",
      excess &&
        bindings.agreementOf(
          "spearman",
          Float64Array.from([...lengths, ...excess]),
          2,
          0,
          groups.examples,
          groups.clusters,
          settings,
        ),
      scores ? "All answers have the same length, or all scores have the same error." : noScores,
      "It has no interval: fewer than 5 scores have another error than most.",
    ),
    selfPreference: favour(
      "bias.selfPreference",
      observations.map(({ labelled, result }) => isOwn(labelled.author, result.metadata?.["model"])),
      "It needs rows with answers of the judge's own model, and rows with other answers. Set author to their field.",
    ),
  };
}

const textOf = (value: unknown): string =>
  typeof value === "string" ? value : (JSON.stringify(value) ?? "");

function isFirst(position: unknown): boolean | undefined {
  if (position === undefined) return undefined;
  return ["first", "1", "true"].includes(String(position).toLowerCase());
}

function isOwn(author: unknown, model: unknown): boolean | undefined {
  if (author === undefined || typeof model !== "string") return undefined;
  // `openai:gpt-5.4` and `gpt-5.4` are the same model.
  const [written, judged] = [String(author), model].map((name) => name.slice(name.indexOf(":") + 1));
  return written === judged;
}
