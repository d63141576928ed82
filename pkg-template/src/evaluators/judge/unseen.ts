/** Rejects calls whose values the judge would not see. Loaded for prompts with double braces, or without any. */

import { invalidConfig } from "../../core/errors.js";

/** The variables of other packages' prompts, which write them in double braces. */
const OTHER_NAMES: Record<string, string> = {
  input: "inputs",
  output: "outputs",
  expected: "reference_outputs",
  referenceOutputs: "reference_outputs",
};

/** Throws if a prompt leaves out what a call passes. */
export function checkSeen(
  template: string,
  variables: Record<string, unknown>,
  hasAttachments: boolean,
): void {
  const single: readonly string[] = template.replaceAll(/\{\{|\}\}/g, "").match(/\{[^}]*\}/g) ?? [];
  for (const [text, name = ""] of template.matchAll(/\{\{\s*(\w+)\s*\}\}/g)) {
    const meant = OTHER_NAMES[name] ?? name;
    if (!Object.hasOwn(variables, meant) || single.includes(`{${meant}}`)) continue;
    throw invalidConfig(
      `The prompt has "${text}", which is text: the judge would not see ${meant}. Write {${meant}}; if you mean the ` +
        "braces, write a prompt function",
    );
  }
  if (!single.length && !hasAttachments && Object.hasOwn(variables, "outputs")) {
    throw invalidConfig(
      "The prompt has no variable, so the judge would not see the outputs. Write {outputs} where they belong",
    );
  }
}
