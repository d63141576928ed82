/** The report of a comparative experiment. */
import { type ComparativeExperiment, evaluateComparative, renderReport } from "openevals-wasm/evaluation";
import { describe, expect, it } from "vitest";
import { errorOf } from "../api/error-of.js";
import { experimentOf, type RowData } from "./experiments.js";
import { expectAccessible, openHtml, page, status, usePages } from "./page.js";

usePages();

const HOSTILE = "</script><img src=x onerror=alert(1)>\u202e";

/** An experiment whose outputs are as long as the numbers say. */
const sized = (name: string, sizes: number[], more: (row: RowData, i: number) => RowData = (row) => row) => {
  const rows = sizes.map((size, i) => more({ id: `q${i}`, outputs: "x".repeat(size) }, i));
  const experiment = experimentOf(rows, { experimentName: name });
  for (const [i, row] of experiment.rows.entries()) row.run.id = `${name} ${i}`;
  return experiment;
};
const longer = ({ runs }: { runs: { id: string; outputs: string }[] }) => {
  if (runs.some(({ outputs }) => outputs.length === 13)) throw new Error("unlucky");
  return {
    key: "longer",
    scores: Object.fromEntries(runs.map(({ id, outputs }) => [id, outputs.length])),
    comment: `The lengths are ${runs.map(({ outputs }) => outputs.length).join(", ")}.`,
    metadata: { positionBias: 0.5, model: "gpt-5.4", usage: { inputTokens: 1000, outputTokens: 10 } },
  };
};
const three = () => [
  sized("first-prompt", [5, 5, 5, 5, 1, 5, 2, 5]),
  sized("second-prompt", [3, 3, 3, 3, 3, 3, 2, 13], (row, i) =>
    i ? row : { ...row, failed: { name: "Error", message: "lost" } },
  ),
  sized("third-prompt", [1, 1, 9, 1, 2, 1, 9]),
];
const compared = () =>
  evaluateComparative(three(), {
    evaluators: [longer],
    experimentPrefix: "prompts",
    description: "Which one?",
  });

const text = async (name: string) =>
  (await page.getByRole("group", { name }).innerText()).replaceAll(/\s+/g, " ");

/** Opens the first row, whose content appears a moment later. */
const openRow = async () => {
  await page.locator(".examples summary").first().click();
  await page.locator(".examples .details h3").first().waitFor();
};

