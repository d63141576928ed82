/** The bench of datasets, in Chromium. */
import { describe, expect, it } from "vitest";
import { textOf } from "../runtimes/harness.js";
import { Site } from "./site.js";

const site = new Site();
const csv = 'question,answer,expected\n1+1,2,2\n"2,5*2",five,5\n';
const open = (data = csv, more: Record<string, string> = {}) =>
  site.open("dataset", { data, use: "exact", ...more });
const score = () => site.page.getByRole("button", { name: "Score", exact: true }).click();
const aggregates = () =>
  site.page.evaluate<Record<string, string>>(`
    Object.fromEntries(Array.from(document.querySelectorAll(".score"), (line) =>
      [line.dataset.key, line.querySelector(".number").textContent]))`);
const chosen = () =>
  site.page.locator(".field-grid select").evaluateAll((fields: any[]) => fields.map(({ value }) => value));
const problem = () => site.page.locator(".stack > .problem").textContent();
const state = () => site.page.locator(".stack > .hint").last().textContent();

describe("a table", () => {
  it("has its columns found, is scored, and reported", async () => {
    await open();
    await expect.poll(chosen).toEqual(["question", "answer", "expected"]);
    await score();
    await expect.poll(aggregates).toEqual({ exact_match: "50.0%" });
    expect(await site.page.locator(".score .comment").textContent()).toMatch(
      /^95% interval \d+\.\d% to \d+\.\d% · 2 scores$/,
    );
    const report = site.page.frameLocator("iframe");
    await report.getByText("2,5*2").first().waitFor();
    expect(await site.page.locator("iframe").getAttribute("sandbox")).toBe("allow-scripts allow-downloads");
  });

  it("is mapped by the names that other tools use, and says how", async () => {
    const mapped = () => site.page.locator(".mapped").textContent();
    await open("id,Ground Truth,user_query,model_output\n1,Bern,Capital?,Bern\n");
    await expect.poll(chosen).toEqual(["user_query", "model_output", "Ground Truth"]);
    expect(await mapped()).toBe(
      "user_query → inputs, model_output → outputs, Ground Truth → referenceOutputs",
    );
    await score();
    await expect.poll(aggregates).toEqual({ exact_match: "100.0%" });
    await site.page.getByLabel("Input", { exact: true }).selectOption("id");
    expect(await mapped()).toContain("id → inputs, ");
    // Fields under their own names need no words; another field is not taken for one that is there.
    await open("inputs,outputs,reference_outputs,answer,question\na,b,b,c,d\n");
    await expect.poll(chosen).toEqual(["inputs", "outputs", "reference_outputs"]);
    expect(await mapped()).toBe("");
  });

  it("is JSON lines, a JSON list or CSV; other formats are explained", async () => {
    for (const [data, outputs] of [
      [
        '{"prediction": {"a": 1}, "label": {"a": 1}}\n\n{"prediction": {"a": 2}, "label": {"a": 1}}',
        "prediction",
      ],
      ['[{"output": "a", "target": "a"}, {"output": "b", "target": "a"}]', "output"],
      ['\ufeffanswer,ideal\r\n"{""a"": 1}","{ ""a"" : 1.0 }"\r\n[x,y\r\n'.replace("[x,y", "b,c"), "answer"],
    ] as const) {
      await open(data);
      await expect.poll(async () => (await chosen())[1]).toBe(outputs);
      await score();
      await expect.poll(aggregates).toEqual({ exact_match: "50.0%" });
    }
    for (const [data, why] of [
      ["", "There are no rows."],
      ["a,b\n1", "Row 1 has 1 cells, and the header has 2."],
      ['a,b\n1,"2', "Row 1 has a quote that is not closed, or text beside a quoted cell."],
      ['{"a": 1}\n7', "Line 2 is no object."],
      ['{"a": 1}\n{', /^Line 2 is no JSON/],
      ["question;answer\n1;2", 'Cells have to be separated by commas, not by ";".'],
    ] as const) {
      await open(data);
      await expect.poll(problem).toMatch(why);
    }
    await open("answer,expected\na,a\n");
    await expect.poll(state).toMatch(/^Scored 1 row in/);
  });

  it("that cannot be read leaves no results of the one before", async () => {
    await open();
    await expect.poll(aggregates).toEqual({ exact_match: "50.0%" });
    await site.page
      .locator("input[type=file]")
      .setInputFiles({ name: "bad.csv", mimeType: "text/csv", buffer: Buffer.from('a,b\n1,"2') });
    await expect.poll(problem).toMatch("Row 1 has a quote that is not closed");
    expect(await aggregates()).toEqual({});
    expect(await state()).toBe("");
    expect(await site.page.locator("iframe").isVisible()).toBe(false);
    expect(await site.page.getByRole("button", { name: "Score", exact: true }).isDisabled()).toBe(true);
  });

  it("keeps its ids, if each row has its own", async () => {
    const code = () => site.page.locator(".code-block code").textContent();
    const report = site.page.frameLocator("iframe");
    await open("id,answer,expected\nr7,a,b\nr8,a,a\n");
    await report.getByText("r7").first().waitFor();
    expect(await code()).toContain("({ id: row.id, outputs: row.answer");
    await open("id,answer,expected\nr7,a,b\nr7,a,a\n");
    await expect.poll(code).toContain("({ outputs: row.answer");
  });

  it("markup in it stays text, here and in the report", async () => {
    await open('outputs,expected,<img src=x onerror=alert(1)>\n<script>alert(1)</script>,<b>x</b>,"‮evil"\n');
    await score();
    await expect.poll(aggregates).toEqual({ exact_match: "0.0%" });
    await site.page.frameLocator("iframe").getByText("<script>alert(1)</script>").first().waitFor();
    expect(await site.page.frameLocator("iframe").locator("img, b:text-is('x')").count()).toBe(0);
  });

  it("a file is opened, its report and its experiment downloaded, and two runs compared", async () => {
    await site.open("dataset");
    const rows = 'input,small,large,expected\na,x,y,y\nb,y,y,y\n"c,",z,z,y\n';
    await site.page
      .locator("input[type=file]")
      .setInputFiles({ name: "answers.csv", mimeType: "text/csv", buffer: Buffer.from(rows) });
    await site.page.getByText("answers.csv: 3 rows").waitFor();
    await site.page.getByLabel("Output", { exact: true }).selectOption("small");
    await score();
    await expect.poll(aggregates).toMatchObject({ exact_match: "33.3%" });
    await site.page.getByLabel("Compare with the run before").check();
    await site.page.getByLabel("Output", { exact: true }).selectOption("large");
    await score();
    await expect.poll(aggregates).toMatchObject({ exact_match: "66.7%" });
    await site.page
      .frameLocator("iframe")
      .getByText(/flipped/i)
      .first()
      .waitFor();
    const download = site.page.waitForEvent("download");
    await site.page.getByRole("link", { name: "Download as JSON" }).click();
    const { rows: recorded } = JSON.parse(await textOf(await download));
    expect(recorded.map(({ run }: any) => run.outputs)).toEqual(["y", "y", "z"]);
  });
});

