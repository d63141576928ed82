/** Drives www/, with the packed package, in Chromium. */
import { fileURLToPath } from "node:url";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { serve } from "../../xtask/www.mjs";
import { openChromium } from "../runtimes/harness.js";

const pkg = fileURLToPath(new URL("../node_modules/openevals-wasm", import.meta.url));

let site: Awaited<ReturnType<typeof serve>>;
let browser: Browser;
let context: BrowserContext;
let page: Page;
let problems: string[];
let requests: string[];

beforeAll(async () => {
  site = await serve({ pkg });
  browser = await openChromium();
});
afterAll(async () => {
  await browser?.close();
  await site?.close();
});
beforeEach(async () => {
  context = await browser.newContext();
  page = await context.newPage();
  problems = [];
  requests = [];
  page.on("pageerror", (error) => problems.push(error.message));
  page.on("console", (message) => problems.push(`${message.type()}: ${message.text()}`));
  page.on("request", (request) => requests.push(request.url()));
});
afterEach(async () => {
  await context.close();
  expect(problems).toEqual([]);
  expect(requests.filter((url) => !url.startsWith(site.url))).toEqual([]);
});

async function open(state: Record<string, string> = {}) {
  await page.goto(`${site.url}#${new URLSearchParams(state)}`);
}

/** What the page shows, as { key: score }; read in one go, since the page may change at any time. */
const scores = () =>
  page.evaluate<Record<string, string>>(`
    Object.fromEntries(Array.from(document.querySelectorAll(".score"), (line) =>
      [line.dataset.key, line.querySelector(".number, .verdict").textContent]))`);

const type = (name: "Output" | "Reference", text: string) =>
  page.getByLabel(name, { exact: true }).fill(text);
const shows = (expected: Record<string, string>) => expect.poll(scores).toEqual(expected);
const textOf = (selector: string) => page.locator(selector).textContent();

describe("text", () => {
  it("scores the example, and tells the size of the engine and how long it took to load", async () => {
    await open();
    // "s" for "z", "a" for "á", and two digits: 4 of 51 characters.
    await shows({ levenshtein_distance: "0.92", exact_match: "✗ false" });
    expect(await textOf("#engine")).toMatch(/^Engine: [1-9]\d* KB of WebAssembly, ready in \d+ ms$/);
  });

  it("scores again as one types", async () => {
    await open();
    await type("Output", "kitten");
    await type("Reference", "sitting");
    // k → s, e → i, and a g: 3 edits in 7 characters.
    await shows({ levenshtein_distance: "0.57", exact_match: "✗ false" });
    expect(await textOf("[data-key=levenshtein_distance] .key")).toBe("levenshtein_distance · 3 edits apart");
    await page.getByLabel("Output", { exact: true }).press("End");
    await page.keyboard.press("Backspace");
    await page.keyboard.press("Backspace");
    await page.keyboard.type("ing");
    // "kitting": only the first letter.
    await shows({ levenshtein_distance: "0.86", exact_match: "✗ false" });
    await type("Output", "sitting");
    await shows({ levenshtein_distance: "1", exact_match: "✓ true" });
  });

  it("counts nothing against nothing as equal", async () => {
    await open({ mode: "text", outputs: "", reference: "" });
    await shows({ levenshtein_distance: "1", exact_match: "✓ true" });
  });

  it("one wrong letter in 2,000 is not shown as 1", async () => {
    await open({ mode: "text", outputs: `${"a".repeat(1999)}b`, reference: "a".repeat(2000) });
    await shows({ levenshtein_distance: "0.99", exact_match: "✗ false" });
  });

  it("tells a screen reader the scores in a pause", async () => {
    await open({ mode: "text", outputs: "yes", reference: "yes" });
    await expect.poll(() => textOf("[aria-live]")).toBe("Levenshtein similarity 1, Exact match true");
  });
});

