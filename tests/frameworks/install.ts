/** Before the tests of frameworks: the packed tarball, unpacked to where the applications import it from. */
import { execFileSync } from "node:child_process";
import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";

export default function install(): void {
  const folder = join(import.meta.dirname, "node_modules/openevals-wasm");
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const tarball = join(import.meta.dirname, "../../target/pack/openevals-wasm.tgz");
  execFileSync("tar", ["-xzf", tarball, "-C", folder, "--strip-components", "1"]);
}
