/** The resources of the server: the chapters of the guide, and reports of experiments as Markdown. */

import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { CliError } from "../cli-error.js";
import type { CallOptions, Calls } from "./calls.js";
import type { Workspace } from "./workspace.js";

const GUIDE = "openevals-wasm://guide/";
const REPORT = "openevals-wasm://report/";
const mimeType = "text/markdown";

const DOCS = new URL("../docs/", import.meta.url);
/** The folder that `run --history` keeps experiments in. */
const HISTORY = ".evals";
const MAX_REPORTS = 100;

export const TEMPLATES = [
  {
    uriTemplate: `${REPORT}{+path}`,
    name: "report",
    title: "Report of an experiment",
    description: "The means and the failing rows of an experiment in a file of the workspace.",
    mimeType,
  },
];

/** The chapters, and the experiments that calls wrote or `run --history` keeps. */
export async function listResources(workspace: Workspace, written: ReadonlySet<string>) {
  const chapters = (await readdir(DOCS)).filter((file) => file.endsWith(".md")).sort();
  const guide = await Promise.all(
    chapters.map(async (file) => {
      const [, title = file] = /^# (.+)$/m.exec(await readFile(new URL(file, DOCS), "utf8")) ?? [];
      const name = file.replace(/\.md$/, "");
      return { uri: `${GUIDE}${name}`, name, title, mimeType };
    }),
  );
  const kept = await readdir(join(workspace.root, HISTORY)).catch(() => []);
  const experiments = [
    ...written,
    ...kept.filter((file) => file.endsWith(".json")).map((file) => `${HISTORY}/${file}`),
  ];
  const reports = experiments.slice(-MAX_REPORTS).map((path) => ({
    uri: `${REPORT}${encodeURI(path)}`,
    name: path,
    title: `Report of ${path}`,
    mimeType,
  }));
  return [...guide, ...reports];
}

/** The text of a resource; throws {@link CliError} for an unknown URI, and for a file outside of the workspace. */
export async function readResource(uri: string, calls: Calls, workspace: Workspace, options: CallOptions) {
  const text = await textOf(uri, calls, workspace, options);
  return { contents: [{ uri, mimeType, text }] };
}

async function textOf(
  uri: string,
  calls: Calls,
  workspace: Workspace,
  options: CallOptions,
): Promise<string> {
  if (uri.startsWith(GUIDE)) {
    const name = uri.slice(GUIDE.length);
    const text =
      /^[\w-]+$/.test(name) && (await readFile(new URL(`${name}.md`, DOCS), "utf8").catch(() => undefined));
    if (text) return text;
  }
  if (uri.startsWith(REPORT)) {
    const path = decoded(uri.slice(REPORT.length));
    if (path) return calls.run(["show", "--format=markdown", await workspace.existing(path)], options);
  }
  throw new CliError(`Unknown resource ${uri}. Call resources/list for the resources that exist.`);
}

function decoded(path: string): string | undefined {
  try {
    return decodeURI(path);
  } catch {
    return undefined;
  }
}
