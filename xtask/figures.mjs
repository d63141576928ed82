/**
 * Measures the figures of the home page and of the chapter "How we measure", and writes them to
 * `www/home/figures.json`: `npm run figures`. Sizes are not among them, since the build writes `SIZES.md`.
 */

import { writeFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { pathToFileURL } from "node:url";
import { build } from "./build.mjs";
import { pack } from "./pack.mjs";
import { main, path, say } from "./run.mjs";
import { installPackages, setUpBuild } from "./setup.mjs";

const tests = (file) => import(pathToFileURL(path("tests", file)).href);
const START = "import to first result, ES module";
const INTERVAL = { claim: "means", design: "verdicts, 80 % true, 20 rows" };

await main(import.meta.url, async () => {
  await setUpBuild();
  await installPackages("tests", "the test tools");
  await installPackages("tests/parity", "the reference packages");
  await build();
  await pack();
  const figures = { start: await measureStart(), interval: await simulateInterval() };
  writeFileSync(path("www/home/figures.json"), `${JSON.stringify(figures, undefined, 2)}\n`);
  say("Wrote www/home/figures.json: run `npm run build`, and commit both");
});

/** The medians of new processes, in milliseconds. */
async function measureStart() {
  say(`Measuring: ${START}`);
  const { startups } = await tests("bench/cases/fresh.mjs");
  const { race } = await tests("bench/race.mjs");
  const { ours, reference } = await race(startups.find(({ name }) => name === START));
  const median = (times) => [...times].sort((a, b) => a - b)[(times.length - 1) >> 1];
  return {
    case: START,
    oursMs: Math.round(median(ours)),
    referenceMs: Math.round(median(reference)),
    rounds: ours.length,
    node: process.versions.node,
    processors: availableParallelism(),
  };
}

/** How often a 95% interval holds the true value. Every machine gets the same figure. */
async function simulateInterval() {
  const { claim, design } = INTERVAL;
  say(`Simulating: ${claim}, ${design}`);
  const { designs, runs } = await tests(`simulations/claims/${claim}.mjs`);
  const { Random } = await tests("simulations/random.mjs");
  const random = new Random(`1 ${claim} ${design}`);
  let held = 0;
  for (let run = 0; run < runs; run++) if (await designs[design](random)) held++;
  return { claim, design, rows: 20, runs, held };
}
