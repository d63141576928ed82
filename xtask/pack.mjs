/** Packs the tarball as it would be published. */

import { mkdirSync, renameSync, rmSync } from "node:fs";
import { build, packageVersion } from "./build.mjs";
import { hashOf, main, once, path, run } from "./run.mjs";
import { setUpTests } from "./setup.mjs";

/** Packs the package, and installs it where the tests import it. */
export async function pack() {
  const folder = path("target/pack");
  const installed = path("tests/node_modules/openevals-wasm");
  await once("pack", hashOf(path("pkg")), [`${folder}/openevals-wasm.tgz`, installed], () => {
    mkdirSync(folder, { recursive: true });
    run("npm", ["pack", path("pkg"), "--pack-destination", folder], { quiet: true });
    rmSync(installed, { recursive: true, force: true });
    mkdirSync(installed, { recursive: true });
    const packed = `${folder}/openevals-wasm-${packageVersion()}.tgz`;
    run("tar", ["-xzf", packed, "-C", installed, "--strip-components", "1"]);
    // A fixed name without the version, for fixtures.
    renameSync(packed, `${folder}/openevals-wasm.tgz`);
  });
}

await main(import.meta.url, async () => {
  await build();
  await setUpTests();
  await pack();
});
