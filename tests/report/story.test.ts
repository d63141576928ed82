/** The opening of a report: the verdict in a sentence, then the failures, each with a link to its row. */
import { type Experiment, evaluate, renderReport } from "openevals-wasm/evaluation";
import { describe, expect, it } from "vitest";
import { experimentOf, type RowData } from "./experiments.js";
import { card, expectAccessible, experiment, names, open, opened, page, status, usePages } from "./page.js";

usePages();

const heading = () => page.getByRole("heading", { level: 1 }).textContent();
const failures = () => page.locator(".failures li");
/** Rows with these scores of `ok`, and of other keys that are equal in all experiments. */
const withScores = (scores: readonly unknown[], more: RowData["scores"] = {}) =>
  experimentOf(scores.map((ok, i): RowData => ({ id: `${i}`, scores: { ok: ok as boolean, ...more } })));
const times = (count: number, value: unknown) => Array.from({ length: count }, () => value);
const gone = { name: "Error", message: "gone" };

describe("the sentence", () => {
  it.each<[string, Experiment, Experiment | undefined]>([
    ["All 2 rows pass", withScores([true, true]), undefined],
    ["The row passes", withScores([true]), undefined],
    ["1 of 2 rows fails", withScores([true, false]), undefined],
    ["2 of 4 rows fail, 1 other has an error", experiment(), undefined],
    // All four have an error, and two of them fail as well.
    [
      "2 of 4 rows fail, 2 others have errors",
      experimentOf(
        [true, false, true, false].map(
          (ok, i): RowData => ({ id: `${i}`, scores: { ok }, errors: { tone: gone } }),
        ),
      ),
      undefined,
    ],
    ["1 of 1 row has an error", experimentOf([{ id: "a", failed: gone }]), undefined],
    ["1 of 2 rows pass, the others have no score with a pass mark", withScores([true, null]), undefined],
    ["2 rows without a score that has a pass mark", withScores([null, null]), undefined],
    ["2 rows, which the experiment does not keep", experimentOf([], { rowCount: 2 }), undefined],
    // McNemar: six of six, 2 / 2 ** 6; with two keys twice that.
    [
      "Better on ok, by more than chance; all 6 rows pass",
      withScores(times(6, true)),
      withScores(times(6, false)),
    ],
    [
      "Worse on 1 of 2 keys, by more than chance; 7 of 7 rows fail",
      withScores(times(7, false), { tone: true }),
      withScores(times(7, true), { tone: true }),
    ],
    [
      "No difference by more than chance on ok; 1 of 6 rows fails",
      withScores([...times(5, true), false]),
      withScores(times(6, true)),
    ],
    ["Nothing changed; all 2 rows pass", withScores([true, true]), withScores([true, true])],
    ["Nothing to compare; all 2 rows pass", withScores([true, true]), experimentOf([])],
  ])("%s", async (sentence, after, compareWith) => {
    await open(after, { compareWith });
    expect(await heading()).toBe(sentence);
    expect(await page.title()).toBe(`${sentence} · capitals-1a2b3c4d`);
  });

  it("is followed by the metadata, in words", async () => {
    const metadata = {
      tools: ["search", "book"],
      settings: { temperature: 0, stop: ["a", "b"] },
      model: "gpt",
    };
    await open(experimentOf([{ id: "a", scores: { ok: true } }], { metadata }));
    const facts = await page.locator("header div").allInnerTexts();
    expect(facts.slice(-3).map((fact) => fact.split("\n"))).toEqual([
      ["tools", "search, book"],
      ["settings", "temperature: 0; stop: a, b"],
      ["model", "gpt"],
    ]);
  });

  it("reads a pass mark and a direction", async () => {
    const rates = await evaluate(undefined, {
      data: [
        { id: "low", inputs: 1, outputs: 0.1 },
        { id: "high", inputs: 2, outputs: 0.9 },
      ],
      evaluators: [({ outputs }: { outputs: number }) => ({ key: "toxicity", score: outputs })],
      lowerIsBetter: ["toxicity"],
      passAt: 0.5,
    });
    await open(rates);
    expect(await heading()).toBe("1 of 2 rows fails");
    expect((await failures().allInnerTexts()).map((text) => text.split(/\n+/))).toEqual([
      ["high", "toxicity 0.900", "2", "Output: 0.9"],
    ]);
  });
});

