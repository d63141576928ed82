/**
 * Writes the ES modules of entry points for Node. Each only forwards to CommonJS, which can load code when a function is first
 * called; static imports load it at once. So both formats share one engine, too.
 */

import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { posix } from "node:path";
import { fileURLToPath } from "node:url";
import { moduleForPages, nodeFiles } from "../entries.mjs";
import { path } from "../run.mjs";
import { DIST } from "./places.mjs";

export function writeNodeEntries() {
  const describe = fileURLToPath(new URL("describe-exports.cjs", import.meta.url));
  const files = nodeFiles.map(({ name }) => path(DIST, `${name}.cjs`));
  const described = JSON.parse(execFileSync(process.execPath, [describe, ...files], { encoding: "utf8" }));
  for (const [i, { name, entry }] of nodeFiles.entries()) {
    writeFileSync(path(DIST, `${name}.mjs`), forwarding(name, described[i]));
    const module = posix.relative(posix.dirname(name), moduleForPages(entry));
    const specifier = JSON.stringify(module.startsWith(".") ? module : `./${module}`);
    const hasDefault = described[i].some(({ name }) => name === "default");
    const reexported = hasDefault ? `export { default } from ${specifier};\n` : "";
    writeFileSync(path(DIST, `${name}.js`), `export * from ${specifier};\n${reexported}`);
  }
}

/** The module that exports what a CommonJS module does. Its functions load their code when they are called. */
function forwarding(name, exports) {
  const plain = exports.filter(({ kind, fields }) => kind === "function" && !fields.length);
  const withFields = exports.filter(({ kind, fields }) => kind === "function" && fields.length);
  const values = exports.filter(({ kind, name }) => kind === "value" && name !== "default");
  const file = JSON.stringify(`./${posix.basename(name)}.cjs`);
  const lines = [
    'import { createRequire } from "node:module";',
    // Bundlers without the condition `module` follow the first call.
    `const all = typeof require === "function" ? require(${file}) : createRequire(import.meta.url)(${file});`,
    // `loadPackage` imports the packages that ES modules of the application use.
    'globalThis[Symbol.for("openevals-wasm.imports")] = true;',
    ...plain.map(({ name }) => `export function ${name}(...args) { return all.${name}(...args); }`),
  ];
  if (withFields.length) lines.push(ON_USE);
  for (const { name, fields } of withFields)
    lines.push(
      `export const ${name} = onUse(${[name, ...fields].map((text) => JSON.stringify(text)).join(", ")});`,
    );
  if (values.length) lines.push(`export const { ${values.map(({ name }) => name).join(", ")} } = all;`);
  if (exports.some(({ name }) => name === "default")) lines.push("export default all.default;");
  return `${lines.join("\n")}\n`;
}

const ON_USE = `function onUse(name, ...fields) {
  const { [name]: forward } = { [name](...args) { return all[name](...args); } };
  for (const field of fields)
    Object.defineProperty(forward, field, { get: () => all[name][field], enumerable: true, configurable: true });
  return forward;
}`;
