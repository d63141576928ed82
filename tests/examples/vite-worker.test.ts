import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { openChromium, repository, serveFolder } from "../runtimes/harness.js";
import { install } from "./harness.js";

let browser: Browser;
beforeAll(async () => {
  browser = await openChromium();
});
afterAll(() => browser?.close());

it.each(["7", "8"])("Vite %s builds it; the worker scores while the page goes on", async (version) => {
  const { folder } = await install("vite-worker", {
    as: `vite-worker-${version}`,
    dependencies: { vite: `^${version}.0.0` },
    build: ["build"],
  });
  const server = await serveFolder(join(folder, "dist"));
  try {
    const page = await browser.newPage();
    await page.goto(server.url);
    await page.getByRole("button", { name: "Score 10,000" }).click();
    // 10,000 answers, of which every third lacks a letter or two.
    const summary = page.getByRole("status");
    await expect
      .poll(() => summary.innerText(), { timeout: 10_000 })
      .toMatch(/^10000 rows in \d+ ms: mean 0\.9\d+, 6666 perfect\. The page never stood still/);
    expect(await page.locator("li").count()).toBe(5);

    const file = join(folder, "answers.jsonl");
    const rows = [
      { outputs: "lawn", referenceOutputs: "flaw" },
      { outputs: "flaw", referenceOutputs: "flaw" },
    ];
    await writeFile(file, rows.map((row) => JSON.stringify(row)).join("\n"));
    await page.getByLabel("A JSONL file").setInputFiles(file);
    await expect.poll(() => summary.innerText()).toMatch(/^2 rows in \d+ ms: mean 0\.750, 1 perfect\./);
    expect(await page.locator("li").first().innerText()).toBe("0.50: “lawn” instead of “flaw”");
  } finally {
    server.close();
  }
});

/** The example without the line of configuration. */
const plain = (version: string) =>
  install("vite-worker", {
    as: `vite-worker-${version}-plain`,
    dependencies: { vite: `^${version}.0.0` },
    changes: { "vite.config.js": [`worker: { format: "es" }`, ""] },
    build: ["build"],
  });

it("Vite 7 fails without the line of configuration, with the words of the guide", async () => {
  const guide = await readFile(join(repository, "www/guide/runtimes.md"), "utf8");
  const [, words] = /the build of Vite 7 fails: `([^`]+)`/.exec(guide) ?? [];
  await expect(plain("7")).rejects.toThrow(words ?? "what the guide does not quote");
});

it("Vite 8 makes one script of the worker without the line of configuration", async () => {
  const { folder } = await plain("8");
  const server = await serveFolder(join(folder, "dist"));
  try {
    const page = await browser.newPage();
    await page.goto(server.url);
    await page.getByRole("button", { name: "Score 10,000" }).click();
    await expect
      .poll(() => page.getByRole("status").innerText(), { timeout: 10_000 })
      .toMatch(/^10000 rows in \d+ ms: mean 0\.9\d+, 6666 perfect\./);
  } finally {
    server.close();
  }
});
