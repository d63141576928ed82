/**
 * `/slim` and `/single` have no `import()`, since workers and extensions in a single script cannot load code later. Modules with
 * an `import()`, and those that import them, are published a second time, as `NAME.eager.js`, with static imports. All others,
 * including all with state, are shared with the other entry points.
 */

import { posix } from "node:path";
import { withoutEnding } from "./places.mjs";
import { exportedNames, replaced } from "./syntax.mjs";

/**
 * The code of the eager copy of the source `name`.
 *
 * @param compiled Returns the compiled code of a source.
 * @param withEagerCopy The sources that have such a copy.
 */
export function eagerCopy(name, compiled, withEagerCopy) {
  const sourceOf = (next) => posix.join(posix.dirname(name), withoutEnding(next));
  const hasCopy = (next) => next.startsWith(".") && withEagerCopy.has(sourceOf(next));
  const code = withStaticImports(compiled(name), (next) => exportedNames(compiled(sourceOf(next))));
  return replaced(code, ({ type, value }) =>
    type === "Literal" && typeof value === "string" && hasCopy(value)
      ? JSON.stringify(value.replace(/\.js$/, ".eager.js"))
      : undefined,
  );
}

/**
 * Replaces each `import("./x.js")` with a promise of static imports: an object of the module's exports, since bundlers keep all
 * of a module whose namespace is used.
 */
function withStaticImports(code, namesOf) {
  const imports = [];
  const text = replaced(code, ({ type, source }) => {
    if (type !== "ImportExpression") return undefined;
    if (source.type !== "Literal") throw new Error("A dynamic import has no fixed name.");
    const names = namesOf(source.value).map((name) => [name, `${name}${imports.length}`]);
    const list = (between) => names.map(([name, local]) => `${name}${between}${local}`).join(", ");
    imports.push(`import { ${list(" as ")} } from ${JSON.stringify(source.value)};\n`);
    return `Promise.resolve({ ${list(": ")} })`;
  });
  return imports.join("") + text;
}
