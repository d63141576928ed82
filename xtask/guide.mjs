/** The guide of the site: the chapters of `www/guide/` as pages, and an index to search them. */

import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { path } from "./run.mjs";

const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
].join("; ");

/** The parts of the guide that follow its chapters. */
const PARTS = ["Examples", "Reference"];

/** How many characters of an export, or of a file of an example, can be searched. */
const MOST_OF_PART = 240;

/** The files of the chapters, in the order of `chapters.json`, which names them; without it, there are none. */
export function chapterFiles(folder) {
  const order = join(folder, "chapters.json");
  if (!existsSync(order)) return [];
  const names = JSON.parse(readFileSync(order, "utf8")).map((name) => name.replace(/(\.md)?$/, ".md"));
  return names.filter((name) => existsSync(join(folder, name)));
}

/**
 * The files of the guide in a folder, by their names: a page for each chapter and for each page of its other parts, the
 * contents, and the index.
 *
 * @param others Pages of Markdown, `{ name, title, text, part }`.
 */
export async function guidePages(folder, others = []) {
  const names = chapterFiles(folder);
  const render = await renderer(new Set([...names, ...others.map(({ name }) => name)].map(pageOf)));
  const written = names.map((file) => ({
    page: pageOf(file),
    ...render(readFileSync(join(folder, file), "utf8"), file),
  }));
  const made = others.map(({ name, title, text, part }) => ({
    page: pageOf(name),
    ...render(text, name),
    title,
    part,
  }));
  const chapters = [...written, ...made];
  const template = readFileSync(path("www/reader/page.html"), "utf8");
  const page = (title, content, current) =>
    template
      .replace("<!--policy-->", `<meta http-equiv="Content-Security-Policy" content="${POLICY}" />`)
      .replace("<!--title-->", () => escaped(title))
      .replace("<!--chapters-->", () => listOf(chapters, current))
      .replace("<!--content-->", () => content);
  const files = Object.fromEntries(
    chapters.map((chapter, index) => [
      chapter.page,
      page(chapter.title, chapter.html + besides(chapters[index - 1], chapters[index + 1]), chapter),
    ]),
  );
  const contents = written.map(
    ({ page, title, lead }) =>
      `<li><h2><a href="${page}">${escaped(title)}</a></h2><p>${escaped(lead)}</p></li>`,
  );
  files["index.html"] = page("Guide", `<h1>Guide</h1><ol class="contents">${contents.join("")}</ol>`);
  const sections = chapters.flatMap(({ page, title, sections, part }) =>
    sections.map(({ id, heading, text }) => ({
      href: id ? `${page}#${id}` : page,
      chapter: title,
      title: heading,
      // Other parts have long pages: what each export, or file, is.
      text: part ? text.slice(0, MOST_OF_PART) : text,
    })),
  );
  files["search.json"] = JSON.stringify(sections);
  return files;
}

// The contents are index.html.
const pageOf = (file) => `${file.replace(/\.md$/, "")}.html`.replace(/^index\.html$/, "introduction.html");

function listOf(chapters, current) {
  const items = (part) =>
    chapters
      .filter((chapter) => chapter.part === part)
      .map((chapter) => {
        const mark = chapter === current ? ' aria-current="page"' : "";
        return `<li><a href="${chapter.page}"${mark}>${escaped(chapter.title)}</a></li>`;
      });
  const more = PARTS.map((part) => [part, items(part)]).filter(([, items]) => items.length);
  return [
    `<ol>${items().join("")}</ol>`,
    ...more.map(([part, items]) => `<h2>${part}</h2><ol>${items.join("")}</ol>`),
  ].join("");
}

function besides(before, after) {
  const link = (chapter, label) =>
    chapter
      ? `<span>${label} <a href="${chapter.page}">${escaped(chapter.title)}</a></span>`
      : "<span></span>";
  return `<nav class="beside" aria-label="Other chapters">${link(before, "Before:")}${link(after, "Next:")}</nav>`;
}

/**
 * A function that makes a page of a chapter.
 *
 * @param pages The pages that there are.
 */
