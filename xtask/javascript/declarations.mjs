/** Checks all types, and writes the declarations that entry points reach. */

import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, posix } from "node:path";
import { binaryNames } from "../binaries.mjs";
import { entryFiles } from "../entries.mjs";
import { path, run } from "../run.mjs";
import { DIST } from "./places.mjs";
import { reachedFrom } from "./reach.mjs";

const IMPORTS = /(from |import\()"(\.[^"]+)\.js"/g;

/** Declarations for CommonJS omit the documentation, which would add a tenth to the package. */
export function writeDeclarations(sources) {
  const all = path("target/declarations");
  rmSync(all, { recursive: true, force: true });
  const tsc = path("node_modules/typescript/bin/tsc");
  run("node", [tsc, "--project", sources, "--outDir", all]);
  // Only the program sees the types of Node.
  run("node", [tsc, "--project", `${sources}/tsconfig.node.json`]);
  for (const name of binaryNames) cpSync(`${sources}/${name}.types.d.ts`, `${all}/${name}.types.d.ts`);
  reachedFrom(
    entryFiles.map(({ source }) => source),
    (name) => {
      const text = readFileSync(`${all}/${name}.d.ts`, "utf8");
      write(`${name}.d.ts`, text);
      const bare = text.replaceAll(/^[ \t]*\/\*\*[\s\S]*?\*\/\n/gm, "");
      write(`${name}.d.cts`, bare.replaceAll(IMPORTS, '$1"$2.cjs"'));
      return Array.from(text.matchAll(IMPORTS), ([, , next]) => posix.join(posix.dirname(name), next));
    },
  );
}

function write(name, text) {
  const file = path(DIST, name);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}
