/** Plans the additions of `init` to a project. */

import { lstat, readFile, stat } from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import { __version__ } from "../../../version.js";
import { CliError } from "../cli-error.js";
import { scriptCommand } from "./managers.js";
import { withMember } from "./manifest.js";
import type { InitProject } from "./project.js";
import { TEMPLATES } from "./templates.js";

export interface PlannedFile {
  /** The path from the folder of the project. */
  path: string;
  text: string;
  state: "new" | "same" | "different";
  /** The path that prevents writing: the existing file with other text, or a file where its folder should be. */
  inTheWay?: string;
}

export interface InitPlan {
  files: PlannedFile[];
  /** The new text of `package.json`; `undefined` if nothing is missing. */
  manifest: string | undefined;
  /** The file of the experiment. */
  experiment: PlannedFile;
}

export const SCRIPT = "evals";

/** Plans the files and the changes; throws {@link CliError} if something in the project would be replaced. */
export async function planFor(project: InitProject, { ci }: { ci: boolean }): Promise<InitPlan> {
  const isSetUp = /\bopenevals-wasm\b/.test(String(project.scripts[SCRIPT] ?? ""));
  if (!isSetUp && SCRIPT in project.scripts)
    throw new CliError(
      `package.json has a script "${SCRIPT}" already: ${JSON.stringify(project.scripts[SCRIPT])}. Rename it, then run npx openevals-wasm init again. Nothing was changed.`,
    );
  const examples = await statesOf(project.folder, examplesFor(project));
  const workflows = await statesOf(project.folder, ci ? [workflowFor(project)] : []);
  // A project that is set up has its own experiments.
  const files = [...(isSetUp ? [] : examples), ...workflows];
  const taken = [...new Set(files.flatMap(({ inTheWay = [] }) => inTheWay))];
  if (taken.length)
    throw new CliError(
      `${taken.join(", ")} ${taken.length > 1 ? "exist already. Move or rename them" : "exists already. Move or rename it"}, then run npx openevals-wasm init again. Nothing was changed.`,
    );
  return { files, manifest: manifestFor(project, isSetUp), experiment: examples[0] as PlannedFile };
}

type Draft = Omit<PlannedFile, "state">;

/** The experiment, its data and, with Vitest, its tests. */
function examplesFor({ ending, hasVitest }: InitProject): Draft[] {
  const imported = `"./first.eval.${ending.replace("t", "j")}"`;
  const tests = TEMPLATES["first.test.ts"].replace('"./first.eval.js"', imported);
  return [
    { path: `evals/first.eval.${ending}`, text: TEMPLATES["first.eval.ts"] },
    { path: "evals/first.jsonl", text: TEMPLATES["first.jsonl"] },
    ...(hasVitest ? [{ path: `evals/first.test.${ending}`, text: tests }] : []),
  ];
}

/** The workflow, in the folder of the repository. */
function workflowFor({ folder, repository, manager }: InitProject): Draft {
  const path = join(relative(folder, repository), ".github/workflows/evals.yml");
  const workingDirectory = relative(repository, folder).replaceAll("\\", "/");
  const steps = `${manager.setUp ? `      - ${manager.setUp}\n` : ""}      - run: ${manager.installLocked}\n`;
  const text = TEMPLATES["evals.yml"]
    .replace("      - run: npm ci\n", () => steps)
    .replace("npm run evals -- ", () => `${scriptCommand(manager, SCRIPT)} ${manager.separator ?? ""}`)
    .replace("    steps:\n", (line) =>
      workingDirectory
        ? `    defaults:\n      run:\n        working-directory: ${JSON.stringify(workingDirectory)}\n${line}`
        : line,
    );
  return { path: path.replaceAll("\\", "/"), text };
}

function manifestFor({ manifestText, isListed, ending }: InitProject, isSetUp: boolean): string | undefined {
  let text = manifestText ?? NEW_MANIFEST;
  const script = `openevals-wasm run evals/*.eval.${ending}`;
  if (!isSetUp) text = withMember(text, "scripts", SCRIPT, script);
  if (!isListed) text = withMember(text, "devDependencies", "openevals-wasm", `^${__version__}`);
  return text === manifestText ? undefined : text;
}

const NEW_MANIFEST = '{\n  "private": true,\n  "type": "module"\n}\n';

const statesOf = (folder: string, drafts: readonly Draft[]): Promise<PlannedFile[]> =>
  Promise.all(drafts.map(async (draft) => ({ ...draft, ...(await stateOf(folder, draft)) })));

async function stateOf(
  folder: string,
  { path, text }: Draft,
): Promise<Pick<PlannedFile, "state" | "inTheWay">> {
  const file = join(folder, path);
  const existing = await readFile(file, "utf8").catch(() => undefined);
  if (existing === text) return { state: "same" };
  // A link that leads nowhere exists as well.
  if (await lstat(file).catch(() => undefined)) return { state: "different", inTheWay: path };
  for (let above = dirname(path); above !== "."; above = dirname(above)) {
    const found = await stat(join(folder, above)).catch(() => undefined);
    if (found?.isDirectory()) break;
    if (found) return { state: "different", inTheWay: above };
  }
  return { state: "new" };
}
