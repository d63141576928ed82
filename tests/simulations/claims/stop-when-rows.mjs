import { confidenceSequence } from "openevals-wasm/evaluation";

export const claim = "So many experiments with stopWhen are done by the row that the table says.";
export const chapter = "simulations.md, Stopping early";
export const runs = 500;
export const promise = (design) =>
  design.startsWith("half") ? { atLeast: 0.48, atMost: 0.52 } : { atLeast: 0.78, atMost: 0.82 };

/** Whether the interval leaves out the threshold by the rows that the table has. */
async function stops(sequence, threshold, draw, half, most) {
  let row = 0;
  for (let isDone = false; !isDone && row <= most; row++) {
    const { interval } = await sequence.add(draw());
    isDone = interval !== null && (interval.low >= threshold || interval.high <= threshold);
  }
  return { [`half by row ${half}`]: row <= half, [`80 % by row ${most}`]: row <= most };
}

export const designs = {};
for (const [rate, threshold, half, most] of [
  [0.9, 0.8, 90, 175],
  [0.7, 0.8, 234, 477],
  [0.6, 0.5, 283, 587],
  [0.85, 0.8, 619, 1_296],
]) {
  designs[`${rate}, threshold ${threshold}`] = (random) =>
    stops(confidenceSequence(), threshold, () => random.happens(rate), half, most);
}
designs["0.8 beside a baseline of 0.7, correlation 0.5"] = (random) => {
  // Both are right with this probability, so that they correlate by 0.5.
  const both = 0.8 * 0.7 + 0.5 * Math.sqrt(0.8 * 0.2 * 0.7 * 0.3);
  const difference = () => {
    const drawn = random.uniform();
    if (drawn < both || drawn >= 1.5 - both) return 0;
    return drawn < 0.8 ? 1 : -1;
  };
  return stops(confidenceSequence({ range: [-1, 1] }), 0, difference, 150, 267);
};
