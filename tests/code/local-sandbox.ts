/** A sandbox that is a folder on this machine: a real shell, real npm, and E2B's own errors. */
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { CommandExitError, TimeoutError } from "@e2b/code-interpreter";
import type { CommandOptions, CommandResult, Sandbox } from "openevals-wasm/code/e2b";

export class LocalSandbox implements Sandbox {
  readonly folder = mkdtempSync(join(tmpdir(), "sandbox-"));
  /** The commands so far. */
  readonly log: ({ command: string } & CommandOptions)[] = [];
  /** The environment of every command. */
  readonly env: Record<string, string | undefined>;
  /** How long commands may take that do not say it. */
  timeoutMs = 60_000;
  /** Whether commands that fail are thrown, as E2B does it, or returned. */
  throws = true;

  constructor(env: Record<string, string> = {}) {
    this.env = { ...process.env, ...env };
  }

  readonly files = {
    write: async (path: string, data: string) => {
      const file = join(this.folder, path);
      await mkdir(dirname(file), { recursive: true });
      await writeFile(file, data);
    },
  };

  readonly commands = {
    run: async (command: string, options: CommandOptions): Promise<CommandResult> => {
      this.log.push({ command, ...options });
      const result = await this.#run(command, options);
      if (result.exitCode !== 0 && this.throws) throw new CommandExitError(result);
      return result;
    },
  };

  #run(command: string, { cwd, envs, timeoutMs = this.timeoutMs }: CommandOptions): Promise<CommandResult> {
    return new Promise((resolve, reject) => {
      const env = { ...this.env, ...envs };
      const child = spawn("sh", ["-c", command], { cwd: join(this.folder, cwd), env, detached: true });
      const output = { stdout: "", stderr: "" };
      for (const name of ["stdout", "stderr"] as const) {
        child[name].setEncoding("utf8").on("data", (text: string) => {
          output[name] += text;
        });
      }
      const timer = setTimeout(() => {
        // With all that it started.
        if (child.pid) process.kill(-child.pid, "SIGKILL");
        reject(new TimeoutError("the command took too long"));
      }, timeoutMs);
      child.on("error", reject);
      child.on("close", (exitCode) => {
        clearTimeout(timer);
        resolve({ exitCode: exitCode ?? 137, ...output });
      });
    });
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}
