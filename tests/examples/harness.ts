/**
 * The common part of the tests of the examples: a copy of each, as `npm install` leaves it, and the scripts
 * of its package.json. They run without npm, which adds other lines: a warning about the user's .npmrc is not
 * a warning of a build.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { chmod, cp, mkdir, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { delimiter, dirname, join, relative } from "node:path";
import { vi } from "vitest";
import { hashOf, once } from "../../xtask/run.mjs";
import { copyPackage } from "../package.js";
import { repository } from "../runtimes/harness.js";
import { tarball } from "../runtimes/install.js";

// Building takes its time.
vi.setConfig({ testTimeout: 300_000, hookTimeout: 300_000 });

export const examples = join(repository, "www/examples");
const tests = join(repository, "tests");

/** Where the packages of the examples are installed, by lock files. */
const INSTALLED = [join(tests, "frameworks"), tests];

export interface Options {
  /** The name of the copy, if there are several. */
  as?: string;
  /** Dependencies in the place, or besides, those of the example. */
  dependencies?: Record<string, string>;
  /** Texts of files that are others in this copy. */
  changes?: Record<string, [from: string, to: string]>;
  /** Files that this copy has besides, as texts. */
  files?: Record<string, string>;
  /** Packages that are copied with their dependencies, since links lead out of the deployed folder. */
  copied?: string[];
  /** How it is built, once: a script of its package.json, and arguments for it. */
  build?: string[];
}

export interface Installed {
  folder: string;
  /** The output of the build. */
  said: string;
}

/**
 * Copies an example to target/examples, with the packed tarball and its dependencies, and builds it. All is kept until the
 * example, the tarball or a lock file changes.
 */
export async function install(
  name: string,
  { as = name, dependencies = {}, changes = {}, files = {}, copied = [], build }: Options = {},
): Promise<Installed> {
  const folder = join(repository, "target/examples", as);
  const log = `${folder}.log`;
  const locks = INSTALLED.map((place) => join(place, "package-lock.json"));
  const key = `${hashOf(join(examples, name), tarball, ...locks)} ${JSON.stringify([dependencies, changes, files, copied, build])}`;
  await once(`example-${as}`, key, [folder, log], async () => {
    await rm(folder, { recursive: true, force: true });
    const isOurs = (file: string) => !relative(examples, file).split("/").includes("node_modules");
    await cp(join(examples, name), folder, { recursive: true, filter: isOurs });
    for (const [file, [from, to]] of Object.entries(changes)) {
      const text = await readFile(join(folder, file), "utf8");
      if (!text.includes(from)) throw new Error(`${file} of ${name} has no ${from}`);
      await writeFile(join(folder, file), text.replace(from, to));
    }
    for (const [file, text] of Object.entries(files)) await writeFile(join(folder, file), text);
    for (const dependency of copied) await copy(folder, dependency);
    const manifest = JSON.parse(await readFile(join(folder, "package.json"), "utf8"));
    const wanted = { ...manifest.dependencies, ...manifest.devDependencies, ...dependencies };
    for (const [dependency, range] of Object.entries<string>(wanted)) {
      if (dependency === "openevals-wasm") await putPackage(folder);
      else await link(folder, dependency, range);
    }
    await writeFile(log, build ? await runScript(folder, build) : "");
  });
  return { folder, said: await readFile(log, "utf8") };
}

async function copy(folder: string, name: string): Promise<void> {
  const target = join(folder, "node_modules", name);
  if (existsSync(target)) return;
  const places = INSTALLED.map((place) => join(place, "node_modules", name));
  const source = places.find((place) => existsSync(place));
  if (!source) throw new Error(`The tests do not install ${name}`);
  await cp(source, target, { recursive: true });
  const { dependencies = {} } = JSON.parse(await readFile(join(target, "package.json"), "utf8"));
  for (const dependency of Object.keys(dependencies)) await copy(folder, dependency);
}

async function putPackage(folder: string): Promise<void> {
  copyPackage(folder);
  const target = join(folder, "node_modules/openevals-wasm");
  const { name, bin } = JSON.parse(await readFile(join(target, "package.json"), "utf8"));
  await linkPrograms(folder, name, target, bin);
}

/** Puts a package where `npm install` would put it, with its programs; the one that the range of the example allows. */
async function link(folder: string, name: string, range: string): Promise<void> {
  const candidates = INSTALLED.map((place) => join(place, "node_modules", name));
  const found = [];
  for (const candidate of candidates.filter((candidate) => existsSync(candidate))) {
    const { version, bin } = JSON.parse(await readFile(join(candidate, "package.json"), "utf8"));
    found.push({ candidate, version, bin });
  }
  const fitting = found.find(({ version }) => isIn(range, version));
  if (!fitting) {
    const versions = found.map(({ version }) => version).join(" and ") || "none";
    throw new Error(`The example wants ${name} ${range}; the tests install ${versions}.`);
  }
  const target = join(folder, "node_modules", name);
  await mkdir(dirname(target), { recursive: true });
  await symlink(fitting.candidate, target);
  await linkPrograms(folder, name, fitting.candidate, fitting.bin);
}

/** Puts the programs of a package where scripts find them. */
async function linkPrograms(
  folder: string,
  name: string,
  place: string,
  bin: string | Record<string, string> | undefined,
): Promise<void> {
  const bins = typeof bin === "string" ? { [name.split("/").at(-1) ?? name]: bin } : bin;
  await mkdir(join(folder, "node_modules/.bin"), { recursive: true });
  for (const [program, path] of Object.entries(bins ?? {})) {
    await chmod(join(place, path), 0o755);
    await symlink(join(folder, "node_modules", name, path), join(folder, "node_modules/.bin", program));
  }
}