describe("JSON", () => {
  const json = { mode: "json", outputs: '{"a": 1, "b": [2]}', reference: '{"b": [2], "a": 3, "c": null}' };

  it("scores each key, on average, and all together", async () => {
    await open(json);
    const exact_match = "✗ false";
    await shows({ exact_match, "json_match:a": "0", "json_match:b": "1", "json_match:c": "0" });
    await page.getByLabel("Average").check();
    await shows({ exact_match, "json_match:average": "0.33" });
    await page.getByLabel("All").check();
    await shows({ exact_match, "json_match:all": "0" });
  });

  it("the order of keys does not count", async () => {
    await open({ ...json, reference: '{"b": [2.0], "a": 1}', aggregator: "all" });
    await shows({ exact_match: "✓ true", "json_match:all": "1" });
  });

  it("says what is wrong with the JSON, and where, and recovers", async () => {
    await open(json);
    await shows({ exact_match: "✗ false", "json_match:a": "0", "json_match:b": "1", "json_match:c": "0" });
    await type("Output", '{\n  "a": 3,\n  "b" [2]\n}');
    await expect.poll(() => textOf("#outputs-problem")).toBe("Line 3, column 7: expected a colon, found [.");
    expect(await page.locator("#outputs").getAttribute("aria-invalid")).toBe("true");
    expect(await textOf("#state")).toBe("waiting for JSON in both fields");
    await type("Output", '{\n  "a": 3,\n  "b": [2],\n  "c": null\n}');
    await shows({ exact_match: "✓ true", "json_match:a": "1", "json_match:b": "1", "json_match:c": "1" });
    expect(await textOf("#outputs-problem")).toBe("");
  });

  it.each([
    ["", "Line 1, column 1: expected a value, found the end of the text."],
    ['{"a": 1,}', "Line 1, column 9: expected a key in double quotes, found }."],
    ["[1, 2", "Line 1, column 6: expected a comma or ], found the end of the text."],
    ['{"a": "b', "Line 1, column 7: this string has no closing quote."],
    ["{'a': 1}", "Line 1, column 2: expected a key in double quotes or }, found 'a'."],
    ['["a\\d"]', "Line 1, column 4: JSON has no such escape."],
    ["[1,\n NaN]", "Line 2, column 2: expected a value, found NaN."],
    ['{"😀": 1} 2', "Line 1, column 10: expected the end of the text, found 2."],
  ])("%j is not JSON", async (reference, problem) => {
    await open({ ...json, reference });
    await expect.poll(() => textOf("#reference-problem")).toBe(problem);
  });

  it("a list against an object is explained by the package, and does not hide the exact match", async () => {
    await open({ ...json, reference: "[]" });
    await shows({ exact_match: "✗ false" });
    await expect.poll(() => textOf("#problem")).toMatch(/list/);
    await type("Reference", '{"a": 1, "b": [2]}');
    await shows({ exact_match: "✓ true", "json_match:a": "1", "json_match:b": "1" });
    expect(await textOf("#problem")).toBe("");
  });

  it("a key with markup stays text", async () => {
    const markup = '{"<img src=x onerror=alert(1)>": 1}';
    await open({ ...json, outputs: markup, reference: markup });
    await shows({ exact_match: "✓ true", "json_match:<img src=x onerror=alert(1)>": "1" });
    expect(await page.locator("main img").count()).toBe(0);
  });
});

describe("the link", () => {
  it("holds what one typed, and opens the same page", async () => {
    await open();
    await page.getByLabel("JSON", { exact: true }).check();
    await type("Output", '{"city": "Zürich & Bern 🏔️", "sum": "1+1"}');
    await type("Reference", '{"city": "Zürich & Bern 🏔️", "sum": "2"}');
    await page.getByLabel("Average").check();
    await shows({ exact_match: "✗ false", "json_match:average": "0.50" });
    await expect.poll(() => page.url()).toContain("aggregator=average");

    const other = await context.newPage();
    await other.goto(page.url());
    const mine = page;
    page = other;
    await shows({ exact_match: "✗ false", "json_match:average": "0.50" });
    expect(await page.getByLabel("Output", { exact: true }).inputValue()).toContain("Zürich & Bern 🏔️");
    expect(await page.getByLabel("JSON", { exact: true }).isChecked()).toBe(true);
    page = mine;
  });

  it("is copied by the button", async () => {
    await context.grantPermissions(["clipboard-read", "clipboard-write"]);
    await open({ mode: "text", outputs: "a", reference: "b" });
    await page.getByRole("button", { name: "Copy link" }).click();
    await page.getByRole("button", { name: "Copied" }).waitFor();
    const copied = await page.evaluate<string>("navigator.clipboard.readText()");
    expect(copied).toBe(`${site.url}#mode=text&outputs=a&reference=b`);
  });

  it("with nonsense in it shows the examples", async () => {
    await open({ mode: "toString", aggregator: "best" });
    await shows({ levenshtein_distance: "0.92", exact_match: "✗ false" });
  });
});

it("works with the keyboard alone", async () => {
  await open({ mode: "text", outputs: "", reference: "" });
  await shows({ levenshtein_distance: "1", exact_match: "✓ true" });
  await page.keyboard.press("Tab"); // Text or JSON
  await page.keyboard.press("ArrowRight");
  await expect.poll(() => page.getByLabel("JSON", { exact: true }).isChecked()).toBe(true);
  await page.keyboard.press("Tab"); // Copy link
  await page.keyboard.press("Tab"); // Output
  await page.keyboard.press("Control+a");
  await page.keyboard.type("[]");
  await page.keyboard.press("Tab"); // Reference
  await page.keyboard.press("Control+a");
  await page.keyboard.type('{"a":1}');
  await shows({ exact_match: "✗ false" });
});

it("fits a phone", async () => {
  await page.setViewportSize({ width: 320, height: 640 });
  await open({ mode: "json", outputs: '{"a_rather_long_key_without_any_break": 1}', reference: "{}" });
  await shows({ exact_match: "✗ false", "json_match:a_rather_long_key_without_any_break": "0" });
  expect(await page.evaluate<number>("document.documentElement.scrollWidth")).toBe(320);
});