describe("failures", () => {
  it("come before the figures, with their scores, the question and the comment", async () => {
    await open(
      experimentOf([
        { id: "a", scores: { ok: true } },
        {
          id: "b",
          inputs: "Which?",
          scores: { ok: false, close: 0.25 },
          comments: { ok: "Not this one.\nNor that." },
        },
        ...["c", "d"].map((id): RowData => ({ id, errors: { tone: { ...gone, code: "timeout" } } })),
        ...["e", "f"].map(
          (id): RowData => ({ id, errors: { tone: { ...gone, message: `No JSON. It answered: ${id}` } } }),
        ),
      ]),
    );
    expect(await page.getByRole("heading", { level: 2 }).allTextContents()).toEqual([
      "Failures",
      "Scores",
      "Rows",
    ]);
    expect((await failures().allInnerTexts()).map((text) => text.split(/\n+/))).toEqual([
      ["b", "ok false", "close 0.250", "Which?", "Output: yes", "Not this one."],
      ["c", "2 errors", "tone: timeout: gone"],
      // Apart from the answer, the errors are the same.
      ["e", "2 errors", "tone: Error: No JSON. It answered: e"],
    ]);
    await open(withScores([true, true]));
    expect(await page.getByRole("heading", { name: "Failures" }).count()).toBe(0);
  });

  it("begin with the rows that became worse than in the baseline", async () => {
    await open(withScores([false, true, false, false]), {
      compareWith: withScores([false, true, true, true]),
    });
    expect((await failures().allInnerTexts()).map((text) => text.split(/\n+/).slice(0, 3))).toEqual([
      ["2", "worse than before", "ok false"],
      ["3", "worse than before", "ok false"],
      ["0", "ok false", expect.anything()],
    ]);
  });

  it("fold the repetitions of an example", async () => {
    const runs = (id: string, scores: readonly boolean[]) =>
      scores.map((ok, repetition): RowData => ({ id, repetition, scores: { ok, close: 1 } }));
    await open(experimentOf([...runs("never", [false, false, false]), ...runs("once", [true, false, true])]));
    expect(await heading()).toBe("4 of 6 rows fail");
    expect((await failures().allInnerTexts()).map((text) => text.split(/\n+/).slice(0, 3))).toEqual([
      ["never", "passes 0 of 3", "ok 0 of 3"],
      ["once", "passes 2 of 3", "ok 2 of 3"],
    ]);
    await page.getByRole("link", { name: "once" }).click();
    await expect.poll(() => opened("once #2").getAttribute("aria-expanded")).toBe("true");
    expect(new URL(page.url()).hash).toBe("#row=once&run=2");
  });

  it("count a repetition with an error neither as one that fails nor as one that passes", async () => {
    const scores: RowData[] = [true, false].map((ok, repetition) => ({
      id: "a",
      repetition,
      scores: { ok },
    }));
    await open(experimentOf([...scores, { id: "a", repetition: 2, errors: { ok: gone } }]));
    expect(await heading()).toBe("1 of 3 rows fails, 1 other has an error");
    expect((await failures().allInnerTexts())[0]?.split(/\n+/).slice(0, 3)).toEqual([
      "a",
      "passes 1 of 3",
      "ok 1 of 3",
    ]);
  });

  it("have the colour of each result, also of two with one key", async () => {
    const experiment = experimentOf([{ id: "a", scores: { ok: false } }]);
    experiment.rows[0]?.evaluationResults.push({ key: "ok", score: true });
    await open(experiment);
    await page.getByRole("link", { name: "a", exact: true }).click();
    const pills = page.locator(".results .pill");
    await expect.poll(() => pills.allInnerTexts()).toEqual(["false", "true"]);
    const colours = await pills.evaluateAll((all) => all.map((one) => getComputedStyle(one).color));
    expect(new Set(colours).size).toBe(2);
  });

  it("are five, and all in the table", async () => {
    await open(withScores(times(7, false)));
    expect(await failures().count()).toBe(5);
    await page.getByRole("button", { name: "All 7 failing examples" }).click();
    expect(await status()).toBe("7 rows");
    expect(await page.getByLabel("Show").inputValue()).toBe("failing");
  });
});

