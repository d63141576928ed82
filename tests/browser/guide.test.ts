/** The reader of the guide, in Chromium, and the links of its chapters. */
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { examplePages } from "../../xtask/examples.mjs";
import { chapterFiles, guidePages } from "../../xtask/guide.mjs";
import { Site } from "./site.js";

const site = new Site();
const open = async (page: string) => {
  await site.open("texts", {}, {});
  await site.page.goto(`${site.url}guide/${page}`);
};
const search = (words: string) => site.page.getByLabel("Search the guide").fill(words);
const found = () => site.page.locator("#results a").allTextContents();

describe("a chapter", () => {
  it("is read, and leads to the others", async () => {
    await site.open("texts", {}, {});
    await site.page.getByRole("link", { name: "Guide" }).click();
    await expect
      .poll(() => site.page.locator(".contents h2").allTextContents())
      .toEqual(["The beginning", "The second chapter"]);
    await site.page.getByRole("link", { name: "The beginning" }).first().click();
    await site.page.getByRole("heading", { name: "The beginning" }).waitFor();
    expect(await site.page.locator("pre .t-comment").textContent()).toBe("// a comment");
    // What is not on the site is no link.
    expect(await site.page.locator("main a", { hasText: "in the code" }).count()).toBe(0);
    await site.page.getByRole("link", { name: "the second chapter", exact: true }).click();
    await expect.poll(() => site.page.url()).toBe(`${site.url}guide/second-chapter.html#tables`);
    expect(
      await site.page.locator("main h2").evaluateAll((headings: any[]) => headings.map(({ id }) => id)),
    ).toEqual(["tables", "tables-1"]);
    expect(await site.page.locator("td code").textContent()).toBe("<script>alert(1)</script>");
  });

  it("is searched, with all others", async () => {
    await open("beginning.html");
    await search("leven mark");
    await expect.poll(found).toEqual(["Tables"]);
    expect(await site.page.locator("#results mark").allTextContents()).toEqual(["Leven", "mark"]);
    await search("ZÜRICH");
    await expect.poll(() => site.page.locator("#found").textContent()).toBe("1 section");
    await search("<img src=x>");
    await expect.poll(() => site.page.locator("#found").textContent()).toBe("0 sections");
    await search("install");
    await expect.poll(async () => (await found())[0]).toBe("Install & run");
    await site.page.locator("#results a").first().click();
    await expect.poll(() => site.page.url()).toBe(`${site.url}guide/beginning.html#install--run`);
    await site.page.getByLabel("Search the guide").press("Escape");
    await expect.poll(found).toEqual([]);
    expect(await site.page.locator("#chapters").isVisible()).toBe(true);
  });

  it("is accessible, at every width", async () => {
    const axe = await readFile(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
    await open("second-chapter.html");
    await site.page.evaluate(axe);
    for (const [width, colorScheme] of [
      [360, "light"],
      [1280, "dark"],
    ] as const) {
      await site.page.setViewportSize({ width, height: 800 });
      await site.page.emulateMedia({ colorScheme });
      const isWide = "document.documentElement.scrollWidth > document.documentElement.clientWidth";
      expect(await site.page.evaluate(isWide)).toBe(false);
      const { violations } = await site.page.evaluate<any>("axe.run({ resultTypes: ['violations'] })");
      expect(
        violations.map(({ id, nodes }: any) => `${id}: ${nodes.map(({ target }: any) => target)}`),
      ).toEqual([]);
    }
  });
});

it("links between chapters lead somewhere", async () => {
  const folder = fileURLToPath(new URL("../../www/guide", import.meta.url));
  const pages: Record<string, string> = await guidePages(folder, examplePages());
  expect(chapterFiles(folder)).toContain("judges.md");
  const broken = Object.entries(pages).flatMap(([name, html]) =>
    Array.from(html.matchAll(/<a href="(?!https?:|mailto:|\.\.\/)([^"#]*)(?:#([^"]*))?"/g)).flatMap(
      ([, file = "", anchor]) => {
        const target = pages[file || name];
        const isThere = target !== undefined && (!anchor || target.includes(`id="${anchor}"`));
        return isThere ? [] : [`${name}: ${file}${anchor ? `#${anchor}` : ""}`];
      },
    ),
  );
  expect(broken).toEqual([]);
  // Those that leave the guide are lost where the page is not there.
  expect(pages["runtimes.html"]).toContain('<a href="example-next.html">');
  expect(pages["runtimes.html"]).toContain('<a href="examples.html">');
  expect(pages["examples.html"]).toContain('<a href="example-vitest.html">');
  expect(pages["example-lambda.html"]).toContain("batchItemFailures");
});
