/** Experiments in files. */

import { readdir, readFile, realpath, stat } from "node:fs/promises";
import { OpenEvalsError } from "../../core/errors.js";
import type { Experiment } from "../../core/records/types.js";
import { take, taken } from "../../experiments/evaluate/fingerprint.js";
import { writeWhole } from "../../experiments/stored/whole-file.js";

export const writeExperiment = (path: string, experiment: Experiment): Promise<void> =>
  writeText(path, `${JSON.stringify(experiment)}\n`);

/**
 * The name of an experiment's file: what is no letter, digit, point, hyphen or underscore becomes a hyphen. File systems have
 * names of up to 255 bytes: a longer one is cut, and ends with a fingerprint, so that it differs from others with its beginning.
 */
export function fileNameOf(name: string): string {
  const stem = name.replaceAll(/[^\p{L}\p{N}._-]+/gu, "-");
  const bytes = (text: string) => new TextEncoder().encode(text).length;
  if (bytes(stem) <= MOST_BYTES) return `${stem}.json`;
  take(name);
  const end = `-${taken.low.toString(16).padStart(8, "0")}`;
  let cut = "";
  let left = MOST_BYTES - end.length;
  for (const character of stem) {
    left -= bytes(character);
    if (left < 0) break;
    cut += character;
  }
  return `${cut}${end}.json`;
}

/** Leaves room for the ending. */
const MOST_BYTES = 250;

/** Writes a file, with the folders that it is in; if it cannot, the file stays as it was. */
export const writeText = (path: string, text: string): Promise<void> =>
  writeWhole(path, text, "the program runs in Node");

/** Reads a file; throws `invalid_input` if it cannot be read. */
export async function readText(path: string): Promise<string> {
  try {
    return await readFile(path, "utf8");
  } catch (error) {
    const { message } = error as Error;
    throw new OpenEvalsError("invalid_input", `${path} cannot be read: ${message}`, { cause: error });
  }
}

/** Refuses what is not there; throws `invalid_input`. */
export async function checkIsThere(path: string): Promise<void> {
  await stat(path).catch(({ code }) => {
    // The latter below a file.
    if (code === "ENOENT" || code === "ENOTDIR")
      throw new OpenEvalsError("invalid_input", `There is no file or folder ${path}.`);
  });
}

export const isFolder = async (path: string): Promise<boolean> =>
  (await stat(path).catch(() => undefined))?.isDirectory() ?? false;

/** The names of what is in a folder, in their order. */
export const namesIn = async (folder: string): Promise<string[]> => (await readdir(folder)).sort();

/** Where a file is, links followed; nothing if there is none. */
export const realPath = (path: string): Promise<string | undefined> => realpath(path).catch(() => undefined);
