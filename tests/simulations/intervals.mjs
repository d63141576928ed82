/** Whether intervals hold the truth, for simulations. */

/** `undefined` without an interval: that says nothing, and is no failure. */
export const holds = (interval, truth) =>
  interval ? interval.low - 1e-9 <= truth && truth <= interval.high + 1e-9 : undefined;
