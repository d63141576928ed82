/** The reference: a page of Markdown for each entry point, which TypeDoc writes from the declarations of the package. */

import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join, posix } from "node:path";
import { pathToFileURL } from "node:url";
import { filesBelow, hashOf, once, path, TaskError } from "../run.mjs";

const require = createRequire(path("www/site/package.json"));
const OPTIONS = {
  router: "module",
  groupOrder: ["Functions", "Classes", "Variables", "Interfaces", "Type Aliases", "References"],
  sort: ["alphabetical"],
  readme: "none",
  disableSources: true,
  excludeExternals: true,
  externalPattern: ["**/typescript/lib/**", "**/node_modules/@types/**"],
  skipErrorChecking: true, // the build has checked them
  hidePageHeader: true,
  hideBreadcrumbs: true,
  hidePageTitle: true,
  useCodeBlocks: true,
  useHTMLAnchors: true,
  parametersFormat: "table",
  interfacePropertiesFormat: "table",
  classPropertiesFormat: "table",
  typeAliasPropertiesFormat: "table",
  typeDeclarationFormat: "table",
  tableColumnSettings: { hideInherited: true, hideOverrides: true, hideSources: true },
};

/**
 * Documents the package in the folder `pkg`.
 *
 * @returns `{ name, title, description, text }` of each page, in the order of the entry points.
 */
export async function referencePages(pkg = path("pkg")) {
  const entries = entriesOf(pkg);
  const work = path("target/reference");
  const declarations = filesBelow(join(pkg, "dist")).filter((file) => file.endsWith(".d.ts"));
  const key = hashOf(...declarations, path("xtask/site/reference.mjs"), path("www/site/package-lock.json"));
  await once("reference", key, [join(work, "pages")], () => document(entries, work));
  return entries.map(({ name, title, description }) => ({
    name,
    title,
    description,
    text: pageOf(title, description, readFileSync(join(work, `pages/${name}.md`), "utf8")),
  }));
}

/** The entry points with declarations: the name of the page, what is imported, and from which file. */
function entriesOf(pkg) {
  const { name, exports } = JSON.parse(readFileSync(join(pkg, "package.json"), "utf8"));
  return Object.entries(exports).flatMap(([entry, { default: conditions }]) => {
    if (!conditions?.types) return [];
    const file = join(pkg, conditions.types);
    const page = entry === "." ? "main" : entry.slice("./".length).replaceAll("/", "-");
    const title = posix.join(name, entry);
    return [{ name: `reference-${page}`, title, file, description: descriptionOf(file, title) }];
  });
}

/** The comment at the top of a file that does not document a declaration. */
function descriptionOf(file, title) {
  const [, comment] =
    /^\/\*\*((?:(?!\*\/)[\s\S])*)\*\/\n(?:import|export (?:type )?[*{])/.exec(readFileSync(file, "utf8")) ??
    [];
  const text = comment
    ?.replaceAll(/^ *\* ?/gm, "")
    .split("\n\n")[0]
    .replaceAll(/\{@link (\w+)\}/g, "`$1`")
    .replaceAll(/\s+/g, " ")
    .trim();
  return text || `Everything that ${title} exports.`;
}

async function document(entries, work) {
  const { Application } = await import(pathToFileURL(require.resolve("typedoc")).href);
  rmSync(work, { recursive: true, force: true });
  mkdirSync(work, { recursive: true });
  // TypeDoc names a page after the file of its entry point.
  const files = entries.map(({ name, file }) => {
    const source = join(work, `${name}.ts`);
    const module = JSON.stringify(file.replace(/\.d\.ts$/, ".js"));
    const hasDefault = /^export default|\bas default\b/m.test(readFileSync(file, "utf8"));
    const others = hasDefault ? `export { default } from ${module};\n` : "";
    writeFileSync(source, `export * from ${module};\n${others}`);
    return source;
  });
  const compilerOptions = {
    ...{ target: "es2022", module: "esnext", moduleResolution: "bundler" },
    ...{ lib: ["es2022", "dom", "dom.iterable"], types: [], strict: true, skipLibCheck: true },
  };
  const tsconfig = join(work, "tsconfig.json");
  writeFileSync(tsconfig, JSON.stringify({ compilerOptions, files }));
  const plugin = [require.resolve("typedoc-plugin-markdown")];
  const settings = {
    ...OPTIONS,
    entryPoints: files,
    tsconfig,
    plugin,
    out: join(work, "pages"),
    logLevel: "Error",
  };
  const app = await Application.bootstrapWithPlugins(settings);
  const project = await app.convert();
  if (!project || app.logger.hasErrors()) throw new TaskError("TypeDoc cannot document the package.");
  await app.generateOutputs(project);
}

/** The page of an entry point. Exports that another page documents become a list of links. */
function pageOf(title, description, text) {
  const [own, others = ""] = text
    .replaceAll("```ts no-run", "```ts")
    // Underscores in an anchor would be emphasis.
    .replaceAll(/(?<=#|<a id=")__(\w+)__/g, "$1")
    .split(/^## References$/m);
  const links = others.match(/(?<=^Re-exports )\[.*$/gm) ?? [];
  const list = links.map((link) => `- ${link.replace(/^\[([^\]]*)\]/, "[`$1`]")}`);
  const also = list.length ? `## Also exported\n\n${list.join("\n")}` : "";
  return `${[`# ${title}`, description, withAnchors(own.trim()), also].filter(Boolean).join("\n\n")}\n`;
}

/** Exports and their members keep the anchors that TypeDoc links to; "Parameters" and "Example" get those of their export. */
function withAnchors(text) {
  const counts = new Map();
  let owner;
  const unique = (id) => {
    const count = (counts.get(id) ?? 0) + 1;
    counts.set(id, count);
    return count > 1 ? `${id}_${count}` : id;
  };
  return text.replaceAll(
    /^(?:<a id="([^"]+)"><\/a>\n+)?(#{2,}) (?:~~)?(.*?)(?:~~)?$/gm,
    (_, known, level, heading) => {
      if (level.length <= 3) owner = known;
      const slug = heading.toLowerCase().replaceAll(/\W+/g, "-");
      return `${level} ${heading} {#${known ?? unique(owner ? `${owner}-${slug}` : slug)}}`;
    },
  );
}
