/**
 * The examples of the guide, the README and the documentation comments run without a key, and have the stated
 * results.
 */
import { spawnSync } from "node:child_process";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import * as ours from "openevals-wasm";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { documentationExamples } from "../types/examples.ts";
import { blocks, examples, pages } from "./blocks.ts";
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

/** A folder in which the examples of a page run, with the files of the page. */
function enter(name: string): void {
  const folder = join(work, name);
  mkdirSync(folder, { recursive: true });
  process.chdir(folder);
  for (const { info, code } of blocks.filter((block) => block.page === name))
    if (/^[\w./-]+\.\w+$/.test(info)) {
      mkdirSync(join(folder, dirname(info)), { recursive: true });
      writeFileSync(join(folder, info), code);
    }
}

const runnable = examples.filter(({ runs }) => runs);
const named = pages.map(({ name }) => name).filter((name) => runnable.some(({ page }) => page === name));

describe.each(named)("%s", (page) => {
  beforeAll(() => enter(page));

  const ofPage = runnable.filter((example) => example.page === page);
  test.each(ofPage.map(({ place }, i) => [place, i] as const))("%s", async (_place, i) => {
    const { code, answers } = ofPage[i]!;
    expect(await runExample(code, join(work, page, `example-${i}.ts`), answers)).toEqual([]);
  });
});

describe("commands", () => {
  const program = join(import.meta.dirname, "../node_modules/openevals-wasm/dist/cli.js");
  const commands = blocks
    .filter(({ language }) => language === "sh")
    .flatMap(({ page, code }) => {
      const lines = code.replaceAll("\\\n", " ").split("\n");
      const wordsOf = (line: string) => line.split(/\s+/).map((word) => word.replace(/^"(.*)"$/, "$1"));
      return lines.map((line) => [page, wordsOf(line)] as const);
    })
    // Those with a model would ask it, those that watch or serve never end, and tests/cli/ calls `init`.
    .filter(
      ([, [npx, name, ...args]]) =>
        npx === "npx" &&
        name === "openevals-wasm" &&
        !["init", "view"].includes(args[0] as string) &&
        !args.some((arg) => ["--model", "--watch"].includes(arg)),
    );

  beforeAll(() => {
    for (const page of new Set(commands.map(([page]) => page))) if (!named.includes(page)) enter(page);
  });

  test.each(
    commands.map(([page, words]) => [words.join(" "), page, words.slice(2)] as const),
  )("%s", (_command, page, args) => {
    const options = { cwd: join(work, page), encoding: "utf8" } as const;
    const { status, stderr } = spawnSync(process.execPath, [program, ...args], options);
    // The examples have too few rows to show a margin.
    expect(status, stderr).toBe(args.includes("--margin") ? 1 : 0);
  });
});

describe("documentation comments", () => {
  beforeAll(() => void enter("documentation"));

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
