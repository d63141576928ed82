/** Finished rows that an experiment could not write to its file, as on a full disk. */

import { counted } from "../../core/input/counted.js";
import { rowCountOf } from "../../core/records/row-count.js";
import type { Experiment } from "../../core/records/types.js";
import { readExperiment } from "../../evaluation.js";

/**
 * How many rows of a failed experiment are not in its file, as a sentence; empty if all are.
 *
 * @param again What runs them again, as the subject of a clause.
 */
export async function lostRowsText(error: unknown, sink: unknown, again: string): Promise<string> {
  const { experiment } = Object(error) as { experiment?: Experiment };
  if (!experiment || typeof sink !== "string") return "";
  // Without a whole first line, the file has no rows.
  const written = await readExperiment(sink, { keepRows: false }).then(rowCountOf, () => 0);
  const lost = rowCountOf(experiment) - written;
  return lost > 0
    ? ` ${counted(lost, "finished row")} ${lost === 1 ? "is" : "are"} not in ${sink}; ${again} runs ${lost === 1 ? "it" : "them"} again.`
    : "";
}
