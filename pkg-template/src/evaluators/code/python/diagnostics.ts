/** Reads Pyright's output with `--outputjson`. */

import type { OpenEvalsError } from "../../../core/errors.js";
import { firstLine } from "../../../core/input/first-line.js";
import type { EvaluatorResult } from "../../../core/types.js";

/** The part of a diagnostic that is used. */
export interface PythonDiagnostic {
  severity: string;
  message: string;
  /** Missing if it begins and ends at the same place. */
  range?: object;
  rule?: string;
  file?: string;
}

/** The arguments for Pyright; the names of files follow. */
export const PYRIGHT_ARGS = ["--outputjson", "--level", "error"];

/**
 * Reads what Pyright found in files.
 *
 * @param failed Makes the error if this is not Pyright's output, or if Pyright did not check all files. It gets the reason, if
 * there is one.
 */
export function readPyright(
  stdout: string,
  files: number,
  failed: (why?: string) => OpenEvalsError,
): PythonDiagnostic[] {
  let found: unknown;
  let checked: unknown;
  try {
    const answer = JSON.parse(stdout);
    found = answer.generalDiagnostics;
    checked = answer.summary.filesAnalyzed;
  } catch {}
  if (!Array.isArray(found) || !found.every(isDiagnostic)) throw failed();
  const crash = found.find(isCrash);
  if (crash) throw failed(withoutFolder(crash));
  if (!(Number(checked) >= files)) throw failed();
  return found;
}

/** The verdict on a file. Its comment has the errors as JSON, without the name of the temporary file. */
export function verdictOfPyright(found: readonly PythonDiagnostic[]): Omit<EvaluatorResult, "key"> {
  const errors = found.filter(({ severity }) => severity === "error").map(({ file, ...rest }) => rest);
  return errors.length ? { score: false, comment: JSON.stringify(errors) } : { score: true };
}

const isDiagnostic = (value: any): value is PythonDiagnostic =>
  typeof value?.severity === "string" && typeof value.message === "string";

/** Whether Pyright crashed. The message of a crash, in any language, names the file but no place in it. */
const isCrash = ({ message, range, file }: PythonDiagnostic): boolean =>
  !range && !!file && message.includes(file);

/** The first line of a message, without the file's folder and the stack trace. */
const withoutFolder = ({ message, file = "" }: PythonDiagnostic): string =>
  firstLine(message).replaceAll(file, file.replace(/^.*[\\/]/, ""));
