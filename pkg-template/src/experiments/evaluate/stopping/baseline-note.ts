/** What may be wrong with the pairs of an experiment and the baseline of a condition. */

import { differentPairs, type ExamplePair } from "../../../core/records/different-inputs.js";

/** The note about pairs of which one has other inputs, or about a baseline without pairs; `undefined` if all is well. */
export const baselineNote = (pairs: readonly ExamplePair[]): string | undefined =>
  pairs.length
    ? differentPairs(pairs)?.note
    : "No row has the id of a row of the baseline, so nothing was compared. Rows are paired by id, which is their position by " +
      "default. Give each row the id that it has in the baseline.";
