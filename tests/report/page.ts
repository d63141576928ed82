/** Reports in Chromium, opened as the files that they are. */
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { type Experiment, type ReportOptions, writeReport } from "openevals-wasm/evaluation";
import type { Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, expect } from "vitest";
import { openChromium } from "../runtimes/harness.js";
import { experimentOf, type RowData } from "./experiments.js";

const axe = await readFile(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
let folder: string;
/**
 * The page of all tests, since a new one starts a process of Chromium, which takes longer than most tests. After a test that
 * fails, there is a new one.
 */
export let page: Page;
/** The errors of the page, which have to be empty. */
export let problems: string[];
let requests: string[];

/** Opens a report in each test of the file that calls this, in a page as it was before the first test. */
export function usePages(): void {
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "report-"));
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));
  beforeEach(async () => {
    if (page?.isClosed() ?? true) await openPage();
    await page.setViewportSize({ width: 1280, height: 720 });
    await page.emulateMedia({ media: null, colorScheme: null });
    await page.context().clearPermissions();
    problems = [];
    requests = [];
  });
  afterEach(async ({ task }) => {
    if (task.result?.state === "fail" || problems.length) await page.context().close();
    expect(problems).toEqual([]);
  });
}

async function openPage(): Promise<void> {
  const browser = await openChromium();
  page = await browser.newPage();
  page.on("pageerror", (error) => problems.push(error.message));
  page.on("console", (message) => problems.push(`${message.type()}: ${message.text()}`));
  page.on("dialog", (dialog) => {
    problems.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on("request", (request) => requests.push(request.url()));
}

let files = 0;
/** Writes the report and opens it. */
export async function open(experiment: Experiment | Experiment[], options?: ReportOptions): Promise<string> {
  const path = join(folder, `${++files}`, "report.html");
  await writeReport(experiment, path, options);
  await openFile(path);
  return path;
}

/** Opens a page that is not a report. */
export async function openHtml(html: string): Promise<void> {
  const path = join(folder, `${++files}.html`);
  await writeFile(path, html);
  await openFile(path);
}

async function openFile(path: string): Promise<void> {
  const url = pathToFileURL(path).href;
  requests = [];
  await page.goto(url);
  expect(requests).toEqual([url]);
}

/** Checks accessibility, on phone and desktop sizes, in light and dark mode. */
export async function expectAccessible(): Promise<void> {
  await page.evaluate(axe);
  for (const [width, colorScheme] of LOOKS) {
    await page.setViewportSize({ width, height: 800 });
    await page.emulateMedia({ colorScheme });
    const isWide = "document.documentElement.scrollWidth > document.documentElement.clientWidth";
    expect(await page.evaluate(isWide)).toBe(false);
    expect(await tooSmall(24)).toEqual([]);
    const { violations } = await page.evaluate<any>("axe.run({ resultTypes: ['violations'] })");
    const told = violations.map(
      ({ id, nodes }: any) => `${id}: ${nodes.map(({ target }: any) => target).join(", ")}`,
    );
    expect({ width, colorScheme, told }).toEqual({ width, colorScheme, told: [] });
  }
}

/** The buttons, links and fields that are less than 24 px wide or not as high as this, with their labels. */
export const tooSmall = (height: number, within = "body"): Promise<string[]> =>
  page
    .locator(within)
    .locator("a, button, input, select, textarea, summary")
    .evaluateAll(
      (controls: any[], height) =>
        controls.flatMap((control) => {
          const sizes = [control, ...(control.labels ?? [])].map((part) => part.getBoundingClientRect());
          const [own] = sizes;
          // Hidden controls have no size. Sizes have rounding errors.
          const isLarge = sizes.some((size) => size.width > 23.9 && size.height > height - 0.1);
          return own.width <= 1 || isLarge ? [] : [`${control.outerHTML}: ${own.width} x ${own.height}`];
        }),
      height,
    );

const LOOKS = [
  [360, "light"],
  [360, "dark"],
  [1280, "light"],
  [1280, "dark"],
] as const;

export const rows: RowData[] = [
  {
    id: "astana",
    inputs: { question: "What is the capital of Kazakhstan?" },
    outputs: "Astana",
    reference: "Astana",
    scores: { exact: true, close: 1, tone: true },
    comments: { tone: "Friendly enough." },
    durationMs: 900,
  },
  {
    id: "light",
    inputs: { question: "How fast is light?" },
    outputs: "299,792.548 km/s",
    reference: "299,792.458 km/s",
    scores: { exact: false, close: 0.875, tone: null },
    durationMs: 20,
  },
  {
    id: "moon",
    outputs: [
      { role: "user", content: "When?" },
      { role: "assistant", content: "", tool_calls: [{ id: "1", name: "look_up", args: { event: "moon" } }] },
    ],
    reference: "20 July 1969",
    scores: { exact: false, close: 0.25 },
    errors: {
      tone: {
        name: "OpenEvalsError",
        code: "provider_error",
        message: "The endpoint answered 503",
        cause: {
          name: "TypeError",
          message: "fetch failed",
          cause: { name: "Error", message: "ECONNRESET" },
        },
      },
    },
    durationMs: 3,
  },
  { id: "river", failed: { name: "Error", message: "The agent ran out of turns" }, durationMs: 70_000 },
];

export const experiment = () =>
  experimentOf(rows, {
    metadata: { model: "gpt-5.4", temperature: 0 },
    usage: { inputTokens: 12_345, outputTokens: 67 },
    summaryResults: [
      { key: "f1", score: 0.8, interval: { low: 0.7, high: 0.9, level: 0.95 } },
      {
        key: "confusion",
        value: {
          labels: ["yes", "no"],
          matrix: [
            [3, 1],
            [0, 2],
          ],
        },
      },
      { key: "kappa", error: { name: "Error", message: "one label only" } },
    ],
  });

/** The rows that the table shows, by their names. */
export const names = () => page.locator(".rows .open").allTextContents();
export const status = () => page.getByRole("status").textContent();
export const head = (name: string) => page.getByRole("columnheader", { name, exact: true });
export const sortBy = (name: string) => head(name).getByRole("button").click();
export const card = (key: string) =>
  page.getByRole("article").filter({ has: page.getByRole("heading", { name: key }) });
export const opened = (name: string) => page.getByRole("button", { name, exact: true });
