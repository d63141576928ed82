import { confidenceSequence } from "openevals-wasm/evaluation";

export const claim = "With a look after every row, stopWhen is wrong in 5 % of experiments at most.";
export const chapter = "simulations.md, Stopping early";
export const runs = (design) => (design.startsWith("an ordinary interval") ? 10_000 : 400);
/** Without a promise: what `stopWhen` replaces, and rows for which it is not made. */
const WITHOUT_PROMISE = /an ordinary interval|pages/;
export const promise = (design) => (WITHOUT_PROMISE.test(design) ? {} : { atMost: 0.05 });

const draws = {
  "verdicts, 0.5 true": [(random) => random.happens(0.5), 0.5],
  "verdicts, 0.8 true": [(random) => random.happens(0.8), 0.8],
  "verdicts, 0.95 true": [(random) => random.happens(0.95), 0.95],
  "beta(4, 1)": [(random) => random.beta(4, 1), 0.8],
  "0, 0.5 and 1": [(random) => random.below(3) / 2, 0.5],
};

/** Whether it happens within so many rows, if this is the row at which it happens. */
const within = (first) =>
  Object.fromEntries([100, 500, 2_000].map((rows) => [`within ${rows} rows`, first <= rows]));

export const designs = {};
for (const [name, [draw, truth]] of Object.entries(draws)) {
  designs[name] = async (random) => {
    const sequence = confidenceSequence();
    for (let row = 1; row <= 2_000; row++) {
      const { interval } = await sequence.add(draw(random));
      // A mean on the threshold is neither above nor below it.
      if (!interval || interval.low >= truth || interval.high <= truth) return within(row);
    }
    return within(Number.POSITIVE_INFINITY);
  };
}
designs["an ordinary interval, verdicts, 0.8 true"] = (random) => {
  let passed = 0;
  for (let row = 1; row <= 2_000; row++) {
    passed += Number(random.happens(0.8));
    const rate = passed / row;
    // The interval of Wilson leaves out 0.8.
    if (row >= 10 && (rate - 0.8) ** 2 * row > 1.96 ** 2 * 0.16) return within(row);
  }
  return within(Number.POSITIVE_INFINITY);
};
designs["30 pages of 10 questions that correlate by 0.5, shuffled"] = async (random) => {
  const rows = [];
  for (let page = 0; page < 30; page++) {
    const shared = random.happens(0.8);
    for (let question = 0; question < 10; question++)
      rows.push({
        place: random.uniform(),
        score: random.happens(Math.sqrt(0.5)) ? shared : random.happens(0.8),
      });
  }
  const sequence = confidenceSequence();
  for (const [row, { score }] of rows.sort((a, b) => a.place - b.place).entries()) {
    const { interval } = await sequence.add(score);
    if (!interval || interval.low >= 0.8 || interval.high <= 0.8) return within(row + 1);
  }
  return within(Number.POSITIVE_INFINITY);
};
