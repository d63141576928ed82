/**
 * Benchmarks the packed package against others: `npm run bench`, or `npm run bench -- json` for some cases, or
 * `npm run bench -- install` for the cost of installing them.
 */

import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { build } from "./build.mjs";
import { pack } from "./pack.mjs";
import { main, path } from "./run.mjs";
import { benchEnvironment, installPackages, installPythonReferences, setUpBuild } from "./setup.mjs";

await main(import.meta.url, async () => {
  await setUpBuild();
  await installPackages("tests", "the test tools");
  await installPackages("tests/parity", "the reference packages");
  await installPackages("tests/bench", "the packages to compare with");
  if (!process.env.PYTHON) await installPythonReferences();
  await build();
  await pack();
  const [filter, ...others] = process.argv.slice(2);
  const bench =
    filter === "install"
      ? [path("tests/bench/install.mjs")]
      : [path("tests/bench/run.mjs"), ...(filter === undefined ? [] : [filter]), ...others];
  const env = { PYTHON: join(benchEnvironment, "bin/python"), ...process.env };
  process.exitCode = spawnSync(process.execPath, bench, { stdio: "inherit", env }).status ?? 1;
});
