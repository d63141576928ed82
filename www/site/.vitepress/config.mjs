/** The site of the guide. `xtask/site.mjs` writes the pages to the folder in `SITE_SOURCE`, and builds it. */

import { createHash } from "node:crypto";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { transformerStyleToClass } from "@shikijs/transformers";
import { defineConfig } from "vitepress";
import { slugger } from "./slugs.mjs";

const source = process.env.SITE_SOURCE;
const { groups } = JSON.parse(readFileSync(join(source, "pages.json"), "utf8"));

/** Stands for the address of the site, which is unknown here. Pages have relative links, and scripts set `SITE_BASE`. */
const BASE = "/site-base/";
const baseAtRuntime = {
  name: "base-at-runtime",
  // The index of the search names pages by their addresses.
  transform(code, id) {
    if (!/@localSearchIndex./.test(id)) return undefined;
    const index = code.replace("export default", "const index =");
    return `${index};\nexport default index.replaceAll("${BASE}", globalThis.SITE_BASE);`;
  },
};

/** The sidebar with the groups that `has` chooses by their title. */
const sidebar = (has) =>
  groups
    .filter(({ title }) => has(title))
    .map(({ title, pages }) => ({
      text: title,
      items: pages.map(({ name, title }) => ({ text: title, link: `/${name}` })),
    }));

const tokenClasses = transformerStyleToClass({ classPrefix: "t-" });

/** Shiki stops in a line that takes longer than half a second, so that a busy machine would build another site. */
const untilTheEnd = {
  preprocess(_code, options) {
    options.tokenizeTimeLimit = 0;
  },
};

export default defineConfig({
  srcDir: source,
  cacheDir: join(source, "../cache"),
  base: BASE,
  lang: "en",
  title: "openevals-wasm",
  description: "Evaluators for LLM applications, in one npm package without dependencies.",
  // The transition is a style element, which the policy forbids.
  appearance: { disableTransition: false },
  metaChunk: true,
  router: { prefetchLinks: false },
  head: [
    ["link", { rel: "icon", href: `${BASE}icon.svg`, type: "image/svg+xml" }],
    ["link", { rel: "stylesheet", href: `${BASE}code.css` }],
    ["link", { rel: "stylesheet", href: `${BASE}../assets/fonts.css` }],
  ],
  markdown: {
    theme: { light: "github-light-high-contrast", dark: "github-dark-high-contrast" },
    languageAlias: { mjs: "js" },
    codeTransformers: [tokenClasses, untilTheEnd],
    anchor: { slugify: slugger },
    config(md) {
      withMemory(md);
      withFileNames(md);
      withoutTemplates(md);
      withoutStyles(md);
    },
  },
  themeConfig: {
    logo: { src: "/icon.svg", alt: "" },
    nav: [
      { text: "Guide", link: "/first-score", activeMatch: "^/(?!example|reference)" },
      { text: "Examples", link: "/examples", activeMatch: "^/example" },
      { text: "Reference", link: "/reference-main", activeMatch: "^/reference" },
      { text: "Playground", link: "../playground.html", target: "_self" },
    ],
    logoLink: { link: "../index.html", target: "_self" },
    // The first that fits counts.
    sidebar: {
      "/example": sidebar((title) => title === "Examples"),
      "/reference": sidebar((title) => title === "Reference"),
      "/": sidebar((title) => title !== "Examples" && title !== "Reference"),
    },
    outline: { level: [2, 3] },
    search: { provider: "local", options: { _render: forSearch } },
    notFound: {
      title: "Page not found",
      quote: "There is no page at this address.",
      linkText: "To the guide",
    },
  },
  transformHead({ page, title, description }) {
    if (page === "404.md") return [];
    const name = page.replace(/\.md$/, "");
    // buildGuide() makes the addresses absolute.
    const preview = {
      "og:type": "article",
      "og:title": title,
      "og:description": description,
      "og:url": `${name}.html`,
      "og:image": `previews/${name}.png`,
      "og:image:width": "1200",
      "og:image:height": "630",
    };
    return [
      ["link", { rel: "alternate", type: "text/markdown", href: `${BASE}${page}` }],
      ["meta", { name: "twitter:card", content: "summary_large_image" }],
      ...Object.entries(preview).map(([property, content]) => ["meta", { property, content }]),
    ];
  },
  // theme.css has the two styles that the theme writes into elements.
  transformHtml: (html) =>
    withPolicy(
      html.replaceAll(`="${BASE}`, '="./').replaceAll(/ style="(--vp-vh:0px|position:relative);"/g, ""),
    ),
  buildEnd({ outDir }) {
    writeFileSync(join(outDir, "code.css"), tokenClasses.getCSS());
    const chunks = join(outDir, "assets/chunks");
    const metadata = readdirSync(chunks).find((name) => name.startsWith("metadata."));
    const setBase =
      'globalThis.SITE_BASE = __VP_SITE_DATA__.base = new URL("../../", import.meta.url).pathname;';
    writeFileSync(join(chunks, metadata), `${readFileSync(join(chunks, metadata), "utf8")}\n${setBase}\n`);
  },
  vite: {
    plugins: [baseAtRuntime],
    define: { "import.meta.env.BASE_URL": "globalThis.SITE_BASE" },
    experimental: { renderBuiltUrl: () => ({ relative: true }) },
    build: { chunkSizeWarningLimit: 2000 },
  },
});

