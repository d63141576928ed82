/**
 * Writes the ES modules of entry points for Node. Each only forwards to CommonJS, which can load code when a function is first
 * called; static imports load it at once. So both formats share one engine, too.
 */

import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { posix } from "node:path";
import { fileURLToPath } from "node:url";
import { parse } from "acorn";
import { moduleForPages, nodeFiles } from "../entries.mjs";
import { path } from "../run.mjs";
import { specifierOf } from "./on-use.mjs";
import { DIST } from "./places.mjs";
import { reachedFrom } from "./reach.mjs";

/** What each entry point exports, by its name: functions with their own names and fields, and other values. */
export function describedExports() {
  const script = fileURLToPath(new URL("describe-exports.mjs", import.meta.url));
  const files = nodeFiles.map(({ entry }) => path(DIST, moduleForPages(entry)));
  const described = JSON.parse(execFileSync(process.execPath, [script, ...files], { encoding: "utf8" }));
  return new Map(nodeFiles.map(({ name }, i) => [name, described[i]]));
}

/**
 * @param described What each entry point exports.
 * @param onUse The modules that define what an entry point exports, if it loads them on use.
 */
export function writeNodeEntries(described, onUse) {
  for (const { name, entry } of nodeFiles) {
    const exports = described.get(name);
    writeFileSync(path(DIST, `${name}.mjs`), forwarding(name, exports, onUse.get(name)));
    writeFileSync(path(DIST, `${name}.js`), forPages(name, moduleForPages(entry), exports));
  }
}

/**
 * The module for pages without a bundler. It imports all that its modules import, so that a browser requests everything at once
 * instead of one level after the other.
 */
function forPages(name, module, exports) {
  const specifier = specifierOf(name, module);
  const below = reachedFrom([module], (file) =>
    parse(readFileSync(path(DIST, file), "utf8"), {
      ecmaVersion: "latest",
      sourceType: "module",
    }).body.flatMap(({ source }) => (source ? posix.join(posix.dirname(file), source.value) : [])),
  );
  below.delete(module);
  const lines = [`export * from ${specifier};`];
  if (exports.some(({ name }) => name === "default")) lines.push(`export { default } from ${specifier};`);
  lines.push(...Array.from(below, (file) => `import ${specifierOf(name, file)};`));
  return `${lines.join("\n")}\n`;
}

/**
 * The module that exports what a CommonJS module does. Its functions load their code when they are called. Other values cannot,
 * and are read from the modules that define them: `all` would define properties for them first.
 */
function forwarding(name, exports, definitions = new Map()) {
  const functions = exports.filter(({ kind }) => kind === "function");
  // Evaluators are named after their key, which tools show, and have fields such as `batch`.
  const isPlain = ({ name, ownName, fields }) => ownName === name && !fields.length;
  const plain = functions.filter(isPlain);
  const evaluators = functions.filter((each) => !isPlain(each));
  const values = exports.filter(({ kind, name }) => kind === "value" && name !== "default");
  const loaded = (module) => {
    const specifier = specifierOf(name, `${module}.cjs`);
    return `load ? load(${specifier}) : require(${specifier})`;
  };
  const lines = [
    'import { createRequire } from "node:module";',
    // Bundlers without the condition `module` follow `require`.
    'const load = typeof require === "function" ? undefined : createRequire(import.meta.url);',
    `const all = ${loaded(name)};`,
    // `loadPackage` imports the packages that ES modules of the application use.
    'globalThis[Symbol.for("openevals-wasm.imports")] = true;',
    ...plain.map(({ name }) => `export function ${name}(...args) { return all.${name}(...args); }`),
  ];
  if (evaluators.length) lines.push(ON_USE);
  for (const { name, ownName, fields } of evaluators)
    lines.push(
      `export const ${name} = onUse(${[name, ownName, ...fields].map((text) => JSON.stringify(text)).join(", ")});`,
    );
  const valuesOf = (source, isOfSource) => {
    const names = values.filter(isOfSource).map(({ name }) => name);
    if (names.length) lines.push(`export const { ${names.join(", ")} } = ${source};`);
  };
  for (const [module, names] of definitions) valuesOf(loaded(module), ({ name }) => names[name] === name);
  const isOnUse = (name) => Array.from(definitions.values()).some((names) => names[name] === name);
  valuesOf("all", ({ name }) => !isOnUse(name));
  if (exports.some(({ name }) => name === "default")) lines.push("export default all.default;");
  return `${lines.join("\n")}\n`;
}

const ON_USE = `function onUse(name, ownName, ...fields) {
  const { [ownName]: forward } = { [ownName](...args) { return all[name](...args); } };
  for (const field of fields)
    Object.defineProperty(forward, field, { get: () => all[name][field], enumerable: true, configurable: true });
  return forward;
}`;
