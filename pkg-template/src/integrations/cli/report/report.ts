/** `report`: writes a report of experiments, or an index of a folder. */

import "file:./evaluation.js";
import { invalidInput, OpenEvalsError } from "../../../core/errors.js";
import { counted } from "../../../core/input/counted.js";
import { isPipe } from "../../../core/platform/pipe.js";
import { checkExperiment } from "../../../core/records/check.js";
import type { Experiment, ExperimentRow } from "../../../core/records/types.js";
import { readExperiment, renderReport } from "../../../evaluation.js";
import { isExperimentFile, isSinkFile } from "../../../presentation/replaceable.js";
import type { IndexData, IndexEntry, ReportData } from "../../../presentation/report/data.js";
import { dataIn, isCutOff } from "../../../presentation/report/document.js";
import { indexEntry, indexOfEntries, RowTotals } from "../../../presentation/report/index-of.js";
import { checkDirections, type ReadingFlags, readingOf } from "../arguments/reading-options.js";
import { usageError } from "../cli-error.js";
import { noteMistake } from "../exit-code.js";
import { checkExists, IN_NODE, isFolder, namesIn, readText, realPath, writeText } from "../files.js";
import { noteWritten } from "../output/json-result.js";
import { checkOutputFiles } from "../output/output-files.js";
import { writeReport } from "../output/results.js";
import { reportWritten, say } from "../output/terminal.js";
import type { ReportFlags } from "./options.js";

export async function report(files: string[], options: ReportFlags): Promise<number> {
  const [first, ...more] = files;
  if (first === undefined)
    throw usageError("report needs files that score --output or run --output wrote, or a folder of them");
  const reading = await readingOf(options);
  const areFolders = await Promise.all(files.map(isFolder));
  if (areFolders.some(Boolean)) {
    if (more.length) throw usageError("report takes either files or one folder");
    if (options.report !== undefined)
      throw usageError(
        `--report cannot be used with a folder, whose index is ${first}/index.html; remove it`,
      );
    return reportFolder(first, reading);
  }
  await Promise.all(files.map(checkExists));
  if (options.report === undefined) throw usageError("report needs --report, the file to write");
  const experiments: Experiment[] = [];
  await checkOutputFiles(files, options);
  for (const file of files) experiments.push(await readExperiment(file));
  checkShards(files, experiments);
  checkDirections(options, experiments);
  await writeReport(options, () => reportOf(files, experiments, reading));
  return 0;
}

/** Rejects parts of one experiment, which cannot be compared. */
function checkShards(files: readonly string[], experiments: readonly Experiment[]): void {
  const shards = experiments.flatMap(({ shard }, index) =>
    shard ? [{ file: files[index], part: `${shard.index}/${shard.count}` }] : [],
  );
  const [first, ...others] = shards;
  const other = others.find(({ part }) => part !== first?.part);
  if (!first || !other) return;
  throw usageError(
    `${first.file} and ${other.file} are different shards, which have no rows in common; merge all ` +
      "shards first with npx openevals-wasm merge",
  );
}

/**
 * Writes the index of a folder. Experiments without a report get one; existing reports stay unchanged. Damaged files are skipped
 * and change the exit code; those of other programs are only skipped.
 */
