/** The slices of a comparison in the report. */
import { type Experiment, renderReport } from "openevals-wasm/evaluation";
import { expect, it } from "vitest";
import { errorOf } from "../api/error-of.js";
import { experimentOf } from "./experiments.js";
import { open, page, usePages } from "./page.js";

usePages();

/** Forty German rows of which so many are wrong, sixty English ones, and four with a hostile name. */
function sliced(lost: number): Experiment {
  const experiment = experimentOf(
    Array.from({ length: 104 }, (_, i) => ({ id: `${i}`, scores: { ok: i >= lost } })),
  );
  for (const [index, { example }] of experiment.rows.entries())
    example.metadata = { language: index < 40 ? "de" : index < 100 ? "en" : "<img src=x>" };
  return experiment;
}

it("lists the slices below the scores, the worst first, and says so in the title", async () => {
  await open(sliced(8), { compareWith: sliced(0), sliceBy: "language" });
  expect(await page.getByRole("heading", { level: 1 }).textContent()).toBe(
    "Worse on ok, by more than chance; worse in language: de; 8 of 104 rows fail",
  );
  const section = page.locator("section[aria-labelledby=slices]");
  const lines = await section.locator("tbody tr").allInnerTexts();
  expect(lines.map((line) => line.split(/\s+/)[0])).toEqual(["de", "en"]);
  expect(lines[0]!.replaceAll(/\s+/g, " ")).toMatch(/^de ok 100\.0% 80\.0% −20\.0 pp .* 0\.008 40$/);
  expect(await section.locator("b.worse").allInnerTexts()).toEqual(["−20.0 pp"]);
  expect(await section.innerText()).toContain("Too few rows to find a difference: <img src=x> (4).");
});

it("in a list, shows those of the last experiment", async () => {
  await open([sliced(0), sliced(2), sliced(8)], { sliceBy: "language" });
  const lines = await page.locator("section[aria-labelledby=slices] tbody tr").allInnerTexts();
  expect(lines[0]).toMatch(/^de/);
  expect(lines).toHaveLength(2);
});

it("needs a baseline", async () => {
  expect(await errorOf(renderReport(sliced(0), { sliceBy: "language" }))).toMatchObject({
    code: "invalid_config",
    message: "sliceBy applies to a comparison with a baseline; add compareWith, or leave it out.",
  });
});
