/**
 * The examples of the guide, the README and the documentation comments run without a key, and have the stated
 * results.
 */
import { rmSync } from "node:fs";
import { join } from "node:path";
import * as ours from "openevals-wasm";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { documentationExamples } from "../types/examples.ts";
import { examples, pages } from "./blocks.ts";
import { folderOf } from "./folders.ts";
import { runExample, stubKeys } from "./running.ts";

const work = join(import.meta.dirname, ".work/run"); // beside the tests, so that packages are found
const start = process.cwd();

beforeAll(() => {
  rmSync(work, { recursive: true, force: true });
  vi.spyOn(console, "log").mockImplementation(() => {});
  stubKeys();
});
afterAll(() => {
  process.chdir(start);
  vi.unstubAllEnvs();
  vi.unstubAllGlobals();
});

const runnable = examples.filter(({ runs }) => runs);
const named = pages.map(({ name }) => name).filter((name) => runnable.some(({ page }) => page === name));

describe.each(named)("%s", (page) => {
  beforeAll(() => process.chdir(folderOf(work, page)));

  const ofPage = runnable.filter((example) => example.page === page);
  test.each(ofPage.map(({ place }, i) => [place, i] as const))("%s", async (_place, i) => {
    const { code, answers } = ofPage[i]!;
    expect(await runExample(code, join(work, page, `example-${i}.ts`), answers)).toEqual([]);
  });
});

describe("documentation comments", () => {
  beforeAll(() => process.chdir(folderOf(work, "documentation")));

  const declarations = join(import.meta.dirname, "../node_modules/openevals-wasm/dist");
  const names = Object.keys(ours).filter((name) => name !== "default");
  const documented = documentationExamples(declarations, names).filter(
    ({ info }) => !info.includes("no-run"),
  );
  test.each(
    documented.map(({ source }, i) => [source.slice(declarations.length + 1), i] as const),
  )("%s", async (_source, i) => {
    const wrong = await runExample(documented[i]!.code, join(work, "documentation", `example-${i}.ts`));
    // Code in functions that are only defined is not reached.
    expect(wrong.filter((text) => !text.endsWith("never reached"))).toEqual([]);
  });
});
