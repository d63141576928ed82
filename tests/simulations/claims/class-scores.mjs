import {
  cohensKappa,
  f1Score,
  fBeta,
  matthewsCorrelation,
  precision,
  recall,
} from "openevals-wasm/evaluation";
import { times } from "../experiments.mjs";
import { holds } from "../intervals.mjs";

export const claim =
  "Intervals of F-beta, averages over classes, correlation and kappa hold the truth in 90 % of samples, also with a rare class, few errors, a judge that calls nearly everything true, or repetitions.";
export const chapter = "summary-evaluators.md, Over classes";
const areRare = (design) => design.includes("two of them rare");
export const runs = (design) => (areRare(design) ? 6_000 : 1_000);
// Where a class is answered once or twice, and not counted if it is never answered, precision is below that.
export const promise = (design) => {
  if (/^macro precision, 30 rows, 10 % true, sensitivity 0.4/.test(design)) return { atLeast: 0.8 };
  return { atLeast: design.startsWith("macro F1") && areRare(design) ? 0.89 : 0.9 };
};

const F1 = { value: f1Score({ positive: "0" }), recall: 0.5, weigh: ({ name }) => Number(name === "0") };
const METRICS = {
  "macro recall": { value: recall({ average: "macro" }), recall: 1, weigh: () => 1 },
  "macro precision": { value: precision({ average: "macro" }), recall: 0, weigh: () => 1 },
  F1,
  F2: { ...F1, value: fBeta({ beta: 2, positive: "0" }), recall: 0.8 },
  "macro F1": { value: f1Score({ average: "macro" }), recall: 0.5, weigh: () => 1 },
  "weighted F1": {
    value: f1Score({ average: "weighted" }),
    recall: 0.5,
    weigh: ({ reference }) => reference,
  },
  correlation: { value: matthewsCorrelation() },
  kappa: { value: cohensKappa() },
};

const sum = (numbers) => numbers.reduce((all, number) => all + number, 0);

/** The true value of a metric: `shares` has a row for each reference, with the shares of all rows that have each output. */
function truthOf({ value, recall, weigh }, shares) {
  const classes = shares.map((row, place) => ({
    name: `${place}`,
    right: row[place],
    reference: sum(row),
    output: sum(shares.map((other) => other[place])),
  }));
  if (!weigh) {
    const chance = sum(classes.map(({ reference, output }) => reference * output));
    const beyond = sum(classes.map(({ right }) => right)) - chance;
    const varied = (side) => 1 - sum(classes.map((one) => one[side] ** 2));
    const isKappa = value === METRICS.kappa.value;
    return beyond / (isKappa ? 1 - chance : Math.sqrt(varied("reference") * varied("output")));
  }
  const f = ({ right, reference, output }) => right / (recall * reference + (1 - recall) * output);
  return sum(classes.map((one) => weigh(one) * f(one))) / sum(classes.map(weigh));
}

/** One of several places, with these probabilities. */
function place(random, probabilities) {
  let rest = random.uniform();
  const found = probabilities.findIndex((probability) => {
    rest -= probability;
    return rest < 0;
  });
  return found < 0 ? probabilities.length - 1 : found;
}

/** The probabilities of outputs for each reference, where errors are as likely for each other class. */
const evenErrors = (right) =>
  right.map((share, own) =>
    right.map((_, other) => (own === other ? share : (1 - share) / (right.length - 1))),
  );

export const designs = {};

/**
 * @param repetitions The number of runs of an example, or a function that draws it.
 * @param persistence The probability that a repetition has the answer which its example has most often.
 */
function add(
  name,
  { examples, repetitions = 1, persistence = 0, classes, right, outputs = evenErrors(right) },
) {
  const shares = classes.map((share, row) => outputs[row].map((probability) => share * probability));
  designs[name] = async (random) => {
    const rows = times(examples, (example) => {
      const reference = place(random, classes);
      const usual = place(random, outputs[reference]);
      return times(typeof repetitions === "function" ? repetitions(random) : repetitions, () => ({
        id: `${example}`,
        reference: `${reference}`,
        output: `${random.happens(persistence) ? usual : place(random, outputs[reference])}`,
      }));
    }).flat();
    const params = {
      outputs: rows.map(({ output }) => output),
      referenceOutputs: rows.map(({ reference }) => reference),
      examples: rows.map(({ id }) => ({ id })),
    };
    const held = {};
    for (const [name, metric] of Object.entries(METRICS))
      held[name] = holds((await metric.value(params)).interval, truthOf(metric, shares));
    return held;
  };
}

for (const [examples, rate, sensitivity, specificity] of [
  [30, 0.2, 0.8, 0.9],
  [60, 0.1, 0.7, 0.95],
  [150, 0.1, 0.7, 0.95],
  [60, 0.1, 0.95, 0.95],
  [60, 0.5, 0.8, 0.7],
  [30, 0.5, 0.975, 0.975],
  [100, 0.5, 0.98, 0.98],
  [50, 0.9, 0.95, 0.6],
  [30, 0.1, 0.4, 0.99],
  [60, 0.9, 0.95, 0.3],
  [60, 0.9, 0.97, 0.15],
  [100, 0.9, 0.9, 0.1],
  [150, 0.9, 0.9, 0.1],
  [50, 0.8, 0.97, 0.2],
])
  add(`${examples} rows, ${rate * 100} % true, sensitivity ${sensitivity}, specificity ${specificity}`, {
    examples,
    classes: [rate, 1 - rate],
    right: [sensitivity, specificity],
  });
for (const [examples, repetitions, classes, right, persistence] of [
  [8, 5, [0.5, 0.5], 0.8, 0.95],
  [12, 5, [0.5, 0.5], 0.8, 0.7],
  [20, 5, [0.5, 0.5], 0.9, 1],
  [15, 4, [0.4, 0.3, 0.3], 0.7, 0.95],
  [30, 3, [0.5, 0.3, 0.2], 0.8, 0.9],
])
  add(
    `${examples} examples of ${classes.length} classes, ${repetitions} times, ${right * 100} % right, ${persistence * 100} % of answers stay`,
    { examples, repetitions, persistence, classes, right: classes.map(() => right) },
  );
// Runs that differ are worth more than one row, and examples may have any number of them.
for (const [examples, most, persistence] of [
  [30, 9, 0],
  [30, 9, 0.5],
  [60, 9, 0.9],
])
  for (const [name, repetitions] of [
    [`${most}`, most],
    [`1 to ${most}`, (random) => 1 + random.below(most)],
  ])
    add(`${examples} examples, ${name} times, 90 % right, ${persistence * 100} % of answers stay`, {
      examples,
      repetitions,
      persistence,
      classes: [0.5, 0.5],
      right: [0.9, 0.9],
    });
for (const [examples, classes, right] of [
  [60, [0.7, 0.15, 0.1, 0.05], 0.85],
  [110, Array(10).fill(0.1), 0.8],
  [420, Array(20).fill(0.05), 0.8],
])
  add(
    `${examples} rows of ${classes.length} classes, ${right * 100} % right, the rarest ${classes.at(-1) * 100} %`,
    {
      examples,
      classes,
      right: classes.map(() => right),
    },
  );
add("30 rows of 3 classes, two of them rare: 80, 10 and 10 %", {
  examples: 30,
  classes: [0.8, 0.1, 0.1],
  outputs: [
    [0.95, 0.03, 0.02],
    [0.3, 0.5, 0.2],
    [0.2, 0.2, 0.6],
  ],
});
