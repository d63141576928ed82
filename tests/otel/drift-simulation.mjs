// How often the drift alarm of `online` is false, and how long it takes: `node otel/drift-simulation.mjs [runs]` in tests/.
import { online } from "openevals-wasm/otel";

function random(seed) {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** The row of the first alarm, if there is one. */
async function firstAlarm(draw, rows, scoreOf, options) {
  let [row, found] = [0, undefined];
  const evaluate = ({ outputs }) => ({ key: "score", score: outputs });
  const onDrift = () => {
    found ??= row;
  };
  const score = online([evaluate], { onDrift, maxConcurrency: 1, ...options });
  for (; row < rows && found === undefined; row++) {
    score({ outputs: scoreOf(draw, row) });
    await score.idle();
  }
  return found;
}

const runs = Number(process.argv[2] ?? 100);
const verdict = (rate) => (draw, row) => draw() < rate(row);
const graded = (shift) => (draw, row) => Math.min(1, Math.max(0, 0.6 + shift(row) + 0.3 * (draw() - 0.5)));
const before = 3000;
const cases = [
  [
    "verdicts, 90 %, baseline estimated",
    verdict(() => 0.9),
    verdict((row) => (row < before ? 0.9 : 0.8)),
    {},
  ],
  [
    "verdicts, 90 %, baseline given",
    verdict(() => 0.9),
    verdict((row) => (row < before ? 0.9 : 0.8)),
    { baseline: { score: 0.9 } },
  ],
  [
    "verdicts, 50 %, baseline estimated",
    verdict(() => 0.5),
    verdict((row) => (row < before ? 0.5 : 0.4)),
    {},
  ],
  ["scores around 0.6, baseline estimated", graded(() => 0), graded((row) => (row < before ? 0 : -0.1)), {}],
];
for (const [name, same, changed, options] of cases) {
  const start = performance.now();
  let falseAlarms = 0;
  const delays = [];
  let early = 0;
  for (let run = 0; run < runs; run++) {
    if ((await firstAlarm(random(run * 7919 + 1), 10_000, same, options)) !== undefined) falseAlarms++;
    const row = await firstAlarm(random(run * 104_729 + 5), before + 7000, changed, options);
    if (row !== undefined && row < before) early++;
    else delays.push(row === undefined ? Infinity : row - before);
  }
  delays.sort((a, b) => a - b);
  const at = (share) => delays[Math.min(delays.length - 1, Math.floor(share * delays.length))];
  console.log(
    `${name}: ${falseAlarms} of ${runs} with a false alarm in 10,000 rows; a drop of 0.1 after a median of ${at(0.5)} rows, ` +
      `90 % after ${at(0.9)}, the last after ${at(1)} (${early} early; ${((performance.now() - start) / 1000).toFixed(0)} s)`,
  );
}
