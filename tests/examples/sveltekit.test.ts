import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { openChromium } from "../runtimes/harness.js";
import { freePort, install, startScript } from "./harness.js";

let browser: Browser;
beforeAll(async () => {
  browser = await openChromium();
});
afterAll(() => browser?.close());

it("builds; measures in the browser and on the server", async () => {
  const { folder, said } = await install("sveltekit", { build: ["build"] });
  expect(said).not.toMatch(/warn/i);
  const port = await freePort();
  const url = `http://localhost:${port}`;
  const server = await startScript(folder, ["start"], { PORT: port, ORIGIN: url });
  try {
    await server.says(/Listening/);
    const page = await browser.newPage();
    await page.goto(url, { waitUntil: "networkidle" });
    const meter = page.getByRole("meter");
    await page.getByRole("textbox").fill("The cat sits on the rug.");
    await expect.poll(async () => Number(await meter.getAttribute("value"))).toBeGreaterThan(0.5);
    await page.getByRole("button").click();
    // One edit, over the 6.5 words that the references have on average.
    await expect.poll(() => page.locator("li").allInnerTexts()).toHaveLength(3);
    const scores = Object.fromEntries(
      (await page.locator("li").allInnerTexts()).map((text) => text.split(": ")),
    );
    expect(scores).toEqual({ chrf: expect.any(String), bleu: expect.any(String), ter: "0.15" });

    await page.getByRole("textbox").fill("");
    await page.getByRole("button").click();
    await expect.poll(() => page.getByRole("alert").allInnerTexts()).toEqual(["There is nothing to score."]);
  } finally {
    await server.stop();
  }
});
