/** The examples of the guide and the README run, without a key, and come to what their comments say. */
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { inspect } from "node:util";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { blocks, examples, pages } from "./blocks.ts";
import { isPrinted, readExpected } from "./expected.ts";
import { instrument, REPORT } from "./instrument.ts";
import { modelAPIs } from "./models.ts";

const work = join(import.meta.dirname, ".work/run"); // beside the tests, so that packages are found
const start = process.cwd();

beforeAll(() => {
  rmSync(work, { recursive: true, force: true });
  vi.spyOn(console, "log").mockImplementation(() => {});
  for (const provider of [
    "OPENAI",
    "ANTHROPIC",
    "GOOGLE",
    "MISTRAL",
    "GROQ",
    "OPENROUTER",
    "DEEPSEEK",
    "XAI",
    "TOGETHER",
    "FIREWORKS",
  ])
    vi.stubEnv(`${provider}_API_KEY`, "sk-no-key-of-anybody");
});
afterAll(() => {
  process.chdir(start);
  vi.unstubAllEnvs();
  vi.unstubAllGlobals();
});

const runnable = examples.filter(({ runs }) => runs);

describe.each(
  pages.map(({ name }) => name).filter((name) => runnable.some(({ page }) => page === name)),
)("%s", (page) => {
  const folder = join(work, page);
  beforeAll(() => {
    mkdirSync(folder, { recursive: true });
    process.chdir(folder);
    // Files that examples read stand in the chapter as well.
    for (const { info, code } of blocks.filter(
      (block) => block.page === page && /^[\w./-]+\.\w+$/.test(block.info),
    ))
      writeFileSync(join(folder, info), code);
  });

  const ofPage = runnable.filter((example) => example.page === page);
  test.each(
    ofPage.map((example, i) => [example.place, example, i] as const),
  )("%s", async (_place, example, i) => {
    const { code, checks } = instrument(example.code);
    const calls: unknown[][][] = checks.map(() => []);
    vi.stubGlobal(REPORT, (check: number, ...args: unknown[]) => void calls[check]?.push(args));
    vi.stubGlobal("fetch", modelAPIs([...example.answers]));
    const file = join(folder, `example-${i}.ts`);
    writeFileSync(file, code);
    await import(pathToFileURL(file).href);
    const wrong = checks.flatMap(({ isPrinted: printed, comment }, check) => {
      const found = calls[check] ?? [];
      if (found.length && (printed ? isPrinted(found, comment) : readExpected(comment)?.(found.at(-1)?.[0])))
        return [];
      return [
        `the comment says:\n${comment}\nbut it is:\n${found.map((args) => inspect(args, { depth: 9 })).join("\n") || "never reached"}`,
      ];
    });
    expect(wrong.join("\n\n")).toBe("");
  });
});
