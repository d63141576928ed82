/** The README and the chapters as pages: their order, their titles, where they lead. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { expect, test } from "vitest";
import { filesBelow } from "../../xtask/run.mjs";
import { chapters, pages, repository } from "./blocks.ts";

test("every chapter is in chapters.json, and begins with its title", () => {
  const files = readdirSync(join(repository, "www/guide")).filter((name) => name.endsWith(".md"));
  expect([...chapters].sort()).toEqual(files.map((name) => name.replace(/\.md$/, "")).sort());
  for (const { name, text } of pages) expect(text, name).toMatch(/^# \S/);
});

test("the README is short", () => {
  const readme = pages.find(({ name }) => name === "README");
  expect(readme?.text.split("\n").length).toBeLessThan(200);
});

/** The other documents of the repository. */
const documents = [
  ...["ARCHITECTURE", "CONTRIBUTING", "SECURITY"].map((name) => `.github/${name}.md`),
  "pkg-template/CHANGELOG.md",
  "SIZES.md",
  ...filesBelow(join(repository, "www/examples")).filter((file) => file.endsWith(".md")),
].map((name) => {
  const file = resolve(repository, name);
  return { name, file, text: readFileSync(file, "utf8") };
});

test("links lead somewhere, also within a page", () => {
  expect(documents.length).toBeGreaterThan(15);
  const broken = [...pages, ...documents].flatMap(({ name, file, text }) =>
    Array.from(text.matchAll(/\]\((?!https?:)([^)#]*)(?:#([^)]+))?\)/g)).flatMap(([link, path, anchor]) => {
      const target = path ? resolve(dirname(file), path) : file;
      if (!existsSync(target)) return [`${name}: ${link}`];
      return anchor && !anchorsOf(readFileSync(target, "utf8")).has(anchor) ? [`${name}: ${link}`] : [];
    }),
  );
  expect(broken).toEqual([]);
});

test("tables have as many cells in each row", () => {
  for (const { name, text } of pages) {
    for (const [table] of text.matchAll(/(?:^\|.*\|\n)+/gm)) {
      const widths = table
        .trimEnd()
        .split("\n")
        .map((line) => line.replaceAll("\\|", "").split("|").length);
      expect(new Set(widths).size, `${name}: ${table.slice(0, 200)}`).toBe(1);
    }
  }
});

test("every error code is in a table", () => {
  const declared = readFileSync(
    join(repository, "tests/node_modules/openevals-wasm/dist/core/errors.d.ts"),
    "utf8",
  );
  const [, union = ""] = /type OpenEvalsErrorCode = ([^;]+);/.exec(declared) ?? [];
  const codes = Array.from(union.matchAll(/"(\w+)"/g), ([, code]) => code);
  expect(codes.length).toBeGreaterThan(10);
  const listed =
    pages
      .find(({ name }) => name === "how-it-works")
      ?.text.match(/^\| `.*?\|/gm)
      ?.join("") ?? "";
  expect(codes.filter((code) => !listed.includes(`\`${code}\``))).toEqual([]);
});

test("the published README leads nowhere where nothing is", () => {
  const folder = join(import.meta.dirname, "../node_modules/openevals-wasm");
  const published = readFileSync(join(folder, "README.md"), "utf8");
  const links = Array.from(published.matchAll(/\]\((?!https?:)([^)#]+)/g), ([, path = ""]) => path);
  expect(links.filter((path) => !existsSync(join(folder, path)))).toEqual([]);
});

/** The names of headings, as GitHub makes them. */
const anchorsOf = (text: string): Set<string> =>
  new Set(
    Array.from(text.matchAll(/^#+ (.+)$/gm), ([, title = ""]) =>
      title
        .toLowerCase()
        .replaceAll(/[^\p{L}\p{N} _-]/gu, "")
        .replaceAll(" ", "-"),
    ),
  );
