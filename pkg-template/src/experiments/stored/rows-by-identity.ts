import { invalidInput } from "../../core/errors.js";
import { show } from "../../core/input/checks.js";
import { identityOf } from "../../core/records/row-identity.js";
import type { ExperimentRow } from "../../core/records/types.js";

/**
 * The rows of an experiment by their identity.
 *
 * @param whose The name of the experiment in messages.
 * @throws {@link OpenEvalsError} `invalid_input` for two rows with the same identity.
 */
export function rowsByIdentity(rows: readonly ExperimentRow[], whose: string): Map<string, ExperimentRow> {
  const found = new Map<string, ExperimentRow>();
  for (const row of rows) {
    const identity = identityOf(row);
    if (found.has(identity))
      throw invalidInput(
        `${whose} has the example ${show(row.example.id)} twice in repetition ${row.run.repetition ?? 0}. Rows are paired ` +
          "by the id of their example, so give each example a different id",
      );
    found.set(identity, row);
  }
  return found;
}
