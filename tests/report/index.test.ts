/** The index over many experiments. */
import { renderReportIndex } from "openevals-wasm/evaluation";
import { describe, expect, it } from "vitest";
import { errorOf } from "../api/error-of.js";
import { experimentOf, type RowData } from "./experiments.js";
import { expectAccessible, openHtml, page, usePages } from "./page.js";

usePages();

const made = (name: string, day: number, right: number, more: Partial<RowData> = {}) =>
  experimentOf(
    Array.from({ length: 4 }, (_, i): RowData => ({ id: `${i}`, scores: { ok: i < right }, ...more })),
    { experimentName: name, startedAt: `2026-11-${day}T08:00:00.000Z`, metadata: { model: `gpt-${day}` } },
  );
const entries = [
  { experiment: made("agent-00000001", 20, 1), href: "./agent-00000001.html" },
  { experiment: made("agent-00000003", 22, 4), href: "./agent-00000003.html" },
  {
    experiment: made("agent-00000002", 21, 2, {
      told: { ok: { model: "judge", usage: { inputTokens: 1000, outputTokens: 50 } } },
    }),
  },
  {
    experiment: made("extraction", 19, 3, { failed: { name: "Error", message: "gone" } }),
    href: "https://example.com/a?b=c#d",
  },
];

const lines = () =>
  page.evaluate<string[][]>(`Array.from(document.querySelectorAll("tbody tr"), (row) =>
    Array.from(row.cells, (cell) => cell.innerText.replace(/\\s+/g, " ").trim()))`);

