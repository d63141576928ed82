/** A sandbox: an isolated file system and shell, where code cannot do harm. */

import { invalidConfig, OpenEvalsError } from "../../core/errors.js";
import { anything, check, type OptionChecks } from "../../core/input/checks.js";

/** The part of a sandbox that is used: the shape of `Sandbox` in `@e2b/code-interpreter`. */
export interface Sandbox {
  files: {
    /** Writes a file and creates its parent folders. */
    write(path: string, data: string): Promise<unknown>;
  };
  commands: {
    /**
     * Runs a command in the sandbox's shell. The result has to have an `exitCode`. A non-zero one may be returned, or
     * thrown as an error with `exitCode` and `stderr`, as in E2B. Any other error is a failure of the sandbox.
     */
    run(command: string, options: CommandOptions): Promise<Partial<CommandResult>>;
  };
}

/** The options of a command. */
export interface CommandOptions {
  /** The working directory. Relative paths have the same base as those of `files`. */
  cwd: string;
  /** Environment variables. */
  envs?: Record<string, string>;
  /** The time limit in milliseconds. */
  timeoutMs?: number;
}

/** The result of a command. */
export interface CommandResult {
  /** 0 if the command succeeded. */
  exitCode: number;
  /** The standard output. */
  stdout: string;
  /** The standard error output. */
  stderr: string;
}

/** The options of evaluators that use a sandbox. */
interface SandboxOptions {
  sandbox: Sandbox;
  sandboxProjectDirectory?: string | undefined;
}

export const SANDBOX_OPTIONS: OptionChecks<SandboxOptions> = {
  sandbox: anything,
  sandboxProjectDirectory: check("a path", (path) => typeof path === "string" && path !== ""),
};

/** The default folder of the project. */
export const DIRECTORY = "openevals";

/** The folder for our scripts and tools, within that of the project. */
export const SANDBOX_FOLDER = ".openevals";

/** The code in a sandbox with its dependencies installed. */
export interface Project {
  /** Runs a command in the folder of the code and returns its result, whatever the exit code. */
  run(command: string, options?: Partial<CommandOptions>): Promise<CommandResult>;
}

/** Installing may exceed the default time limit of a sandbox. */
const INSTALL_TIMEOUT_MS = 300_000;

/** The last task of each sandbox: evaluations share a folder, so they run one after the other. */
const lastWork = new WeakMap<Sandbox, Promise<unknown>>();

/** Writes files into the project of a sandbox, installs their dependencies, then runs `work`. */
export function inSandbox<T>(
  sandbox: Sandbox,
  directory: string,
  files: Record<string, string>,
  install: string,
  work: (project: Project) => Promise<T>,
): Promise<T> {
  const project: Project = {
    run: (command, options) => run(sandbox, command, { cwd: directory, ...options }),
  };
  const result = (lastWork.get(sandbox) ?? Promise.resolve()).then(async () => {
    for (const [path, text] of Object.entries(files)) {
      try {
        await sandbox.files.write(`${directory}/${path}`, text);
      } catch (error) {
        throw failed(`write ${directory}/${path}`, error);
      }
    }
    const { exitCode, stderr } = await project.run(install, { timeoutMs: INSTALL_TIMEOUT_MS });
    if (exitCode !== 0) throw failed(`install packages (exit code ${exitCode})`, stderr);
    return work(project);
  });
  lastWork.set(
    sandbox,
    result.catch(() => {}),
  );
  return result;
}

async function run(sandbox: Sandbox, command: string, options: CommandOptions): Promise<CommandResult> {
  let result: Partial<CommandResult>;
  try {
    result = Object(await sandbox.commands.run(command, options));
  } catch (error) {
    const thrown = Object(error) as Partial<CommandResult> & { result?: Partial<CommandResult> };
    result = thrown.result ?? thrown;
    // Any other error is a failure of the sandbox.
    if (!result.exitCode || typeof result.stderr !== "string") throw failed(`run "${command}"`, error);
  }
  const { exitCode, stdout = "", stderr = "" } = result;
  if (Number.isInteger(exitCode) && typeof stdout === "string" && typeof stderr === "string")
    return { exitCode: exitCode as number, stdout, stderr };
  // Without the values, which may be long or secret.
  const fields = Object.entries(result).map(
    ([name, value]) => `${name}: ${value === null ? null : typeof value}`,
  );
  throw failed(
    `run "${command}"`,
    `commands.run returned { ${fields.join(", ")} }; it has to return exitCode, a whole number, and stdout and stderr, strings`,
  );
}

/** The error of a sandbox that failed; `why` is the thrown value or the output of a command. */
export function failed(what: string, why: unknown): OpenEvalsError {
  const { name, message = String(why) } = (why ?? {}) as { name?: string; message?: string };
  const end = message.trim().slice(-1000);
  return new OpenEvalsError(
    name === "TimeoutError" ? "timeout" : "tool_failed",
    `The sandbox failed to ${what}: ${end || "it gave no reason"}`,
    typeof why === "string" ? {} : { cause: why },
  );
}

/** Rejects values that are not a sandbox. */
export function checkSandbox(maker: string, sandbox: Partial<Sandbox> | undefined): void {
  if (typeof sandbox?.files?.write === "function" && typeof sandbox.commands?.run === "function") return;
  // The value is not shown, since a sandbox holds a key.
  throw invalidConfig(
    `${maker} needs a sandbox with files.write and commands.run, such as that of Sandbox.create()`,
  );
}
