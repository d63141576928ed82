/** What commands may write to: not what they read, and no file of others. */

import { open, readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { MAGIC } from "../../experiments/evaluate/sink/format.js";
import { realPath } from "./files.js";
import { wrong } from "./mistake.js";

/** The files that a command writes, by their options. */
interface WrittenFiles {
  output?: string | undefined;
  report?: string | undefined;
  junit?: string | undefined;
  comment?: string | undefined;
  overwrite?: boolean;
  /** Whether something else looks at the output: a sink, or who knows the names in a folder. */
  checksOutput?: boolean;
}

/** Refuses to write over what is read, two things into one file, or over a file of others or a result without `--overwrite`. */
export async function checkWrites(
  sources: readonly string[],
  { output, report, junit, comment, overwrite = false, checksOutput = false }: WrittenFiles,
): Promise<void> {
  const written = Object.entries({ output, report, junit, comment }).flatMap(([option, path]) =>
    path === undefined ? [] : [{ option, path }],
  );
  for (const [index, { option, path }] of written.entries()) {
    const other = written.slice(index + 1).find((one) => resolve(one.path) === resolve(path));
    if (other) throw wrong(`--${option} and --${other.option} both name ${other.path}; name two files`);
  }
  const read = await Promise.all(sources.map(realPath));
  for (const { option, path } of written) {
    const target = await realPath(path);
    if (target !== undefined && read.includes(target))
      throw wrong(`--${option} ${path} would overwrite the data; name another file`);
    if (!overwrite && !(checksOutput && option === "output"))
      await checkReplaced(`--${option} ${path}`, path);
  }
}

/**
 * Refuses to replace a file that this program did not write, and an experiment, which was paid for. What is made of experiments
 * can be made again.
 *
 * @param what What messages call the file.
 */
export async function checkReplaced(what: string, path: string): Promise<void> {
  const beginning = await beginningOf(path);
  if (!beginning) return;
  if (beginning.startsWith(MAGIC))
    throw wrong(`${what} has the rows of an experiment; replace it with --overwrite, or name another file`);
  if (/^\[?\{"experimentName":/.test(beginning))
    throw wrong(
      `${what} has ${(await hasStopped(path)) ? "an experiment that was stopped before its end" : "a finished experiment"}; replace it with --overwrite, or name another file`,
    );
  if (!DERIVED.some((pattern) => pattern.test(beginning)))
    throw wrong(
      `${what} is a file that this program did not write; replace it with --overwrite, or name another file`,
    );
}

/** Whether an experiment in a file, or one of them, has ended early. */
async function hasStopped(path: string): Promise<boolean> {
  try {
    return [JSON.parse(await readFile(path, "utf8"))].flat().some(({ stopped }) => stopped);
  } catch {
    return false;
  }
}

/** How the files begin that are made of experiments: reports, JUnit, Markdown, CSV and comparisons. */
const DERIVED = [
  /<meta name="generator" content="openevals-wasm">/,
  /^<\?xml .*\n<testsuites name="openevals-wasm"/,
  /^## \S+ Evaluations/,
  /^experiment,/,
  /^\{.*"adjustedPValue":/,
];

const MOST_READ = 64 * 1024;

/** The beginning of a file; nothing for what is no regular file, such as a device, which is written to. */
async function beginningOf(path: string): Promise<string> {
  const file = await open(path, "r").catch(() => undefined);
  if (!file) return "";
  try {
    if (!(await file.stat()).isFile()) return "";
    const { buffer, bytesRead } = await file.read(new Uint8Array(MOST_READ), 0, MOST_READ, 0);
    return new TextDecoder().decode(buffer.subarray(0, bytesRead));
  } finally {
    await file.close();
  }
}
