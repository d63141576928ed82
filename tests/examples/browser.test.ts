import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { openChromium } from "../runtimes/harness.js";
import { freePort, install, type Program, startScript } from "./harness.js";

let browser: Browser;
let server: Program;
let url: string;
beforeAll(async () => {
  const { folder } = await install("browser");
  const port = await freePort();
  server = await startScript(folder, ["start", "--port", port]);
  url = (await server.says(/http:\/\/localhost:\d+/))[0];
  browser = await openChromium();
});
afterAll(async () => {
  await browser?.close();
  await server?.stop();
});

it("scores while the user types, without a bundler, within its policy", async () => {
  const page = await browser.newPage();
  const problems: string[] = [];
  page.on("pageerror", ({ message }) => problems.push(message));
  page.on("console", (message) => message.type() === "error" && problems.push(message.text()));
  await page.goto(url);
  const scores = () => page.locator("tr").allInnerTexts();
  await page.locator("tr").nth(3).waitFor();
  expect((await scores())[0]).toMatch(/^exact_match\tfalse\toutputs .*cheque/);

  await page.getByLabel("What the model wrote").fill("Pay in 30 days.");
  await page.getByLabel("What it should have written").fill("Pay in 30 days.");
  await expect
    .poll(scores)
    .toEqual([
      expect.stringMatching(/^exact_match\ttrue/),
      expect.stringMatching(/^levenshtein_distance\t1.00/),
      expect.stringMatching(/^rougeL\t1.00/),
      expect.stringMatching(/^chrf\t1.00/),
    ]);
  expect(problems).toEqual([]);
});
