/** Builds the guide with VitePress: pages, their Markdown for language models, and pictures for links to them. */

import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { hashOf, once, path, runBeside, say } from "../run.mjs";
import { llmsFiles } from "./llms.mjs";
import { pageGroups, withoutDirectives } from "./pages.mjs";
import { writePreviews } from "./previews.mjs";

const site = path("www/site");
const work = path("target/guide");

/**
 * Writes the guide to the folder `out`.
 *
 * @param pkg The folder of the package whose reference is written.
 * @param url Where the site will be, with a slash at its end, for what other sites read (`og:image`); may be empty.
 */
export async function buildGuide({ pkg, out, url }) {
  const groups = await pageGroups(pkg);
  const index = indexPage(groups);
  const pages = [index, ...groups.flatMap(({ pages }) => pages)];
  writeSources(groups, pages);
  const key = hashOf(`${work}/source`, `${site}/package-lock.json`, `${site}/.vitepress`);
  await once("guide", key, [`${work}/built/index.html`], async () => {
    say("Building the guide");
    rmSync(`${work}/built`, { recursive: true, force: true });
    const vitepress = `${site}/node_modules/vitepress/bin/vitepress.js`;
    // In its own folder: VitePress looks for Vue from where it runs.
    const options = { cwd: site, env: { SITE_SOURCE: `${work}/source` } };
    await runBeside("node", [vitepress, "build", "--outDir", `${work}/built`], options);
  });
  await writePreviews(pages, `${work}/previews`);
  cpSync(`${work}/built`, out, { recursive: true });
  for (const { name, text } of pages) {
    writeFileSync(join(out, `${name}.md`), withoutDirectives(text));
    cpSync(`${work}/previews/${name}.png`, join(out, `previews/${name}.png`));
    if (url)
      edit(join(out, `${name}.html`), (html) =>
        html.replaceAll(/"og:(?:url|image)" content="/g, `$&${url}guide/`),
      );
  }
  return llmsFiles(groups);
}

const edit = (file, change) => writeFileSync(file, change(readFileSync(file, "utf8")));

/** The input of VitePress. */
function writeSources(groups, pages) {
  const source = `${work}/source`;
  rmSync(source, { recursive: true, force: true });
  mkdirSync(`${source}/public`, { recursive: true });
  for (const { name, title, description, text } of pages) {
    const head = Object.entries({ title, description }).map(
      ([key, value]) => `${key}: ${JSON.stringify(value)}`,
    );
    writeFileSync(`${source}/${name}.md`, `---\n${head.join("\n")}\n---\n\n${text}`);
  }
  const listed = groups.map(({ title, pages }) => ({
    title,
    pages: pages.map(({ name, title }) => ({ name, title })),
  }));
  writeFileSync(`${source}/pages.json`, JSON.stringify({ groups: listed }));
  cpSync(path("www/shared/icon.svg"), `${source}/public/icon.svg`);
  // Pages are modules that import Vue.
  if (!existsSync(`${work}/node_modules`))
    symlinkSync(`${site}/node_modules`, `${work}/node_modules`, "junction");
}

/** The contents: every page with its first sentences. */
function indexPage(groups) {
  const lists = groups.map(({ title, pages }) => {
    const items = pages.map(
      ({ name, title, description }) => `- [${title}](${name}.md): ${escaped(description)}`,
    );
    return `## ${title}\n\n${items.join("\n")}`;
  });
  return {
    name: "index",
    title: "Guide",
    description:
      "Evaluators for LLM applications in one npm package: chapters, examples to copy, and the reference.",
    text: `# Guide\n\n${lists.join("\n\n")}\n`,
  };
}

const escaped = (text) => text.replaceAll(/[<{[\\*_`]/g, "\\$&");
