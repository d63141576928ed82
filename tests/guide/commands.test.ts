/** The commands of the guide run without a key. */
import { spawnSync } from "node:child_process";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { blocks, examples } from "./blocks.ts";
import { folderOf } from "./folders.ts";
import { runExample, stubKeys } from "./running.ts";

const work = join(import.meta.dirname, ".work/commands");
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

const start = process.cwd();

/** Some commands read what examples of their page have written. `run.test.ts` checks the results of these. */
beforeAll(async () => {
  rmSync(work, { recursive: true, force: true });
  vi.spyOn(console, "log").mockImplementation(() => {});
  stubKeys();
  for (const page of new Set(commands.map(([page]) => page))) {
    process.chdir(folderOf(work, page));
    const ofPage = examples.filter((example) => example.runs && example.page === page);
    for (const [i, { code, answers }] of ofPage.entries())
      await runExample(code, join(work, page, `example-${i}.ts`), answers);
  }
});
afterAll(() => {
  process.chdir(start);
  vi.unstubAllEnvs();
  vi.unstubAllGlobals();
});

test.each(
  commands.map(([page, words]) => [words.join(" "), page, words.slice(2)] as const),
)("%s", (_command, page, args) => {
  const options = { cwd: join(work, page), encoding: "utf8" } as const;
  const { status, stderr } = spawnSync(process.execPath, [program, ...args], options);
  // The examples have too few rows to show a margin.
  expect(status, stderr).toBe(args.includes("--margin") ? 1 : 0);
});
