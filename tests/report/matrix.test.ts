/** The report of a matrix: every combination in one table. */
import { type Experiment, renderReport } from "openevals-wasm/evaluation";
import { expect, it } from "vitest";
import { experimentOf, type RowData } from "./experiments.js";
import { expectAccessible, open, opened, page, usePages } from "./page.js";

usePages();

const PRICES = { judge: { input: 1000, output: 0 } };

/** Twenty rows, the first so many of which are right. */
const combination = (prompt: string, model: string, right: number, more: Partial<RowData> = {}) =>
  experimentOf(
    Array.from(
      { length: 20 },
      (_, i): RowData => ({
        id: `${i}`,
        outputs: `${prompt} ${model} ${i}`,
        scores: { ok: i < right },
        told: { ok: { model: "judge", usage: { inputTokens: right, outputTokens: 0 } } },
        ...more,
      }),
    ),
    { experimentName: `${prompt}-${model}`, metadata: { version: 3, matrix: { prompt, model } } },
  );
const all = () => [
  combination("brief", "small", 8),
  combination("brief", "large", 20, { durationMs: 30 }),
  combination("polite", "small", 10),
];

const table = () =>
  page
    .locator(".matrix tr")
    .evaluateAll((rows) =>
      rows.map((row: any) =>
        Array.from(row.cells, (cell: any) => cell.innerText.replace(/\s+/g, " ").trim()),
      ),
    );

it("has all combinations, the best first, with marks for differences beyond chance", async () => {
  await open(all(), { prices: PRICES });
  // McNemar, of discordant rows: 10, 12 and 2, all one way: 2 / 2 ** 10, 2 / 2 ** 12 and 2 / 4, times 2, 3 and 1.
  expect(await table()).toEqual([
    ["prompt", "model", "ok", "Failing", "Median time", "Judges’ cost"],
    ["brief", "large", "100.0% ★ 90.0% to 110.0%", "0 of 20", "30 ms", "$0.40"],
    ["polite", "small", "50.0% ▼ 40.0% to 60.0%", "10 of 20", "10 ms", "$0.20"],
    ["brief", "small", "40.0% ▼ 30.0% to 50.0%", "12 of 20", "10 ms", "$0.16"],
  ]);
  expect(await page.title()).toBe("brief · large is best on ok, by more than chance · brief-large");
  expect(await page.locator(".remark").first().textContent()).toContain("adjusted for 3 comparisons");
  const facts = await page.locator("header div").allInnerTexts();
  expect(facts.map((fact) => fact.split("\n")).slice(-3)).toEqual([
    ["version", "3"],
    ["prompt", "brief"],
    ["model", "large"],
  ]);
  // The rows of the best, with the outputs of the others.
  await opened("7").click();
  await page.getByText("Outputs of the other combinations (2)").click();
  expect((await page.locator(".between section").allInnerTexts()).map((text) => text.split("\n")[0])).toEqual(
    ["brief · small", "polite · small"],
  );
});

it("counts every row with an error, also if it fails", async () => {
  const errors = { tone: { name: "Error", message: "gone" } };
  await open([combination("brief", "small", 8, { errors }), combination("brief", "large", 20)]);
  const [heads = [], ...lines] = await table();
  const columns = ["model", "Failing", "Errors"].map((head) => heads.indexOf(head));
  expect(lines.map((line) => columns.map((column) => line[column]))).toEqual([
    ["large", "0 of 20", "0"],
    ["small", "12 of 20", "20"],
  ]);
});

it("shows the first mean on a phone, beside the combination, and that there are more", async () => {
  await page.setViewportSize({ width: 360, height: 740 });
  await open([
    combination("brief", "gpt-5.4-mini-2026-03-05", 8),
    combination("with examples", "gpt-5.4-mini-2026-03-05", 10),
  ]);
  expect((await table()).map(([name]) => name)).toEqual([
    "prompt · model",
    "with examples · gpt-5.4-mini-2026-03-05",
    "brief · gpt-5.4-mini-2026-03-05",
  ]);
  const box = (await page.locator(".scroll:has(.matrix)").boundingBox())!;
  const mean = (await page.locator(".matrix tbody .figure").first().boundingBox())!;
  expect(mean.x + mean.width).toBeLessThan(box.x + box.width);
});

it("has no best one where the difference may be chance", async () => {
  await open([combination("brief", "small", 10), combination("brief", "large", 12)]);
  expect(await page.getByRole("heading", { level: 1 }).textContent()).toBe(
    "No combination is best by more than chance",
  );
  expect((await table()).map(([, model, mean]) => [model, mean?.slice(0, 5)])).toEqual([
    ["model", "ok"],
    ["large", "60.0%"],
    ["small", "50.0%"],
  ]);
});

it("has no best one that lacks scores which the others have", async () => {
  const [, best, other] = all() as [Experiment, Experiment, Experiment];
  best.rows[19] = {
    ...best.rows[19]!,
    evaluationResults: [],
    errors: [{ key: "ok", error: { name: "Error", message: "gone" } }],
  };
  await open([best, other]);
  // 9 of 19 pairs flipped, 2 / 2 ** 9; but who knows about the twentieth?
  expect((await table()).map((cells) => cells[2]?.split(" ")[1])).toEqual([undefined, "90.0%", "▼"]);
  expect(await page.getByRole("heading", { level: 1 }).textContent()).toContain("No combination is best");
});

it("is that of experiments which record different combinations of the same axes", async () => {
  const [one, other] = all() as [Experiment, Experiment];
  const isMatrix = async (...experiments: Experiment[]) =>
    (await renderReport(experiments)).includes('"axes":');
  expect(await isMatrix(one, other)).toBe(true);
  expect(await isMatrix(one, one)).toBe(false);
  expect(await isMatrix(one, { ...other, metadata: { matrix: { prompt: "brief" } } })).toBe(false);
  expect(await isMatrix(one, { ...other, metadata: { matrix: { prompt: 1, model: 2 } } })).toBe(false);
  expect(await renderReport(other, { compareWith: one })).not.toContain('"axes":');
});

it("hinders no one, whatever the names are", async () => {
  const evil = "</script><img src=x onerror=alert(1)>\u202e_and_a_long_name".repeat(3);
  const nasty = experimentOf([{ id: "1", scores: { [evil]: 0.5 } }], {
    experimentName: evil,
    metadata: { matrix: { prompt: evil, model: evil } },
  });
  await open([...all(), nasty]);
  expect(await page.locator("img").count()).toBe(0);
  await expectAccessible();
});
