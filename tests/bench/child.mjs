/**
 * One side of one case, in its own process: `child.mjs <case> <side>`. Sends a message when it is ready, and
 * then handles requests: `{ warmUp: true }`, or `{ calls }` for a round.
 */
import { cases } from "./cases/index.mjs";
import { kept, peak, timed, warmedUp } from "./measure.mjs";

/** The measurements other than times. */
const MEASURES = { memory: kept, peak };

const [name, side] = process.argv.slice(2);
const { sides, measures, answer = keysAndScores, rows = 1 } = cases.find((one) => one.name === name);

// Also if the parent process was killed.
process.once("disconnect", () => process.exit());

await told(async () => {
  const call = await sides[side]();
  const compared = (result) => JSON.stringify(side === "floor" ? null : answer(result));
  const first = compared(await call());
  process.on("message", ({ warmUp, calls }) =>
    told(async () => {
      if (warmUp) return { perCall: await warmedUp(call) };
      const { value, answer } = await (MEASURES[measures] ?? timed)(call, calls);
      if (compared(answer) !== first) throw new Error(`${first} has become ${compared(answer)}`);
      return { value: value / rows };
    }),
  );
  return { answer: first };
});

/** Sends the result of the work, or its error. */
async function told(work) {
  try {
    process.send(await work());
  } catch (error) {
    process.send({ error: error.stack });
  }
}

/** Only these are the same in both packages. */
function keysAndScores(results) {
  return [results].flat().map(({ key, score }) => [key, score]);
}
