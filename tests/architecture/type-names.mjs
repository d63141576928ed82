/** Finds names of types that mean several things. */

import { readFileSync } from "node:fs";
import ts from "typescript";

/** Types with the names that autoevals has for them. */
const MIRRORED = /^src\/integrations\/interop\/autoevals\//;

/**
 * The names that several files define, with these files. A name in an entry point for a type of another file is no
 * definition, and neither is an addition to a type of another package.
 *
 * @param {readonly string[]} files The paths of the modules.
 * @returns {[name: string, files: string[]][]}
 */
export function repeatedNames(files) {
  const found = new Map();
  for (const file of files.filter((path) => path.endsWith(".ts") && !MIRRORED.test(path))) {
    const source = ts.createSourceFile(file, readFileSync(file, "utf8"), ts.ScriptTarget.Latest);
    for (const statement of source.statements) {
      if (!isDefinition(statement)) continue;
      const name = statement.name.text;
      found.set(name, (found.get(name) ?? new Set()).add(file));
    }
  }
  return [...found].filter(([, places]) => places.size > 1).map(([name, places]) => [name, [...places]]);
}

const isDefinition = (statement) =>
  ts.isInterfaceDeclaration(statement) ||
  (ts.isClassDeclaration(statement) && statement.name) ||
  (ts.isTypeAliasDeclaration(statement) && !ts.isImportTypeNode(statement.type));
