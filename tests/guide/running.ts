/** Runs an example, and compares the results with its comments. */

import { writeFileSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { inspect } from "node:util";
import { vi } from "vitest";
import { isPrinted, readExpected } from "./expected.ts";
import { instrument, REPORT } from "./instrument.ts";
import { modelAPIs } from "./models.ts";

/** Keys for models that are not asked: {@link modelAPIs} replaces them. */
export function stubKeys(): void {
  const providers = "OPENAI ANTHROPIC GOOGLE MISTRAL GROQ OPENROUTER DEEPSEEK XAI TOGETHER FIREWORKS";
  for (const provider of providers.split(" ")) vi.stubEnv(`${provider}_API_KEY`, "sk-no-key-of-anybody");
}

/** How often each file was run. */
const attempts = new Map<string, number>();

/**
 * Runs an example as the given file, with these answers of models.
 *
 * @returns The results that differ from a comment, or were never reached.
 */
export async function runExample(
  code: string,
  file: string,
  answers: readonly unknown[] = [],
): Promise<string[]> {
  const { code: instrumented, checks } = instrument(code);
  const calls: unknown[][][] = checks.map(() => []);
  vi.stubGlobal(REPORT, (check: number, ...args: unknown[]) => void calls[check]?.push(args));
  vi.stubGlobal("fetch", modelAPIs([...answers]));
  // A module runs only once, and would seem never to be reached at the second try.
  const attempt = (attempts.get(file) ?? 0) + 1;
  attempts.set(file, attempt);
  const module = attempt === 1 ? file : file.replace(/\.ts$/, `-${attempt}.ts`);
  writeFileSync(module, instrumented);
  await import(pathToFileURL(module).href);
  return checks
    .filter(({ isPrinted: printed, comment }, check) => {
      const found = calls[check] ?? [];
      if (!found.length) return true;
      return !(printed ? isPrinted(found, comment) : readExpected(comment)?.(found.at(-1)?.[0]));
    })
    .map((check) => {
      const found = calls[checks.indexOf(check)]?.map((args) => inspect(args, { depth: 9 })).join("\n");
      return `the comment says:\n${check.comment}\nbut it is:\n${found || "never reached"}`;
    });
}
