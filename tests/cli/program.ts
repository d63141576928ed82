/** The program of the packed package. */
import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const pkg = fileURLToPath(new URL("../node_modules/openevals-wasm/", import.meta.url));
export const manifest = JSON.parse(await readFile(join(pkg, "package.json"), "utf8"));
export const program = join(pkg, manifest.bin["openevals-wasm"]);

/** Runs it in a folder, and returns its output and exit code. */
export function runProgram(cwd: string, args: string[], env: Record<string, string> = {}, file = program) {
  return new Promise<{ code: number; stdout: string; stderr: string }>((resolve) => {
    const { PATH, HOME } = process.env;
    const options = { cwd, env: { PATH, HOME, ...env } };
    execFile(process.execPath, [file, ...args], options, (error, stdout, stderr) => {
      resolve({ code: Number(error?.code ?? 0), stdout, stderr });
    });
  });
}
