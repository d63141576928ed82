/** Type-checks projects of a folder, whose files are `tsconfig.<name>.json`, in one process: it reads and parses a file once. */
import { spawnSync } from "node:child_process";

/** The compiler errors of each project. */
export function buildProjects(bin: string, folder: string, names: string[]): Record<string, string> {
  const files = names.map((name) => `tsconfig.${name}.json`);
  const args = [bin, "--build", ...files, "--force", "--verbose", "--pretty", "false"];
  const { stdout, stderr, error, signal } = spawnSync(process.execPath, args, {
    cwd: folder,
    encoding: "utf8",
  });
  if (error || signal) throw error ?? new Error(`The compiler ended with ${signal}.`);
  // A line with the time of day comes before each step; errors follow that of their project.
  const found: Record<string, string> = {};
  let project: string | undefined;
  for (const line of `${stdout}${stderr}`.split("\n")) {
    const [, text = line] = /^\S+(?: [AP]M)? - (.*)/.exec(line) ?? [];
    const [, started] = /^Building project '.*\btsconfig\.([\w-]+)\.json'/.exec(text) ?? [];
    if (started) {
      project = started;
      found[project] = "";
    } else if (text !== line) project = undefined;
    else if (project && line) found[project] += `${line}\n`;
  }
  return found;
}
