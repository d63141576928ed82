/** Reads and writes files, and names those of experiments. */

import {
  constants,
  copyFile,
  link,
  readdir,
  readFile,
  realpath,
  rm,
  stat,
  writeFile,
} from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { invalidInput, OpenEvalsError, reasonOf } from "../../core/errors.js";
import { fnv1a } from "../../core/input/hash.js";
import { mixed } from "../../core/input/mixed.js";
import { writeAtomically } from "../../core/platform/atomic-file.js";
import { makeFolder } from "../../core/platform/folder.js";
import { checkIsLocal } from "../../core/platform/local-path.js";
import { uuid } from "../../core/platform/uuid.js";
import type { Experiment } from "../../core/records/types.js";

/** The end of errors of runtimes without a file system, which the program never sees. */
export const IN_NODE = "the program runs in Node";

/** The text of an experiment's file. */
export const experimentText = (experiment: Experiment): string => `${JSON.stringify(experiment)}\n`;

/**
 * The name of an experiment's file. Characters other than letters, digits, points, hyphens and underscores become hyphens. File
 * systems allow names of 255 bytes: a longer one is cut, and gets a hash so that it differs from others with the same beginning.
 */
export function fileNameOf(name: string): string {
  const stem = name.replaceAll(/[^\p{L}\p{N}._-]+/gu, "-");
  const bytes = (text: string) => new TextEncoder().encode(text).length;
  if (bytes(stem) <= MAX_BYTES) return `${stem}.json`;
  const end = `-${mixed(fnv1a(name)).toString(16).padStart(8, "0")}`;
  let cut = "";
  let remaining = MAX_BYTES - end.length;
  for (const character of stem) {
    remaining -= bytes(character);
    if (remaining < 0) break;
    cut += character;
  }
  return `${cut}${end}.json`;
}

/** The bytes of a name: 255 without the extension. */
const MAX_BYTES = 250;

/** Writes a file and creates its folders; if that fails, an existing file stays unchanged. */
export const writeText = (path: string, text: string): Promise<void> => writeAtomically(path, text, IN_NODE);

/** Creates a file and its folders; returns `false`, and changes nothing, if there is a file already. */
export async function createText(path: string, text: string): Promise<boolean> {
  const unfinished = join(dirname(path), `.openevals-${uuid()}.tmp`);
  try {
    await makeFolder(dirname(path), IN_NODE);
    await writeFile(unfinished, text);
    await link(unfinished, path).catch((error) => {
      if (error.code === "EEXIST") throw error;
      // Not all file systems have links.
      return copyFile(unfinished, path, constants.COPYFILE_EXCL);
    });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw new OpenEvalsError("tool_failed", `${path} could not be written: ${reasonOf(error)}`, {
      cause: error,
    });
  } finally {
    // A failure of the clean-up must not hide that of writing.
    await rm(unfinished, { force: true }).catch(() => {});
  }
}

/** Reads a file without its byte order mark; throws `invalid_input` if it cannot be read. */
export async function readText(path: string): Promise<string> {
  try {
    return (await readFile(path, "utf8")).replace(/^\ufeff/, "");
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const problem = code === "EISDIR" ? "is a folder; name a file." : `cannot be read: ${message}`;
    throw new OpenEvalsError("invalid_input", `${path} ${problem}`, { cause: error });
  }
}

/** Throws `invalid_input` if the path does not exist. */
export async function checkExists(path: string): Promise<void> {
  checkIsLocal(path);
  await stat(path).catch(({ code }) => {
    // ENOTDIR: part of the path is a file.
    if (code === "ENOENT" || code === "ENOTDIR") throw invalidInput(`There is no file or folder ${path}`);
  });
}

export const isFolder = async (path: string): Promise<boolean> =>
  (await stat(path).catch(() => undefined))?.isDirectory() ?? false;

/** The sorted names of the entries of a folder. */
export const namesIn = async (folder: string): Promise<string[]> => (await readdir(folder)).sort();

/** The path with links resolved; `undefined` if it does not exist. */
export const realPath = (path: string): Promise<string | undefined> => realpath(path).catch(() => undefined);

/** The path with links resolved, also of a file that does not exist yet; `undefined` for a device or a pipe. */
export async function filePath(path: string): Promise<string | undefined> {
  const found = await stat(path).catch(() => undefined);
  if (found && !found.isFile() && !found.isDirectory()) return undefined;
  const real = await realPath(path);
  if (real !== undefined) return real;
  const absolute = resolve(path);
  const folder = dirname(absolute);
  return folder === absolute ? absolute : join((await filePath(folder)) ?? folder, basename(absolute));
}
