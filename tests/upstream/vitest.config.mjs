/** Upstream's suites, unchanged: their imports of upstream are resolved to this package. */

import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

const here = import.meta.dirname;
const root = join(here, "../../target/upstream/javascript");

/** Modules of upstream with their own entry points; the main one exports everything else. */
const ENTRIES = [
  [/^openevals\/src\/llm\./, "openevals-wasm/llm"],
  [/^openevals\/src\/utils\./, "openevals-wasm/utils"],
  [/^openevals\/src\/code\/typescript\./, "openevals-wasm/code/typescript"],
  [/^openevals\/src\/code\/e2b\//, "openevals-wasm/code/e2b"],
  [/^openevals\/src\/prompts\//, "openevals-wasm/prompts"],
];

const instead = {
  name: "this-package-instead",
  enforce: "pre",
  async resolveId(source, importer) {
    if (!importer?.startsWith(root)) return undefined;
    if (source === "@e2b/code-interpreter") return join(here, "sandbox.ts");
    if (!source.startsWith(".")) return undefined;
    const module = relative(root, join(importer, "..", source));
    const [, entry = "openevals-wasm"] = ENTRIES.find(([pattern]) => pattern.test(module)) ?? [];
    return fileURLToPath(import.meta.resolve(entry));
  },
};

export default defineConfig({
  plugins: [instead],
  test: {
    root,
    include: ["**/*.test.ts"],
    maxWorkers: "100%",
    testTimeout: 120_000,
    hookTimeout: 300_000,
    server: { deps: { external: [/node_modules/] } },
  },
});
