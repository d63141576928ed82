/** The package managers, and how to find that of a project. */

import { stat } from "node:fs/promises";
import { join } from "node:path";

/** The commands of a package manager, without its name. */
export interface PackageManager {
  name: string;
  /** Installs what `package.json` lists. */
  install: readonly string[];
  /** Runs a program of an installed package. */
  execute: readonly string[];
  /** The step of a workflow that installs the package manager. */
  setUp?: string;
  /** Installs exactly the versions of the lock file. */
  installLocked: string;
  /** Separates the arguments of a script from those of the package manager. */
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
    // With the variable CI set, pnpm would otherwise reject a package.json that differs from its lock file.
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
 * The package manager of a project: that of its `packageManager` field, of the nearest lock file, or the one that started the
 * program.
 *
 * @param folders The folder of the project, and the folders above it in its repository, nearest first.
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