async function reportFolder(path: string, reading: ReadingFlags): Promise<number> {
  const folder = path.replace(/(?<=.)[\\/]+$/, "");
  const index = `${folder}/index.html`;
  if (await isForeign(index))
    throw usageError(
      `${index} was not written by this program and is not overwritten; move it, or name another folder`,
    );
  const names = await namesIn(folder);
  const named = async (pattern: RegExp) => {
    const found: string[] = [];
    for (const name of names) {
      if (!pattern.test(name) || (await isFolder(`${folder}/${name}`))) continue;
      if (await isPipe(`${folder}/${name}`)) skip(`${folder}/${name} is not a regular file.`);
      else found.push(name);
    }
    return found;
  };
  /** Files of reports, by the name of the experiment. */
  const reports = new Map<string, string>();
  const entries = new Map<string, IndexEntry>();
  const add = (experiment: Experiment, file: string | undefined) => {
    entries.set(experiment.experimentName, indexEntry(experiment, addressOf(file), reading.prices));
  };
  for (const name of await named(/\.html?$/i)) {
    const path = `${folder}/${name}`;
    const html = await readText(path).catch((error: Error) => skip(error.message) ?? "");
    if (isCutOff(html)) skip(`${path} is not a complete report.`);
    const experiment = isCutOff(html) ? undefined : experimentOfReport(html);
    if (!experiment) continue;
    reports.set(experiment.experimentName, name);
    add(experiment, name);
  }
  for (const name of await named(/\.json$/i)) {
    const path = `${folder}/${name}`;
    const experiment = await readExperiment(path).catch(async (error: Error) =>
      (await isExperimentFile(path, IN_NODE)) ? skip(error.message) : say(`Skipped: ${error.message}`),
    );
    if (!experiment) continue;
    const { experimentName } = experiment;
    if (entries.has(experimentName) && !reports.has(experimentName)) {
      reportDuplicate(name, experimentName);
      continue;
    }
    add(
      experiment,
      reports.get(experimentName) ?? (await newReport(folder, name, names, experiment, reading)),
    );
  }
  for (const name of await named(/\.jsonl$/i)) {
    const path = `${folder}/${name}`;
    if (!(await isSinkFile(path, IN_NODE))) continue;
    const totals = new RowTotals();
    const onRow = (row: ExperimentRow) => totals.add(row);
    const experiment = await readExperiment(path, { keepRows: false, onRow }).catch((error: Error) =>
      skip(error.message),
    );
    if (!experiment) continue;
    const { experimentName } = experiment;
    const page = reports.get(experimentName);
    if (entries.has(experimentName) && page === undefined) {
      reportDuplicate(name, experimentName);
      continue;
    }
    // It may have more rows than a page can show or memory can hold.
    if (page === undefined) {
      const file = path.replace(/jsonl$/i, "html");
      say(
        `${name} is listed without a report; npx openevals-wasm report ${path} --report ${file} writes one.`,
      );
    }
    entries.set(experimentName, indexEntry(experiment, addressOf(page), reading.prices, totals));
  }
  if (!entries.size) {
    throw invalidInput(`${folder} has no experiments; score --output or run --output writes one`);
  }
  const page = await indexOfEntries([...entries.values()], reading);
  await reportWritten(`Index of ${counted(entries.size, "experiment")}`, index, writeText(index, page));
  return 0;
}

/** Reports a file that the index lacks. */
function skip(problem: string): undefined {
  noteMistake();
  say(
    `Skipped: ${problem} The index does not list it; restore the file, or move it, and write the index again.`,
  );
}

/** The address of a report in the folder. */
const addressOf = (file: string | undefined) =>
  file === undefined ? undefined : `./${encodeURIComponent(file)}`;

const reportDuplicate = (name: string, experimentName: string) =>
  say(`${name} has the experiment ${experimentName}, which another file has as well; it is listed once.`);

/** Writes the report of an experiment beside its file, unless a file of that name exists. */
async function newReport(
  folder: string,
  name: string,
  names: readonly string[],
  experiment: Experiment,
  reading: ReadingFlags,
): Promise<string | undefined> {
  const file = name.replace(/json$/i, "html");
  if (names.includes(file) || file === "index.html") {
    say(`${name} is listed without a report, since ${file} is another file.`);
    return undefined;
  }
  try {
    await writeText(`${folder}/${file}`, await reportOf([name], [experiment], reading));
    noteWritten(`${folder}/${file}`);
    return file;
  } catch (error) {
    if (!isUnreadable(error)) throw error;
    say(`${error.message} It is listed without a report.`);
    return undefined;
  }
}

/** Makes a report. Errors about experiments that cannot be shown name the files. */
async function reportOf(
  files: readonly string[],
  experiments: readonly Experiment[],
  reading: ReadingFlags,
): Promise<string> {
  try {
    return await renderReport(experiments, reading);
  } catch (error) {
    if (!isUnreadable(error)) throw error;
    const { code, message } = error;
    throw new OpenEvalsError(code, `${files.join(", ")}: ${message}`, { cause: error });
  }
}

const isUnreadable = (error: unknown): error is OpenEvalsError =>
  error instanceof OpenEvalsError && error.code === "invalid_input";

/** The experiment in a report; `undefined` for other files. */
function experimentOfReport(html: string): Experiment | undefined {
  const { experiment } = Object(dataIn(html)) as Partial<ReportData>;
  try {
    checkExperiment(experiment, "experiment");
    return experiment;
  } catch {
    return undefined;
  }
}

/** Whether the file exists and is not an index. */
async function isForeign(index: string): Promise<boolean> {
  if ((await realPath(index)) === undefined) return false;
  const { entries } = Object(dataIn(await readText(index))) as Partial<IndexData>;
  return !Array.isArray(entries);
}
