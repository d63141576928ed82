/** Fixtures with the packed tarball. npm installs it once, before the tests of runtimes; each fixture gets a copy. */
import { execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { hashOf, once, path } from "../../xtask/run.mjs";

export const tarball = path("target/pack/openevals-wasm.tgz");
const installed = path("target/fixtures/installed");

export default async function install(): Promise<void> {
  if (!existsSync(tarball)) throw new Error(`${tarball} is missing: \`npm test\` builds and packs it first`);
  await once("fixture", hashOf(tarball), [installed], () => {
    rmSync(installed, { recursive: true, force: true });
    mkdirSync(installed, { recursive: true });
    writeFileSync(`${installed}/package.json`, '{ "private": true }');
    npmInstall(installed);
  });
}

/** Installs the tarball with npm, as a user does. */
export function npmInstall(folder: string): void {
  const quiet = ["--offline", "--no-audit", "--no-fund", "--ignore-scripts", "--no-package-lock"];
  // npm is a script on Windows.
  const shell = process.platform === "win32";
  execFileSync("npm", ["install", ...quiet, tarball], { cwd: folder, stdio: "pipe", shell });
}

/** Copies a fixture and the installed package to target/fixtures/<as>, and returns the folder. */
export function installFixture(name: "bundled" | "scripts", as: string): string {
  const folder = path("target/fixtures", as);
  const here = path("tests/runtimes");
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  // For the many files of a package, the asynchronous functions need several times as much.
  for (const part of ["shared", name]) cpSync(join(here, "fixtures", part), folder, { recursive: true });
  cpSync(join(installed, "node_modules"), join(folder, "node_modules"), { recursive: true });
  return folder;
}
