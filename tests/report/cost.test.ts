/** The usage and cost of judges in a report. */
import { type ModelPrices, renderReport } from "openevals-wasm/evaluation";
import { describe, expect, it } from "vitest";
import { errorOf } from "../api/error-of.js";
import { experimentOf, type RowData } from "./experiments.js";
import { expectAccessible, names, open, opened, page, sortBy, usePages } from "./page.js";

usePages();

const used = (
  model: string | undefined,
  inputTokens: number,
  outputTokens: number,
  more: object = {},
  also: object = {},
) => ({
  ...(model !== undefined && { model }),
  usage: { inputTokens, outputTokens, ...more },
  ...also,
});

const rows: RowData[] = [
  {
    id: "a",
    scores: { correct: true, kind: true, exact: true },
    told: {
      correct: used("gpt-5.4-2026-03-05", 1000, 200, { cachedInputTokens: 600 }),
      kind: used("mystery", 50, 5),
    },
  },
  {
    id: "b",
    scores: { correct: false },
    told: { correct: used("gpt-5.4", 3000, 100, {}, { cached: true }) },
  },
  { id: "c", scores: { exact: true } },
];
const prices: ModelPrices = { "openai:gpt-5.4": { input: 1, output: 10, cachedInput: 0.5 } };

const table = async () =>
  (await page.locator("section[aria-labelledby=costs] tr").all()).reduce<Promise<string[][]>>(
    async (lines, row) => [...(await lines), await row.locator("th, td").allTextContents()],
    Promise.resolve([]),
  );
