import { onUse } from "../../core/platform/on-use.js";
import type { Failure } from "../../core/records/types.js";
import { failureOf } from "../../evaluators/calls/plain.js";

/**
 * What a function of the user threw, as an experiment records it: with the messages of a conversation that failed, and without
 * keys of the environment and keys in known formats, because experiments and reports are shared.
 */
export async function recordedFailure(thrown: unknown): Promise<Failure> {
  try {
    const { shareable } = await onUse("The search for keys", () => import("./shareable-failure.js"));
    return shareable(failureOf(thrown), thrown);
  } catch (error) {
    // Without the search, the error may contain keys; the other rows do not need it.
    return failureOf(error);
  }
}
