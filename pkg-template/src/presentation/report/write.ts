import { invalidConfig } from "../../core/errors.js";
import { show } from "../../core/input/checks.js";
import { writeAtomically } from "../../core/platform/atomic-file.js";
import { builtin } from "../../core/platform/builtin.js";
import type { ComparativeExperiment } from "../../core/records/comparative.js";
import type { Experiment } from "../../core/records/types.js";
import { type ReportOptions, renderReport } from "./render.js";

/**
 * Writes the report of {@link renderReport} to a file. Creates missing folders, and replaces an earlier file.
 *
 * @param path The path of the HTML file.
 * @throws {@link OpenEvalsError} As {@link renderReport} does; `invalid_config` on runtimes without a file system,
 * where you can send the result of `renderReport` instead; `tool_failed` if the file cannot be written. An earlier file
 * is then unchanged.
 *
 * @example
 * ```ts
 * import { type Experiment, writeReport } from "openevals-wasm/evaluation";
 *
 * export const write = (before: Experiment, after: Experiment) =>
 *   writeReport(after, "target/report.html", { compareWith: before });
 * ```
 */
export async function writeReport(
  experiment: Experiment | readonly Experiment[] | ComparativeExperiment,
  path: string,
  options: ReportOptions = {},
): Promise<void> {
  const otherwise = "writeReport writes a file; renderReport returns the report as text";
  builtin("node:fs/promises", otherwise);
  if (typeof path !== "string" || !path)
    throw invalidConfig(
      `The path of writeReport is ${show(path)}; it has to be a text, such as "report.html"`,
    );
  await writeAtomically(path, await renderReport(experiment, options), otherwise);
}
