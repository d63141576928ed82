/**
 * The common part of the tests of frameworks: folders with the packed tarball installed, and running programs
 * in them.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { vi } from "vitest";

// Frameworks take their time.
vi.setConfig({ testTimeout: 240_000, hookTimeout: 240_000 });

export const here = import.meta.dirname;

/** A program that `npm ci` put under tests/frameworks/node_modules. */
export const program = (path: string): string => join(here, "node_modules", path);

/** Runs a Node program, and returns its output. Throws with the output if it fails. */
export async function runNode(args: string[], folder: string, env: NodeJS.ProcessEnv = {}): Promise<string> {
  // Removes the variables of the test run.
  const { NODE_OPTIONS, NODE_ENV, VITEST, ...outer } = process.env;
  const child = spawn(process.execPath, args, {
    cwd: join(here, folder),
    env: { ...outer, NO_COLOR: "1", ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let said = "";
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding("utf8").on("data", (text) => (said += text));
  const [code] = await once(child, "close");
  if (code !== 0) throw new Error(`${args.join(" ")} ended with ${code}:\n${said}`);
  return said;
}

/** Removes the output of an earlier build. */
export const clean = (folder: string, ...built: string[]) =>
  Promise.all(built.map((name) => rm(join(here, folder, name), { recursive: true, force: true })));
