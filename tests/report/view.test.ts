/** The page of `view`: an experiment as it grows, whose rows are labelled by keys and by buttons. */
import { join } from "node:path";
import { evaluate, readExperiment } from "openevals-wasm/evaluation";
import { calibrate } from "openevals-wasm/judges";
import { afterEach, beforeEach, expect, it } from "vitest";
import { growing, startView } from "../cli/viewing.js";
import { expectAccessible, names, opened, page, problems, usePages } from "./page.js";

usePages();

let files: Awaited<ReturnType<typeof growing>>;
let view: Awaited<ReturnType<typeof startView>>;
beforeEach(async () => {
  files = await growing();
  view = await startView(files.folder, "run.jsonl", "--label", "human.jsonl");
  await page.goto(view.url);
});
afterEach(async () => {
  // It polls until it is closed.
  await page.goto("about:blank");
  await view.end();
  await files.remove();
});

const said = () => page.locator(".labelling").getByRole("status").textContent();
const labels = () => page.locator("td.label").allTextContents();
const current = () => page.locator("tr[aria-current] .open").allTextContents();
const press = (...keys: string[]) =>
  keys.reduce((last, key) => last.then(() => page.keyboard.press(key)), Promise.resolve());
it("says that the page follows the file, which may be complete", async () => {
  await expect.poll(() => page.locator(".live").textContent()).toBe("Live: updates when the file changes.");
});

it("labels rows by keys, in the order in which they are typed", async () => {
  // The first row without a label is open.
  expect(await said()).toBe("row-1: unlabelled · 0 of 8 rows labelled");
  expect(await current()).toEqual(["row-1"]);
  await press("p", "f", "p", "k", "u", "j");
  await expect.poll(said).toBe("row-4: unlabelled · 2 of 8 rows labelled");
  expect(await labels()).toEqual(["✓ pass", "✗ fail", ..."––––––"]);
  expect(await current()).toEqual(["row-4"]);
  expect(await opened("row-4").evaluate((button) => button === document.activeElement)).toBe(true);
  expect(await opened("row-4").getAttribute("aria-expanded")).toBe("true");

  await press("n");
  // Typing in a field is not a shortcut, nor is a key with Ctrl.
  await page.keyboard.type("pff, just rude");
  await press("Enter");
  await expect.poll(labels).toEqual(["✓ pass", "✗ fail", "–", "– note", ..."––––"]);
  await press("Control+p", "f");
  await expect.poll(said).toBe("row-5: unlabelled · 3 of 8 rows labelled");
  expect((await files.labels()).map(({ id, label, note }) => [id, label, note])).toEqual([
    ["row-1", true, undefined],
    ["row-2", false, undefined],
    ["row-3", true, undefined],
    ["row-3", null, undefined],
    ["row-4", null, "pff, just rude"],
    ["row-4", false, "pff, just rude"],
  ]);

  const report = await calibrate(await readExperiment(files.path), {
    data: join(files.folder, "human.jsonl"),
    label: "label",
  });
  // The judge says false, true, true, false; people true, false, nothing, false.
  expect(report.accuracy).toMatchObject({ value: 1 / 3 });

  await page.reload();
  expect(await said()).toBe("row-3: unlabelled · 3 of 8 rows labelled");
  expect(await opened("row-3").getAttribute("aria-expanded")).toBe("true");
  await page.locator(".labelling").getByLabel("Keyboard").uncheck();
  await press("j");
  expect(await current()).toEqual(["row-3"]);
});

it("opens the row that the address names, and labels that", async () => {
  await page.goto("about:blank");
  await page.goto(`${view.url}#row=row-4`);
  expect(await said()).toBe("row-4: unlabelled · 0 of 8 rows labelled");
  await press("p");
  await expect.poll(said).toBe("row-5: unlabelled · 1 of 8 rows labelled");
});

it("labels rows by buttons, with filters", async () => {
  await page.locator("#label").selectOption("unlabelled");
  await page.getByLabel("Show").selectOption("failing");
  expect(await names()).toEqual(["row-1", "row-4", "row-7"]);
  await opened("row-4").click();
  await page.getByLabel("Note").fill("Lima is in Peru.");
  await page.getByRole("button", { name: "Pass", exact: true }).click();
  await expect.poll(names).toEqual(["row-1", "row-7"]);
  await expect.poll(said).toBe("row-7: unlabelled · 1 of 8 rows labelled");
  expect(await page.getByRole("button", { name: "Next", exact: true }).last().isDisabled()).toBe(true);
  await page.getByRole("button", { name: "Fail", exact: true }).click();
  await expect.poll(names).toEqual(["row-1"]);
  expect((await files.labels()).at(-1)).toMatchObject({ id: "row-7", label: false });
});

