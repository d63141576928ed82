/** Times functions against each other. */

const ROUND_MS = 4; // long enough for the clock, short enough for many rounds
const CASE_MS = 1_500; // for all contestants of a case together
const [FEWEST, MOST] = [5, 101];

/**
 * Runs all contestants once in every round, so that whatever slows the machine down slows all of them; a contestant
 * times itself and returns milliseconds per call. Returns all times by name.
 */
export async function race(contestants, rounds) {
  const times = Object.fromEntries(Object.keys(contestants).map((name) => [name, []]));
  for (let round = 0; round < rounds; round++) {
    for (const [name, run] of Object.entries(contestants)) times[name].push(await run());
  }
  return times;
}

/** Times calls, after checking that all contestants give the same answer. */
export async function raceCalls(functions, { sameAnswer = true } = {}) {
  const answers = await Promise.all(
    Object.values(functions).map(async (call) => JSON.stringify(scores(await call()))),
  );
  if (sameAnswer && new Set(answers).size > 1) throw new Error(`the answers differ: ${answers.join(" / ")}`);

  const contestants = {};
  let roundMs = 0;
  for (const [name, call] of Object.entries(functions)) {
    const { calls, perCall } = await calibrated(call);
    contestants[name] = () => timed(call, calls);
    roundMs += calls * perCall;
  }
  return race(contestants, Math.min(MOST, Math.max(FEWEST, Math.round(CASE_MS / roundMs))));
}

export function median(values) {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)];
}

/** How many calls make up a round; the calls made to find out warm the function up. */
async function calibrated(call) {
  for (let calls = 1; ; calls *= 2) {
    const perCall = await timed(call, calls);
    if (calls * perCall >= ROUND_MS) return { calls, perCall };
  }
}

async function timed(call, calls) {
  const start = performance.now();
  for (let i = 0; i < calls; i++) {
    const result = call();
    if (result instanceof Promise) await result; // a function that answers at once is not made to wait
  }
  return (performance.now() - start) / calls;
}

/** Only key and score are the same in both packages. */
function scores(answer) {
  return [answer].flat().map((result) => (typeof result === "object" ? [result.key, result.score] : result));
}
