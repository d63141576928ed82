/** `init`: adds a first experiment to a project, and runs it. */

import { spawn } from "node:child_process";
import { join } from "node:path";
import { CliError, usageError } from "../cli-error.js";
import { writeText } from "../files.js";
import { isJson } from "../output/json-result.js";
import { created, print } from "../output/streams.js";
import { say } from "../output/terminal.js";
import { linkAgents } from "./agents.js";
import { type PackageManager, scriptCommand } from "./managers.js";
import type { InitValues } from "./options.js";
import { planFor, SCRIPT } from "./plan.js";
import { projectIn } from "./project.js";

export async function init(paths: string[], options: InitValues): Promise<number> {
  if (paths.length) throw usageError("init takes no files; run it in the folder of your project");
  if (options.agents) {
    if (options.ci) throw usageError("--agents and --ci are different calls; use one of the two");
    return linkAgents(process.cwd());
  }
  const project = await projectIn(process.cwd());
  const { files, manifest, experiment } = await planFor(project, options);
  for (const { path, text } of files.filter(({ state }) => state === "new")) {
    await writeText(join(project.folder, path), text);
    created(path);
  }
  // Last, so that an interrupted call starts over: its files are as planned.
  if (manifest !== undefined) {
    await writeText(join(project.folder, "package.json"), manifest);
    created("package.json", project.manifestText === undefined ? "created" : "changed");
  }
  if (project.lacksEsbuild && experiment.state === "new")
    print(
      `${experiment.path} is JavaScript, because Node ${process.versions.node} needs esbuild to run TypeScript. Add esbuild to the project to write evals/*.eval.ts, and name these in the script "${SCRIPT}".\n`,
    );
  const { manager } = project;
  if (!project.isListed || !project.isInstalled) await installed(manager);
  const again = scriptCommand(manager, SCRIPT);
  const isOurs = experiment.state === "same" || files.includes(experiment);
  if (!isOurs) {
    print(`The project is set up: ${again}\n`);
    return 0;
  }
  print("\n");
  const code = await run(manager, [...manager.execute, "openevals-wasm", "run", experiment.path]);
  if (code !== 0)
    throw new CliError(`${experiment.path} did not pass; its output is above. Run it again with: ${again}`);
  print(`
Put your application and your rows into evals/, then run: ${again}
To score with a model as a judge, read node_modules/openevals-wasm/docs/judges.md
${options.ci ? "" : "To run it on GitHub for each pull request: npx openevals-wasm init --ci\n"}`);
  return 0;
}

async function installed(manager: PackageManager): Promise<void> {
  const command = `${manager.name} ${manager.install.join(" ")}`;
  say(`$ ${command}`);
  const code = await run(manager, manager.install);
  if (code !== 0)
    throw new CliError(
      `${command} failed; its output is above. The files are in place: when the cause is removed, run npx openevals-wasm init again.`,
    );
}

/** Runs a command of the package manager, and returns its exit code. */
function run({ name }: PackageManager, args: readonly string[]): Promise<number | null> {
  return new Promise((resolve, reject) => {
    // On Windows, package managers are scripts, which need a shell.
    const child = spawn(name, args, {
      stdio: ["ignore", isJson() ? process.stderr : "inherit", "inherit"],
      shell: process.platform === "win32",
    });
    child.once("error", ({ message }) =>
      reject(
        new CliError(
          `${name} cannot be started: ${message}. Install ${name}, then run npx openevals-wasm init again.`,
        ),
      ),
    );
    child.once("close", resolve);
  });
}
