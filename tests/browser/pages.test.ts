/** The requirements for every page: policy, weight, accessibility, fit. */
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { createRequire } from "node:module";
import type { AddressInfo } from "node:net";
import { describe, expect, it } from "vitest";
import { serve } from "../../xtask/www.mjs";
import { openChromium } from "../runtimes/harness.js";
import { folder } from "./build.js";
import { Site } from "./site.js";

const site = new Site();
const axe = await readFile(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** Each bench, with an element that exists once it is scored. */
const BENCHES = {
  trajectories: "[data-mode=superset] .verdict",
  recipes: "[data-recipe=guidance] .number",
  rag: "[data-key=faithfulness] .meter",
  judge: "section[aria-label=Result] .verdict",
  texts: "[data-key=levenshtein_distance] .meter",
  dataset: "[data-key=levenshtein_distance] .meter",
};

const LOOKS = [390, 768, 1280].flatMap((width) =>
  (["light", "dark"] as const).map((colorScheme) => ({ width, colorScheme })),
);

/** Looks at the page that is open in all sizes and colours. */
async function looksWell(): Promise<void> {
  await site.page.evaluate(axe);
  for (const look of LOOKS) {
    await site.page.setViewportSize({ width: look.width, height: 800 });
    await site.page.emulateMedia({ colorScheme: look.colorScheme });
    const isWide = "document.documentElement.scrollWidth > document.documentElement.clientWidth";
    expect({ ...look, isWide: await site.page.evaluate(isWide) }).toEqual({ ...look, isWide: false });
    // The report of a dataset is in a frame for which scripts of this page are foreign.
    const options = "{ resultTypes: ['violations'], iframes: false }";
    const { violations } = await site.page.evaluate<any>(`axe.run(${options})`);
    const told = violations.map(
      ({ id, nodes }: any) => `${id}: ${nodes.map(({ target }: any) => target).join(", ")}`,
    );
    expect({ ...look, told }).toEqual({ ...look, told: [] });
  }
}

/** The layout shift since the page was opened, the loaded bytes, and the time of the first paint. */
const measured = () =>
  site.page.evaluate<{
    shift: number;
    bytes: number;
    paint: number;
    engine: number;
  }>(`new Promise((resolve) => {
    const shifts = [];
    new PerformanceObserver((list) => shifts.push(...list.getEntries())).observe({ type: "layout-shift", buffered: true });
    setTimeout(() => {
      const files = performance.getEntriesByType("resource");
      const [document] = performance.getEntriesByType("navigation");
      resolve({
        shift: shifts.reduce((sum, { value }) => sum + value, 0),
        bytes: [document, ...files].reduce((sum, { transferSize }) => sum + transferSize, 0),
        paint: performance.getEntriesByName("first-contentful-paint")[0].startTime,
        engine: files.find(({ name }) => name.endsWith("openevals.wasm"))?.startTime,
      });
    }, 100);
  })`);

it.each(
  Object.entries(BENCHES),
)("%s opens with its result, fits, and is accessible", async (bench, scored) => {
  await site.open(bench);
  await site.page.locator(scored).first().waitFor();
  await looksWell();
});

it("a tool policy fits, and is accessible", async () => {
  await site.open("trajectories");
  await site.page.getByRole("button", { name: "A tool policy" }).click();
  await site.page.locator(".call .broken").first().waitFor();
  await looksWell();
});

describe("layout", () => {
  it.each(
    [390, 1280].flatMap((width) =>
      Object.entries(BENCHES).map(([bench, scored]) => ({ width, bench, scored })),
    ),
  )("of $bench does not shift at $width px", async ({ width, bench, scored }) => {
    await site.open(bench, {}, { viewport: { width, height: 800 } });
    await site.page.locator(scored).first().waitFor({ state: "attached" });
    expect((await measured()).shift).toBeLessThan(0.01);
  });
});

describe("the first bench", () => {
  it("is painted before the engine comes, and weighs less than 200 KB", async () => {
    await site.open("", {}, { viewport: { width: 1280, height: 900 } });
    await site.page.locator(BENCHES.trajectories).waitFor();
    await site.page.getByText("Engine: ").waitFor();
    const { paint, engine, bytes } = await measured();
    // A paint counts from when it is shown, which may be two frames after the page made it.
    expect(engine).toBeGreaterThan(paint - 34);
    expect(bytes).toBeGreaterThan(100_000);
    expect(bytes).toBeLessThan(200_000);
  });

  it("runs no script and no style of others", async () => {
    await site.open("texts");
    const policy = await site.page
      .locator("meta[http-equiv=Content-Security-Policy]")
      .getAttribute("content");
    expect(policy).toMatch(/^default-src 'none'; script-src 'self' 'wasm-unsafe-eval' 'sha256-[^']+';/);
    expect(policy).not.toContain("unsafe-inline");
    await site.page.evaluate(`{
      const script = document.createElement("script");
      script.textContent = "globalThis.ran = true";
      document.body.append(script);
      document.body.insertAdjacentHTML("beforeend", "<img src=data:, onerror='globalThis.ran = true'>");
    }`);
    expect(await site.page.evaluate("globalThis.ran")).toBeUndefined();
    expect(site.problems.join()).toMatch(/Content Security Policy/);
    site.problems = [];
  });
});

describe("on a phone", () => {
  const phone = { viewport: { width: 390, height: 800 } };

  it("the scores stay in sight, and are dimmed with the others", async () => {
    await site.open("texts", {}, phone);
    const line = () => site.page.locator(".score-line");
    await expect
      .poll(() => line().innerText())
      .toMatch(/Exact match\s+✗ false\s+Levenshtein similarity\s+0\.92/);
    for (const top of [0, 400]) {
      await site.page.evaluate(`scrollTo(0, ${top})`);
      const { y, height } = (await line().boundingBox()) as { y: number; height: number };
      expect(y + height).toBeLessThanOrEqual(800);
      expect(y).toBeGreaterThan(0);
    }
    await site.open("judge", {}, phone);
    await expect.poll(() => line().innerText()).toContain("✗ false");
    await site.page.getByLabel("outputs", { exact: true }).fill("1656");
    expect(await line().getAttribute("class")).toContain("stale");
  });

  it("the tabs show that there are more, on the sides where there are", async () => {
    await site.open("trajectories", {}, phone);
    const tabs = site.page.locator("#benches");
    await expect.poll(() => tabs.getAttribute("class")).toBe("benches more-after");
    await site.page.evaluate("document.querySelector('#benches').scrollTo(1000, 0)");
    await expect.poll(() => tabs.getAttribute("class")).toBe("benches more-before");
    await site.page.setViewportSize({ width: 1280, height: 800 });
    await expect.poll(() => tabs.getAttribute("class")).toBe("benches");
  });
});

it("works below any path", async () => {
  const files = await serve({ folder });
  const proxy = createServer(async (request, response) => {
    if (!request.url?.startsWith("/deep/er/")) return response.writeHead(404).end();
    try {
      const answer = await fetch(new URL(request.url.slice(9), files.url));
      response.writeHead(answer.status, {
        "content-type": answer.headers.get("content-type") ?? "text/plain",
      });
      response.end(Buffer.from(await answer.arrayBuffer()));
    } catch {
      // The server has been closed, at the end of the test.
      response.destroy();
    }
  });
  await new Promise<void>((listening) => proxy.listen(0, "127.0.0.1", listening));
  const browser = await openChromium();
  try {
    const page = await browser.newPage();
    await page.goto(`http://127.0.0.1:${(proxy.address() as AddressInfo).port}/deep/er/`);
    await page.locator("#verdict", { hasText: "false" }).waitFor();
    await page.getByRole("link", { name: "open it in the playground" }).click();
    await page.locator("[data-mode=strict] .verdict", { hasText: "false" }).waitFor();
    await page.getByRole("link", { name: "Guide" }).click();
    await page.locator(".VPSidebar").getByText("Simulation").click();
    await page.getByRole("heading", { level: 1, name: "Simulation" }).waitFor();
    await page.keyboard.press("/");
    await page.locator(".VPLocalSearchBox input").fill("createTrajectoryMatchEvaluator");
    await page.locator(".VPLocalSearchBox .result").first().click();
    await expect.poll(() => new URL(page.url()).pathname).toMatch(/^\/deep\/er\/guide\/[\w-]+\.html$/);
    await page.locator("main h1").waitFor();
    expect(await page.locator(".NotFound").count()).toBe(0);
  } finally {
    await browser.close();
    proxy.close();
    await files.close();
  }
});
