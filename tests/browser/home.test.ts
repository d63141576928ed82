/** The home page, in Chromium: its scores are computed in the page, and its figures are the measured ones. */
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { describe, expect, it } from "vitest";
import { repository } from "../runtimes/harness.js";
import { Random } from "../simulations/random.mjs";
import { folder } from "./build.js";
import { read } from "./built.js";
import { Site } from "./site.js";

const site = new Site();
const require = createRequire(import.meta.url);
const axe = await readFile(require.resolve("axe-core/axe.min.js"), "utf8");
const manifest = require("openevals-wasm/package.json");
const figures = JSON.parse(await readFile(`${repository}/www/home/figures.json`, "utf8"));

const text = async (selector: string) => (await site.page.locator(selector).first().innerText()).trim();
const value = (list: string, tool: string, name: string) =>
  site.page.locator(`#${list} [data-tool=${tool}] [name=${name}]`);
const alone = () =>
  site.page.locator(".call.alone").evaluateAll((all: any[]) => all.map((it) => it.dataset.tool));

describe("the trajectory", () => {
  it("is scored by the package: the calls that differ are marked and explained", async () => {
    await site.visit("");
    await expect.poll(() => text("#verdict")).toBe("✗ false");
    // One of two calls on each side has a partner.
    expect(await text("#f1")).toBe("0.50");
    expect(await alone()).toEqual(["refund", "refund"]);
    expect(await text("#comment")).toContain('"amount" is 138 instead of 99');
    expect(await text("#engine")).toMatch(/^Scored in \d+ ms, including loading \d+ KB of WebAssembly\.$/);
  });

  it("is scored again with each change", async () => {
    await site.visit("");
    await expect.poll(() => text("#verdict")).toBe("✗ false");
    await value("outputs", "refund", "amount").fill("99.0");
    await expect.poll(() => text("#verdict")).toBe("✓ true");
    expect(await text("#f1")).toBe("1");
    expect(await alone()).toEqual([]);
    await value("reference", "find_order", "id").fill("<b>4712</b>");
    await expect.poll(alone).toEqual(["find_order", "find_order"]);
    expect(await text("#f1")).toBe("0.50");
    expect(await text("#comment")).toContain("<b>4712</b>");
    expect(await site.page.locator("#comment b").count()).toBe(0);
  });

  it("opens the shown code in the playground", async () => {
    await site.visit("");
    await value("outputs", "refund", "amount").fill("7");
    await expect.poll(() => text("#comment")).toContain("7 instead of 99");
    await site.page.getByRole("link", { name: "open it in the playground" }).click();
    await expect.poll(() => text("[data-mode=strict] .comment")).toContain('"amount" is 7 instead of 99');
  });
});

it("copies the line that installs the package", async () => {
  await site.visit("", { permissions: ["clipboard-read", "clipboard-write"] });
  await site.page.getByRole("button", { name: "Copy" }).click();
  await site.page.getByRole("button", { name: "Copied" }).waitFor();
  expect(await site.page.evaluate("navigator.clipboard.readText()")).toBe("npm install openevals-wasm");
});

it("leads to the guide, and to the repository that the package names", async () => {
  const html = read("index.html");
  expect(html).toContain('<a class="button primary" href="guide/getting-started.html">');
  const { repository: named } = manifest;
  const href = (named?.url ?? named)?.replace(/^git\+|\.git$/g, "");
  expect(html.match(/<a class="button" href="([^"]+)">Repository</)?.[1]).toBe(href);
});

it("sends links of the playground, whose page it was, there", async () => {
  const query = new URLSearchParams({ mode: "text", outputs: "a b", reference: "a c" });
  await site.visit(`#texts?${query}`);
  await site.page.locator("[data-key=levenshtein_distance]", { hasText: "0.67" }).waitFor();
  expect(site.page.url()).toContain("/playground.html#texts?");
});