describe("a link to a row", () => {
  it("opens it, whatever is filtered, again and again", async () => {
    await open(experiment());
    await opened("river").click();
    await page.getByRole("link", { name: "Link to this row" }).click();
    expect(new URL(page.url()).hash).toBe("#row=river");
    await page.reload();
    await expect.poll(() => opened("river").getAttribute("aria-expanded")).toBe("true");
    expect(await opened("river").evaluate((button) => button === document.activeElement)).toBe(true);
    await page.getByLabel("Search").fill("Kazakhstan");
    expect(await names()).toEqual(["astana"]);
    await page.getByRole("link", { name: "light" }).click();
    await expect.poll(() => opened("light").getAttribute("aria-expanded")).toBe("true");
    await expect.poll(() => opened("river").getAttribute("aria-expanded")).toBe("false");
    await opened("light").click();
    await page.locator(".failures").getByRole("link", { name: "light" }).click();
    await expect.poll(() => opened("light").getAttribute("aria-expanded")).toBe("true");
    await page.goBack();
    await expect.poll(() => opened("river").getAttribute("aria-expanded")).toBe("true");
  });

  it("works in a page that shows the report in a frame", async () => {
    await page.setContent("<iframe></iframe>");
    const html = await renderReport(experiment());
    await page.locator("iframe").evaluate((frame: any, text) => {
      frame.srcdoc = text;
    }, html);
    const frame = page.frameLocator("iframe");
    await frame.locator(".failures").getByRole("link", { name: "light" }).click();
    await expect.poll(() => frame.locator(".opened").count()).toBe(1);
    expect(await frame.getByRole("heading", { level: 1 }).textContent()).toBe(
      "2 of 4 rows fail, 1 other has an error",
    );
  });

  it("finds ids with any characters, and ignores rows that do not exist", async () => {
    const id = "a & b=c #2 </script>%20";
    await open(experimentOf([{ id, scores: { ok: false } }]));
    await page.locator(".failures").getByRole("link").click();
    const { hash } = new URL(page.url());
    expect(new URLSearchParams(hash.slice(1)).get("row")).toBe(id);
    await expect.poll(() => page.locator(".opened").count()).toBe(1);
    await open(experiment());
    await page.evaluate("location.hash = '#row=none'");
    expect(await page.locator(".opened").count()).toBe(0);
  });
});

it("scores are pills that say whether they pass, and cards share the width", async () => {
  await open(experiment());
  expect(await page.locator("tbody .pill.pass").allTextContents()).toEqual([
    "true",
    "1.000",
    "true",
    "0.875",
  ]);
  expect(await page.locator("tbody .pill.fail").allTextContents()).toEqual(["false", "false", "0.250"]);
  expect(await page.locator("tbody .pill.error").allTextContents()).toEqual(["error"]);
  for (const width of [390, 1280]) {
    await page.setViewportSize({ width, height: 800 });
    const section = (await page.locator(".cards").boundingBox())!;
    const last = (await card("tone").boundingBox())!;
    expect(last.x + last.width).toBeCloseTo(section.x + section.width, 0);
  }
});

it("intervals agree with the adjusted p-values beside them", async () => {
  // Six of twelve flipped, all upwards: p is 2 / 2 ** 6 = 0.031, and with two keys 0.063.
  const before = withScores(times(12, false), { other: false });
  const after = experimentOf(
    Array.from({ length: 12 }, (_, i): RowData => ({ id: `${i}`, scores: { ok: i < 6, other: i < 6 } })),
  );
  await open(after, { compareWith: before });
  const text = (await card("ok").innerText()).replaceAll(/\s+/g, " ");
  expect(text).toContain("95% interval, adjusted");
  expect(text).toContain("adjusted p = 0.063");
  const [, low, high] = /adjusted ([−+]?[\d.]+) to ([−+]?[\d.]+)/.exec(text)!;
  expect(low).toMatch(/^(?:−|0\.0$)/);
  expect(high).toMatch(/^\+/);
  expect(await heading()).toMatch(/^No difference by more than chance on 2 keys/);
});

it("hinders no one", async () => {
  const runs = [0, 1, 2].map((repetition): RowData => ({ id: "r", repetition, scores: { exact: false } }));
  await open(
    experimentOf([
      ...experiment().rows.map(({ example }): RowData => ({ id: example.id, failed: gone })),
      ...runs,
    ]),
  );
  await page.getByRole("link", { name: "r", exact: true }).click();
  await expectAccessible();
});
