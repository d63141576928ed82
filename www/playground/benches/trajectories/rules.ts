/** The verdict of a tool policy. It is loaded with the first policy, since its engine is a file of its own. */

import { createToolPolicy, type ToolPolicyMetadata, type ToolPolicyOptions } from "openevals-wasm/agents";

/** A broken rule, with the places of its calls. */
export type Broken = ToolPolicyMetadata["broken"][number];

/** Judges messages; throws if the options cannot work. */
export async function judged(
  options: unknown,
  outputs: readonly object[],
): Promise<{ score: number | boolean; rules: number; broken: Broken[] }> {
  const { score, metadata } = await createToolPolicy(options as ToolPolicyOptions)({
    outputs: outputs as never,
  });
  return { score: score as number | boolean, ...(metadata as ToolPolicyMetadata) };
}
