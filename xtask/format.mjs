/** Formats everything, and applies the fixes of linters. */

import { main, path, run } from "./run.mjs";
import { setUpBuild } from "./setup.mjs";

await main(import.meta.url, async () => {
  await setUpBuild();
  run("cargo", ["fmt", "--all"]);
  run("node", [path("node_modules/@biomejs/biome/bin/biome"), "check", "--write"]);
});
