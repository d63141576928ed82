/** Files that declare experiments, loaded. */

import { rm } from "node:fs/promises";
import { createRequire } from "node:module";
import { basename, dirname, join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { uuid } from "../../../core/platform/uuid.js";
import { evaluate } from "../../../experiments/evaluate/evaluate.js";
import { realPath, writeText } from "../files.js";
import { Mistake } from "../mistake.js";
import { process } from "../streams.js";
import { bundler } from "./bundle.js";

/** What a file exports, and the function that runs it. */
export interface Loaded {
  exports: Record<string, unknown>;
  evaluate: typeof evaluate;
}

/** Loads a file; throws whatever it throws, and a {@link Mistake} for TypeScript that nothing here can read. */
export async function load(file: string): Promise<Loaded> {
  const path = (await realPath(file)) ?? resolve(file);
  const exports = await (/\.[mc]?tsx?$/.test(path) ? importTypeScript(path) : importFile(path));
  return { exports, evaluate: await evaluateOf(path) };
}

const importFile = (path: string): Promise<Record<string, unknown>> => importAt(pathToFileURL(path).href);

/** By a variable, which no bundler follows. */
const importAt = (url: string): Promise<Record<string, unknown>> => import(url);

/** By the esbuild of the project, which reads all of TypeScript, or else by Node, which takes away types. */
async function importTypeScript(path: string): Promise<Record<string, unknown>> {
  const bundle = bundler(path);
  if (!bundle) return importByNode(path);
  // Beside the file, so that what it imports is found from there.
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
  const { features, versions } = process;
  if (!features.typescript) {
    throw new Mistake(
      `It is TypeScript, which Node ${versions.node} does not read. ${INSTALL}, or take Node 22.18 or later.`,
    );
  }
  try {
    return await importFile(path);
  } catch (error) {
    const { code, message } = error as { code?: string; message: string };
    if (/import statement outside a module|Unexpected token 'export'/.test(message)) {
      throw new Mistake(
        `${message}\nBelow a package.json whose type is not "module", Node reads it as CommonJS: call it ${basename(path).replace(/\.ts$/, ".mts")}, set the type, or install esbuild in the project.`,
      );
    }
    if (code !== "ERR_MODULE_NOT_FOUND" && code !== "ERR_UNSUPPORTED_TYPESCRIPT_SYNTAX") throw error;
    throw new Mistake(
      `${message}\nNode reads TypeScript without enums and the like, and imports files by their whole names. ${INSTALL} for the rest.`,
    );
  }
}

const INSTALL = "Install esbuild in the project (npm install --save-dev esbuild)";

/**
 * `evaluate` of the copy of the package that the file has: a judge only finds the cache of an experiment of its own copy, and
 * modules and CommonJS have one each.
 */
async function evaluateOf(path: string): Promise<typeof evaluate> {
  const require = createRequire(path);
  let manifest: string;
  try {
    manifest = require.resolve("openevals-wasm/package.json");
  } catch {
    // It needs nothing of the package.
    return evaluate;
  }
  if (require.cache[path]) return require("openevals-wasm/evaluation").evaluate;
  return (await importFile(join(dirname(manifest), "dist/evaluation.js"))).evaluate as typeof evaluate;
}
