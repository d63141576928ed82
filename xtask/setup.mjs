/**
 * Sets up what is missing to build and, on request, to test. Safe to run again; says what it does. Until `npm ci` has
 * run it uses nothing but Node's built-ins.
 */

import { existsSync } from "node:fs";
import { basename, delimiter, join, relative } from "node:path";
import { answers, hashOf, main, once, path, root, run, runBeside, say, TaskError } from "./run.mjs";
import { findCompiler } from "./toolchain.mjs";

/** What building needs: the wasm target of Rust, and the npm packages of the workspace. */
export async function setUpBuild() {
  const [major] = process.versions.node.split(".").map(Number);
  if (major < 20) throw new TaskError(`Node ${process.versions.node} is too old; install Node 20 or later.`);
  findCompiler();
  if (!answers("cargo"))
    throw new TaskError("cargo is missing; install Rust with rustup (https://rustup.rs).");
  installWasmTarget();
  await installPackages(".", "the build tools");
}

/** What checking the engine needs besides. */
export function setUpLints() {
  for (const component of ["rustfmt", "clippy"]) {
    if (answers("cargo", [component === "rustfmt" ? "fmt" : component, "--version"])) continue;
    say(`Installing ${component}`);
    run("rustup", ["component", "add", component]);
  }
}

/** What the suites need besides: the test tools, the reference packages, a browser, a checker of Python and a server of Redis. */
export async function setUpTests() {
  await Promise.all([
    installPackages("tests", "the test tools"),
    installPackages("tests/parity", "the reference packages"),
    installPackages("tests/frameworks", "the frameworks to test in"),
    installPackages("tests/architecture", "the checker of imports"),
  ]);
  installChromium();
  installRedis();
  await installMypy();
}

function installWasmTarget() {
  const target = "wasm32-unknown-unknown";
  const sysroot = run("rustc", ["--print", "sysroot"], { quiet: true }).trim();
  if (existsSync(`${sysroot}/lib/rustlib/${target}/lib`)) return;
  if (!answers("rustup")) {
    throw new TaskError(
      `Rust cannot compile for ${target} here and rustup is missing; install the target by hand.`,
    );
  }
  say(`Adding the Rust target ${target}`);
  run("rustup", ["target", "add", target]);
}

/** `npm ci`, unless it has run for this very lock file. */
export async function installPackages(folder, what) {
  const lock = path(folder, "package-lock.json");
  const name = `npm-ci-${folder.replaceAll(/\W/g, "-")}`;
  await once(name, hashOf(lock), [path(folder, "node_modules")], () => {
    say(`Installing ${what} (npm ci in ${folder})`);
    return runBeside("npm", ["ci", "--no-audit", "--no-fund"], { cwd: path(folder) });
  });
}

/** The path of the browser for the tests, if there is one. */
export const findChromium = () =>
  findProgram(process.env.CHROMIUM, ["chromium", "chromium-browser", "google-chrome", "chrome"]);

/** The path of the server that queues are tested with, if there is one. */
export const findRedis = () => findProgram(process.env.REDIS_SERVER, ["redis-server", "valkey-server"]);

function findProgram(given, names) {
  const folders = (process.env.PATH ?? "").split(delimiter);
  const candidates = folders.flatMap((folder) => names.map((name) => join(folder, name)));
  return [given, ...candidates].find((file) => file && existsSync(file));
}

function installChromium() {
  if (findChromium()) return;
  installFromDebian(
    ["chromium"],
    (command) =>
      `The browser tests need Chromium: ${command ?? "install Chromium or Chrome"}, or set CHROMIUM to its path.`,
  );
  if (!findChromium())
    throw new TaskError("apt-get installed chromium, but it is not on the PATH; set CHROMIUM to its path.");
}

function installRedis() {
  if (findRedis()) return;
  installFromDebian(
    ["redis-server"],
    (command) =>
      `The tests of queues need Redis or Valkey: ${command ?? "install redis-server or valkey-server"}, or set REDIS_SERVER to its path.`,
  );
}

/** Installs packages where that can be done; elsewhere `hint` says what to do, with a command where there is one. */
function installFromDebian(packages, hint) {
  const isDebian = existsSync("/etc/debian_version") && answers("apt-get");
  if (!isDebian || process.getuid?.() !== 0)
    throw new TaskError(hint(isDebian ? `sudo apt-get install ${packages.join(" ")}` : undefined));
  say(`Installing ${packages.join(" and ")} (apt-get install)`);
  run("apt-get", ["update"]);
  run("apt-get", ["install", "--yes", "--no-install-recommends", ...packages], {
    env: { DEBIAN_FRONTEND: "noninteractive" },
  });
}

/** The virtual environment with what the tests need of Python. */
export const pythonEnvironment = path("target/python");

/** The one with the reference implementations that metrics are measured beside. */
export const benchEnvironment = path("target/python-bench");

const installMypy = () =>
  installPython(pythonEnvironment, "3.10", "The tests of code in Python need", [
    ["--requirement", path("tests/code/requirements.txt")],
  ]);

/** The reference implementations in Python, as the tests of parity pin them. */
export const installPythonReferences = () =>
  installPython(benchEnvironment, "3.11", "Measuring beside reference implementations needs", [
    ["--no-deps", "--requirement", path("tests/parity/python/requirements.txt")],
    ["--requirement", path("tests/parity/python/retrieval-requirements.txt")],
  ]);

/**
 * Makes a virtual environment, unless it was made for these very requirements. Each list of `installs` has the arguments of one
 * `pip install`, the file last.
 */
async function installPython(folder, version, whoNeedsIt, installs) {
  const files = installs.map((args) => args.at(-1));
  const python = join(folder, "bin/python");
  await once(basename(folder), hashOf(...files), [python], () => {
    // Debian's Python comes without what makes environments.
    const check = `import sys, ensurepip, venv; assert sys.version_info >= (${version.replace(".", ", ")})`;
    if (!answers("python3", ["-c", check])) {
      installFromDebian(
        ["python3", "python3-venv"],
        (command) =>
          `${whoNeedsIt} Python ${version} or later, as python3, with venv: ${command ?? "install it"}.`,
      );
    }
    say(`Installing packages of Python (pip install in ${relative(root, folder)})`);
    run("python3", ["-m", "venv", "--clear", folder]);
    for (const args of installs) {
      run(python, ["-m", "pip", "install", "--quiet", "--disable-pip-version-check", ...args]);
    }
  });
}

await main(import.meta.url, async () => {
  await setUpBuild();
  setUpLints();
  await setUpTests();
});
