/** The verdict as a sentence: the title of a report, and the opening of reports, comments and comparisons. */

import { counted } from "../../core/input/counted.js";
import { whole } from "../../core/input/counts.js";
import { joined } from "../../core/input/joined.js";
import { rowCountOf } from "../../core/records/row-count.js";
import type { Comparison, Experiment } from "../../core/records/types.js";
import { hasUnpaired, type ScaleOf, scalesIn } from "../reading.js";
import { changeVerdict, isWithin } from "../verdict.js";
import { statusCounts } from "./row-status.js";
import { sliceName, worseSlices } from "./slices.js";

/** The subject of the sentence. */
interface HeadlineSource {
  experiment: Experiment;
  lowerIsBetter: readonly string[];
  comparisons?: Record<string, Comparison> | undefined;
  matrix?: { headline: string } | undefined;
}

/** The title of the page. */
export const titleOf = (source: HeadlineSource): string =>
  `${headline(source)} · ${source.experiment.experimentName}`;

/** `Better on 1 of 3 keys, by more than chance; 4 of 24 rows fail`. */
export function headline({ experiment, comparisons, lowerIsBetter, matrix }: HeadlineSource): string {
  if (matrix) return matrix.headline;
  const scaleOf = scalesIn(experiment, { lowerIsBetter });
  const parts = [
    ...(comparisons ? [changes(comparisons, scaleOf), ...worseInSlices(comparisons, scaleOf)] : []),
    rowsText(experiment, scaleOf),
  ];
  return capitalized(parts.join("; "));
}

/** The number of keys on which an experiment is better, worse or different, and what the margins show. */
function changes(comparisons: Record<string, Comparison>, scaleOf: ScaleOf): string {
  const verdicts = Object.entries(comparisons).flatMap(([key, one]) => {
    const verdict = changeVerdict(key, one, scaleOf);
    return verdict === "nothing to compare" ? [] : [{ key, verdict, isSummary: one.isSummary }];
  });
  const [changed, more] = verdicts.filter(({ verdict }) => verdict === "changed");
  const summary = changed && (more ? "summary scores" : `the summary score ${changed.key}`);
  const ofRows = verdicts.filter(({ isSummary }) => !isSummary);
  const [only, another] = ofRows;
  if (!only)
    return summary ? `${summary} changed` : verdicts.length ? "nothing changed" : "nothing to compare";
  const all = another ? counted(ofRows.length, "key") : only.key;
  const found = (["better", "worse", "differs"] as const).flatMap((kind) => {
    const count = ofRows.filter(({ verdict }) => verdict === kind).length;
    if (!count) return [];
    return [`${kind === "differs" ? "different" : kind} on${another ? ` ${whole(count)}` : ""}`];
  });
  const margins = marginsText(comparisons, ofRows, scaleOf);
  if (found.length)
    return `${joined(found, "and")} ${another ? "of " : ""}${all}, by more than chance${margins}`;
  const unchanged = hasUnpaired(Object.values(comparisons))
    ? "nothing changed in the rows with both scores"
    : "nothing changed";
  if (!ofRows.every(({ verdict }) => verdict === "unchanged"))
    return `no difference by more than chance on ${all}${margins}`;
  return (summary ? `only ${summary} changed` : unchanged) + margins;
}

/** The slices that became worse: `worse in language: de`, `worse in 2 slices`. */
function worseInSlices(comparisons: Record<string, Comparison>, scaleOf: ScaleOf): string[] {
  const [name, ...others] = new Set(worseSlices(comparisons, scaleOf).map((slice) => sliceName(slice)));
  if (name === undefined) return [];
  return [`worse in ${others.length ? `${whole(others.length + 1)} slices` : name}`];
}

/** Whether the keys are within their margins: `, but within the margin`; empty without margins. */
function marginsText(
  comparisons: Record<string, Comparison>,
  ofRows: readonly { key: string; verdict: string }[],
  scaleOf: ScaleOf,
): string {
  const tested = ofRows.flatMap(({ key, verdict }) => {
    const { margin } = comparisons[key] as Comparison;
    return margin ? [{ key, verdict, isKept: isWithin(key, margin, scaleOf) }] : [];
  });
  if (!tested.length) return "";
  const open = tested.filter(({ isKept }) => !isKept);
  const isDifferent = tested.some(({ verdict }) => verdict === "worse" || verdict === "differs");
  const link = isDifferent === open.length > 0 ? "and" : "but";
  const about = open.length ? open : tested;
  const keys = about.length > 1 ? counted(about.length, "key") : about[0]?.key;
  const on = ofRows.length > 1 ? ` on ${keys}` : "";
  return `, ${link} ${open.length ? "not shown to be " : ""}within the margin${on}`;
}

/** The number of rows that fail, have errors or pass. A row that fails and has an error counts as failing. */
export function rowsText(experiment: Experiment, scaleOf: ScaleOf): string {
  const { rows } = experiment;
  const all = rowCountOf(experiment);
  if (!rows.length) return all ? `${counted(all, "row")}, which the experiment does not keep` : "no rows";
  const { fails, error, passes, unjudged } = statusCounts(rows, scaleOf);
  const of = counted(rows.length, "row");
  if (fails) {
    const failing = `${whole(fails)} of ${of} ${fails === 1 ? "fails" : "fail"}`;
    return error
      ? `${failing}, ${whole(error)} ${error === 1 ? "other has an error" : "others have errors"}`
      : failing;
  }
  if (error) return `${whole(error)} of ${of} ${error === 1 ? "has an error" : "have errors"}`;
  if (!passes) return `${of} without a score that has a pass mark`;
  if (unjudged) return `${whole(passes)} of ${of} pass, the others have no score with a pass mark`;
  return rows.length === 1 ? "the row passes" : `all ${of} pass`;
}

const capitalized = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
