/** Writes each ES module of Node as CommonJS next to it, so that both formats share code in the same way. */

import { readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { nodeFiles, packages } from "../entries.mjs";
import { path } from "../run.mjs";
import { DIST } from "./places.mjs";
import { reachedFrom } from "./reach.mjs";
import { replaced, SHORTER, tidied } from "./syntax.mjs";

/** @param outputs The ES modules, as esbuild's metafile lists them. */
export async function writeCommonJs(esbuild, outputs) {
  const modules = reachedFrom(
    [...nodeFiles, ...packages].map(({ name }) => `${DIST}/${name}.js`),
    (file) => outputs[file].imports.filter(({ external }) => !external).map((next) => next.path),
  );
  for (const file of modules) {
    const isModule = (name) => /^\.\.?\//.test(name) && modules.has(join(dirname(file), name));
    const prepared = forCommonJs(readFileSync(path(file), "utf8"), isModule);
    const { code } = await esbuild.transform(prepared, {
      format: "cjs",
      platform: "node",
      target: "es2022",
      ...SHORTER,
      supported: { "dynamic-import": true },
    });
    // Some tools look for the names of exports at the start of a line.
    writeFileSync(path(inCommonJs(file)), tidied(code).replace(";__export(", ";\n__export("));
  }
}

const inCommonJs = (name) => name.replace(/js$/, "cjs");

/** Prepares what esbuild does not convert: paths of modules, `import()` and `import.meta`. */
const forCommonJs = (code, isModule) =>
  replaced(code, (node) => {
    const { type, source, value } = node;
    const named = (name) => JSON.stringify(inCommonJs(name));
    // Jest cannot run dynamic imports in CommonJS.
    if (type === "ImportExpression" && source.type === "Literal" && isModule(source.value))
      return `Promise.resolve().then(() => require(${named(source.value)}))`;
    // Imports and exports name their source in a literal.
    if (type === "Literal" && typeof value === "string" && isModule(value)) return named(value);
    return isMeta(node) ? META[node.property.name] : undefined;
  });

const isMeta = ({ type, object, property }) =>
  type === "MemberExpression" && object.type === "MetaProperty" && property.name in META;

/** The replacements of `import.meta` in CommonJS. */
const META = {
  // Without this function the location is unknown, and the embedded copy is used.
  url: 'process.getBuiltinModule("node:url").pathToFileURL(__filename)',
  // Indirect, so that bundlers do not see a dependency, and `undefined` outside of CommonJS.
  moduleRequire: 'Reflect.get(module, "require")?.bind(module)',
};