describe("the report of a comparative experiment", () => {
  it("has the ranking as a table and a plot", async () => {
    await openHtml(await renderReport(await compared(), { prices: { "gpt-5.4": { input: 1, output: 10 } } }));
    expect((await page.locator("header").innerText()).replaceAll(/\s+/g, " ")).toMatch(
      /^prompts-\w{8} No experiment is best by more than chance; 1 call failed Which one\? .* Rows 8 Judges’ tokens 7,000 in, 70 out Judges’ cost \$0\.0077/,
    );
    expect(await text("Ranking by longer")).toMatch(
      /1\. first-prompt .* 2\. (second|third)-prompt .* 3\. (second|third)-prompt /,
    );
    const plots = page.getByRole("img", { name: /^Strength −?\d\.\d+, from −?\d\.\d+ to −?\d\.\d+$/ });
    expect(await plots.count()).toBe(3);
    expect(await text("Pairs by longer")).toMatch(
      /first-prompt second-prompt 4 · 1 · 1 1 error, not counted 75\.0%/,
    );
    expect(await page.locator("main").innerText()).toContain("Position bias 0.500 (");
  });

  it("has the verdict in a sentence as its title and heading", async () => {
    // The first is always longer: the sign test of 8 rows has p = 2 / 2 ** 8, and three such pairs a higher one.
    const many = (name: string, size: number) => sized(name, Array(8).fill(size));
    const titleOf = async (experiments: ReturnType<typeof sized>[], evaluators: any[]) => {
      await openHtml(await renderReport(await evaluateComparative(experiments, { evaluators })));
      const title = await page.title();
      const heading = await page.getByRole("heading", { level: 1 }).textContent();
      expect(title.startsWith(`${heading} · `)).toBe(true);
      return heading;
    };
    const keyed = (key: string, sign: number) => (params: any) => {
      const { scores } = longer(params);
      return { key, scores: Object.fromEntries(Object.entries(scores).map(([id, one]) => [id, sign * one])) };
    };
    const [small, medium, large] = [many("small", 1), many("medium", 2), many("large", 3)];
    expect(await titleOf([small, medium, large], [longer])).toBe(
      "large is best on longer, by more than chance",
    );
    expect(await titleOf([small, large], [longer])).toBe("large is better on longer, by more than chance");
    expect(await titleOf([small, large], [keyed("long", 1), keyed("short", -1), keyed("same", 0)])).toBe(
      "small is better on 1 of 3 keys, large on 1, by more than chance",
    );
    expect(await titleOf([small, sized("other", Array(8).fill(1))], [longer])).toBe(
      "Neither experiment is better by more than chance",
    );
  });

  it("says why if every call failed, and nothing about figures that are missing", async () => {
    await page.setViewportSize({ width: 360, height: 740 });
    const failing = () => {
      throw new Error(`${"The service did not answer as it should. ".repeat(4)}The key is wrong.`);
    };
    await openHtml(
      await renderReport(
        await evaluateComparative(three(), { evaluators: [Object.assign(failing, { key: "k" })] }),
      ),
    );
    expect(await page.getByRole("heading", { level: 1 }).textContent()).toMatch(
      /^No answers were compared: \d+ calls failed$/,
    );
    const reason = page.locator(".failures .error").last();
    expect(await reason.textContent()).toContain("The key is wrong.");
    expect(await reason.evaluate((one) => one.scrollWidth <= one.clientWidth)).toBe(true);
    const text = await page.locator("main").innerText();
    expect(text).not.toContain("The bars show");
    expect(text).not.toContain("p is adjusted");
    await expectAccessible();
  });

  it("lists examples that were not compared, and shows the rows side by side", async () => {
    await openHtml(await renderReport(await compared()));
    await page.getByText("2 rows, in addition to 8 compared").click();
    expect(await page.locator(".unpaired").innerText()).toContain("q0: the target failed in second-prompt");
    expect(await page.locator(".unpaired").innerText()).toContain("q7: no row in third-prompt");
    expect(await status()).toBe("8 rows");
    await page.getByLabel("Show").selectOption({ label: "Won by third-prompt" });
    expect(await page.locator(".examples b").allTextContents()).toEqual(["q2", "q6"]);
    await page.getByLabel("Show").selectOption({ label: "Errors" });
    expect(await status()).toBe("1 of 8 rows");
    await openRow();
    const opened = (await page.locator(".examples .details").innerText()).replaceAll(/\s+/g, " ");
    expect(opened).toMatch(
      /Inputs question q7 first-prompt xxxxx second-prompt x{13} Error: longer, .*unlucky/,
    );
    await page.getByLabel("Show").selectOption({ label: "All" });
    await page.getByLabel("Search").fill("question q1");
    await openRow();
    expect(await page.locator(".examples .details").innerText()).toContain("The lengths are 5, 3, 1.");
  });

  it("has win rates where no strengths fit, and goes without rows", async () => {
    const clear = await evaluateComparative([sized("a", [3, 3]), sized("b", [1, 1])], {
      evaluators: [longer],
    });
    await openHtml(await renderReport(clear));
    expect(await page.getByRole("img", { name: "Win rate 100.0%" }).count()).toBe(1);
    expect(await page.locator("main").innerText()).toContain("No finite strengths fit");
    const nothing = await evaluateComparative([sized("a", [3]), sized("b", [])], { evaluators: [longer] });
    await openHtml(await renderReport(nothing));
    expect(await page.locator("main").innerText()).toContain("1 row, in addition to 0 compared");
  });

  it("can be used by everybody, on a phone as well, and runs nothing that the data says", async () => {
    const hostile = [`a ${HOSTILE}`, `${"b".repeat(200)}`].map((name, i) =>
      sized(name, [3, i ? 5 : 1, 13], (row) => ({ ...row, outputs: `${row.outputs}${i ? "" : HOSTILE}` })),
    );
    const key = `k${HOSTILE}`;
    const found = await evaluateComparative(hostile, {
      evaluators: [(params: any) => ({ ...longer(params), key, comment: HOSTILE })],
      metadata: { [HOSTILE]: HOSTILE },
    });
    await openHtml(await renderReport(found));
    await openRow();
    await expectAccessible();
    await openHtml(await renderReport(await compared()));
    await openRow();
    await expectAccessible();
  });

  it("rejects values that cannot be shown", async () => {
    const good = await compared();
    expect((await errorOf(renderReport(good, { compareWith: three()[0] }))).code).toBe("invalid_config");
    const key = good.aggregates.longer;
    for (const wrong of [
      { experimentName: undefined },
      { experiments: [null] },
      { rows: [{}] },
      { rows: [{ ...good.rows[0], evaluationResults: [{}] }] },
      { rows: [{ ...good.rows[0], errors: [{}] }] },
      { unpaired: [{}] },
      { aggregates: { longer: {} } },
      { aggregates: { longer: { ...key, pairs: [{ ...key?.pairs[0], wins: "1" }] } } },
      { aggregates: { longer: { ...key, ranking: [{ ...key?.ranking[0], strength: "1" }] } } },
    ]) {
      const error = await errorOf(renderReport({ ...good, ...wrong } as ComparativeExperiment));
      expect([wrong, error.code]).toEqual([wrong, "invalid_input"]);
    }
  });
});
