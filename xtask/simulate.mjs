/**
 * Simulates the guide's claims about probabilities, and prints a table for each: `npm run simulate`, or `npm
 * run simulate -- slices --runs 200` for some claims with fewer runs.
 */

import { spawnSync } from "node:child_process";
import { build } from "./build.mjs";
import { pack } from "./pack.mjs";
import { main, path } from "./run.mjs";
import { installPackages, setUpBuild } from "./setup.mjs";

await main(import.meta.url, async () => {
  await setUpBuild();
  await installPackages("tests", "the test tools");
  await build();
  await pack();
  const simulations = [path("tests/simulations/run.mjs"), ...process.argv.slice(2)];
  process.exitCode = spawnSync(process.execPath, simulations, { stdio: "inherit" }).status ?? 1;
});