it("labels rows with the numbers of a scale", async () => {
  const scale = { min: 1, max: 5, direction: "higher", passAt: 4 } as const;
  const stars = Object.assign(({ outputs }: { outputs: number }) => ({ key: "stars", score: outputs }), {
    scale,
  });
  const path = join(files.folder, "stars.jsonl");
  await evaluate(async (score: number) => score, {
    data: [1, 2, 3, 4].map((inputs) => ({ id: `row-${inputs}`, inputs })),
    evaluators: [stars],
    output: { sink: path },
  });
  const other = await startView(files.folder, "stars.jsonl", "--label", "stars-human.jsonl");
  try {
    await page.goto(other.url);
    await press("1", "9");
    await page.getByRole("button", { name: "5", exact: true }).click();
    await press("p", "k", "3");
    await expect.poll(said).toBe("row-4: unlabelled · 3 of 4 rows labelled");
    expect(await labels()).toEqual(["1", "5", "3", "–"]);
    await press("5");
    const all = "row-4: 5 · 4 of 4 rows labelled. calibrate() of openevals-wasm/judges reads the file";
    await expect.poll(said).toBe(all);
    await press("u", "k");
    await expect.poll(said).toContain("row-3: 3");
    expect(await page.locator(".labelling [aria-pressed=true]").allTextContents()).toEqual(["3"]);
    await page.locator("#label").selectOption("5");
    expect(await names()).toEqual(["row-2"]);
    await expectAccessible();
    const report = await calibrate(await readExperiment(path), {
      data: join(files.folder, "stars-human.jsonl"),
      label: "label",
    });
    expect(report.meanAbsoluteError).toMatchObject({ value: 1 });
    await page.reload();
    expect(await labels()).toEqual(["1", "5", "3", "–"]);
  } finally {
    await page.goto("about:blank");
    await other.end();
  }
});

it("hides the scores until the user shows them", async () => {
  await page.setViewportSize({ width: 360, height: 740 });
  const scores = () => page.locator("main").getByText("exact_match").count();
  const keyHeads = () => page.getByRole("columnheader", { name: "exact_match" }).count();
  expect(await page.getByText("outputs is").count()).toBe(0);
  expect(await keyHeads()).toBe(0);
  const verdict = "3 of 8 rows fail";
  expect(await page.getByRole("heading", { level: 1 }).textContent()).toBe("8 rows to label");
  expect(await page.title()).toMatch(/^capitals-/);
  for (const heading of ["Failures", "Scores"])
    expect(await page.getByRole("heading", { name: heading }).count()).toBe(0);
  expect((await page.locator(".labelling").boundingBox())!.height).toBeLessThan(160);
  await press("j");
  await expect.poll(current).toEqual(["row-2"]);
  expect(await page.locator(".opened .pill").count()).toBe(0);
  const hidden = await scores();

  const button = page.getByRole("button", { name: "Show scores" });
  const { y } = (await button.boundingBox())!;
  await button.click();
  const shown = page.getByRole("button", { name: "Hide scores" });
  expect(await shown.evaluate((one) => one === document.activeElement)).toBe(true);
  expect(await page.locator(".opened .pill").count()).toBe(1);
  expect(await keyHeads()).toBe(1);
  expect(await page.getByRole("heading", { name: "Failures" }).count()).toBe(1);
  expect(await page.getByRole("heading", { level: 1 }).textContent()).toBe(verdict);
  expect(await page.title()).toContain(verdict);
  expect(Math.abs((await shown.boundingBox())!.y - y)).toBeLessThan(2);
  await shown.click();
  expect(await scores()).toBe(hidden);
  expect(await page.title()).not.toContain(verdict);
  expect(await current()).toEqual(["row-2"]);
});

it("shows new rows, and keeps the scroll position", async () => {
  expect(await page.getByText("Stopped before the end: The experiment has not ended.").count()).toBe(1);
  expect(await page.getByText("Duration").count()).toBe(0);
  await page.getByLabel("Search").fill("Peru");
  await opened("row-4").click();
  expect(await names()).toEqual(["row-1", "row-4", "row-7"]);
  await files.finish();
  await expect.poll(names, { timeout: 10_000 }).toEqual(["row-1", "row-4", "row-7", "row-10"]);
  expect(await opened("row-4").getAttribute("aria-expanded")).toBe("true");
  expect(await opened("row-4").evaluate((button) => button === document.activeElement)).toBe(true);
  expect(await page.getByText("Stopped before the end").count()).toBe(0);
  expect(await page.getByText("Duration").count()).toBe(1);
  expect(await page.getByRole("heading", { level: 1 }).textContent()).toBe("12 rows to label");
  expect(await said()).toBe("row-4: unlabelled · 0 of 12 rows labelled");
});

it("says why a label is not saved after the program has ended", async () => {
  await view.end();
  await press("p");
  await page.getByText("Not saved: The program has ended. Start it again").waitFor();
  expect(problems.join()).toContain("ERR_CONNECTION_REFUSED");
  problems.length = 0;
});

it("does not block others", async () => {
  await press("p");
  await expect.poll(said).toBe("row-2: unlabelled · 1 of 8 rows labelled");
  await expectAccessible();
});
