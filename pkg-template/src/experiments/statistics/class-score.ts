/** Scores of classes, with what there is to say of them. */

import { statisticsEngine } from "../../core/engine/statistics.js";
import { show } from "../../core/input/checks.js";
import type { ReadLabels } from "../../evaluators/summary/labels.js";
import {
  type Conclude,
  type MetricResult,
  metricResult,
  TOO_FEW_LABELS,
} from "../../evaluators/summary/metric.js";
import { numbered, type StatisticsOptions, settingsOf } from "../../evaluators/summary/settings.js";
import type { ClassScore, Settings } from "../../openevals-statistics.types.js";

/** A score of the engine, with a comment if it is not defined, or not for all classes, or has no interval. */
export async function scored(
  labels: ReadLabels,
  options: StatisticsOptions,
  compute: (
    ...rows: [
      outputs: Uint32Array,
      references: Uint32Array,
      examples: Uint32Array | undefined,
      settings: Settings,
    ]
  ) => ClassScore,
  whyUndefined: string,
): Promise<Conclude<MetricResult>> {
  const { outputs, references, exampleIds, classes } = labels;
  const { estimate, undefinedClasses, hasTooFewLabels } = await statisticsEngine.run(
    "a score of classes",
    outputs.length,
    () => compute(outputs, references, exampleIds && numbered(exampleIds), settingsOf(options)),
  );
  const without = undefinedClasses.map((number) => show(classes[number])).join(", ");
  let comment: string | undefined;
  if (estimate.value === null && without) {
    comment = `Not defined: it leaves out ${without}, for which it is not defined, and no other class is in the reference.`;
  } else if (without) comment = `Left out, since it is not defined for them: ${without}.`;
  else if (estimate.value === null)
    comment = `Not defined: ${outputs.length ? whyUndefined : "there are no rows"}.`;
  else if (hasTooFewLabels) comment = TOO_FEW_LABELS;
  else if (!estimate.interval)
    comment = "It has no interval: every sample that can be drawn from these rows has the same score.";
  return (key, metadata) => metricResult(key, estimate, metadata, comment);
}
