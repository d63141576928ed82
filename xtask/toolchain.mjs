/** Selects the compiler: the one that `rust-toolchain.toml` pins, or the closest installed one. */

import { readFileSync } from "node:fs";
import { canRun, path, run, say, TaskError } from "./run.mjs";

/** The compiler version for which the recorded sizes hold. */
const pinned = () => /^channel = "(.+)"$/m.exec(readFileSync(path("rust-toolchain.toml"), "utf8"))?.[1] ?? "";

/**
 * Makes later calls of `cargo` and `rustc` work. Without rustup, the installed compiler is used, since only
 * rustup reads the file. With rustup but without a network, the pinned version may be installed as `stable`,
 * or only another one.
 */
export function findCompiler() {
  if (process.env.RUSTUP_TOOLCHAIN || !canRun("rustup")) return;
  const version = pinned();
  const list = run("rustup", ["toolchain", "list"], { quiet: true }).split("\n").filter(Boolean);
  const installed = list.map((line) => line.split(" ")[0]);
  if (installed.some((name) => name === version || name.startsWith(`${version}-`))) return;
  const same = installed.find((name) => versionOf(name) === version);
  if (same) {
    say(`Rust ${version} is installed as ${same}`);
    process.env.RUSTUP_TOOLCHAIN = same;
    return;
  }
  try {
    say(`Installing Rust ${version} (rustup toolchain install)`);
    run("rustup", ["toolchain", "install", version, "--profile", "minimal", "--no-self-update"]);
  } catch (error) {
    const other = list.find((line) => line.includes("default"))?.split(" ")[0];
    if (!other) throw new TaskError(`Rust ${version} could not be installed:\n${error.message}`);
    say(`Rust ${version} could not be installed; using ${other} instead, which may make a larger binary`);
    process.env.RUSTUP_TOOLCHAIN = other;
  }
}

/** Whether the compiler has the pinned version, under any toolchain name. */
export const isPinned = () => versionOf() === pinned();

function versionOf(toolchain) {
  const env = toolchain ? { RUSTUP_TOOLCHAIN: toolchain } : {};
  return /^rustc (\S+)/.exec(run("rustc", ["--version"], { env, quiet: true }))?.[1];
}
