/** The package managers, and how a project names its own. */

import { stat } from "node:fs/promises";
import { join } from "node:path";

/** The commands of a package manager, without its name. */
export interface PackageManager {
  name: string;
  /** Installs what `package.json` lists. */
  install: readonly string[];
  /** Runs a program of an installed package. */
  execute: readonly string[];
  /** The step of a workflow that provides it. */
  setUp?: string;
  /** Installs exactly the lock file. */
  installLocked: string;
  /** Separates the arguments of a script from its own. */
  separator?: string;
  lockFiles: readonly string[];
}

const MANAGERS: readonly PackageManager[] = [
  {
    name: "npm",
    install: ["install"],
    execute: ["exec", "--no", "--"],
    installLocked: "npm ci",
    separator: "-- ",
    lockFiles: ["package-lock.json", "npm-shrinkwrap.json"],
  },
  {
    name: "pnpm",
    // With CI set, pnpm would refuse a package.json that its lock file does not know yet.
    install: ["install", "--no-frozen-lockfile"],
    execute: ["exec"],
    setUp: "run: npm install --global pnpm",
    installLocked: "pnpm install --frozen-lockfile",
    lockFiles: ["pnpm-lock.yaml"],
  },
  {
    name: "yarn",
    install: ["install"],
    execute: ["run"],
    setUp: "run: corepack enable",
    installLocked: "yarn install",
    lockFiles: ["yarn.lock"],
  },
  {
    name: "bun",
    install: ["install"],
    execute: ["x"],
    setUp: "uses: oven-sh/setup-bun@v2",
    installLocked: "bun install --frozen-lockfile",
    lockFiles: ["bun.lock", "bun.lockb"],
  },
];

/**
 * The package manager of a project: of its `packageManager` field, of the nearest lock file, or the one that started the program.
 *
 * @param folders The folder of the project, and those above it that belong to it, the nearest first.
 */
export async function packageManagerOf(folders: readonly string[], field: unknown): Promise<PackageManager> {
  const [npm] = MANAGERS as [PackageManager];
  const named = (text: unknown, separator: string) =>
    MANAGERS.find(({ name }) => typeof text === "string" && text.split(separator)[0] === name);
  const declared = named(field, "@");
  if (declared) return declared;
  for (const folder of folders)
    for (const manager of MANAGERS)
      for (const file of manager.lockFiles) if (await exists(join(folder, file))) return manager;
  return named(process.env.npm_config_user_agent, "/") ?? npm;
}

/** The command that runs a script of `package.json`. */
export const scriptCommand = ({ name }: PackageManager, script: string): string => `${name} run ${script}`;

export const exists = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    () => false,
  );