const facts = async () => (await page.locator("header").innerText()).replaceAll(/\s+/g, " ");
describe("what judges used", () => {
  it("is that of the parts of a combination, and the rest without a name", async () => {
    const judge = { key: "judge", score: true, metadata: used("gpt-5.4", 1000, 100) };
    const inner = { key: "all_of", score: true, metadata: { ...used(undefined, 1000, 100), parts: [judge] } };
    const parts = [inner, { key: "exact", score: true }, { ...judge, metadata: used("mystery", 10, 1) }];
    const combined = (id: string, tokens: number): RowData => ({
      id,
      scores: { unless: true },
      told: { unless: { ...used(undefined, tokens, 101), parts } },
    });
    const whole = experimentOf([combined("a", 1010)], { experimentName: "whole" });
    const more = experimentOf([combined("a", 1017)], { experimentName: "more" });
    await open(whole, { prices });
    // 1000 + 1000 millionths.
    expect((await table())[1]).toEqual([
      "unless",
      "gpt-5.4, mystery",
      "1",
      "1,010",
      "101",
      "$0.002 + ?",
      "$0.002",
    ]);
    await open(more, { prices });
    expect((await table())[1]?.[1]).toBe("a model without a name, gpt-5.4, mystery");
    // The experiments before the last are embedded without data that a report does not show.
    await open([whole, whole, more], { prices });
    const costs = page
      .getByRole("row")
      .filter({ has: page.getByRole("rowheader", { name: "Judges’ cost" }) });
    expect((await costs.getByRole("cell").allTextContents()).slice(1)).toEqual(Array(3).fill("$0.002 + ?"));
  });

  it("is that of the members of a jury", async () => {
    const votes = [
      { name: "cheap", score: true, metadata: used("gpt-5.4", 1000, 100) },
      {
        name: "asked twice",
        score: true,
        metadata: { ...used("gpt-5.4", 500, 0), votes: [{ score: true }] },
      },
      { name: "broken", error: { code: "timeout", message: "Too late." } },
    ];
    const jury = experimentOf([
      { id: "a", scores: { jury: true }, told: { jury: { ...used(undefined, 1500, 100), votes } } },
    ]);
    await open([jury, jury, jury], { prices });
    const costs = page
      .getByRole("row")
      .filter({ has: page.getByRole("rowheader", { name: "Judges’ cost" }) });
    // 1500 + 1000 millionths.
    expect((await costs.getByRole("cell").allTextContents()).slice(1)).toEqual(Array(3).fill("$0.0025"));
  });

  it("was paid before, of all parts and votes, where a cache had all answers", async () => {
    const judge = { key: "judge", score: true, metadata: used("gpt-5.4", 1000, 100) };
    const votes = [{ name: "judge", ...judge }];
    const told = (more: object) => ({ ...used(undefined, 1000, 100), cached: true, ...more });
    const made = experimentOf([
      {
        id: "a",
        scores: { unless: true, jury: true },
        told: {
          unless: told({
            parts: [
              { key: "all_of", score: true, metadata: { ...used(undefined, 1000, 100), parts: [judge] } },
            ],
          }),
          jury: told({ votes }),
        },
      },
    ]);
    await open(made, { prices });
    const remarks = await page.locator("section[aria-labelledby=costs] .remark").allTextContents();
    expect(remarks).toContain("$0.004 of the cost is for cached answers, paid when they were recorded.");
  });

  it("is counted in tokens where there are no prices", async () => {
    await open(experimentOf(rows));
    expect(await table()).toEqual([
      ["Key", "Models", "Evaluations", "Tokens in", "of which cached", "Tokens out"],
      ["correct", "gpt-5.4, gpt-5.4-2026-03-05", "2", "4,000", "600", "300"],
      ["kind", "mystery", "1", "50", "0", "5"],
      ["Total", "gpt-5.4, gpt-5.4-2026-03-05, mystery", "3", "4,050", "600", "305"],
    ]);
    await sortBy("Tokens");
    await sortBy("Tokens");
    expect(await names()).toEqual(["b", "a", "c"]);
    expect(await facts()).not.toContain("cost");
    expect(await page.locator("main").innerText()).not.toContain("$");
  });

  it("is computed from the prices: in total, of a key, of a row, of a result", async () => {
    await open(experimentOf(rows), { prices });
    // 400 + 300 + 2000, and 3000 + 1000 millionths.
    expect((await table()).map((line) => line.slice(-2))).toEqual([
      ["Cost", "per evaluation"],
      ["$0.0067", "$0.0034"],
      ["no price", ""],
      ["$0.0067 + ?", "$0.0034"],
    ]);
    const remarks = await page.locator("section[aria-labelledby=costs] .remark").allTextContents();
    expect(remarks.slice(0, 2)).toEqual([
      "Without a price, and not in the cost: mystery (1 result).",
      "$0.004 of the cost is for cached answers, paid when they were recorded.",
    ]);
    expect(await facts()).toContain("Judges’ cost $0.0067 + ?");
    expect(await page.locator(".rows th[scope=col]").allTextContents()).toContain("Cost");
    for (const [name, text] of [
      ["a", "$0.0027 + ?"],
      ["b", "$0.004"],
      ["c", "–"],
    ] as const)
      expect(
        (
          await page
            .getByRole("row")
            .filter({ has: opened(name) })
            .getByRole("cell")
            .allTextContents()
        ).at(-2),
      ).toBe(text);
    await opened("a").click();
    expect(await page.locator(".results td.used").allTextContents()).toEqual([
      "$0.0027 1,000 in, 200 out",
      "50 in, 5 out",
      "–",
    ]);
  });

  it("is priced by the exact name of its model", async () => {
    const prices: ModelPrices = {
      "gpt-1-2026-03-05": { input: 2, output: 0 },
      "gpt-1": { input: 1, output: 0 },
      "openai:gpt-2": { input: 1, output: 0 },
      "azure-openai:gpt-2": { input: 1, output: 0 },
      "openai:gpt-3": { input: 1, output: 0 },
      "azure-openai:gpt-3": { input: 3, output: 0 },
      "ollama:llama:70b": { input: 0, output: 0 },
    };
    const expected = {
      "gpt-1-2026-03-05": "$0.002",
      "gpt-1-20260101": "$0.001",
      // A model of two providers at the same price, and at different prices.
      "gpt-2": "$0.001",
      "gpt-3": "no price",
      "llama:70b": "$0.00",
      "gpt-1-mini": "no price",
      "gpt-1-2026": "no price",
      gpt: "no price",
    };
    const models = Object.keys(expected);
    const one: RowData = {
      id: "a",
      scores: Object.fromEntries(models.map((model) => [model, true])),
      // Cached tokens cost as much as others, unless a price says otherwise.
      told: Object.fromEntries(
        models.map((model) => [model, used(model, 1000, 0, { cachedInputTokens: 1000 })]),
      ),
    };
    await open(experimentOf([one]), { prices });
    const lines = (await table()).slice(1, -1).map((line) => [line[0], line.at(-2)]);
    expect(Object.fromEntries(lines)).toEqual(expected);
  });

  it("is not computed for invalid usage", async () => {
    const told = [
      { usage: "lots" },
      { usage: { inputTokens: "1", outputTokens: 2 } },
      { usage: { inputTokens: -5, outputTokens: 2 } },
      { usage: null },
    ];
    await open(
      experimentOf(told.map((one, i): RowData => ({ id: `${i}`, scores: { ok: true }, told: { ok: one } }))),
      { prices },
    );
    expect(await table()).toEqual([]);
    await open(
      experimentOf([
        { id: "a", scores: { ok: 1 }, told: { ok: used("__proto__", 5, 5) } },
        { id: "b", scores: { ok: 1 }, told: { ok: used(undefined, 5, 5) } },
      ]),
      { prices },
    );
    expect((await page.locator(".remark").allTextContents())[0]).toBe(
      "Without a price, and not in the cost: __proto__ (1 result), a model without a name (1 result).",
    );
  });

  it.each([
    [{ "gpt-5.4": 1 }],
    [{ "gpt-5.4": { input: 1 } }],
    [{ "gpt-5.4": { input: -1, output: 1 } }],
    [{ "gpt-5.4": { input: Number.NaN, output: 1 } }],
    [{ "gpt-5.4": { input: 1, output: 1, cached: 1 } }],
    [[]],
    ["gpt-5.4"],
  ])("has no prices like %j", async (wrong) => {
    const error = await errorOf(renderReport(experimentOf(rows), { prices: wrong as any }));
    expect(error.code).toBe("invalid_config");
    expect(error.message).toContain("dollars per million tokens");
  });

  it("can be read by everybody", async () => {
    await open(experimentOf(rows), { prices });
    await opened("a").click();
    await expectAccessible();
  });
});

