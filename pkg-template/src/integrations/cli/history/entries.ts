/** A folder of experiments with an index: a line of JSON for each experiment, without its rows. */

import { filledLines } from "../../../core/input/filled-lines.js";
import { isRecord } from "../../../core/input/objects.js";
import { isScale } from "../../../core/passing.js";
import { appendLine } from "../../../core/platform/append-line.js";
import { rowCountOf } from "../../../core/records/row-count.js";
import type { Aggregate, Experiment } from "../../../core/records/types.js";
import type { ScoreScale } from "../../../core/types.js";
import { usageError } from "../cli-error.js";
import { experimentText, fileNameOf, IN_NODE, readText, realPath, writeText } from "../files.js";
import { say } from "../output/terminal.js";
import { type Commit, currentCommit } from "./git.js";

/** The name of the index. */
const INDEX = "history.jsonl";

/** An experiment in the index. */
export interface HistoryEntry extends Commit {
  name: string;
  /** Its file in the folder. */
  file: string;
  startedAt: string;
  rows: number;
  scales?: Record<string, ScoreScale>;
  aggregates: Record<string, Pick<Aggregate, "mean" | "count" | "errors" | "interval" | "distribution">>;
}

/** Refuses a folder whose index is a file of something else: appending to it would damage it. */
export async function checkHistory(folder: string): Promise<void> {
  const index = await readIndex(folder);
  if (!index) return;
  const { lines, isWhole } = index;
  // The first run may have been killed while it wrote its line.
  const isBegun = lines.length === 1 && !isWhole;
  if (lines.length && !isBegun && !lines.some(({ entry }) => entry))
    throw usageError(`${index.path} is not an index of --history; name another folder.`);
}

/** Adds experiments to a folder, each as a file that `report` and `compare` read. */
export async function addToHistory(
  folder: string,
  experiments: readonly { name: string; experiment: Experiment }[],
): Promise<void> {
  const commit = await currentCommit();
  for (const { name, experiment } of experiments) {
    const file = fileNameOf(experiment.experimentName);
    await writeText(`${folder}/${file}`, experimentText(experiment));
    const { startedAt, aggregates, scales } = experiment;
    const entry: HistoryEntry = {
      ...{ name, file, startedAt, ...commit, rows: rowCountOf(experiment) },
      ...(scales && { scales }),
      aggregates: Object.fromEntries(
        Object.entries(aggregates).map(([key, { mean, count, errors, interval, distribution }]) => [
          key,
          { mean, count, errors, interval, distribution: onlyOfRates(distribution) },
        ]),
      ),
    };
    await appendLine(`${folder}/${INDEX}`, JSON.stringify(entry), IN_NODE);
  }
}

/** The distribution of a rate. That of numbers is dropped, since `history` does not read it. */
const onlyOfRates = (distribution: Aggregate["distribution"]): Aggregate["distribution"] =>
  distribution?.kind === "boolean" ? distribution : null;

/** The entries of a folder, oldest first; `undefined` without an index. Damaged lines are reported and skipped. */
export async function entriesOf(folder: string): Promise<HistoryEntry[] | undefined> {
  const index = await readIndex(folder);
  if (!index) return undefined;
  const entries = index.lines.flatMap(({ entry, number }) => {
    if (!entry) say(`${index.path}:${number} is not a valid entry and is skipped.`);
    return entry ?? [];
  });
  return entries.sort((a, b) => (a.startedAt < b.startedAt ? -1 : a.startedAt > b.startedAt ? 1 : 0));
}

/** The index of a folder; `undefined` without one. */
async function readIndex(folder: string) {
  const path = `${folder}/${INDEX}`;
  if ((await realPath(path)) === undefined) return undefined;
  const text = await readText(path);
  const lines = [...filledLines(text)].map(({ line, number }) => ({ entry: entryIn(line), number }));
  return { path, lines, isWhole: text.endsWith("\n") };
}

/** The entry in a line; `undefined` if it is damaged. */
function entryIn(line: string): HistoryEntry | undefined {
  try {
    const entry = JSON.parse(line);
    const isWhole = typeof entry.name === "string" && typeof entry.startedAt === "string";
    const areScales = entry.scales === undefined || Object.values(Object(entry.scales)).every(isScale);
    const areMeans = Object.values(Object(entry.aggregates)).every(
      (of) => Object(of).mean === null || Number.isFinite(Object(of).mean),
    );
    return isWhole && isRecord(entry.aggregates) && areMeans && areScales ? entry : undefined;
  } catch {
    return undefined;
  }
}
