/** Continues an experiment from its file. */

import { invalidConfig } from "../../../core/errors.js";
import { builtin } from "../../../core/platform/builtin.js";
import { changedScale } from "../../../core/records/different-scales.js";
import { hasError } from "../../../core/records/row-error.js";
import { chargesOf } from "../../stored/account.js";
import { Ledger } from "../../stored/ledger.js";
import { scalesOf } from "../options/pass-marks.js";
import type { Plan } from "../options/plan.js";
import type { Results } from "../rows/results.js";
import { ExperimentFile } from "./experiment-file.js";
import { changedSetting, finishedRow, type Header } from "./format.js";
import { RecordedMeans } from "./recorded-means.js";
import { RecordedRows } from "./recorded-rows.js";

/** The file of an earlier run that is continued. */
export interface ResumedFile {
  header: Header;
  /** Whether rows with errors run again, so that the first new row replaces the file by one without them. */
  dropsFailed: boolean;
  /** The length of the file up to its last row, in bytes. */
  length: number;
  /** The length of the whole file, in bytes. */
  size: number;
  /** Whether the earlier run has finished. */
  hasEnded: boolean;
  rows: RecordedRows;
}

/**
 * Reads the rows of an earlier run, if it is continued, and adds them to the results.
 *
 * @returns `undefined` if a new file is needed.
 * @throws {@link OpenEvalsError} `invalid_config` for an existing file that is not continued, and for one with other options;
 * `invalid_input` for a damaged file.
 */
export async function resume(
  path: string,
  now: Header,
  plan: Plan,
  results: Results,
): Promise<ResumedFile | undefined> {
  const { stat } = builtin("node:fs/promises", "resume needs a file system");
  const size = await stat(path).then(
    (found) => found.size,
    () => 0,
  );
  if (!size || plan.overwrite) return undefined;
  const file = new ExperimentFile(path);
  const rows = new RecordedRows(path, plan.target !== undefined);
  let hasEnded = false;
  let dropsFailed = false;
  const failed = new Ledger();
  const means = new RecordedMeans();
  for await (const line of file.lines()) {
    if (plan.resume) checkSame(path, file.header as Header, now);
    hasEnded = "end" in line && !line.end.stopped;
    if (!plan.resume) continue;
    if ("end" in line) {
      means.check(line.end.aggregates, path);
      continue;
    }
    means.add(line.evaluationResults);
    if (plan.resume === "failed" && hasError(line)) {
      dropsFailed = true;
      failed.add(chargesOf(line), line.example.id);
      continue;
    }
    rows.add(line);
    results.add(line.position, finishedRow(line));
  }
  const { header } = file;
  // Even the header may be incomplete.
  if (file.isBegun) return undefined;
  if (!header) {
    throw invalidConfig(
      `${path} is not an experiment file. Name another file, or replace it with output.overwrite`,
    );
  }
  if (!plan.resume) {
    const what = hasEnded ? "a finished experiment" : "an experiment that has not ended";
    throw invalidConfig(
      `${path} has ${what}. Continue it with output.resume, replace it with output.overwrite, or name another file`,
    );
  }
  checkSame(path, header, now);
  // The key of an evaluator is known with its first result.
  const keys = results.keys().map((own, index) => (own.length ? own : [now.evaluators[index] as string]));
  const scaled = (of: Header) => ({ scales: scalesOf(of, keys) });
  refuseChange(path, changedScale(scaled(header), scaled(now)));
  rows.compareMetadata(header, now);
  if (header.dropped) failed.addDropped(header.dropped);
  const dropped = failed.asDropped();
  results.ledger.addDropped(dropped);
  return {
    header: dropsFailed ? { ...header, dropped } : header,
    dropsFailed,
    length: file.length,
    size: file.size,
    hasEnded,
    rows,
  };
}

const checkSame = (path: string, before: Header, now: Header): void =>
  refuseChange(path, changedSetting(before, now));

function refuseChange(path: string, changed: string | undefined): void {
  if (changed === undefined) return;
  throw invalidConfig(
    `${path} has an experiment with other options: ${changed}. Continue it with those, or name another file`,
  );
}
