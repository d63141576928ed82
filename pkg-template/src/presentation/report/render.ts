/** The report: one HTML file that holds everything, and asks nothing of any network. */

import { typedReading } from "../../errors.js";
import { checkExperiment } from "../../experiment/check.js";
import type { Experiment } from "../../experiment/types.js";
import { anything, type Checks, checkOptions } from "../../input/checks.js";
import { compareExperiments } from "../../statistics/compare.js";
import { READING_OPTIONS, type ReadingOptions } from "../options.js";
import type { ReportData } from "./data.js";

/** The options of {@link renderReport} and {@link writeReport}. */
export interface ReportOptions extends ReadingOptions {
  /** An experiment over the same data to compare with: differences are seen from it. */
  compareWith?: Experiment | undefined;
}

/**
 * Makes one HTML file of an experiment: each key with its mean, interval and distribution, the summary results, and a
 * table of the rows to search, filter, sort and open; with `compareWith` also the differences and the rows that flipped.
 *
 * The file needs no network and allows none, and nothing in the data can run in it.
 *
 * @throws {@link OpenEvalsError} `invalid_config` for options that cannot work, `invalid_input` for what is no experiment.
 *
 * @example
 * ```ts
 * import { type Experiment, renderReport } from "openevals-wasm/evaluation";
 *
 * export async function respond(experiment: Experiment): Promise<Response> {
 *   const html = await renderReport(experiment);
 *   return new Response(html, { headers: { "content-type": "text/html; charset=utf-8" } });
 * }
 * ```
 */
export async function renderReport(experiment: Experiment, options: ReportOptions = {}): Promise<string> {
  const { compareWith: baseline, lowerIsBetter = [] } = checkOptions("renderReport", options, OPTIONS);
  typedReading("renderReport", () => {
    checkExperiment(experiment, "experiment");
    if (baseline !== undefined) checkExperiment(baseline, "experiment to compare with");
  });
  const { policy, script, style } = await import("./page-files.js");
  const data: ReportData = {
    experiment,
    lowerIsBetter,
    ...(baseline && { baseline, comparisons: await compareExperiments(baseline, experiment) }),
  };
  const json = typedReading("renderReport", () => JSON.stringify(data));
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="generator" content="openevals-wasm">
<link rel="icon" href="data:,">
<title>${escapeText(experiment.experimentName)}</title>
<style>${style}</style>
</head>
<body>
<noscript>This report is drawn by a script that it brings along; allow scripts to read it.</noscript>
<script type="application/json" id="data">${escapeJson(json)}</script>
<script>${script}</script>
</body>
</html>
`;
}

const OPTIONS: Checks<ReportOptions> = { ...READING_OPTIONS, compareWith: anything };

const escapeText = (text: string): string => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");

/** Without `<` the text can neither end the element nor begin another; JSON reads the escapes as what they stand for. */
const escapeJson = (json: string): string => json.replaceAll("<", "\\u003c");
