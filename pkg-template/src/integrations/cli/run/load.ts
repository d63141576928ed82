/** Loads files that export experiments. */

import { execFile } from "node:child_process";
import { rm } from "node:fs/promises";
import { createRequire } from "node:module";
import { basename, dirname, extname, join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { duration } from "../../../core/number-text.js";
import { MAX_MS } from "../../../core/platform/deadline.js";
import { uuid } from "../../../core/platform/uuid.js";
import { evaluate } from "../../../evaluation.js";
import { CliError } from "../cli-error.js";
import { realPath, writeText } from "../files.js";
import { say } from "../output/terminal.js";
import { bundler, NODE_RUNS_TYPESCRIPT } from "./bundle.js";
import { SOURCE } from "./named-files.js";

/** The exports of a file, and the `evaluate()` that runs them. */
export interface Loaded {
  exports: Record<string, unknown>;
  evaluate: typeof evaluate;
}

/** The time after which a message says that a file is still loading. */
const SLOW_MS = 5_000;

/** Loads a file like {@link load}, and throws {@link CliError} once it takes longer than a limit. */
export async function loadWithin(maxMs = MAX_MS, file: string, shown: string): Promise<Loaded> {
  const slow = setTimeout(() => say(`${shown} is still loading`), SLOW_MS).unref();
  let limit: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    const problem = `The file did not load within ${duration(maxMs)}. Its code may await a promise that never settles.`;
    // A process with nothing left to do ends, whatever the limit.
    limit = setTimeout(() => reject(new CliError(problem)), Math.min(maxMs, MAX_MS)).unref();
  });
  try {
    return await Promise.race([load(file), late]);
  } finally {
    clearTimeout(slow);
    clearTimeout(limit);
  }
}

/** Loads a file. Throws the errors of its code, and {@link CliError} for a file that cannot be read as code. */
async function load(file: string): Promise<Loaded> {
  if (/\.(jsonl?|csv|parquet)(\.gz)?$/.test(file))
    throw new CliError("The file has data. run takes files that export experiments; score takes data.");
  const path = (await realPath(file)) ?? resolve(file);
  if (extname(path) && !SOURCE.test(path))
    throw new CliError(
      `A file ending with ${extname(path)} is not JavaScript or TypeScript. run takes files that export experiments.`,
    );
  const exports = await (/\.[mc]?tsx?$/.test(path) ? importTypeScript(path) : importJavaScript(path));
  return { exports, evaluate: evaluateOf(path) };
}

/** Imports JavaScript. Errors of an import do not say where a syntax error is, so `node --check` finds the line. */
async function importJavaScript(path: string): Promise<Record<string, unknown>> {
  try {
    return await importFile(path);
  } catch (error) {
    const found = error instanceof SyntaxError ? await syntaxError(path) : undefined;
    throw found ?? error;
  }
}

/** The syntax error of this file, with its line and the code; `undefined` if the error is in a file that it imports. */
async function syntaxError(path: string): Promise<CliError | undefined> {
  const checked = promisify(execFile)(process.execPath, ["--check", path]);
  const { stderr } = await checked.then(
    () => ({ stderr: "" }),
    (failed: { stderr?: string }) => ({ stderr: failed.stderr ?? "" }),
  );
  const [, position, excerpt, message] = /^(\S.*:\d+)\n([\s\S]*?)\n+(SyntaxError: .*)$/m.exec(stderr) ?? [];
  return position === undefined
    ? undefined
    : // At the end of a file, there is no code to show.
      new CliError(`${position.replace(/^file:\/\//, "")}: ${message}${excerpt ? `\n${excerpt}` : ""}`);
}

const importFile = (path: string): Promise<Record<string, unknown>> => importAt(pathToFileURL(path).href);

/** Bundlers do not follow an import of a variable. */
const importAt = (url: string): Promise<Record<string, unknown>> => import(url);

/** Loads TypeScript with the project's esbuild, or without one with Node, which only removes types. */
async function importTypeScript(path: string): Promise<Record<string, unknown>> {
  const bundle = bundler(path);
  if (!bundle) return importByNode(path);
  // Beside the file, so that its imports are found.
  const copy = join(dirname(path), `.${basename(path)}.${uuid().slice(0, 8)}.mjs`);
  try {
    await writeText(copy, await bundle(copy));
    process.setSourceMapsEnabled(true);
    return await importFile(copy);
  } finally {
    await rm(copy, { force: true });
  }
}

async function importByNode(path: string): Promise<Record<string, unknown>> {
  if (!NODE_RUNS_TYPESCRIPT) {
    throw new CliError(
      `The file is TypeScript, which Node ${process.versions.node} cannot run. ${INSTALL}, or use Node 22.18 or later.`,
    );
  }
  try {
    return await importFile(path);
  } catch (error) {
    const { code, message } = error as { code?: string; message: string };
    if (/import statement outside a module|Unexpected token 'export'/.test(message)) {
      throw new CliError(
        `${message}\nNode reads the file as CommonJS, since the nearest package.json does not have "type": "module". Rename it to ${basename(path).replace(/\.ts$/, ".mts")}, set the type, or install esbuild in the project.`,
      );
    }
    if (code !== "ERR_MODULE_NOT_FOUND" && code !== "ERR_UNSUPPORTED_TYPESCRIPT_SYNTAX") throw error;
    throw new CliError(
      `${message}\nNode runs TypeScript without enums and similar syntax, and imports need the extension of the file. ${INSTALL} to lift these limits.`,
    );
  }
}

const INSTALL = "Install esbuild in the project (npm install --save-dev esbuild)";

/** The `evaluate()` of the copy of the package that the file imports: the program may belong to another version. */
function evaluateOf(path: string): typeof evaluate {
  const require = createRequire(path);
  let file: string;
  try {
    file = require.resolve("openevals-wasm/evaluation");
  } catch {
    // The file does not use the package.
    return evaluate;
  }
  return require(file).evaluate;
}