async function renderer(pages) {
  const [{ Marked }, { pieces }] = await Promise.all([
    import("marked"),
    importTypeScript("www/shared/highlight.ts"),
  ]);
  return (markdown, file) => {
    const slugs = new Map();
    const sections = [];
    const marked = new Marked({
      renderer: {
        heading({ tokens, depth }) {
          const html = this.parser.parseInline(tokens);
          const heading = textOf(html);
          const id = slugOf(heading, slugs);
          sections.push({ id: depth === 1 ? "" : id, heading, text: "" });
          return depth === 1
            ? `<h1>${html}</h1>\n`
            : `<h${depth} id="${id}"><a href="#${id}">${html.replaceAll(/<\/?a\b[^>]*>/g, "")}</a></h${depth}>\n`;
        },
        code({ text, lang = "" }) {
          const [language = ""] = lang.split(/\s/);
          const spans = pieces(text, language).map(([kind, part]) =>
            kind === "plain" ? escaped(part) : `<span class="t-${kind}">${escaped(part)}</span>`,
          );
          return `<div class="code-block"><pre tabindex="0"><code>${spans.join("")}</code></pre></div>\n`;
        },
        // Comments tell the tests what to do.
        html({ text }) {
          return text.replaceAll(/<!--[\s\S]*?-->/g, "");
        },
        link({ href, title, tokens }) {
          const html = this.parser.parseInline(tokens);
          const target = targetOf(href, pages);
          return target
            ? `<a href="${escaped(target)}"${title ? ` title="${escaped(title)}"` : ""}>${html}</a>`
            : html;
        },
      },
      hooks: {
        // A wide table scrolls by itself, and not the page.
        postprocess: (html) =>
          html
            .replaceAll("<table>", '<div class="table" tabindex="0"><table>')
            .replaceAll("</table>", "</table></div>"),
      },
    });
    const html = marked.parse(markdown);
    const title = sections[0]?.heading ?? file;
    // Each section with the text down to the next heading.
    const parts = html.split(/(?=<h[1-6][ >])/).filter((part) => /^<h[1-6]/.test(part));
    parts.forEach((part, index) => {
      const section = sections[index];
      if (section) section.text = textOf(part.replace(/^<h[1-6][\s\S]*?<\/h[1-6]>/, " "));
    });
    const lead = textOf(/<p>([\s\S]*?)<\/p>/.exec(html)?.[1] ?? "");
    return { title, html, lead, sections };
  };
}

/** Where a link of a chapter leads on the site; nowhere, if it leads to what is not on it. */
function targetOf(href, pages) {
  if (/^(https?:|mailto:|#)/.test(href)) return href;
  if (href === "../examples/README.md") return pages.has("examples.html") ? "examples.html" : undefined;
  const [, example] = /^(?:\.\.\/examples\/)?([\w-]+)\/README\.md$/.exec(href) ?? [];
  if (example && pages.has(`example-${example}.html`)) return `example-${example}.html`;
  const [, file, anchor = ""] = /^(?:\.\/)?([\w.-]+\.md)(#.*)?$/.exec(href) ?? [];
  return file && pages.has(pageOf(file)) ? `${pageOf(file)}${anchor}` : undefined;
}

/** As GitHub makes anchors, so that links work there as well. */
function slugOf(heading, slugs) {
  const slug = heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, "")
    .trim()
    .replaceAll(/\s/g, "-");
  const count = slugs.get(slug) ?? 0;
  slugs.set(slug, count + 1);
  return count ? `${slug}-${count}` : slug;
}

const ENTITIES = { "&amp;": "&", "&lt;": "<", "&gt;": ">", "&quot;": '"', "&#39;": "'" };

/** The text of HTML, in one line. */
const textOf = (html) =>
  html
    .replaceAll(/<[^>]*>/g, "")
    .replaceAll(/&(?:amp|lt|gt|quot|#39);/g, (entity) => ENTITIES[entity])
    .replaceAll(/\s+/g, " ")
    .trim();

const escaped = (text) =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");

/** A module of the site that the build uses, too. */
async function importTypeScript(file) {
  const { transform } = await import("esbuild");
  const { code } = await transform(readFileSync(path(file), "utf8"), { loader: "ts", format: "esm" });
  return import(`data:text/javascript,${encodeURIComponent(code)}`);
}
