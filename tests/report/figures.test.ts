/** The figures of a report. */
import { evaluate } from "openevals-wasm/evaluation";
import { wordCount } from "openevals-wasm/text";
import { describe, expect, it } from "vitest";
import { experimentOf } from "./experiments.js";
import { card, experiment, open, page, status, usePages } from "./page.js";

usePages();

describe("the figures", () => {
  it("heading", async () => {
    await open(experiment());
    expect(await page.locator("header b").allTextContents()).toEqual(["capitals-1a2b3c4d"]);
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
    const once = experimentOf([{ id: "1", scores: { close: 0.5 } }]);
    await open({ ...once, aggregates: { close: { ...once.aggregates.close!, interval: null } } });
    expect(await card("close").innerText()).toContain("No interval: there is one score");
    await open(experiment());
    expect(await card("close").getByRole("img").getAttribute("aria-label")).toBe(
      "Distribution: from 0.250 to 1.000, median 0.875, standard deviation 0.000; " +
        "1 score from 0.200 to 0.300, 1 score from 0.800 to 0.900, 1 score from 0.900 to 1.000",
    );
  });

  it("scores pass by the recorded scale, and without one from one half on", async () => {
    const rows = [
      { id: "a", scores: { close: 0.7, rate: 0.1, words: 7 } },
      { id: "b", scores: { close: 0.9, rate: 0.3, words: 9 } },
    ];
    await open(experimentOf(rows));
    expect(await card("close").innerText()).not.toContain("failing");
    const scales = {
      close: { min: 0, max: 1, direction: "higher", passAt: 0.8 },
      rate: { min: 0, direction: "lower", passAt: 0.2, unit: "errors per word" },
      words: { min: 0, unit: "words" },
    } as const;
    await open(experimentOf(rows, { scales }));
    expect(await card("close").innerText()).toMatch(/passes from 0\.8\s+n = 2\s+1 failing/);
    expect(await card("rate").innerText()).toMatch(
      /in errors per word, passes up to 0\.2\s+n = 2\s+1 failing/,
    );
    expect(await card("words").innerText()).toMatch(/in words, no pass mark\s+n = 2$/);
    // Of all grades, only the first and the last occur.
    const grades = [1, 5].map((grade) => ({ id: `${grade}`, scores: { grade } }));
    await open(
      experimentOf(grades, { scales: { grade: { min: 1, max: 5, direction: "higher", passAt: 5 } } }),
    );
    expect(await card("grade").innerText()).toMatch(/passes at 5\s+n = 2\s+1 failing/);
    expect(await card("grade").locator("figcaption span").allInnerTexts()).toEqual(["1", "3", "5"]);
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

  it.each([360, 1280])("the axis contains the whole of the last bar on %i px", async (width) => {
    const data = Array.from({ length: 40 }, (_, i) => ({
      inputs: i,
      outputs: "word ".repeat(i % 2 ? 6 : 13),
    }));
    const counted = await evaluate(undefined, { data, evaluators: [wordCount] });
    await page.setViewportSize({ width, height: 740 });
    // The bins of counts up to 100 are of ten words.
    for (const options of [{}, { compareWith: counted }]) {
      await open(counted, options);
      const figure = card("word_count").locator("figure");
      expect(await figure.locator("figcaption span").allTextContents()).toEqual(["0", "10", "20"]);
      const axis = (await figure.locator("svg").boundingBox())!;
      const [first, second, ...more] = await Promise.all(
        (await figure.locator(".bin").all()).map(async (bar) => (await bar.boundingBox())!),
      );
      expect(more).toEqual([]);
      // The stroke of a bar is one pixel.
      const isAt = (expected: number, actual: number) => expect(Math.abs(actual - expected)).toBeLessThan(1);
      isAt(axis.x, first!.x);
      isAt(axis.x + axis.width / 2, second!.x);
      isAt(axis.x + axis.width, second!.x + second!.width);
    }
  });

  it("summary results, a confusion matrix as a table, and failures", async () => {
    await open(experiment());
    const table = page.getByRole("region", { name: "Summary" });
    expect(await table.getByRole("row", { name: /^f1/ }).innerText()).toMatch(/0\.800\s+0\.700 to 0\.900/);
    expect(await table.getByRole("row", { name: "yes 3 1" }).count()).toBe(1);
    expect(await table.getByRole("row", { name: "no 0 2" }).count()).toBe(1);
    expect(await table.getByRole("row", { name: /^kappa/ }).innerText()).toContain("Error: one label only");
  });

  it("remarks on summary results in words on a phone", async () => {
    await page.setViewportSize({ width: 360, height: 740 });
    const error = { name: "OpenEvalsError", code: "invalid_input", message: "2 of 3 conversations failed" };
    const summaryResults = [{ key: "state:pass_hat_3", error }];
    await open(experimentOf([{ id: "a", scores: { state: true } }], { summaryResults }));
    const remark = page.getByRole("row", { name: /^state:pass_hat_3/ }).getByRole("paragraph");
    // Three lines; each letter had its own.
    expect((await remark.boundingBox())!.height).toBeLessThan(100);
  });

  it("an experiment without anything in it", async () => {
    await open(experimentOf([]));
    expect(await status()).toBe("0 rows");
    expect(await page.getByText("No row matches.").count()).toBe(1);
  });
});
