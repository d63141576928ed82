/**
 * Sides in Python: reference implementations, in the interpreter that PYTHON names. `npm run bench` makes an environment
 * with all of them, unless PYTHON is set already; a case whose packages are missing there is left out.
 */

import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

const PYTHON = process.env.PYTHON ?? "python3";

/** Why a case cannot be measured beside a module, if it cannot. */
export function missing(module) {
  const { status } = spawnSync(PYTHON, ["-c", `import ${module}`]);
  return status === 0 ? undefined : `${PYTHON} has no ${module}`;
}

/** A script that reads its input as a line of JSON, and then answers each line that it is sent with a number. */
export function pythonSide(script, args, input) {
  return async () => {
    const file = fileURLToPath(new URL(script, import.meta.url));
    const child = spawn(PYTHON, [file, ...args], { stdio: ["pipe", "pipe", "inherit"] });
    process.once("exit", () => child.kill());
    const lines = createInterface(child.stdout);
    child.stdin.write(`${JSON.stringify(input())}\n`);
    return async () => {
      const answer = once(lines, "line");
      child.stdin.write("again\n");
      return Number((await answer)[0]);
    };
  };
}

/** Input as it would be read from a file, which is how Python gets it: texts that were put together are not in one piece. */
export const asRead = (value) => JSON.parse(JSON.stringify(value));

export const mean = (scores) => scores.reduce((sum, score) => sum + score, 0) / scores.length;
