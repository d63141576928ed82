/** The report of two experiments. */
import { describe, expect, it } from "vitest";
import { experimentOf, type RowData } from "./experiments.js";
import { card, names, open, opened, page, status, usePages } from "./page.js";

usePages();

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
    expect(await page.locator("header").innerText()).toContain(
      "after-00000000 compared with before-00000000",
    );
    const text = (await card("ok").innerText()).replaceAll(/\s+/g, " ");
    // 10 of 12 after 2 of 12. McNemar: of 10 that flipped 1 went down, 2 * (1 + 10) / 2 ** 10.
    expect(await page.getByRole("heading", { level: 1 }).textContent()).toBe(
      "Better on ok, by more than chance; 2 of 12 rows fail",
    );
    expect(text).toContain("+66.7 pp from 16.7%");
    expect(text).toContain("Paired p = 0.021, 12 pairs Flipped 9 up, 1 down");
    await card("ok").getByRole("button", { name: "9 up, 1 down" }).click();
    expect(await names()).toEqual(["0", "2", "3", "4", "5", "6", "7", "8", "9", "10"]);
    expect(await status()).toBe("10 of 12 rows");
    expect(await page.getByRole("row", { name: "0", exact: false }).nth(1).innerText()).toContain(
      "true → false",
    );
  });

  it("say that p-values of several keys are adjusted, and intervals are not", async () => {
    const withOther = (experiment: typeof before) => ({
      ...experiment,
      aggregates: { ...experiment.aggregates, other: experiment.aggregates.ok! },
      rows: experiment.rows.map((row) => ({
        ...row,
        evaluationResults: row.evaluationResults.flatMap((one) => [one, { ...one, key: "other" }]),
      })),
    });
    await open(withOther(after), { compareWith: withOther(before) });
    const text = (await card("ok").innerText()).replaceAll(/\s+/g, " ");
    expect(text).toContain("95% interval, unadjusted");
    expect(text).toContain("Paired adjusted p = 0.043, 12 pairs");
    // Two lines of 20 px in a card of the smallest width.
    await page.setViewportSize({ width: 320, height: 720 });
    const paired = (await card("ok").getByText("adjusted p = 0.043").boundingBox())!;
    expect(paired.height).toBeLessThan(45);
    await open(after, { compareWith: before });
    expect(await card("ok").innerText()).not.toContain("adjusted");
  });

  it("count clusters beside pairs", async () => {
    const clustered = (experiment: typeof before) => ({
      ...experiment,
      rows: experiment.rows.map((row, i) => ({ ...row, cluster: `${i % 4}` })),
    });
    await open(clustered(after), { compareWith: clustered(before) });
    const text = (await card("ok").innerText()).replaceAll(/\s+/g, " ");
    expect(text).toMatch(/Paired p = 0\.\d+, 12 pairs in 4 clusters Flipped/);
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

  it("have the means of the paired rows beside the difference", async () => {
    const scores = [true, true, false, false].map((ok, i): RowData => ({ id: `${i}`, scores: { ok } }));
    // Of the three rows of both, one was right, and two are now; one of four is right without a pair.
    const now = [true, true, false, true].map((ok, i): RowData => ({ id: `${i + 1}`, scores: { ok } }));
    await open(experimentOf(now), { compareWith: experimentOf(scores) });
    const text = (await card("ok").innerText()).replaceAll(/\s+/g, " ");
    expect(text).toContain("75.0%");
    expect(text).toContain("+33.3 pp from 33.3% to 66.7% in the pairs");
    expect(text).toContain("3 pairs, 2 unpaired");
  });

  it("need not have the same rows", async () => {
    await open(experimentOf([{ id: "new", scores: { other: true } }]), { compareWith: before });
    expect(await card("other").innerText()).toContain("Nothing to compare with");
  });
});
