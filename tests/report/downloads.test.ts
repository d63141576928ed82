/** The downloads of a report: rows as CSV and JSON, and test cases. */
import { compareExperiments, type Experiment, evaluate, renderReport } from "openevals-wasm/evaluation";
import { describe, expect, it } from "vitest";
import { textOf } from "../runtimes/harness.js";
import { experimentOf, type RowData } from "./experiments.js";
import { experiment, open, opened, page, sortBy, usePages } from "./page.js";

usePages();

/** Presses the button, and returns the name and the text of the file. */
async function download(kind: "CSV" | "JSON"): Promise<[string, string]> {
  const waiting = page.waitForEvent("download");
  await page.getByRole("button", { name: `Download ${kind}` }).click();
  const file = await waiting;
  return [file.suggestedFilename(), await textOf(file)];
}

describe("CSV", () => {
  it("has the rows that are shown, in their order", async () => {
    await open(experiment());
    await page.getByLabel("Search").fill("light");
    const [name, text] = await download("CSV");
    expect(name).toBe("capitals-1a2b3c4d-1-row.csv");
    expect(text).toBe(
      "\ufeffid,repetition,inputs,outputs,reference_outputs,exact,close,duration_ms\r\n" +
        'light,0,"{""question"":""How fast is light?""}","299,792.548 km/s","299,792.458 km/s",false,0.875,20\r\n',
    );
    await page.getByLabel("Search").fill("");
    await sortBy("Time");
    const lines = (await download("CSV"))[1].split("\r\n");
    expect(lines.map((line) => line.split(",")[0])).toEqual([
      "\ufeffid",
      "moon",
      "light",
      "astana",
      "river",
      "",
    ]);
    expect(lines[0]).toContain(",run_error,exact,close,tone,tone comment,tone error,duration_ms");
    expect(lines[4]).toContain("The agent ran out of turns");
  });

  it("prevents spreadsheets from running formulas, and breaks no line", async () => {
    const outputs = [
      "=1+1",
      "+HYPERLINK(A1)",
      "-2+cmd|' /C calc'!A0",
      "@SUM(1)",
      "\t=1",
      " =1",
      "\u200b=1",
      "＝1",
      "\r=1",
      "-12.5",
      'say "hi"\r\n=1',
      "",
      "a;=1",
      "a\t+1",
      "a\n- one\n- two",
      "\ud800",
      "\u001b[31mred\u0007",
    ];
    await open(
      experimentOf(
        outputs.map((outputs, i): RowData => ({ id: `${i}`, inputs: "q", outputs, scores: { "=key": -1 } })),
      ),
    );
    const [, text] = await download("CSV");
    const cells = [...text.matchAll(/^\d+,0,q,("(?:[^"]|"")*"|[^,]*),/gm)].map(([, cell]) => cell);
    expect(cells).toEqual([
      "'=1+1",
      "'+HYPERLINK(A1)",
      "'-2+cmd|' /C calc'!A0",
      "'@SUM(1)",
      "\"'\t'=1\"",
      "' =1",
      "'\u200b=1",
      "'＝1",
      "\"'\r'=1\"",
      "-12.5",
      '"say ""hi""\r\n\'=1"',
      '""',
      '"a;\'=1"',
      '"a\t\'+1"',
      '"a\n- one\n- two"',
      "\ufffd",
      "\\u001b[31mred\\u0007",
    ]);
    expect(text).toContain(",'=key,");
    expect(text).toContain(",-1,");
  });
});

describe("JSON", () => {
  it("is the experiment", async () => {
    await open(experiment(), { compareWith: experiment() });
    const [name, text] = await download("JSON");
    expect(name).toBe("capitals-1a2b3c4d.json");
    expect(JSON.parse(text)).toEqual(experiment());
  });

  it("of some rows says so, and has no figures of others", async () => {
    const shard = { index: 1, count: 2 };
    const merging = { evaluators: ["exact"], keys: [["exact"]], repetitions: 1, hasTarget: true };
    const decisions = [{ key: "exact", verdict: "above" as const, threshold: 0.1, examples: 4, errors: 0 }];
    const more = { shard, merging, decisions, stoppedEarly: true } as Partial<Experiment>;
    await open({ ...experiment(), ...more });
    await page.getByLabel("Show").selectOption("failing");
    const [name, text] = await download("JSON");
    expect(name).toBe("capitals-1a2b3c4d-2-rows.json");
    const some = JSON.parse(text);
    expect(some.metadata).toEqual({ model: "gpt-5.4", temperature: 0, selection: "2 of 4 rows" });
    expect(some.rows.map((row: any) => row.example.id)).toEqual(["light", "moon"]);
    expect(some.aggregates.exact).toEqual({
      mean: 0,
      count: 2,
      errors: 0,
      notApplicable: 0,
      interval: null,
      standardError: null,
      distribution: { kind: "boolean", true: 0, false: 2 },
    });
    expect(some.aggregates.tone).toMatchObject({ mean: null, count: 0, errors: 1, notApplicable: 1 });
    expect(some.summaryResults).toEqual([]);
    expect(some.usage).toBe(null);
    for (const field of Object.keys(more)) expect(some).not.toHaveProperty(field);
    // It is an experiment still.
    expect(await renderReport(some)).toContain("2 of 4 rows");
    expect((await compareExperiments(experiment(), some)).exact).toMatchObject({ count: 2, difference: 0 });
  });
});

describe("a test case", () => {
  const evil = '</script>\u2028 "quoted" \\ \ud800';
  const row: RowData = {
    id: "a",
    inputs: { evil },
    outputs: [evil],
    reference: null,
    metadata: { level: 3 },
    scores: { ok: true },
  };

  it("is a line of a dataset", async () => {
    await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
    await open(experimentOf([{ ...row, reference: "Yes" }]));
    await opened("a").press("Enter");
    await page.getByRole("button", { name: "Copy as a test case" }).press("Enter");
    await expect.poll(() => page.locator(".details [role=status]").textContent()).toContain("Copied");
    const line = await page.evaluate<string>("navigator.clipboard.readText()");
    expect(line).not.toContain("\n");
    const data = JSON.parse(line);
    expect(data).toEqual({
      id: "a",
      inputs: { evil },
      outputs: [evil],
      referenceOutputs: "Yes",
      metadata: { level: 3 },
    });
    const { rows } = await evaluate(undefined, { data: [data] });
    expect(rows[0]?.example).toEqual({ id: "a", inputs: { evil }, outputs: "Yes", metadata: { level: 3 } });
  });

  it("is copied without the clipboard API, as in frames", async () => {
    await open(experimentOf([row]));
    await page.evaluate("Object.defineProperty(navigator, 'clipboard', { value: undefined })");
    const copied = page.evaluate<string>(`new Promise((resolve) => {
      addEventListener("copy", () => resolve(document.activeElement.value));
    })`);
    await opened("a").click();
    await page.getByRole("button", { name: "Copy as a test case" }).click();
    const data = JSON.parse(await copied);
    expect(data).toMatchObject({ id: "a", outputs: [evil], referenceOutputs: null });
    // The answer that failed does not become the reference.
    const { rows } = await evaluate(() => "better", { data: [data] });
    expect(rows[0]?.example).toEqual({ id: "a", inputs: { evil }, metadata: { level: 3 } });
    expect(await page.evaluate("document.activeElement.textContent")).toBe("Copy as a test case");
  });
});
