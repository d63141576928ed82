import type { ScoreScale } from "../../core/types.js";

/** The largest difference between two scores on a scale; `undefined` if it has no two ends. */
export const widthOf = ({ min, max }: ScoreScale = {}): number | undefined =>
  min === undefined || max === undefined ? undefined : max - min;
