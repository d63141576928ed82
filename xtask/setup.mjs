/**
 * Installs what is missing to build and, on request, to test. It can be run repeatedly. Before its `npm ci`
 * it uses only Node's built-in modules.
 */

import { existsSync } from "node:fs";
import { basename, delimiter, join, relative } from "node:path";
import { canRun, hashOf, main, once, path, root, run, runBeside, say, TaskError } from "./run.mjs";
import { findCompiler } from "./toolchain.mjs";

/** The requirements of the build: Rust's wasm target, and the npm packages of the workspace. */
export async function setUpBuild() {
  const [major] = process.versions.node.split(".").map(Number);
  if (major < 20) throw new TaskError(`Node ${process.versions.node} is too old; install Node 20 or later.`);
  findCompiler();
  if (!canRun("cargo"))
    throw new TaskError("cargo is missing; install Rust with rustup (https://rustup.rs).");
  installWasmTarget();
  await installPackages(".", "the build tools");
}

/** The additional requirements of the engine's checks. */
export function setUpLints() {
  for (const component of ["rustfmt", "clippy"]) {
    if (canRun("cargo", [component === "rustfmt" ? "fmt" : component, "--version"])) continue;
    say(`Installing ${component}`);
    run("rustup", ["component", "add", component]);
  }
}

/**
 * The additional requirements of the suites: test tools, reference packages, a browser, Python's type checker
 * and a Redis server.
 */
export async function setUpTests() {
  await Promise.all([
    installPackages("tests", "the test tools"),
    installPackages("tests/parity", "the reference packages"),
    installPackages("tests/interop", "the packages of the interop tests"),
    installPackages("tests/frameworks", "the frameworks to test in"),
    installPackages("tests/architecture", "the checker of imports"),
    installPackages("tests/prose", "the checker of prose"),
    installPackages("www/site", "the site generator"),
    installPrograms(),
  ]);
}

/** Installs the programs one after the other, since apt-get locks its database. */
async function installPrograms() {
  await installChromium();
  await installRedis();
  await installMypy();
}

function installWasmTarget() {
  const target = "wasm32-unknown-unknown";
  const sysroot = run("rustc", ["--print", "sysroot"], { quiet: true }).trim();
  if (existsSync(`${sysroot}/lib/rustlib/${target}/lib`)) return;
  if (!canRun("rustup")) {
    throw new TaskError(
      `Rust cannot compile for ${target} here and rustup is missing; install the target by hand.`,
    );
  }
  say(`Adding the Rust target ${target}`);
  run("rustup", ["target", "add", target]);
}

/** Runs `npm ci` unless it has run for this lock file. */
export async function installPackages(folder, what) {
  const lock = path(folder, "package-lock.json");
  const name = `npm-ci-${folder.replaceAll(/\W/g, "-")}`;
  await once(name, hashOf(lock), [path(folder, "node_modules")], () => {
    say(`Installing ${what} (npm ci in ${folder})`);
    return runBeside("npm", ["ci", "--no-audit", "--no-fund"], { cwd: path(folder) });
  });
}

/**
 * The path of the browser for tests, if one is installed. The headless shell opens a page in a third of the time that the
 * others take.
 */
export const findChromium = () =>
  findProgram(process.env.CHROMIUM, [
    "chromium-headless-shell",
    "chromium",
    "chromium-browser",
    "google-chrome",
    "chrome",
  ]);

/** The path of the Redis server for tests, if one is installed. */
export const findRedis = () => findProgram(process.env.REDIS_SERVER, ["redis-server", "valkey-server"]);

function findProgram(configured, names) {
  const folders = (process.env.PATH ?? "").split(delimiter);
  const candidates = names.flatMap((name) => folders.map((folder) => join(folder, name)));
  return [configured, ...candidates].find((file) => file && existsSync(file));
}

async function installChromium() {
  if (findChromium()) return;
  await installFromDebian(
    ["chromium-headless-shell"],
    (command) =>
      `The browser tests need Chromium: ${command ?? "install Chromium or Chrome"}, or set CHROMIUM to its path.`,
  );
  if (!findChromium())
    throw new TaskError(
      "apt-get installed chromium-headless-shell, but it is not on the PATH; set CHROMIUM to its path.",
    );
}

async function installRedis() {
  if (findRedis()) return;
  await installFromDebian(
    ["redis-server"],
    (command) =>
      `The tests of queues need Redis or Valkey: ${command ?? "install redis-server or valkey-server"}, or set REDIS_SERVER to its path.`,
  );
}

/**
 * Installs Debian packages if possible; otherwise `hint` reports what to do, with a command if there is one.
 */
async function installFromDebian(packages, hint) {
  const isDebian = existsSync("/etc/debian_version") && canRun("apt-get");
  if (!isDebian || process.getuid?.() !== 0)
    throw new TaskError(hint(isDebian ? `sudo apt-get install ${packages.join(" ")}` : undefined));
  say(`Installing ${packages.join(" and ")} (apt-get install)`);
  await runBeside("apt-get", ["update"]);
  await runBeside("apt-get", ["install", "--yes", "--no-install-recommends", ...packages], {
    env: { DEBIAN_FRONTEND: "noninteractive" },
  });
}

/** The virtual environment with the tests' Python packages. */
const pythonEnvironment = path("target/python");

/** The virtual environment with the reference implementations for benchmarks. */
export const benchEnvironment = path("target/python-bench");

const installMypy = () =>
  installPython(pythonEnvironment, "3.10", "The tests of code in Python need", [
    ["--requirement", path("tests/code/requirements.txt")],
  ]);

/** The Python reference implementations, in the versions that the parity tests pin. */
export const installPythonReferences = () =>
  installPython(benchEnvironment, "3.11", "Benchmarks against reference implementations need", [
    ["--no-deps", "--requirement", path("tests/parity/python/requirements.txt")],
    ["--requirement", path("tests/parity/python/retrieval-requirements.txt")],
  ]);

/**
 * Makes a virtual environment unless it exists for these requirements.
 *
 * @param subject The start of the error, such as "The tests need".
 * @param installs The arguments of each `pip install`, with the requirements file last.
 */
async function installPython(folder, version, subject, installs) {
  const files = installs.map((args) => args.at(-1));
  const python = join(folder, "bin/python");
  await once(basename(folder), hashOf(...files), [python], async () => {
    // Debian's Python lacks the modules that make environments.
    const check = `import sys, ensurepip, venv; assert sys.version_info >= (${version.replace(".", ", ")})`;
    if (!canRun("python3", ["-c", check])) {
      await installFromDebian(
        ["python3", "python3-venv"],
        (command) =>
          `${subject} Python ${version} or later, as python3, with venv: ${command ?? "install it"}.`,
      );
    }
    say(`Installing packages of Python (pip install in ${relative(root, folder)})`);
    await runBeside("python3", ["-m", "venv", "--clear", folder]);
    for (const args of installs) {
      await runBeside(python, ["-m", "pip", "install", "--quiet", "--disable-pip-version-check", ...args]);
    }
  });
}

await main(import.meta.url, async () => {
  await setUpBuild();
  setUpLints();
  await setUpTests();
});