it("10,000 rows are scored without a frozen page, and can be stopped", async () => {
  await site.open("dataset", { sample: "10000", use: "exact,levenshtein" });
  await site.page.evaluate(`{
    globalThis.states = [];
    const place = document.querySelector(".sides .stack .hint");
    new MutationObserver(() => states.push(place.textContent)).observe(place, { childList: true, characterData: true, subtree: true });
  }`);
  await expect.poll(state).toMatch(/^Scored 10,000 rows in/);
  // A thread that scores itself would show the last state only.
  const states = await site.page.evaluate<string[]>("states");
  expect(states.filter((text) => /^[1-9][\d,]* of 10,000 rows$/.test(text)).length).toBeGreaterThan(1);
  await site.page.evaluate(`{
    const button = (name) => Array.from(document.querySelectorAll("button")).find((it) => it.textContent === name);
    button("Score").click();
    new MutationObserver(() => button("Stop").click()).observe(document.querySelector(".sides .stack .hint"), { childList: true, characterData: true, subtree: true });
  }`);
  await expect.poll(state).toMatch(/^Stopped after \d/);
});

it("the link contains the table and the metrics", async () => {
  await open();
  await expect.poll(chosen).toEqual(["question", "answer", "expected"]);
  await site.page.getByLabel("Input", { exact: true }).selectOption("");
  await site.page.getByLabel("Levenshtein similarity").check();
  await expect.poll(() => site.page.url()).toContain("use=exact%2Clevenshtein");
  const url = site.page.url();
  site.page = await site.newPage();
  await site.page.goto(url);
  await expect.poll(chosen).toEqual(["", "answer", "expected"]);
  expect(await site.page.locator(".code-block code").textContent()).toContain(
    "data: rows.map((row) => ({ outputs: row.answer, referenceOutputs: row.expected })),",
  );
});
