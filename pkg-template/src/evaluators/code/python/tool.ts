/** Runs a program that checks a file of Python. */

import { isOurs, OpenEvalsError, reasonOf } from "../../../core/errors.js";
import { aDuration, type Checks, check, isListOf } from "../../../core/input/checks.js";
import { builtin } from "../../../core/platform/builtin.js";
import { Semaphore } from "../../../models/chat/concurrency.js";

/** The name of the file that the code is put into. */
export const FILE = "python_file.py";

/** The options of evaluators that run a program on this machine. */
export interface ToolOptions {
  /**
   * How long the program may take for one file, in milliseconds; 300,000 by default. Waiting for a processor does not
   * count.
   */
  timeoutMs?: number | undefined;
}

export const TOOL_OPTIONS: Checks<ToolOptions> = { timeoutMs: aDuration };

/** No program can be given others. */
export const toolArguments = check("a list of strings without the character NUL", (value) =>
  isListOf(value, (element) => typeof element === "string" && !element.includes("\0")),
);

const TIMEOUT_MS = 300_000;

/** How a program ended. */
interface ProgramExit {
  exitCode: number;
  stdout: string;
  stderr: string;
}

/** What is checked with: the program, its arguments, to which the path of the file is added, and how to get it. */
interface Tool {
  name: string;
  program: string;
  args: readonly string[];
  timeoutMs: number | undefined;
  otherwise: string;
}

const HAS_PROCESSES = "this evaluator runs another program, as Node, Deno and Bun can";

let turnstile: Semaphore | undefined;

/** Runs the tool on a file with the code, which is removed again, in the working directory. */
export async function checkFile(tool: Tool, code: string): Promise<ProgramExit> {
  const { mkdtemp, rm, writeFile } = builtin("node:fs/promises", HAS_PROCESSES);
  const { availableParallelism, tmpdir } = builtin("node:os", HAS_PROCESSES);
  const { join } = builtin("node:path", HAS_PROCESSES);
  // Each of these programs takes a processor for itself.
  turnstile ??= new Semaphore(availableParallelism(), undefined);
  await turnstile.enter();
  let folder: string | undefined;
  try {
    // A folder of its own, so that no import finds what else is there.
    folder = await mkdtemp(join(tmpdir(), "python-code-"));
    const file = join(folder, FILE);
    await writeFile(file, code);
    // Several cannot use one cache at the same time.
    return await run(tool, file, { ...PLAIN_TEXT, MYPY_CACHE_DIR: join(folder, "cache") });
  } catch (thrown) {
    throw isOurs(thrown) ? thrown : couldNot(tool, thrown);
  } finally {
    turnstile.leave();
    // What is left of it is no reason to lose a verdict.
    if (folder) await rm(folder, { recursive: true, force: true }).catch(() => {});
  }
}

const couldNot = ({ name }: Tool, cause: unknown): OpenEvalsError =>
  new OpenEvalsError("tool_failed", `${name} could not check the code: ${reasonOf(cause)}`, { cause });

function run(tool: Tool, file: string, environment: Record<string, string>): Promise<ProgramExit> {
  const { execFile } = builtin("node:child_process", HAS_PROCESSES);
  const { env } = (globalThis as unknown as { process: { env: Record<string, string | undefined> } }).process;
  const { name, program, args, timeoutMs = TIMEOUT_MS, otherwise } = tool;
  const options = {
    env: { ...env, ...environment },
    encoding: "utf8",
    maxBuffer: 1 << 28,
    timeout: Math.ceil(timeoutMs),
    killSignal: "SIGKILL",
  } as const;
  return new Promise((resolve, reject) => {
    execFile(program, [...args, file], options, (error, stdout, stderr) => {
      const exitCode = error ? error.code : 0;
      if (typeof exitCode === "number") return resolve({ exitCode, stdout, stderr });
      if (exitCode === "ENOENT") {
        const message = `${name} is not there: ${otherwise}.`;
        return reject(new OpenEvalsError("tool_failed", message, { cause: error }));
      }
      if (error?.killed && error.signal === options.killSignal && exitCode == null) {
        const message = `${name} did not end within ${timeoutMs} ms (timeoutMs).`;
        return reject(new OpenEvalsError("timeout", message, { cause: error }));
      }
      reject(couldNot(tool, error));
    });
  });
}

/** Output in UTF-8 and without colours, whatever the terminal is like. */
const PLAIN_TEXT = { PYTHONUTF8: "1", FORCE_COLOR: "0", MYPY_FORCE_COLOR: "0" };

/** The error of a tool that ended without a verdict. */
export const withoutVerdict = (
  name: string,
  { exitCode, stdout, stderr }: ProgramExit,
  why = stderr.trim() || stdout.trim(),
): OpenEvalsError => {
  const said = why.slice(-1000);
  const message = `${name} ended without a verdict (exit code ${exitCode}): ${said || "it does not say why"}`;
  return new OpenEvalsError("tool_failed", message);
};
