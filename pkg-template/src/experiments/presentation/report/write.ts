import { builtin } from "../../../core/platform/builtin.js";
import type { ComparativeExperiment } from "../../../core/records/comparative.js";
import type { Experiment } from "../../../core/records/types.js";
import { writeWhole } from "../../stored/whole-file.js";
import { type ReportOptions, renderReport } from "./render.js";

/**
 * Writes the report of an experiment, or of several, to a file, with the folders that it is in. See {@link renderReport}.
 *
 * @throws {@link OpenEvalsError} `invalid_config` where there is no file system: there, send what `renderReport` returns;
 * `tool_failed` where the file cannot be written: an earlier one stays as it was.
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
  await writeWhole(path, await renderReport(experiment, options), otherwise);
}
