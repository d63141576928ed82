import { onUse } from "../../core/platform/on-use.js";
import type { Failure } from "../../core/records/types.js";
import { failureOf } from "../../evaluators/calls/plain.js";

/**
 * What a function of the user threw, as an experiment records it: without keys of the environment and keys in known formats,
 * because experiments and reports are shared.
 */
export async function recordedFailure(thrown: unknown): Promise<Failure> {
  const { hideKeys } = await onUse("The search for keys", () => import("../../core/input/keys.js"));
  const clean = ({ message, cause, ...failure }: Failure): Failure => ({
    ...failure,
    message: hideKeys(message),
    ...(cause && { cause: clean(cause) }),
  });
  return clean(failureOf(thrown));
}
