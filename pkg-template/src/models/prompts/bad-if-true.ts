/** The texts of the prebuilt prompts whose `true` is bad news. A prompt is in it once its text is used. */
export const BAD_IF_TRUE: Set<unknown> = /* @__PURE__ */ new Set();

/** Makes lower scores better for judges with this prompt. */
export function badIfTrue(prompt: string): string {
  BAD_IF_TRUE.add(prompt);
  return prompt;
}