describe("an index", () => {
  it("has a table for each series, the newest first, with links to the reports", async () => {
    await openHtml(
      await renderReportIndex(entries, { title: "Nightly", prices: { judge: { input: 1, output: 0 } } }),
    );
    expect(await page.title()).toBe("Nightly");
    expect(await page.getByRole("heading").allTextContents()).toEqual(["Nightly", "agent", "extraction"]);
    expect(await page.locator("thead").first().getByRole("columnheader").allTextContents()).toEqual([
      ...[
        "Experiment",
        "Started, UTC",
        "ok",
        "Rows",
        "Failed runs",
        "Took",
        "Judges’ tokens",
        "Judges’ cost",
      ],
    ]);
    expect(await lines()).toEqual([
      ["Trend", "from the oldest", "", ""],
      ["agent-00000003", "2026-11-22 08:00", "100.0% 90.0% to 110.0%", "4", "0", "1.5 s", "–", "–"],
      [
        "agent-00000002",
        "2026-11-21 08:00",
        "50.0% 40.0% to 60.0%",
        "4",
        "0",
        "1.5 s",
        "4,000 in, 200 out",
        "$0.004",
      ],
      ["agent-00000001", "2026-11-20 08:00", "25.0% 15.0% to 35.0%", "4", "0", "1.5 s", "–", "–"],
      ["extraction", "2026-11-19 08:00", "75.0% 65.0% to 85.0%", "4", "4", "1.5 s"],
    ]);
    expect(await page.getByRole("img").getAttribute("aria-label")).toBe("Trend: 25.0%, 50.0%, 100.0%");
    const links = await page.getByRole("link").all();
    expect(await Promise.all(links.map((link) => link.getAttribute("href")))).toEqual([
      "./agent-00000003.html",
      "./agent-00000001.html",
      "https://example.com/a?b=c#d",
    ]);
  });

  it("has one table for the combinations of a matrix", async () => {
    const matrices = ["brief", "polite"].flatMap((prompt) =>
      ["large", "small"].map((model, index) => {
        const one = made(`mail-${prompt}-${model}-0000000${index}`, 20, 2);
        return { experiment: { ...one, metadata: { matrix: { prompt, model } } } };
      }),
    );
    await openHtml(await renderReportIndex(matrices));
    expect(await page.getByRole("heading").allTextContents()).toEqual(["Experiments", "mail"]);
    expect((await lines()).map(([name]) => name?.slice(0, -9))).toEqual([
      "mail-polite-small",
      "mail-polite-large",
      "mail-brief-small",
      "mail-brief-large",
    ]);
  });

  it("has room for six keys at 1280 pixels", async () => {
    const keys = ["exact_match", "levenshtein_distance", "toxicity", "conciseness", "json_match:all", "ndcg"];
    const scores = Object.fromEntries(keys.map((key) => [key, 0.5]));
    const usage = { inputTokens: 1_234_567, outputTokens: 45_678 };
    const wide = [20, 21].map((day) => ({
      experiment: made(`retrieval-agent-000000${day}`, day, 2, {
        scores,
        told: { toxicity: { model: "judge", usage } },
      }),
    }));
    await openHtml(await renderReportIndex(wide, { prices: { judge: { input: 1, output: 2 } } }));
    await page.setViewportSize({ width: 1280, height: 800 });
    const [table, width] = await page
      .locator(".scroll")
      .evaluate((element: any) => [element.scrollWidth, element.clientWidth]);
    expect(table).toBeLessThanOrEqual(width);
  });

  it("can be searched", async () => {
    await openHtml(await renderReportIndex(entries));
    expect(await page.getByRole("status").textContent()).toBe("4 experiments");
    await page.getByLabel("Search").fill("GPT-2 agent");
    expect((await lines()).map(([name]) => name)).toEqual([
      "Trend",
      "agent-00000003",
      "agent-00000002",
      "agent-00000001",
    ]);
    await page.getByLabel("Search").fill("gpt-19");
    expect(await page.getByRole("status").textContent()).toBe("1 of 4 experiments");
    expect((await lines()).map(([name]) => name)).toEqual(["extraction"]);
    await page.getByLabel("Search").fill("gpt-99");
    expect(await lines()).toEqual([]);
  });

  it("distinguishes early decisions from stopped experiments, and counts rows that were not kept", async () => {
    const early = { ...made("early", 20, 1), stoppedEarly: true as const };
    const broken = { ...made("broken", 20, 1), stopped: { name: "Error", message: "The signal fired." } };
    const large = { ...made("large", 20, 1), rows: [], rowCount: 1_000_000 };
    await openHtml(await renderReportIndex([early, broken, large].map((experiment) => ({ experiment }))));
    const shown = (await lines()).map((cells) => [cells[0], cells[3]]);
    expect(shown).toEqual(
      expect.arrayContaining([
        ["early stopped early", "4"],
        ["broken stopped before the end", "4"],
        ["large", "1,000,000"],
      ]),
    );
  });

  it("has no more of an experiment than it shows", async () => {
    const secret = experimentOf([{ id: "a", outputs: "x".repeat(100_000), scores: { ok: true } }], {
      summaryResults: [{ key: "matrix", value: "y".repeat(100_000) }],
    });
    const [one, none] = [await renderReportIndex([{ experiment: secret }]), await renderReportIndex([])];
    expect(one.length - none.length).toBeLessThan(2_000);
  });

  it("of no experiments, and of hostile ones", async () => {
    await openHtml(await renderReportIndex([]));
    expect(await page.getByRole("status").textContent()).toBe("0 experiments");
    const evil = "</script><img src=x onerror=alert(1)>\u2028\u202e__proto__";
    const hostile = experimentOf(
      [{ id: evil, scores: { [evil]: 1, __proto__: 1, Rows: 2, constructor: 0 } }],
      {
        experimentName: evil,
        metadata: { [evil]: evil },
        startedAt: evil,
        stopped: { name: evil, message: evil },
      },
    );
    await openHtml(
      await renderReportIndex(
        [...entries, { experiment: hostile, href: "./%3Cimg%3E.html" }, { experiment: hostile }],
        {
          title: evil,
        },
      ),
    );
    expect(await page.locator("img, b b").count()).toBe(0);
    expect(await page.getByRole("heading", { level: 1 }).textContent()).toContain("</script><img");
    await expectAccessible();
  });

  it.each([
    "javascript:alert(1)",
    "data:text/html,hi",
    " javascript:alert(1)",
    "java\nscript:alert(1)",
    "file:///etc/passwd",
    5,
  ])("does not lead to %j", async (href) => {
    const work = renderReportIndex([{ experiment: entries[0]!.experiment, href: href as string }]);
    expect(await errorOf(work)).toMatchObject({
      code: "invalid_config",
      message: expect.stringContaining("href"),
    });
  });

  it.each<[string, unknown, unknown, string]>([
    ["no list", {}, {}, "needs a list"],
    ["a hole", [null], {}, "needs a list"],
    ["no experiment", [{ experiment: {} }], {}, "experiment of entry 0"],
    ["a title", [], { title: 5 }, "title"],
    ["an option", [], { heading: "x" }, 'no option "heading"'],
  ])("rejects invalid input: %s", async (_, list, options, words) => {
    const error = await errorOf(renderReportIndex(list as any, options as any));
    expect(error.message).toContain(words);
  });
});
