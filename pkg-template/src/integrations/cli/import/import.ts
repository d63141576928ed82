/** `import`: writes experiments from the files of other tools. */

import { rm } from "node:fs/promises";
import { basename, join, resolve } from "node:path";
import { CliError, usageError } from "../cli-error.js";
import { createText } from "../files.js";
import { addToJson } from "../output/json-result.js";
import { created } from "../output/streams.js";
import { say } from "../output/terminal.js";
import { bundler, NODE_RUNS_TYPESCRIPT } from "../run/bundle.js";
import { formatOf } from "./detect.js";
import { readContent } from "./files.js";
import { Findings, type Imported, type ImportSource } from "./imported.js";
import type { ImportFormat, ImportOptions } from "./options.js";

type Importer = (source: ImportSource, options: ImportOptions) => Imported | Promise<Imported>;

const dataset: Importer = async (source) => (await import("./datasets/dataset.js")).importDataset(source);

const IMPORTERS: Readonly<Record<ImportFormat, Importer>> = {
  promptfoo: async (source) => (await import("./promptfoo/promptfoo.js")).importPromptfoo(source),
  "openai-evals": async (source, { data }) => {
    const { importRegistry, importSamples, isRegistry } = await import("./openai-evals/registry.js");
    if (isRegistry(source.content)) return importRegistry(source, data);
    if (Array.isArray(source.content)) return importSamples(source);
    return (await import("./openai-evals/openai-evals.js")).importOpenAIEval(source, data);
  },
  deepeval: dataset,
  langsmith: dataset,
  braintrust: dataset,
  langfuse: dataset,
  inspect: async (source) => (await import("./datasets/inspect.js")).importInspect(source),
};

export async function importFiles(files: string[], options: ImportOptions): Promise<number> {
  const [path, ...more] = files;
  if (!path || more.length) throw usageError("import needs one file of another tool");
  const content = await readContent(path);
  const format = options.from ?? formatOf(content, path);
  if (options.data !== undefined && format !== "openai-evals")
    throw usageError("--data applies only to evals of OpenAI; remove it");
  const findings = new Findings();
  const imported = await IMPORTERS[format]({ path, content, findings }, options);
  const { skipped, different } = findings;
  addToJson({ different, left: skipped });
  for (const line of different) say(`Differs: ${line}`);
  for (const line of skipped) say(`Not imported: ${line}`);
  if (!imported.rows.length) throw new CliError(`${path} has no rows to import.`);
  if (skipped.length && !options.partial) {
    say("Nothing was written. To import the rest, add --partial.");
    return 1;
  }
  const written = await write(imported, stemOf(path), options.out ?? "evals");
  for (const file of written) created(file);
  if (!NODE_RUNS_TYPESCRIPT && !written.some((file) => bundler(resolve(file))))
    say(
      `Node ${process.versions.node} does not run TypeScript. Install esbuild before you run the experiment: npm install --save-dev esbuild`,
    );
  return 0;
}

/** Writes the experiment and its data; both are new, also if another program writes at the same time. */
async function write({ rows, code }: Imported, stem: string, folder: string): Promise<string[]> {
  const data = `${stem}.jsonl`;
  const files = [
    { path: join(folder, data), text: rows.map((row) => `${JSON.stringify(row)}\n`).join("") },
    { path: join(folder, `${stem}.eval.ts`), text: code(data) },
  ];
  const written: string[] = [];
  for (const { path, text } of files) {
    if (!(await createText(path, text))) {
      for (const other of written) await rm(other);
      throw new CliError(
        `${path} exists already. Move it, or name another folder with --out. Nothing was written.`,
      );
    }
    written.push(path);
  }
  return written;
}

/** The name of the files: that of the source, without what is the same in all of them. */
const stemOf = (path: string): string =>
  basename(path)
    .replace(/(\.eval)?\.\w+$/, "")
    .replaceAll(/[^\p{L}\p{M}\p{N}_.-]+/gu, "-")
    .replace(/^[.-]+/, "") || "imported";
