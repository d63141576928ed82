/** Finds the module that defines each export of a module, through re-exports. */

import { readFileSync } from "node:fs";
import { join, posix } from "node:path";
import { parse } from "acorn";
import { declaredNames } from "./syntax.mjs";

/**
 * Makes the function that maps the exports of a module, without types, to their definitions: the module, and the name there.
 *
 * @param has Whether a file is a module of the package.
 */
export function definitionsIn(esbuild, sources, has) {
  const known = new Map();

  async function definitionsOf(file) {
    if (!known.has(file)) known.set(file, await read(file));
    return known.get(file);
  }

  async function read(file) {
    const text = readFileSync(join(sources, file), "utf8");
    const { code } = await esbuild.transform(text, { loader: file.endsWith(".ts") ? "ts" : "js" });
    const { body } = parse(code, { ecmaVersion: "latest", sourceType: "module" });
    const resolved = ({ value }) => {
      const name = posix.join(posix.dirname(file), value);
      return [name.replace(/js$/, "ts"), name].find(has);
    };
    const imported = importedNames(body, resolved);
    const found = new Map();
    for (const node of body) {
      if (node.type === "ExportAllDeclaration") {
        for (const [name, place] of await definitionsOf(resolved(node.source)))
          if (name !== "default" && !found.has(name)) found.set(name, place);
      } else if (node.type === "ExportDefaultDeclaration") {
        found.set("default", { file, local: "default" });
      } else if (node.type === "ExportNamedDeclaration") {
        for (const name of declaredNames(node.declaration)) found.set(name, { file, local: name });
        for (const { local, exported } of node.specifiers) {
          const from = node.source ? [resolved(node.source), local.name] : imported.get(local.name);
          const own = { file, local: exported.name };
          found.set(exported.name, from ? (await definitionsOf(from[0])).get(from[1]) : own);
        }
      }
    }
    return found;
  }

  return definitionsOf;
}

/** The module of each imported name, and its name there. */
function importedNames(body, resolved) {
  const imported = new Map();
  for (const node of body) {
    if (node.type !== "ImportDeclaration") continue;
    for (const { local, imported: of } of node.specifiers)
      if (of) imported.set(local.name, [resolved(node.source), of.name]);
  }
  return imported;
}
