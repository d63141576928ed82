/** The guide in Chromium: how a reader gets around, at three widths. */
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { describe, expect, it } from "vitest";
import { guidePages, read } from "./built.js";
import { Site } from "./site.js";

const site = new Site();
const axe = await readFile(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

const IS_READY = "document.querySelector('#app').__vue_app__";

/** Opens a page of the guide in a new window, and waits until it answers to the mouse. */
async function open(name: string, width = 1280, colorScheme: "light" | "dark" = "light") {
  const permissions = ["clipboard-read", "clipboard-write"];
  await site.visit(`guide/${name}.html`, { viewport: { width, height: 800 }, colorScheme, permissions });
  await site.page.waitForFunction(IS_READY);
  return site.page;
}

// Headings end with the sign of their link, which has no width.
const title = async () => (await site.page.locator("main h1").innerText()).replace("\u200B", "").trim();
const found = () => site.page.locator(".VPLocalSearchBox .result");

describe("a chapter", () => {
  it("leads to the playground and back, and to the chapters beside it", async () => {
    const page = await open("judges");
    await page.getByRole("navigation", { name: "Main Navigation" }).getByText("Playground").click();
    await page.waitForURL(`${site.url}playground.html`);
    await page.getByRole("link", { name: "Guide" }).click();
    await expect.poll(title).toBe("Guide");
    await page.getByRole("link", { name: "A first score" }).first().click();
    await expect.poll(title).toBe("A first score");
    await page.locator(".pager-link.next").click();
    await expect.poll(title).toBe("How it works");
    expect(page.url()).toBe(`${site.url}guide/how-it-works.html`);
    await page.locator(".pager-link.prev").click();
    await expect.poll(title).toBe("A first score");
  });

  it("lists its sections, and follows the reader", async () => {
    const page = await open("judges");
    const outline = page.getByRole("navigation", { name: "On this page" });
    await outline.getByText("What the score is").click();
    await expect.poll(() => page.url()).toBe(`${site.url}guide/judges.html#what-the-score-is`);
    await expect.poll(() => outline.locator(".active").innerText()).toBe("What the score is");
  });

  it("is dark where the reader wants it, also after a reload", async () => {
    const page = await open("judges");
    const isDark = () => page.locator("html.dark").count();
    expect(await isDark()).toBe(0);
    await page.locator(".VPNavBarAppearance button").click();
    expect(await isDark()).toBe(1);
    await page.reload();
    expect(await isDark()).toBe(1);
  });

  it("copies its code without decorations", async () => {
    const page = await open("first-score");
    const block = page.locator("div.language-sh").first();
    await block.hover();
    await block.locator("button.copy").click();
    expect(await page.evaluate("navigator.clipboard.readText()")).toBe("npm install openevals-wasm");
  });

  it("names the files of its code, and marks lines", async () => {
    const page = await open("runtimes");
    expect(await page.locator(".file > p").allInnerTexts()).toContain("vite.config.js");
    await page.goto(`${site.url}guide/agents.html`);
    const marked = await page.locator("main .highlighted").allInnerTexts();
    expect(marked.map((line) => line.trim())).toEqual([
      '{ role: "assistant", content: "", tool_calls: [weatherIn("Oslo")] },',
      '{ role: "assistant", content: "", tool_calls: [weatherIn("Rome")] },',
    ]);
  });
});

it("an example shows one file at a time, beside a list of the examples", async () => {
  const page = await open("example-next");
  expect(await page.locator(".VPSidebar h2").allInnerTexts()).toEqual(["Examples"]);
  const shown = () => page.locator(".vp-code-group .blocks .active").innerText();
  expect(await shown()).toContain("exactMatch");
  await page.locator(".vp-code-group label", { hasText: "app/questions.js" }).click();
  await expect.poll(shown).toContain("QUESTIONS");
});

describe("the search", () => {
  it.each(["Control+k", "/"])("opens with %s, and leads to a section", async (key) => {
    const page = await open("first-score");
    await page.keyboard.press(key);
    await page.locator(".VPLocalSearchBox input:focus").waitFor();
    await page.keyboard.type("samples of a judge");
    await found().first().waitFor();
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("ArrowUp");
    const [chosen] = await page.locator(".VPLocalSearchBox .result.selected").all();
    const href = await chosen!.getAttribute("href");
    await page.keyboard.press("Enter");
    await expect.poll(() => new URL(page.url()).pathname + new URL(page.url()).hash).toBe(href);
    await expect.poll(() => page.locator(".VPLocalSearchBox").count()).toBe(0);
  });

  it("finds exports of the package, and closes with Escape", async () => {
    const page = await open("first-score");
    await page.locator("#local-search button").click();
    await page.locator(".VPLocalSearchBox input").fill("createTrajectoryMatchEvaluator");
    const titles = () => found().allInnerTexts();
    // Each export is one section.
    await expect
      .poll(titles)
      .toContainEqual(
        expect.stringMatching(/^#\s*openevals-wasm\s+Functions\s+createTrajectoryMatchEvaluator\(\)$/),
      );
    await page.locator(".VPLocalSearchBox input").fill("<zzyzx>qqqxyzzy");
    await page.getByText("No results for").waitFor();
    expect(await page.locator("zzyzx").count()).toBe(0);
    await page.keyboard.press("Escape");
    await expect.poll(() => page.locator(".VPLocalSearchBox").count()).toBe(0);
  });
});

describe("on a phone", () => {
  it("a drawer has the chapters", async () => {
    const page = await open("judges", 390);
    const chapters = page.locator(".VPSidebar");
    const isOpen = async () => (await page.locator(".VPSidebar.open").count()) === 1;
    expect(await isOpen()).toBe(false);
    await page.getByRole("button", { name: "Menu", exact: true }).click();
    await expect
      .poll(() => chapters.locator("h2").allInnerTexts())
      .toEqual(["Start", "Evaluators", "Judges", "Agents and RAG", "Experiments", "Integrations"]);
    await chapters.getByText("Simulation").click();
    await expect.poll(title).toBe("Simulation");
    await expect.poll(isOpen).toBe(false);
  });

  it("a drawer closes with Escape, and the menu of the site opens", async () => {
    const page = await open("judges", 390);
    await page.getByRole("button", { name: "Menu", exact: true }).click();
    await page.locator(".VPSidebar.open").waitFor();
    await page.keyboard.press("Escape");
    await expect.poll(() => page.locator(".VPSidebar.open").count()).toBe(0);
    await page.getByRole("button", { name: "mobile navigation" }).click();
    await page.locator(".VPNavScreen").getByText("Reference").click();
    await expect.poll(title).toBe("openevals-wasm");
  });
});

it.each([
  [390, "light"],
  [768, "dark"],
  [1280, "light"],
  [1280, "dark"],
] as const)("pages fit %d px, and are accessible, %s", async (width, colorScheme) => {
  const page = await open("index", width, colorScheme);
  // The smallest page of the reference that has all kinds of elements: axe takes a time for each of them.
  for (const name of ["index", "agents", "example-next", "reference-vitest"]) {
    await page.goto(`${site.url}guide/${name}.html`);
    await page.waitForFunction(IS_READY);
    const isWide = "document.documentElement.scrollWidth > document.documentElement.clientWidth";
    expect(await page.evaluate(isWide), name).toBe(false);
    await page.evaluate(axe);
    // The button of the search shows its keys, which its name leaves out.
    const options =
      "{ resultTypes: ['violations'], rules: { 'label-content-name-mismatch': { enabled: false } } }";
    const { violations } = await page.evaluate<any>(`axe.run(${options})`);
    const complaints = violations.map(
      ({ id, nodes }: any) => `${id}: ${nodes.slice(0, 3).map(({ target }: any) => target)}`,
    );
    expect({ name, complaints }).toEqual({ name, complaints: [] });
  }
});

it("no code scrolls sideways on any page at 1280 px", async () => {
  const scrolling: string[] = [];
  const options = { viewport: { width: 1280, height: 800 }, javaScriptEnabled: false };
  // Its code loads the font.
  const page = await site.visit("guide/first-score.html", options);
  const styles = /<link[^>]* rel="(?:preload )?stylesheet"[^>]*>/g;
  const loaded = read("guide/first-score.html").match(styles);
  let blocks = 0;
  for (const name of guidePages) {
    // All pages have the same styles, so that a page is its body.
    const html = read(`guide/${name}.html`);
    expect(html.match(styles), name).toEqual(loaded);
    const body = html.slice(html.indexOf(">", html.indexOf("<body")) + 1, html.lastIndexOf("</body>"));
    const { all, wide } = await page.evaluate<any>(`{
      document.body.innerHTML = ${JSON.stringify(body)};
      const all = [...document.querySelectorAll("main pre")];
      ({ all: all.length, wide: all.filter((pre) => pre.scrollWidth > pre.clientWidth).length });
    }`);
    blocks += all;
    if (wide) scrolling.push(`${name}: ${wide}`);
  }
  expect(guidePages.length).toBeGreaterThan(50);
  expect(blocks).toBeGreaterThan(500);
  expect(scrolling).toEqual([]);
});

it("runs no script and no style of others", async () => {
  const page = await open("judges");
  const policy = await page.locator("meta[http-equiv=Content-Security-Policy]").getAttribute("content");
  expect(policy).toMatch(/^default-src 'none'; script-src 'self'( 'sha256-[^']+'){2}; style-src 'self';/);
  expect(policy).not.toContain("unsafe");
  await page.evaluate(`{
    const script = document.createElement("script");
    script.textContent = "globalThis.ran = true";
    document.body.append(script);
  }`);
  expect(await page.evaluate("globalThis.ran")).toBeUndefined();
  expect(site.problems.join()).toMatch(/Content Security Policy/);
  site.problems = [];
});
