/** The report, in Chromium, opened as the file that it is. */
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { type Experiment, type ReportOptions, renderReport, writeReport } from "openevals-wasm/evaluation";
import type { Browser, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { openChromium } from "../runtimes/harness.js";
import { experimentOf, type RowData } from "./experiments.js";

let browser: Browser;
let folder: string;
let page: Page;
let problems: string[];
let requests: string[];

beforeAll(async () => {
  browser = await openChromium();
  folder = await mkdtemp(join(tmpdir(), "report-"));
});
afterAll(async () => {
  await browser?.close();
  await rm(folder, { recursive: true, force: true });
});
beforeEach(async () => {
  page = await browser.newPage();
  problems = [];
  requests = [];
  page.on("pageerror", (error) => problems.push(error.message));
  page.on("console", (message) => problems.push(`${message.type()}: ${message.text()}`));
  page.on("dialog", (dialog) => {
    problems.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on("request", (request) => requests.push(request.url()));
});
afterEach(async () => {
  await page.close();
  expect(problems).toEqual([]);
});

let files = 0;
/** Writes the report and opens it. */
async function open(experiment: Experiment, options?: ReportOptions): Promise<string> {
  const path = join(folder, `${++files}`, "report.html");
  await writeReport(experiment, path, options);
  const url = pathToFileURL(path).href;
  await page.goto(url);
  expect(requests).toEqual([url]);
  return path;
}

const rows: RowData[] = [
  {
    id: "astana",
    inputs: { question: "What is the capital of Kazakhstan?" },
    outputs: "Astana",
    reference: "Astana",
    scores: { exact: true, close: 1, tone: true },
    comments: { tone: "Friendly enough." },
    durationMs: 900,
  },
  {
    id: "light",
    inputs: { question: "How fast is light?" },
    outputs: "299,792.548 km/s",
    reference: "299,792.458 km/s",
    scores: { exact: false, close: 0.875, tone: null },
    durationMs: 20,
  },
  {
    id: "moon",
    outputs: [
      { role: "user", content: "When?" },
      { role: "assistant", content: "", tool_calls: [{ id: "1", name: "look_up", args: { event: "moon" } }] },
    ],
    reference: "20 July 1969",
    scores: { exact: false, close: 0.25 },
    errors: {
      tone: {
        name: "OpenEvalsError",
        code: "provider_error",
        message: "The endpoint answered 503",
        cause: {
          name: "TypeError",
          message: "fetch failed",
          cause: { name: "Error", message: "ECONNRESET" },
        },
      },
    },
    durationMs: 3,
  },
  { id: "river", failed: { name: "Error", message: "The agent ran out of turns" }, durationMs: 70_000 },
];

const experiment = () =>
  experimentOf(rows, {
    metadata: { model: "gpt-5.4", temperature: 0 },
    usage: { inputTokens: 12_345, outputTokens: 67 },
    summaryResults: [
      { key: "f1", score: 0.8, interval: { low: 0.7, high: 0.9, level: 0.95 } },
      {
        key: "confusion",
        value: {
          labels: ["yes", "no"],
          matrix: [
            [3, 1],
            [0, 2],
          ],
        },
      },
      { key: "kappa", error: { name: "Error", message: "one label only" } },
    ],
  });

/** The rows that the table shows, by their names. */
const names = () => page.locator(".rows .open").allTextContents();
const status = () => page.getByRole("status").textContent();
const head = (name: string) => page.getByRole("columnheader", { name, exact: true });
const sortBy = (name: string) => head(name).getByRole("button").click();
const card = (key: string) =>
  page.getByRole("article").filter({ has: page.getByRole("heading", { name: key }) });
const opened = (name: string) => page.getByRole("button", { name, exact: true });

describe("the figures", () => {
  it("heading", async () => {
    await open(experiment());
    expect(await page.title()).toBe("capitals-1a2b3c4d");
    expect(await page.getByRole("heading", { level: 1 }).textContent()).toBe("capitals-1a2b3c4d");
    const facts = await page.locator("header div").allInnerTexts();
    expect(facts.map((fact) => fact.split("\n"))).toEqual([
      ["Started", "2026-11-21 12:00 UTC"],
      ["Duration", "1.5 s"],
      ["Rows", "4"],
      ["Failed runs", "1"],
      ["Judges’ tokens", "12,345 in, 67 out"],
      ["model", "gpt-5.4"],
      ["temperature", "0"],
    ]);
  });

  it("a card for each key", async () => {
    await open(experiment());
    // One of three; a tenth to both sides of it.
    expect((await card("exact").innerText()).split(/\s*\n\s*/)).toEqual([
      "exact",
      "33.3%",
      "95% interval 23.3% to 43.3%",
      "0%",
      "50%",
      "100%",
      "n = 3",
      "2 failing",
    ]);
    expect(await card("tone").innerText()).toMatch(/n = 1\s+1 error\s+1 not applicable/);
    expect(await card("close").getByRole("img").getAttribute("aria-label")).toBe(
      "Distribution: from 0.250 to 1.000, median 0.875, standard deviation 0.000; " +
        "1 score from 0.200 to 0.300, 1 score from 0.800 to 0.900, 1 score from 0.900 to 1.000",
    );
  });

  it("bars, means and intervals stand on one axis", async () => {
    await open(experiment());
    const place = (selector: string) => card("exact").locator(selector).first();
    expect(await place(".true").getAttribute("width")).toBe("33.33%");
    expect(await place(".interval circle").getAttribute("cx")).toBe("33.33%");
    expect(await place(".interval line").getAttribute("x1")).toBe("23.33%");
    expect(await place(".interval line").getAttribute("x2")).toBe("43.33%");
  });

  it("an axis is as wide as its scores", async () => {
    await open(
      experimentOf([
        { id: "a", scores: { points: -3 } },
        { id: "b", scores: { points: 5 } },
      ]),
    );
    expect(await card("points").locator("figcaption span").allTextContents()).toEqual(["−3", "1", "5"]);
  });

  it("summary results, a confusion matrix as a table, and what failed", async () => {
    await open(experiment());
    const table = page.getByRole("region", { name: "Summary" });
    expect(await table.getByRole("row", { name: /^f1/ }).innerText()).toMatch(/0\.800\s+0\.700 to 0\.900/);
    expect(await table.getByRole("row", { name: "yes 3 1" }).count()).toBe(1);
    expect(await table.getByRole("row", { name: "no 0 2" }).count()).toBe(1);
    expect(await table.getByRole("row", { name: /^kappa/ }).innerText()).toContain("Error: one label only");
  });

  it("an experiment without anything in it", async () => {
    await open(experimentOf([]));
    expect(await status()).toBe("0 rows");
    expect(await page.getByText("No row is like that.").count()).toBe(1);
  });
});

describe("the rows", () => {
  it("search words in any field", async () => {
    await open(experiment());
    expect(await names()).toEqual(["astana", "light", "moon", "river"]);
    for (const [words, found] of [
      ["KAZAKHSTAN capital", ["astana"]],
      ["friendly", ["astana"]],
      ["299,792", ["light"]],
      ["look_up", ["moon"]],
      ["provider_error", ["moon"]],
      ["out of turns", ["river"]],
      ["light kazakhstan", []],
      ["", ["astana", "light", "moon", "river"]],
    ] as const) {
      await page.getByLabel("Search").fill(words);
      expect(await names(), words).toEqual(found);
    }
  });

  it("show what failed, and errors, of all keys or of one", async () => {
    await open(experiment());
    await page.getByLabel("Show").selectOption("failing");
    expect(await names()).toEqual(["light", "moon"]);
    expect(await status()).toBe("2 of 4 rows");
    await page.getByLabel("Key").selectOption("close");
    expect(await names()).toEqual(["moon"]);
    await page.getByLabel("Show").selectOption("errors");
    expect(await names()).toEqual([]);
    await page.getByLabel("Key").selectOption("any key");
    expect(await names()).toEqual(["moon", "river"]);
    await page.getByRole("button", { name: "Reset" }).click();
    await expect.poll(names).toHaveLength(4);
  });

  it("show a range of scores", async () => {
    await open(experiment());
    expect(await page.getByRole("spinbutton", { name: "Score from" }).isDisabled()).toBe(true);
    await page.getByLabel("Key").selectOption("close");
    await page.getByRole("spinbutton", { name: "Score from" }).fill("0.5");
    expect(await names()).toEqual(["astana", "light"]);
    await page.getByLabel("to", { exact: true }).fill("0.9");
    expect(await names()).toEqual(["light"]);
  });

  it("a card leads to its rows", async () => {
    await open(experiment());
    await card("exact").getByRole("button", { name: "2 failing" }).click();
    expect(await names()).toEqual(["light", "moon"]);
    expect(await page.getByLabel("Key").inputValue()).toBe("exact");
    await card("tone").getByRole("button", { name: "1 error" }).click();
    expect(await names()).toEqual(["moon"]);
  });

  it("sort by scores, with those that have none at the end, and by text", async () => {
    await open(experiment());
    await sortBy("close");
    expect(await names()).toEqual(["moon", "light", "astana", "river"]);
    expect(await head("close").getAttribute("aria-sort")).toBe("ascending");
    await sortBy("close");
    expect(await names()).toEqual(["astana", "light", "moon", "river"]);
    expect(await head("close").getAttribute("aria-sort")).toBe("descending");
    await sortBy("Time");
    expect(await names()).toEqual(["moon", "light", "astana", "river"]);
    expect(await head("close").getAttribute("aria-sort")).toBe(null);
    await sortBy("Inputs");
    expect(await names()).toEqual(["light", "moon", "river", "astana"]);
  });

  it("open, and say everything", async () => {
    await open(experiment());
    await opened("moon").click();
    expect(await opened("moon").getAttribute("aria-expanded")).toBe("true");
    const text = (await page.locator(".details").innerText()).replaceAll(/\s+/g, " ");
    expect(text).toContain('Outputs user When? assistant → look_up({"event":"moon"})');
    expect(text).toContain("Reference outputs 20 July 1969");
    expect(text).toContain(
      "tone OpenEvalsError (provider_error): The endpoint answered 503 Caused by TypeError: fetch failed " +
        "Caused by Error: ECONNRESET",
    );
    await opened("moon").click();
    expect(await page.locator(".details").count()).toBe(0);
    await opened("river").click();
    expect(await page.locator(".details").innerText()).toContain("Error: The agent ran out of turns");
  });

  it("mark what differs", async () => {
    await open(experiment());
    await opened("light").click();
    expect(await page.locator(".details mark").allTextContents()).toEqual(["54", "45"]);
  });

  it("say what is not applicable, and what failed", async () => {
    await open(experiment());
    const cells = (name: string) => page.getByRole("row", { name }).getByRole("cell").allTextContents();
    expect((await cells("light")).slice(2)).toEqual(["false", "0.875", "n/a", "20 ms"]);
    expect((await cells("moon")).slice(2)).toEqual(["false", "0.250", "error", "3.0 ms"]);
    expect((await cells("river")).slice(1)).toEqual([
      "The agent ran out of turns",
      "–",
      "–",
      "–",
      "1 min 10 s",
    ]);
  });

  it("are seen by the gist of what is in them", async () => {
    const messages = [
      { role: "user", content: "Hello" },
      { role: "assistant", content: "Good\nmorning." },
    ];
    const data = [{ id: "a", inputs: { question: "When?" }, outputs: { messages }, durationMs: 0 }];
    await open(experimentOf(data));
    // Nor is there a time where none was taken.
    const cells = await page.getByRole("row", { name: "a" }).getByRole("cell").allTextContents();
    expect(cells).toEqual(["When?", "Good morning."]);
    expect(await page.getByRole("columnheader").allTextContents()).toEqual(["Row", "Inputs", "Outputs"]);
  });

  it("with keys for which true is bad news", async () => {
    const rude = experimentOf([
      { id: "rude", scores: { toxicity: true } },
      { id: "kind", scores: { toxicity: false } },
    ]);
    await open(rude, { lowerIsBetter: ["toxicity"] });
    await page.getByLabel("Show").selectOption("failing");
    expect(await names()).toEqual(["rude"]);
  });

  it("come in pages", async () => {
    await open(
      experimentOf(
        Array.from({ length: 250 }, (_, i): RowData => ({ id: `${i + 1}`, scores: { ok: i > 4 } })),
      ),
    );
    expect(await names()).toHaveLength(100);
    expect(await page.getByRole("button", { name: "Previous" }).isDisabled()).toBe(true);
    await page.getByRole("button", { name: "Next" }).click();
    expect((await names())[0]).toBe("101");
    expect(await page.getByRole("navigation").innerText()).toContain("101–200 of 250");
    expect(await page.evaluate("document.activeElement.textContent")).toBe("Rows");
    await page.getByRole("button", { name: "Next" }).click();
    expect(await names()).toHaveLength(50);
    expect(await page.getByRole("button", { name: "Next" }).isDisabled()).toBe(true);
    await page.getByLabel("Show").selectOption("failing");
    expect(await names()).toEqual(["1", "2", "3", "4", "5"]);
    expect(await page.getByRole("navigation").count()).toBe(0);
  });

  it("can be ten thousand", async () => {
    const many = Array.from(
      { length: 10_000 },
      (_, i): RowData => ({ id: `row ${i}`, scores: { share: i / 10_000 } }),
    );
    await open(experimentOf(many));
    await sortBy("share");
    await sortBy("share");
    expect((await names()).slice(0, 2)).toEqual(["row 9999", "row 9998"]);
    await page.getByLabel("Search").fill("row 4242");
    expect(await names()).toEqual(["row 4242"]);
  });
});

describe("two experiments", () => {
  const before = experimentOf(
    Array.from(
      { length: 12 },
      (_, i): RowData => ({ id: `${i}`, outputs: `old ${i}`, scores: { ok: i < 2 } }),
    ),
    { experimentName: "before-00000000", summaryResults: [{ key: "f1", score: 0.25 }] },
  );
  // Nine rows for the better, one for the worse.
  const after = experimentOf(
    Array.from(
      { length: 12 },
      (_, i): RowData => ({ id: `${i}`, outputs: `new ${i}`, scores: { ok: i > 0 && i < 11 } }),
    ),
    { experimentName: "after-00000000", summaryResults: [{ key: "f1", score: 0.75 }] },
  );

  it("have a difference, and rows that flipped", async () => {
    await open(after, { compareWith: before });
    expect(await page.locator("header").innerText()).toContain("Compared with before-00000000");
    const text = (await card("ok").innerText()).replaceAll(/\s+/g, " ");
    // 10 of 12 after 2 of 12. McNemar: of 10 that flipped 1 went down, 2 * (1 + 10) / 2 ** 10.
    expect(text).toContain("+66.7 pp from 16.7%");
    expect(text).toContain("Paired p = 0.021, 12 pairs Flipped 9 up, 1 down");
    await card("ok").getByRole("button", { name: "9 up, 1 down" }).click();
    expect(await names()).toEqual(["0", "2", "3", "4", "5", "6", "7", "8", "9", "10"]);
    expect(await status()).toBe("10 of 12 rows");
    expect(await page.getByRole("row", { name: "0", exact: false }).nth(1).innerText()).toContain(
      "true → false",
    );
  });

  it("stand side by side", async () => {
    await open(after, { compareWith: before });
    await opened("2").click();
    const panes = await page.locator(".panes section").allInnerTexts();
    expect(panes.map((pane) => pane.split(/\s*\n\s*/))).toEqual([
      ["Inputs", "question 2"],
      ["Outputs before", "old 2"],
      ["Outputs after", "new 2"],
    ]);
    expect(await page.locator(".results").innerText()).toMatch(/ok\s+false\s+true/);
    expect(await page.getByRole("row", { name: /^f1/ }).innerText()).toMatch(/0\.250\s+0\.750/);
  });

  it("need not have the same rows", async () => {
    await open(experimentOf([{ id: "new", scores: { other: true } }]), { compareWith: before });
    expect(await card("other").innerText()).toContain("Nothing to compare with");
  });
});

describe("what is in the data", () => {
  const evil = [
    "</script><script>alert(1)</script>",
    "<img src=x onerror=alert(2)>",
    "<!--<script>",
    "]]>",
    "\u2028\u2029",
    "\ud800",
    "javascript:alert(3)",
    "&lt;b&gt;",
    '" onmouseover="alert(4)',
    "{{constructor.constructor('alert(5)')()}}",
    "\u202egnp.exe",
    "__proto__",
  ].join(" ");

  it("is text, wherever it stands", async () => {
    const failure = { name: evil, message: evil, code: evil, cause: { name: evil, message: evil } };
    const data: RowData[] = [
      {
        id: evil,
        inputs: evil,
        outputs: { [evil]: evil },
        reference: [evil],
        scores: { [evil]: false, __proto__: true, constructor: 0.5 },
        comments: { [evil]: evil },
        errors: { broken: failure },
      },
      {
        id: "2",
        outputs: [
          { role: evil, content: evil, [evil]: evil, tool_calls: [{ name: evil, args: evil }, null] },
        ],
      },
      { id: "3", failed: failure },
    ];
    const hostile = experimentOf(data, {
      experimentName: evil,
      metadata: { [evil]: evil, link: "javascript:alert(6)" },
      summaryResults: [
        {
          key: evil,
          score: null,
          comment: evil,
          value: { labels: [evil], matrix: [[evil as unknown as number]] },
        },
        { key: "failed", error: failure },
      ],
      stopped: failure,
    });
    await open(hostile, { compareWith: hostile });
    for (const button of await page.locator(".open").all()) await button.click();
    for (const button of await page.locator(".link").all()) await button.click();
    await page.locator("summary").first().waitFor({ state: "detached" });
    expect(await page.locator("img, iframe, a, b b, script").count()).toBe(2); // its own scripts: data and code
    expect(await page.locator("main").innerText()).toContain(
      "</script><script>alert(1)</script> <img src=x onerror",
    );
    expect(await page.locator("main").innerText()).toContain("\\ud800 javascript:alert(3)");
    expect(await page.locator("main").innerText()).not.toContain("\u202e");
  });

  it("could not run or load anything even as markup", async () => {
    await open(experiment());
    const refused = await page.evaluate<string[]>(`new Promise((resolve) => {
      const violations = [];
      addEventListener("securitypolicyviolation", (event) => {
        if (violations.push(event.effectiveDirective) === 5) resolve(violations.sort());
      });
      document.querySelector("main").insertAdjacentHTML("beforeend",
        '<img src="https://example.com/x.png" onerror="window.ran = 1"><p style="color: red"></p>');
      const script = document.createElement("script");
      script.textContent = "window.ran = 2";
      document.body.append(script);
      fetch("https://example.com").catch(() => {});
    })`);
    expect(refused).toEqual([
      "connect-src",
      "img-src",
      "script-src-attr",
      "script-src-elem",
      "style-src-attr",
    ]);
    expect(await page.evaluate("window.ran")).toBe(undefined);
    problems.length = 0; // the browser reports what it refused
  });

  it("survives JSON", async () => {
    const once = await renderReport(experiment(), { compareWith: experiment() });
    expect(await renderReport(JSON.parse(JSON.stringify(experiment())), { compareWith: experiment() })).toBe(
      once,
    );
  });
});

describe("the page", () => {
  it("is one file, with all that it needs", async () => {
    const path = await open(experiment());
    const html = await readFile(path, "utf8");
    expect(html).toContain("default-src 'none'");
    expect(html).not.toMatch(/(?:src|href)="(?!data:,)/);
    expect(html).toBe(await renderReport(experiment()));
  });

  it("works with the keyboard alone", async () => {
    await open(experiment());
    await page.getByLabel("Search").focus();
    await page.keyboard.type("moon");
    expect(await names()).toEqual(["moon"]);
    await page.getByLabel("Search").press("Escape");
    await head("close").getByRole("button").focus();
    await page.keyboard.press("Enter");
    expect(await head("close").getAttribute("aria-sort")).toBe("ascending");
    await opened("light").focus();
    await page.keyboard.press("Space");
    expect(await opened("light").getAttribute("aria-expanded")).toBe("true");
    // What has the focus can be seen.
    expect(await page.evaluate("getComputedStyle(document.activeElement).outlineStyle")).toBe("solid");
  });

  it("is dark where the reader likes it dark, and white on paper", async () => {
    await open(experiment());
    const brightness = () =>
      page.evaluate<number>(`
        getComputedStyle(document.body).backgroundColor.match(/\\d+/g).reduce((sum, part) => sum + Number(part), 0)`);
    expect(await brightness()).toBeGreaterThan(700);
    await page.emulateMedia({ colorScheme: "dark" });
    expect(await brightness()).toBeLessThan(100);
    await page.emulateMedia({ colorScheme: "dark", media: "print" });
    expect(await brightness()).toBeGreaterThan(700);
    expect(await page.getByLabel("Search").isVisible()).toBe(false);
  });

  it.each([320, 400, 1280])("fits %i pixels", async (width) => {
    await page.setViewportSize({ width, height: 800 });
    const long = "x".repeat(300);
    const data: RowData = { id: long, inputs: long, outputs: long, scores: { [long]: 0.1, ok: true } };
    const wide = experimentOf([data, ...rows], { experimentName: long, metadata: { [long]: long } });
    await open(wide, { compareWith: wide });
    await page.locator(".open").first().click();
    expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(width);
    expect((await page.locator(".details").boundingBox())!.width).toBeLessThanOrEqual(width);
  });
});
