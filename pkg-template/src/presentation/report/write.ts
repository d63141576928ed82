import { invalidConfig } from "../../core/errors.js";
import { aFlag, checkOptions, type OptionChecks, show } from "../../core/input/checks.js";
import { writeAtomically } from "../../core/platform/atomic-file.js";
import { builtin } from "../../core/platform/builtin.js";
import type { ComparativeExperiment } from "../../core/records/comparative.js";
import type { Experiment } from "../../core/records/types.js";
import { whyKept } from "../replaceable.js";
import { REPORT_OPTIONS, type ReportOptions, renderReport } from "./render.js";

/** The options of {@link writeReport}. */
export interface WriteReportOptions extends ReportOptions {
  /**
   * Whether any existing file may be replaced. By default, only those that this package derived from experiments can be, such as
   * earlier reports.
   */
  overwrite?: boolean | undefined;
}

/**
 * Writes the report of {@link renderReport} to a file. Creates missing folders, and replaces an earlier report.
 *
 * @param path The path of the HTML file.
 * @throws {@link OpenEvalsError} As {@link renderReport} does; `invalid_config` for an existing file that may not be replaced, and
 * on runtimes without a file system, where you can send the result of `renderReport` instead; `tool_failed` if the file cannot
 * be written. An earlier file is then unchanged.
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
  options: WriteReportOptions = {},
): Promise<void> {
  const otherwise = "writeReport writes a file; renderReport returns the report as text";
  builtin("node:fs/promises", otherwise);
  if (typeof path !== "string" || !path)
    throw invalidConfig(
      `The path of writeReport is ${show(path)}; it has to be a text, such as "report.html"`,
    );
  const { overwrite = false, ...reading } = checkOptions("writeReport", options, OPTIONS);
  const page = await renderReport(experiment, reading);
  const reason = overwrite ? undefined : await whyKept(path, otherwise);
  if (reason)
    throw invalidConfig(
      `${path} ${reason}. Replace it with writeReport(experiment, path, { overwrite: true }), or name another file`,
    );
  await writeAtomically(path, page, otherwise);
}

const OPTIONS: OptionChecks<WriteReportOptions> = { ...REPORT_OPTIONS, overwrite: aFlag };
