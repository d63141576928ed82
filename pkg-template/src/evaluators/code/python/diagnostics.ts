/** What Pyright says, with `--outputjson`. */

import type { OpenEvalsError } from "../../../core/errors.js";
import type { EvaluatorResult } from "../../../core/types.js";

/** As much of a diagnostic as is used. */
interface PythonDiagnostic {
  severity: string;
  message: string;
  /** Missing where it begins and ends at the same place. */
  range?: object;
  rule?: string;
  file?: string;
}

/** How Pyright is asked; the names of files follow. */
export const PYRIGHT_ARGS = ["--outputjson", "--level", "error"];

/**
 * The verdict, with the errors as JSON and without the name of the file, which is ours.
 *
 * @param failed Makes the error if this is no answer of Pyright, or it has not checked the file; then it may say why.
 */
export function verdictOfPyright(
  stdout: string,
  failed: (why?: string) => OpenEvalsError,
  counts = (_: PythonDiagnostic) => true,
): Omit<EvaluatorResult, "key"> {
  let found: unknown;
  let checked: unknown;
  try {
    const answer = JSON.parse(stdout);
    found = answer.generalDiagnostics;
    checked = answer.summary.filesAnalyzed;
  } catch {}
  if (!Array.isArray(found) || !found.every(isDiagnostic)) throw failed();
  const broken = found.find(isBreakdown);
  if (broken) throw failed(withoutFolder(broken));
  if (!(Number(checked) > 0)) throw failed();
  const errors = found
    .filter((diagnostic) => diagnostic.severity === "error" && counts(diagnostic))
    .map(({ file, ...rest }) => rest);
  return errors.length ? { score: false, comment: JSON.stringify(errors) } : { score: true };
}

const isDiagnostic = (value: any): value is PythonDiagnostic =>
  typeof value?.severity === "string" && typeof value.message === "string";

/** Whether Pyright itself is what broke: in whatever language, it names the file, and no place in it. */
const isBreakdown = ({ message, range, file }: PythonDiagnostic): boolean =>
  !range && !!file && message.includes(file);

/** The first line of a message, without the folder of the file, and without the stack below. */
const withoutFolder = ({ message, file = "" }: PythonDiagnostic): string =>
  message
    .split("\n", 1)
    .join()
    .replaceAll(file, file.replace(/^.*[\\/]/, ""));
