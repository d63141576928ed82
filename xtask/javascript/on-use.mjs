/**
 * Writes exports that are loaded when they are first read: an application that imports one function does not load the code of
 * all others.
 */

import { posix } from "node:path";
import { nodeFiles } from "../entries.mjs";

/**
 * The modules that define what an entry point for Node exports, each with its exports: their names, and the names there.
 * `undefined` if it is needed as a whole: because it has no binary, for its effects, or because it defines an export itself.
 */
export async function definitionsOnUse({ source, runtime, isEager, hasSideEffects, hasDefault }, graph) {
  if (!runtime || isEager || hasSideEffects || hasDefault) return undefined;
  const prompts = await graph.exportsOf(PROMPTS.source);
  const modules = new Map();
  for (const [exported, { file, local }] of await graph.exportsOf(source)) {
    const module = prompts.has(exported) ? PROMPTS.name : file;
    modules.set(module, { ...modules.get(module), [exported]: local });
  }
  return modules.has(source) ? undefined : modules;
}

/** Prompts are in one file: the ES module of an entry point, whose constants cannot be loaded on use, needs all of them. */
const PROMPTS = nodeFiles.find(({ name }) => name === "prompts");

/** The modules that the ES module of an entry point reads when it is loaded, since they define constants and classes. */
export function readAtOnce(exports, definitions = new Map()) {
  const values = exports.filter(({ kind }) => kind === "value").map(({ name }) => name);
  return Array.from(definitions)
    .filter(([, names]) => values.some((name) => name in names))
    .map(([module]) => module);
}

/** The code that an entry point has in CommonJS besides that of Rollup. */
export function exportsOnUse(name, definitions) {
  const lines = Array.from(
    definitions,
    ([module, names]) =>
      `onUse(${JSON.stringify(names)}, () => require(${specifierOf(name, `${module}.cjs`)}));\n`,
  );
  return `${ON_USE}${lines.join("")}`;
}

/** The quoted path from an entry point to a file in `dist/`. */
export function specifierOf(name, file) {
  const relative = posix.relative(posix.dirname(name), file);
  return JSON.stringify(relative.startsWith(".") ? relative : `./${relative}`);
}

const ON_USE = `Object.defineProperty(exports, "__esModule", { value: true });
function onUse(names, load) {
  const define = (property) => {
    for (const [name, local] of Object.entries(names))
      Object.defineProperty(exports, name, { ...property(name, local), enumerable: true, configurable: true });
  };
  const loadAll = () => {
    const module = load();
    define((_, local) => ({ value: module[local], writable: true }));
  };
  define((name) => ({ get: () => (loadAll(), exports[name]) }));
}
`;
