/** Warns about mismatched pairs of an experiment and the baseline of a condition. */

import { differentPairs, type ExamplePair } from "../../../core/records/different-inputs.js";

/** The note about pairs with different inputs, or about a baseline without pairs; `undefined` without problems. */
export const baselineNote = (pairs: readonly ExamplePair[]): string | undefined =>
  pairs.length
    ? differentPairs(pairs)?.note
    : "No row has the id of a row of the baseline, so nothing was compared. Rows are paired by id, which is their position by " +
      "default. Give each row the id that it has in the baseline.";
