/** Continues an experiment from its file. */

import { invalidConfig } from "../../../core/errors.js";
import { builtin } from "../../../core/platform/builtin.js";
import type { Example } from "../../../core/records/types.js";
import { plainOutputs } from "../../../evaluators/results/plain.js";
import { SparseArray } from "../../statistics/arrays.js";
import { Ledger } from "../../stored/ledger.js";
import type { ReadRow } from "../data/types.js";
import { take, taken } from "../fingerprint.js";
import type { Plan } from "../options.js";
import type { Results } from "../rows/results.js";
import { ExperimentFile } from "./experiment-file.js";
import { difference, finishedRow, type Header, MAGIC, type RowLine } from "./format.js";

/**
 * Reads the rows of an earlier run, if it is continued.
 *
 * @returns Nothing if a new file is needed.
 * @throws {@link OpenEvalsError} `invalid_config` for an existing file that is not continued, and for one with other options;
 * `invalid_input` for a damaged file.
 */
export async function resume(
  path: string,
  now: Header,
  plan: Plan,
  results: Results,
): Promise<Resumed | undefined> {
  const { stat } = builtin("node:fs/promises", "resume needs files");
  const size = await stat(path).then(
    (found) => found.size,
    () => 0,
  );
  if (!size || plan.overwrite) return undefined;
  if (plan.resume === "failed") await dropFailed(path);
  const file = new ExperimentFile(path);
  const resumed = new Resumed(path, plan);
  let hasEnded = false;
  for await (const line of file.lines()) {
    if (plan.resume) checkSame(path, file.header as Header, now);
    hasEnded = "end" in line && !line.end.stopped;
    if (!("end" in line) && plan.resume) {
      resumed.add(line);
      results.add(line.position, finishedRow(line), line.cluster);
    }
  }
  const { header } = file;
  // Even the header may be incomplete.
  if (!header && MAGIC.startsWith(file.beginning.slice(0, MAGIC.length)) && !file.length) return undefined;
  if (!header) {
    throw invalidConfig(
      `${path} is not a file that an experiment was written to. Name another one, or replace it with output.overwrite`,
    );
  }
  if (!plan.resume) {
    const what = hasEnded ? "a finished experiment" : "an experiment that has not ended";
    throw invalidConfig(
      `${path} has ${what}. Continue it with output.resume, replace it with output.overwrite, or name another file`,
    );
  }
  checkSame(path, header, now);
  if (header.dropped) results.ledger.addDropped(header.dropped);
  return resumed.opened(header, file.length, hasEnded);
}

function checkSame(path: string, before: Header, now: Header): void {
  const changed = difference(before, now);
  if (changed === undefined) return;
  throw invalidConfig(
    `${path} has an experiment with other options: ${changed}. Continue it with those, or name another file`,
  );
}

/** Replaces the file by one without rows with errors. If the process is killed, the old file remains. */
async function dropFailed(path: string): Promise<void> {
  const { chmod, rename, rm, stat } = builtin("node:fs/promises", "resume needs files");
  const unfinished = `${path}.tmp`;
  await rm(unfinished, { recursive: true, force: true });
  const header = await headerWithoutFailed(path);
  if (!header) return;
  try {
    await copyWithoutFailed(path, unfinished, header);
    const { mode } = await stat(path);
    await chmod(unfinished, mode & 0o7777);
    await rename(unfinished, path);
  } finally {
    await rm(unfinished, { recursive: true, force: true });
  }
}

/** The header with the usage of rows with errors, if there are any. */
async function headerWithoutFailed(path: string): Promise<Header | undefined> {
  const file = new ExperimentFile(path);
  const ledger = new Ledger();
  let failed = 0;
  for await (const line of file.lines()) {
    if ("end" in line || !line.errors.length) continue;
    failed++;
    ledger.add(line.evaluationResults, line.example.id);
  }
  const { header } = file;
  if (!header || !failed) return undefined;
  if (header.dropped) ledger.addDropped(header.dropped);
  return { ...header, dropped: ledger.asDropped() };
}

/** Writes the header and the rows without errors. */
async function copyWithoutFailed(path: string, to: string, header: Header): Promise<void> {
  const { open } = builtin("node:fs/promises", "resume needs files");
  const file = new ExperimentFile(path);
  // The copy gets the mode of the original at the end; until then only the owner may read it.
  const copy = await open(to, "a", 0o600);
  let lines = `${JSON.stringify(header)}\n`;
  try {
    for await (const line of file.lines()) {
      if ("end" in line || line.errors.length) continue;
      lines += `${JSON.stringify(line)}\n`;
      if (lines.length < 1_000_000) continue;
      await copy.appendFile(lines);
      lines = "";
    }
    await copy.appendFile(lines);
  } finally {
    await copy.close();
  }
}

/** The rows of the file, by position: a fingerprint of each example. */
export class Resumed {
  header!: Header;
  /** The length of the file up to its last row, in bytes. */
  length = 0;
  /** Whether the earlier run has finished. */
  hasEnded = false;
  readonly #path: string;
  readonly #plan: Plan;
  readonly #there = new SparseArray(Uint8Array);
  readonly #high = new SparseArray(Uint32Array);
  readonly #low = new SparseArray(Uint32Array);
  #end = 0;

  constructor(path: string, plan: Plan) {
    this.#path = path;
    this.#plan = plan;
  }

  opened(header: Header, length: number, hasEnded: boolean): this {
    this.header = header;
    this.length = length;
    this.hasEnded = hasEnded;
    return this;
  }

  add({ position, example, run }: RowLine): void {
    this.#take(example, run.outputs);
    this.#there.set(position, 1);
    this.#high.set(position, taken.high);
    this.#low.set(position, taken.low);
    this.#end = Math.max(this.#end, position + 1);
  }

  /**
   * Whether the file has the row.
   *
   * @throws {@link OpenEvalsError} `invalid_config` if it has another row at this position: the data has changed.
   */
  has(position: number, { recorded, outputs }: ReadRow): boolean {
    if (!this.#there.at(position)) return false;
    this.#take(recorded, this.#plan.target ? undefined : plainOutputs(outputs));
    if (taken.high === this.#high.at(position) && taken.low === this.#low.at(position)) return true;
    throw invalidConfig(
      `${this.#path} has another row in the place of the one with the id ${JSON.stringify(recorded.id)}: the data has ` +
        "changed since. Continue it with that data, or name another file",
    );
  }

  /** @throws {@link OpenEvalsError} `invalid_config` if the file has more rows than the data. */
  checkEnd(count: number): void {
    if (this.#end <= count) return;
    throw invalidConfig(
      `${this.#path} has rows up to ${this.#end}, and the data has ${count}: it has changed since. Continue it with ` +
        "that data, or name another file",
    );
  }

  /** The fingerprint of a row. Without a target, the recorded answer is part of the data. */
  #take(example: Example, outputs: unknown): void {
    const answered = this.#plan.target ? "" : (JSON.stringify(outputs) ?? "");
    take(`${JSON.stringify(example)}${answered}`);
  }
}