/** Whether a range such as `^1.2.3`, the only kind that examples have, allows a version. */
export function isIn(range: string, version: string): boolean {
  const numbers = (text: string) => text.split("-")[0]!.split(".").map(Number) as [number, number, number];
  if (!/^\^\d+\.\d+\.\d+$/.test(range)) throw new Error(`Examples name versions as ^1.2.3, not as ${range}.`);
  const [low, own] = [numbers(range.slice(1)), numbers(version)];
  const breaking = low[0] > 0 ? 1 : 2;
  if (low.slice(0, breaking).join() !== own.slice(0, breaking).join()) return false;
  const differing = own.findIndex((number, index) => number !== low[index]);
  return differing === -1 || own[differing]! > low[differing]!;
}

/** Removes the variables of the test run and the keys of the developer, which examples must not see. */
function environment(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const { NODE_OPTIONS, NODE_ENV, VITEST, CI, ...outer } = process.env;
  for (const name of Object.keys(outer))
    if (/^(npm_|VITEST_|OPENAI_|LANGSMITH_|LANGCHAIN_)/.test(name)) delete outer[name];
  const quiet = { NEXT_TELEMETRY_DISABLED: "1", WRANGLER_SEND_METRICS: "false", NO_COLOR: "1" };
  // Nothing mends lock files that are not the example's.
  return { ...outer, ...quiet, NEXT_IGNORE_INCORRECT_LOCKFILE: "1", ...env };
}

/** Runs a script of package.json to its end, and returns everything that it printed. Throws if it fails. */
export const runScript = async (folder: string, script: string[], env: NodeJS.ProcessEnv = {}) =>
  outputOf(await startScript(folder, script, env), script);

/** The same for any program. */
export const runProgram = (program: string, args: string[], folder: string, env: NodeJS.ProcessEnv = {}) =>
  outputOf(startProgram(program, args, folder, env), [program, ...args]);

async function outputOf({ said, ended, stop }: Program, command: string[]): Promise<string> {
  // A hanging program is shown with its output.
  const limit = setTimeout(stop, 200_000);
  const code = await ended;
  clearTimeout(limit);
  if (code !== 0) throw new Error(`${command.join(" ")} ended with ${code}:\n${said()}`);
  return said();
}

/** Starts a script of package.json that runs until it is stopped. */
export async function startScript(
  folder: string,
  [name = "", ...args]: string[],
  env: NodeJS.ProcessEnv = {},
): Promise<Program> {
  const { scripts } = JSON.parse(await readFile(join(folder, "package.json"), "utf8"));
  if (!Object.hasOwn(scripts, name)) throw new Error(`package.json of ${folder} has no script "${name}"`);
  const PATH = [join(folder, "node_modules/.bin"), process.env.PATH].join(delimiter);
  return startProgram("sh", ["-c", `${scripts[name]} "$@"`, name, ...args], folder, { ...env, PATH });
}

export interface Program {
  /** Everything it said so far. */
  said(): string;
  /** Resolves to the match of a pattern in its output. Rejects if it ends before, or after a minute. */
  says(pattern: RegExp): Promise<RegExpExecArray>;
  ended: Promise<number | null>;
  stop(): Promise<void>;
}

/** Starts a program that goes on until it is stopped. */
export function startProgram(
  program: string,
  args: string[],
  folder: string,
  env: NodeJS.ProcessEnv = {},
): Program {
  // In its own process group, so that its child processes are stopped with it.
  const child: ChildProcess = spawn(program, args, {
    cwd: folder,
    env: environment(env),
    stdio: ["ignore", "pipe", "pipe"],
    detached: true,
  });
  let said = "";
  const listeners = new Set<() => void>();
  for (const stream of [child.stdout, child.stderr])
    stream?.setEncoding("utf8").on("data", (text) => {
      said += text;
      for (const listener of listeners) listener();
    });
  const ended = new Promise<number | null>((resolve, reject) => {
    child.once("error", reject);
    child.once("close", resolve);
  });
  /** Also when the program itself has ended: its child processes may still run. */
  const signal = (name: NodeJS.Signals) => {
    try {
      if (child.pid !== undefined) process.kill(-child.pid, name);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
    }
  };
  return {
    said: () => said,
    says: (pattern) =>
      new Promise((resolve, reject) => {
        const look = () => {
          const found = pattern.exec(said);
          if (found) resolve(found);
        };
        listeners.add(look);
        look();
        const fail = (how: string) =>
          reject(new Error(`${program} ${how} and never said ${pattern}:\n${said}`));
        setTimeout(fail, 60_000, "went on for a minute").unref();
        ended.then((code) => fail(`ended with ${code}`));
      }),
    ended,
    async stop() {
      signal("SIGTERM");
      // A server that ends only when its last connection has may wait for the page that still shows it.
      const limit = setTimeout(signal, 5_000, "SIGKILL");
      await ended;
      clearTimeout(limit);
    },
  };
}

/** A port that is free now. */
export async function freePort(): Promise<string> {
  const server = createServer();
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  const { port } = server.address() as AddressInfo;
  await new Promise((closed) => server.close(closed));
  return String(port);
}

/** The names of all examples. */
export const exampleNames = async (): Promise<string[]> =>
  (await readdir(examples, { withFileTypes: true }))
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name);
