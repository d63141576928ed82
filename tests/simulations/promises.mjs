/** Whether simulations keep the promised probabilities. */

/**
 * Whether so many events in so many runs are explained by chance if the promise is kept: a share beyond it has a
 * one-sided p-value of 0.001 or more, so that of a few hundred designs hardly one is called broken by chance. No
 * looseness besides: with more runs, a share has to lie closer.
 */
export function isKept(events, runs, { atLeast, atMost }) {
  if (runs === 0) return true;
  return (
    (atMost === undefined || tail(events, runs, atMost) >= 0.001) &&
    (atLeast === undefined || tail(runs - events, runs, 1 - atLeast) >= 0.001)
  );
}

/** The probability of so many events or more, if each run has one with this probability. */
function tail(events, runs, probability) {
  if (events === 0 || probability >= 1) return 1;
  if (probability <= 0) return 0;
  let logarithm = runs * Math.log(1 - probability);
  let below = 0;
  for (let count = 0; count < events; count++) {
    below += Math.exp(logarithm);
    logarithm += Math.log(((runs - count) / (count + 1)) * (probability / (1 - probability)));
  }
  return Math.max(1 - below, 0);
}

/** Intervals of 95 % promise that many; wider ones are no broken promise. */
export const covers = () => ({ atLeast: 0.95 });
