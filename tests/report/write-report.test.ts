/** writeReport() replaces earlier reports, and neither files of others nor experiments. */
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { evaluate, renderReport, writeReport } from "openevals-wasm/evaluation";
import { afterAll, expect, it } from "vitest";
import { errorOf } from "../api/error-of.js";
import { experimentOf } from "./experiments.js";

const folder = mkdtempSync(join(tmpdir(), "write-report-"));
afterAll(() => rmSync(folder, { recursive: true }));

const experiment = experimentOf([{ id: "a", scores: { exact: true } }]);
let count = 0;
const newFile = (text: string) => {
  const path = join(folder, `${++count}.html`);
  writeFileSync(path, text);
  return path;
};

it.each([
  ["a page", "<!doctype html><title>Mine</title>", "was not written by openevals-wasm"],
  ["a program", "export const x = 1;\n", "was not written by openevals-wasm"],
  ["a table", "experiment,notes\nprecious\n", "was not written by openevals-wasm"],
  ["an experiment", JSON.stringify(experiment), "has a finished experiment"],
  [
    "an experiment that was stopped",
    JSON.stringify({ ...experiment, stopped: { message: "aborted" } }),
    "has an experiment that was stopped early",
  ],
])("%s is replaced only with overwrite", async (_, text, reason) => {
  const path = newFile(text);
  const link = join(folder, `${++count}.html`);
  symlinkSync(path, link);
  for (const name of [path, link])
    expect(await errorOf(writeReport(experiment, name))).toMatchObject({
      code: "invalid_config",
      message: `${name} ${reason}. Replace it with writeReport(experiment, path, { overwrite: true }), or name another file.`,
    });
  expect(readFileSync(path, "utf8")).toBe(text);
  await writeReport(experiment, path, { overwrite: true });
  expect(readFileSync(path, "utf8")).toBe(await renderReport(experiment));
});

it("the rows of an experiment are replaced only with overwrite", async () => {
  const path = newFile("");
  await evaluate((input: number) => input, {
    data: [{ inputs: 1 }],
    output: { sink: path },
    progress: false,
  });
  expect((await errorOf(writeReport(experiment, path))).message).toContain("has the rows of an experiment");
});

it("an earlier report and an empty file are replaced", async () => {
  const path = newFile("");
  await writeReport(experiment, path);
  const other = experimentOf([{ id: "b", scores: { exact: false } }]);
  await writeReport(other, path);
  expect(readFileSync(path, "utf8")).toBe(await renderReport(other));
});

it("an unknown option is an error of writeReport", async () => {
  const wrong = { overwrit: true } as object;
  expect((await errorOf(writeReport(experiment, newFile(""), wrong))).message).toBe(
    'writeReport has no option "overwrit"; did you mean overwrite?',
  );
});
