/**
 * The examples of the guide, the README and the documentation comments run without a key, and have the stated
 * results. The commands of the guide run without one, too.
 */
import { spawnSync } from "node:child_process";
import { rmSync } from "node:fs";
import { join } from "node:path";
import * as ours from "openevals-wasm";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { documentationExamples } from "../types/examples.ts";
import { blocks, examples, pages } from "./blocks.ts";
import { folderOf } from "./folders.ts";
import { runExample, stubKeys } from "./running.ts";

const work = join(import.meta.dirname, ".work/run"); // beside the tests, so that packages are found
const program = join(import.meta.dirname, "../node_modules/openevals-wasm/dist/cli.cjs");
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
const commands = blocks
  .filter(({ language }) => language === "sh")
  .flatMap(({ page, code }) => {
    const lines = code.replaceAll("\\\n", " ").split("\n");
    const wordsOf = (line: string) => line.split(/\s+/).map((word) => word.replace(/^"(.*)"$/, "$1"));
    // `# Exit code 1: why` before a command.
    const exitCodeOf = (i: number) => Number(/^# Exit code (\d+)/.exec(lines[i - 1] ?? "")?.[1] ?? 0);
    return lines.map((line, i) => ({ page, words: wordsOf(line), exitCode: exitCodeOf(i) }));
  })
  // Those with a model would ask it, those that watch or serve never end, and tests/cli/ calls `init`.
  .filter(
    ({ words: [npx, name, ...args] }) =>
      npx === "npx" &&
      name === "openevals-wasm" &&
      !["init", "view"].includes(args[0] as string) &&
      !args.some((arg) => ["--model", "--watch"].includes(arg)),
  );
const named = pages
  .map(({ name }) => name)
  .filter((name) => [...runnable, ...commands].some(({ page }) => page === name));

describe.each(named)("%s", (page) => {
  beforeAll(() => process.chdir(folderOf(work, page)));

  const ofPage = runnable.filter((example) => example.page === page);
  test.each(ofPage.map(({ place }, i) => [place, i] as const))("%s", async (_place, i) => {
    const { code, answers } = ofPage[i]!;
    expect(await runExample(code, join(work, page, `example-${i}.ts`), answers)).toEqual([]);
  });

  // Some read what the examples of their page have written.
  test.each(
    commands
      .filter((command) => command.page === page)
      .map(({ words, exitCode }) => [words.join(" "), words.slice(2), exitCode] as const),
  )("%s", (_command, args, exitCode) => {
    const { status, stderr } = spawnSync(process.execPath, [program, ...args], { encoding: "utf8" });
    expect(status, stderr).toBe(exitCode);
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
