/** The report of more than two experiments. */
import { renderReport } from "openevals-wasm/evaluation";
import { describe, expect, it } from "vitest";
import { errorOf } from "../api/error-of.js";
import { experimentOf, type RowData } from "./experiments.js";
import { card, expectAccessible, open, opened, page, usePages } from "./page.js";

usePages();

/** Twelve rows, the first so many of which are right. */
const withRight = (right: number, name: string, more: object = {}) =>
  experimentOf(
    Array.from(
      { length: 12 },
      (_, i): RowData => ({
        id: `${i}`,
        outputs: `${name} ${i}`,
        scores: { ok: i < right, ...more },
        told: { ok: { model: "judge", usage: { inputTokens: 100 * right, outputTokens: 10 } } },
      }),
    ),
    {
      experimentName: name,
      summaryResults: [{ key: "f1", score: right / 12 }],
      startedAt: `2026-11-${right + 10}T08:00:00.000Z`,
    },
  );
const [first, second, third] = [
  withRight(1, "first"),
  withRight(6, "second"),
  withRight(12, "third", { extra: 0.5 }),
];

const line = async (key: string) =>
  (
    await page
      .getByRole("row")
      .filter({ has: page.getByRole("rowheader", { name: key, exact: true }) })
      .first()
      .locator("td")
      .allInnerTexts()
  ).map((text) => text.replaceAll(/\s+/g, " ").trim());

describe("several experiments", () => {
  it("stand side by side, each with its difference from the first", async () => {
    await open([first, second, third]);
    expect(await page.getByRole("heading", { level: 1 }).textContent()).toBe(
      "Better on ok, by more than chance; all 12 rows pass",
    );
    expect(await page.locator(".series thead th").allInnerTexts()).toEqual([
      "Key",
      "Trend",
      "first\n2026-11-11 08:00\nbaseline",
      "second\n2026-11-16 08:00",
      "third\n2026-11-22 08:00",
    ]);
    // McNemar: 2 / 2 ** 5 and 2 / 2 ** 11, of two comparisons by Holm's method: 0.0625 and twice 0.000977.
    const [, baseline, between, last] = await line("ok");
    expect(baseline).toBe("8.3% −1.7% to 18.3%");
    expect(between).toContain("50.0% 40.0% to 60.0% +41.7 pp adjusted p = 0.063");
    expect(last).toContain("100.0% 90.0% to 110.0% +91.7 pp adjusted p = 0.002");
    expect(await line("extra")).toEqual(["", "–", "–", "0.500 0.400 to 0.600"]);
    expect((await line("f1")).slice(1)).toEqual(["0.083", "0.500", "1.000"]);
    expect((await line("Judges’ tokens")).slice(1)).toEqual([
      "1,200 in, 120 out",
      "7,200 in, 120 out",
      "14,400 in, 120 out",
    ]);
    expect(await page.locator(".series .better").allTextContents()).toEqual(["+91.7 pp"]);
    expect(await page.locator("section[aria-labelledby=experiments] .remark").textContent()).toContain(
      "p is adjusted for 2 comparisons; intervals are not, except those marked “adj.”",
    );
    // The same on the card of the last one.
    expect((await card("ok").innerText()).replaceAll(/\s+/g, " ")).toContain("+91.7 pp from 8.3%");
    expect((await card("ok").innerText()).replaceAll(/\s+/g, " ")).toContain(
      "Paired adjusted p = 0.002, 12 pairs",
    );
  });

  it("have a trend for each key", async () => {
    await open([first, second, third]);
    const images = page.locator(".series").getByRole("img");
    expect(await images.first().getAttribute("aria-label")).toBe("Trend: 8.3%, 50.0%, 100.0%");
    const path = await images.first().locator("path").getAttribute("d");
    // Upwards, at even distances.
    const [a, b, c] = [...path!.matchAll(/[ML]([\d.]+) ([\d.]+)/g)].map(([, x, y]) => [Number(x), Number(y)]);
    expect(b![0]! - a![0]!).toBeCloseTo(c![0]! - b![0]!);
    expect(a![1]).toBeGreaterThan(b![1]!);
    expect(b![1]).toBeGreaterThan(c![1]!);
  });

  it("have the cost by the prices", async () => {
    await open([first, second, third], { prices: { judge: { input: 1000, output: 0 } } });
    expect((await line("Judges’ cost")).slice(1)).toEqual(["$1.20", "$7.20", "$14.40"]);
  });

  it("have the outputs of all in a row", async () => {
    await open([first, second, third]);
    await opened("7").click();
    expect(await page.locator(".details > .panes section").allInnerTexts()).toEqual([
      "Inputs\nquestion 7",
      "Outputs before\nfirst 7",
      "Outputs after\nthird 7",
    ]);
    await page.getByText("Outputs in between (1)").click();
    expect(await page.locator(".between section").allInnerTexts()).toEqual(["second\nsecond 7\n\nok false"]);
  });

  it("of two are what compareWith shows; of one, a normal report", async () => {
    expect(await renderReport([first, third])).toBe(await renderReport(third, { compareWith: first }));
    expect(await renderReport([third])).toBe(await renderReport(third));
  });

  it("cannot be none, nor be compared with another one as well", async () => {
    for (const [work, words] of [
      [() => renderReport([]), "list of experiments is empty"],
      [() => renderReport([first, second], { compareWith: third }), "compareWith"],
    ] as const)
      expect(await errorOf(work())).toMatchObject({
        code: "invalid_config",
        message: expect.stringContaining(words),
      });
    expect(await errorOf(renderReport([first, {} as any, third]))).toMatchObject({
      code: "invalid_input",
      message: expect.stringContaining("experiment 2"),
    });
  });

  it("hold nothing twice that is shown once", async () => {
    const long = "x".repeat(10_000);
    const heavy = (name: string) =>
      experimentOf([{ id: "a", inputs: long, reference: long, scores: { ok: 1 }, comments: { ok: long } }], {
        experimentName: name,
      });
    const [one, three] = [
      await renderReport(heavy("a")),
      await renderReport([heavy("a"), heavy("b"), heavy("c")]),
    ];
    expect(three.length - one.length).toBeLessThan(10_000);
  });

  it("can be read by everybody", async () => {
    const long = "a_very_long_name_of_a_key_".repeat(5);
    await open([first, second, third, withRight(9, `${long}\u202e</script>`, { [long]: 1 })]);
    await opened("1").click();
    await expectAccessible();
  });
});
