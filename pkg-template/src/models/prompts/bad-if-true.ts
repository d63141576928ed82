/**
 * The property of `globalThis` with the texts of the prebuilt prompts whose `true` is bad: the judge may belong to another copy of
 * the package than its prompt. A prompt is in it once its text is used.
 */
const PROMPTS = "openevals-wasm.badIfTrue";

type PromptRegistry = Partial<Record<symbol, Set<unknown>>>;

/** Makes lower scores better for judges with this prompt. */
export function badIfTrue(prompt: string): string {
  const globals = globalThis as PromptRegistry;
  const prompts = globals[Symbol.for(PROMPTS)] ?? new Set();
  globals[Symbol.for(PROMPTS)] = prompts.add(prompt);
  return prompt;
}

export const isBadIfTrue = (prompt: unknown): boolean | undefined =>
  (globalThis as PromptRegistry)[Symbol.for(PROMPTS)]?.has(prompt);