it("is below its heading on a phone, for keys with and without it", async () => {
  await page.setViewportSize({ width: 360, height: 740 });
  await open([experimentOf(rows, { experimentName: "before" }), experimentOf(rows)], { prices });
  await opened("a").click();
  const ends = (cells: string) =>
    page
      .locator(`.results ${cells}`)
      .evaluateAll((all) => all.map((one) => Math.round(one.getBoundingClientRect().right)));
  const heads = await ends("thead .figure");
  expect(new Set(heads).size).toBe(3);
  // Keys are on one line above the figures; they were broken into letters.
  const keys = await page
    .locator(".results tbody th")
    .evaluateAll((all) =>
      all.map((one) => one.getBoundingClientRect()).map(({ width, height }) => ({ width, height })),
    );
  for (const { width, height } of keys) expect(height < 40 && width > 200).toBe(true);
  for (const row of [1, 2, 3]) expect(await ends(`tbody tr:nth-child(${row}) .figure`)).toEqual(heads);
});

it("is on one line on a phone", async () => {
  await page.setViewportSize({ width: 360, height: 740 });
  // 12 tokens in cost 12 millionths of a dollar, and one out costs one.
  const told = { correct: used("gpt-5.4", 12, 1) };
  const cheap = experimentOf([{ id: "a", scores: { correct: true }, told }]);
  await open([experimentOf(rows, { experimentName: "before" }), cheap], {
    prices: { "openai:gpt-5.4": { input: 1, output: 1 } },
  });
  await opened("a").click();
  const lines = await page.locator(".results tbody .used").evaluate((cell: any) => {
    const range = cell.ownerDocument.createRange();
    range.selectNodeContents(cell.firstChild);
    return [cell.firstChild.textContent.trim(), range.getClientRects().length];
  });
  expect(lines).toEqual(["$0.000013", 1]);
});
