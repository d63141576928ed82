/** The files of the site: links, texts for language models and other sites, and the reference. */
import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { folder } from "./build.js";
import { guidePages, read } from "./built.js";

const { exports } = createRequire(import.meta.url)("openevals-wasm/package.json");
const attributes = (html: string, name: string) =>
  Array.from(html.matchAll(new RegExp(`\\s${name}="([^"]*)"`, "g")), ([, value = ""]) =>
    value.replaceAll("&amp;", "&"),
  );

const ids = new Map<string, Set<string>>();
function idsOf(file: string): Set<string> {
  const known = ids.get(file) ?? new Set(attributes(read(file), "id"));
  ids.set(file, known);
  return known;
}

/** The broken ones of a file's links. */
function broken(file: string, links: string[]): string[] {
  return links
    .filter((link) => !/^(https?:|mailto:|data:)/.test(link))
    .filter((link) => {
      const [path = "", anchor] = decodeURI(link).split("#");
      const target = path ? join(dirname(file), path.endsWith("/") ? `${path}index.html` : path) : file;
      if (!existsSync(join(folder, target))) return true;
      return anchor && target.endsWith(".html") && target !== "playground.html" && !idsOf(target).has(anchor);
    })
    .map((link) => `${file}: ${link}`);
}

describe("links", () => {
  it.each([
    "index",
    "playground",
    ...guidePages.map((name) => `guide/${name}`),
  ])("of %s lead somewhere", (name) => {
    const html = read(`${name}.html`);
    expect(broken(`${name}.html`, [...attributes(html, "href"), ...attributes(html, "src")])).toEqual([]);
  });

  it("to pages as they were called before VitePress still lead there", () => {
    const before = ["first-score", "judges#what-the-score-is", "example-lambda", "examples", "index"];
    const reference = ["main#createllmasjudge", "code-e2b", "vitest-reporter", "checks#contains", "single"];
    const links = [...before, ...reference.map((name) => `reference-${name}`)].map((link) => {
      const [name, anchor] = link.split("#");
      return `guide/${name}.html${anchor ? `#${anchor}` : ""}`;
    });
    expect(broken("index.html", links)).toEqual([]);
  });
});

describe("for language models", () => {
  it("each page exists as Markdown, without marks for tests and VitePress", () => {
    for (const name of guidePages) {
      const text = read(`guide/${name}.md`);
      expect(text, name).toMatch(/^# \S/);
      expect(text, name).not.toMatch(/^:::|^---|no-run/m);
      expect(text, name).not.toMatch(/<!-- (answers|table)/);
      const links = Array.from(text.matchAll(/\]\(([\w-]+\.md)(?:#[^)]*)?\)/g), ([, link = ""]) => link);
      expect(broken(`guide/${name}.md`, links)).toEqual([]);
    }
  });

  it("llms.txt lists all pages, and llms-full.txt has the chapters", () => {
    const list = read("llms.txt");
    const links = Array.from(list.matchAll(/^- \[[^\]]+\]\(([^)]+)\): \S/gm), ([, link = ""]) => link);
    const pages = guidePages.filter((name) => name !== "index").map((name) => `guide/${name}.md`);
    expect([...links].sort()).toEqual(pages.sort());
    expect(list).toMatch(/^# openevals-wasm\n\n> Evaluators/);
    const full = read("llms-full.txt");
    expect(full).toContain("\n# Judges you can trust\n");
    expect(full).toContain("\n# Next.js\n");
  });
});

it("each page has its own description and picture", () => {
  const seen = new Set();
  for (const name of guidePages) {
    const html = read(`guide/${name}.html`);
    const meta = (key: string) =>
      new RegExp(`<meta (?:name|property)="${key}" content="([^"]+)"`).exec(html)?.[1];
    const description = meta("description") ?? "";
    expect(description.length, name).toBeGreaterThan(20);
    expect(meta("og:description"), name).toBe(description);
    expect(meta("og:title"), name).toBeTruthy();
    expect(meta("og:url")).toBe(`https://example.com/evals/guide/${name}.html`);
    expect(meta("og:image")).toBe(`https://example.com/evals/guide/previews/${name}.png`);
    const picture = readFileSync(join(folder, `guide/previews/${name}.png`));
    expect([picture.readUInt32BE(16), picture.readUInt32BE(20)]).toEqual([1200, 630]);
    seen.add(picture.toString("base64"));
  }
  expect(seen.size).toBe(guidePages.length);
});

describe("the reference", () => {
  const entries = Object.keys(exports).filter((entry) => exports[entry].default?.types);
  const pageOf = (entry: string) =>
    `reference-${entry === "." ? "main" : entry.slice(2).replaceAll("/", "-")}`;

  it("has a page for each entry point", () => {
    const pages = guidePages.filter((name) => name.startsWith("reference-"));
    expect(entries.map(pageOf).sort()).toEqual(pages.sort());
  });

  it.each(entries)("of %s has all that can be imported", async (entry) => {
    const text = read(`guide/${pageOf(entry)}.md`).replaceAll("\\_", "_");
    const names = Object.keys(await import(join("openevals-wasm", entry)));
    const listed = new Set(text.match(/(?<=^### |^- \[`)\w+/gm));
    const isMissing = (name: string) => name !== "default" && name !== "module.exports" && !listed.has(name);
    expect(names.filter(isMissing)).toEqual([]);
    expect(text).not.toContain("{@link");
  });
});
