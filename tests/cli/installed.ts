/** Projects that have the package as `npm install` leaves it, for `init`. */
import { chmod, mkdir, readdir, readFile, rm, symlink } from "node:fs/promises";
import { join } from "node:path";
import { linkPackage } from "../package.js";
import { manifest, program, runProgram } from "./program.js";
import { projectOf } from "./project.js";

export const modules = join(import.meta.dirname, "../node_modules");
export const LISTED = `"devDependencies": { "openevals-wasm": "^${manifest.version}" }`;
export const PROJECT = { "package.json": `{ "type": "module", ${LISTED} }` };

/** A project that has the package as `npm install` leaves it. */
export async function installed(
  files: Record<string, string>,
  packages: string[] = [],
  below = ".",
): Promise<string> {
  const folder = await projectOf(files, packages);
  await rm(join(folder, "node_modules/openevals-wasm"));
  await putPackage(folder);
  return join(folder, below);
}

/** Puts the package with its program where `npm install` would put it. */
export async function putPackage(folder: string): Promise<void> {
  linkPackage(folder);
  await mkdir(join(folder, "node_modules/.bin"), { recursive: true });
  await chmod(program, 0o755);
  await symlink(program, join(folder, "node_modules/.bin/openevals-wasm"));
}

/** The files of a project with their texts. */
export async function textsIn(folder: string): Promise<Record<string, string>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  const names = files
    .map((file) => file.slice(folder.length + 1))
    .filter((name) => !/node_modules|\.git\//.test(name));
  return Object.fromEntries(
    await Promise.all(names.sort().map(async (name) => [name, await readFile(join(folder, name), "utf8")])),
  );
}

export const init = (folder: string, ...args: string[]) => runProgram(folder, ["init", ...args]);
