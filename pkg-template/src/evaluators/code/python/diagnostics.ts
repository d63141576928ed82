/** Reads Pyright's output with `--outputjson`. */

import type { OpenEvalsError } from "../../../core/errors.js";
import { firstLine } from "../../../core/input/first-line.js";
import type { EvaluatorResult } from "../../../core/types.js";

/** The part of a diagnostic that is used. */
interface PythonDiagnostic {
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
 * Reads the verdict. Its comment has the errors as JSON, without the name of the temporary file.
 *
 * @param failed Makes the error if this is not Pyright's output, or if Pyright did not check the file. It gets the reason, if
 * there is one.
 */
export function verdictOfPyright(
  stdout: string,
  failed: (why?: string) => OpenEvalsError,
  isCounted = (_: PythonDiagnostic) => true,
): Omit<EvaluatorResult, "key"> {
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
  if (!(Number(checked) > 0)) throw failed();
  const errors = found
    .filter((diagnostic) => diagnostic.severity === "error" && isCounted(diagnostic))
    .map(({ file, ...rest }) => rest);
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
