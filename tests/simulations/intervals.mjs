/** Whether intervals hold the truth, for simulations. */

/** `undefined` without an interval: that says nothing, and is no failure. */
export const holds = (interval, truth) =>
  interval ? interval.low - 1e-9 <= truth && truth <= interval.high + 1e-9 : undefined;

/** Whether a share is near enough to the 95 % that intervals promise; wider intervals are no broken promise. */
export const isCovered = (share) => share >= 0.925;
