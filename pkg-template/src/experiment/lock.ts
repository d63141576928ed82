/** One process at a time has a file. */

import { invalidConfig, OpenEvalsError, reasonOf } from "../errors.js";
import { builtin } from "../runtime/builtin.js";

const { process } = globalThis as unknown as {
  process: { pid: number; kill(pid: number, signal: 0): void };
};

/** The locks of this process. A lock of a process with its number that is not among them is of an earlier one. */
const held = new Set<string>();

/** A file beside another one, with the number of the process that has that. */
export class Lock {
  readonly #path: string;
  readonly #option: string;

  private constructor(path: string, option: string) {
    this.#path = path;
    this.#option = option;
    held.add(path);
  }

  /**
   * @param option The option that names the file.
   * @throws {@link OpenEvalsError} `invalid_config` if a process that lives has the file.
   */
  static async take(file: string, option: string): Promise<Lock> {
    const { readFile, rm, writeFile } = builtin("node:fs/promises", `${option} needs files`);
    const { basename, join } = builtin("node:path", `${option} needs files`);
    const path = join(await folderOf(file, option), `${basename(file)}.lock`);
    for (let attempt = 1; ; attempt++) {
      try {
        await writeFile(path, String(process.pid), { flag: "wx" });
        return new Lock(path, option);
      } catch (error) {
        if ((error as { code?: string }).code !== "EEXIST") {
          throw invalidConfig(`${option} cannot be written: ${reasonOf(error)}`);
        }
      }
      const owner = Number(await readFile(path, "utf8").catch(() => ""));
      if (attempt > 1 || (await isAlive(owner, path))) {
        throw invalidConfig(
          `${file} is in use by another experiment, of process ${owner}. Wait for it, or name another file; ` +
            `if there is no such experiment, delete ${path}`,
        );
      }
      await rm(path, { recursive: true, force: true });
    }
  }

  async release(): Promise<void> {
    held.delete(this.#path);
    const { rm } = builtin("node:fs/promises", `${this.#option} needs files`);
    await rm(this.#path, { recursive: true, force: true });
  }
}

/** The folder of a file, by the one name that links to it share; it is made if need be. */
async function folderOf(file: string, option: string): Promise<string> {
  const { mkdir, realpath } = builtin("node:fs/promises", `${option} needs files`);
  const { dirname, resolve } = builtin("node:path", `${option} needs files`);
  const folder = dirname(resolve(file));
  try {
    await mkdir(folder, { recursive: true });
    return await realpath(folder);
  } catch (error) {
    const { code } = error as { code?: string };
    const isNone = code === "EEXIST" || code === "ENOTDIR";
    throw invalidConfig(
      `${option} cannot be written: ${isNone ? `${folder} is no folder, or is below a file` : reasonOf(error)}`,
    );
  }
}

async function isAlive(pid: number, path: string): Promise<boolean> {
  if (pid === process.pid) return held.has(path);
  // It has been created, but not been written yet.
  if (!(pid > 0)) return true;
  try {
    process.kill(pid, 0);
    return !(await isZombie(pid));
  } catch (error) {
    return (error as { code?: string }).code !== "ESRCH";
  }
}

/** Whether the process has ended, and only its parent has not been told yet: where there is no `/proc`, nobody knows. */
async function isZombie(pid: number): Promise<boolean> {
  const { readFile } = builtin("node:fs/promises", "locks need files");
  const status = await readFile(`/proc/${pid}/status`, "utf8").catch(() => "");
  return /^State:\s*Z/m.test(status);
}
