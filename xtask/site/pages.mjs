/** The pages of the guide as VitePress reads them: the chapters, the examples and the reference, in one folder. */

import { readFileSync } from "node:fs";
import { dirname, extname, join, relative } from "node:path";
import { filesBelow, path, TaskError } from "../run.mjs";
import { referencePages } from "./reference.mjs";

/** A fenced block; everything else is prose. */
const FENCE = /^([ \t]*)(`{3,})[^\n]*\n[\s\S]*?^\1\2[ \t]*$/gm;

/**
 * The groups of pages in reading order, `{ title, pages }`, with `{ name, title, description, text }` for each page.
 *
 * @param pkg The folder of the package whose reference is written.
 */
export async function pageGroups(pkg) {
  const reference = (await referencePages(pkg)).map((page) => ({ ...page, source: chapterFile(page.name) }));
  const groups = [
    ...chapterGroups(),
    { title: "Examples", pages: examplePages() },
    { title: "Reference", pages: reference },
  ];
  const all = groups.flatMap(({ pages }) => pages);
  const links = new Map(all.map(({ source, name }) => [source, `${name}.md`]));
  for (const page of all) {
    page.text = forSite(page, links);
    page.description ??= leadOf(page.text);
  }
  return groups;
}

const chapterFile = (name) => path(`www/guide/${name}.md`);

/** The chapters, in the groups and the order of `chapters.json`. */
export function chapterGroups() {
  const groups = JSON.parse(readFileSync(path("www/guide/chapters.json"), "utf8"));
  return groups.map(({ title, chapters }) => ({
    title,
    pages: chapters.map((name) => pageOf(name, chapterFile(name))),
  }));
}

/** The list of examples, and a page for each with its files. */
export function examplePages() {
  const list = pageOf("examples", path("www/examples/README.md"));
  const names = Array.from(list.text.matchAll(/\]\(([\w-]+)\/README\.md\)/g), ([, name]) => name);
  const pages = names.map((name) => {
    const folder = path("www/examples", name);
    const page = pageOf(`example-${name}`, `${folder}/README.md`);
    return { ...page, text: `${page.text.trimEnd()}\n\n${filesOf(folder)}\n` };
  });
  return [list, ...pages];
}

/** The files of an example, as tabs. */
function filesOf(folder) {
  const blocks = filesBelow(folder)
    // Recorded answers are not meant for readers.
    .filter((file) => !/\.md$|\/cache\//.test(file))
    .map((file) => {
      const text = readFileSync(file, "utf8").trimEnd();
      return `\`\`\`\`${extname(file).slice(1)} ${relative(folder, file)}\n${text}\n\`\`\`\``;
    });
  return ["## Files", "::: code-group", ...blocks, ":::"].join("\n\n");
}

function pageOf(name, source) {
  const text = readFileSync(source, "utf8");
  const [, title] = /^# (.+)$/m.exec(text) ?? [];
  if (!title) throw new TaskError(`${source} has no title: begin it with \`# \`.`);
  return { name, source, title: plain(title), text };
}

/**
 * A page without comments, with file names in the form of VitePress. Links to files outside the site become plain text.
 *
 * @param links The addresses of the pages, by their sources.
 * @param blockFor Changes a code block.
 */
export function forSite({ text, source }, links, blockFor = withTitle) {
  let [at, result] = [0, ""];
  const prose = (part) =>
    part
      .replaceAll(/<!--[\s\S]*?-->\n?/g, "")
      .replaceAll(/(?<!!)\[([^\]]*)\]\(([^)\s]+)\)/g, (link, label, href) => {
        if (/^(https?:|mailto:|#)/.test(href)) return link;
        const [file, anchor] = href.split("#");
        const target = links.get(join(dirname(source), file));
        return target ? `[${label}](${target}${anchor ? `#${anchor}` : ""})` : label;
      });
  for (const { 0: block, index } of text.matchAll(FENCE)) {
    result += prose(text.slice(at, index)) + blockFor(block);
    at = index + block.length;
  }
  return result + prose(text.slice(at));
}

/** `js next.config.mjs` becomes `js [next.config.mjs]`; marks for the tests are removed. */
const withTitle = (block) =>
  block.replace(/^([ \t]*`{3,}\w*)[ \t]+([^\n]+)/, (_, fence, info) => {
    const words = info.split(/ +/).filter((word) => word !== "no-run");
    return [fence, ...words.map((word) => (/^[[{]/.test(word) ? word : `[${word}]`))].join(" ");
  });

/** A page as plain Markdown, without the tabs and the anchors of VitePress. */
export const withoutDirectives = (text) =>
  text.replaceAll(/^:::.*\n\n?/gm, "").replaceAll(/^(#+ .*?) \{#.*\}$/gm, "$1");

/** The beginning of a page, in at most 200 characters of whole sentences. */
export function leadOf(text) {
  const paragraphs = text.replaceAll(FENCE, "").split(/\n{2,}/);
  const first = paragraphs.find((paragraph) => /^(?:\*\*|\[|`)?\p{L}/u.test(paragraph)) ?? "";
  const sentences = plain(first.replace(/^\*\*In short:\*\*\s*/, "")).split(/(?<=[.?!])\s+/);
  let lead = sentences.shift();
  while (sentences.length && lead.length + sentences[0].length < 200) lead += ` ${sentences.shift()}`;
  // Text after a colon is left out.
  return lead.replace(/:$/, ".");
}

/** Markdown in a line, as text. */
const plain = (markdown) =>
  markdown
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, "$1")
    .replaceAll(/[`*]/g, "")
    .replaceAll(/\s+/g, " ")
    .trim();
