/** What holds of every page: its policy, its weight, its accessibility, its fit. */
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

/** Each bench, with what is there when it has been drawn. */
const BENCHES = {
  texts: ".difference del",
  trajectories: ".lane .call",
  judge: "section[aria-label='The request'] .t-string",
  dataset: ".field-grid option",
  recipes: ".answer",
};

const LOOKS = [
  [360, "light"],
  [768, "dark"],
  [1280, "light"],
  [1280, "dark"],
] as const;

it.each(Object.entries(BENCHES))("%s fits, and is accessible", async (bench, drawn) => {
  await site.open(bench);
  await site.page.locator(drawn).first().waitFor({ state: "attached" });
  await site.page.evaluate(axe);
  for (const [width, colorScheme] of LOOKS) {
    await site.page.setViewportSize({ width, height: 800 });
    await site.page.emulateMedia({ colorScheme });
    const isWide = "document.documentElement.scrollWidth > document.documentElement.clientWidth";
    expect(await site.page.evaluate(isWide)).toBe(false);
    const { violations } = await site.page.evaluate<any>("axe.run({ resultTypes: ['violations'] })");
    const told = violations.map(
      ({ id, nodes }: any) => `${id}: ${nodes.map(({ target }: any) => target).join(", ")}`,
    );
    expect({ width, colorScheme, told }).toEqual({ width, colorScheme, told: [] });
  }
});

describe("the first page", () => {
  it("is painted before the engine comes, does not shift, and weighs less than 200 KB", async () => {
    await site.open("", {}, { viewport: { width: 1280, height: 900 } });
    await site.page.locator(".difference del").first().waitFor();
    await site.page.getByText("Engine: ").waitFor();
    const { paint, engine, shift, bytes } = await site.page.evaluate<any>(`new Promise((resolve) => {
      const shifts = [];
      new PerformanceObserver((list) => shifts.push(...list.getEntries())).observe({ type: "layout-shift", buffered: true });
      setTimeout(() => {
        const files = performance.getEntriesByType("resource");
        const [document] = performance.getEntriesByType("navigation");
        resolve({
          paint: performance.getEntriesByName("first-contentful-paint")[0].startTime,
          engine: files.find(({ name }) => name.endsWith("openevals.wasm")).startTime,
          shift: shifts.reduce((sum, { value }) => sum + value, 0),
          bytes: [document, ...files].reduce((sum, { transferSize }) => sum + transferSize, 0),
        });
      }, 100);
    })`);
    expect(engine).toBeGreaterThan(paint);
    expect(shift).toBeLessThan(0.01);
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

it("works below any path", async () => {
  const files = await serve({ folder });
  const proxy = createServer(async (request, response) => {
    const answer = request.url?.startsWith("/deep/er/")
      ? await fetch(new URL(request.url.slice(9), files.url))
      : undefined;
    response.writeHead(answer?.status ?? 404, {
      "content-type": answer?.headers.get("content-type") ?? "text/plain",
    });
    response.end(answer && Buffer.from(await answer.arrayBuffer()));
  });
  await new Promise<void>((listening) => proxy.listen(0, "127.0.0.1", listening));
  const browser = await openChromium();
  try {
    const page = await browser.newPage();
    await page.goto(`http://127.0.0.1:${(proxy.address() as AddressInfo).port}/deep/er/`);
    await page.locator("[data-key=levenshtein_distance]", { hasText: "0.92" }).waitFor();
  } finally {
    await browser.close();
    proxy.close();
    await files.close();
  }
});