/** Highlighted code. The search renders each page once more, and to highlight takes longer than everything else. */
const highlighted = new Map();

function withMemory({ options }) {
  const { highlight } = options;
  options.highlight = (...args) => {
    const key = JSON.stringify(args);
    if (!highlighted.has(key)) highlighted.set(key, highlight(...args));
    return highlighted.get(key);
  };
}

/** Shows the file name in brackets as a title, where VitePress does so only in groups of blocks. */
function withFileNames(md) {
  const { fence } = md.renderer.rules;
  md.renderer.rules.fence = (tokens, index, ...rest) => {
    const [, name] = /\[(.*)\]/.exec(tokens[index].info) ?? []; // which the rule takes out
    const html = fence(tokens, index, ...rest);
    const isInGroup = tokens.slice(0, index).findLast(({ type }) => /code-group/.test(type))?.nesting === 1;
    return name && !isInGroup ? `<div class="file"><p>${md.utils.escapeHtml(name)}</p>${html}</div>` : html;
  };
}

/** Keeps Vue from reading braces in prose as expressions. */
function withoutTemplates(md) {
  const { code_inline: code, text } = md.renderer.rules;
  md.renderer.rules.code_inline = (...args) => code(...args).replace("<code", "<code v-pre");
  md.renderer.rules.text = (...args) => text(...args).replaceAll("{{", "&#123;&#123;");
}

/** Aligns cells by classes, since the policy forbids styles in elements. */
function withoutStyles(md) {
  md.core.ruler.push("aligned-cells", ({ tokens }) => {
    for (const token of tokens) {
      const style = token.attrGet("style");
      if (style) token.attrs = [["class", style.replace("text-align:", "")]];
    }
  });
}

/** What the search reads: of the reference, each export as one section, and only where it is documented. */
function forSearch(source, env, md) {
  const html = md.render(source, env);
  if (!env.relativePath.startsWith("reference-")) return html;
  return html
    .replace(/<h2 id="also-exported"[\s\S]*/, "")
    .replaceAll(/<h([4-6]) [^>]*>(.*?)<\/h\1>/g, "<p>$2</p>");
}

/** Allows only the site's own scripts and styles; the two scripts in the page are allowed by their hashes. */
function withPolicy(html) {
  const inline = Array.from(
    html.matchAll(/<script(?![^>]*\ssrc=)[^>]*>([\s\S]*?)<\/script>/g),
    ([, code]) => code,
  );
  const hashes = inline.map((code) => `'sha256-${createHash("sha256").update(code).digest("base64")}'`);
  const policy = [
    "default-src 'none'",
    `script-src 'self' ${hashes.join(" ")}`,
    "style-src 'self'",
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
  ].join("; ");
  return html.replace(
    '<meta charset="utf-8">',
    (charset) => `${charset}\n    <meta http-equiv="Content-Security-Policy" content="${policy}">`,
  );
}
