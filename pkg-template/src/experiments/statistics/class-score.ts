/** Runs a classification metric in the engine, and explains missing scores. */

import { statisticsEngine } from "../../core/engine/statistics.js";
import { show } from "../../core/input/checks.js";
import type { ReadLabels } from "../../evaluators/summary/labels.js";
import {
  type Conclude,
  type MetricResult,
  metricResult,
  TOO_FEW_LABELS,
} from "../../evaluators/summary/metric.js";
import { numberedGroups, type StatisticsOptions, settingsOf } from "../../evaluators/summary/settings.js";
import type { ClassScore, Settings } from "../../openevals-statistics.types.js";

const TOO_FEW_EXAMPLES = "It has no interval: there are too few examples, or too few of a class.";
const ONE_CLASS =
  "It has no interval: all outputs and reference outputs are of the same class, so how others would score is unknown.";

/** Computes a score. The comment says why it is undefined, for which classes it is, or why it has no interval. */
export async function scored(
  labels: ReadLabels,
  options: StatisticsOptions,
  compute: (
    ...rows: [
      outputs: Uint32Array,
      references: Uint32Array,
      examples: Uint32Array | undefined,
      clusters: Uint32Array | undefined,
      settings: Settings,
    ]
  ) => ClassScore,
  whyUndefined: string,
): Promise<Conclude<MetricResult>> {
  const { outputs, references, classes } = labels;
  const { examples, clusters } = numberedGroups(labels);
  const { estimate, undefinedClasses, hasTooFewLabels, hasOneClass } = await statisticsEngine.run(
    "a score of classes",
    outputs.length,
    () => compute(outputs, references, examples, clusters, settingsOf(options)),
  );
  const undefinedNames = undefinedClasses.map((number) => show(classes[number])).join(", ");
  const comments: string[] = [];
  if (estimate.value === null) {
    const why = outputs.length ? whyUndefined : "there are no rows";
    comments.push(
      undefinedNames
        ? `Not defined for ${undefinedNames}, and the reference has no other class.`
        : `Not defined: ${why}.`,
    );
  } else {
    if (undefinedNames)
      comments.push(`Classes left out because the metric is not defined for them: ${undefinedNames}.`);
    if (hasTooFewLabels) comments.push(TOO_FEW_LABELS);
    else if (hasOneClass) comments.push(ONE_CLASS);
    else if (!estimate.interval) comments.push(TOO_FEW_EXAMPLES);
  }
  const comment = comments.join(" ") || undefined;
  return (key, metadata) => metricResult(key, estimate, metadata, comment);
}
