/** Writes results, and protects files that a command reads or that another program wrote. */

import { access, constants, mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, dirname, join, parse } from "node:path";
import { isOurs, reworded } from "../../../core/errors.js";
import { withStop } from "../../../core/full-stop.js";
import type { Experiment } from "../../../core/records/types.js";
import { whyKept } from "../../../presentation/replaceable.js";
import { usageError } from "../cli-error.js";
import { errorText } from "../error-text.js";
import { createText, experimentText, filePath, IN_NODE, isFolder, realPath, writeText } from "../files.js";
import { say } from "./terminal.js";

/** The options of a command that name files. */
interface FileOptions {
  output?: string | undefined;
  report?: string | undefined;
  junit?: string | undefined;
  comment?: string | undefined;
  prices?: string | undefined;
  baseline?: string | undefined;
  overwrite?: boolean;
}

/** A file that a command writes. */
export interface WrittenFile {
  path: string;
  /** The option that sets it, such as `--output`. */
  option: string;
  /** Whether the writer itself protects an existing file. */
  isProtected?: boolean;
}

/**
 * Rejects writing to a folder, where nothing can be written, or to a file that is read, writing a file twice, and replacing results
 * or foreign files without `--overwrite`.
 *
 * @param sources The files that the command reads, besides those of its options.
 * @param more The files that it writes, besides those of its options.
 */
export async function checkOutputFiles(
  sources: readonly string[],
  { output, report, junit, comment, prices, baseline, overwrite = false }: FileOptions,
  more: readonly WrittenFile[] = [],
): Promise<void> {
  const named = Object.entries({ output, report, junit, comment }).flatMap(([option, path]) =>
    path === undefined ? [] : [{ option: `--${option}`, path }],
  );
  const written: readonly WrittenFile[] = [...named, ...more];
  const read = new Map<string | undefined, string>();
  for (const path of [...sources, prices, baseline])
    if (path !== undefined) read.set(await filePath(path), path);
  const taken = new Map<string, string>();
  for (const { option, path } of written) {
    if (/[\\/]$/.test(path) || (await isFolder(path)))
      throw usageError(`${option} ${path} is a folder; name a file in it`);
    const file = await filePath(path);
    // A device or a pipe keeps nothing that could be lost.
    if (file === undefined) continue;
    await checkWritable(`${option} ${path}`, file);
    const source = read.get(file);
    if (source !== undefined)
      throw usageError(
        `${option} ${path} would overwrite ${source}, which this command reads; name another file`,
      );
    const other = taken.get(file);
    if (other !== undefined)
      throw usageError(`${other} and ${option} both name ${path}; name different files`);
    taken.set(file, option);
  }
  if (overwrite) return;
  for (const { option, path, isProtected } of written)
    if (!isProtected && (await filePath(path)) !== undefined)
      await checkReplaceable(`${option} ${path}`, path);
}

/** Rejects a file whose folder, or the nearest one that exists, cannot be written to. Results may have taken hours. */
async function checkWritable(what: string, file: string): Promise<void> {
  let folder = dirname(file);
  while (folder !== dirname(folder) && (await realPath(folder)) === undefined) folder = dirname(folder);
  if (!(await isFolder(folder)))
    throw usageError(`${what} cannot be written: ${folder} is not a folder; name another file`);
  await access(folder, constants.W_OK | constants.X_OK).catch(() => {
    throw usageError(
      `${what} cannot be written: ${folder} is a folder without write permission; name another file`,
    );
  });
}

/**
 * Rejects replacing a file that this program did not write, or an experiment, which was paid for. Files derived from
 * experiments can be made again.
 *
 * @param what The name of the file in messages.
 */
async function checkReplaceable(what: string, path: string): Promise<void> {
  const reason = await whyKept(path, IN_NODE);
  if (reason) throw usageError(`${what} ${reason}; replace it with --overwrite, or name another file`);
}

/**
 * Writes a result and returns its path. A file that appeared after `checkOutputFiles` and may not be replaced stays: the result
 * then gets a free name beside it.
 */
export async function writeResult(
  path: string,
  text: string,
  { overwrite = false }: { overwrite?: boolean },
): Promise<string> {
  const isPipe = (await filePath(path)) === undefined;
  const isMissing = !isPipe && !overwrite && (await realPath(path)) === undefined;
  // Only one process creates the file.
  if (isMissing && (await createText(path, text))) return path;
  const isRefused =
    !isPipe &&
    !overwrite &&
    (await checkReplaceable(path, path).then(
      () => false,
      () => true,
    ));
  if (isRefused) return createBeside(path, text);
  await writeText(path, text);
  return path;
}

/**
 * Writes an experiment, whose judges may have been paid for, and returns its path. If that fails, as on a full disk, it is written to
 * the folder for temporary files instead, and the error names that file.
 */
export async function writeExperiment(
  path: string,
  experiment: Experiment,
  options: { overwrite?: boolean },
): Promise<string> {
  const text = experimentText(experiment);
  try {
    return await writeResult(path, text, options);
  } catch (error) {
    const spare = await writtenElsewhere(basename(path), text).catch(() => undefined);
    if (spare === undefined || !isOurs(error)) throw error;
    throw reworded(error, `${withStop(error.message)} The experiment was written to ${spare} instead.`);
  }
}

/** Writes a file into a new folder for temporary files, which only the user may read. */
async function writtenElsewhere(name: string, text: string): Promise<string> {
  const file = join(await mkdtemp(join(tmpdir(), "openevals-")), name);
  await writeFile(file, text);
  return file;
}

/**
 * Writes all files, even if one of them cannot be written; then throws its error. With several errors, the last one is thrown, and
 * the others are reported.
 */
export async function writeAll(writes: readonly (() => Promise<unknown> | undefined)[]): Promise<void> {
  const failures: unknown[] = [];
  for (const write of writes) {
    try {
      await write();
    } catch (error) {
      failures.push(error);
    }
  }
  for (const failure of failures.slice(0, -1)) say(`openevals-wasm: ${errorText(failure)}`);
  if (failures.length) throw failures.at(-1);
}

/** `results-2.json` beside `results.json`, or the next number that is free. */
async function createBeside(path: string, text: string): Promise<string> {
  const { dir, name, ext } = parse(path);
  for (let number = 2; ; number++) {
    const free = join(dir, `${name}-${number}${ext}`);
    if (await createText(free, text)) return free;
  }
}
