import { OpenEvalsError } from "../../errors.js";
import type { Experiment } from "../types.js";
import { type ReportOptions, renderReport } from "./render.js";

/**
 * Writes the report of an experiment to a file, with the folders that it is in. See {@link renderReport}.
 *
 * @throws {@link OpenEvalsError} `invalid_config` where there is no file system: there, send what `renderReport` returns.
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
  experiment: Experiment,
  path: string,
  options: ReportOptions = {},
): Promise<void> {
  const { process } = globalThis as { process?: { getBuiltinModule?: (name: string) => any } };
  const fs = process?.getBuiltinModule?.("node:fs/promises");
  if (!fs) {
    throw new OpenEvalsError(
      "invalid_config",
      "writeReport needs a file system, which this runtime has not; renderReport returns the report as text.",
    );
  }
  const html = await renderReport(experiment, options);
  const { dirname } = process?.getBuiltinModule?.("node:path") ?? {};
  await fs.mkdir(dirname(path), { recursive: true });
  await fs.writeFile(path, html);
}
