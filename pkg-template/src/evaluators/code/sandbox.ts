/** A sandbox: a place with a file system and a shell, where code can do no harm. */

import { OpenEvalsError } from "../../core/errors.js";
import { anything, type Checks, check } from "../../core/input/checks.js";

/** What is used of a sandbox: the shape of `Sandbox` in `@e2b/code-interpreter`. */
export interface Sandbox {
  files: {
    /** Writes a file, and makes the folders that lead to it. */
    write(path: string, data: string): Promise<unknown>;
  };
  commands: {
    /**
     * Runs a command in the shell of the sandbox. One that ends with an exit code other than 0 may be returned, or thrown
     * as an error with `exitCode` and `stderr`, as E2B does it. Any other error is a failure of the sandbox.
     */
    run(command: string, options: CommandOptions): Promise<Partial<CommandResult>>;
  };
}

/** How a command is run. */
export interface CommandOptions {
  /** The folder in which it is run; relative paths are relative to the same folder as those of files. */
  cwd: string;
  /** Variables of the environment. */
  envs?: Record<string, string>;
  /** How long it may take. */
  timeoutMs?: number;
}

/** How a command ended. */
export interface CommandResult {
  /** 0 if all went well. */
  exitCode: number;
  /** What it wrote to the standard output. */
  stdout: string;
  /** What it wrote to the standard error output. */
  stderr: string;
}

/** The options of evaluators that work in a sandbox. */
interface SandboxOptions {
  sandbox: Sandbox;
  sandboxProjectDirectory?: string | undefined;
}

export const SANDBOX_OPTIONS: Checks<SandboxOptions> = {
  sandbox: anything,
  sandboxProjectDirectory: check("a path", (path) => typeof path === "string" && path !== ""),
};

/** The folder of the project, where the options do not say it. */
export const DIRECTORY = "openevals";

/** The folder of our scripts below that of the project, and of the tools that the project does not have itself. */
export const FOLDER = ".openevals";

/** The code in a sandbox, with everything that it needs. */
export interface Project {
  /** Runs a command beside the code, whatever its exit code. */
  run(command: string, options?: Partial<CommandOptions>): Promise<CommandResult>;
}

/** Installing may take longer than what a sandbox allows by default. */
const INSTALL_TIMEOUT_MS = 300_000;

/** The last work in every sandbox that is in use: evaluations share a folder, so they take turns. */
const lastWork = new WeakMap<Sandbox, Promise<unknown>>();

/** Puts files into the project of a sandbox, runs the command that installs what they need, and then works with them. */
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
  try {
    const { exitCode = 0, stdout = "", stderr = "" } = await sandbox.commands.run(command, options);
    return { exitCode, stdout, stderr };
  } catch (error) {
    const thrown = (error ?? {}) as Partial<CommandResult> & { result?: Partial<CommandResult> };
    const { exitCode = 1, stdout = "", stderr } = thrown.result ?? thrown;
    if (typeof stderr !== "string") throw failed(`run "${command}"`, error);
    return { exitCode, stdout, stderr };
  }
}

/** The error of a sandbox that cannot do what it should; `why` is what was thrown, or what a command wrote. */
export function failed(what: string, why: unknown): OpenEvalsError {
  const { name, message = String(why) } = (why ?? {}) as { name?: string; message?: string };
  const end = message.trim().slice(-1000);
  return new OpenEvalsError(
    name === "TimeoutError" ? "timeout" : "tool_failed",
    `The sandbox failed to ${what}: ${end || "it does not say why"}`,
    typeof why === "string" ? {} : { cause: why },
  );
}

/** Refuses what is no sandbox. */
export function checkSandbox(maker: string, sandbox: Partial<Sandbox> | undefined): void {
  if (typeof sandbox?.files?.write === "function" && typeof sandbox.commands?.run === "function") return;
  // Without showing what it is, since a sandbox holds a key.
  throw new OpenEvalsError(
    "invalid_config",
    `${maker} needs a sandbox with files.write and commands.run, such as that of Sandbox.create().`,
  );
}
