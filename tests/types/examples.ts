/** Finds the TypeScript examples in the documentation of the declarations. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

export interface Example {
  /** Where it stands: file and line. */
  source: string;
  /** The text after the language: `no-run`. */
  info: string;
  code: string;
}

const FENCE = /^[ \t]*```(?:ts|typescript)([^\n]*)\n([\s\S]*?)^[ \t]*```/gm;

/** The blocks of all `@example` tags of the declarations; one that imports nothing has all of `names` at hand. */
export function documentationExamples(folder: string, names: string[]): Example[] {
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((file) =>
    file.endsWith(".d.ts"),
  );
  return files.flatMap((file) => {
    const path = join(folder, file);
    const text = readFileSync(path, "utf8").replace(/^[ \t]*\* ?/gm, "");
    return blocks(path, text).map(({ source, info, code }) => {
      return {
        source,
        info,
        code: imports(code) ? code : `import { ${names.join(", ")} } from "openevals-wasm";\n${code}`,
      };
    });
  });
}

function blocks(file: string, text: string): Example[] {
  return [...text.matchAll(FENCE)].map((match) => {
    const line = text.slice(0, match.index).split("\n").length + 1;
    return { source: `${file}:${line}`, info: match[1] ?? "", code: match[2] ?? "" };
  });
}

function imports(code: string): boolean {
  return /^\s*import\b/m.test(code);
}
