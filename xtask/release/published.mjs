/** The package as it was published last. */

import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { path, run, TaskError } from "../run.mjs";

/** Unpacks a tarball, and returns the folder of the package. */
export function unpacked(tarball, name) {
  const folder = path("target/release-check", name);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  run("tar", ["-xzf", tarball, "-C", folder, "--strip-components", "1"], { quiet: true });
  return folder;
}

/** The folder of the last published package; nothing before the first release. */
export function lastPublished(name) {
  const folder = path("target/release-check/tarballs");
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  try {
    const printed = run("npm", ["pack", `${name}@latest`, "--json", "--pack-destination", folder], {
      quiet: true,
    });
    const [{ filename }] = JSON.parse(printed);
    return unpacked(join(folder, filename), "last");
  } catch (error) {
    if (/\bE404\b/.test(error.message)) return undefined;
    throw new TaskError(
      `The last published package could not be fetched; name its tarball with --against FILE.\n${error.message}`,
    );
  }
}
