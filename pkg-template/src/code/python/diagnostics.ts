/** What Pyright says, with `--outputjson`. */

import type { EvaluatorResult } from "../../types.js";

/** As much of a diagnostic as is used; it also has `message` and `range`. */
interface Diagnostic {
  severity: string;
  rule?: string;
  file?: string;
}

/** How Pyright is asked; the names of files follow. */
export const PYRIGHT_ARGS = ["--outputjson", "--level", "error"];

/**
 * The verdict, with the errors as JSON and without the name of the file, which is ours; nothing if this is no answer of
 * Pyright.
 */
export function verdictOfPyright(
  stdout: string,
  counts = (_: Diagnostic) => true,
): Omit<EvaluatorResult, "key"> | undefined {
  let found: unknown;
  try {
    found = JSON.parse(stdout)?.generalDiagnostics;
  } catch {}
  if (!Array.isArray(found)) return undefined;
  const errors = found
    .filter((diagnostic) => diagnostic.severity === "error" && counts(diagnostic))
    .map(({ file, ...rest }: Diagnostic) => rest);
  return errors.length ? { score: false, comment: JSON.stringify(errors) } : { score: true };
}
