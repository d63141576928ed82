/** `report`: experiments that were written before, as a report, or a folder of them with an index. */

import "file:./evaluation.js";
import { OpenEvalsError } from "../../../core/errors.js";
import { counted } from "../../../core/records/numerals.js";
import type { Experiment } from "../../../core/records/types.js";
import { readExperiment, readSink } from "../../../experiments/evaluate/sink/read.js";
import type { IndexData, IndexEntry, ReportData } from "../../../experiments/presentation/report/data.js";
import { dataIn } from "../../../experiments/presentation/report/document.js";
import { indexEntry, indexOfEntries, RowTotals } from "../../../experiments/presentation/report/index-of.js";
import { writeReport } from "../../../experiments/presentation/report/write.js";
import { checkExperiment } from "../../../experiments/stored/check.js";
import { checkIsThere, isFolder, namesIn, readText, realPath, writeText } from "../files.js";
import { wrong } from "../mistake.js";
import { type ReadingFlags, readingOf } from "../reading.js";
import { say } from "../terminal.js";
import { checkWrites } from "../writes.js";
import type { ReportFlags } from "./options.js";

export async function report(files: string[], options: ReportFlags): Promise<number> {
  const [first, ...more] = files;
  if (first === undefined)
    throw wrong("report needs files that score --output has written, or a folder of them");
  const reading = await readingOf(options);
  const areFolders = await Promise.all(files.map(isFolder));
  if (areFolders.some(Boolean)) {
    if (more.length) throw wrong("report takes either files or one folder");
    if (options.report !== undefined)
      throw wrong(`report of a folder has no --report: its index is ${first}/index.html`);
    return reportFolder(first, reading);
  }
  await Promise.all(files.map(checkIsThere));
  if (options.report === undefined) throw wrong("report of files needs --report, the file to write");
  const experiments: Experiment[] = [];
  await checkWrites(files, options);
  for (const file of files) experiments.push(await readExperiment(file));
  checkShards(files, experiments);
  await writeReportOf(files, experiments, options.report, reading);
  say(`The report is in ${options.report}`);
  return 0;
}

/** Refuses to compare the parts of an experiment, as if they were several. */
function checkShards(files: readonly string[], experiments: readonly Experiment[]): void {
  const shards = experiments.flatMap(({ shard }, index) =>
    shard ? [{ file: files[index], part: `${shard.index}/${shard.count}` }] : [],
  );
  const [first, ...others] = shards;
  const other = others.find(({ part }) => part !== first?.part);
  if (!first || !other) return;
  throw wrong(
    `${first.file} and ${other.file} are different shards, which have no rows in common; make one experiment of all ` +
      "shards first: openevals-wasm merge",
  );
}

/** Lists what is in a folder. Experiments without a report get one; reports that are there stay as they are. */
async function reportFolder(path: string, reading: ReadingFlags): Promise<number> {
  const folder = path.replace(/(?<=.)[\\/]+$/, "");
  const index = `${folder}/index.html`;
  if (await isForeign(index))
    throw wrong(`${index} is no index that this program wrote, and is not overwritten`);
  const names = await namesIn(folder);
  /** The reports, by the names of their experiments. */
  const reports = new Map<string, string>();
  const entries = new Map<string, IndexEntry>();
  const add = (experiment: Experiment, file: string | undefined) => {
    entries.set(experiment.experimentName, indexEntry(experiment, addressOf(file), reading.prices));
  };
  for (const name of names.filter((name) => /\.html?$/i.test(name))) {
    const experiment = experimentOfReport(await readText(`${folder}/${name}`).catch(() => ""));
    if (!experiment) continue;
    reports.set(experiment.experimentName, name);
    add(experiment, name);
  }
  for (const name of names.filter((name) => /\.json$/i.test(name))) {
    const experiment = await readExperiment(`${folder}/${name}`).catch((error: Error) => say(error.message));
    if (!experiment) continue;
    const { experimentName } = experiment;
    if (entries.has(experimentName) && !reports.has(experimentName)) {
      sayTwice(name, experimentName);
      continue;
    }
    add(
      experiment,
      reports.get(experimentName) ?? (await newReport(folder, name, names, experiment, reading)),
    );
  }
  for (const name of names.filter((name) => /\.jsonl$/i.test(name))) {
    const path = `${folder}/${name}`;
    const totals = new RowTotals();
    const experiment = await readSink(path, (row) => totals.add(row)).catch((error: Error) =>
      say(error.message),
    );
    if (!experiment) continue;
    const { experimentName } = experiment;
    const page = reports.get(experimentName);
    if (entries.has(experimentName) && page === undefined) {
      sayTwice(name, experimentName);
      continue;
    }
    // Its rows may be more than a page can show, or than there is memory for.
    if (page === undefined) {
      const file = path.replace(/jsonl$/i, "html");
      say(`${name} is listed without a report; report ${path} --report ${file} writes one.`);
    }
    entries.set(experimentName, indexEntry(experiment, addressOf(page), reading.prices, totals));
  }
  if (!entries.size) {
    throw new OpenEvalsError("invalid_input", `${folder} has no experiments; score --output writes one.`);
  }
  await writeText(index, await indexOfEntries([...entries.values()], reading));
  say(`The index of ${counted(entries.size, "experiment")} is in ${index}`);
  return 0;
}

/** The address of a report in the folder. */
const addressOf = (file: string | undefined) =>
  file === undefined ? undefined : `./${encodeURIComponent(file)}`;

const sayTwice = (name: string, experimentName: string) =>
  say(`${name} is ${experimentName}, as another file is, and is not listed twice.`);

/** Writes the report of an experiment beside it; nothing if something else has its name. */
async function newReport(
  folder: string,
  name: string,
  names: readonly string[],
  experiment: Experiment,
  reading: ReadingFlags,
): Promise<string | undefined> {
  const file = name.replace(/json$/i, "html");
  if (names.includes(file) || file === "index.html") {
    say(`${name} is listed without a report: ${file} is another file.`);
    return undefined;
  }
  try {
    await writeReportOf([name], [experiment], `${folder}/${file}`, reading);
    return file;
  } catch (error) {
    if (!isUnreadable(error)) throw error;
    say(`${error.message} It is listed without a report.`);
    return undefined;
  }
}

/** Writes a report; what cannot be read, such as what is nested too deeply, is said of the files that it may be in. */
async function writeReportOf(
  files: readonly string[],
  experiments: readonly Experiment[],
  path: string,
  reading: ReadingFlags,
): Promise<void> {
  try {
    await writeReport(experiments, path, reading);
  } catch (error) {
    if (!isUnreadable(error)) throw error;
    const { code, message } = error;
    throw new OpenEvalsError(code, `${files.join(", ")}: ${message}`, { cause: error });
  }
}

const isUnreadable = (error: unknown): error is OpenEvalsError =>
  error instanceof OpenEvalsError && error.code === "invalid_input";

/** The experiment that a report was made of; nothing if a file is no report. */
function experimentOfReport(html: string): Experiment | undefined {
  const { experiment } = Object(dataIn(html)) as Partial<ReportData>;
  try {
    checkExperiment(experiment, "experiment");
    return experiment;
  } catch {
    return undefined;
  }
}

/** Whether there is a file that is no index. */
async function isForeign(index: string): Promise<boolean> {
  if ((await realPath(index)) === undefined) return false;
  const { entries } = Object(dataIn(await readText(index))) as Partial<IndexData>;
  return !Array.isArray(entries);
}
