/** The page of a report: data stays text, and the page is accessible. */
import { readFile } from "node:fs/promises";
import { renderReport, renderReportIndex } from "openevals-wasm/evaluation";
import { describe, expect, it } from "vitest";
import { experimentOf, type RowData } from "./experiments.js";
import {
  expectAccessible,
  experiment,
  head,
  names,
  open,
  opened,
  openHtml,
  page,
  problems,
  rows,
  tooSmall,
  usePages,
} from "./page.js";

usePages();

describe("the data", () => {
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
    "\u202e\u200e\u200f\u061cgnp.exe",
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
    expect(await page.locator("img, iframe, a:not([href^='#row=']), b b, script").count()).toBe(2); // its own scripts: data and code
    expect(await page.locator("main").innerText()).toContain(
      "</script><script>alert(1)</script> <img src=x onerror",
    );
    expect(await page.locator("main").innerText()).toContain("\\ud800 javascript:alert(3)");
    expect(await page.locator("main").innerText()).not.toMatch(/\p{Bidi_Control}/u);
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
    problems.length = 0; // the browser reports blocked content
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
    // The focused element is visible.
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

  it("shows files written by hand, and omits missing fields", async () => {
    const bare = {
      experimentName: "bare",
      rows: [{ example: { id: 1 }, run: {}, evaluationResults: [{ key: "ok", metadata: null }], errors: [] }],
      aggregates: { ok: { mean: null, count: 0, errors: 0, notApplicable: 1 }, empty: {} },
      summaryResults: [],
      metadata: null,
    } as any;
    await open([bare, bare, bare]);
    expect(await names()).toEqual(["1"]);
    await opened("1").click();
    expect(await page.locator(".details").innerText()).toContain("Started – UTC");
    await openHtml(await renderReportIndex([{ experiment: bare }]));
    expect(await page.getByRole("row").count()).toBe(2);
  });

  it("opens rows with a megabyte in every field at once", async () => {
    const long = "</script> word ".repeat(70_000);
    const huge: RowData = {
      id: "huge",
      inputs: { [long.slice(0, 50)]: long },
      outputs: [long, long],
      reference: long,
      metadata: { long },
      scores: { ok: false },
      comments: { ok: long },
      told: { ok: { long } },
      errors: { other: { name: "Error", message: long } },
    };
    const wide = { ...huge, id: "wide", outputs: "x".repeat(1_000_000), reference: "y".repeat(1_000_000) };
    await open(experimentOf([huge, wide]));
    for (const name of ["huge", "wide"]) {
      const time = await page.evaluate<number>(`(() => {
        const start = performance.now();
        Array.from(document.querySelectorAll(".open")).find((it) => it.textContent === "${name}").click();
        document.body.getBoundingClientRect();
        return performance.now() - start;
      })()`);
      // It would be half a minute, were all of it laid out.
      expect(time).toBeLessThan(5_000);
    }
    expect(await page.locator(".details").count()).toBe(2);
  });

  it("has targets for fingers on a phone", async () => {
    await page.setViewportSize({ width: 390, height: 800 });
    await open(experiment(), { compareWith: experiment() });
    for (const button of await page.locator(".open").all()) await button.click();
    expect(await tooSmall(24)).toEqual([]);
    for (const place of [".controls", ".rows th", ".failing"]) expect(await tooSmall(44, place)).toEqual([]);
  });

  it("has scores in one line on a phone", async () => {
    await page.setViewportSize({ width: 390, height: 800 });
    const of = (faithfulness: number) => experimentOf([{ id: "a", scores: { faithfulness } }]);
    await open(of(-0.125), { compareWith: of(0.125) });
    await opened("a").click();
    const lines = await page.evaluate<number[]>(`
      Array.from(document.querySelectorAll(".results .figure .pill"), (pill) =>
        Math.round(pill.getBoundingClientRect().height / parseFloat(getComputedStyle(pill).lineHeight)))`);
    expect(lines).toEqual([1]);
  });

  it("has the beginning of the inputs and all scores of a row on a phone", async () => {
    await page.setViewportSize({ width: 390, height: 800 });
    const scores = { faithfulness_of_the_answer: 0.5, exact_match: false, polite: true };
    await open(experimentOf([{ id: "a", inputs: "Is it open? ".repeat(20), scores }]));
    const row = page.locator(".rows > tbody > tr");
    expect(await row.locator("td:visible").allTextContents()).toEqual([
      expect.stringMatching(/^Is it open\? /),
      ...["0.500", "false", "true"],
    ]);
    expect(
      await row.locator(".figure:visible").evaluateAll((all) => all.map((cell: any) => cell.dataset.title)),
    ).toEqual(Object.keys(scores));
    for (const cell of [row, ...(await row.locator("td:visible").all())]) {
      const { x, width } = (await cell.boundingBox())!;
      expect(x).toBeGreaterThan(0);
      expect(x + width).toBeLessThan(390);
    }
    await expectAccessible();
  });

  it("stacks comments on a phone, and shades the edge of a table that goes on", async () => {
    await page.setViewportSize({ width: 390, height: 800 });
    const keys = Array.from({ length: 9 }, (_, i) => `a_long_key_${i}`);
    const scores = Object.fromEntries(keys.map((key) => [key, 0.5]));
    const comments = Object.fromEntries(keys.map((key) => [key, "Why it is so, at some length."]));
    const wide = experimentOf([{ id: "a", scores, comments }]);
    await open(wide, { compareWith: wide });
    await opened("a").click();
    const within = "(({ scrollWidth, clientWidth }) => scrollWidth <= clientWidth)";
    expect(await page.evaluate(`${within}(document.querySelector(".details .scroll"))`)).toBe(true);
    await opened("a").click();
    await page.setViewportSize({ width: 800, height: 800 });
    for (const colorScheme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme });
      const table = page.getByRole("group", { name: "Rows" });
      await table.evaluate((element: any) => element.scrollTo(0, 0));
      await table.scrollIntoViewIfNeeded();
      const { x, y, width } = (await table.boundingBox())!;
      const edge = () => page.screenshot({ clip: { x: x + width - 5, y: y + 5, width: 3, height: 2 } });
      const before = await edge();
      await table.evaluate((element: any) => element.scrollTo(10_000, 0));
      expect((await edge()).equals(before)).toBe(false);
    }
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
