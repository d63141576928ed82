/** Fixtures with the packed tarball. npm installs it once, before the tests of runtimes; fixtures have links to its files. */
import { execFileSync } from "node:child_process";
import { cpSync, existsSync, linkSync, mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { hashOf, once, path } from "../../xtask/run.mjs";

export const tarball = path("target/pack/openevals-wasm.tgz");
/** Where npm has installed it. */
export const installed = path("target/fixtures/installed");

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
function npmInstall(folder: string): void {
  const quiet = ["--offline", "--no-audit", "--no-fund", "--ignore-scripts", "--no-package-lock"];
  // npm is a script on Windows.
  const shell = process.platform === "win32";
  execFileSync("npm", ["install", ...quiet, tarball], { cwd: folder, stdio: "pipe", shell });
}

/**
 * Copies a fixture to target/fixtures/<as>, with the installed package, and returns the folder. The files of the package are hard
 * links, which take a tenth of the time of copies. Remove a link before you write a file of that name.
 */
export function installFixture(name: "bundled" | "scripts", as: string): string {
  const folder = path("target/fixtures", as);
  const here = path("tests/runtimes");
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  for (const part of ["shared", name]) cpSync(join(here, "fixtures", part), folder, { recursive: true });
  const source = "node_modules/openevals-wasm";
  mkdirSync(join(folder, source), { recursive: true });
  for (const entry of readdirSync(join(installed, source), { recursive: true, withFileTypes: true })) {
    const file = join(entry.parentPath, entry.name);
    const target = join(folder, relative(installed, file));
    if (entry.isDirectory()) mkdirSync(target, { recursive: true });
    else linkSync(file, target);
  }
  return folder;
}
