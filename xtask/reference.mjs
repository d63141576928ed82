/**
 * The reference, made of the declarations of the built package: a page of Markdown for each entry point, with what it exports
 * and what the documentation comments say of it. `node xtask/reference.mjs FOLDER` writes the pages.
 */

import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, posix } from "node:path";
import { main, path, TaskError } from "./run.mjs";

/** The pages, `{ name, title, text, part }`, in the order of the entry points. */
export function referencePages(pkg = path("pkg")) {
  const { name, exports } = JSON.parse(readFileSync(join(pkg, "package.json"), "utf8"));
  const entries = Object.entries(exports).filter(([, conditions]) => conditions.default?.types);
  let ofMain;
  return entries.map(([entry, conditions]) => {
    const title = posix.join(name, entry);
    const exported = exportsOf(join(pkg, conditions.default.types));
    ofMain ??= new Set(exported.keys());
    // It has all of the main entry point.
    if (entry === "./slim") for (const known of ofMain) exported.delete(known);
    const page = entry === "." ? "main" : entry.slice("./".length).replaceAll("/", "-");
    return { name: `reference-${page}`, title, text: pageOf(title, exported), part: "Reference" };
  });
}

const isValue = (kind) => ["function", "const", "class"].includes(kind);

function pageOf(title, exported) {
  const sections = [
    ["Functions and classes", (name, kind) => isValue(kind) && !name.startsWith("_")],
    ["Types", (_name, kind) => !isValue(kind)],
    ["For packages that were made for OpenEvals", (name, kind) => isValue(kind) && name.startsWith("_")],
  ].flatMap(([heading, belongs]) => {
    const names = Array.from(exported).filter(([name, [{ kind }]]) => belongs(name, kind));
    if (!names.length) return [];
    names.sort(([a], [b]) => (a.toLowerCase() < b.toLowerCase() ? -1 : 1));
    return [`## ${heading}`, ...names.map(([name, declarations]) => sectionOf(name, declarations))];
  });
  return `${[`# ${title}`, ...sections].join("\n\n")}\n`;
}

/** A function may have several declarations, each with what is to be said of it. */
function sectionOf(name, declarations) {
  const parts = declarations.flatMap(({ comment, code, bases }) => {
    const [description, ...rest] = documentation(comment);
    const declared = [code, ...bases.map((base) => base.code)].join("\n\n").replaceAll(LINK, "$1");
    return [description, `\`\`\`ts\n${declared}\n\`\`\``, ...rest];
  });
  return [`### \`${name}\``, ...parts.filter(Boolean)].join("\n\n");
}

/** What a module exports: the declarations of each name, those of other modules included. */
function exportsOf(file) {
  const exported = new Map();
  const declared = declarationsOf(file);
  for (const { name, isExported } of declared) if (isExported) exported.set(name, withBases(name, file));
  for (const [, all, names = "", from] of textOf(file).matchAll(
    /^export (?:type )?(?:(\*)|\{([^}]*)\}) from "(\.[^"]+)";/gm,
  )) {
    const source = declarationFile(file, from);
    if (all) for (const [name, declarations] of exportsOf(source)) exported.set(name, declarations);
    for (const item of names.split(",").filter((text) => text.trim())) {
      const [name, alias = name] = item
        .trim()
        .replace(/^type /, "")
        .split(" as ");
      const found = exportsOf(source).get(name) ?? fail(`${source} declares no ${name}.`);
      exported.set(
        alias,
        alias === name ? found : found.map((declaration) => renamed(declaration, name, alias)),
      );
    }
  }
  // Names that are imported first, and exported then.
  for (const [, names] of textOf(file).matchAll(/^export (?:type )?\{([^}]*)\};/gm))
    for (const item of names.split(",").filter((text) => text.trim())) {
      const name = item.trim().replace(/^type /, "");
      const found = declared.some((declaration) => declaration.name === name)
        ? withBases(name, file)
        : importedFrom(file, name);
      exported.set(name, found ?? fail(`${file} exports ${name}, which is not found.`));
    }
  return exported;
}

const renamed = (declaration, name, alias) => ({
  ...declaration,
  code: declaration.code.replace(new RegExp(`\\b${name}\\b`), alias),
});

