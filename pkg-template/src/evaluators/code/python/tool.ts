/** Runs a program that checks a Python file. */

import { isOurs, OpenEvalsError, reasonOf } from "../../../core/errors.js";
import { aDuration, check, isListOf, type OptionChecks } from "../../../core/input/checks.js";
import { builtin, findBuiltin } from "../../../core/platform/builtin.js";
import { Semaphore } from "../../../core/platform/semaphore.js";

/** The name of the file with the code. */
export const FILE = "python_file.py";

/** The options of evaluators that run a program on this machine. */
export interface ToolOptions {
  /**
   * The time limit of the program for one file, in milliseconds; 300,000 by default. Waiting for a free processor does
   * not count.
   */
  timeoutMs?: number | undefined;
}

export const TOOL_OPTIONS: OptionChecks<ToolOptions> = { timeoutMs: aDuration };

/** Arguments of a program cannot contain NUL. */
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

/** The program, its arguments (the names of the files are appended), and how to install it. */
interface Tool {
  name: string;
  program: string;
  args: readonly string[];
  timeoutMs: number | undefined;
  installHint: string;
}

const HAS_PROCESSES = "this evaluator runs another program, as Node, Deno and Bun can";

let semaphore: Semaphore | undefined;

/** Waits for a free processor: each of these programs keeps one busy. */
export async function withProcessor<T>(work: () => Promise<T>): Promise<T> {
  semaphore ??= new Semaphore(findBuiltin("node:os")?.availableParallelism() ?? 1);
  await semaphore.acquire();
  try {
    return await work();
  } finally {
    semaphore.release();
  }
}

/** Runs the tool on files with code in a temporary folder where nothing else is, so that no import finds another file. */
export async function checkFiles(tool: Tool, files: Record<string, string>): Promise<ProgramExit> {
  const { mkdir, mkdtemp, rm, writeFile } = builtin("node:fs/promises", HAS_PROCESSES);
  const { tmpdir } = builtin("node:os", HAS_PROCESSES);
  const { dirname, join } = builtin("node:path", HAS_PROCESSES);
  let folder: string | undefined;
  try {
    folder = await mkdtemp(join(tmpdir(), "python-code-"));
    // Pyright searches for its configuration up to the root.
    for (const [file, text] of Object.entries({ ...files, "pyrightconfig.json": "{}" })) {
      if (dirname(file) !== ".") await mkdir(join(folder, dirname(file)));
      await writeFile(join(folder, file), text);
    }
    return await run(tool, folder, Object.keys(files));
  } catch (thrown) {
    throw isOurs(thrown) ? thrown : checkFailed(tool, thrown);
  } finally {
    // A failed clean-up must not lose the verdict.
    if (folder) await rm(folder, { recursive: true, force: true }).catch(() => {});
  }
}

const checkFailed = ({ name }: Tool, cause: unknown): OpenEvalsError =>
  new OpenEvalsError("tool_failed", `${name} could not check the code: ${reasonOf(cause)}`, { cause });

function run(tool: Tool, folder: string, files: readonly string[]): Promise<ProgramExit> {
  const { execFile } = builtin("node:child_process", HAS_PROCESSES);
  const { env } = (globalThis as unknown as { process: { env: Record<string, string | undefined> } }).process;
  const { name, program, args, timeoutMs = TIMEOUT_MS, installHint } = tool;
  const options = {
    cwd: folder,
    env: { ...env, ...ENVIRONMENT },
    encoding: "utf8",
    maxBuffer: 1 << 28,
    timeout: Math.ceil(timeoutMs),
    killSignal: "SIGKILL",
  } as const;
  return new Promise((resolve, reject) => {
    execFile(program, [...args, ...files], options, (error, stdout, stderr) => {
      const exitCode = error ? error.code : 0;
      if (typeof exitCode === "number") return resolve({ exitCode, stdout, stderr });
      if (exitCode === "ENOENT") {
        const message = `${name} is not installed: ${installHint}.`;
        return reject(new OpenEvalsError("tool_failed", message, { cause: error }));
      }
      if (error?.killed && error.signal === options.killSignal && exitCode == null) {
        const message = `${name} did not end within ${timeoutMs} ms (timeoutMs).`;
        return reject(new OpenEvalsError("timeout", message, { cause: error }));
      }
      reject(checkFailed(tool, error));
    });
  });
}

const ENVIRONMENT = {
  // Output in UTF-8 without colours, regardless of the terminal.
  PYTHONUTF8: "1",
  FORCE_COLOR: "0",
  MYPY_FORCE_COLOR: "0",
  // Processes cannot share a cache.
  MYPY_CACHE_DIR: "cache",
  // Imports find only installed packages.
  MYPYPATH: undefined,
  PYTHONPATH: undefined,
};

/** The error for a tool that ended without a verdict. */
export const withoutVerdict = (
  name: string,
  { exitCode, stdout, stderr }: ProgramExit,
  why = stderr.trim() || stdout.trim(),
): OpenEvalsError => {
  const reason = why.slice(-1000);
  const message = `${name} ended without a verdict (exit code ${exitCode}): ${reason || "it printed nothing"}`;
  return new OpenEvalsError("tool_failed", message);
};
