/** Which files may be replaced: those that this package derived from experiments, since they can be made again. */

import { builtin } from "../core/platform/builtin.js";
import { TextDecoder } from "../core/platform/text-coding.js";

/**
 * Why a file may not be replaced, as the end of a sentence about it: another program wrote it, or it has an experiment, which was
 * paid for. `undefined` if it may be.
 *
 * @param otherwise The message for runtimes without a file system.
 */
export async function whyKept(path: string, otherwise: string): Promise<string | undefined> {
  const beginning = await beginningOf(path, otherwise).catch(() => undefined);
  if (beginning === undefined) return "cannot be read";
  if (beginning === "") return undefined;
  if (SINK.test(beginning)) return "has the rows of an experiment";
  if (/^\[?\{"experimentName":/.test(beginning)) {
    const isStopped = await hasStopped(path, otherwise);
    return isStopped ? "has an experiment that was stopped early" : "has a finished experiment";
  }
  return DERIVED.some((pattern) => pattern.test(beginning)) ? undefined : "was not written by openevals-wasm";
}

/** Whether a file has the rows of an experiment, as a sink writes them. */
export const isSinkFile = (path: string, otherwise: string): Promise<boolean> =>
  beginningOf(path, otherwise).then(
    (beginning) => SINK.test(beginning),
    () => false,
  );

/** Whether a file has an experiment as JSON, or was to get one: a half-written file may be empty. */
export const isExperimentFile = async (path: string, otherwise: string): Promise<boolean> =>
  /^\s*(?:\{\s*)?(?:"experimentName":|$)/.test(await beginningOf(path, otherwise).catch(() => ""));

/** The beginning of a file with the rows of an experiment: the `sink` of `evaluate()`. */
const SINK = /^\{"format":"openevals-wasm experiment"/;

/** The beginnings of files that are derived from experiments: reports, JUnit, Markdown, CSV and comparisons. */
const DERIVED = [
  /<meta name="generator" content="openevals-wasm">/,
  /^<\?xml .*\n<testsuites name="openevals-wasm"/,
  /^## [✗⚠✓] Evaluations(?::| passed| finished)/,
  // The columns of rows and of comparisons, in their order. Empty columns are left out, and those of scores have any name.
  /^experiment,id,(?:repetition,)?(?:inputs,)?(?:outputs,)?(?:reference_outputs,)?(?:metadata,)?(?:run_error,)?(?:[^\r\n]*,)?duration_ms\r\n/,
  /^experiment,key,(?:before,)?(?:now,)?(?:difference,)?(?:low,)?(?:high,)?(?:p,)?pairs,verdict\r\n/,
  /^experiment\r\n$/,
  /^\{.*"adjustedPValue":/,
];

const MAX_READ = 64 * 1024;

async function beginningOf(path: string, otherwise: string): Promise<string> {
  const { open, stat } = builtin("node:fs/promises", otherwise);
  // Opening a pipe would wait for its writer.
  if (!(await stat(path).catch(() => undefined))?.isFile()) return "";
  const file = await open(path, "r");
  try {
    const bytes = new Uint8Array(MAX_READ);
    const { bytesRead } = await file.read(bytes, 0, MAX_READ, 0);
    return new TextDecoder().decode(bytes.subarray(0, bytesRead));
  } finally {
    await file.close();
  }
}

/** Whether a file has an experiment that stopped early. */
async function hasStopped(path: string, otherwise: string): Promise<boolean> {
  try {
    const text = await builtin("node:fs/promises", otherwise).readFile(path, "utf8");
    return [JSON.parse(text)].flat().some(({ stopped }) => stopped);
  } catch {
    return false;
  }
}
