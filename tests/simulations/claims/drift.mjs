import { online } from "openevals-wasm/otel";

export const claim =
  "While nothing changes, the drift alarm goes off in 10,000 independent rows with a probability of at most 5 %, also after an alarm; " +
  "a drop is found, and the mean after it is within 0.05 in 7 of 10 alarms.";
export const chapter = "simulations.md, Drift alarms";
export const runs = 60;
export const promise = (design) => {
  if (design.includes("conversations")) return {};
  if (design.endsWith("false alarm")) return { atMost: 0.05 };
  if (design.startsWith("mean of after")) return { atLeast: 0.7 };
  // The second of the two numbers of rows that the chapter has for each kind of scores.
  return / (1600|2200|3400|600) rows/.test(design) ? { atLeast: 0.9 } : {};
};

/** The first alarms with their rows, at most so many. */
async function firstAlarms(most, rows, scoreOf, options) {
  const found = [];
  let row = 0;
  const evaluate = ({ outputs }) => ({ key: "score", score: outputs });
  const onDrift = ({ after }) => found.push({ row, after: after.mean });
  const score = online([evaluate], { onDrift, maxConcurrency: 1, ...options });
  for (; row < rows && found.length < most; row++) {
    score({ outputs: scoreOf(row) });
    await score.idle();
  }
  return found;
}

/** The first alarm, `undefined` without one. */
const firstAlarm = async (...experiment) => (await firstAlarms(1, ...experiment))[0];

const verdicts = (rate) => (random, drop) => random.happens(rate - drop);
const numbers = (random, drop) => Math.min(1, Math.max(0, 0.6 - drop + 0.3 * (random.uniform() - 0.5)));
const before = 3_000;

export const designs = {};
// Within how many rows a drop of 0.1 is found.
for (const [name, draw, mean, options, ...within] of [
  ["verdicts, 90 % true, baseline given", verdicts(0.9), 0.9, { baseline: { score: 0.9 } }, 1_200, 1_600],
  ["verdicts, 50 % true, baseline given", verdicts(0.5), 0.5, { baseline: { score: 0.5 } }, 1_400, 2_200],
  ["verdicts, 90 % true, baseline estimated", verdicts(0.9), 0.9, {}, 1_700, 3_400],
  ["numbers, baseline estimated", numbers, 0.6, {}, 450, 600],
  ["verdicts, 50 % true, baseline estimated", verdicts(0.5), 0.5, {}, 3_500, 7_000],
]) {
  designs[`${name}, false alarm`] = async (random) =>
    (await firstAlarm(10_000, () => draw(random, 0), options)) !== undefined;
  designs[`${name}, a drop`] = async (random) => {
    const rows = before + Math.max(...within);
    const alarm = await firstAlarm(rows, (row) => draw(random, row < before ? 0 : 0.1), options);
    // A false alarm before says nothing about the drop.
    const found = (most) => (alarm?.row < before ? undefined : alarm?.row < before + most);
    const after = alarm?.row >= before ? Math.abs(alarm.after - (mean - 0.1)) < 0.05 : undefined;
    return {
      ...Object.fromEntries(within.map((most) => [`found within ${most} rows`, found(most)])),
      "mean of after within 0.05": after,
    };
  };
}
// Half of the answers have the verdict of their conversation.
for (const size of [4, 10])
  designs[`verdicts, 90 % true, conversations of ${size}, false alarm`] = async (random) => {
    let common;
    const score = (row) => {
      if (row % size === 0) common = random.happens(0.9);
      return random.happens(0.5) ? common : random.happens(0.9);
    };
    return (await firstAlarm(10_000, score, { baseline: { score: 0.9 } })) !== undefined;
  };
// The level after a drop becomes the baseline.
designs["after an alarm, false alarm"] = async (random) => {
  const score = () => verdicts(0.7)(random, 0);
  const [alarm, again] = await firstAlarms(2, 12_000, score, { baseline: { score: 0.9 } });
  return again !== undefined && again.row < alarm.row + 10_000;
};