describe("the proofs", () => {
  it("have the figures of SIZES.md and of the measurements, and lead to how they are measured", async () => {
    await site.visit("");
    const shown = await site.page.locator(".proofs .figure").allInnerTexts();
    const sizes = await readFile(`${repository}/SIZES.md`, "utf8");
    const gzip = (name: string) =>
      Math.round(Number(new RegExp(`^\\| ${name}[ ,].*\\| *([\\d.]+) \\|$`, "m").exec(sizes)?.[1]));
    expect(shown[0]).toBe(`${gzip("exactMatch") + gzip("openevals\\.wasm")} KB`);
    expect(shown[1]).toBe(`${figures.start.oursMs} ms`);
    expect(shown[3]).toBe(`${((100 * figures.interval.held) / figures.interval.runs).toFixed(1)}%`);
    for (const title of ["size", "start", "correctness", "statistics"]) {
      await site.page.getByRole("link", { name: `How ${title} is measured` }).click();
      await site.page.waitForURL(`**/guide/how-we-measure.html#${title}`);
      await site.page.goBack();
    }
  });

  it("the interval holds as often as recorded", async () => {
    const { claim, design, runs, held } = figures.interval;
    const { designs } = await import(`../simulations/claims/${claim}.mjs`);
    const random = new Random(`1 ${claim} ${design}`);
    let count = 0;
    for (let run = 0; run < runs; run++) if (await designs[design](random)) count++;
    expect(count).toBe(held);
  });

  it("the start was measured, and ours is the shorter one", () => {
    const { oursMs, referenceMs, rounds } = figures.start;
    expect(rounds).toBeGreaterThanOrEqual(9);
    expect(oursMs).toBeGreaterThan(1);
    expect(referenceMs).toBeGreaterThan(2 * oursMs);
  });
});

it("has a report to open, with both models", async () => {
  await site.visit("");
  // Of 24 questions, the small model gets 12 word for word, and the large one 22.
  expect(await text("section.report")).toContain("Exact match goes from 50.0% to 91.7%");
  await site.page.getByRole("link", { name: "Open the report" }).click();
  await site.page.getByText("91.7%").first().waitFor();
  await site.page.getByText("What is the capital of Kazakhstan?").first().waitFor();
});

describe("the page", () => {
  it.each([
    390, 768, 1280,
  ])("fits at %i px in light and dark, is accessible, and does not shift", async (width) => {
    for (const colorScheme of ["light", "dark"] as const) {
      await site.visit("", { viewport: { width, height: 800 }, colorScheme });
      await expect.poll(() => text("#verdict")).toBe("✗ false");
      await site.page.getByText("Scored in").waitFor();
      const shift = await site.page.evaluate<number>(`new Promise((resolve) => {
        const shifts = [];
        new PerformanceObserver((list) => shifts.push(...list.getEntries())).observe({ type: "layout-shift", buffered: true });
        setTimeout(() => resolve(shifts.reduce((sum, { value }) => sum + value, 0)), 100);
      })`);
      expect(shift).toBeLessThan(0.01);
      const isWide = "document.documentElement.scrollWidth > document.documentElement.clientWidth";
      expect(await site.page.evaluate(isWide)).toBe(false);
      await site.page.evaluate(axe);
      const { violations } = await site.page.evaluate<any>("axe.run({ resultTypes: ['violations'] })");
      expect(
        violations.map(({ id, nodes }: any) => `${id}: ${nodes.map(({ target }: any) => target)}`),
      ).toEqual([]);
    }
  });

  it("is set in Geist, from this site", async () => {
    await site.visit("");
    await site.page.evaluate("document.fonts.ready");
    const loaded = await site.page.evaluate<string[]>(
      "Array.from(document.fonts).filter((font) => font.status === 'loaded').map(({ family }) => family.replaceAll('\"', ''))",
    );
    expect(loaded).toContain("Geist Variable");
    expect(loaded).toContain("Geist Mono Variable");
  });

  it("and the playground have pictures for links to them", async () => {
    for (const [file, name] of [
      ["index.html", "home"],
      ["playground.html", "playground"],
    ] as const) {
      const html = read(file);
      const meta = (property: string) =>
        new RegExp(`<meta property="${property}" content="([^"]+)"`).exec(html)?.[1];
      expect(meta("og:url")).toBe(`https://example.com/evals/${file === "index.html" ? "" : file}`);
      expect(meta("og:image")).toBe(`https://example.com/evals/previews/${name}.png`);
      expect(meta("og:title")).toBeTruthy();
      expect(meta("og:description")?.length).toBeGreaterThan(20);
      const picture = await readFile(`${folder}/previews/${name}.png`);
      expect([picture.readUInt32BE(16), picture.readUInt32BE(20)]).toEqual([1200, 630]);
    }
  });
});
