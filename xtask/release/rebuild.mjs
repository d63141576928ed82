/** Builds the commit a second time, in a clone at another place, and compares the files. */

import { readFileSync, rmSync } from "node:fs";
import { join, relative } from "node:path";
import { filesBelow, path, root, run, runBeside } from "../run.mjs";

/** The files of the package that differ between two builds of the same commit. */
export async function rebuildProblems() {
  const clone = path("target/release-check/again");
  rmSync(clone, { recursive: true, force: true });
  run("git", ["clone", "--quiet", "--no-hardlinks", root, clone], { quiet: true });
  await runBeside("node", [join(clone, "xtask/build.mjs")], { cwd: clone });
  return differences(path("pkg"), join(clone, "pkg"));
}

/** The differences of two folders, as sentences. */
export function differences(first, second) {
  const [one, other] = [first, second].map(
    (folder) => new Map(filesBelow(folder).map((file) => [relative(folder, file), readFileSync(file)])),
  );
  return [...new Set([...one.keys(), ...other.keys()])]
    .filter((file) => !(one.has(file) && other.has(file) && one.get(file).equals(other.get(file))))
    .map((file) => `${file} differs between two builds of this commit.`);
}
