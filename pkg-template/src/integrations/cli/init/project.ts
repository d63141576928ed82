/** Detects facts about a project, so that `init` need not ask for them. */

import { isUtf8 } from "node:buffer";
import { access, constants, readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join, relative } from "node:path";
import { isRecord } from "../../../core/input/objects.js";
import { CliError } from "../cli-error.js";
import { bundler, NODE_RUNS_TYPESCRIPT } from "../run/bundle.js";
import { exists, type PackageManager, packageManagerOf } from "./managers.js";

export interface InitProject {
  folder: string;
  /** The text of `package.json`; `undefined` if there is none. */
  manifestText: string | undefined;
  scripts: Record<string, unknown>;
  manager: PackageManager;
  /** The extension of the experiment's file: TypeScript if the project uses it and can run it. */
  ending: "ts" | "mts" | "mjs";
  /** Whether the project uses TypeScript, but cannot run it. */
  lacksEsbuild: boolean;
  hasVitest: boolean;
  /** Whether `package.json` lists this package. */
  isListed: boolean;
  /** Whether this package is installed. */
  isInstalled: boolean;
  /** The folder of the repository, for workflows. */
  repository: string;
}

interface Manifest {
  type?: unknown;
  packageManager?: unknown;
  scripts?: Record<string, unknown>;
  dependencies?: Record<string, unknown>;
  devDependencies?: Record<string, unknown>;
}

const AGAIN = "then run npx openevals-wasm init again";

/** Reads the project in a folder; throws {@link CliError} if `init` cannot add to it. */
export async function projectIn(folder: string): Promise<InitProject> {
  const folders = await foldersOf(folder);
  const manifestText = await textOf(join(folder, "package.json"));
  if (manifestText === undefined) await checkIsOutside(folder, folders.slice(1));
  await access(folder, constants.W_OK).catch(() => {
    throw new CliError(`${folder} is read-only. Make it writable, ${AGAIN}.`);
  });
  const manifest = manifestText === undefined ? { type: "module" } : parsedManifest(manifestText);
  const listed = { ...manifest.dependencies, ...manifest.devDependencies };
  const isTypeScript = "typescript" in listed || (await exists(join(folder, "tsconfig.json")));
  const ending = isTypeScript ? endingOf(folder, manifest) : "mjs";
  return {
    folder,
    manifestText,
    scripts: manifest.scripts ?? {},
    manager: await packageManagerOf(folders, manifest.packageManager),
    ending,
    lacksEsbuild: isTypeScript && ending === "mjs",
    hasVitest: "vitest" in listed,
    isListed: "openevals-wasm" in listed,
    isInstalled: isInstalled(folder),
    repository: folders.at(-1) as string,
  };
}

/** The folder and those above it up to the one of the repository; without a repository, only the folder. */
async function foldersOf(folder: string): Promise<string[]> {
  const folders = [folder];
  for (let at = folder; !(await exists(join(at, ".git"))); folders.push(at)) {
    if (dirname(at) === at) return [folder];
    at = dirname(at);
  }
  return folders;
}

/** A folder without `package.json` becomes a project, unless it is a part of one. */
async function checkIsOutside(folder: string, above: readonly string[]): Promise<void> {
  for (const parent of above) {
    const file = join(parent, "package.json");
    if (await exists(file))
      throw new CliError(
        `There is no package.json in ${folder}; the nearest is ${relative(folder, file)}. Run npx openevals-wasm init in its folder, or create a package here with npm init -y, ${AGAIN}.`,
      );
  }
}

async function textOf(file: string): Promise<string | undefined> {
  let bytes: Buffer;
  try {
    bytes = await readFile(file);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === "ENOENT") return undefined;
    throw new CliError(`${file} cannot be read: ${message}. Correct it, ${AGAIN}.`);
  }
  // Other bytes would be lost when the file is written.
  if (!isUtf8(bytes))
    throw new CliError(`${file} is not UTF-8. Save the file as UTF-8, ${AGAIN}. Nothing was changed.`);
  return bytes.toString("utf8");
}

function parsedManifest(text: string): Manifest {
  const broken = (why: string) =>
    new CliError(`package.json ${why}. Correct it, ${AGAIN}. Nothing was changed.`);
  let manifest: Manifest;
  try {
    manifest = JSON.parse(text.replace(/^\uFEFF/, ""));
  } catch (error) {
    throw broken(`is not valid JSON: ${(error as Error).message}`);
  }
  if (!isRecord(manifest)) throw broken("has to contain an object");
  for (const field of ["scripts", "dependencies", "devDependencies"] as const)
    if (manifest[field] !== undefined && !isRecord(manifest[field]))
      throw broken(`has a field "${field}" that is not an object`);
  return manifest;
}

function endingOf(folder: string, { type }: Manifest): InitProject["ending"] {
  if (!NODE_RUNS_TYPESCRIPT && !bundler(join(folder, "package.json"))) return "mjs";
  // TypeScript refuses `import` in a CommonJS file.
  return type === "module" ? "ts" : "mts";
}

function isInstalled(folder: string): boolean {
  try {
    createRequire(join(folder, "package.json")).resolve("openevals-wasm/package.json");
    return true;
  } catch {
    return false;
  }
}
