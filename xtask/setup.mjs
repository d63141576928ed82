/**
 * Sets up what is missing to build and, on request, to test. Safe to run again; says what it does. Until `npm ci` has
 * run it uses nothing but Node's built-ins.
 */

import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import { answers, hashOf, main, once, path, run, say, TaskError } from "./run.mjs";
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

/** What testing needs besides: the test tools, the reference packages and a browser. */
export async function setUpTests() {
  await setUpBuild();
  for (const component of ["rustfmt", "clippy"]) {
    if (answers("cargo", [component === "rustfmt" ? "fmt" : component, "--version"])) continue;
    say(`Installing ${component}`);
    run("rustup", ["component", "add", component]);
  }
  await installPackages("tests", "the test tools");
  await installPackages("tests/parity", "the reference packages");
  await installPackages("tests/frameworks", "the frameworks to test in");
  installChromium();
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
    run("npm", ["ci", "--no-audit", "--no-fund"], { cwd: path(folder) });
  });
}

/** The path of the browser for the tests, if there is one. */
export function findChromium() {
  const names = ["chromium", "chromium-browser", "google-chrome", "chrome"];
  const folders = (process.env.PATH ?? "").split(delimiter);
  const candidates = folders.flatMap((folder) => names.map((name) => join(folder, name)));
  return [process.env.CHROMIUM, ...candidates].find((file) => file && existsSync(file));
}

function installChromium() {
  if (findChromium()) return;
  const isDebian = existsSync("/etc/debian_version") && answers("apt-get");
  if (!isDebian || process.getuid?.() !== 0) {
    const hint = isDebian ? "sudo apt-get install chromium" : "install Chromium or Chrome";
    throw new TaskError(`The browser tests need Chromium: ${hint}, or set CHROMIUM to its path.`);
  }
  say("Installing Chromium (apt-get install chromium)");
  run("apt-get", ["update"]);
  run("apt-get", ["install", "--yes", "--no-install-recommends", "chromium"], {
    env: { DEBIAN_FRONTEND: "noninteractive" },
  });
  if (!findChromium())
    throw new TaskError("apt-get installed chromium, but it is not on the PATH; set CHROMIUM to its path.");
}

await main(import.meta.url, setUpTests);
