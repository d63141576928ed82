/** Warnings for comparisons: an experiment that stopped early, other directions, and other judges. */

import { withStop } from "../../../core/full-stop.js";
import { counted } from "../../../core/input/counted.js";
import { whole } from "../../../core/input/counts.js";
import { JudgeModels } from "../../../core/records/judge-models.js";
import { rowCountOf } from "../../../core/records/row-count.js";
import type { Experiment } from "../../../core/records/types.js";
import type { ReadingOptions } from "../../../evaluation.js";
import { isLowerBetter, isLowerByName, scalesIn } from "../../../presentation/reading.js";

/** An experiment, and its name in messages: its file, if there is one. */
export interface NamedExperiment {
  name: string;
  experiment: Experiment;
}

/** A note for each of two experiments that stopped early: how many rows it has, and why it stopped. */
export function unfinishedNotes(before: NamedExperiment, after: NamedExperiment): string[] {
  const note = ({ name, experiment }: NamedExperiment, other: NamedExperiment) =>
    experiment.stopped
      ? [
          `${name} is not a finished experiment: it has ${counted(rowCountOf(experiment), "row")}, and ${other.name} has ` +
            `${whole(rowCountOf(other.experiment))}${other.experiment.stopped ? ", which is not finished either" : ""}. ` +
            `How it ended: ${withStop(experiment.stopped.message)} Only rows that both have are compared.`,
        ]
      : [];
  return [...note(before, after), ...note(after, before)];
}

/** A note for each key of which higher scores are better as recorded, although the other experiment or its name says lower. */
export function directionNotes(
  compared: readonly [NamedExperiment, NamedExperiment],
  options: ReadingOptions,
): string[] {
  const keys = new Set(compared.flatMap(({ experiment }) => Object.keys(experiment.aggregates)));
  return [...keys].flatMap((key) => {
    const isLower = ({ experiment }: NamedExperiment) => isLowerBetter(key, scalesIn(experiment, options));
    const higher = compared.filter((one) => key in one.experiment.aggregates && !isLower(one));
    if (!higher.length || !(compared.some(isLower) || isLowerByName(key))) return [];
    const files = higher.map(({ name }) => name).join(" and ");
    return [
      `In ${files}, higher scores of ${key} are better. If lower ones are, add --lower-is-better ${key}.`,
    ];
  });
}

/** A note for each key that other models, or the same with another prompt, judged. */
export function judgeNotes(before: NamedExperiment, after: NamedExperiment): string[] {
  const [earlier, later] = [before, after].map(({ experiment }) => new JudgeModels(experiment.rows));
  return (earlier as JudgeModels)
    .others(later as JudgeModels)
    .map(
      ({ key, here, there }) =>
        `${key} was judged by ${here} in ${before.name}, and by ${there} in ${after.name}: the ` +
        "difference may be that of the judges.",
    );
}
