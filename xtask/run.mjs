/** Shared by the task scripts: running programs, reporting progress, and skipping what is up to date. */

import { spawn, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";

/** The root folder of the repository. */
export const root = dirname(dirname(fileURLToPath(import.meta.url)));

/** A file or folder of the repository. */
export const path = (...parts) => join(root, ...parts);

/** A failure without a stack trace: the message says what to do. */
export class TaskError extends Error {}

/** Reports the current step, on its own line. */
export const say = (text) => console.error(`› ${text}`);

/**
 * Runs a program and returns its output. On a terminal the output is shown as it arrives; otherwise only if
 * the program fails.
 */
export function run(command, args, { cwd = root, env = {}, quiet = !process.stderr.isTTY } = {}) {
  const { status, error, stdout, stderr } = spawnSync(command, args, {
    cwd,
    env: { ...process.env, ...env },
    encoding: "utf8",
    maxBuffer: 1 << 28,
    stdio: quiet ? ["ignore", "pipe", "pipe"] : ["ignore", "inherit", "inherit"],
    // npm is a script on Windows.
    shell: process.platform === "win32",
  });
  if (error || status !== 0) throw failed(command, args, error ?? status, `${stdout ?? ""}${stderr ?? ""}`);
  return stdout ?? "";
}

/** Runs a program asynchronously, for work that waits for the network or keeps one core busy. */
export function runBeside(command, args, { cwd = root, env = {}, quiet = true } = {}) {
  return new Promise((done, fail) => {
    const shell = process.platform === "win32";
    const child = spawn(command, args, {
      cwd,
      env: { ...process.env, ...env },
      stdio: quiet ? ["ignore", "pipe", "pipe"] : ["ignore", "inherit", "inherit"],
      shell,
    });
    const printed = { stdout: "", stderr: "" };
    for (const name of ["stdout", "stderr"])
      child[name]?.setEncoding("utf8").on("data", (text) => {
        printed[name] += text;
      });
    child.on("error", (error) => fail(failed(command, args, error, "")));
    child.on("close", (status) => {
      if (status === 0) done(printed.stdout);
      else fail(failed(command, args, status, printed.stdout + printed.stderr));
    });
  });
}

const failed = (command, args, why, printed) =>
  new TaskError(
    `${[command, ...args].join(" ")} failed: ${why instanceof Error ? why.message : `exit code ${why}`}\n${printed}`.trim(),
  );

let compiler;

/** The version of the Rust compiler. */
export const compilerVersion = () => (compiler ??= run("rustc", ["--version", "--verbose"], { quiet: true }));

/** Whether a program is installed and can be run. */
export const canRun = (command, args = ["--version"]) =>
  spawnSync(command, args, { cwd: root, stdio: "ignore", shell: process.platform === "win32" }).status === 0;

/** The folders with a leading dot that are sources. All others are made by tools. */
const OWN_DOT_FOLDERS = [".github", ".vitepress"];

const isOwn = (entry) =>
  entry.isDirectory()
    ? entry.name !== "node_modules" && (!entry.name.startsWith(".") || OWN_DOT_FOLDERS.includes(entry.name))
    : entry.name !== ".DS_Store";

/**
 * Every file below the given files and folders, in a fixed order. Missing paths are skipped, as are the folders
 * that tools create.
 */
export function filesBelow(...places) {
  return places
    .filter((place) => existsSync(place))
    .flatMap((place) => {
      if (!statSync(place).isDirectory()) return [place];
      const entries = readdirSync(place, { withFileTypes: true }).filter(isOwn);
      const names = entries.map(({ name }) => name).sort();
      return names.flatMap((name) => filesBelow(join(place, name)));
    });
}

/** A hash over the names and contents of files. */
export function hashOf(...places) {
  const hash = createHash("sha256");
  for (const file of filesBelow(...places))
    hash.update(`${relative(root, file)}\0`).update(readFileSync(file));
  return hash.digest("hex");
}

/**
 * Does `work` unless it was done with the same `key` and all `outputs` exist. Returns whether it was done.
 */
export async function once(name, key, outputs, work) {
  const stamp = path("target", "stamps", name);
  const done =
    existsSync(stamp) && readFileSync(stamp, "utf8") === key && outputs.every((file) => existsSync(file));
  if (done) return false;
  await work();
  mkdirSync(dirname(stamp), { recursive: true });
  writeFileSync(stamp, key);
  return true;
}

/** Runs the main function of a script that was started directly, and turns a failure into an exit code. */
export async function main(url, work) {
  if (process.argv[1] !== fileURLToPath(url)) return;
  try {
    await work();
  } catch (error) {
    console.error(error instanceof TaskError ? `\n${error.message}` : error);
    process.exitCode = 1;
  }
}
