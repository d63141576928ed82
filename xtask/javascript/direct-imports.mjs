/**
 * Integrations import entry points, as users do. For the build, each name is imported from the module that defines it instead:
 * an entry point that is imported as a whole would be loaded as a whole.
 */

import { readFileSync, writeFileSync } from "node:fs";
import { posix } from "node:path";
import { filesBelow } from "../run.mjs";

const IMPORT = /^import \{([^}]*)\} from "([./]+\/(?:api|evaluation))\.js";$/gm;
const EXPORT = /^export \{([^}]*)\} from "\.\/([^"]+)";$/gm;

/** Rewrites the imports of values in `integrations/`, in the sources of the build. */
export function importDirectly(sources) {
  const defined = new Map(["api", "evaluation"].map((entry) => [entry, definitionsOf(sources, entry)]));
  for (const file of filesBelow(`${sources}/integrations`).filter((name) => name.endsWith(".ts"))) {
    const text = readFileSync(file, "utf8");
    const direct = text.replace(IMPORT, (statement, names, entry) => {
      const toSources = posix.dirname(entry);
      const places = defined.get(posix.basename(entry));
      // Types cost nothing, and stay.
      const lines = namesIn(names).map((name) => {
        const place = places.get(name);
        return `import { ${name} } from "${place ? `${toSources}/${place}` : `${entry}.js`}";`;
      });
      return lines.length ? lines.join(" ") : statement;
    });
    if (direct !== text) writeFileSync(file, direct);
  }
}

/** Where the values are defined that an entry point exports. */
function definitionsOf(sources, entry) {
  const text = readFileSync(`${sources}/${entry}.ts`, "utf8");
  const found = Array.from(text.matchAll(EXPORT), ([, names, file]) =>
    namesIn(names).map((name) => [name, file]),
  );
  return new Map(found.flat());
}

const namesIn = (list) => list.split(",").flatMap((name) => name.trim() || []);
