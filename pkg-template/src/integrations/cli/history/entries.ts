/** A folder of experiments, and its index: a line of JSON for each, without rows. */

import { appendFile } from "node:fs/promises";
import { rowCountOf } from "../../../core/records/row-count.js";
import type { Aggregate, Experiment } from "../../../core/records/types.js";
import { isScale, type ScoreScale } from "../../../core/scale.js";
import { fileNameOf, readText, realPath, writeExperiment } from "../files.js";
import { say } from "../terminal.js";
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

/** Adds experiments, each a file of its own that `report` and `compare` read. */
export async function keep(
  folder: string,
  experiments: readonly { name: string; experiment: Experiment }[],
): Promise<void> {
  const commit = await currentCommit();
  for (const { name, experiment } of experiments) {
    const file = fileNameOf(experiment.experimentName);
    await writeExperiment(`${folder}/${file}`, experiment);
    const { startedAt, aggregates, scales } = experiment;
    const entry: HistoryEntry = {
      ...{ name, file, startedAt, ...commit, rows: rowCountOf(experiment) },
      ...(scales && { scales }),
      aggregates: Object.fromEntries(
        Object.entries(aggregates).map(([key, { mean, count, errors, interval, distribution }]) => [
          key,
          { mean, count, errors, interval, distribution: briefly(distribution) },
        ]),
      ),
    };
    await appendFile(`${folder}/${INDEX}`, `${JSON.stringify(entry)}\n`);
  }
}

/** Whether it is of rates is all that is asked of it. */
const briefly = (distribution: Aggregate["distribution"]): Aggregate["distribution"] =>
  distribution?.kind === "boolean" ? distribution : null;

/** Those in a folder, the oldest first; nothing if there is no index. A line that was written in part is told, and left out. */
export async function entriesOf(folder: string): Promise<HistoryEntry[] | undefined> {
  const index = `${folder}/${INDEX}`;
  if ((await realPath(index)) === undefined) return undefined;
  const entries = (await readText(index)).split("\n").flatMap((line, at): HistoryEntry[] => {
    if (!line) return [];
    try {
      const entry = JSON.parse(line);
      const isWhole = typeof entry.name === "string" && typeof entry.startedAt === "string";
      const areScales = entry.scales === undefined || Object.values(Object(entry.scales)).every(isScale);
      if (isWhole && entry.aggregates && areScales) return [entry];
    } catch {
      // It is told below.
    }
    say(`${index}:${at + 1} is no entry, and is left out.`);
    return [];
  });
  return entries.sort((a, b) => (a.startedAt < b.startedAt ? -1 : a.startedAt > b.startedAt ? 1 : 0));
}
