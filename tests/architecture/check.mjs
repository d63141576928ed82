/**
 * Checks the imports of `pkg-template/src/` by `rules.mjs`, and that its modules, the folders of a level, do not import each
 * other in a circle, not even types. A name of a type is defined in one file only.
 */

import { fileURLToPath } from "node:url";
import { cruise, format } from "dependency-cruiser";
import rules from "./rules.mjs";
import { repeatedNames } from "./type-names.mjs";

process.chdir(fileURLToPath(new URL("../../pkg-template", import.meta.url)));
const { forbidden, options } = rules;
const { output } = await cruise(["src"], { ...options, validate: true, ruleSet: { forbidden } });
const report = await format(output, { outputType: "err" });
if (report.exitCode) console.error(report.output);

const [, ...circle] = circleOf(importsOf(output.modules)) ?? [];
if (circle.length) {
  console.error(
    "Modules import each other in a circle. Two modules that need each other are one, or need a third that both import.",
  );
  for (const line of circle) console.error(`  ${line}`);
}

const repeated = repeatedNames(output.modules.map(({ source }) => source));
if (repeated.length) {
  console.error("The name of a type means one thing. Rename all but one of these, or import it.");
  for (const [name, files] of repeated) console.error(`  ${name}: ${files.join(", ")}`);
}
process.exitCode = report.exitCode || circle.length || repeated.length ? 1 : 0;

/** The modules that each module imports, with one import as an example. */
function importsOf(files) {
  const imports = new Map();
  for (const { source, dependencies } of files)
    for (const { resolved } of dependencies) {
      const [from, to] = [source, resolved].map(moduleOf);
      if (!from || !to || from === to) continue;
      if (!imports.has(from)) imports.set(from, new Map());
      imports.get(from).set(to, `${source} imports ${resolved}`);
    }
  return imports;
}

/** `core/input` of `src/core/input/checks.ts`; files of the first level are in no module. */
function moduleOf(file) {
  return /^src\/([^/]+\/[^/]+)\//.exec(file)?.[1];
}

/** The imports of a circle, after the module where it begins; `undefined` if there is none. */
function circleOf(imports) {
  const done = new Set();
  const visit = (module, path) => {
    const start = path.findIndex(([visited]) => visited === module);
    if (start >= 0) return [module, ...path.slice(start).map(([, example]) => example)];
    if (done.has(module)) return undefined;
    for (const [next, example] of imports.get(module) ?? []) {
      const found = visit(next, [...path, [module, example]]);
      if (found) return found;
    }
    done.add(module);
    return undefined;
  };
  for (const module of imports.keys()) {
    const found = visit(module, []);
    if (found) return found;
  }
  return undefined;
}