/** The declarations of a name, each with the interfaces that it extends and nobody else exports. */
function withBases(name, file) {
  return declarationsOf(file)
    .filter((declaration) => declaration.name === name)
    .map((declaration) => {
      const [, extended = ""] = /^[^{]*?\bextends ([\w, ]+)\{/.exec(declaration.code) ?? [];
      const names = extended
        .split(",")
        .map((text) => text.trim())
        .filter(Boolean);
      const bases = names.flatMap((base) =>
        declarationsOf(file).some((other) => other.name === base)
          ? withBases(base, file)
          : (importedFrom(file, base) ?? []),
      );
      return { ...declaration, bases: bases.flatMap((base) => [base, ...base.bases]) };
    });
}

function importedFrom(file, name) {
  for (const [, names, from] of textOf(file).matchAll(/^import (?:type )?\{([^}]*)\} from "(\.[^"]+)";/gm))
    if (names.split(",").some((item) => item.trim().replace(/^type /, "") === name))
      return exportsOf(declarationFile(file, from)).get(name);
  return undefined;
}

const declarationFile = (file, from) => join(file, "..", from.replace(/\.js$/, ".d.ts"));

const texts = new Map();
function textOf(file) {
  if (!texts.has(file)) texts.set(file, readFileSync(file, "utf8"));
  return texts.get(file);
}

/** The declarations of a file as the compiler writes them: what is at the left margin begins or ends one. */
function declarationsOf(file) {
  const found = [];
  let comment = "";
  const lines = textOf(file).split("\n");
  for (let i = 0; i < lines.length; i++) {
    if (lines[i].startsWith("/**")) {
      const end = lines.findIndex((line, j) => j >= i && line.includes("*/"));
      comment = lines.slice(i, end + 1).join("\n");
      i = end;
      continue;
    }
    const start = /^(export )?(?:declare )?(?:abstract )?(function|const|class|interface|type) (\w+)/.exec(
      lines[i],
    );
    if (start) {
      const [, isExported, kind, name] = start;
      const end = lines.findIndex(
        (line, j) => j >= i && /^(?:\S.*)?(?:;|\})$/.test(line) && isWhole(lines, i, j),
      );
      const code = lines
        .slice(i, end + 1)
        .join("\n")
        .replace(/^(export )?(declare )?/, "");
      found.push({ name, kind, code, comment, isExported: Boolean(isExported) });
      i = end;
    }
    if (lines[i].trim()) comment = "";
  }
  return found;
}

/** Whether lines have as many brackets that close as ones that open. */
function isWhole(lines, start, end) {
  const code = lines
    .slice(start, end + 1)
    .join("\n")
    .replaceAll(/\/\*[\s\S]*?\*\/|"[^"\n]*"|=>/g, "");
  return (code.match(/[{([<]/g)?.length ?? 0) === (code.match(/[})\]>]/g)?.length ?? 0);
}

const LINK = /\{@link ([^}|]+)(?:\|[^}]*)?\}/g;

/** A documentation comment as Markdown: what it says, and then each of its tags. */
function documentation(comment) {
  const text = comment
    .replace(/^\/\*\*|\*\/$/g, "")
    .replaceAll(/^ *\* ?/gm, "")
    .replaceAll(LINK, "`$1`")
    .trim();
  const [description = "", ...tags] = text.split(/^@/m);
  const items = tags.map((tag) => {
    const [, kind, rest] = /^(\w+)\s*([\s\S]*)$/.exec(tag.trim()) ?? [];
    if (kind === "param") return rest.replace(/^(\w+) /, "- **`$1`**: ");
    if (kind === "returns") return `**Returns** ${rest}`;
    if (kind === "throws") return `**Throws** ${rest.replace(/^`OpenEvalsError` /, "")}`;
    if (kind === "example")
      return rest.replaceAll("```ts no-run", "```ts").replace(/^(.+)\n```/, "$1\n\n```");
    if (kind === "deprecated") return `**Deprecated.** ${rest}`;
    return rest;
  });
  return [description.trim(), ...items];
}

function fail(message) {
  throw new TaskError(message);
}

await main(import.meta.url, () => {
  const [folder = path("target/reference")] = process.argv.slice(2);
  mkdirSync(folder, { recursive: true });
  for (const { name, text } of referencePages()) writeFileSync(join(folder, `${name}.md`), text);
});
