import { confidenceSequence } from "openevals-wasm/evaluation";

export const claim = "Half of the experiments with stopWhen are done by the row that the table says.";
export const chapter = "comparisons.md, Looks";
export const runs = 400;
export const promise = () => ({ atLeast: 0.48, atMost: 0.52 });

export const designs = {};
for (const [rate, threshold, rows] of [
  [0.9, 0.8, 90],
  [0.7, 0.8, 234],
  [0.6, 0.5, 306],
  [0.85, 0.8, 619],
]) {
  designs[`${rate}, threshold ${threshold}, by row ${rows}`] = async (random) => {
    const sequence = confidenceSequence();
    for (let row = 0; row < rows; row++) {
      const { interval } = await sequence.add(random.happens(rate));
      if (interval && (interval.low >= threshold || interval.high <= threshold)) return true;
    }
    return false;
  };
}
