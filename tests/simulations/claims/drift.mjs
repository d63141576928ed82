import { online } from "openevals-wasm/otel";

export const claim =
  "While nothing changes, the drift alarm goes off in 10,000 rows with a probability of at most 5 %; a drop is found.";
export const chapter = "traces.md, The drift alarm";
export const runs = 40;
export const promise = (design) => (design.includes("found") ? { atLeast: 0.9 } : { atMost: 0.05 });

/** The row of the first alarm, if there is one. */
async function firstAlarm(rows, scoreOf, options) {
  let [row, found] = [0, undefined];
  const evaluate = ({ outputs }) => ({ key: "score", score: outputs });
  const onDrift = () => {
    found ??= row;
  };
  const score = online([evaluate], { onDrift, maxConcurrency: 1, ...options });
  for (; row < rows && found === undefined; row++) {
    score({ outputs: scoreOf(row) });
    await score.idle();
  }
  return found;
}

const verdicts = (rate) => (random, drop) => random.happens(rate - drop);
const numbers = (random, drop) => Math.min(1, Math.max(0, 0.6 - drop + 0.3 * (random.uniform() - 0.5)));
const before = 3_000;

export const designs = {};
// After how many rows the chapter says that nine of ten runs have found a drop of 0.1.
for (const [name, draw, options, within] of [
  ["verdicts, 90 % true, baseline given", verdicts(0.9), { baseline: { score: 0.9 } }, 1_600],
  ["verdicts, 50 % true, baseline given", verdicts(0.5), { baseline: { score: 0.5 } }, 2_200],
  ["verdicts, 90 % true, baseline estimated", verdicts(0.9), {}, 3_400],
  ["numbers, baseline estimated", numbers, {}, 600],
  ["verdicts, 50 % true, baseline estimated", verdicts(0.5), {}, undefined],
]) {
  designs[`${name}, false alarm`] = async (random) =>
    (await firstAlarm(10_000, () => draw(random, 0), options)) !== undefined;
  if (within === undefined) continue;
  designs[`${name}, found within ${within} rows`] = async (random) => {
    const row = await firstAlarm(before + within, (row) => draw(random, row < before ? 0 : 0.1), options);
    // A false alarm before says nothing about the drop.
    return row !== undefined && row < before ? undefined : row !== undefined;
  };
}
