/** The scripts for a TypeScript sandbox. They need Node 18 or later and nothing else. */

import { SANDBOX_FOLDER } from "./sandbox.js";

/** Loads the project's TypeScript if it has the API of versions 5 and 6, otherwise that of the tools. */
const TYPESCRIPT = `import { createRequire } from "node:module";
import { join } from "node:path";

const load = (from) => {
  try {
    const typescript = createRequire(from)("typescript");
    return typescript.createProgram && typescript;
  } catch {}
};
export const typescript = load(join(process.cwd(), "outputs.ts")) || load(import.meta.url);
`;

/**
 * Installs the tools in its arguments, such as tsx@4, and the packages that outputs.ts imports, unless they are
 * installed. Packages that do not exist are skipped, since the check reports them. Exits with 1 and npm's message for
 * any other failure.
 */
const INSTALL = String.raw`import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { isBuiltin } from "node:module";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

const tools = dirname(fileURLToPath(import.meta.url));
const project = resolve(".");

function find(name, folder) {
  const found = join(folder, "node_modules", name, "package.json");
  if (existsSync(found)) return found;
  return folder === dirname(folder) ? undefined : find(name, dirname(folder));
}

// Version 7 has another API.
function isTypeScript(found) {
  return found !== undefined && parseInt(JSON.parse(readFileSync(found, "utf8")).version) < 7;
}

function isTool(tool) {
  const name = tool.slice(0, tool.lastIndexOf("@"));
  if (name !== "typescript") return find(name, tools) !== undefined;
  return isTypeScript(find(name, project)) || isTypeScript(find(name, tools));
}

function npm(folder, packages, ...flags) {
  const options = ["--no-audit", "--no-fund", "--prefer-offline", "--loglevel=error", ...flags];
  const { status, error, stderr } = spawnSync("npm", ["install", ...options, "--", ...packages], {
    cwd: folder,
    encoding: "utf8",
  });
  return status === 0 ? undefined : String(error ?? stderr);
}

function fail(problem) {
  process.stderr.write(problem);
  process.exit(1);
}

function install(packages) {
  if (packages.length === 0) return;
  let problem = npm(project, packages);
  if (/\bcode ERESOLVE\b/.test(problem)) problem = npm(project, packages, "--force");
  if (problem === undefined) return;
  // An unknown package fails the whole installation, so try one by one.
  if (packages.length > 1) return packages.forEach((name) => install([name]));
  const isUnknown = /\bcode E404\b/.test(problem) && problem.includes("'" + packages[0] + "@");
  // A dependency that does not exist is the registry's fault, not the code's.
  if (!isUnknown && !/\bcode EINVALIDPACKAGENAME\b/.test(problem)) fail(problem);
}

function importsOf(ts, code) {
  const names = new Set();
  const add = (node) => node && ts.isStringLiteralLike(node) && names.add(node.text);
  const visit = (node) => {
    if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) add(node.moduleSpecifier);
    else if (ts.isExternalModuleReference(node)) add(node.expression);
    else if (ts.isImportTypeNode(node)) add(node.argument.literal);
    else if (ts.isCallExpression(node)) {
      const { kind, text } = node.expression;
      if (kind === ts.SyntaxKind.ImportKeyword || text === "require") add(node.arguments[0]);
    }
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile("outputs.ts", code, ts.ScriptTarget.Latest));
  return [...names];
}

const packageOf = (name) => name.split("/").slice(0, name.startsWith("@") ? 2 : 1).join("/");
// Relative paths, URLs and aliases of bundlers are not packages.
const isPackage = (name) => /^(@[a-z0-9][\w.-]*\/)?[a-z0-9][\w.-]*$/i.test(name);

// Without a package.json, npm installs into a parent folder.
for (const folder of [project, tools]) {
  const manifest = join(folder, "package.json");
  if (!existsSync(manifest)) writeFileSync(manifest, '{ "private": true, "type": "module" }');
}
const missing = () => process.argv.slice(2).filter((tool) => !isTool(tool));
const problem = missing().length ? npm(tools, missing()) : undefined;
if (missing().length) fail(problem ?? "These were not installed: " + missing());
const code = readFileSync("outputs.ts", "utf8");
// TypeScript takes longer to load than most code to run.
const mayImport = /import|export|require|\\u/.test(code);
const names = mayImport ? importsOf((await import("./typescript.mjs")).typescript, code) : [];
const modules = names.filter((name) => !isBuiltin(name));
const packages = [...new Set(modules.map(packageOf).filter(isPackage))];
install(packages.filter((name) => !find(name, project)));
`;

/** Checks the types of outputs.ts and prints the errors as JSON: [{ line, column, message }]. */
const CHECK = String.raw`import { typescript as ts } from "./typescript.mjs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

const tools = dirname(fileURLToPath(import.meta.url));
const roots = [];
for (let folder = tools; ; folder = dirname(folder)) {
  roots.push(join(folder, "node_modules/@types"));
  if (folder === dirname(folder)) break;
}
const file = resolve("outputs.ts");
const program = ts.createProgram([file], {
  module: ts.ModuleKind.NodeNext,
  moduleResolution: ts.ModuleResolutionKind.NodeNext,
  target: ts.ScriptTarget.ES2021,
  alwaysStrict: true,
  strict: false,
  skipLibCheck: true,
  noEmit: true,
  // The project's own types come first.
  typeRoots: [...roots.slice(1), roots[0]],
  ...(parseInt(ts.version) > 5 && { types: ["*"] }),
});
const errors = [];
for (const { file: source, start = 0, messageText, code } of ts.getPreEmitDiagnostics(program)) {
  const message = ts.flattenDiagnosticMessageText(messageText, "\n");
  if (source && resolve(source.fileName) === file) {
    const { line, character } = source.getLineAndCharacterOfPosition(start);
    errors.push({ line: line + 1, column: character + 1, message });
  } else if (!source && code !== 2688) {
    process.stderr.write(message);
    process.exitCode = 1;
  }
}
console.log(JSON.stringify(errors));
`;

/** All scripts, by their path in the project's folder. */
export const SCRIPTS = {
  [`${SANDBOX_FOLDER}/typescript.mjs`]: TYPESCRIPT,
  [`${SANDBOX_FOLDER}/install.mjs`]: INSTALL,
  [`${SANDBOX_FOLDER}/check.mjs`]: CHECK,
};
